"""Where everything stands: in sight without scrolling, still when a question comes, large in a lecture."""

from __future__ import annotations

from live import TIMEOUT, Tool
from playwright.sync_api import expect

PARTS = (".dcrc-group-top", ".dcrc-picture", ".dcrc-card", ".dcrc-tabs", ".dcrc-panels", ".dcrc-status")
CLIPPED = """(root) => [...root.querySelectorAll(".dcrc-tabs button, .dcrc-panel h4, .dcrc-card h3, .dcrc-answer")]
    .filter((node) => node.getClientRects().length && node.scrollWidth > node.clientWidth + 1)
    .map((node) => node.textContent)"""


def boxes(tool: Tool) -> dict[str, dict[str, float]]:
    """Where the parts stand on the page."""
    found = {part: tool.root.locator(part).bounding_box() for part in PARTS}
    return {part: box for part, box in found.items() if box is not None}


def expect_in_sight(tool: Tool, left: float, top: float, right: float, bottom: float) -> None:
    """Every part lies inside, and the panels stand beside the picture."""
    for part, box in boxes(tool).items():
        assert left <= box["x"] <= box["x"] + box["width"] <= right, part
        assert top <= box["y"] <= box["y"] + box["height"] <= bottom, part
    picture, panels = (tool.root.locator(part).bounding_box() for part in (".dcrc-picture", ".dcrc-panels"))
    assert panels["x"] >= picture["x"] + picture["width"]
    assert panels["y"] < picture["y"] + picture["height"]
    assert tool.root.evaluate(CLIPPED) == []


def test_everything_is_in_sight_on_the_page_without_code(tool: Tool, app: str) -> None:
    page, root = tool.page, tool.root
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app}&data=moons&kernel=rbf")
    tool.ready()
    before = boxes(tool)
    expect_in_sight(tool, 0, 0, 1280, 720)
    page.keyboard.press("Enter")
    expect(root.locator(".dcrc-pill.chosen")).to_have_count(3)
    assert boxes(tool) == before  # nothing moves when a question comes
    page.keyboard.press("y")
    tool.expect_answers(1)
    tool.idle()
    assert boxes(tool) == before
    tool.screenshot("1-page", whole_page=True)
    # A lecture: the picture, the question and one panel, and back by the same key.
    page.keyboard.press("l")
    expect(root.locator(".dcrc-tabs")).to_be_hidden()
    expect(root.locator("[data-name=n_clusters]")).to_be_hidden()
    expect(root.locator("[data-name=data]")).to_be_visible()
    expect(root.locator("[data-name=hardness]")).to_be_visible()
    expect(root.locator(".dcrc-panel:visible")).to_have_count(1)
    expect(root.locator(".dcrc-panel-quality svg")).to_be_visible()
    expect_in_sight(tool, 0, 0, 1280, 720)
    size = root.locator(".dcrc-card h3").evaluate("(heading) => parseFloat(getComputedStyle(heading).fontSize)")
    assert size > 18
    root.locator(".dcrc-panels").get_by_role("button", name="Balance").click()
    expect(root.locator(".dcrc-panel-balance svg")).to_be_visible()
    expect(root.locator(".dcrc-panel:visible")).to_have_count(1)
    tool.screenshot("2-lecture", whole_page=True)
    root.get_by_role("button", name="leave the lecture view").click()
    expect(root.locator(".dcrc-tabs")).to_be_visible()
    assert {part: box["x"] for part, box in boxes(tool).items()} == {part: box["x"] for part, box in before.items()}
    # An app can ask for it; on a phone it is one column.
    page.goto(f"{app.split('?')[0]}?data=moons&view=lecture")
    expect(root.locator(".dcrc-panel-quality svg")).to_be_visible(timeout=TIMEOUT)
    expect(root.locator(".dcrc-tabs")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(root.locator(".dcrc-card")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    tool.screenshot("3-phone", whole_page=True)
    assert tool.problems == []


def test_a_scene_in_a_lecture_fits_the_screen_of_a_projector(tool: Tool, app: str) -> None:
    tool.page.goto(f"{app}&view=lecture")
    expect(tool.root.locator(".dcrc-panel-quality svg")).to_be_visible(timeout=TIMEOUT)
    expect(tool.root.locator(".dcrc-playing")).to_be_visible()
    for width, height in ((1024, 768), (1150, 768), (1280, 720), (1600, 900), (1920, 1080)):
        tool.page.set_viewport_size({"width": width, "height": height})
        tool.idle()
        tool.screenshot(f"{width}", whole_page=True)
        expect_in_sight(tool, 0, 0, width, height)
    assert tool.problems == []


def test_scenes_of_two_models_and_of_a_drawing_fit_one_screen_and_stay_in_place(tool: Tool, app: str) -> None:
    page, shown = tool.page, "visible=true"
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(app)
    tool.ready()
    for scene in ("one-wrong-answer", "good-questions", "draw-your-own"):
        page.goto(f"{app.split('?')[0]}?scene={scene}")
        picture, step = page.locator(".dcrc-picture").first, page.locator(".dcrc-step").locator(shown)
        expect(step).to_have_text("1 of 3", timeout=TIMEOUT)
        tool.idle()
        there = picture.bounding_box()
        for width, height in ((1920, 1080), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            status = page.locator(".dcrc-status").locator(shown).bounding_box()
            assert status["y"] + status["height"] <= height, (scene, width)
        page.keyboard.press(".")
        expect(step).to_have_text("2 of 3")
        tool.idle()
        if scene != "draw-your-own":  # where the brushes make room for the words below the picture
            assert picture.bounding_box() == there, scene
    assert tool.problems == []


def test_items_and_two_models_are_in_sight_on_the_page_without_code(tool: Tool, app: str) -> None:
    page, root = tool.page, tool.root
    page.set_viewport_size({"width": 1280, "height": 720})
    two_models = (".dcrc-group-top", ".dcrc-differences", ".dcrc-pictures", ".dcrc-card")

    def expect_all_in_sight(*parts: str) -> None:
        for part in parts:
            box = root.locator(part).bounding_box()
            assert box["x"] >= 0, part
            assert box["y"] >= 0, part
            assert box["x"] + box["width"] <= 1280, part
            assert box["y"] + box["height"] <= 720, part

    for data in ("digits", "close"):
        page.goto(f"{app}&data={data}")
        tool.ready()
        if data == "digits":
            expect_in_sight(tool, 0, 0, 1280, 720)
            tool.screenshot("1-items", whole_page=True)
        root.get_by_role("button", name="Compare").click()
        expect(root.locator(".dcrc-pictures")).to_be_visible()
        expect(root.locator("h3 .dcrc-pill.chosen")).to_have_count(3)  # the next question has come
        tool.idle()
        expect_all_in_sight(*two_models)
        assert root.locator(".dcrc-plane").first.bounding_box()["height"] > 280
        tool.screenshot(f"2-{data}", whole_page=True)
    page.keyboard.press("l")
    expect(root.locator(".dcrc-tabs")).to_be_hidden()
    expect(root.locator("[data-name=n_clusters]")).to_be_hidden()
    expect_all_in_sight(".dcrc-differences", ".dcrc-pictures", ".dcrc-card", ".dcrc-status")
    page.keyboard.press("y")
    tool.expect_answers(1)
    tool.screenshot("3-lecture", whole_page=True)
    page.keyboard.press("l")
    expect(root.locator(".dcrc-tabs")).to_be_visible()
    assert tool.problems == []


def test_everything_is_in_sight_in_jupyterlab(explore_in_lab) -> None:
    tool = explore_in_lab("autosave=None")
    page = tool.page
    page.set_viewport_size({"width": 1440, "height": 900})
    for side_bar in (True, False):
        if not side_bar:
            tool.command("application:toggle-left-area")
            expect(page.locator(".jp-DirListing")).to_be_hidden()
        tool.idle()
        tool.root.evaluate("(root) => root.scrollIntoView({ block: 'end' })")
        cells = page.locator(".jp-WindowedPanel-outer").bounding_box()
        right, bottom = cells["x"] + cells["width"], cells["y"] + cells["height"]
        expect_in_sight(tool, cells["x"], cells["y"], right, bottom)
        tool.screenshot("with-side-bar" if side_bar else "without", whole_page=True)
    assert tool.problems == []


def test_a_long_notice_is_dismissed_in_its_corner(explore) -> None:
    tool = explore("autosave=None")
    offer = "Other points. Undo (Z) brings back the earlier ones. Continue where you stopped? 3 answers (file.json)."
    tool.python(f"explorer.notify({offer!r}, buttons=[('Continue', 'continue'), ('Start over', 'dismiss')])")
    notice = tool.root.locator(".dcrc-notice")
    expect(notice).to_contain_text("Other points")
    tool.screenshot("1-notice")
    dismiss, words = notice.get_by_role("button", name="Dismiss"), notice.locator("span").first
    box, cross, text = (part.bounding_box() for part in (notice, dismiss, words))
    assert cross["y"] < box["y"] + 8
    assert text["x"] + text["width"] <= cross["x"]
    assert box["x"] + box["width"] - 12 < cross["x"] + cross["width"] <= box["x"] + box["width"]
    # It moves nothing, however long it is.
    there = boxes(tool)
    dismiss.click()
    expect(notice).to_be_hidden()
    assert boxes(tool) == there
    assert tool.problems == []


def test_a_key_shows_the_lecture_on_the_full_screen_and_leads_back(explore) -> None:
    tool = explore("'moons', autosave=None")
    width = tool.plane.bounding_box()["width"]
    tool.page.keyboard.press("f")
    expect(tool.page.locator(".dcrc-explorer:fullscreen")).to_have_attribute("data-view", "lecture")
    assert tool.plane.bounding_box()["width"] > width
    tool.page.keyboard.press("f")
    expect(tool.root).to_have_attribute("data-view", "whole")
    expect(tool.page.locator(".dcrc-explorer:fullscreen")).to_have_count(0)
    assert tool.problems == []
