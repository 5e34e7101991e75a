"""The Explorer in a real browser, used as a person would use it; each main state leaves a screenshot."""

from __future__ import annotations

import re

import pytest
from live import Tool
from playwright.sync_api import expect


def chosen(tool: Tool, n: int) -> None:
    """Wait until so many points of the question are chosen."""
    expect(tool.root.locator(".dcrc-pill.chosen")).to_have_count(n)


def test_three_clicks_and_a_button_or_a_key_are_an_answer(explore_in_lab) -> None:
    tool = explore_in_lab()
    page, root = tool.page, tool.root
    tool.screenshot("1-start")
    before = tool.picture()
    page.mouse.move(*tool.position(4))
    expect(root.locator(".dcrc-hint")).to_contain_text("cluster")
    tool.click_points(4, 60, 120)
    expect(root.locator(".dcrc-worth")).to_contain_text("bit")
    tool.screenshot("2-question")
    root.get_by_role("button", name="Yes", exact=False).click()
    tool.expect_answers(1)
    tool.changed(before)
    expect(root.locator(".dcrc-status-text")).to_contain_text("1 answer")
    expect(root.locator(".dcrc-status-text")).to_contain_text("saved to")
    tool.click_points(10, 70, 130)
    page.keyboard.press("n")
    tool.expect_answers(2)
    chosen(tool, 3)  # the next question comes by itself; a click begins one's own
    # Esc and a second click take points back; Skip records nothing.
    tool.click_points(20, 80)
    page.keyboard.press("Escape")
    chosen(tool, 1)
    tool.click_points(20)
    chosen(tool, 0)
    tool.click_points(20, 80, 140)
    page.keyboard.press("d")
    tool.expect_answers(3)
    chosen(tool, 3)
    tool.click_points(21)
    chosen(tool, 1)
    tool.click_points(81, 141)
    page.keyboard.press("s")
    chosen(tool, 3)
    tool.expect_answers(3)
    assert tool.foreign_requests() == []
    assert tool.problems == []


def test_the_keyboard_alone_is_enough(explore) -> None:
    tool = explore()
    page = tool.page
    tool.plane.focus()
    for arrow in ("ArrowUp", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(arrow)
        page.keyboard.press(arrow)
        page.keyboard.press("Space")
    chosen(tool, 3)
    page.keyboard.press("y")
    tool.expect_answers(1)
    # The program suggests; undo and redo.
    page.keyboard.press("Enter")
    chosen(tool, 3)
    page.keyboard.press("y")
    tool.expect_answers(2)
    page.keyboard.press("z")
    tool.expect_answers(1)
    expect(tool.root.locator(".dcrc-reason")).to_contain_text("Taken back")
    page.keyboard.press("Shift+Z")
    tool.expect_answers(2)
    expect(tool.root.locator(".dcrc-reason")).not_to_contain_text("Taken back")
    # While the program asks by itself, a question that was partly taken back can be skipped too.
    page.keyboard.press("Enter")
    tool.idle()  # another question may be there before
    chosen(tool, 3)
    page.keyboard.press("Escape")
    chosen(tool, 2)
    page.keyboard.press("s")
    chosen(tool, 3)
    tool.tab("Ask")
    tool.questions("chosen by hand")
    expect(tool.root).to_have_attribute("data-state", "idle")
    tool.plane.focus()
    page.keyboard.press("s")
    chosen(tool, 0)
    assert tool.problems == []


def test_settings_change_the_picture_and_answers_can_be_changed(explore_in_lab) -> None:
    tool = explore_in_lab()
    page, root = tool.page, tool.root
    tool.python("_ = explorer.session.answer_by_oracle(4, strategy='random')")
    tool.expect_answers(4)
    tool.idle()
    soft = tool.picture()
    root.get_by_role("button", name="Hard").click()
    expect(root.get_by_role("button", name="Hard")).to_have_attribute("aria-pressed", "true")
    tool.changed(soft)
    page.keyboard.press("z")
    expect(root.get_by_role("button", name="Soft")).to_have_attribute("aria-pressed", "true")
    # A slider of the teacher that the browser links to the tool: it moves epsilon, and follows it.
    tool.python("import ipywidgets\nslider = ipywidgets.FloatSlider(0.05, max=0.6, step=0.01)")
    tool.python("_ = ipywidgets.jslink((slider, 'value'), (explorer, 'epsilon'))\nslider.value = 0.2")
    readout = root.locator("[data-name=epsilon] .dcrc-readout")
    expect(readout).to_have_value("0.2")
    assert tool.python("print(explorer.session.settings.epsilon)") == "0.2"
    tool.idle()
    page.keyboard.press("z")
    expect(readout).to_have_value("0.05")
    tool.idle()
    assert tool.python("print(slider.value)") == "0.05"
    # The list: every answer, hover finds it, an answer can be changed and deleted.
    tool.tab("Answers")
    rows = root.locator(".dcrc-row")
    expect(rows).to_have_count(4)
    rows.nth(1).hover()
    tool.screenshot("1-answers")
    given = rows.nth(1).locator("[aria-pressed=true]").inner_text()
    other = "no" if given == "yes" else "yes"
    rows.nth(1).get_by_role("button", name=other, exact=True).click()
    expect(rows.nth(1).get_by_role("button", name=other, exact=True)).to_have_attribute("aria-pressed", "true")
    rows.nth(0).get_by_role("button", name="Delete").click()
    tool.expect_answers(3)
    expect(rows).to_have_count(3)
    assert tool.problems == []


def test_many_answers_other_data_and_a_program(explore) -> None:
    tool = explore()
    page, root = tool.page, tool.root
    tool.tab("Ask")
    tool.answered_by("the truth")
    root.get_by_role("button", name="500", exact=True).click()
    tool.expect_answers(500)
    tool.idle()
    tool.screenshot("1-many")
    # Of the list only what is in sight is in the page, and the last answer can be reached.
    tool.tab("Answers")
    rows = root.locator(".dcrc-row")
    expect(rows.first).to_have_attribute("aria-setsize", "500")
    assert rows.count() < 120
    root.locator(".dcrc-rows").evaluate("(list) => list.scrollTo(0, list.scrollHeight)")
    expect(root.locator(".dcrc-row[data-t='0']")).to_be_visible()
    # Other data; undo brings points and answers back.
    root.locator("[data-name=data]").select_option("Two moons")
    tool.expect_answers(0)
    expect(root.locator(".dcrc-notice")).to_contain_text("500 answers")
    tool.tab("Data")
    tool.idle()
    tool.screenshot("2-other-data")
    tool.plane.focus()
    page.keyboard.press("z")
    tool.expect_answers(500)
    # The model as a program.
    tool.tab("Session")
    root.get_by_role("button", name="Code").click()
    expect(root.locator(".dcrc-sheet textarea")).to_have_value(re.compile(r"DCRC\("))
    tool.screenshot("3-code")
    page.keyboard.press("Escape")
    assert tool.problems == []


def test_keys_hammered_at_fifty_per_second_stay_consistent(explore) -> None:
    tool = explore()
    tool.tab("Ask")
    tool.questions("random")
    chosen(tool, 3)
    tool.plane.focus()
    tool.plane.evaluate(
        """async (plane) => {
            for (let press = 0; press < 100; press++) {
                plane.dispatchEvent(new KeyboardEvent("keydown", { key: "ynd"[press % 3], bubbles: true }));
                await new Promise((go) => setTimeout(go, 20));
            }
        }"""
    )
    chosen(tool, 3)
    tool.idle()
    n = tool.answers()
    assert n > 0
    kept = "from dcrc_explore.session import find_sessions\nprint(len(explorer.session.log), "
    assert tool.python(kept + "*(file.n_answers for file in find_sessions()))") == f"{n} {n}"
    assert tool.problems == []


def test_data_switched_during_a_fit(explore) -> None:
    tool = explore("'close', n_clusters=8, kernel='rbf', parameters={'n_per_cluster': 1000}, autosave=None")
    tool.click_points(4, 60, 120)
    tool.page.keyboard.press("y")
    tool.root.locator("[data-name=data]").select_option("Two moons")
    expect(tool.root.locator(".dcrc-notice")).to_contain_text("1 answer")
    tool.expect_answers(0)
    tool.idle()
    assert tool.python("print(len(explorer.session.log), explorer.session.dataset.name)") == "0 moons"
    tool.plane.focus()
    tool.page.keyboard.press("z")
    tool.expect_answers(1)
    tool.idle()
    assert tool.problems == []


def test_keys_never_reach_jupyterlab(explore_in_lab) -> None:
    tool = explore_in_lab(before="'a cell before'")
    page, root = tool.page, tool.root
    cells = tool.cells()
    targets = [
        tool.plane,
        root.locator(".dcrc-panel h4").first,  # beside every control
        root.get_by_role("button", name="Hard"),
        root.locator(".dcrc-onoff input").first,
        root.locator(".dcrc-group-model [type=range]").first,
        root.get_by_role("tab", name="Model"),
    ]
    for target in targets:
        target.click()
        for key in ("d", "d", "y", "m", "a", "b", "x", "0", "0"):
            page.keyboard.press(key)
    for button in ("Yes", "Skip", "Undo"):
        root.get_by_role("button", name=button).first.focus()
        for key in ("d", "d", "y", "m", "x"):
            page.keyboard.press(key)
    tool.idle()
    assert tool.cells() == cells
    assert tool.answers() == 0
    # JupyterLab's keys with Ctrl, which are not ours, still work from here: the side bar goes.
    tool.plane.click(position={"x": 3, "y": 3})
    page.keyboard.press("Control+b")
    expect(page.locator(".jp-DirListing")).to_be_hidden()
    # Typing into a field is typing.
    tool.tab("Session")
    field = root.get_by_placeholder("answers.json")
    field.click()
    page.keyboard.type("yndsz.json")
    expect(field).to_have_value("yndsz.json")
    assert tool.answers() == 0


def test_an_answer_is_given_once(explore) -> None:
    tool = explore()
    page, root = tool.page, tool.root
    # A double click on Yes, by hand and with questions that come by themselves.
    tool.click_points(4, 60, 120)
    root.locator(".dcrc-answer.yes").dblclick()
    tool.expect_answers(1)
    tool.tab("Ask")
    tool.questions("random")
    expect(root.locator(".dcrc-pill.chosen")).to_have_count(3)
    root.locator(".dcrc-answer.yes").dblclick()
    expect(root.locator(".dcrc-pill.chosen")).to_have_count(3)
    tool.idle()
    assert tool.answers() == 2
    # A key held down is one answer.
    page.keyboard.down("n")
    page.keyboard.down("n")
    page.keyboard.up("n")
    tool.expect_answers(3)
    # What is picked and answered while an answer is under way is neither lost nor doubled.
    tool.questions("chosen by hand")
    tool.idle()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    tool.plane.evaluate(
        """(plane) => {
            const box = plane.getBoundingClientRect();
            const click = (i) => {
                const [x, y] = planeOf(plane).where(i);
                const at = { bubbles: true, clientX: box.left + x + 1, clientY: box.top + y + 1 };
                plane.dispatchEvent(new MouseEvent("click", at));
            };
            const press = (key) => plane.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            for (const [triplet, key] of [[[1, 50, 90], "y"], [[2, 51, 91], "n"], [[3, 52, 92], "d"]]) {
                triplet.forEach(click);
                press(key);
            }
        }"""
    )
    tool.expect_answers(6)
    tool.idle()
    assert tool.python("print([int(a.answer) for a in explorer.session.log[-3:]])") == "[1, -1, 0]"


def test_killed_kernel_loses_no_answer(explore_in_lab) -> None:
    tool = explore_in_lab()
    page, root = tool.page, tool.root
    for triplet in [(4, 60, 120), (5, 61, 121)]:
        tool.click_points(*triplet)
        page.keyboard.press("y")
    tool.expect_answers(2)
    tool.kill_kernel()
    notice = tool.root.locator(".dcrc-notice")
    expect(notice).to_contain_text("2 answers")
    tool.ready().screenshot("1-offer")
    notice.get_by_role("button", name="Continue").click()
    tool.expect_answers(2)
    expect(notice).to_be_hidden()
    tool.click_points(6, 62, 122)
    page.keyboard.press("n")
    tool.expect_answers(3)
    expect(root.locator(".dcrc-status-text")).to_contain_text("saved to close")


# Controls that reach out of the box in which they stand.
OVERFLOWING = """(root) => [...root.querySelectorAll("button, select, input, .dcrc-panel")].filter((node) => {
    const inner = node.getBoundingClientRect();
    const outer = node.parentElement.closest(".dcrc-card, .dcrc-side, .dcrc-explorer").getBoundingClientRect();
    return inner.width && (inner.right > outer.right + 1 || inner.left < outer.left - 1);
}).map((node) => node.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_looks_right(explore, theme: str) -> None:
    tool = explore('"many"' if theme == "Dark" else "")
    page, root = tool.page, tool.root
    tool.theme(theme)
    tool.python("explorer.session.answer_by_oracle(25, strategy='random', oracle='noisy', epsilon=0.1)")
    tool.expect_answers(25)
    for width in (900, 1500):
        page.set_viewport_size({"width": width, "height": 1100})
        tool.click_points(3, 40, 100)
        expect(root.locator(".dcrc-worth")).to_contain_text("bit")
        tool.idle()
        heights = set()
        for name in ("Data", "Model", "Ask", "Answers", "Clusters", "Why", "Session"):
            tool.tab(name)
            heights.add(round(root.bounding_box()["height"]))
            assert root.evaluate(OVERFLOWING) == []
            tool.screenshot(f"{width}-{name.lower()}")
        assert len(heights) == 1  # no tab makes the layout jump
        root.get_by_role("button", name="keys and symbols").click()
        tool.screenshot(f"{width}-help")
        page.keyboard.press("Escape")
        expect(root.locator(".dcrc-sheet")).to_be_hidden()
        page.keyboard.press("s")
    # Where there is little room, as beside an open side bar, the parts stand below each other.
    page.set_viewport_size({"width": 650, "height": 1700})
    tool.idle()
    assert root.evaluate(OVERFLOWING) == []
    tool.screenshot("narrow")


def test_maps_replay_and_own_data(explore) -> None:
    tool = explore(
        "X, digits.target, autosave=None",
        before=("from sklearn.datasets import load_digits\ndigits = load_digits(n_class=3)\nX = digits.data"),
    )
    root = tool.root
    expect(root.locator(".dcrc-badge")).to_contain_text("64 features")
    tool.tab("Ask")
    tool.answered_by("the truth")
    root.get_by_role("button", name="10", exact=True).click()
    tool.expect_answers(10)
    tool.idle()
    tool.screenshot("1-many-features")
    root.locator("[data-name=data]").select_option("Two rings")
    tool.expect_answers(0)
    tool.tab("Model")
    root.get_by_role("button", name="RBF").click()
    tool.tab("Ask")
    root.get_by_role("button", name="10", exact=True).click()
    tool.expect_answers(10)
    for kind in ("Regions", "Cluster", "None", "Entropy"):
        before = tool.picture()
        root.get_by_role("button", name=kind, exact=True).click()
        tool.idle()
        expect(root.get_by_role("button", name=kind, exact=True)).to_have_attribute("aria-pressed", "true")
        tool.changed(before)
    root.locator("[data-cluster='1']").click()
    expect(root.locator(".dcrc-legend .scale")).to_contain_text("cluster 2")
    root.get_by_role("button", name="hidden").click()
    tool.idle()
    tool.screenshot("2-probability-and-truth")
    root.locator(".dcrc-frames").press("Home")
    expect(root.locator(".dcrc-badge")).to_contain_text("iteration 0")
    tool.idle()
    tool.screenshot("3-replay")


def test_bad_input_is_told_and_the_tool_lives(explore) -> None:
    tool = explore(
        "'close', autosave='in-the-way/folder'",
        before="from pathlib import Path\nPath('in-the-way').write_text('x')\nPath('broken.json').write_text('{')",
    )
    page, root = tool.page, tool.root
    notice = root.locator(".dcrc-notice")
    tool.click_points(4, 60, 120)
    page.keyboard.press("y")
    tool.expect_answers(1)
    expect(notice).to_contain_text("not saved")
    expect(root.locator(".dcrc-status-text")).to_contain_text("not saved")
    tool.screenshot("1-not-saved")
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_be_hidden()
    tool.tab("Session")
    root.get_by_placeholder("answers.json").fill("broken.json")
    root.get_by_role("button", name="Load").click()
    expect(notice).to_contain_text("broken.json")
    tool.screenshot("2-damaged-file")
    tool.tab("Data")
    root.locator("[data-name=file]").first.fill("nowhere.csv")
    root.get_by_role("button", name="Open").click()
    expect(notice).to_contain_text("nowhere.csv")
    tool.python("import numpy as np; explorer.session.set_data(np.random.default_rng(0).normal(size=(6, 2)))")
    root.locator("[data-name=n_clusters]").select_option("8")
    expect(notice).to_contain_text("8")
    tool.screenshot("3-too-many-clusters")
    assert tool.python("print(explorer.session.settings.n_clusters)") == "3"
    tool.plane.focus()
    page.keyboard.press("z")
    tool.expect_answers(1)
    assert tool.problems == []


# Petals in a unit that makes all numbers tiny, with the kinds as text.
FLOWERS = """
import csv
from sklearn.datasets import load_iris
iris = load_iris()
with open("flowers.csv", "w") as file:
    writer = csv.writer(file)
    writer.writerow(["a", "b", "c", "d", "species"])
    writer.writerows([*x / 100, iris.target_names[k]] for x, k in zip(iris.data, iris.target))
"""


def test_own_file_and_true_readouts(explore) -> None:
    tool = explore("'moons', tau=7.0, lam=1e-6, epsilon=2/3", before=FLOWERS)
    page, root = tool.page, tool.root
    notice = root.locator(".dcrc-notice")
    readouts = "() => [...document.querySelectorAll('.dcrc-group-model .dcrc-readout')].map((each) => each.value)"
    assert page.evaluate(readouts) == ["0.667", "7", "1e-06", "auto"]
    root.get_by_role("button", name="Poly").click()
    expect(root.get_by_role("button", name="Poly")).to_have_attribute("aria-pressed", "true")
    expect(notice).to_be_hidden()
    tool.idle()
    tool.screenshot("1-model")
    settings = "print(*(getattr(explorer.session.settings, name) for name in ('tau', 'lam', 'epsilon', 'kernel')))"
    assert tool.python(settings) == "7.0 1e-06 0.6666666666666666 poly"
    for key, readout in (("ArrowLeft", "0.66"), ("End", "0.667")):
        version = tool.version()
        root.locator("[data-name=epsilon] [type=range]").press(key)
        tool.newer(version)
        tool.idle()
        assert page.evaluate(readouts)[0] == readout
    assert tool.python(settings) == "7.0 1e-06 0.6666666666666666 poly"

    # A file with classes, read by Enter; its features need scaling, and are not scaled.
    tool.tab("Data")
    file = root.locator("[data-name=file]")
    file.fill("flowers.csv")
    file.press("Enter")
    kind = root.locator(".dcrc-columns .dcrc-column").last
    expect(kind).to_contain_text("species")
    expect(kind.locator("select")).to_have_value("class")
    tool.screenshot("2-columns")
    root.locator("[data-name=standardise] input").uncheck()
    root.get_by_role("button", name="Open these data").click()
    expect(root.locator("[data-name=data] option:checked")).to_have_text("flowers")
    expect(notice).to_be_hidden()
    tool.python("explorer.session.set(kernel='linear', tau=1, lam=2**-6, epsilon=0.05)")
    about = root.locator(".dcrc-group-data [data-name=about]")
    expect(about).to_contain_text("2 of 3 clusters are empty: standardise the features")
    tool.idle()
    tool.screenshot("3-empty-clusters")
    root.get_by_role("tab", name="Model").click()
    tool.screenshot("4-hint")
    tool.tab("Data")
    root.get_by_role("button", name="Standardise features").click()
    expect(about).to_contain_text("The features are standardised.")
    expect(about).not_to_contain_text("empty")
    tool.idle()
    tool.screenshot("5-standardised")

    # Saving says where; a file that is not ours stays.
    tool.tab("Session")
    name = root.get_by_placeholder("answers.json")
    name.fill("flowers.csv")
    root.get_by_role("button", name="Save").click()
    expect(notice).to_contain_text("must end in .json")
    name.fill("flowers")
    root.get_by_role("button", name="Save").click()
    expect(notice).to_contain_text("Written to")
    expect(notice).to_contain_text("flowers.json")
    tool.screenshot("6-saved")
    root.get_by_role("button", name="Load").click()
    expect(notice).to_contain_text("flowers.json is loaded")
    tool.idle()
    tool.screenshot("7-loaded")
    tool.plane.focus()
    page.keyboard.press("z")
    expect(notice).to_contain_text("Back in the session before")
    assert tool.problems == []


def test_hidden_groups_tooltips_and_sharp_screens(explore) -> None:
    tool = explore("hide=('data', 'ask', 'people', 'clusters', 'why', 'session')")
    expect(tool.root.get_by_role("tab")).to_have_count(2)
    expect(tool.root.locator("[data-name=data]")).to_have_count(0)
    tool.screenshot("1-hidden")
    unexplained = tool.root.evaluate(
        """(root) => [...root.querySelectorAll(".dcrc-group :is(button, select, input)")]
            .filter((node) => !node.closest("[data-help]"))
            .map((node) => node.outerHTML.slice(0, 120))"""
    )
    assert unexplained == []
    tool.page.context.new_cdp_session(tool.page).send(
        "Emulation.setDeviceMetricsOverride", {"width": 1300, "height": 950, "deviceScaleFactor": 2, "mobile": False}
    )
    tool.page.wait_for_function(
        "(canvas) => canvas.width === Math.round(2 * canvas.clientWidth)",
        arg=tool.plane.locator("canvas").first.element_handle(),
    )
