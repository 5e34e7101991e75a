"""Seeing why, in a real browser: a point explained, epsilon swept, errors planted, a fit replayed."""

from __future__ import annotations

import re

import pytest
from live import TIMEOUT, Tool
from playwright.sync_api import expect


@pytest.fixture
def inspect(explore):
    """Open the tab Why of an Explorer, with some answers given."""

    def open_why(arguments: str = "autosave=None", *, answers: int = 60) -> Tool:
        tool = explore(arguments)
        if answers:
            tool.python(
                f"_ = explorer.session.answer_by_oracle({answers}, strategy='random', oracle='noisy', epsilon=0.2)"
            )
            tool.expect_answers(answers)
        tool.tab("Why")
        return tool

    return open_why


def marks(tool: Tool) -> str:
    """Pixels of what is drawn over the picture."""
    return tool.plane.locator("canvas").nth(1).evaluate("(canvas) => canvas.toDataURL()")


def most_asked(tool: Tool) -> int:
    """The point with the most answers."""
    return int(
        tool.python("import numpy as np; print(np.bincount(explorer.session.log.triplets.indices.ravel()).argmax())")
    )


def test_why_this_point(inspect) -> None:
    tool = inspect()
    page, root = tool.page, tool.root
    why = root.locator(".dcrc-why")
    expect(why).to_contain_text("Click a point")
    tool.screenshot("1-nothing-chosen")
    point = most_asked(tool)
    question = tool.plane.get_attribute("aria-label")  # names the points that are chosen
    tool.click_points(point)
    # Formulas are shown to who wants them, and remembered.
    expect(why.locator("thead")).to_contain_text("where it lies")
    expect(why.locator(".dcrc-formula")).to_be_hidden()
    root.get_by_role("button", name="show the formulas").click()
    expect(why.locator(".dcrc-formula")).to_be_visible()
    expect(why.locator(".dcrc-formula")).to_contain_text("Eq. (13)")
    assert tool.plane.get_attribute("aria-label") == question  # who asks why chooses nothing
    expect(why.locator("tbody tr")).to_have_count(3)
    explained = "from dcrc_explore.session import explain_point\nwhy = explain_point(explorer.session, {})\n"
    n_answers = int(tool.python(explained.format(point) + "print(len(why.contributions))"))
    expect(why.locator(".dcrc-row[data-t]")).to_have_count(n_answers)
    shown = [float(text.replace("<.01", "0")) for text in why.locator("tbody td:last-child b").all_inner_texts()]
    q = [float(value) for value in tool.python(explained.format(point) + "print(*why.q)").split()]
    assert shown == pytest.approx(q, abs=0.006)
    # A bar marks the triplet that it comes from.
    before = marks(tool)
    why.locator(".stack i").first.hover()
    assert marks(tool) != before
    tool.screenshot("2-soft")
    # Hard answers: the max-compatible set.
    tool.python("explorer.session.set(epsilon=0)")
    expect(why.locator(".dcrc-formula")).to_contain_text("Eq. (14)")
    tool.screenshot("3-hard")
    # The point stays explained when answers come.
    page.keyboard.press("Escape")
    tool.python(f"explorer.session.answer(({point}, {(point + 1) % 150}, {(point + 2) % 150}), 'yes')")
    expect(why.locator(".dcrc-row[data-t]")).to_have_count(n_answers + 1)
    lonely = int(
        tool.python("print(np.setdiff1d(np.arange(150), explorer.session.log.triplets.indices)[0])"),
    )
    tool.click_points(lonely)
    expect(why).to_contain_text("stands in no answer")
    tool.screenshot("4-no-answers")
    assert tool.problems == []


def test_why_epsilon_sweep(inspect) -> None:
    tool = inspect()
    root = tool.root
    why = root.locator(".dcrc-why")
    root.get_by_role("button", name="ε sweep").click()
    expect(why).to_contain_text("Fits the model with 18 values")
    why.get_by_role("button", name="Sweep ε").click()
    expect(why.locator("svg")).to_be_visible()
    expect(why.get_by_role("button", name="Sweep again")).to_be_visible(timeout=TIMEOUT)
    assert int(tool.python("print(len(explorer._screen.one.sweep.results))")) == 18
    tool.screenshot("1-swept")
    # A measure has one colour: that of the agreement in the panel Quality.
    in_quality = root.locator(".dcrc-panel-quality .key").filter(has_text=re.compile("^agreement "))
    colour = in_quality.evaluate("(key) => getComputedStyle(key).fill")
    expect(why.locator(".dcrc-sweep .key").filter(has_text=re.compile("^agreement$"))).to_have_css("fill", colour)
    # A click sets epsilon: the picture, the slider and the mark follow.
    box = why.locator(".dcrc-sweep").bounding_box()
    tool.page.mouse.move(box["x"] + 0.42 * box["width"], box["y"] + 40)
    expect(why).to_contain_text("Click to use it")
    tool.screenshot("2-pointing")
    tool.page.mouse.click(box["x"] + 0.42 * box["width"], box["y"] + 40)
    tool.idle()
    epsilon = float(tool.python("print(explorer.session.settings.epsilon)"))
    assert 0.2 < epsilon < 0.45
    assert tool.python("print(explorer.session.history.undo_label)") == "epsilon"
    tool.page.mouse.move(5, 5)
    # The mark is where the panel is, not where a fit from the start would be.
    share = float(tool.python("print((~explorer.session.fit.violated).mean())"))
    expect(why).to_contain_text(f"where the model on the screen satisfies {100 * share:.0f} %")
    # Other settings make the picture old; an answer goes on while the sweep runs, and it can be cancelled.
    tool.python("explorer.session.set(tau=0.5)")
    expect(why).to_contain_text("have changed since")
    tool.python(
        "from dcrc_explore.session import sweep_epsilon\n"
        "epsilons = [n / 2000 for n in range(1000)]\n"
        "explorer._screen.one.sweep = sweep_epsilon(explorer.session, explorer._screen.one.send_sweep, epsilons)"
    )
    why.get_by_role("button", name="Sweep again").click()
    expect(why.get_by_role("button", name="Cancel")).to_be_visible()
    expect(why.locator("progress")).to_be_visible()
    answers = tool.answers()
    tool.click_points(4, 60, 120)
    tool.page.keyboard.press("y")
    tool.expect_answers(answers + 1)
    assert tool.python("print(explorer._screen.one.sweep.running)") == "True"
    tool.screenshot("3-running")
    root.get_by_role("button", name="ε sweep").click()
    why.get_by_role("button", name="Cancel").click()
    expect(why.get_by_role("button", name="Sweep again")).to_be_visible()
    assert tool.python("print(explorer._screen.one.sweep.running)") == "False"
    assert tool.problems == []


def test_why_planted_errors(inspect) -> None:
    tool = inspect("'far', autosave=None, epsilon=0.15", answers=0)
    page, root = tool.page, tool.root
    why = root.locator(".dcrc-why")
    root.get_by_role("button", name="Errors").click()
    expect(why).to_contain_text("No answers yet")
    tool.python("_ = explorer.session.answer_by_oracle(100, strategy='random')")
    expect(why).to_contain_text("No answer is known to be wrong")
    tool.screenshot("1-none-known")
    why.locator("input[type=number]").fill("8")
    why.get_by_role("button", name="Plant errors").click()
    expect(why).to_contain_text("of 8 found")
    expect(why.locator(".dcrc-row")).to_have_count(100)
    expect(why.locator(".dcrc-row.wrong")).to_have_count(8)
    before = marks(tool)
    why.locator(".dcrc-row").first.hover()
    assert marks(tool) != before
    tool.screenshot("2-planted")
    page.keyboard.press("z")
    expect(why).to_contain_text("No answer is known to be wrong")
    why.locator("input[type=number]").fill("1000")
    why.get_by_role("button", name="Plant errors").click()
    expect(root.locator(".dcrc-notice")).to_contain_text("between 1 and the number of right answers, 100, got 1000")
    assert tool.problems == []


def test_why_replay_plays(inspect) -> None:
    tool = inspect("'many', autosave=None, restart=True", answers=80)
    root = tool.root
    point = most_asked(tool)
    tool.click_points(point)
    expect(root.locator(".dcrc-why table")).to_be_visible()
    tool.idle()
    iterations = int(root.locator(".dcrc-frames").get_attribute("max"))
    assert iterations > 3
    root.evaluate(
        """(root) => {
            const look = () => ({
                badge: root.querySelector(".dcrc-badge").textContent,
                bound: root.querySelector(".dcrc-panel-objective svg").getAttribute("aria-label"),
            });
            window.frames_ = [];
            let { bound } = look();
            new MutationObserver(() => {
                const now = look();
                if (now.bound !== bound) window.frames_.push(now);
                ({ bound } = now);
            }).observe(root, { subtree: true, childList: true, attributes: true });
        }"""
    )
    root.get_by_role("button", name="Play the EM iterations").click()
    tool.page.wait_for_function("(n) => window.frames_.length > n", arg=iterations)
    expect(root.get_by_role("button", name="Play the EM iterations")).to_be_visible()
    frames = tool.page.evaluate("() => window.frames_")
    assert len(frames) == iterations + 1
    assert "EM iteration 0" in frames[0]["badge"]
    assert "memberships satisfy" in frames[0]["badge"]
    assert [frame["bound"].split(":")[0] for frame in frames] == [f"EM iteration {n}" for n in range(iterations + 1)]
    tool.idle()
    expect(root.locator(".dcrc-badge")).to_be_hidden()  # back at the model itself
    root.locator(".dcrc-frames").press("Home")
    expect(root.locator(".dcrc-badge")).to_contain_text("EM iteration 0")
    tool.idle()
    tool.screenshot("1-start")
    assert tool.problems == []


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_why_looks_right(inspect, theme: str) -> None:
    tool = inspect("'many', autosave=None" if theme == "Dark" else "autosave=None")
    page, root = tool.page, tool.root
    tool.theme(theme)
    point = most_asked(tool)
    tool.python(
        "from dcrc_explore.session import sweep_epsilon\n"
        "explorer._screen.one.sweep = sweep_epsilon(explorer.session, explorer._screen.one.send_sweep)"
    )
    for width in (1000, 1600):
        page.set_viewport_size({"width": width, "height": 1100})
        tool.idle()
        heights = set()
        for view in ("ε sweep", "Errors", "Point"):
            root.get_by_role("button", name=view, exact=True).click()
            if view == "ε sweep" and width == 1000:
                root.get_by_role("button", name="Sweep ε").click()
                expect(root.get_by_role("button", name="Sweep again")).to_be_visible(timeout=TIMEOUT)
            if view == "Point" and width == 1000:
                tool.click_points(point)
            if view == "Point":
                expect(root.locator(".dcrc-why table")).to_be_visible()
            tool.idle()
            heights.add(round(root.bounding_box()["height"]))
            tool.screenshot(f"{width}-{view.split()[-1].lower()}")
        assert len(heights) == 1  # no view makes the layout jump
    root.get_by_role("button", name="keys and symbols").click()
    tool.screenshot("help")
    inside = root.evaluate(
        "(root) => root.querySelector('.dcrc-sheet-body').getBoundingClientRect().bottom"
        " <= root.getBoundingClientRect().bottom"
    )
    assert inside  # what does not fit can be scrolled to
    page.keyboard.press("Escape")
    assert tool.problems == []


def test_halos_have_the_colours_of_the_legend(inspect) -> None:
    tool = inspect("[[x, y, 0] for x in range(6) for y in (0, 0.4)], n_clusters=2, autosave=None", answers=0)
    entropy = [float(value) for value in tool.python("print(*explorer.session.fit.entropy)").split()]
    certain, uncertain = entropy.index(min(entropy)), entropy.index(max(entropy))
    brightness = """(plane, i) => {
        const canvas = plane.querySelector("canvas"), [x, y] = planeOf(plane).where(i);
        const ratio = canvas.width / canvas.clientWidth;
        const [r, g, b] = canvas.getContext("2d").getImageData(x * ratio, (y + 9) * ratio, 1, 1).data;
        return r + g + b;
    }"""
    for theme in ("Dark", "Light"):
        tool.theme(theme)
        assert tool.plane.evaluate(brightness, uncertain) < tool.plane.evaluate(brightness, certain)
        tool.screenshot(theme.lower())
