"""An exploration as one page, opened from disk in a real browser: film, picture, list and why, and nothing acts."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from live import ARTEFACTS
from planes import FIND
from playwright.sync_api import Locator, Page, expect

from dcrc_explore.datasets import Dataset, Texts
from dcrc_explore.session import Pair, Session, explain_point
from dcrc_explore.session.inspection import why

HOSTILE = "</script><img src=x onerror=window.acted=1><b>bold</b>"


def open_page(page: Page, written: Path, frames: int) -> list[str]:
    """Open a page that has so many frames after the first; returns what goes wrong or is asked for elsewhere."""
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    page.on(
        "request",
        lambda request: trouble.append(request.url) if not request.url.startswith(("file:", "data:")) else None,
    )
    page.add_init_script(FIND)
    page.goto(written.as_uri())
    shows_frame(page, frames)
    return trouble


def shows_frame(page: Page, frame: int) -> None:
    """Wait until the page shows a frame: the slider is there, and the words beside it say so."""
    expect(page.get_by_role("slider")).to_have_value(str(frame))
    expect(page.locator(".dcrc-counter")).to_have_text(re.compile(rf"^(EM iteration )?{frame} of "))


def click_point(page: Page, stage: Locator, i: int) -> None:
    box, (x, y) = stage.bounding_box(), stage.evaluate("(stage, i) => planeOf(stage).where(i)", i)
    page.mouse.click(box["x"] + x + 1, box["y"] + y + 1)


def test_a_page_from_disk_shows_the_film(page: Page, tmp_path: Path) -> None:
    session = Session("close", autosave=None)
    session.answer_by_oracle(12, oracle="noisy", epsilon=0.3)
    trouble = open_page(page, session.export.to_html(tmp_path / "page.html"), len(session.log))
    root = page.locator(".dcrc-page")
    expect(root.locator(".dcrc-counter")).to_have_text("12 of 12 answers")
    expect(root.locator(".dcrc-row.violated")).to_have_count(int(session.fit.violated.sum()))
    counts = [
        int(text) for text in root.locator(".dcrc-legend .count").all_inner_texts() for text in [text.strip(" ·")]
    ]
    assert counts == np.bincount(session.fit.labels).tolist()
    # Why, for the last state, in the session's words.
    stage = root.locator(".dcrc-plane")
    click_point(page, stage, 7)
    words = why(explain_point(session, 7), int(session.fit.labels[7]))
    expect(root.locator("section[aria-label=Why]")).to_contain_text(words)
    ARTEFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTEFACTS / "page.png", full_page=True)
    # The slider goes through the answers, by mouse, keys and the list.
    picture = stage.locator("canvas").first
    last = picture.evaluate("(canvas) => canvas.toDataURL()")
    slider = root.get_by_role("slider")
    slider.press("Home")
    shows_frame(page, 0)
    expect(root.locator(".dcrc-card h3").first).to_have_text("Before the first answer")
    assert picture.evaluate("(canvas) => canvas.toDataURL()") != last
    root.locator(".dcrc-row").nth(4).click()
    shows_frame(page, 5)
    expect(root.locator(".dcrc-row.later")).to_have_count(7)
    root.get_by_role("button", name="Play").click()
    shows_frame(page, 12)
    expect(root.get_by_role("button", name="Play")).to_be_visible()  # it stops at the end
    assert picture.evaluate("(canvas) => canvas.toDataURL()") == last
    root.get_by_role("button", name="Regions").click()
    assert picture.evaluate("(canvas) => canvas.toDataURL()") != last
    # Every control acts: there is none that would need Python.
    names = root.get_by_role("button").all_inner_texts()
    assert [name for name in names if not name.isdigit()] == [
        *("Entropy", "Regions", "None", "True classes", "Continue from here", "▶", "#", "K", "?"),
    ]
    # A narrow window, as in slides, needs no scrolling sideways.
    page.set_viewport_size({"width": 480, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert trouble == []


def test_names_on_a_page_are_text_and_nothing_gets_in_or_out(page: Page, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    dataset = Dataset(X, np.arange(20) % 2, HOSTILE, class_names=(HOSTILE, "b"), items=Texts([HOSTILE] * 20))
    session = Session(dataset, autosave=None)
    session.answer((0, 1, 2), "no")
    trouble = open_page(page, session.export.to_html(tmp_path / "page.html"), len(session.log))
    root = page.locator(".dcrc-page")
    expect(root.locator("h1")).to_have_text(HOSTILE)
    expect(root.locator("figure .text").first).to_have_text(HOSTILE)
    root.get_by_role("button", name="True classes").click()
    stage = root.locator(".dcrc-plane")
    click_point(page, stage, 0)
    expect(root.locator(".dcrc-hint")).to_contain_text(HOSTILE)
    assert page.locator("img, b:has-text('bold')").count() == 0
    assert page.evaluate("() => window.acted") is None
    assert trouble == []
    # The policy holds even against what would run in the page.
    page.evaluate(
        "() => document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.acted = 1'}))"
    )
    assert page.evaluate("() => window.acted") is None
    assert page.evaluate("() => fetch('data:,x').then(() => 'in', () => 'out')") == "out"


def test_em_is_a_film_too_with_names_and_pictures(page: Page, tmp_path: Path) -> None:
    session = Session("digits", autosave=None)
    session.answer((1, 2, 3), "no")
    session.name_cluster(2, "roundish")
    last = len(session.model.trace.objective) - 1
    trouble = open_page(page, session.export.to_html(tmp_path / "em.html", film="iterations"), last)
    root = page.locator(".dcrc-page")
    expect(root.locator(".dcrc-counter")).to_have_text(f"EM iteration {last} of {last}")
    expect(root.locator(".dcrc-legend .name").nth(2)).to_have_text("roundish")
    expect(root.locator(".dcrc-row img")).to_have_count(3)
    expect(root.locator(".dcrc-panel-objective svg")).to_be_visible()
    root.get_by_role("slider").press("Home")
    expect(root.locator(".dcrc-card h3").first).to_have_text("EM iteration 0")
    expect(root.locator(".dcrc-row.later")).to_have_count(0)  # a fit hears every answer
    expect(root.locator(".dcrc-row button")).to_have_count(0)  # which leads to no frame of its own
    # What each cluster holds, whatever frame is shown.
    held = root.get_by_role("region", name="Clusters").locator("[data-cluster]")
    sizes = np.bincount(session.fit.labels)
    named = ["roundish" if k == 2 else f"cluster {k + 1}" for k in range(len(sizes))]
    expect(held.locator("h4")).to_have_text([f"{name}{n} points" for name, n in zip(named, sizes, strict=True)])
    expect(held.nth(2).locator("img")).to_have_count(12)
    page.screenshot(path=ARTEFACTS / "page-em.png", full_page=True)
    assert trouble == []


def test_a_legend_cuts_long_names_and_no_numbers_or_counts(page: Page, tmp_path: Path) -> None:
    session = Session("digits", n_clusters=10, autosave=None)
    session.name_cluster(2, "roundish")
    trouble = open_page(page, session.export.to_html(tmp_path / "page.html"), 0)
    legend = page.locator(".dcrc-legend")
    cut = """(legend, part) => [...legend.querySelectorAll(part)]
        .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""
    assert legend.evaluate(cut, ".name, .count, .keys") == []  # there is room for everything
    session.set(n_clusters=4)
    for k, name in enumerate(("mountains", "a", "a name that is rather long", "sea")):
        session.name_cluster(k, name)
    page.goto(session.export.to_html(tmp_path / "names.html").as_uri())
    for width in (1280, 1024, 800, 480, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert legend.evaluate(cut, ".keys, .keys > *, .count") == []
    expect(legend.locator(".name").nth(1)).to_have_text("a")
    assert trouble == []


def test_answers_about_two_points_are_listed_and_drawn(page: Page, tmp_path: Path) -> None:
    session = Session("close", autosave=None)
    session.answer_by_oracle(1, strategy="random")
    session.add([(0, 1), (2, 149), (3, 148)], ["no", "no", "dnk"])  # the first is false
    session.answer_by_oracle(1, strategy="random")
    ARTEFACTS.mkdir(exist_ok=True)
    trouble = open_page(page, session.export.to_html(tmp_path / "page.html"), 5)
    rows = page.get_by_role("region", name="Answers").get_by_role("listitem")
    expect(rows).to_have_count(5)  # in the order in which they came
    expect(rows.nth(1)).to_contain_text("no")
    violated = re.compile(r"\bviolated\b")
    together = session.fit.labels[0] == session.fit.labels[1]
    (expect(rows.nth(1)).to_have_class if together else expect(rows.nth(1)).not_to_have_class)(violated)
    expect(rows.nth(3)).not_to_have_class(violated)  # don't know says nothing about two points
    drawn = "document.querySelectorAll('.dcrc-plane canvas')[1].toDataURL()"
    before = page.evaluate(drawn)
    rows.nth(2).hover()
    page.wait_for_function(f"(before) => {drawn} !== before", arg=before)
    page.screenshot(path=ARTEFACTS / "page-pairs.png", full_page=True)
    page.get_by_role("slider").press("Home")
    expect(page.locator(".dcrc-row.later")).to_have_count(5)
    rows.nth(2).click()
    shows_frame(page, 3)
    expect(page.locator(".dcrc-card h3").first).to_have_text("Answer 3: no")
    assert not trouble


def test_two_models_side_by_side_share_one_film(page: Page, tmp_path: Path) -> None:
    pair = Pair(Session("close", autosave=None), {"epsilon": 0.0})
    pair.first.answer_by_oracle(8, oracle="noisy", epsilon=0.3)
    page.set_viewport_size({"width": 1500, "height": 950})
    trouble = open_page(page, pair.to_html(tmp_path / "both.html"), 8)
    root = page.locator(".dcrc-page")
    expect(root.locator("h2")).to_have_text(["Answers: soft, ε = 0.05", "Answers: hard, ε = 0"])
    stages = root.locator(".dcrc-plane")
    left, right = (stages.nth(p).bounding_box() for p in (0, 1))
    assert left["x"] + left["width"] <= right["x"]
    click_point(page, stages.nth(1), 7)
    for each in (pair.first, pair.second):
        words = why(explain_point(each, 7), int(each.fit.labels[7]))
        expect(root.locator("section[aria-label=Why]")).to_contain_text(words)
    page.screenshot(path=ARTEFACTS / "page-pair.png", full_page=True)
    root.locator(".dcrc-row").nth(2).click()
    shows_frame(page, 3)
    expect(root.locator(".dcrc-row.later")).to_have_count(5)
    page.set_viewport_size({"width": 480, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert trouble == []
