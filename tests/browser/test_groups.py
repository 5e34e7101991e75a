"""A person's own data, of which nobody knows how many groups there are: advice, its curve, merge, and undo."""

from __future__ import annotations

from playwright.sync_api import expect

BEFORE = """
import numpy as np
from dcrc_explore.constraints import implied_answers
y = np.arange(100) % 5
X = 6 * np.column_stack([np.cos(2 * np.pi * y / 5), np.sin(2 * np.pi * y / 5)])
X += np.random.default_rng(3).normal(size=X.shape)

def say(explorer, n):
    rng = np.random.default_rng(len(explorer.session.log))
    questions = np.array([rng.choice(100, 3, replace=False) for _ in range(n)])
    explorer.session.add(questions, implied_answers(y, questions))
"""
FROM_SCENES = "from dcrc_explore.datasets import make_scenes"


def test_the_number_of_groups_is_advised_and_two_groups_are_merged(explore) -> None:
    tool = explore("X, autosave=None", before=BEFORE)
    page, root = tool.page, tool.root
    tool.tab("Clusters")
    curve = root.locator(".dcrc-groups")
    expect(curve).to_contain_text("From 15 answers on")
    expect(root.locator(".dcrc-gallery [data-cluster]")).to_have_count(3)
    tool.python("say(explorer, 60)")
    tool.expect_answers(60)
    # Nothing happens by itself; the curve and a sentence say what would fit better.
    notice = root.locator(".dcrc-notice")
    expect(notice).to_contain_text("Your answers fit 5 groups clearly better than 3.")
    expect(curve).to_contain_text("60 answers fit 5 groups clearly better than 3.")
    expect(curve.locator("svg .dot")).to_have_count(9)
    expect(root.locator(".dcrc-gallery [data-cluster]")).to_have_count(3)
    tool.screenshot("advice")
    notice.get_by_role("button", name="Ask what decides").click()
    expect(root.locator(".dcrc-card")).to_contain_text("With 5 groups, ")
    notice.get_by_role("button", name="Use 5 groups").click()
    sections = root.locator(".dcrc-gallery-list > [data-cluster]")
    expect(sections).to_have_count(5)
    expect(notice).to_be_hidden()
    tool.idle()
    # A merge: the answers are seen first, and Cancel leaves everything as it was.
    dialog = root.get_by_role("dialog")
    for decide in ("Cancel", "OK"):
        sections.first.get_by_role("button", name="Merge").click()
        dialog.locator(".dcrc-choices button").first.click()
        expect(dialog).to_contain_text("belong together")
        expect(dialog.locator("ol li")).to_have_count(3)
        expect(dialog).to_contain_text("K becomes 4; now it is 5")
        tool.screenshot(f"card-{decide}")
        dialog.get_by_role("button", name=decide).click()
        expect(dialog).to_be_hidden()
        tool.expect_answers(60 if decide == "Cancel" else 63)
    expect(sections).to_have_count(4)
    assert tool.python("print(explorer.session.history.undo_label)") == "merge"
    tool.screenshot("merged")
    tool.plane.focus()
    page.keyboard.press("z")
    tool.expect_answers(60)
    expect(sections).to_have_count(5)
    # Points in a loop are one group.
    page.keyboard.press("v")
    bar = root.locator(".dcrc-selected")
    expect(bar).to_contain_text("100 points selected")
    tool.screenshot("selected")
    bar.get_by_role("button", name="One group").click()
    expect(dialog).to_contain_text("These 100 points are one group.")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    tool.expect_answers(60)
    assert tool.problems == []


def test_points_are_selected_where_they_are_seen(explore) -> None:
    """In *Show all*: by a click, with Shift, by a drag; the picture marks them, and lines of an answer are unticked."""
    tool = explore("make_scenes(n_per_kind=4), autosave=None, n_clusters=2", before=FROM_SCENES)
    page, root = tool.page, tool.root
    tool.tab("Clusters")
    root.get_by_role("button", name="Show all").first.click()
    things = root.locator(".members .things > [data-row]")
    expect(things.nth(3).locator("img")).to_be_visible()
    rows = [int(row) for row in things.evaluate_all("(all) => all.map((each) => each.dataset.row)")]

    def expect_selected(*places: int) -> None:
        expect(root.locator(".dcrc-selected")).to_contain_text(f"{len(places)} point")
        expect(root.locator(".members [aria-pressed=true]")).to_have_count(len(places))
        assert sorted(eval(tool.python("print(explorer.selection)"))) == sorted(rows[at] for at in places)

    things.nth(0).click()
    things.nth(2).click(modifiers=["Shift"])
    expect_selected(0, 1, 2)
    things.nth(1).click()
    expect_selected(0, 2)
    page.keyboard.press("Escape")
    expect(root.locator(".dcrc-selected")).to_be_hidden()
    first, second = things.nth(0).bounding_box(), things.nth(1).bounding_box()
    page.mouse.move(first["x"] + 5, first["y"] + 30)
    page.mouse.down()
    page.mouse.move(second["x"] + 9, second["y"] + 40, steps=3)
    tool.screenshot("drag")
    page.mouse.up()
    expect_selected(0, 1)
    root.locator(".members").get_by_role("button", name="New group").click()
    dialog = root.get_by_role("dialog")
    expect(dialog).to_contain_text("1 answer will be added in your name")
    dialog.get_by_role("checkbox").nth(0).uncheck()
    dialog.get_by_role("checkbox").nth(1).uncheck()
    expect(dialog.get_by_role("button", name="OK")).to_be_disabled()
    dialog.get_by_role("checkbox").nth(0).check()
    tool.screenshot("untick")
    dialog.get_by_role("button", name="OK").click()
    tool.expect_answers(1)
    expect(root.locator(".dcrc-selected")).to_be_hidden()
    things.nth(1).dblclick()
    expect(dialog.locator("img")).to_be_visible()
    assert tool.problems == []
