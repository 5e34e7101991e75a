"""The command dcrc-explore in a real browser: the first notebook, and the page without code."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import nbformat
import psutil
from live import Tool, running, running_command, wait_until_ended
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, expect

from dcrc_explore.app.course import FIRST_NOTEBOOK, copy_notebooks, live_code


def kernels() -> set[int]:
    """Process ids of the kernels that the commands of this test run: those that were forked have a file."""
    return running("ipykernel_launcher") | running("/kernel-")


def answer_one(tool: Tool, address: str) -> None:
    """Open the page and give one answer."""
    tool.page.goto(address)
    tool.ready()
    tool.click_points(4, 60, 120)
    tool.page.keyboard.press("y")
    tool.expect_answers(1)
    tool.idle()


def test_page_without_code(tool: Tool, tmp_path: Path) -> None:
    with running_command(tmp_path, "--app") as address:
        tool.page.goto(address)
        tool.ready()
        assert tool.page.locator(".jp-InputArea").count() == 0
        # Keys work before the first click.
        expect(tool.plane).to_be_focused()
        tool.page.keyboard.press("Enter")
        expect(tool.root.locator(".dcrc-pill.chosen")).to_have_count(3)
        tool.page.keyboard.press("s")
        tool.click_points(4, 60, 120)
        tool.page.keyboard.press("y")
        tool.expect_answers(1)
        tool.idle()
        tool.screenshot("1-page", whole_page=True)
        # Answers are kept where the command was started. A page that is loaded again has them; a new one offers them.
        assert [path.suffix for path in (tmp_path / "work").iterdir()] == [".json"]
        tool.page.reload()
        tool.ready()
        tool.expect_answers(1)
        tool.page.goto(address)
        tool.root.locator(".dcrc-notice").get_by_role("button", name="Continue").click()
        tool.expect_answers(1)
        assert tool.foreign_requests() == []
        assert tool.problems == []


def test_the_page_is_light_or_dark_as_the_browser_is(tool: Tool, app: str) -> None:
    def lightness(place: Locator, colour: str) -> int:
        """The sum of red, green and blue, each up to 255."""
        return sum(map(int, re.findall(r"\d+", place.evaluate(f"(e) => getComputedStyle(e).{colour}"))[:3]))

    body = tool.page.locator("body")
    tool.page.emulate_media(color_scheme="dark")
    tool.page.goto(app, wait_until="commit")
    expect(body).to_have_attribute("data-jp-theme-light", "false")  # from the first word on
    tool.ready()
    assert lightness(body, "backgroundColor") < 150 < 450 < lightness(tool.root, "color")
    tool.screenshot("1-dark", whole_page=True)
    tool.page.emulate_media(color_scheme="light")
    expect(body).to_have_attribute("data-jp-theme-light", "true")
    assert lightness(tool.root, "color") < 150 < 450 < lightness(body, "backgroundColor")


def test_each_tab_has_one_kernel(tool: Tool, app: str) -> None:
    others = kernels()
    tabs = [tool, Tool(tool.page.context.new_page(), tool.name)]
    for tab in tabs:
        tab.page.goto(app)
        tab.page.reload(wait_until="commit")
        tab.page.goto(app)
        tab.ready()
    started = sorted(kernels() - others, key=lambda pid: psutil.Process(pid).create_time())
    wait_until_ended(*started[:-2])
    for tab in tabs:  # both still work
        tab.click_points(4, 60, 120)
        tab.page.keyboard.press("y")
        tab.expect_answers(1)
    assert len(kernels() - others) == 2


def test_a_page_that_goes_ends_its_kernel(tool: Tool, app: str) -> None:
    others = kernels()
    tool.page.goto(app)
    tool.ready()
    (first,) = kernels() - others
    tool.page.reload()
    tool.ready()
    wait_until_ended(first)
    (second,) = kernels() - others
    tool.page.close(run_before_unload=True)
    wait_until_ended(second)
    assert kernels() <= others


def test_a_page_opens_while_several_others_go(tool: Tool, app: str) -> None:
    others = kernels()
    context = tool.page.context.browser.new_context()
    for page in [context.new_page() for _ in range(3)]:
        page.goto(app)
        Tool(page, tool.name).ready()
    left = kernels() - others
    context.close()
    tool.page.goto(app)
    tool.ready()
    wait_until_ended(*left)


def test_after_a_crash_of_the_browser_one_goes_on_in_the_same_file(tool: Tool, app: str, kept: Path) -> None:
    others = kernels()
    answer_one(tool, app)
    (left,) = kernels() - others
    with tool.page.expect_event("crash"), suppress(PlaywrightError):
        tool.page.goto("chrome://crash")
    again = Tool(tool.page.context.browser.new_page(), tool.name)
    again.page.goto(app)
    again.root.locator(".dcrc-notice").get_by_role("button", name="Continue").click()
    again.expect_answers(1)
    again.click_points(5, 61, 121)
    again.page.keyboard.press("y")
    again.expect_answers(2)
    again.idle()
    wait_until_ended(left)
    assert [path.suffix for path in kept.iterdir()] == [".json"]  # one file
    again.page.close()


def test_a_page_whose_kernel_dies_says_so_and_has_its_answers_when_it_is_loaded_again(tool: Tool, app: str) -> None:
    others = kernels()
    answer_one(tool, app)
    (kernel,) = kernels() - others
    notice = tool.root.locator(".dcrc-notice")
    bar = tool.root.locator(".dcrc-group-top").bounding_box()
    psutil.Process(kernel).kill()
    expect(notice).to_contain_text("The kernel of this tool is gone. Reload the page")
    assert tool.root.locator(".dcrc-group-top").bounding_box() == bar  # no broken links between the controls
    tool.screenshot("1-gone", whole_page=True)
    notice.get_by_role("button", name="Reload").click()
    expect(notice).to_be_hidden()
    tool.ready()
    tool.expect_answers(1)
    tool.click_points(5, 61, 121)
    tool.page.keyboard.press("n")
    tool.expect_answers(2)
    assert tool.problems == []


def test_quick_reloads_leave_one_kernel(tool: Tool, app: str) -> None:
    others = kernels()
    for wait_until in ("commit", "commit", "domcontentloaded", "commit", "domcontentloaded", "commit"):
        tool.page.goto(app, wait_until=wait_until)
    tool.page.reload()
    tool.ready()
    started = kernels() - others
    # The kernel of the page that is there is the youngest; the others are ended without waiting.
    youngest = max(started, key=lambda pid: psutil.Process(pid).create_time())
    wait_until_ended(*started - {youngest})
    assert kernels() - others == {youngest}
    tool.click_points(4, 60, 120)
    tool.page.keyboard.press("y")
    tool.expect_answers(1)


def test_the_token_stays_out_of_sight_and_nothing_goes_elsewhere(tool: Tool, app: str) -> None:
    """In the page's app, in what it sends along, and to other hosts."""
    token = app.split("token=")[1]
    sent: list[str] = []
    tool.page.on("request", lambda request: sent.append(f"{request.url} {request.headers}"))
    tool.page.goto(f"{app}&data=blobs")
    tool.ready()
    assert tool.page.url.endswith("/?data=blobs")
    assert [token in one for one in sent].count(True) == 1  # the page itself, once
    refused = tool.page.evaluate(
        """async () => {
            const elsewhere = "http://127.0.0.2:9/", picture = new Image(), violated = [];
            const shown = new Promise((yes, no) => Object.assign(picture, { onload: yes, onerror: no }));
            document.addEventListener("securitypolicyviolation", (e) => violated.push(e.effectiveDirective));
            picture.src = `${elsewhere}x.png`;
            const ways = [shown, fetch(elsewhere, { mode: "no-cors" }), import(`${elsewhere}x.js`)];
            await Promise.allSettled(ways);
            return violated.sort();
        }"""
    )
    assert refused == ["connect-src", "img-src", "script-src-elem"]


def test_a_kernel_without_a_page_ends_after_a_while(tool: Tool, tmp_path: Path) -> None:
    others = kernels()
    (tmp_path / "config").mkdir()
    soon = {"cull_idle_timeout": 8, "cull_interval": 1}
    (tmp_path / "config" / "voila.json").write_text(json.dumps({"MappingKernelManager": soon}))
    with running_command(tmp_path, "--app") as address:
        tool.page.goto(address)
        tool.ready()
        kept = kernels() - others
        lost = Tool(tool.page.context.new_page(), tool.name)
        lost.page.goto(address)
        lost.ready()
        (left,) = kernels() - others - kept
        lost.page.close(run_before_unload=False)  # as when the browser crashes: nobody says goodbye
        wait_until_ended(left)
        # The open page was idle for longer, and has its kernel still.
        assert kernels() - others == kept
        tool.click_points(4, 60, 120)
        tool.page.keyboard.press("y")
        tool.expect_answers(1)


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes on the page share no place."""
    return any(
        max(one[start], other[start]) >= min(one[start] + one[size], other[start] + other[size])
        for start, size in (("x", "width"), ("y", "height"))
    )


def test_page_uses_the_window(tool: Tool, app: str) -> None:
    page, root = tool.page, tool.root
    page.goto(app)
    tool.ready()
    tool.click_points(4, 60, 120)
    page.keyboard.press("y")
    tool.expect_answers(1)
    page.goto(app)
    notice = root.locator(".dcrc-notice")
    expect(notice).to_contain_text("1 answer")
    tool.ready()
    root.get_by_role("button", name="Leave the scene").click()  # its card takes some of the height
    expect(root.locator(".dcrc-playing")).to_be_hidden()
    expect(notice).to_contain_text("1 answer")
    for width, height, at_least in [(1024, 700, 400), (1440, 900, 700), (1920, 1080, 960)]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "([plane, least]) => plane.clientWidth >= least", arg=[tool.plane.element_handle(), at_least]
        )
        picture, question = tool.plane.bounding_box(), root.locator(".dcrc-card").bounding_box()
        assert max(box["y"] + box["height"] for box in (picture, question)) < height
        # What the tool tells hides nothing.
        told = notice.bounding_box()
        for part in (".dcrc-plane", ".dcrc-legend", ".dcrc-story", ".dcrc-card", ".dcrc-tabs"):
            assert apart(told, root.locator(part).bounding_box())
        tool.screenshot(f"{width}", whole_page=True)
    whole = root.bounding_box()
    assert whole["y"] + whole["height"] <= height
    # The legend of twelve clusters needs no more room, and tells their sizes.
    notice.get_by_role("button", name="Start over").click()
    before = root.bounding_box()
    root.locator("[data-name=n_clusters]").first.select_option("12")
    expect(root.locator("[data-cluster]")).to_have_count(12)
    tool.idle()
    assert root.bounding_box() == before
    sizes = root.locator("[data-cluster] .count").all_inner_texts()
    assert sum(int(size) for size in sizes) == 150
    tool.screenshot("twelve", whole_page=True)


def test_a_link_sets_the_scene(tool: Tool, app: str) -> None:
    page, root = tool.page, tool.root
    page.goto(f"{app}&data=two-ways&data.seed=4&epsilon=0&tau=much&hide=truth,ask")
    tool.ready()
    # What is wrong is told, and not obeyed.
    expect(root.locator(".dcrc-notice.error")).to_contain_text("tau must be a number of at least 0, got 'much'")
    expect(root.locator("[data-name=data] option:checked")).to_have_text("Four clumps")
    expect(root.get_by_role("tab", name="Ask")).to_be_hidden()
    expect(root.get_by_text("Truth", exact=True)).to_be_hidden()
    expect(root.locator(".dcrc-line:has-text('Answers are') button[aria-pressed=true]")).to_have_text("Hard")
    # The tool gives the link to what is shown now, without the secret of the app.
    root.locator(".dcrc-line:has-text('Boundary') button:has-text('RBF')").click()
    tool.idle()
    tool.tab("Session")
    root.get_by_role("button", name="Link", exact=True).click()
    link = root.locator(".dcrc-sheet textarea").input_value()
    tool.screenshot("1-link", whole_page=True)
    base = app.split("?")[0]
    assert link == f"{base}?data=two-ways&data.seed=4&epsilon=0&kernel=rbf&hide=truth,ask"
    page.goto(link)
    tool.ready()
    expect(root.locator(".dcrc-notice")).to_be_hidden()
    expect(root.locator(".dcrc-line:has-text('Boundary') button[aria-pressed=true]")).to_have_text("RBF")


def test_the_first_notebook_opens_with_a_live_tool(tool: Tool, tmp_path: Path) -> None:
    """Nothing is pressed, the tool is seen whole, and no other cell was run."""
    (tmp_path / "work").mkdir()
    first = copy_notebooks(tmp_path / "work")
    notebook = nbformat.read(first, as_version=4)
    for cell in notebook.cells[2:]:
        cell.source = f"open({str(tmp_path / 'ran')!r}, 'w')"
    nbformat.write(notebook, first)
    tool.page.set_viewport_size({"width": 1280, "height": 720})
    with running_command(tmp_path) as address:
        tool.page.goto(address)
        expect(tool.root.locator(".dcrc-panel-information svg")).to_be_attached()
        tool.ready()
        expect(tool.page.locator("#jp-left-stack")).to_be_hidden()  # the list of files
        for part in (tool.plane, tool.root.locator(".dcrc-card"), tool.root.locator(".dcrc-direction")):
            expect(part).to_be_in_viewport(ratio=1)
        expect(tool.page.locator(".jp-CodeCell .jp-OutputPrompt").first).to_have_text("[1]:")  # its code is folded
        assert not (tmp_path / "ran").exists()
        assert "token" not in tool.page.url
        tool.screenshot("1-notebook", whole_page=True)
        tool.click_points(4, 60, 120)
        tool.page.keyboard.press("y")
        tool.expect_answers(1)
        course = tmp_path / "work" / "dcrc-notebooks"
        assert [path.suffix for path in course.glob("*.json")] == [".json"]
        assert tool.foreign_requests() == []
        assert tool.problems == []


def test_code_that_is_not_ours_waits_for_a_person(tool: Tool, tmp_path: Path) -> None:
    """Another code under our mark, or our code elsewhere: a kernel starts, and nothing runs."""
    course = tmp_path / "work" / "dcrc-notebooks"
    course.mkdir(parents=True)
    code = nbformat.v4.new_code_cell(f"open({str(tmp_path / 'ran')!r}, 'w')", metadata={"tags": ["dcrc-live"]})
    ours = nbformat.v4.new_code_cell(live_code()[0], metadata={"tags": ["dcrc-live"]})
    python = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[code], metadata=python), course / FIRST_NOTEBOOK)
    nbformat.write(nbformat.v4.new_notebook(cells=[ours], metadata=python), course.parent / "elsewhere.ipynb")
    with running_command(tmp_path) as address:
        for path in (f"dcrc-notebooks/{FIRST_NOTEBOOK}", "elsewhere.ipynb"):
            tool.page.goto(address.replace(f"dcrc-notebooks/{FIRST_NOTEBOOK}", path))
            tool.page.get_by_text(re.compile(r"Python 3.* \| Idle")).wait_for()
        # In the time in which a notebook of ours comes to life beside it, the other one does not.
        second = sorted(path.name for path in course.glob("*.ipynb"))[1]
        tool.page.locator(".jp-SideBar [data-id=filebrowser]").click()  # the list of files is closed at first
        tool.page.locator(".jp-BreadCrumbs-home").click()
        tool.page.locator(".jp-DirListing-item", has_text="dcrc-notebooks").dblclick()
        tool.page.locator(".jp-DirListing-item", has_text=second).dblclick()
        tool.ready()
        assert set(tool.page.locator(".jp-NotebookPanel").first.locator(".jp-InputPrompt").all_inner_texts()) == {
            "[ ]:"
        }
        assert not (tmp_path / "ran").exists()


def test_the_launcher_has_a_card(tool: Tool, tmp_path: Path) -> None:
    with running_command(tmp_path) as address:
        tool.page.goto(re.sub(r"/tree/[^?]*", "", address))
        tool.page.locator(".jp-LauncherCard", has_text="DCRC Explorer").click()
        tool.ready()
