"""Real browsers as phones: from the address to the last page, on a bad line, in the dark, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from live import ARTEFACTS, LOOK, TIMEOUT, free_port
from playwright.sync_api import Browser, Locator, Page, expect

from dcrc_explore.datasets import Texts, load_dataset
from dcrc_explore.room import Cards, FixedQuestions, Room, Server
from dcrc_explore.room.study import Study, parse_plan, read_records
from dcrc_explore.room.wording import languages, table

HOSTILE = "<img src=x onerror=window.acted=1>"
DIGITS = load_dataset("digits-8x8")
PLAN = """
title = "Which digits belong together?"
data = "digits-8x8"
[consent]
text = '''
You will see small pictures of digits.

You can stop at any time.
'''
agree = "I want to take part."
[practice]
text = "First one question for practice."
triplets = 1
[[block]]
kind = "triplets"
count = 4
text = "Now four questions about three pictures."
[[block]]
kind = "pairs"
count = 2
dnk = false
[[item]]
id = "difficulty"
text = "How hard was it?"
kind = "scale"
options = ["1", "2", "3", "4", "5"]
required = true
[[item]]
id = "remarks"
text = "Remarks"
kind = "long"
"""
Phones = Callable[..., Page]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Phones]:
    """Open an address on a phone of its own; at the end nothing may have gone wrong there."""
    trouble: list[str] = []
    contexts = []

    def open_phone(
        address: str, *, dark: bool = False, width: int = 360, height: int = 740, language: str = "en"
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=True,
            is_mobile=True,
            locale=language,
        )
        context.set_default_timeout(TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console",
            lambda message: (
                trouble.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
                else None
            ),
        )
        page.on("request", lambda request: None if "127.0.0.1" in request.url else trouble.append(request.url))
        page.goto(address)
        return page

    yield open_phone
    for context in contexts:
        context.close()
    assert trouble == []


def room_of(cards: Cards, n: int = 6) -> Room:
    questions = np.random.default_rng(0).permuted(np.tile(np.arange(len(cards)), (n, 1)), axis=1)[:, :3]
    return Room(FixedQuestions(cards, [tuple(rows) for rows in questions.tolist()], title="Which belong together?"))


def join(page: Page, name: str = "") -> None:
    page.locator("#nickname").fill(name)
    page.get_by_role("button", name="Continue").tap()
    expect(page.locator(".answers")).to_be_visible()


def press(page: Page, button: Locator, until: str = "document.querySelector('#main').dataset.shown !== before") -> None:
    """Press a button until it has done something: at first it takes no press.

    A tap comes to the page some time later, when the page may show the next question already: that would be answered.
    """
    before = page.locator("#main").get_attribute("data-shown")
    pressed = f"([button, before]) => {until} || (button.isConnected && button.click(), {until})"
    page.wait_for_function(pressed, arg=[button.first.element_handle(), before], polling=LOOK)


def say(page: Page, answer: str) -> None:
    """Answer the question on the screen, once it takes answers."""
    press(page, page.locator(f".answers .{answer}"))


def keep(page: Page, name: str) -> None:
    ARTEFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"room-{name}.png")


def test_three_phones_answer_and_hostile_names_and_texts_stay_text(phone: Phones) -> None:
    room = room_of(Cards(Texts([HOSTILE, "A longer text. " * 60, "🐧", "b", "c", "d"])))
    with Server(room, port=0) as server:
        phones = [phone(server.address, dark=n == 1) for n in range(3)]
        for page, name in zip(phones, (HOSTILE, "", "=1+1"), strict=True):
            join(page, name)
        expect(phones[0].locator("#who")).to_contain_text(HOSTILE[:20])
        expect(phones[1].locator("#who")).to_contain_text("guest 2")
        for n in range(6):
            for page, answer in zip(phones, ("yes", "no", "dnk"), strict=True):
                expect(page.locator("#label")).to_have_text(f"Question {n + 1} of 6")
                say(page, answer)
        for page in phones:
            expect(page.get_by_role("heading")).to_have_text("Thank you")
            expect(page.locator("#status")).to_have_text("Saved.")
            assert page.evaluate("window.acted") is None
    assert len(room.source.answers) == 18
    assert {(who, int(answer)) for who, _, answer, _ in room.source.answers} == {(1, 1), (2, -1), (3, 0)}


def test_the_lecturer_pauses_resumes_and_closes(phone: Phones) -> None:
    room = room_of(Cards.of(DIGITS))
    with Server(room, port=0) as server:
        page = phone(server.address)
        join(page)
        room.pause()
        expect(page.get_by_role("heading")).to_have_text("A short pause")
        keep(page, "pause")
        room.resume()
        expect(page.locator(".answers")).to_be_visible()
        room.close()
        expect(page.get_by_role("heading")).to_have_text("This room is closed")
        page.reload()
        expect(page.get_by_role("heading")).to_have_text("This room is closed")


def test_a_double_tap_counts_once(phone: Phones) -> None:
    room = room_of(Cards.of(DIGITS))
    with Server(room, port=0) as server:
        page = phone(server.address)
        join(page)
        # The second tap meets the next question, at once; until the first is taken both are too early.
        twice = "() => { for (const _ of [1, 2]) document.querySelector('.answers .yes').click(); }"
        while page.locator("#label").inner_text() == "Question 1 of 6":
            page.evaluate(twice)
        expect(page.locator("#label")).to_have_text("Question 2 of 6")
        expect(page.locator("#status")).to_have_text("Saved.")
    assert len(room.source.answers) == 1


def test_answers_given_without_a_connection_are_sent_when_it_is_back(phone: Phones) -> None:
    room = room_of(Cards.of(DIGITS))
    with Server(room, port=0) as server:
        page = phone(server.address)
        join(page, "Ann")
        expect(page.locator(".answers")).to_be_visible()
        page.context.set_offline(True)
        say(page, "yes")
        expect(page.locator("#lost")).to_contain_text("Your answers are saved on this device")
        say(page, "no")
        keep(page, "lost")
        assert room.source.answers == []
        page.context.set_offline(False)
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("#label")).to_have_text("Question 3 of 6")
        # A reload goes on where it was, as the same person.
        page.reload()
        expect(page.locator("#label")).to_have_text("Question 3 of 6")
        expect(page.locator("#who")).to_contain_text("Ann")
    assert [int(answer) for *_, answer, _ in room.source.answers] == [1, -1]


def test_a_phone_goes_on_when_the_server_is_back(phone: Phones, tmp_path: Path) -> None:
    plan, port = parse_plan(PLAN), free_port()
    with Study(plan, tmp_path / "data") as study, Server(study.room(), port=port) as server:
        page = phone(server.address)
        page.get_by_label("I want to take part.").check()
        say_next(page)
    expect(page.locator("#lost")).to_be_visible()
    with Study(plan, tmp_path / "data") as study, Server(study.room(), port=port):
        expect(page.locator("#lost")).to_be_hidden()
        say_next(page)
        expect(page.locator("#label")).to_have_text("Practice 1 of 1")


def say_next(page: Page) -> None:
    press(page, page.get_by_role("button", name=re.compile("Continue|Start")))


def test_a_study_from_consent_to_completion_code(phone: Phones, tmp_path: Path) -> None:
    with Study(parse_plan(PLAN), tmp_path / "data") as study, Server(study.room(), port=0) as server:
        page = phone(server.address)
        start = page.get_by_role("button", name="Continue")
        expect(start).to_be_disabled()
        keep(page, "consent")
        page.get_by_label("I want to take part.").check()
        say_next(page)
        expect(page.get_by_role("heading")).to_have_text("Practice")
        say_next(page)
        # Practice says what was expected, and continues when the participant does.
        expect(page.locator("#label")).to_have_text("Practice 1 of 1")
        press(page, page.locator(".answers .no"), until="document.querySelector('.feedback')")
        expect(page.locator(".feedback")).to_contain_text("The answer is")
        keep(page, "feedback")
        page.locator(".feedback .primary").tap()
        expect(page.get_by_role("heading")).to_have_text("Three items")
        say_next(page)
        say(page, "yes")
        # Back by one step, and the first answer is changed.
        expect(page.locator("#label")).to_have_text("Question 2 of 4")
        keep(page, "question")
        expect(page.locator("#status")).to_have_text("Saved.")
        page.locator("#back").tap()
        expect(page.locator("#label")).to_have_text("Question 1 of 4")
        expect(page.locator("#back")).to_be_hidden()
        for answer in ("dnk", "no", "yes", "dnk"):
            say(page, answer)
        expect(page.locator(".answers button")).to_have_count(2)  # pairs without don't know
        keep(page, "pair")
        for answer in ("yes", "no"):
            say(page, answer)
        expect(page.get_by_role("heading")).to_have_text("Some last questions")
        page.get_by_role("button", name="Continue").tap()
        expect(page.get_by_role("alert").last).to_contain_text("Please answer: How hard was it?")
        page.get_by_label("4", exact=True).check()
        page.get_by_label("Remarks").fill(HOSTILE)
        keep(page, "form")
        say_next(page)
        code = page.locator(".completion")
        expect(code).to_have_text(re.compile("[A-Z2-7]{8}"))
        keep(page, "end")
        page.reload()
        expect(code).to_have_text(study.completion(1))
        expect(page.get_by_text("Your completion code")).to_be_visible()
    records = read_records(tmp_path / "data")
    triplets = [each.entry.answer.name for each in records.of("triplet", "main")]
    assert triplets == ["DNK", "NO", "YES", "DNK"]
    assert all((each.entry.seconds or 0) > 0 for each in records.answers)
    assert records.items == {"p0001": {"difficulty": "4", "remarks": HOSTILE}}


def test_the_code_can_be_typed_and_the_plane_is_shown_without_items(phone: Phones) -> None:
    room = room_of(Cards.of(load_dataset("iris")))
    with Server(room, port=0) as server:
        page = phone(server.root, dark=True)
        page.get_by_label("Code of the room").fill("wrong 1 code")
        page.get_by_role("button", name="Join").tap()
        expect(page.get_by_role("status")).to_have_text("There is no room with this code.")
        page.get_by_label("Code of the room").fill(room.code.replace("-", " ").title())
        page.get_by_role("button", name="Join").tap()
        join(page)
        expect(page.locator(".plane .chosen")).to_have_count(3)
        expect(page.locator(".plane .dot")).to_have_count(150)
        keep(page, "plane")


@pytest.mark.parametrize("size", [(360, 740), (390, 844), (360, 640), (740, 360)])
def test_a_question_fits_on_the_screen(phone: Phones, size: tuple[int, int]) -> None:
    room = room_of(Cards.of(DIGITS))
    with Server(room, port=0) as server:
        page = phone(server.address, width=size[0], height=size[1])
        join(page)
        overflow = (
            "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
        )
        across, down = page.evaluate(overflow)
        assert across <= 0
        assert down <= (0 if min(size) > 360 or max(size) > 700 else 60)
        for button in page.locator(".answers button").all():
            box = button.bounding_box()
            assert box["height"] >= 44
        # Large type: everything is still there, only the page is longer.
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(overflow)[0] <= 0


FITS = """() => [...document.querySelectorAll("body, body *")].filter((node) =>
  node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline" && !node.matches("input")
).map((node) => `${node.tagName}.${node.className}: ${node.textContent}`)"""
FORMS = """(late) => Array.from({ length: 200 }, (_, n) =>
  late[new Intl.PluralRules(document.documentElement.lang).select(n)]).filter((form) => !form).length"""


@pytest.mark.parametrize("language", sorted(languages()))
def test_every_language_fits_on_a_small_phone(phone: Phones, language: str) -> None:
    room = room_of(Cards(Texts(["🐧", "🐟", "🦊", "🐝", "🦉", "🐢"])))
    with Server(room, port=0) as server:
        page = phone(server.address, language=language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(".primary")).to_have_text(table(language)["continue"])
        assert page.evaluate(FITS) == []
        keep(page, f"{language}-1-name")
        page.locator(".primary").tap()
        expect(page.locator(".answers .dnk b")).to_have_text(table(language)["dnk"])
        assert page.evaluate(FITS) == []
        assert page.evaluate("document.documentElement.scrollHeight") <= 740
        assert page.evaluate(FORMS, table(language)["late"]) == 0
        keep(page, f"{language}-2-question")
        page.context.set_offline(True)
        say(page, "yes")
        expect(page.locator("#lost")).to_have_text(
            f"{table(language)['no_connection']} {table(language)['answers_wait']}"
        )
        assert page.evaluate(FITS) == []
        keep(page, f"{language}-3-offline")
        room.close()
        page.context.set_offline(False)
        late = table(language)["late"]
        expect(page.locator(".page")).to_contain_text(late.get("one", late["other"]).format(n=1))
        expect(page.locator("#lost")).to_be_hidden()
        assert page.evaluate(FITS) == []
        keep(page, f"{language}-4-closed")
    assert room.source.answers == []


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_pages_of_a_study_fit_in_a_language(phone: Phones, tmp_path: Path, language: str) -> None:
    plan = parse_plan(PLAN.replace("[consent]", f'language = "{language}"\n[consent]'))
    with Study(plan, tmp_path / "data") as study, Server(study.room(), port=0) as server:
        page = phone(server.address, language="en")
        page.locator("input[type=checkbox]").tap()
        for n in range(20):
            expect(page.locator("main > section")).to_be_visible()
            assert page.evaluate(FITS) == []
            keep(page, f"{language}-study-{n}")
            if page.locator(".completion").count():
                break
            for option in page.locator("fieldset input").all()[:1]:
                option.tap()
            question = page.locator(".answers .yes, .primary").first
            press(
                page,
                question,
                "document.querySelector('.feedback') || document.querySelector('#main').dataset.shown !== before",
            )
            if page.locator(".feedback").count():
                assert page.evaluate(FITS) == []
                keep(page, f"{language}-study-feedback")
                page.locator(".feedback .primary").tap()
        assert page.locator(".completion").count()


def test_keys_and_screen_readers(phone: Phones) -> None:
    room = room_of(Cards.of(DIGITS))
    with Server(room, port=0) as server:
        page = phone(server.address)
        join(page)
        assert page.evaluate("document.activeElement.tagName") == "H1", "a reader begins with the question"
        for name in ("Picture A", "Picture B", "Picture C"):
            expect(page.get_by_role("img", name=name)).to_be_visible()
        before = page.locator("#main").get_attribute("data-shown")
        while page.locator("#main").get_attribute("data-shown") == before:
            page.keyboard.press("d")
        expect(page.locator("#status")).to_have_text("Saved.")
        assert page.locator("html").get_attribute("lang") == "en"
    assert [int(answer) for *_, answer, _ in room.source.answers] == [0]


def test_no_answer_is_taken_before_its_pictures_are_there(phone: Phones) -> None:
    room = room_of(Cards.of(DIGITS))
    with Server(room, port=0) as server:
        page = phone(server.address)
        broken = [True]
        page.route("**/item/**", lambda route: route.fulfill(status=429) if broken else route.continue_())
        page.locator("#nickname").fill("")
        page.get_by_role("button", name="Continue").tap()
        expect(page.locator("#status")).to_have_text("The pictures are still loading.")
        expect(page.locator(".answers button:enabled")).to_have_count(0)
        page.keyboard.press("y")
        broken.clear()
        expect(page.locator(".answers button:enabled")).to_have_count(3)
        say(page, "yes")
        expect(page.locator("#status")).to_have_text("Saved.")
    assert len(room.source.answers) == 1


def test_a_second_tab_says_that_its_answer_does_not_count(phone: Phones) -> None:
    room = room_of(Cards.of(load_dataset("iris")))
    with Server(room, port=0) as server:
        page = phone(server.address)
        join(page)
        other = page.context.new_page()
        other.goto(server.address)
        expect(other.locator("#label")).to_have_text("Question 1 of 6")
        say(other, "no")
        expect(other.locator("#status")).to_have_text("Saved.")
        say(page, "yes")
        expect(page.locator("#status")).to_have_text("You had answered this already. The first answer counts.")
    assert [int(answer) for *_, answer, _ in room.source.answers] == [-1]
