"""A notebook's own function answers in a real browser: asked, followed, stopped, and shown among the people."""

from __future__ import annotations

from playwright.sync_api import expect

BEFORE = """
import threading

go_on = threading.Semaphore(10)
calls = []

def nearer(a, b, c):
    calls.append(1)
    go_on.acquire()
    return "yes" if abs(a - b).sum() < abs(a - c).sum() else "no"
"""


def test_a_function_is_asked_stopped_and_shown_among_the_people(explore) -> None:
    tool = explore('"close", autosave=None, annotators={"my model": nearer}', before=BEFORE)
    root = tool.root
    tool.tab("Ask")
    tool.answered_by("my model")
    tool.idle()
    told = root.locator("[data-name=told]")
    expect(root.locator("[data-name=sends]")).to_contain_text("its code decides what leaves this machine")
    assert tool.python("print(len(calls))") == "0"
    root.get_by_role("button", name="10", exact=True).click()
    tool.expect_answers(10)
    expect(told).to_have_text("my model: 10 answers added.")

    root.get_by_role("button", name="500").click()
    expect(told).to_contain_text("of 500 questions")
    tool.python("go_on.release(3)")
    tool.expect_answers(13)
    expect(told).to_contain_text("left")
    tool.screenshot("asked")
    root.locator(".dcrc-group-ask").get_by_role("button", name="Stop").click()
    expect(told).to_contain_text("Stopping")
    tool.python("go_on.release(500)")  # only the call that is on its way may end
    expect(told).to_have_text("Stopped. my model: 4 answers added.")
    tool.expect_answers(14)
    assert tool.python("print(len(calls))") == "14"
    expect(root.get_by_role("button", name="500")).to_be_enabled()

    tool.python("explorer.session.answer_by_oracle(12, strategy='random')")
    root.locator(".dcrc-line:has-text('About') select").select_option("what others were asked")
    root.get_by_role("button", name="500").click()
    expect(told).to_contain_text("my model: 12 answers added.")
    tool.tab("People")
    expect(root.locator("[data-person='my model']")).to_contain_text("don't know: 0 %")
    expect(root.locator("[data-person='my model']")).to_contain_text("It seems they had to choose.")
    expect(root.locator(".dcrc-agreements")).to_contain_text("my model and truth: 12 questions in common")
    expect(root.locator(".dcrc-agreements")).to_contain_text("Cohen's κ")
    tool.screenshot("people")
    assert tool.problems == []
