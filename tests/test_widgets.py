"""The Python half of the Explorer: what it sends to the browser, and what the browser's messages do."""

from __future__ import annotations

import fcntl
import json
import queue
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dcrc_explore import DCRC
from dcrc_explore.annotators import list_oracles
from dcrc_explore.arrays import unpacked
from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import load_dataset
from dcrc_explore.session import Session
from dcrc_explore.settings import find
from dcrc_explore.widgets import Explorer


def tell(explorer: Explorer, do: str, **details: Any) -> None:
    """Send what the browser would send, as a comm message."""
    tell.request += 1
    content = {"do": do, "request": str(tell.request), **details}
    explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    assert explorer.done == str(tell.request)  # the browser may always go on


tell.request = 0


def look(tool: Explorer, name: str) -> dict[str, Any]:
    """How a control looks to the browser; nothing when there is none of that name."""
    return next((control for group in tool.controls.values() for control in group if control["name"] == name), {})


def label(tool: Explorer, name: str) -> str:
    """What the value of a control is called on it."""
    return {option["value"]: option["label"] for option in look(tool, name)["options"]}[tool.values[name]]


def links(explorer: Explorer) -> np.ndarray:
    """The answers as a page that is opened now gets them: points, answer, violated or not."""
    tell(explorer, "hello")
    table = unpacked(explorer.given["rows"])
    bits = unpacked(explorer.scene["violated"])
    return np.column_stack([table, bits])


@pytest.fixture
def explorer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explorer:
    monkeypatch.chdir(tmp_path)
    return Explorer("close")


def test_picture_is_that_of_the_session(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(30, strategy="random")
    session, scene, points = explorer.session, explorer.scene, explorer.data
    np.testing.assert_allclose(unpacked(points["xy"]), session.state.subject.points, rtol=1e-6)
    np.testing.assert_array_equal(unpacked(scene["labels"]), session.fit.labels)
    np.testing.assert_array_equal(links(explorer)[:, :3], session.log.triplets.indices)
    np.testing.assert_array_equal(links(explorer)[:, 3], session.log.triplets.answers)
    np.testing.assert_array_equal(links(explorer)[:, 4], session.fit.violated)
    assert scene["counts"] == np.bincount(session.fit.labels).tolist()
    assert {tuple(scene[part]["shape"]) for part in ("regions", "value", "margin")} == {(scene["resolution"],) * 2}


def test_answer_by_message_is_one_answer_and_one_picture(explorer: Explorer) -> None:
    pictures = []
    explorer.observe(pictures.append, "scene")
    tell(explorer, "answer", triplet=[3, 40, 80], answer=-1)
    (given,) = explorer.session.log
    assert (given.points, given.answer) == ((3, 40, 80), Answer.NO)
    assert len(pictures) == 1
    assert explorer.scene["undo"] == "answer 1"
    assert explorer.scene["saved"] == explorer.session.file.path.name


def test_an_answer_that_is_sent_twice_counts_once(explorer: Explorer) -> None:
    for do, given in (("answer", {"triplet": [3, 40, 80], "answer": 1}), ("undo", {})):
        content = {"do": do, "request": do, **given}
        for _ in range(2):
            explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
            assert explorer.done == do
        assert len(explorer.session.log) == (do == "answer")


def test_whatever_happens_the_browser_may_go_on(explorer: Explorer) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    end = explorer.session.observe(stop)
    tell(explorer, "answer", triplet=[3, 40, 80], answer=1)
    assert explorer.notice["text"] == "Stopped. Your action itself was completed."
    assert len(links(explorer)) == len(explorer.session.log) == 1
    end()
    tell(explorer, "answer", triplet=[3, 40, 80], answer=1)
    assert len(links(explorer)) == 2


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"do": "awnser", "triplet": [0, 1, 2], "answer": 1}, "unknown message, 'awnser'"),
        ({"do": "answer", "triplet": [0, 1, 2]}, "must have answer"),
        ({"do": "delete", "index": "1"}, "must be of type int, got '1'"),
        ({"do": "undo", "all": True}, "has no all"),
    ],
)
def test_a_message_that_is_none_of_ours_is_told(explorer: Explorer, message: dict[str, Any], words: str) -> None:
    tell(explorer, **message)
    assert words in explorer.notice["text"]
    assert not explorer.session.log


def test_only_new_answers_are_sent(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(50, strategy="random")
    tell(explorer, "hello")
    for do, details, start, rows in (
        ("answer", {"triplet": [3, 40, 80], "answer": 1}, 50, 1),
        ("flip", {"index": 20, "answer": 1 - abs(int(explorer.session.log[20].answer))}, 20, 31),
        ("undo", {}, 20, 31),
        ("undo", {}, 50, 0),
        ("hello", {}, 0, 50),
    ):
        tell(explorer, do, **details)
        assert explorer.given["start"] == start
        assert explorer.given["rows"]["shape"] == [rows, 4]


def test_the_picture_leaves_before_everything_else(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, set[str]]] = []

    def publish_msg(comm: Any, _: str, data: dict[str, Any], **__: Any) -> None:
        if "state" in data:  # on a slow machine there is also a message that a fit goes on
            sent.append((comm.comm_id, set(data["state"])))

    monkeypatch.setattr(type(explorer.comm), "publish_msg", publish_msg)
    tell(explorer, "answer", triplet=[3, 40, 80], answer=1)
    (first, parts), *rest = sent
    assert first == explorer.model_id
    assert parts >= {"scene", "answers", "done"}
    assert "values" in parts  # the file that holds the answer now is told by a control
    # One message for the action, and one for the next question, which may take time to find.
    assert rest == [(first, {"question"})]


def test_a_late_look_at_points_that_are_gone_hides_no_word(explorer: Explorer) -> None:
    explorer.session.answer((0, 1, 149), "yes")
    tell(explorer, "set", name="data", value="moons")
    told = explorer.notice
    assert "with 1 answer" in told["text"]
    tell(explorer, "preview", triplet=[0, 1, 149], passive=True)  # on its way when other data were chosen
    assert explorer.notice == told
    tell(explorer, "preview", triplet=[0, 1, 149])
    assert "must be between 0 and 99" in explorer.notice["text"]


def test_answers_can_be_undone_redone_changed_and_deleted(explorer: Explorer) -> None:
    tell(explorer, "answer", triplet=[0, 1, 2], answer=1)
    tell(explorer, "answer", triplet=[3, 4, 5], answer=0)
    tell(explorer, "undo")
    assert len(links(explorer)) == 1
    tell(explorer, "redo")
    tell(explorer, "flip", index=0, answer=-1)
    assert links(explorer)[:, 3].tolist() == [-1, 0]
    tell(explorer, "delete", index=0)
    assert links(explorer)[:, :4].tolist() == [[3, 4, 5, 0]]


def test_question_comes_with_what_the_model_expects(explorer: Explorer) -> None:
    tell(explorer, "preview", triplet=[5, 6, 7])
    question = explorer.question
    assert question["triplet"] == [5, 6, 7]
    assert sum(question["probabilities"]) == pytest.approx(1)
    assert question["worth"] >= 0
    assert question["reason"] == ""
    tell(explorer, "suggest")
    assert explorer.question["suggested"]
    assert explorer.question["reason"] == "This looks for two groups that differ."
    assert len(set(explorer.question["triplet"])) == 3
    skipped = explorer.question["triplet"]
    tell(explorer, "skip", triplet=skipped)
    assert not explorer.session.log
    assert explorer.question["triplet"] != skipped


def test_panels_hold_the_numbers_of_the_session(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(12, strategy="random")
    tell(explorer, "panels")
    panels, session = explorer.panels, explorer.session
    assert panels["version"] == explorer.scene["version"]
    assert panels["answers"]["counts"] == session.fit.answer_table.tolist()
    assert panels["balance"]["shares"] == session.fit.shares.tolist()
    assert panels["quality"]["answers"][-1] == 12
    assert panels["objective"]["iterations"] == len(session.model.trace.objective) - 1
    by_k = panels["information"]["clusters"]
    values = {curve["name"]: curve["values"][0] for curve in by_k["ideal"]}
    assert values == pytest.approx({"2 triplets": 3, "3 pairs": 3, "1 triplet": 1.5, "1 pair": 1, "yes/no only": 1})


def test_information_moves_with_answers_settings_and_undo(explorer: Explorer) -> None:
    def information() -> dict[str, Any]:
        tell(explorer, "panels")
        return explorer.panels["information"]

    def last(name: str) -> float:
        return next(curve["values"] for curve in information()["answers"]["curves"] if curve["name"] == name)[-1]

    before = information()
    explorer.session.answer((0, 60, 120), "yes")
    after = information()
    assert last("worth") > 0
    assert after["answers"]["left"] != before["answers"]["left"]
    explorer.session.set(epsilon=0.2)
    assert information()["clusters"]["model"] != after["clusters"]["model"]
    assert information()["clusters"]["ideal"] == after["clusters"]["ideal"]
    assert "20 % errors" in information()["clusters"]["words"][0]
    explorer.session.undo()
    explorer.session.undo()
    assert information()["answers"] == before["answers"]
    explorer.session.redo()
    assert information()["answers"] == after["answers"]


def test_the_question_on_the_card_says_what_each_answer_would_tell(explorer: Explorer) -> None:
    explorer.put_question([0, 60, 120])
    sent, expected = explorer.question, explorer.session.questions.expected((0, 60, 120))
    assert sent["surprises"] == pytest.approx([expected.surprise(answer) for answer in ("yes", "no", "dnk")])
    assert f"worth {expected.bits:.2f} bit" in sent["words"][1]


def test_replay_shows_the_model_at_an_iteration(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(20, strategy="random")
    tell(explorer, "replay", iteration=0)
    start = unpacked(explorer.scene["labels"])
    np.testing.assert_array_equal(start, explorer.session.model.trace.replay(0).labels)
    assert explorer.scene["iteration"] == 0
    tell(explorer, "replay", iteration=len(explorer.session.model.trace.objective) - 1)
    assert explorer.scene["iteration"] is None
    tell(explorer, "replay", iteration=0)
    tell(explorer, "answer", triplet=[0, 1, 2], answer=1)
    assert explorer.scene["iteration"] is None  # an answer leaves the replay


def test_controls_change_the_session_and_follow_it(explorer: Explorer) -> None:
    tell(explorer, "set", name="soft", value=False)
    assert explorer.session.settings.epsilon == 0
    assert explorer.values["epsilon"] == 0
    tell(explorer, "undo")
    assert (explorer.values["soft"], explorer.values["epsilon"]) == (True, 0.05)
    for name, value in [("tau", 0.5), ("lam", 2.0**-3), ("balance", False), ("use_dnk", False), ("kernel", "rbf")]:
        tell(explorer, "set", name=name, value=value)
        assert getattr(explorer.session.settings, name) == value
    explorer.session.set(n_clusters=5, epsilon=0.15)
    assert (explorer.values["n_clusters"], explorer.values["epsilon"]) == (5, 0.15)
    assert explorer.scene["clusters"] == 5


def test_an_answer_describes_only_the_controls_that_it_changes(explorer: Explorer) -> None:
    for triplet in ([0, 60, 120], [1, 61, 121]):
        before = explorer.controls, explorer.values
        tell(explorer, "answer", triplet=triplet, answer=1)
    same = [name for name, group in before[0].items() if all(map(lambda a, b: a is b, group, explorer.controls[name]))]
    assert set(before[0]) - set(same) <= {"model"}
    changed = {name for name, value in explorer.values.items() if value != before[1][name]}
    assert changed == {"weight"}
    # What a cell does to the session is seen in the controls too.
    explorer.session.set(kernel="rbf")
    assert (explorer.values["kernel"], look(explorer, "gamma").get("off", False)) == ("rbf", False)


def test_drawing_a_slider_is_one_step(explorer: Explorer) -> None:
    for epsilon in (0.06, 0.1, 0.2):
        explorer.move("epsilon", epsilon)
    tell(explorer, "undo")
    assert explorer.session.settings.epsilon == 0.05
    assert explorer.session.history.undo_label is None


def test_other_data_keep_the_answers_in_undo(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(7, strategy="random")
    explorer.move("data", "moons")
    assert explorer.session.dataset.name == "moons"
    assert not explorer.session.log
    assert "7 answers" in explorer.notice["text"]
    tell(explorer, "undo")
    assert (explorer.values["data"], len(links(explorer))) == ("close", 7)


def test_data_sliders_make_points_anew(explorer: Explorer) -> None:
    explorer.move("data.n_per_cluster", 20)
    assert len(explorer.session.dataset.X) == 60
    seed = explorer.session.dataset.parameters["seed"]
    explorer.move("renew")
    assert explorer.session.dataset.parameters["seed"] == seed + 1
    assert explorer.values["data.seed"] == seed + 1


def open_own(explorer: Explorer, name: str) -> None:
    """Open a file; what can be chosen about it is on show then."""
    explorer.move("file", name)
    explorer.move("open")


def test_own_data_stay_in_the_list(explorer: Explorer) -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    own = Explorer(X, autosave=None)
    # Files may be called like a generator or a stored set; they are neither.
    for name in ("first.csv", "moons.csv", "iris.csv"):
        np.savetxt(name, X + len(name), delimiter=",")
        open_own(own, name)
        own.move("standardise", False)
        own.move("use")
        assert label(own, "data") == Path(name).stem
        assert not look(own, "renew")
        assert not look(own, "data.seed")
    own.move("data", "rings")
    for name, shift in (("own data", 0), ("first", 9), ("moons", 9), ("iris", 8)):
        own.move("data", f"own: {name}")
        np.testing.assert_allclose(own.session.dataset.X, X + shift)


def test_stored_sets_are_in_the_list(explorer: Explorer) -> None:
    explorer.move("data", "iris")
    assert explorer.session.dataset.X.shape == (150, 4)
    assert label(explorer, "data") == "Iris"
    about = explorer.values["about"]
    assert about.startswith("Flowers of three kinds. The model is fitted in all 4 features;")


def test_columns_of_a_file_are_chosen_by_name(explorer: Explorer) -> None:
    Path("trees.csv").write_text(
        "id,height,width,kind,note\n" + "".join(f"{n},{n},{-n},{'oak' if n % 2 else 'elm'},no {n}\n" for n in range(9))
    )
    open_own(explorer, "trees.csv")
    assert explorer.values["file"] == "trees.csv"
    assert "about" not in explorer.values  # nothing else is on show while something is to be chosen
    columns = look(explorer, "columns")["options"]
    assert [column["label"] for column in columns] == ["id", "height", "width", "kind", "note"]
    assert explorer.values["columns"] == ["ignore", "feature", "feature", "class", "items"]
    assert columns[3]["help"] == "texts: elm, oak"
    assert explorer.values["found"] == "9 points with 2 features and 2 classes."
    explorer.move("columns", ["ignore", "feature", "ignore", "ignore", "feature"])
    assert look(explorer, "use")["off"]
    words = "Features must be numbers, got 'no 0' in column 'note', row 2 of the file. Please correct it"
    assert explorer.values["found"].startswith(words)
    explorer.move("columns", ["ignore", "feature", "feature", "class", "ignore"])
    explorer.move("use")
    assert explorer.notice == {}
    assert not look(explorer, "use")
    assert explorer.session.dataset.class_names == ("elm", "oak")
    assert explorer.session.dataset.X.shape == (9, 2)
    assert explorer.session.dataset.is_standardized  # unless somebody says no
    assert "height = 8" in explorer.session.dataset.cards.text(8)  # people see their own units


def test_rows_with_empty_cells_are_dropped_by_a_button(explorer: Explorer) -> None:
    rows = [f"{n},{n * n},{'a' if n % 2 else 'b'}" for n in range(12)]
    rows[3], rows[5], rows[7] = "3,,a", "?,25,a", "7,49,"
    Path("holes.csv").write_text("\n".join(["length,area,kind", *rows]))
    open_own(explorer, "holes.csv")
    found = explorer.values["found"]
    assert found.startswith("3 of 12 rows have empty cells (the first: row 5 of the file, column 'area').")
    assert found.endswith("Without its class column the file keeps 1 row more.")
    assert look(explorer, "use")["words"] == "Drop 3 rows with empty cells and open"
    for word in ("drop_incomplete", "ignore", "y="):
        assert word not in found
    explorer.move("use")
    assert len(explorer.session.dataset.X) == 9
    assert "3 rows with empty cells left out" in explorer.values["about"]
    open_own(explorer, "holes.csv")
    explorer.move("cancel")
    assert not look(explorer, "use")
    assert len(explorer.session.dataset.X) == 9
    # An archive has no columns with names, and may have holes too.
    np.savez("holes.npz", X=[[1.0, np.nan], [1, 2], [3, 1]])
    open_own(explorer, "holes.npz")
    assert not look(explorer, "columns")
    assert look(explorer, "use")["words"] == "Drop 1 row with empty cells and open"
    explorer.move("use")
    assert explorer.session.dataset.X.shape == (2, 2)


def test_features_are_standardised_as_one_step_that_keeps_the_answers(explorer: Explorer) -> None:
    iris = load_dataset("iris")
    own = Explorer(iris.X / 100, iris.y, autosave=".")
    assert "2 of 3 clusters are empty: standardise the features" in own.values["hint"]
    assert own.values["hint"] in own.values["about"]
    tell(own, "answer", triplet=[0, 60, 120], answer=0)
    own.move("standardize")
    assert own.session.dataset.is_standardized
    assert own.session.fit.shares.min() > 0.2
    assert own.values["hint"] == ""
    assert look(own, "standardize")["off"]
    assert len(links(own)) == 1
    assert Session.load(own.session.file.path, autosave=False).dataset.is_standardized
    again = Explorer(iris.X / 100, iris.y)
    assert "1 answer on “own data, standardised”" in again.notice["text"]
    tell(own, "undo")
    np.testing.assert_array_equal(own.session.dataset.X, iris.X / 100)
    assert len(links(own)) == 1
    own.move("data", "own: own data, standardised")
    assert own.session.dataset.is_standardized


def test_sliders_show_the_settings_that_are_the_case() -> None:
    settings = {"tau": 7.25, "lam": 1e-6, "epsilon": 2 / 3, "kernel": "poly", "gamma": 0.3}
    explorer = Explorer("moons", autosave=None, parameters={"n_per_cluster": 1000}, **settings)
    assert (explorer.values["tau"], explorer.values["epsilon"]) == (7.25, 2 / 3)
    assert look(explorer, "tau")["limits"] == [0, 7.25, 0.1]
    assert (explorer.values["lam"], label(explorer, "lam")) == (1e-6, "1e-06")
    assert (explorer.values["gamma"], label(explorer, "gamma")) == (0.3, "0.3")
    places = [option["value"] for option in look(explorer, "lam")["options"]]
    assert places == sorted(places)
    assert explorer.values["data.n_per_cluster"] == 1000
    for name, value in settings.items():
        assert getattr(explorer.session.settings, name) == value  # showing them has not changed them
    explorer.session.set(lam=0)
    assert (explorer.values["lam"], label(explorer, "lam")) == (0, "0")
    explorer.move("lam", 2.0**-6)
    explorer.move("epsilon", 0.5)
    explorer.move("epsilon", 0.6666666666666666)  # as far as the browser's slider goes
    assert (explorer.session.settings.lam, explorer.session.settings.epsilon) == (2.0**-6, 2 / 3)


def test_polynomial_boundaries_can_be_chosen(explorer: Explorer) -> None:
    explorer.move("kernel", "poly")
    assert explorer.notice == {}
    assert explorer.session.settings.kernel == "poly"
    assert not look(explorer, "gamma").get("off")
    np.testing.assert_array_equal(unpacked(explorer.scene["regions"]), explorer.session.fit.surface().regions)


def test_many_features_are_shown_in_a_plane(explorer: Explorer) -> None:
    X = np.random.default_rng(0).normal(size=(40, 5))
    own = Explorer(X, autosave=None, n_clusters=2)
    assert own.scene["regions"] is None
    assert "5 features" in own.data["note"]
    assert own.scene["halo"]["shape"] == [40]
    assert look(own, "oracle")["off"]  # nobody knows the truth


@pytest.mark.parametrize("oracle", ["truth", "noisy", "people"])
def test_simulated_users_answer_many_at_once(explorer: Explorer, oracle: str) -> None:
    explorer.move("oracle", oracle)
    explorer.move("ask.10")
    assert len(explorer.session.log) == 10
    assert (explorer.values["asked"], explorer.values["told"]) == (1, "10 answers added.")
    tell(explorer, "undo")
    assert not explorer.session.log


def test_view_changes_the_map_and_not_the_session(explorer: Explorer) -> None:
    explorer.move("map", "probability")
    tell(explorer, "cluster", cluster=2)
    surface = explorer.session.fit.surface()
    np.testing.assert_array_equal(unpacked(explorer.scene["value"]), surface.proba[2])
    explorer.move("map", "entropy")
    np.testing.assert_array_equal(unpacked(explorer.scene["value"]), surface.entropy)
    assert explorer.scene["truth"] is None
    explorer.move("truth", True)
    np.testing.assert_array_equal(unpacked(explorer.scene["truth"]), explorer.session.fit.truth)
    assert explorer.session.history.undo_label is None


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"do": "answer", "triplet": [0, 1, 1], "answer": 1}, "three different"),
        ({"do": "answer", "triplet": [0, 1, 9999], "answer": 1}, "between 0 and 149"),
        ({"do": "answer", "triplet": [0, 1, 2], "answer": 7}, "yes"),
        ({"do": "undo"}, "undo"),
        ({"do": "delete", "index": 3}, "answers"),
    ],
)
def test_what_can_not_be_done_is_told_and_changes_nothing(
    explorer: Explorer, message: dict[str, Any], words: str
) -> None:
    tell(explorer, **message)
    assert explorer.notice["kind"] == "error"
    assert words in explorer.notice["text"]
    assert not explorer.session.log
    tell(explorer, "answer", triplet=[0, 1, 2], answer=1)  # alive, and the message is gone
    assert len(explorer.session.log) == 1
    assert explorer.notice == {}


def test_more_clusters_than_points_is_told(explorer: Explorer) -> None:
    own = Explorer(np.eye(2).repeat([3, 2], axis=0) + np.arange(10).reshape(5, 2), autosave=None, n_clusters=2)
    own.move("n_clusters", 8)
    assert own.notice["kind"] == "error"
    assert own.session.settings.n_clusters == own.values["n_clusters"] == 2


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"format": "other"}', "\x00\x01"])
def test_damaged_and_foreign_files_are_told_and_left_untouched(explorer: Explorer, content: str) -> None:
    Path("damaged.json").write_text(content)
    explorer.session.answer_by_oracle(3, strategy="random")
    explorer.move("path", "damaged.json")
    explorer.move("load")
    assert explorer.notice["kind"] == "error"
    assert len(explorer.session.log) == 3
    assert Path("damaged.json").read_text() == content


def test_unusable_own_data_are_told(explorer: Explorer) -> None:
    Path("words.csv").write_text("a,b\nred,1\nblue,2\n")
    for name, words in (("missing.csv", "there is no file"), ("words.txt", "there is no file"), ("", "give the name")):
        open_own(explorer, name)
        assert explorer.notice["kind"] == "error"
        assert words in explorer.notice["text"]
        assert explorer.session.dataset.name == "close"
    open_own(explorer, "words.csv")
    explorer.move("columns", ["feature", "feature"])
    assert "must be numbers, got 'red' in column 'a', row 2 of the file" in explorer.values["found"]
    assert look(explorer, "use")["off"]
    with pytest.raises(ValueError, match="5 of 5 rows have empty cells"):
        Explorer(np.full((5, 2), np.nan))


def test_folder_that_can_not_be_written_is_told_and_answers_stay(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    explorer = Explorer("close", autosave=tmp_path / "file" / "folder")
    tell(explorer, "answer", triplet=[0, 1, 2], answer=1)
    assert explorer.notice["kind"] == "error"
    assert len(explorer.session.log) == 1
    assert explorer.scene["unsaved"]


def test_a_fit_that_fails_in_the_background_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Impatient(Session):
        patience = 0.0

    deliveries: queue.Queue[Any] = queue.Queue()
    explorer = Explorer(session=Impatient("close", autosave=None, background=deliveries.put))

    def fail(*args: Any, **options: Any) -> None:
        raise MemoryError("no memory left")

    monkeypatch.setattr(DCRC, "iterate", fail)
    tell(explorer, "answer", triplet=[0, 1, 2], answer=1)
    assert explorer.busy
    while explorer.session.model.busy:
        deliveries.get(timeout=60)()
    assert not explorer.busy
    assert "cannot be fitted: no memory left" in explorer.notice["text"]
    assert explorer.notice["kind"] == "error"


def test_after_a_restart_one_can_go_on(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(9, strategy="random")
    again = Explorer()
    assert "9 answers" in again.notice["text"]
    assert not again.session.log  # nothing happens before the person has chosen
    tell(again, "resume")
    assert len(links(again)) == 9
    assert again.session.file.path == explorer.session.file.path
    assert Explorer("moons").notice == {}  # other data: nothing to go on with
    assert Explorer(autosave=None).notice == {}


def test_error_goes_away_with_the_next_thing_that_a_person_does(explorer: Explorer) -> None:
    tell(explorer, "preview", triplet=[0, 1, 2])
    tell(explorer, "undo")
    for message in ({"do": "panels"}, {"do": "preview", "triplet": [0, 1, 2]}):
        tell(explorer, **message, passive=True)  # the browser sends them by itself
        assert explorer.notice["kind"] == "error"
    tell(explorer, "preview", triplet=[3, 4, 5])
    assert explorer.notice == {}


def test_saving_tells_where_and_spoils_no_file(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(4, strategy="random")
    Path("iris.csv").write_text("1,2")
    Path("package.json").write_text("{}")
    other = Session("moons", autosave="theirs.json")
    other.answer((0, 1, 2), "yes")
    untouched = {path: path.read_text() for path in Path().iterdir()}
    for name, words in (
        ("", "give a file name"),
        ("iris.csv", "must end in .json, got 'iris.csv'"),
        ("package.json", "was not written by this session"),
        ("theirs", "was not written by this session"),
    ):
        explorer.move("path", name)
        explorer.move("save")
        assert explorer.notice["kind"] == "error"
        assert words in explorer.notice["text"]
    assert {path: path.read_text() for path in Path().iterdir()} == untouched
    for name in ("mine", "mine.json"):
        explorer.move("path", name)
        explorer.move("save")
        assert explorer.notice["text"] == f"Written to {Path('mine.json').absolute()}"
        assert explorer.notice["kind"] == ""
    assert Session.load("mine").log == explorer.session.log


def test_the_session_tab_says_whether_answers_are_kept(explorer: Explorer) -> None:
    assert "each answer will be" in explorer.values["saved"]
    explorer.session.answer((0, 1, 2), "yes")
    assert str(explorer.session.file.path) in explorer.values["saved"]
    assert "in memory only" in Explorer(autosave=None).values["saved"]


def test_loading_can_be_undone_and_says_where_the_earlier_answers_are(explorer: Explorer) -> None:
    Session("moons", autosave=None).save("moons.json")
    explorer.move("path", "")
    explorer.move("load")
    assert "give a file name" in explorer.notice["text"]
    explorer.session.answer_by_oracle(4, strategy="random")
    earlier = explorer.session
    explorer.move("path", "moons")
    explorer.move("load")
    assert explorer.session.dataset.name == "moons"
    assert "with 4 answers saved in" in explorer.notice["text"]
    assert str(earlier.file.path) in explorer.notice["text"]
    tell(explorer, "answer", triplet=[0, 1, 2], answer=1)
    tell(explorer, "undo")
    assert explorer.scene["undo"] == "loading of moons.json"
    tell(explorer, "undo")
    assert explorer.session is earlier
    assert (len(links(explorer)), explorer.scene["undo"]) == (4, "answers 1 to 4")


def test_a_file_that_another_program_writes_is_told_when_it_is_loaded(explorer: Explorer) -> None:
    explorer.session.answer((0, 1, 2), "yes")
    with explorer.session.save("copy.json").open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        explorer.move("path", "copy.json")
        explorer.move("load")
        assert "copy.json is in use by another program, which writes it" in explorer.notice["text"]


def test_fitting_again_says_that_no_answer_changed(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(4, strategy="random")
    explorer.move("refit")
    assert "Answers and settings are as they were" in explorer.notice["text"]


def test_what_would_be_ignored_is_refused() -> None:
    session, X = Session("far", autosave=None), np.eye(5)
    for given, words in (
        ({"epsilon": 0.2}, "epsilon"),
        ({"data": X, "y": [0, 1, 0, 1, 1]}, "data, y"),
    ):
        with pytest.raises(ValueError, match=f"either a session or {words}, got both"):
            Explorer(session=session, **given)
    for data in (None, "moons", "iris"):
        with pytest.raises(ValueError, match="only data of your own take y, items"):
            Explorer(data, y=[0, 1, 0, 1, 1], autosave=None)


@pytest.mark.slow
def test_saving_loading_and_export(explorer: Explorer) -> None:
    explorer.session.answer_by_oracle(4, strategy="random")
    explorer.move("path", "mine.json")
    explorer.move("save")
    restored = Explorer.load("mine.json")
    assert restored.session.log.triplets == explorer.session.log.triplets
    for kind in ("csv", "svg"):
        explorer.move(f"export.{kind}")
        assert Path(explorer.notice["text"].removeprefix("Written to ")).exists()
    assert len(Path("close-answers.csv").read_text().splitlines()) == 5
    assert {path.name for path in Path("close-svg").iterdir()} >= {"canvas.svg", "objective.svg", "quality.svg"}


def test_session_changed_in_code_is_shown(explorer: Explorer) -> None:
    before = explorer.scene["version"]
    explorer.session.answer((0, 1, 2), "yes")
    assert explorer.scene["version"] > before
    assert len(links(explorer)) == 1


def test_everything_sent_can_be_written_as_strict_json(explorer: Explorer) -> None:
    explorer.session.set(epsilon=0)
    for answer in (1, -1, 0):  # a hard model holds two of these impossible
        tell(explorer, "answer", triplet=[0, 1, 2], answer=answer)
    tell(explorer, "panels")
    tell(explorer, "suggest")
    for name in ("data", "scene", "question", "panels", "notice", "options"):
        json.dumps(getattr(explorer, name), allow_nan=False, default=lambda value: value.hex())


def test_teacher_can_hide_groups() -> None:
    explorer = Explorer(hide=("data", "ask"), autosave=None)
    assert explorer.hidden == ["data", "ask"]
    assert not look(explorer, "data")
    for wrong in (("everything",), "data"):
        with pytest.raises(ValueError, match="hide must be"):
            Explorer(hide=wrong)


def test_two_explorers_share_a_session() -> None:
    session = Session("far", autosave=None)
    first, second = Explorer(session=session), Explorer(session=session)
    tell(first, "answer", triplet=[0, 1, 2], answer=0)
    assert len(links(second)) == 1


def test_representation_is_stable(explorer: Explorer) -> None:
    assert repr(explorer) == "Explorer(close: 150 points, 3 clusters, 0 answers)"
    explorer.session.answer((0, 1, 2), "yes")
    assert repr(explorer) == "Explorer(close: 150 points, 3 clusters, 1 answer)"


def test_a_kernel_or_simulated_annotator_needs_no_more_places_than_contributing_names():
    """The width is for every kernel but the linear one; the error rate for whoever has one; both follow their lists."""
    kernels = [option.value for option in find("kernel").options]
    assert find("gamma").needs == ("kernel", tuple(kernel for kernel in kernels if kernel != "linear"))
    explorer = Explorer(autosave=None)
    for oracle in list_oracles():
        explorer.move("oracle", oracle)
        controls = [each for group in explorer.controls.values() for each in group]
        (slider,) = [each for each in controls if each["name"] == "error"]
        assert bool(slider.get("off")) is (oracle not in list_oracles(with_rate=True))
