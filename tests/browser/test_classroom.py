"""A class in real browsers: a projector and three phones, from the QR code to the page that remains."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from urllib.parse import urljoin

import psutil
from live import Tool, free_port, running_command
from playwright.sync_api import Page, expect
from test_app import kernels
from test_room import Phones, join, phone, say

__all__ = ["phone"]  # the fixture


def open_projector(tool: Tool, address: str) -> str:
    """Open the page of the command; returns the address that phones open."""
    tool.page.goto(address)
    expect(tool.page.locator(".dcrc-code")).to_have_text(re.compile(r"\w+-\d\d-\w+"))
    root, code = (tool.page.locator(f".dcrc-{part}").inner_text() for part in ("address", "code"))
    return f"http://{root}/{code}"


def wait_for(page: Page, words: str) -> None:
    expect(page.locator(".dcrc-here")).to_have_text(words)


def press(page: Page, name: str) -> None:
    page.locator(".dcrc-classroom").get_by_role("button", name=name, exact=True).click()


def test_a_class_from_the_code_to_the_page_that_remains(tool: Tool, phone: Phones, tmp_path: Path) -> None:
    with running_command(tmp_path, "class", "emoji", "--phones", str(free_port())) as address:
        page = tool.page
        joining = open_projector(tool, address)
        expect(page.locator(".dcrc-qr")).to_have_attribute("src", re.compile("^data:image/svg"))
        phones = [phone(joining, dark=n == 1) for n in range(3)]
        for each, name in zip(phones, ("Ann", "", "<b>Eve</b>"), strict=True):
            join(each, name)
        # The door of the phones leads nowhere else.
        for path in ("../lab", "../voila/static", "../api/kernels", "projector", "../"):
            reply = phones[0].request.get(urljoin(f"{joining}/", path))
            assert "dcrc-explorer" not in reply.text()
            assert reply.status in (200, 404), "the form for the code, or nothing"
        # Everybody their own: emoji are text, and the picture follows.
        signs = phones[0].locator(".card .sign")
        expect(signs).to_have_count(3)
        flow = signs.evaluate_all("(signs) => signs.map((sign) => getComputedStyle(sign).overflowY)")
        assert set(flow) == {"visible"}, "an emoji is taller than its line: no scrollbar beside it"
        for n in range(6):
            for each in phones:
                expect(each.locator("#label")).to_have_text(f"Question {n + 1}")
                say(each, ("yes", "no", "dnk")[n % 3])
        tool.expect_answers(18)
        wait_for(page, "3 here · 3 answering")
        expect(page.locator(".dcrc-guests tr")).to_have_count(4)
        assert "Ann" not in page.locator(".dcrc-classroom").inner_text(), "nicknames are hidden"
        page.get_by_role("button", name="show nicknames").click()
        expect(page.locator(".dcrc-guests")).to_contain_text("<b>Eve</b>")
        tool.screenshot("1-own")
        # A vote: hidden, revealed, once more.
        press(page, "Vote")
        for each, value in zip(phones, ("yes", "no", "no"), strict=True):
            expect(each.locator("#label")).to_have_text("Vote")
            say(each, value)
            expect(each.get_by_role("heading")).to_have_text("Thank you")
        wait_for(page, "3 here · 3 voted")
        expect(page.locator(".dcrc-votes i")).to_have_count(0)
        assert "1" not in "".join(page.locator(".dcrc-tally").all_inner_texts())
        tool.screenshot("2-hidden")
        press(page, "Reveal")
        expect(page.locator(".dcrc-tally")).to_have_text(["1", "2", "0"])
        expect(page.locator(".dcrc-chance").first).to_contain_text("model")
        expect(page.locator(".dcrc-result small").first).to_contain_text("If all said so")
        page.set_viewport_size({"width": 1280, "height": 720})
        status = page.locator(".dcrc-status").bounding_box()
        assert status["y"] + status["height"] <= 720, "the bar is in sight on a projector"
        tool.screenshot("3-projector")
        page.set_viewport_size({"width": 1280, "height": 900})
        press(page, "Vote again")
        for each in phones:
            expect(each.locator("#label")).to_have_text("Second vote")
            say(each, "no")
        wait_for(page, "3 here · 3 voted")
        press(page, "Reveal")
        expect(page.locator(".dcrc-tally")).to_have_text(["1 → 0", "2 → 3", "0 → 0"])
        tool.screenshot("4-both-votes")
        press(page, "Each their own")
        for each in phones:
            expect(each.locator("#label")).to_have_text(re.compile("Question 9|Question 7"))
        # Pause, one who is forgotten, and the end.
        press(page, "pause")
        expect(phones[0].get_by_role("heading")).to_have_text("A short pause")
        press(page, "Resume")
        page.locator(".dcrc-guests").get_by_role("button", name="forget").first.click()
        tool.expect_answers(14)
        press(page, "close the class")
        press(page, "close: sure?")
        expect(page.locator(".dcrc-classroom")).to_be_hidden()
        expect(phones[1].get_by_role("heading")).to_have_text("This room is closed")
        # The notice of the page that was written; a better grouping may have been found since.
        expect(page.locator(".dcrc-notice")).to_contain_text(re.compile("emoji-class.html|better grouping"))
    work = tmp_path / "work"
    report = tool.page
    report.goto((work / "emoji-class.html").as_uri())
    expect(report.get_by_role("heading", name="A class with 2 participants")).to_be_visible()
    expect(report.locator(".class meter")).to_have_count(6)
    rows = list(csv.DictReader((work / "emoji-class.csv").read_text().splitlines()))
    assert len(rows) == 16
    assert {row["way"] for row in rows} == {"own", "vote 1.1", "vote 1.2"}


def test_phones_say_that_the_kernel_is_gone_and_go_on_when_it_is_back(
    tool: Tool, phone: Phones, tmp_path: Path
) -> None:
    with running_command(tmp_path, "class", "emoji", "--phones", str(free_port())) as address:
        page = tool.page
        joining = open_projector(tool, address)
        each = phone(joining)
        join(each, "Ann")
        say(each, "yes")
        expect(each.locator("#status")).to_have_text("Saved.")
        tool.expect_answers(1)
        for pid in kernels():
            psutil.Process(pid).kill()
        say(each, "no")
        expect(each.locator("#lost")).to_contain_text(
            "Your answers are saved on this device and sent as soon as possible."
        )
        assert open_projector(tool, page.url) == joining
        tool.expect_answers(2)
        expect(each.locator("#lost")).to_be_hidden()
