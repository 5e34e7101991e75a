"""Data and models of the largest sizes, and beyond them, in a real JupyterLab."""

from __future__ import annotations

from live import Tool
from playwright.sync_api import expect


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


# The first iteration of a fit to other data is shown; the next ones wait until they may go on.
SLOW = """
from threading import Event
from dcrc_explore import DCRC
from dcrc_explore.session import Session, fitted

Session.patience, fitted._PATIENCE = 0.0, 0.1
iterate, may_go_on = DCRC.iterate, Event()

def slow(model, *args, **options):
    steps = iterate(model, *args, **options)
    yield next(steps)
    may_go_on.wait(timeout=60)
    yield from steps
"""


def test_the_fit_to_other_data_can_be_ended_while_their_picture_is_there(explore) -> None:
    tool: Tool = explore("autosave=None", before=SLOW)
    tool.python("DCRC.iterate = slow")
    tool.root.locator("[data-name=data]").select_option("Two moons")
    stop = tool.root.get_by_role("button", name="Stop", exact=True)
    stop.click()
    assert tool.python("may_go_on.set(); print(len(explorer.session.fit.labels))") == "100"
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
    tool.python("for k in range(3): explorer.session.name_cluster(k, 'a name that is rather long')")
    keys = tool.root.locator(".dcrc-legend .keys")
    expect(keys.locator(".name").first).to_have_text("a name that is rather long")
    assert keys.evaluate("(keys) => keys.scrollWidth <= keys.clientWidth")
    assert [count[-1] for count in keys.locator(".count").all_inner_texts()] == ["k"] * 3
    tool.screenshot("1-cloud")
    assert tool.problems == []
