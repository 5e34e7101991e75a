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


def test_the_number_of_groups_is_advised_and_two_groups_are_merged(explore) -> None:
    tool = explore("X, autosave=None", before=BEFORE)
    page, root = tool.page, tool.root
    tool.tab("Clusters")
    curve = root.locator(".dcrc-groups")
    expect(curve).to_contain_text("From 40 answers on")
    expect(root.locator(".dcrc-gallery [data-cluster]")).to_have_count(3)
    tool.python("say(explorer, 60)")
    tool.expect_answers(60)
    # Nothing happens by itself; the curve and a sentence say what would fit better.
    notice = root.locator(".dcrc-notice")
    expect(notice).to_contain_text("Your answers fit 5 groups better than 3.")
    expect(curve).to_contain_text("60 answers fit 5 groups best; K is 3.")
    expect(curve.locator("svg .dot")).to_have_count(9)
    expect(root.locator(".dcrc-gallery [data-cluster]")).to_have_count(3)
    tool.screenshot("advice")
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
