"""Exports as a person starts them: how far one is can be seen, and a double click writes once."""

from __future__ import annotations

from playwright.sync_api import expect


def test_an_export_says_how_far_it_is_and_is_written_once(explore) -> None:
    tool = explore("session=session", before="from dcrc_explore.session import Session\nsession = Session('close')")
    page, root = tool.page, tool.root
    tool.python(
        "session.answer_by_oracle(20)\n"
        "presses, receive = set(), explorer._messages.receive\n"  # a message that is sent again is the same request
        "explorer._messages.receive = lambda each: (\n"
        "    each['do'] == 'press' and presses.add(each['request']), receive(each))"
    )
    tool.expect_answers(20)
    tool.idle()
    tool.tab("Session")
    root.locator(".dcrc-busy [role=status]").evaluate(
        "(busy) => { window.said = []; "
        "new MutationObserver(() => window.said.push(busy.textContent)).observe(busy, { childList: true }) }"
    )
    root.get_by_role("button", name="Film of the answers", exact=True).dblclick()
    expect(root.locator(".dcrc-notice")).to_contain_text("Written to")
    tool.idle()
    assert tool.python("print(len(presses))") == "1"
    told = [text for text in page.evaluate("() => window.said") if "%" in text]
    shares = [int(text.removeprefix("Writing… ").removesuffix(" %")) for text in told]
    assert shares == sorted(shares)
    assert len(set(shares)) > 5
    assert tool.problems == []
