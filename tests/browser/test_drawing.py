"""Points drawn by hand in a real browser: with a pointer, with a finger, with keys alone."""

from __future__ import annotations

from live import Tool
from playwright.sync_api import expect


def drag(tool: Tool, *places: tuple[float, float]) -> None:
    """Drag over places of the picture, in shares of it from the upper left."""
    box = tool.plane.first.bounding_box()
    assert box is not None
    at = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
    tool.page.mouse.move(*at[0])
    tool.page.mouse.down()
    for place in at[1:]:
        tool.page.mouse.move(*place, steps=5)
    tool.page.mouse.up()


def button(tool: Tool, name: str):
    return tool.root.get_by_role("button", name=name, exact=True)


def points(tool: Tool) -> int:
    tool.idle()
    return int(tool.python("print(len(explorer.session.dataset.X))"))


def test_draw_erase_move_and_undo(explore) -> None:
    tool = explore("'moons', autosave=None")
    tool.python("explorer.session.answer((0, 1, 60), 'yes')")
    root = tool.root
    root.get_by_role("button", name="✎ Draw").first.click()
    expect(root.locator(".dcrc-draw")).to_be_visible()
    drag(tool, (0.1, 0.9), (0.4, 0.9))
    n = points(tool)
    assert n > 105
    button(tool, "Class 3").click()
    drag(tool, (0.9, 0.1), (0.9, 0.1))
    assert points(tool) > n
    assert tool.python("print(explorer.session.settings.n_clusters)") == "3"
    tool.page.keyboard.press("z")
    assert points(tool) == n
    # Points with answers go only after a word.
    button(tool, "Erase everything: begin with an empty plane").click()
    expect(root.locator(".dcrc-drawn")).to_contain_text("The whole drawing and 1 answer will be erased.")
    button(tool, "Keep").click()
    assert points(tool) == n
    button(tool, "Erase everything: begin with an empty plane").click()
    button(tool, "Erase").click()
    expect(root.locator(".dcrc-drawn")).to_contain_text("An empty plane")
    tool.idle()
    assert tool.python("print(len(explorer.points), len(explorer.session.log))") == "0 1"
    button(tool, "Class 1").click()
    drag(tool, (0.2, 0.2), (0.4, 0.4))
    tool.idle()
    assert tool.python("print(len(explorer.points) > 5, len(explorer.session.log))") == "True 0"
    tool.page.keyboard.press("z")
    assert points(tool) == n
    button(tool, "Back to questions (Esc)").click()
    expect(root.locator(".dcrc-draw")).to_be_hidden()
    assert tool.python("print(len(explorer.session.log))") == "1"


def test_with_keys_alone(explore) -> None:
    tool = explore("draw=True, autosave=None")
    keys = tool.page.keyboard
    tool.plane.focus()
    for _ in range(4):  # single points
        keys.press("[")
    for key in ("1", "ArrowLeft", "ArrowLeft", "Space"):
        keys.press(key)
    expect(tool.root.locator(".dcrc-drawn")).to_contain_text("One point. A model needs at least two.")
    for key in ("2", *["Shift+ArrowRight"] * 3, "Space"):
        keys.press(key)
    assert points(tool) == 2
    before = tool.python("print(explorer.session.dataset.X[1].tolist())")
    for key in ("m", "Space", "Shift+ArrowDown", "Space"):
        keys.press(key)
    tool.idle()
    assert tool.python("print(explorer.session.history.undo_label)") == "moving 1 point"
    assert tool.python("print(explorer.session.dataset.X[1].tolist())") != before
    keys.press("Escape")
    expect(tool.root.locator(".dcrc-draw")).to_be_hidden()


def test_strokes_that_come_faster_than_fits(explore) -> None:
    tool = explore("draw=True, autosave=None")
    for t in range(6):
        drag(tool, (0.1 + 0.12 * t, 0.3), (0.1 + 0.12 * t, 0.7))
    n = points(tool)
    assert tool.python("print(explorer.session.history.position)") == "6"
    assert tool.page.evaluate("([stage]) => planeOf(stage).drawing.on", [tool.plane.first.element_handle()])
    assert n == tool.page.evaluate("([stage]) => planeOf(stage).n", [tool.plane.first.element_handle()])
