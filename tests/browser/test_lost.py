"""A kernel, a message or a page that goes: told, mended, and no answer lost or doubled. In a real JupyterLab."""

from __future__ import annotations

import os
import signal

import pytest
from live import Tool
from playwright.sync_api import WebSocketRoute, expect

LONG = "'close', n_clusters=8, kernel='rbf', parameters={'n_per_cluster': 1500}"  # a fit takes seconds
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"


def answer(tool: Tool, *triplet: int, key: str = "y") -> None:
    tool.click_points(*triplet)
    tool.page.keyboard.press(key)


def kept(tool: Tool) -> str:
    """How many answers the kernel has, and how many its file."""
    return tool.python(
        "from dcrc_explore.session import find_sessions\n"
        "print(len(explorer.session.log), *(file.n_answers for file in find_sessions()))"
    )


def test_a_restarted_kernel_is_told_and_what_was_pressed_is_saved(explore_in_lab) -> None:
    tool = explore_in_lab()
    page, notice = tool.page, tool.root.locator(".dcrc-notice")
    answer(tool, 4, 60, 120)
    tool.expect_answers(1)
    tool.idle()
    page.evaluate(f"() => {KERNEL}.restart()")
    expect(notice).to_contain_text("The kernel of this tool is gone. Run the cell again")
    answer(tool, 5, 61, 121, key="n")
    expect(notice).to_contain_text("1 answer given since is saved in this browser tab")
    tool.screenshot("1-gone")
    # Another kernel: first the answers that are on disk, then the one that did not arrive.
    tool.run_cells()
    notice.get_by_role("button", name="Continue").click()
    tool.expect_answers(1)
    expect(notice).to_contain_text("1 answer did not reach the kernel")
    tool.screenshot("2-offered")
    notice.get_by_role("button", name="Add").click()
    tool.expect_answers(2)
    expect(notice).to_be_hidden()
    assert tool.python("print([int(a.answer) for a in explorer.session.log])") == "[1, -1]"
    assert tool.problems == []


# The kernel dies when an answer is on disk, before it can say so.
DYING = """
import os, signal
from dcrc_explore.session.saving import SessionFile
write = SessionFile.write

def write_and_die(self, *args, **options):
    write(self, *args, **options)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_an_answer_that_was_written_before_the_kernel_died_is_not_offered_again(explore_in_lab) -> None:
    tool = explore_in_lab(before=DYING)
    page, notice = tool.page, tool.root.locator(".dcrc-notice")
    answer(tool, 4, 60, 120)
    tool.expect_answers(1)
    tool.idle()
    tool.python("SessionFile.write = write_and_die")
    answer(tool, 5, 61, 121, key="n")
    page.locator(".jp-Dialog button:has-text('Ok')").click()
    expect(notice).to_contain_text("The kernel of this tool is gone")
    answer(tool, 6, 62, 122, key="d")  # this one does not arrive
    expect(notice).to_contain_text("2 answers given since are saved in this browser tab")
    tool.run_cells()
    notice.get_by_role("button", name="Continue").click()
    tool.expect_answers(2)
    expect(notice).to_contain_text("1 answer did not reach the kernel")
    notice.get_by_role("button", name="Add").click()
    tool.expect_answers(3)
    assert tool.python("print([int(a.answer) for a in explorer.session.log])") == "[1, -1, 0]"
    assert tool.problems == []


def test_a_kernel_that_dies_is_told_though_nobody_does_anything(explore_in_lab) -> None:
    tool = explore_in_lab()
    answer(tool, 4, 60, 120)
    tool.expect_answers(1)
    tool.idle()
    os.kill(int(tool.python("import os; print(os.getpid())")), signal.SIGKILL)
    expect(tool.root.locator(".dcrc-notice")).to_contain_text("The kernel of this tool is gone. Run the cell again")
    assert tool.problems == []


@pytest.mark.own_page
def test_a_connection_that_is_cut_is_told_and_mends_by_itself(explore_in_lab, page) -> None:
    cut, routes = [False], []

    def cuttable(route: WebSocketRoute) -> None:
        if cut[0]:
            route.close()
        else:
            routes.append(route)
            route.connect_to_server()

    page.route_web_socket("**/channels*", cuttable)
    tool = explore_in_lab()
    notice = tool.root.locator(".dcrc-notice")
    cut[0] = True
    for route in routes:
        route.close()
    expect(notice).to_contain_text("There is no connection to the server")
    answer(tool, 4, 60, 120)
    expect(notice).to_contain_text("1 answer given since is saved in this browser tab and sent when it is back")
    page.keyboard.press("n")  # about no question: it is not lost without a word
    expect(tool.root.locator(".dcrc-told")).to_contain_text("No connection: this key was not counted")
    tool.screenshot("1-cut")
    cut[0] = False
    tool.expect_answers(1)
    tool.idle()
    expect(notice).to_be_hidden()
    assert kept(tool) == "1 1"


def test_reloading_during_a_long_fit_loses_nothing(explore_in_lab) -> None:
    tool = explore_in_lab(LONG)
    tool.save()
    for n in range(4):
        answer(tool, 4 + n, 60, 120)
        tool.page.reload()
        tool.ready()
        tool.expect_answers(n + 1)
    tool.idle()
    version = tool.version()
    tool.root.get_by_role("button", name="Hard").click()  # the other controls have found their kernel too
    tool.newer(version)
    tool.idle()
    assert tool.python("print(explorer.session.settings.epsilon)") in ("0", "0.0")
    assert kept(tool) == "4 4"
    assert tool.problems == []


def test_a_loaded_session_goes_on_fitting_when_its_page_is_reloaded(explore_in_lab) -> None:
    before = f"from dcrc_explore.session import Session\n_ = Session({LONG}).answer((0, 1, 2), 'yes')"
    tool = explore_in_lab(LONG, before=before)
    tool.root.locator(".dcrc-notice").get_by_role("button", name="Continue").click()
    tool.expect_answers(1)
    tool.idle()
    tool.save()
    for n in range(2):
        tool.page.reload()
        tool.ready()
        answer(tool, 4 + n, 60, 120)
        tool.expect_answers(2 + n)
        tool.idle()
    assert tool.python("print(explorer.session.model.busy)") == "False"
    assert tool.problems == []


def test_what_was_picked_stays_when_everything_is_sent_again(explore) -> None:
    tool = explore()
    tool.click_points(4, 60)
    tool.python("explorer._browser.send_everything(explorer.session)")
    tool.idle()
    tool.click_points(120)
    tool.page.keyboard.press("y")
    tool.expect_answers(1)


@pytest.mark.own_page
def test_a_message_that_is_lost_is_sent_again_and_counts_once(explore_in_lab, page) -> None:
    dropped: list[str] = []

    def lossy(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def to_kernel(message: str | bytes) -> None:
            text = message if isinstance(message, str) else message.decode(errors="replace")
            if '"answer"' in text and "comm_msg" in text and not dropped:
                dropped.append("request")
            else:
                server.send(message)

        def to_page(message: str | bytes) -> None:
            text = message if isinstance(message, str) else message.decode(errors="replace")
            if dropped == ["request", "now the reply"] and '"done"' in text and '"scene"' in text:
                dropped.append("reply")
            else:
                route.send(message)

        route.on_message(to_kernel)
        server.on_message(to_page)

    page.route_web_socket("**/channels*", lossy)
    tool = explore_in_lab()
    # What is said while a message is sent again may be gone before the next look.
    tool.root.locator(".dcrc-busy").evaluate(
        "(busy) => { window.said = []; const told = new MutationObserver(() => window.said.push(busy.textContent)); "
        "told.observe(busy, { childList: true, subtree: true }) }"
    )
    answer(tool, 4, 60, 120)
    tool.expect_answers(1)
    tool.idle()
    assert any("No reply from the kernel yet" in text for text in page.evaluate("() => window.said"))
    dropped.append("now the reply")
    answer(tool, 5, 61, 121)
    tool.expect_answers(2)
    tool.idle()
    assert dropped == ["request", "now the reply", "reply"]
    assert kept(tool) == "2 2"


def test_stop_leaves_an_answer_given_or_told(explore_in_lab) -> None:
    tool = explore_in_lab(before="import time", subshells=False)  # else what is stopped are cells alone
    page, notice = tool.page, tool.root.locator(".dcrc-notice")
    tool.python(
        "naps = [600]\n"
        "_ = explorer.session.observe(lambda event: naps and (print('given', flush=True), time.sleep(naps.pop())))"
    )
    page.evaluate("() => { window.printed = '' }")
    page.evaluate(f"() => {KERNEL}.iopubMessage.connect((_, {{ content }}) => (window.printed += content.text))")
    answer(tool, 4, 60, 120)
    page.wait_for_function("() => window.printed.includes('given')")
    page.evaluate(f"() => {KERNEL}.interrupt()")
    expect(notice).to_contain_text("Stopped. Your action itself was completed.")
    tool.idle()
    tool.expect_answers(1)
    answer(tool, 5, 61, 121)
    tool.expect_answers(2)
    assert kept(tool) == "2 2"
    assert tool.problems == []
