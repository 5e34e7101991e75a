"""An exploration as one page, opened from disk in a real browser: film, picture, list and why, and nothing acts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from live import ARTEFACTS
from playwright.sync_api import Page, expect

import dcrc_explore
from dcrc_explore.datasets import Dataset, Texts
from dcrc_explore.session import Session, explain_point
from dcrc_explore.session.reasons import why
from dcrc_explore.session.recording import record

STATIC = Path(dcrc_explore.__file__).parent / "widgets" / "static"
HOSTILE = "</script><img src=x onerror=window.acted=1><b>bold</b>"


def open_page(page: Page, session: Session, folder: Path) -> list[str]:
    """Open the page of a session; returns what goes wrong or is asked for elsewhere, from now on."""
    written, trouble = session.to_html(folder / "page.html"), []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    page.on(
        "request",
        lambda request: trouble.append(request.url) if not request.url.startswith(("file:", "data:")) else None,
    )
    page.goto(written.as_uri())
    expect(page.locator(".dcrc-page")).to_have_attribute("data-frame", str(len(session.answers)))
    return trouble


def test_a_page_from_disk_shows_the_film(page: Page, tmp_path: Path) -> None:
    session = Session("close", autosave=None)
    session.answer_by_oracle(12, oracle="noisy", epsilon=0.3)
    trouble = open_page(page, session, tmp_path)
    root = page.locator(".dcrc-page")
    expect(root.locator(".dcrc-counter")).to_have_text("12 of 12 answers")
    expect(root.locator(".dcrc-row.violated")).to_have_count(int(session.fit.violated.sum()))
    counts = [int(text) for text in root.locator(".dcrc-key .count").all_inner_texts() for text in [text.strip(" ·")]]
    assert counts == np.bincount(session.fit.labels).tolist()
    # Why, for the last state, in the session's words.
    stage = root.locator(".dcrc-plane")
    box, at = stage.bounding_box(), stage.evaluate("(stage) => stage.locate(7)")
    page.mouse.click(box["x"] + at["x"] + 1, box["y"] + at["y"] + 1)
    words = why(explain_point(session, 7), int(session.fit.labels[7]))
    expect(root.locator("section[aria-label=Why]")).to_contain_text(words)
    ARTEFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTEFACTS / "page.png", full_page=True)
    # The slider goes through the answers, by mouse, keys and the list.
    picture = stage.locator("canvas").first
    last = picture.evaluate("(canvas) => canvas.toDataURL()")
    slider = root.get_by_role("slider")
    slider.press("Home")
    expect(root).to_have_attribute("data-frame", "0")
    expect(root.locator(".dcrc-card h3").first).to_have_text("Before the first answer")
    assert picture.evaluate("(canvas) => canvas.toDataURL()") != last
    root.locator(".dcrc-row[data-t='4']").click()
    expect(root).to_have_attribute("data-frame", "5")
    expect(root.locator(".dcrc-row.later")).to_have_count(7)
    root.get_by_role("button", name="Play").click()
    expect(root).to_have_attribute("data-frame", "12")
    expect(root.get_by_role("button", name="Play")).to_be_visible()  # it stops at the end
    assert picture.evaluate("(canvas) => canvas.toDataURL()") == last
    root.get_by_role("button", name="Regions").click()
    assert picture.evaluate("(canvas) => canvas.toDataURL()") != last
    # Every control acts: there is none that would need Python.
    names = root.get_by_role("button").all_inner_texts()
    assert [name for name in names if not name.isdigit()] == ["Entropy", "Regions", "None", "True classes", "▶"]
    # A narrow window, as in slides, needs no scrolling sideways.
    page.set_viewport_size({"width": 480, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert trouble == []


def test_names_on_a_page_are_text_and_nothing_gets_in_or_out(page: Page, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    dataset = Dataset(X, np.arange(20) % 2, HOSTILE, class_names=(HOSTILE, "b"), items=Texts([HOSTILE] * 20))
    session = Session(dataset, autosave=None)
    session.answer((0, 1, 2), "no")
    trouble = open_page(page, session, tmp_path)
    root = page.locator(".dcrc-page")
    expect(root.locator("h1")).to_have_text(HOSTILE)
    expect(root.locator("figure .text").first).to_have_text(HOSTILE)
    root.get_by_role("button", name="True classes").click()
    stage = root.locator(".dcrc-plane")
    box, at = stage.bounding_box(), stage.evaluate("(stage) => stage.locate(0)")
    page.mouse.click(box["x"] + at["x"] + 1, box["y"] + at["y"] + 1)
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


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_map_in_the_browser_is_the_surface_in_python(page: Page, kernel: str) -> None:
    session = Session("close", autosave=None, kernel=kernel)
    session.answer_by_oracle(10)
    recording, surface = record(session), session.fit.surface(150)
    weights = scores = None
    if kernel == "linear":
        weights = recording.weights[-1].astype(np.float32).ravel().tolist()
    else:
        depths = recording.scores[-1].max(axis=0) - recording.scores[-1]
        scores = np.rint(255 * depths / depths.max()).ravel().tolist(), len(depths[0]), float(depths.max())
    code = f"""([weights, scores, extent]) => {{
        {(STATIC / "frames.js").read_text().replace("export ", "")}
        const score = weights ? linearScore(weights) : gridScore(...scores, extent);
        const {{ regions, entropy, margin, edge }} = surfaceOf(score, 3, extent, 150);
        return [regions, entropy, margin, edge].map((values) => Array.from(values));
    }}"""
    regions, entropy, margin, edge = (
        np.reshape(values, (150, 150)) for values in page.evaluate(code, [weights, scores, list(recording.extent)])
    )
    clear = surface.margin > (1 if kernel == "linear" else 16)
    np.testing.assert_array_equal(regions[clear], surface.regions[clear])
    tolerance = 1 if kernel == "linear" else 8
    assert np.abs(entropy - surface.entropy.astype(int)).max() <= tolerance
    assert np.abs(margin - surface.margin.astype(int)).max() <= tolerance
    if kernel == "linear":
        assert np.abs(edge - surface.edge.astype(int)).max() <= 1
