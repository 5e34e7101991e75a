"""The tool as a page without Python, opened from disk with the network off: answers, fits, scenes, files, memory."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hostile import AWKWARD, HOSTILE
from playwright.sync_api import Browser, Page, expect

from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import as_dataset
from dcrc_explore.scenes import load_scene
from dcrc_explore.session import Session
from dcrc_explore.widgets.livepage import live_module, live_page

LARGEST = 400_000  # bytes
LIVE = ".dcrc-explorer[data-state=idle]"


class Live:
    """A live page, and what goes wrong in it or is asked for elsewhere."""

    def __init__(self, browser: Browser, file: Path, shows: str = LIVE, **options: object) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})  # type: ignore[arg-type]
        self.context.set_offline(True)
        self.trouble: list[str] = []
        self.page = self.open(file.as_uri(), shows)

    def open(self, address: str, shows: str = LIVE) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.trouble.append(message.text))
        page.on("request", lambda request: self._asked(request.url))
        page.goto(address)
        expect(page.locator(shows)).to_be_visible()
        return page

    def _asked(self, address: str) -> None:
        if not address.startswith(("file:", "data:", "blob:")):
            self.trouble.append(address)

    def answers(self, count: int) -> None:
        expect(self.page.locator(".dcrc-status-text")).to_have_text(re.compile(rf"^{count} answers? "))

    def answer(self, keys: str, before: int = 0) -> None:
        """Answer questions by keys, each when it can be answered."""
        for count, key in enumerate(keys, before + 1):
            expect(self.page.locator(".dcrc-answer.yes")).not_to_have_attribute("aria-disabled", "true")
            expect(self.page.locator(".dcrc-worth")).not_to_be_empty()
            self.page.keyboard.press(key)
            self.answers(count)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("live") / "live.html"
    file.write_text(live_page(), encoding="utf-8")
    return file


@pytest.fixture
def live(page: Page, written: Path) -> Live:
    browser = page.context.browser
    assert browser is not None
    return Live(browser, written)


def test_a_scene_is_played_and_answered(live: Live, written: Path) -> None:
    assert written.stat().st_size < LARGEST
    page = live.page
    outcome = page.locator(".dcrc-outcome")
    expect(outcome).to_have_text("Agreement with the truth: 0.33.")
    page.get_by_role("button", name="two points").click()
    expect(page.locator(".dcrc-card h3").first).to_contain_text("belong together")
    live.answer("y")
    page.get_by_role("button", name="three points").click()
    page.keyboard.press("z")
    live.answers(0)
    expect(page.locator(".dcrc-answer.yes")).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press(".")
    live.answers(5)
    page.keyboard.press(".")
    live.answers(20)
    assert float(re.findall(r"[\d.]+(?=\.$)", outcome.inner_text())[0]) > 0.58  # what the scene promises
    expect(page.locator(".dcrc-panel-objective, [data-panel=objective]").first).to_be_visible()
    page.keyboard.press(",")
    live.answers(5)
    assert live.trouble == []


def test_answers_stay_in_the_browser_and_in_the_link(live: Live, written: Path) -> None:
    live.answer("ydn")
    again = live.open(written.as_uri())
    expect(again.locator(".dcrc-status-text")).to_have_text(re.compile(r"^3 answers "))
    page = live.page
    page.get_by_role("tab", name="Session").click()
    page.get_by_role("button", name="Link").click()
    link = page.locator(".dcrc-sheet textarea").input_value()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Forget these answers").click()
    live.answers(0)
    shared = live.open(link)
    expect(shared.locator(".dcrc-status-text")).to_have_text(re.compile(r"^3 answers "))
    assert live.trouble == []


def test_python_opens_the_session_file(live: Live, tmp_path: Path) -> None:
    live.answer("yd")
    page = live.page
    page.get_by_role("tab", name="Session").click()
    with page.expect_download() as begun:
        page.get_by_role("button", name="Session file").click()
    begun.value.save_as(tmp_path / "from-the-page.json")
    session = Session.load(tmp_path / "from-the-page.json")
    assert session.log.answers.tolist() == [Answer.YES, Answer.DNK]
    assert session.dataset.X.shape == (150, 2)
    with page.expect_download() as begun:
        page.get_by_role("button", name="Table (CSV)").click()
    begun.value.save_as(tmp_path / "answers.csv")
    assert Session(session.dataset, autosave=None).add_csv(tmp_path / "answers.csv") == 2


def test_the_settings_change_the_model(live: Live) -> None:
    page = live.page
    live.answer("yn")
    boundary = page.locator(".dcrc-legend").inner_text()
    page.get_by_role("tab", name="Model").click()
    page.get_by_role("button", name="RBF").click()
    expect(page.locator(".dcrc-explorer[data-state=idle]")).to_be_visible()
    page.locator("[data-name=data] select, select[data-name=data]").first.select_option(label="Two moons")
    live.answers(0)
    assert page.locator(".dcrc-legend").inner_text() != boundary
    page.get_by_role("tab", name="Ask").click()
    page.locator("[data-name=oracle] select, select[data-name=oracle]").first.select_option(label="the truth")
    page.locator("[data-name='ask.10']").click()
    live.answers(10)
    page.get_by_role("button", name="New points").click()
    live.answers(0)
    assert live.trouble == []


def test_a_page_of_a_session_goes_on_from_its_answers(page: Page, tmp_path: Path) -> None:
    session = Session("moons", autosave=None, kernel="rbf")
    session.answer_by_oracle(6)
    file = tmp_path / "moons.html"
    file.write_text(live_page(session), encoding="utf-8")
    browser = page.context.browser
    assert browser is not None
    live = Live(browser, file)
    live.answers(6)
    shown = [int(count) for count in re.findall(r"· (\d+)", live.page.locator(".dcrc-legend").inner_text())]
    assert sorted(shown) == sorted(np.bincount(session.fit.labels).tolist())
    live.answer("y", before=6)
    assert live.trouble == []


def test_names_cannot_act(page: Page, tmp_path: Path) -> None:
    browser = page.context.browser
    assert browser is not None
    for name in (*HOSTILE, AWKWARD, "</script><script>window.hacked=1</script>"):
        X = np.random.default_rng(0).normal(size=(30, 2))
        session = Session(as_dataset(X, [f"{name}{n % 2}" for n in range(30)], name=name), autosave=None)
        session.answer((0, 1, 2), "yes", by="somebody")
        file = tmp_path / "hostile.html"
        file.write_text(live_page(session), encoding="utf-8")
        live = Live(browser, file)
        live.answers(1)
        assert live.page.evaluate("window.hacked") is None
        assert live.trouble == []
        live.context.close()


def test_a_frame_that_may_store_nothing_says_so(page: Page, written: Path, tmp_path: Path) -> None:
    around = tmp_path / "around.html"
    around.write_text(f'<iframe sandbox="allow-scripts" src="{written.as_uri()}" width="900" height="800"></iframe>')
    page.goto(around.as_uri())
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Yes").click()
    expect(frame.locator(".dcrc-status-text")).to_have_text(re.compile("^1 answer .* not saved: in memory only"))


def test_a_phone_in_the_dark(page: Page, written: Path) -> None:
    browser = page.context.browser
    assert browser is not None
    live = Live(browser, written, viewport={"width": 360, "height": 740}, color_scheme="dark", has_touch=True)
    page = live.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".dcrc-answer.yes").tap()
    live.answers(1)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert live.trouble == []


def test_a_film_continues_from_any_frame(page: Page, tmp_path: Path) -> None:
    session = Session("close", autosave=None)
    session.answer_by_oracle(8)
    browser = page.context.browser
    assert browser is not None
    live = Live(browser, session.export.to_html(tmp_path / "film.html"), shows=".dcrc-counter")
    page = live.page
    onwards = page.get_by_role("button", name="Continue from here")
    page.locator(".dcrc-frames").press("ArrowLeft")
    page.locator(".dcrc-frames").press("ArrowLeft")
    expect(page.locator(".dcrc-counter")).to_have_text("6 of 8 answers")
    onwards.click()
    live.answers(6)
    live.answer("y", before=6)
    assert live.trouble == []
    # A film of data that a live page does not take has no such button.
    page = live.open(
        Session("breast-cancer", autosave=None).export.to_html(tmp_path / "cells.html").as_uri(), ".dcrc-counter"
    )
    expect(page.get_by_role("button", name="Continue from here")).to_be_hidden()


BOOK = """<!doctype html><main></main><script type="module">
import widget from "./live.mjs";
const root = document.querySelector("main").attachShadow({ mode: "open" });
const values = { scene: "dont-know" };
const model = { get: (name) => values[name], set() {}, save_changes() {}, on() {}, off() {}, send() {} };
void widget.render({ model, el: root.appendChild(document.createElement("div")) });
</script>"""


def test_a_book_shows_it_as_a_module_without_a_kernel(page: Page) -> None:
    """As the theme of MyST does: in a shadow root, with a model that only has the values of the page."""
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.route("**/live.mjs", lambda route: route.fulfill(body=live_module(), content_type="text/javascript"))
    page.route("**/book.html", lambda route: route.fulfill(body=BOOK, content_type="text/html"))
    page.goto("http://127.0.0.1/book.html")
    expect(page.locator(LIVE)).to_be_visible()
    expect(page.locator(".dcrc-playing")).to_contain_text(load_scene("dont-know").title)
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".dcrc-outcome")).to_contain_text("→")
    page.get_by_role("tab", name="Session").click()
    expect(page.get_by_role("button", name="Session file")).to_be_visible()
    expect(page.get_by_role("button", name="Frame")).to_be_hidden()
    assert trouble == []


def test_points_are_drawn_by_hand(live: Live, tmp_path: Path) -> None:
    page = live.page
    live.answer("y")
    page.get_by_role("tab", name="Data").click()
    page.get_by_role("button", name="Empty plane").click()
    expect(page.locator(".dcrc-drawn")).to_contain_text("An empty plane")
    box = page.locator(".dcrc-plane").bounding_box()
    assert box is not None
    for key, x in (("1", 0.2), ("2", 0.7)):
        page.keyboard.press(key)
        page.mouse.move(box["x"] + x * box["width"], box["y"] + 0.3 * box["height"])
        page.mouse.down()
        page.mouse.move(box["x"] + x * box["width"], box["y"] + 0.7 * box["height"], steps=8)
        page.mouse.up()
    expect(page.locator(".dcrc-legend")).to_contain_text("cluster 2")
    page.get_by_role("button", name="Back to questions (Esc)").click()
    live.answer("y")
    page.get_by_role("tab", name="Session").click()
    with page.expect_download() as begun:
        page.get_by_role("button", name="Session file").click()
    begun.value.save_as(tmp_path / "drawn.json")
    session = Session.load(tmp_path / "drawn.json")
    assert session.dataset.drawing is not None
    assert session.dataset.n_classes == 2
    assert len(session.log) == 1
    page.get_by_role("button", name="Link").click()
    shared = live.open(page.locator(".dcrc-sheet textarea").input_value())
    expect(shared.locator(".dcrc-status-text")).to_have_text(re.compile("^1 answer "))
    sizes = [text.split("·")[1].strip() for text in page.locator(".dcrc-legend button").all_inner_texts()]
    for size in sizes:  # the same groups; a link does not hold which of them has which number
        alike = shared.locator(".dcrc-legend button").filter(has_text=re.compile(rf"·\s*{size}\b"))
        expect(alike).to_have_count(sizes.count(size))
    page.keyboard.press("Escape")
    for _ in range(3):  # the answer and both strokes
        page.keyboard.press("z")
    live.answers(1)
    assert live.trouble == []


def test_soft_and_hard_side_by_side(page: Page, tmp_path: Path) -> None:
    browser = page.context.browser
    assert browser is not None
    file = tmp_path / "wrong.html"
    file.write_text(live_page(scene="one-wrong-answer"), encoding="utf-8")
    live = Live(browser, file)
    page = live.page
    outcome = page.locator(".dcrc-outcome")
    expect(page.locator(".dcrc-compare .dcrc-differences")).to_contain_text("hard, ε = 0")
    expect(outcome).to_contain_text("soft and hard agree equally", ignore_case=True)
    page.get_by_role("button", name="Next").click()
    expect(outcome).to_have_text("Agreement with the truth: soft 1.00, hard 0.73.")
    page.get_by_role("button", name="Undo").click()
    expect(outcome).to_contain_text("agree equally")
    page.get_by_role("button", name="← One model").click()
    expect(page.locator(".dcrc-compare")).to_be_hidden()
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".dcrc-compare")).to_be_visible()
    assert live.trouble == []


def test_items_and_more_features_than_a_plane_has(page: Page, tmp_path: Path) -> None:
    browser = page.context.browser
    assert browser is not None
    for data, seen in (("scenes", ".dcrc-card .dcrc-item img"), ("iris", ".dcrc-card .dcrc-item")):
        session = Session(data, autosave=None)
        session.answer_by_oracle(5)
        file = tmp_path / f"{data}.html"
        file.write_text(live_page(session), encoding="utf-8")
        live = Live(browser, file)
        page = live.page
        live.answers(5)
        expect(page.locator(seen).nth(2)).to_be_visible()
        shown = [int(count) for count in re.findall(r"· (\d+)", page.locator(".dcrc-legend").inner_text())]
        assert sorted(shown) == sorted(np.bincount(session.fit.labels).tolist())
        live.answer("y", before=5)
        page.get_by_role("button", name="Compare").click()
        expect(page.locator(".dcrc-compare")).to_be_visible()
        again = live.open(file.as_uri())
        expect(again.locator(".dcrc-status-text")).to_have_text(re.compile("^6 answers "))
        assert live.trouble == []
