"""Links that set the scene: what an address asks for is checked, and a scene comes back from its link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore.session import Session, SessionError, Settings
from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.address import GROUPS, read_address, write_address


@pytest.mark.parametrize(
    ("data", "parameters", "settings"),
    [
        ("close", {}, {}),
        ("moons", {"seed": 3, "n_per_cluster": 20}, {"epsilon": 2 / 3, "kernel": "rbf", "gamma": 0.1}),
        ("many", {"n_clusters": 8}, {"n_clusters": 4, "balance": False, "use_dnk": False, "lam": 2.0**-11}),
        ("iris", {}, {"tau": 1 / 3, "restart": True, "random_state": 7, "gamma": "scale"}),
    ],
)
def test_a_scene_comes_back_from_its_link(data, parameters, settings) -> None:
    session = Session(data, parameters=parameters, autosave=None, **settings)
    query = write_address(session, ["truth", "session"])
    explorer = Explorer.from_address(f"token=secret&{query}", autosave=None)
    assert explorer.notice == {}
    assert explorer.session.settings == session.settings
    assert explorer.session.dataset.name == session.dataset.name
    assert (explorer.session.dataset.X == session.dataset.X).all()
    assert explorer.hidden == ["truth", "session"]
    assert "truth" not in explorer.values
    assert "secret" not in query


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("epsilon=0.9", "epsilon must be a number between 0 and 0.667, got 0.9"),
        ("epsilon=nan", "epsilon must be a number between 0 and 0.667, got nan"),
        ("tau=much", "tau must be a number of at least 0, got 'much'"),
        ("balance=maybe", "balance must be True or False, got 'maybe'"),
        ("kernel=sigmoid", "kernel must be one of linear, rbf, poly, got 'sigmoid'"),
        ("hide=everything", "hide may have data, model"),
        ("data=/etc/passwd", "data must be one of close, far"),
        ("data=points.csv", "data must be one of close, far"),
        ("data.seed=-1", "data.seed must be a whole number between 0"),
        ("data.seed=0.5", "data.seed must be a whole number between 0"),
        ("data.colour=1", "'close' has the parameters n_per_cluster"),
        ("data=iris&data.seed=1", "'iris' has the parameters none"),
        ("autosave=/tmp", "the address may have data, data.seed and the like, n_clusters"),
        ("tau=1&tau=2", "tau is given twice: the first counts"),
        ("n_clusters=200", "clusters need at least 200 points"),
    ],
)
def test_what_is_wrong_is_told_and_not_obeyed(query: str, told: str) -> None:
    explorer = Explorer.from_address(query, autosave=None)
    assert told in explorer.notice["text"]
    assert explorer.notice["kind"] == "error"
    assert explorer.session.settings == Settings()
    assert explorer.session.file.path is None


@given(st.text(max_size=40), st.sampled_from(["", "data=", "hide=", "epsilon=", "data.seed=", "n_clusters="]))
def test_any_address_gives_a_scene(text: str, key: str) -> None:
    scene = read_address(key + text)
    assert set(scene.hide) <= set(GROUPS)
    Settings().changed(scene.settings)


def test_a_link_carries_answers_where_they_fit() -> None:
    session = Session("moons", autosave=None)
    session.add([(0, 1, 60), (2, 3, 4), (5, 99)], ["yes", "dnk", "no"])
    query = write_address(session, [])
    assert query == "data=moons&answers=0,1,60,y;2,3,4,d;5,99,n"
    again = Explorer.from_address(query, autosave=None).session
    assert [(entry.points, entry.answer) for entry in again.log] == [
        (entry.points, entry.answer) for entry in session.log
    ]
    session.answer_by_oracle(300, strategy="random")
    assert "answers" not in write_address(session, [])
    explorer = Explorer(session=session)
    explorer.export("link")
    assert "no room for all the answers" in explorer.notice["text"]
    for wrong in ("0,1", "0,1,2,x", "0,1,2,y;", "-1,2,3,y", "0,1,500,y"):
        explorer = Explorer.from_address(f"data=moons&answers={wrong}", autosave=None)
        assert explorer.notice["kind"] == "error"
        assert not explorer.session.log


def test_a_link_carries_the_map_and_the_truth_but_not_a_hidden_one() -> None:
    explorer = Explorer("moons", autosave=None)
    explorer.show(map="regions", truth=True)
    query = write_address(explorer.session, (), shown=explorer.options)
    assert query == "data=moons&map=regions&truth=true"
    again = Explorer.from_address(query, autosave=None)
    assert (again.options["map"], again.options["truth"]) == ("regions", True)
    assert not Explorer.from_address(f"{query}&hide=truth", autosave=None).options["truth"]


def test_own_data_have_no_link() -> None:
    with pytest.raises(SessionError, match=r"A link cannot carry data of your own\. Share the page"):
        write_address(Session([[0.0, 1], [1, 0], [2, 2], [3, 1]], n_clusters=2, autosave=None), [])


def test_a_lecture_can_be_asked_for_and_is_part_of_the_link() -> None:
    explorer = Explorer.from_address("data=moons&view=lecture", autosave=None)
    assert explorer.view == "lecture"
    assert write_address(explorer.session, [], explorer.view) == "data=moons&view=lecture"
    assert read_address("view=cinema").problems == ("view must be one of whole, lecture, got 'cinema'",)
    with pytest.raises(SessionError, match="view must be one of whole, lecture"):
        Explorer(view="cinema", autosave=None)


def test_a_page_that_is_loaded_again_goes_on(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Session("moons").answer((0, 1, 60), "yes")
    explorer = Explorer.from_address("data=rings&session=moons-answers.json&hide=truth")
    assert (explorer.session.dataset.name, len(explorer.session.log)) == ("moons", 1)
    assert explorer.hidden == ["truth"]
    # What is gone, damaged or elsewhere leaves the rest of the address.
    (tmp_path / "damaged.json").write_text("{")
    for file in ("gone.json", "damaged.json", "../moons-answers.json", "moons.csv"):
        assert Explorer.from_address(f"data=rings&session={file}").session.log == ()
