"""Gestures by messages of the browser: proposed, confirmed, and what the tab Clusters says of the number of groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.tabs import pack_groups

X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 20, axis=0) + np.random.default_rng(0).normal(size=(60, 2))


class Browser:
    """Sends messages to an explorer, and keeps what comes back beside the traits."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer, self.came, self._n = explorer, list[dict[str, Any]](), 0
        explorer.send = lambda content, buffers=None: self.came.append(content)  # type: ignore[method-assign]

    def __call__(self, do: str, **message: Any) -> str:
        self._n += 1
        content = {"do": do, "request": str(self._n), **message}
        self.explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
        return self.explorer.notice.get("text", "")


@pytest.fixture
def send() -> Browser:
    return Browser(Explorer(X, autosave=None))


def proposal(send: Browser) -> dict[str, Any]:
    return [content["proposal"] for content in send.came if "proposal" in content][-1]


def test_a_gesture_counts_only_when_it_is_confirmed(send: Browser) -> None:
    session = send.explorer.session
    send("propose", gesture="merge", clusters=[0, 1], rows=[])
    sent = proposal(send)
    assert (sent["title"], sent["clusters"], len(sent["points"])) == (
        "Cluster 1 and cluster 2 belong together.",
        [3, 2],
        3,
    )
    assert len(session.log) == 0
    assert send("confirm", number=sent["number"], clusters=True, lines=[0, 1, 2]) == (
        "3 answers added. Undo (Z) takes them back in one step."
    )
    assert (session.settings.n_clusters, len(session.log)) == (2, 3)
    assert "another gesture was proposed" in send("confirm", number=sent["number"], clusters=True, lines=[0])  # once
    send("undo")
    assert (session.settings.n_clusters, len(session.log)) == (3, 0)


def test_k_stays_when_the_person_unticks_it(send: Browser) -> None:
    send("propose", gesture="split", clusters=[0], rows=[])
    assert proposal(send)["clusters"] == [3, 4]
    send("confirm", number=proposal(send)["number"], clusters=False, lines=[0, 1, 2, 3])
    assert send.explorer.session.settings.n_clusters == 3
    assert len(send.explorer.session.log) == 4


def test_any_line_can_be_unticked(send: Browser) -> None:
    send("propose", gesture="group", clusters=[], rows=[0, 1, 25])
    number, points = proposal(send)["number"], proposal(send)["points"]
    assert proposal(send)["clusters"] == [3, 4]
    assert "the lines of this gesture are 0 to 1, got [2]" in send("confirm", number=number, clusters=True, lines=[2])
    assert send("confirm", number=number, clusters=True, lines=[1]).startswith("1 answer added.")
    assert [list(entry.points) for entry in send.explorer.session.log] == [points[1]]


def test_selected_points_are_put_together_or_moved(send: Browser) -> None:
    send("propose", gesture="together", clusters=[], rows=[0, 25, 50])
    assert proposal(send)["title"] == "These 3 points are one group."
    send("propose", gesture="move", clusters=[1], rows=[0])
    assert proposal(send)["title"] == "This point belongs to cluster 2."
    assert "is about 2 clusters, got 1" in send("propose", gesture="merge", clusters=[1], rows=[])
    assert "gesture of the message 'propose'" in send("propose", gesture="explode", clusters=[], rows=[])


def test_the_tab_clusters_says_when_groups_are_compared(send: Browser) -> None:
    session = send.explorer.session
    groups = pack_groups(session)
    assert groups is not None
    assert groups["words"] == "From 15 answers on, this shows how many groups they fit; now there are 0."
    assert groups["numbers"] == []
    assert pack_groups(Explorer("far", autosave=None).session) is None  # the truth knows
    send("gallery")
    assert send.explorer.gallery["groups"] == groups
