"""Zoom, move and select in a real browser: points are met where they are drawn, and the map is as sharp as ever."""

from __future__ import annotations

import json
from pathlib import Path

from live import Tool
from playwright.sync_api import expect

CARDS = "[...document.querySelectorAll('.dcrc-items button.dcrc-item')].map((card) => Number(card.dataset.row))"
SHARP = """([plane]) => {
    const { surfaces: [whole, sharp], camera } = planeOf(plane);
    return Boolean(sharp) && sharp.window.every((bound, t) => Math.abs(bound - camera.window[t]) < 1e-9);
}"""


def wheel(tool: Tool, i: int, pixels: float) -> None:
    """Turn the wheel over a point with Ctrl held."""
    tool.page.mouse.move(*tool.position(i))
    tool.page.keyboard.down("Control")
    tool.page.mouse.wheel(0, pixels)
    tool.page.keyboard.up("Control")


def zoomed(tool: Tool) -> None:
    """Wait until the picture is zoomed and the map of the window has come."""
    expect(tool.root).to_have_attribute("data-zoomed", "")
    tool.page.wait_for_function(SHARP, arg=[tool.plane.first.element_handle()])


def everything(tool: Tool) -> None:
    expect(tool.root).not_to_have_attribute("data-zoomed", "")


def test_zoom_and_move_meet_the_same_points(explore) -> None:
    tool = explore("autosave=None")
    page, root = tool.page, tool.root
    tool.plane.focus()
    start = tool.position(60)
    # Without a modifier the wheel is the notebook's.
    page.mouse.move(*start)
    page.mouse.wheel(0, 1)
    everything(tool)
    wheel(tool, 60, -280)
    zoomed(tool)
    now = tool.position(60)
    assert max(abs(a - b) for a, b in zip(start, now, strict=True)) < 2
    tool.screenshot("zoomed")
    tool.click_points(60)
    expect(root.locator("h3 .dcrc-pill.chosen")).to_have_count(1)
    # Dragging moves the picture and chooses nothing.
    x, y = tool.position(60)
    page.mouse.move(x - 40, y - 40)
    page.mouse.down()
    page.mouse.move(x, y - 10, steps=4)
    page.mouse.up()
    page.wait_for_function(
        "([plane, x]) => plane.getBoundingClientRect().left + planeOf(plane).where(60)[0] > x + 20",
        arg=[tool.plane.element_handle(), x],
    )
    expect(root.locator("h3 .dcrc-pill.chosen")).to_have_count(1)
    zoomed(tool)
    # An answer is drawn in the window, and a question brings its points into sight.
    page.keyboard.press("Enter")
    expect(root.locator("h3 .dcrc-pill.chosen")).to_have_count(3)
    tool.idle()
    for i in json.loads(tool.python("print(explorer.question['triplet'])")):
        box, (x, y) = tool.plane.bounding_box(), tool.position(i)
        assert box["x"] <= x <= box["x"] + box["width"]
        assert box["y"] <= y <= box["y"] + box["height"]
    page.keyboard.press("y")
    tool.expect_answers(1)
    tool.idle()
    page.keyboard.press("0")
    everything(tool)
    page.wait_for_function("(plane) => planeOf(plane).surfaces.length === 1", arg=tool.plane.element_handle())
    for key in ("+", "Shift+ArrowLeft", "-"):
        page.keyboard.press(key)
    everything(tool)
    # Other data are seen whole.
    page.keyboard.press("+")
    zoomed(tool)
    tool.python("explorer.session.set_data('moons')")
    everything(tool)
    assert tool.problems == []


def test_points_in_a_loop_are_asked_about_listed_and_written(explore) -> None:
    tool = explore('"scenes"')
    page, root = tool.page, tool.root
    expect(root.locator(".dcrc-items button.dcrc-item")).to_have_count(3)

    def cards() -> list[int]:
        return page.evaluate(CARDS)

    asked = cards()
    box = tool.plane.bounding_box()
    corners = [(0.02, 0.02), (0.5, 0.02), (0.5, 0.98), (0.02, 0.98)]
    page.keyboard.down("Shift")
    for t, (x, y) in enumerate(corners):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=3)
        if t == 0:
            page.mouse.down()
    tool.screenshot("loop")
    page.mouse.up()
    page.keyboard.up("Shift")
    bar = root.locator(".dcrc-selected")
    expect(bar).to_contain_text("points selected")
    shares = tool.plane.evaluate(
        "(p) => Array.from({ length: planeOf(p).n }, (_, i) => planeOf(p).where(i)[0] / p.clientWidth)"
    )
    expected = [i for i, share in enumerate(shares) if 0.02 < share < 0.5]
    expect(bar).to_contain_text(f"{len(expected)} points")
    assert cards() == asked  # a loop chooses no point
    bar.get_by_role("button", name="List").click()
    expect(root.locator(".dcrc-gallery .chosen .dcrc-item img")).to_have_count(len(expected))
    tool.screenshot("listed")
    bar.get_by_role("button", name="Ask").click()
    page.wait_for_function(
        f"(rows) => {{ const now = {CARDS}; return now.every((row) => rows.includes(row)); }}", arg=expected
    )
    # The next question comes by itself, about the same points.
    page.keyboard.press("d")
    tool.expect_answers(1)
    tool.idle()
    assert len(cards()) == 3
    assert set(cards()) <= set(expected)
    bar.get_by_role("button", name="Export").click()
    expect(root.locator(".dcrc-notice")).to_contain_text("selection.csv")
    written = Path(root.locator(".dcrc-notice > span").inner_text().removeprefix("Written to ")).read_text()
    assert [int(line.split(",")[0]) for line in written.splitlines()[1:]] == expected
    # Esc gives the points of the question back, then the selection.
    for _ in range(4):
        page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    assert tool.problems == []
