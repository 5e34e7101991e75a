"""Compare in a real browser: shared picks and answers, differences in words, disputes, undo on both sides."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from bench import Bench, BenchTool
from live import TIMEOUT
from playwright.sync_api import Locator, Page, expect

CELL = "from dcrc_explore.widgets import Compare\ncompare = Compare({arguments})"


class CompareTool(BenchTool):
    """Compare on a page; picks go to the first picture."""

    @property
    def planes(self) -> Locator:
        return self.root.locator(".dcrc-plane")

    @property
    def plane(self) -> Locator:
        return self.planes.first

    def ready(self) -> CompareTool:
        self.root.locator(".dcrc-status-text:not(:empty)").wait_for()
        self.idle()
        return self

    def pictures(self, layer: int) -> list[str]:
        """Pixels of the three pictures: layer 0 is what a fit changes, layer 1 what follows the pointer."""
        return self.planes.evaluate_all(
            "(planes, layer) => planes.map((plane) => plane.querySelectorAll('canvas')[layer].toDataURL())", layer
        )


@pytest.fixture
def comparing(bench: Bench, page: Page, request: pytest.FixtureRequest) -> Callable[..., CompareTool]:
    """Open Compare on a plain page."""
    tool = CompareTool(page, request.node.name.removeprefix("test_"), bench)

    def open_compare(arguments: str = "", *, before: str = "pass") -> CompareTool:
        tool.open(f"{before}\n{CELL.format(arguments=arguments)}", "compare")
        return tool.ready()

    return open_compare


def test_compare_answers_are_shared(comparing) -> None:
    tool = comparing()
    page, root = tool.page, tool.root
    expect(root.locator(".difference")).to_have_text(re.compile("Answers.*soft, ε = 0.05.*against.*hard, ε = 0"))
    nothing = root.locator(".dcrc-list .dcrc-empty")
    expect(nothing).to_contain_text("No answers yet")
    rows = root.locator(".dcrc-list .dcrc-rows")
    before = rows.bounding_box()["width"]
    page.set_viewport_size({"width": 1180, "height": 900})
    narrower = "([rows, before]) => rows.clientWidth < before - 10"
    page.wait_for_function(narrower, arg=[rows.element_handle(), before])
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(nothing).to_contain_text("No answers yet")  # in a window of another size too
    tool.screenshot("1-opened")
    marks = tool.pictures(1)
    tool.click_points(4, 60, 120)
    assert all(before != after for before, after in zip(marks, tool.pictures(1), strict=True))  # picks on all three
    expect(root.locator(".dcrc-worth")).to_contain_text("bit")
    page.keyboard.press("y")
    tool.expect_answers(1)
    tool.idle()
    assert tool.python("print(len(compare.pair.first.log), len(compare.pair.second.log))") == "1 1"
    # A click in the second picture and the keyboard work as well.
    box = tool.planes.nth(1).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(root.locator(".dcrc-pill.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(root.locator(".dcrc-pill.chosen")).to_have_count(3)
    page.keyboard.press("n")
    tool.expect_answers(2)
    page.keyboard.press("z")
    tool.expect_answers(1)
    assert tool.foreign_requests() == []
    assert tool.problems == []


def test_compare_disputed_answers(comparing) -> None:
    tool = comparing(
        "session",
        before="from dcrc_explore.session import Session\nsession = Session('close', autosave=None)\n"
        "_ = session.answer_by_oracle(80, strategy='random', oracle='noisy', epsilon=0.3)",
    )
    page, root = tool.page, tool.root
    disputes = int(tool.python("print(len(compare.pair.comparison.disputes))"))
    assert disputes > 0
    rows = root.locator(".dcrc-row[data-t]")
    expect(rows).to_have_count(disputes)
    marks = tool.pictures(1)
    rows.first.hover()
    assert all(before != after for before, after in zip(marks, tool.pictures(1), strict=True))  # marked on all three
    tool.screenshot("1-hover")
    # The third picture shows entropies or assignments.
    third = tool.pictures(0)[2]
    root.get_by_role("button", name="Assignment").click()
    assert tool.pictures(0)[2] != third
    tool.screenshot("2-assignment")
    # Any two settings: the second becomes soft without balance, and the words follow.
    tool.tab("Second model")
    second = root.locator(".dcrc-group-second")
    second.get_by_role("button", name="Soft").click()
    expect(root.locator(".dcrc-differences")).to_contain_text("same settings")
    second.locator(".dcrc-line:has-text('Balance') input").click()
    expect(root.locator(".difference")).to_have_text(re.compile("Balance.*on.*against.*off"))
    tool.screenshot("3-balance")
    # Undo takes back what was done last, on whichever side.
    page.keyboard.press("z")
    expect(root.locator(".dcrc-differences")).to_contain_text("same settings")
    page.keyboard.press("z")
    expect(root.locator(".difference")).to_contain_text("hard")
    tool.expect_answers(80)
    assert tool.problems == []


def test_compare_follows_the_explorers_session(comparing) -> None:
    tool = comparing(
        "explorer, second={'kernel': 'rbf'}",
        before="from dcrc_explore.widgets import Explorer\nexplorer = Explorer('moons', autosave=None)",
    )
    tool.python("explorer.session.answer_by_oracle(10, strategy='random')")
    tool.expect_answers(10)
    expect(tool.root.locator(".difference")).to_contain_text("RBF")
    tool.python("explorer.session.set_data('many')")
    tool.expect_answers(0)
    tool.idle()
    tool.screenshot("1-many")
    assert tool.problems == []


def test_compare_opens_in_the_explorer(explore_in_lab) -> None:
    tool = explore_in_lab("autosave=None")
    page = tool.page
    tool.python("_ = explorer.session.answer_by_oracle(30, oracle='noisy', epsilon=0.3)")
    tool.expect_answers(30)
    page.get_by_role("button", name="Compare", exact=True).click()
    compare = CompareTool(page, tool.name, None).ready()
    compare.expect_answers(30)
    # No better grouping is found while we look: its notice would replace the one of the film.
    tool.python("explorer.session.search.refuse(); explorer.pair.second.search.refuse()")
    # Keys are the new view's at once, and what is answered here is there.
    expect(compare.plane).to_be_focused()
    page.keyboard.press("Enter")
    expect(compare.root.locator(".dcrc-pill.chosen")).to_have_count(3)
    page.keyboard.press("y")
    compare.expect_answers(31)
    compare.idle()
    # A click on the difference explains a point for both models and starts no question.
    changed = int(tool.python("import numpy as np; print(np.argmax(explorer.pair.comparison.changed))"))
    third = compare.planes.nth(2)
    question = compare.plane.get_attribute("aria-label")  # names the points that are chosen
    box, (x, y) = third.bounding_box(), third.evaluate("(plane, i) => planeOf(plane).where(i)", changed)
    page.mouse.click(box["x"] + x, box["y"] + y)
    why = compare.root.locator(".dcrc-why")
    expect(why.locator("table")).to_have_count(2)
    expect(why.locator(".dcrc-sentence").first).to_contain_text("They differ: cluster")
    assert compare.plane.get_attribute("aria-label") == question
    compare.screenshot("1-why")
    compare.root.get_by_role("button", name="Film").click()
    expect(compare.root.locator(".dcrc-notice")).to_contain_text("Written to")
    page.get_by_role("button", name="One model").click()
    expect(page.locator(".dcrc-compare")).to_be_hidden()
    explorer = page.locator(".dcrc-explorer").first
    expect(explorer.locator(".dcrc-plane")).to_be_focused()
    expect(explorer.locator(".dcrc-status-text")).to_contain_text("31 answers")
    page.keyboard.press("z")
    expect(explorer.locator(".dcrc-status-text")).to_contain_text("30 answers")
    page.get_by_role("button", name="Compare", exact=True).click()
    compare.expect_answers(30)
    expect(compare.plane).to_be_focused()
    expect(compare.root.locator(".dcrc-notice")).to_be_hidden()  # where the film is was said before
    assert tool.cells() == ["code", "code"]
    assert tool.problems == []


def test_other_methods_get_the_same_answers_by_one_button(comparing) -> None:
    tool = comparing("'elongated', autosave=None")
    root = tool.root
    tool.page.set_viewport_size({"width": 1440, "height": 900})
    tool.python("_ = compare.session.answer_by_oracle(40, strategy='random')")
    tool.expect_answers(40)
    tool.tab("Methods")
    root.get_by_role("button", name="Fit the other methods").click()
    shown = root.locator(".dcrc-methods figure")
    region = root.get_by_role("region", name="Other methods")  # a fit that goes on has a Stop of its own
    expect(region.get_by_role("button", name="Stop")).to_be_visible()
    expect(root.get_by_role("button", name="Fit the other methods")).to_be_visible(timeout=5 * TIMEOUT)
    names = tool.python("from dcrc_explore.baselines import list_methods; print(*list_methods(), sep=';')").split(";")
    assert shown.evaluate_all("(figures) => figures.map((figure) => figure.dataset.method)") == names
    for name in ("DCRC", "ITML"):
        expect(root.locator(f"[data-method={name}]")).to_contain_text(re.compile(r"agreement\s\d\.\d\d · .* m?s"))
    drawn = "(canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean)"
    assert all(shown.nth(n).locator("canvas").evaluate(drawn) for n in range(len(names)))
    tool.idle()
    tool.screenshot("1-methods")
    tool.click_points(3, 40, 100)
    tool.page.keyboard.press("y")
    tool.expect_answers(41)
    expect(root.locator(".dcrc-methods")).to_contain_text("have changed since")
    assert tool.problems == []


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_compare_looks_right(comparing, theme: str) -> None:
    tool = comparing("'many', second={'tau': 0.0, 'balance': False}, autosave=None" if theme == "Dark" else "")
    page, root = tool.page, tool.root
    tool.theme(theme)
    tool.python("_ = compare.session.answer_by_oracle(40, strategy='random', oracle='noisy', epsilon=0.25)")
    tool.expect_answers(40)
    for width in (1000, 1100, 1600):
        page.set_viewport_size({"width": width, "height": 1000})
        tool.idle()
        if width == 1000:
            tool.click_points(3, 40, 100)
            expect(root.locator(".dcrc-worth")).to_contain_text("bit")
            tool.idle()
        heights = set()
        for name in ("Disputed answers", "First model", "Second model", "Methods", "Ask"):
            tool.tab(name)
            heights.add(round(root.bounding_box()["height"]))
            tool.screenshot(f"{width}-{name.split()[0].lower()}")
        assert len(heights) == 1  # no tab makes the layout jump
        overflowing = root.evaluate(
            """(root) => [...root.querySelectorAll("button, select, figure, .difference")].filter((node) => {
                const box = node.getBoundingClientRect();
                const outer = node.parentElement.closest(".dcrc-card, .dcrc-explorer").getBoundingClientRect();
                return box.width && (box.right > outer.right + 1 || box.left < outer.left - 1);
            }).map((node) => node.outerHTML.slice(0, 120))"""
        )
        assert overflowing == []
        cut = root.evaluate(
            """(root) => [...root.querySelectorAll(".dcrc-picture h4, .dcrc-tabs")]
                .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""
        )
        assert cut == []
    root.get_by_role("button", name="keys and symbols").click()
    tool.screenshot("help")
    page.keyboard.press("Escape")
    expect(root.locator(".dcrc-sheet")).to_be_hidden()


def test_compare_many_features(comparing) -> None:
    tool = comparing(
        "digits.data, digits.target, autosave=None",
        before="from sklearn.datasets import load_digits\ndigits = load_digits(n_class=3)",
    )
    tool.python("_ = compare.session.answer_by_oracle(20, strategy='random', oracle='noisy', epsilon=0.3)")
    tool.expect_answers(20)
    expect(tool.root.locator(".dcrc-status-text")).to_contain_text("64 features", timeout=TIMEOUT)
    tool.idle()
    tool.screenshot("1-many-features")
    assert tool.problems == []
