"""Scenes on the page without code: opened by the menu, led through by button and key, taken back and left."""

from __future__ import annotations

import re

from live import Tool
from playwright.sync_api import Locator, expect
from test_layout import boxes, expect_in_sight


def test_a_scene_leads_through_the_tool(tool: Tool, app: str) -> None:
    page, root = tool.page, tool.root
    page.set_viewport_size({"width": 1280, "height": 720})
    card = root.locator(".dcrc-playing")
    step, outcome = card.locator(".dcrc-step"), card.locator(".dcrc-outcome")

    def menu() -> Locator:
        return page.locator("[data-name=scene]:visible")

    def look(name: str) -> None:
        """Nothing moves when the dark page becomes light; both are pictures to look at. It is dark again then."""
        tool.idle()
        there = boxes(tool)
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("body")).to_have_attribute("data-jp-theme-light", str(scheme == "light").lower())
            assert boxes(tool) == there
            tool.screenshot(f"{name}-{scheme}", whole_page=True)
        page.emulate_media(color_scheme="dark")

    page.emulate_media(color_scheme="dark")

    # Who asks for nothing sees that answers pay.
    page.goto(app)
    tool.ready()
    expect(step).to_have_text("1 of 3")
    expect(outcome).to_have_text("Agreement with the truth: 0.33.")
    expect_in_sight(tool, 0, 0, 1280, 720)
    before = boxes(tool)
    card.get_by_role("button", name="Next").click()
    expect(step).to_have_text("2 of 3")
    tool.expect_answers(5)
    page.keyboard.press(".")
    expect(step).to_have_text("3 of 3")
    tool.expect_answers(20)
    expect(outcome).to_have_text("Agreement with the truth: 0.33 → 1.00.")
    tool.idle()
    assert boxes(tool) == before  # nothing moves from step to step
    look("1")
    page.keyboard.press(",")
    expect(step).to_have_text("2 of 3")
    tool.expect_answers(5)
    # In a lecture the menu is there too; leaving the scene leaves everything as it is.
    page.keyboard.press("l")
    expect(root.locator("[data-name=n_clusters]")).to_be_hidden()
    expect(menu()).to_be_visible()
    expect_in_sight(tool, 0, 0, 1280, 720)
    look("2-lecture")
    card.get_by_role("button", name="Leave the scene").click()
    expect(card).to_be_hidden()
    tool.expect_answers(5)
    expect(menu()).to_be_visible()
    page.keyboard.press("l")
    expect(root.locator("[data-name=n_clusters]")).to_be_visible()
    page.keyboard.press(".")
    expect(root.locator(".dcrc-ask")).to_contain_text(". does nothing here")
    # Two models, by the menu.
    menu().select_option(label="One wrong answer")
    both = page.locator(".dcrc-compare")
    expect(both.locator(".dcrc-outcome")).to_have_text("Soft and hard agree equally with the truth (1.00).")
    expect(root).to_have_attribute("data-keys", "on")
    page.keyboard.press(".")
    expect(both.locator(".dcrc-outcome")).to_have_text(re.compile("Agreement with the truth: soft 1.00, hard 0.73"))
    # The last step says: undo corrects the wrong answer, redo plants it again.
    page.keyboard.press(".")
    expect(both.locator(".dcrc-direction")).to_contain_text("Press Undo")
    page.keyboard.press("z")
    expect(both.locator(".dcrc-outcome")).to_have_text("Soft and hard agree equally with the truth (1.00).")
    page.keyboard.press("Shift+Z")
    expect(both.locator(".dcrc-outcome")).to_have_text(re.compile("Agreement with the truth: soft 1.00, hard 0.73"))
    page.keyboard.press(",")
    page.keyboard.press(",")
    expect(both.locator(".dcrc-outcome")).to_have_text("Soft and hard agree equally with the truth (1.00).")
    # On a phone, in one column.
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app.split('?')[0]}?scene=dont-know")
    expect(step).to_have_text("1 of 3")
    card.get_by_role("button", name="Next").click()
    expect(outcome).to_have_text("Agreement with the truth: 0.56 → 0.71.")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert card.locator("p").evaluate_all(
        "(lines) => lines.every((line) => line.scrollHeight <= line.clientHeight + 1)"
    )
    look("4-phone")
    assert tool.problems == []


def test_a_scene_is_read_in_full_beside_the_files_of_jupyterlab(explore_in_lab) -> None:
    tool: Tool = explore_in_lab("scene='three-settings', autosave=None")
    page, root = tool.page, tool.root
    page.set_viewport_size({"width": 1280, "height": 800})
    card = root.locator(".dcrc-playing")
    for step in range(3):
        expect(card.locator(".dcrc-direction")).not_to_be_empty()
        assert card.locator("p").evaluate_all(
            "(lines) => lines.every((line) => line.scrollHeight <= line.clientHeight + 1)"
        ), step
        page.keyboard.press(".")
        tool.idle()
    # The link to the lecture view is below the picture; the picture is in sight then, and nothing lies over another.
    root.get_by_role("button", name="lecture view").click()
    expect(root.locator(".dcrc-tabs")).to_be_hidden()
    picture = root.locator(".dcrc-picture").bounding_box()
    assert 0 <= picture["y"] < 400
    assert root.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    top, status = (root.locator(part).bounding_box() for part in (".dcrc-group-top", ".dcrc-status"))
    assert top["y"] + top["height"] <= status["y"]
    # Two models fill the cell too.
    page.locator("[data-name=scene]:visible").select_option(label="One wrong answer")
    both = page.locator(".dcrc-compare")
    expect(both.locator(".dcrc-outcome")).to_have_text("Soft and hard agree equally with the truth (1.00).")
    if both.get_attribute("data-view") != "lecture":
        page.keyboard.press("l")
    expect(both.locator(".dcrc-tabs")).to_be_hidden()
    pictures = both.locator(".dcrc-pictures").bounding_box()
    assert pictures["width"] > 0.98 * both.bounding_box()["width"]
    top, status = (both.locator(part).bounding_box() for part in (".dcrc-group-top", ".dcrc-status"))
    assert top["y"] + top["height"] <= status["y"]
    assert tool.problems == []
