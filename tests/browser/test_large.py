"""Data and models of the largest sizes, and beyond them, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from live import Tool
from playwright.sync_api import expect

from dcrc_explore import DCRC
from dcrc_explore.session import Session, fitted


def test_as_many_clusters_as_there_may_be_are_drawn_as_they_are(explore) -> None:
    before = "import numpy as np\nX = 4.0 * np.repeat(np.column_stack(np.divmod(np.arange(255), 16)), 3, axis=0)"
    tool: Tool = explore("X, n_clusters=255, lam=2**-20, autosave=None", before=before)
    expect(tool.root.locator("[data-cluster]")).to_have_count(255)
    tool.click_points(4, 60, 120)
    tool.page.keyboard.press("n")
    tool.expect_answers(1)
    tool.idle()
    labels = tool.python("print(explorer.session.fit.labels.tolist())")
    drawn = tool.plane.evaluate("(plane) => [...planeOf(plane).labels]")
    assert str(drawn) == labels
    assert max(drawn) > 127
    tool.screenshot("1-many", whole_page=True)
    assert tool.problems == []


@pytest.fixture
def may_go_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """While this is not set, a fit stands still after its first iteration."""
    event, iterate = Event(), DCRC.iterate

    def slow(model: DCRC, *args: Any, **options: Any) -> Iterator[Any]:
        steps = iterate(model, *args, **options)
        yield next(steps)
        event.wait()
        yield from steps

    event.set()
    monkeypatch.setattr(DCRC, "iterate", slow)
    monkeypatch.setattr(Session, "patience", 0.0)
    monkeypatch.setattr(fitted, "_PATIENCE", 0.1)
    yield event
    event.set()


def test_a_long_fit_says_how_far_it_is_and_can_be_stopped(may_go_on: Event, explore) -> None:
    tool: Tool = explore("autosave=None")
    may_go_on.clear()
    tool.python("explorer.session.set(restart=True)")
    busy = tool.root.locator(".dcrc-busy")
    expect(busy).to_contain_text("Fitting…")
    tool.screenshot("1-fitting")
    stop = busy.get_by_role("button", name="Stop")
    stop.click()
    may_go_on.set()
    tool.idle()
    expect(stop).to_be_hidden()
    expect(tool.root.locator(".dcrc-notice")).to_contain_text("ended before it had converged")
    assert tool.python("print(explorer.session.model.trace.objective.converged)") == "False"
    assert tool.problems == []


def test_the_fit_to_other_data_can_be_ended_while_their_picture_is_there(may_go_on: Event, explore) -> None:
    tool: Tool = explore("autosave=None")
    may_go_on.clear()
    tool.root.locator("[data-name=data]").select_option("Two moons")
    tool.root.locator(".dcrc-busy").get_by_role("button", name="Stop").click()
    assert tool.python("print(len(explorer.session.fit.labels))") == "100"
    may_go_on.set()
    tool.idle()
    expect(tool.root.locator(".dcrc-notice")).to_contain_text("ended before it had converged")
    code = "objective = explorer.session.model.trace.objective; print(len(objective), objective.converged)"
    assert tool.python(code) == "2 False"
    tool.page.keyboard.press("y")
    tool.expect_answers(1)
    tool.idle()
    assert tool.python("print(explorer.session.model.trace.objective.converged)") == "True"
    assert tool.problems == []


def test_so_many_points_that_they_become_a_cloud_are_drawn_each_where_it_is(explore) -> None:
    before = (
        "import numpy as np\nrng = np.random.default_rng(0)\n"
        "y = rng.integers(3, size=100_000)\nX = 6 * np.eye(3, 5)[y] + rng.normal(size=(100_000, 5))"
    )
    tool: Tool = explore("X, y, autosave=None", before=before)
    tool.page.keyboard.press("y")
    tool.expect_answers(1)
    tool.idle()
    # Around a point in the middle of a cluster the picture has its colour, and beside all clusters that of the paper.
    colour = """(plane, [x, y]) => {
        const canvas = plane.querySelector("canvas"), ratio = window.devicePixelRatio;
        return [...canvas.getContext("2d").getImageData(x * ratio, y * ratio, 1, 1).data];
    }"""
    middle = tool.plane.evaluate(
        "(plane) => { const own = [...planeOf(plane).labels.keys()].filter((i) => planeOf(plane).labels[i] === 0); "
        "const at = (axis) => own.map((i) => planeOf(plane).at[2 * i + axis]).sort((a, b) => a - b)[own.length >> 1]; "
        "return [at(0), at(1)]; }"
    )
    red, green, blue, opaque = tool.plane.evaluate(colour, middle)
    assert opaque > 200
    assert blue > red + 50  # the first cluster is blue
    assert green > red
    assert tool.plane.evaluate(colour, [2, 2])[3] == 0
    whole = "(keys) => [...keys.querySelectorAll('.name')].every((name) => name.scrollWidth <= name.clientWidth)"
    assert tool.root.locator(".dcrc-legend .keys").evaluate(whole)
    # No count is cut, however wide the legend is.
    cut = """(keys) => {
        const legend = keys.parentElement, widths = Array.from({ length: 45 }, (_, i) => 340 + 10 * i);
        const isCut = (width) => (legend.style.width = `${width}px`, keys.scrollWidth > keys.clientWidth);
        const found = widths.filter(isCut);
        legend.style.width = "";
        return found;
    }"""
    assert tool.root.locator(".dcrc-legend .keys").evaluate(cut) == []
    # Long names leave room for the counts.
    tool.python("for k in range(3): explorer.session.name_cluster(k, f'a name that is rather long {k}')")
    keys = tool.root.locator(".dcrc-legend .keys")
    expect(keys.locator(".name").first).to_have_text("a name that is rather long 0")
    assert keys.evaluate("(keys) => keys.scrollWidth <= keys.clientWidth")
    assert [count[-1] for count in keys.locator(".count").all_inner_texts()] == ["k"] * 3
    tool.screenshot("1-cloud")
    assert tool.problems == []
