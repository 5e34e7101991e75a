"""Data and models of the largest sizes, and beyond them, in a real JupyterLab."""

from __future__ import annotations

from live import Tool
from playwright.sync_api import expect


def test_as_many_clusters_as_there_may_be_are_drawn_as_they_are(explore) -> None:
    before = "import numpy as np\nX = 4.0 * np.repeat(np.column_stack(np.divmod(np.arange(255), 16)), 3, axis=0)"
    tool: Tool = explore("X, n_clusters=255, lam=2**-20, autosave=None", before=before)
    expect(tool.root.locator("[data-cluster]")).to_have_count(255)
    tool.click_points(4, 60, 120)
    tool.page.keyboard.press("n")
    tool.expect_answers(1)
    tool.idle()
    labels = tool.python("print(explorer.session.fit.labels.tolist())")
    drawn = tool.plane.evaluate("(plane) => [...plane.shown.labels]")
    assert str(drawn) == labels
    assert max(drawn) > 127
    tool.screenshot("1-many", whole_page=True)
    assert tool.problems == []
