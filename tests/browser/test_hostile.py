"""Names of files, data, classes, features, people and clusters are text, whatever is in them.

In a real JupyterLab, in the app, and in pages that were exported.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hostile import AWKWARD, HOSTILE, hostile_session
from live import ARTEFACTS, Tool
from playwright.sync_api import expect

from dcrc_explore.session import Pair

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
_ = session.answer((0, 1), "no")
session.name_cluster(0, name)
"""


@pytest.mark.parametrize("name", HOSTILE, ids=["tag", "formula", "entity"])
def test_no_name_is_markup(explore, name: str) -> None:
    name = name.replace("/", "")
    tool: Tool = explore("session=session", before=BEFORE.format(name=json.dumps(name)))
    page, root = tool.page, tool.root
    notice = root.locator(".dcrc-notice")
    # The data in the list, the class under the pointer, the description.
    expect(root.locator("[data-name=data] option:checked")).to_have_text(name)
    root.get_by_role("button", name="hidden").click()
    tool.idle()
    page.mouse.move(*tool.position(3))
    expect(root.locator(".dcrc-hint")).to_contain_text(f"true class {name}1")
    # Where the answers are, on the tab Session and in the status line.
    tool.tab("Session")
    expect(root.locator(".dcrc-group-session .dcrc-about").last).to_contain_text(f"{name}.json")
    expect(root.locator(".dcrc-status-text")).to_contain_text(f"{name}.json")
    # What is told: a file that is not there, a session that was loaded; the columns of a table.
    file = root.locator(".dcrc-group-session input[type=text]").first
    file.fill(f"no {name}")
    root.get_by_role("button", name="Load", exact=True).click()
    expect(notice).to_contain_text(f"no {name}")
    file.fill(f"{name}.json")
    root.get_by_role("button", name="Load", exact=True).click()
    expect(notice).to_contain_text(f"{name}.json is loaded")
    tool.tab("Data")
    root.locator("[data-name=file]").fill(f"{name}.csv")
    root.get_by_role("button", name="Open", exact=True).click()
    expect(root.locator(".dcrc-group-data")).to_contain_text(f"{name}b")
    root.get_by_role("button", name="Cancel").click()
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


def nothing_acted(tool: Tool) -> None:
    page = tool.page
    assert page.locator("img[src=x], svg[onload], .dcrc-explorer a[href], .dcrc-page a[href]").count() == 0
    assert page.evaluate("() => window.hacked") is None
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert tool.problems == []


def test_no_name_is_markup_in_the_app(tool: Tool, app: str, kept: Path) -> None:
    """The address, a session of the working folder, its people and clusters, what it tells, and Compare."""
    name = HOSTILE[0]
    hostile_session(name).save(kept / f"{name}.json")
    page, root = tool.page, tool.root
    page.goto(f"{app}&{urlencode({'session': f'{name}.json', 'data': name, name: name})}")
    tool.ready()
    told = root.locator(".dcrc-notice")
    expect(told).to_contain_text(f"got {name[:40]!r}")
    expect(root.locator("[data-name=data] option:checked")).to_have_text(name)
    expect(root.locator(".dcrc-status-text")).to_contain_text(f"{name}.json")
    expect(root.locator(".dcrc-legend")).to_contain_text(name)
    expect(root.locator(".dcrc-card input[type=text]")).to_have_value(name)
    for tab in ("People", "Clusters", "Answers", "Why", "Data"):
        tool.tab(tab)
        tool.click_points(5)
        tool.idle()
    tool.tab("Clusters")
    nothing_acted(tool)
    tool.screenshot("1-app", whole_page=True)
    root.get_by_role("button", name="Compare").click()
    expect(page.locator(".dcrc-compare .dcrc-plane")).to_have_count(3)
    nothing_acted(tool)


@pytest.mark.parametrize("name", [HOSTILE[0], AWKWARD], ids=["tag", "awkward"])
def test_no_name_is_markup_in_an_exported_page(tool: Tool, tmp_path: Path, name: str) -> None:
    session = hostile_session(name)
    pair = Pair(session, {"epsilon": 0.0})
    written = [
        session.export.to_html(tmp_path / "answers.html"),
        session.export.to_html(tmp_path / "em.html", film="iterations"),
        pair.to_html(tmp_path / "both.html"),
    ]
    for path in written:
        tool.page.goto(path.as_uri())
        root = tool.page.locator(".dcrc-page")
        expect(root.locator("h1")).to_have_text(name)
        expect(root.locator(".dcrc-legend .name").first).to_have_text(session.state.cluster_name(0))
        for text in root.locator("figure .text").all():  # cards show the beginning of a long one
            expect(text).to_contain_text(name[:100])
        root.get_by_role("slider").press("Home")
        expect(root.locator(".dcrc-plane").first).to_be_visible()
        nothing_acted(tool)
        tool.page.screenshot(path=ARTEFACTS / f"hostile-{path.stem}.png", full_page=True)


def test_settings_are_text_in_compare(explore) -> None:
    tool = explore(
        "session=compare.session",
        before="from dcrc_explore.widgets import Compare\ncompare = Compare(autosave=None)",
    )
    tool.bench.show("compare")
    expect(tool.page.locator(".dcrc-compare .difference")).to_contain_text("against")
    assert tool.page.locator(".dcrc-explorer a[href]").count() == 0
