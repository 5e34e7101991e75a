"""Names of files, data, classes, features, people and clusters are text, whatever is in them; in a real JupyterLab."""

from __future__ import annotations

import json

import pytest
from live import Tool
from playwright.sync_api import expect

HOSTILE = [
    "<img src=x onerror=window.hacked=1>",
    "$\\href{javascript:window.hacked=1}{x}$",
    "'><svg onload=window.hacked=1>&lt&#60",
]
# A table of one's own with that name, its features and classes, a person and a cluster called so, and a session that
# is kept under it.
BEFORE = """
import csv, json
from pathlib import Path
from dcrc_explore.session import Session
name = {name}
with open(name + ".csv", "w") as file:
    writer = csv.writer(file)
    writer.writerow([name + "a", name + "b", name + "c", name])
    writer.writerows([n % 7, n % 5, n // 10, name + str(n % 2)] for n in range(40))
session = Session(name + ".csv", y=name, autosave=name + ".json")
_ = session.answer((0, 1, 2), "yes", by="somebody")
session.person = name
_ = session.answer((0, 1, 2), "no")
_ = session.answer_pair((0, 1), "no")
session.name_cluster(0, name)
"""


@pytest.mark.parametrize("name", HOSTILE, ids=["tag", "formula", "entity"])
def test_no_name_is_markup(explore, name: str) -> None:
    name = name.replace("/", "")
    tool: Tool = explore("session=session", before=BEFORE.format(name=json.dumps(name)))
    page, root = tool.page, tool.root
    notice = root.locator(".dcrc-notice")
    # The data in the list, the class under the pointer, the description.
    expect(root.locator(".dcrc-generator select option:checked")).to_have_text(name)
    root.get_by_role("button", name="hidden").click()
    tool.idle()
    page.mouse.move(*tool.position(3))
    expect(root.locator(".dcrc-hint")).to_contain_text(f"true class {name}1")
    # Where the answers are, on the tab Session and in the status line.
    tool.tab("Session")
    expect(root.locator(".dcrc-group-session .dcrc-about")).to_contain_text(f"{name}.json")
    expect(root.locator(".dcrc-status-text")).to_contain_text(f"{name}.json")
    # What is told: a file that is not there, a session that was loaded, an answer that is not possible.
    file = root.locator(".dcrc-group-session input[type=text]")
    file.fill(f"no {name}")
    root.get_by_role("button", name="Load", exact=True).click()
    expect(notice).to_contain_text(f"no {name}")
    file.fill(f"{name}.json")
    root.get_by_role("button", name="Load", exact=True).click()
    expect(notice).to_contain_text(f"{name}.json is loaded")
    tool.tab("Data")
    own, classes, _ = root.locator(".dcrc-group-data input[type=text]").all()
    own.fill(f"{name}.csv")
    classes.fill(f"no {name}")
    root.get_by_role("button", name="Open").click()
    expect(notice).to_contain_text(f"columns {name}a, {name}b")
    # Who answers, how people err, what a cluster is called.
    expect(root.locator(".dcrc-card input[type=text]")).to_have_value(name)
    tool.tab("People")
    expect(root.locator(".dcrc-people-list")).to_contain_text(name)
    tool.tab("Clusters")
    expect(root.locator(".dcrc-legend")).to_contain_text(name)
    # The program, the panels, the explanation, the list.
    tool.tab("Session")
    root.get_by_role("button", name="Code").click()
    expect(root.locator(".dcrc-sheet textarea")).to_be_visible()
    page.keyboard.press("Escape")
    for tab in ("Why", "Answers"):
        tool.tab(tab)
        tool.click_points(5)
        tool.idle()
    tool.screenshot("1-names")
    assert page.locator("img[src=x], svg[onload], .dcrc-explorer a[href]").count() == 0
    assert page.evaluate("() => window.hacked") is None
    assert tool.problems == []


def test_settings_are_text_in_compare(explore) -> None:
    tool = explore(
        "session=compare.session",
        before="from dcrc_explore.widgets import Compare\ncompare = Compare(autosave=None)\ncompare",
    )
    expect(tool.page.locator(".dcrc-compare .difference")).to_contain_text("against")
    assert tool.page.locator(".dcrc-explorer a[href]").count() == 0
