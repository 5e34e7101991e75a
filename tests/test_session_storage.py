"""Every answer is on disk before the next can be given, and no file comes to harm."""

import base64
import csv
import io
import json
import random
import signal
import subprocess
import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dcrc_explore.datasets import Dataset, Rows, Texts, make_dataset
from dcrc_explore.session import Change, Session, SessionError, find_sessions
from dcrc_explore.session.format import VERSION

SMALL = {"n_per_cluster": 5}


def new_session(folder, data="close", **options) -> Session:
    return Session(data, parameters=SMALL if isinstance(data, str) else None, autosave=folder, **options)


def assert_same(session: Session, other: Session) -> None:
    np.testing.assert_array_equal(session.dataset.X, other.dataset.X)
    np.testing.assert_array_equal(session.dataset.y, other.dataset.y)
    assert session.dataset.name == other.dataset.name
    assert session.dataset.feature_names == other.dataset.feature_names
    assert session.dataset.class_names == other.dataset.class_names
    assert session.settings == other.settings
    assert session.log == other.log
    np.testing.assert_array_equal(session.fit.labels, other.fit.labels)


# Keeping and restoring


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"epsilon": 0, "balance": False},
        {"kernel": "rbf", "gamma": 0.5},
        {"kernel": "poly"},
        {"restart": True},
        {"n_clusters": 4, "use_dnk": False, "tau": 0.5, "lam": 2**-8, "random_state": 3},
    ],
)
def test_a_session_is_restored_with_its_settings_answers_and_picture(tmp_path, options):
    session = new_session(tmp_path, **options)
    for question in [(0, 1, 2), (3, 4, 5)]:
        session.answer(question, "yes", by="me")
    session.answer_by_oracle(15, oracle="noisy", epsilon=0.3, strategy="random")
    session.answer_by_oracle(5, strategy="random")
    loaded = Session.load(session.file.path)
    assert_same(loaded, session)
    np.testing.assert_array_equal(loaded.fit.weights.coef, session.fit.weights.coef)


def test_the_quality_history_is_restored(tmp_path):
    session = new_session(tmp_path)
    for _ in range(3):
        session.answer_by_oracle(5, strategy="random")
        assert session.model.quality
    assert Session.load(session.file.path).model.quality == session.model.quality


def test_own_data_are_restored_digit_by_digit(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 3)) * [1e-8, 1.0, 1e8]
    session = Session(X, ["oak", "elm"] * 10, autosave=tmp_path)
    session.answer((0, 1, 2), "yes")
    assert_same(Session.load(session.file.path), session)


def test_stored_data_are_restored_with_what_a_person_sees_of_them(tmp_path):
    session = Session("digits-8x8", autosave=tmp_path)
    session.answer((0, 1, 2), "yes")
    loaded = Session.load(session.file.path)
    assert_same(loaded, session)
    assert loaded.dataset.description == session.dataset.description
    assert type(loaded.dataset.cards) is type(session.dataset.cards)
    own = Session(session.dataset.X * 2, autosave=None)  # other points may have the same name
    path = own.save(tmp_path / "own.json")
    path.write_text(path.read_text().replace('"own data"', '"digits-8x8"'))
    np.testing.assert_array_equal(Session.load(path).dataset.X, own.dataset.X)


def test_generated_data_that_were_changed_are_kept_as_they_are(tmp_path):
    session = Session(make_dataset("close", **SMALL).standardized(), autosave=tmp_path)
    session.answer((0, 1, 2), "yes")
    assert_same(Session.load(session.file.path), session)
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    session.standardize()
    assert_same(Session.load(session.file.path), session)


def test_a_restored_session_goes_on_in_its_file(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    loaded = Session.load(session.file.path)
    loaded.answer((3, 4, 5), "no")
    assert loaded.file.path == session.file.path
    assert_same(Session.load(session.file.path), loaded)


def test_a_session_restored_to_look_at_it_writes_nothing(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    before = session.file.path.read_bytes()
    Session.load(session.file.path, autosave=False).answer((3, 4, 5), "no")
    assert session.file.path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [session.file.path]


def test_loading_only_reads_and_the_first_change_writes(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    before, status = session.file.path.read_bytes(), session.file.path.stat()
    loaded = Session.load(session.file.path)
    loaded.questions.suggest()
    now = session.file.path.stat()
    assert (now.st_ino, now.st_mtime_ns) == (status.st_ino, status.st_mtime_ns)
    session.answer((3, 4, 5), "no")  # whoever looks at a file does not drive its writer away
    assert session.file.path == loaded.file.path
    assert session.file.note is None
    assert session.file.path.read_bytes() != before


def test_the_file_is_versioned_json_with_data_settings_and_answers(tmp_path):
    session = new_session(tmp_path / "new folder")
    session.answer((0, 1, 2), "yes")
    document = json.loads(session.file.path.read_text())
    assert (document["format"], document["version"]) == ("dcrc-explore session", 2)
    assert document["data"]["generator"] == "close"
    assert document["settings"]["epsilon"] == 0.05
    (answer,) = document["log"]
    assert (answer["points"], answer["answer"], answer["by"]) == ([0, 1, 2], "yes", "user")
    assert answer["time"] == session.log[0].time


def test_nothing_is_written_before_the_first_answer_or_without_autosave(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new_session(".").set(epsilon=0)
    session = new_session(None)
    session.answer((0, 1, 2), "yes")
    assert (session.file.path, list(tmp_path.iterdir())) == (None, [])


def test_every_change_is_on_disk_when_the_call_returns(tmp_path):
    session = new_session(tmp_path)
    for action in (
        lambda: session.answer((0, 1, 2), "yes"),
        lambda: session.answer((3, 4, 5), "dnk"),
        lambda: session.flip(0),
        lambda: session.set(epsilon=0.15),
        lambda: session.delete(1),
        session.undo,
        session.undo,
        session.redo,
    ):
        action()
        assert_same(Session.load(session.file.path, autosave=False), session)


def test_a_copy_holds_everything_in_one_file(tmp_path):
    session = Session(np.random.default_rng(0).normal(size=(3000, 2)), autosave=None)
    session.answer((0, 1, 2), "yes")
    path = session.save(tmp_path / "copy.json")
    assert list(tmp_path.iterdir()) == [path]
    assert_same(Session.load(path), session)


def test_a_copy_is_replaced_only_by_the_session_that_wrote_it(tmp_path):
    session = new_session(None)
    session.answer((0, 1, 2), "yes")
    path = session.save(tmp_path / "copy")
    assert path == tmp_path / "copy.json"
    session.answer((3, 4, 5), "no")
    assert session.save(path) == path
    assert_same(Session.load(path, autosave=False), session)
    other = Session.load(path)
    other.answer((6, 7, 8), "dnk")
    with pytest.raises(SessionError, match="was not written by this session"):
        session.save(path)
    assert other.save(path) == other.file.path == path  # it goes on there
    other.answer((9, 10, 11), "yes")
    assert other.file.path == path
    assert_same(Session.load(path, autosave=False), other)


def test_large_own_data_are_written_once(tmp_path):
    session = Session(np.random.default_rng(0).normal(size=(3000, 2)), autosave=tmp_path / "big.json")
    session.answer((0, 1, 2), "yes")
    data_file = tmp_path / "big.data.json"
    before = data_file.stat()
    session.answer((3, 4, 5), "no")
    assert (data_file.stat().st_ino, data_file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert session.file.path.stat().st_size < 5000
    assert_same(Session.load(session.file.path), session)
    data_file.unlink()
    with pytest.raises(SessionError, match=r"big\.data\.json cannot be read"):
        Session.load(session.file.path)


@pytest.fixture(scope="module")
def huge() -> Dataset:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(110_000, 2)), rng.integers(2, size=110_000)
    return Dataset(X, y, "huge", class_names=("a", "b"), items=Rows(3 * X, ("x1", "x2")))


def test_very_large_own_data_come_back_to_the_bit(huge, tmp_path):
    session = Session(huge, autosave=tmp_path / "huge.json")
    session.answer((0, 1, 2), "yes")
    assert (tmp_path / "huge.data.json").stat().st_size < 1.5 * (huge.X.nbytes * 2 + huge.y.nbytes)
    loaded = Session.load(session.file.path)
    assert_same(loaded, session)
    np.testing.assert_array_equal(loaded.dataset.X, huge.X)
    np.testing.assert_array_equal(loaded.dataset.y, huge.y)
    np.testing.assert_array_equal(loaded.dataset.items.values, huge.items.values)


@pytest.mark.parametrize(
    ("field", "part", "value", "words"),
    [
        ("X", "shape", [110_000, 3], "2640000 bytes"),
        ("X", "shape", [10**9, 2], "at most"),
        ("X", "shape", [220_000], "2 sides"),
        ("X", "shape", [True, 2], "2 sides"),
        ("X", "type", "int64", "the type float64"),
        ("X", "type", "object", "the type float64"),
        ("X", "base64", "!!!!", "base64"),
        ("X", "base64", 7, "base64"),
        ("X", "base64", base64.b64encode(np.full(220_000, np.nan).tobytes()).decode(), "finite"),
        ("X", "more", 1, "base64"),
        ("y", "base64", base64.b64encode(np.full(110_000, 2).tobytes()).decode(), "between 0 and 1"),
        ("y", "base64", base64.b64encode(np.full(110_000, -1).tobytes()).decode(), "between 0 and 1"),
    ],
)
def test_damaged_very_large_data_are_refused(huge, tmp_path, field, part, value, words):
    session = Session(huge, autosave=tmp_path / "huge.json")
    session.answer((0, 1, 2), "yes")
    data_file = tmp_path / "huge.data.json"
    data = json.loads(data_file.read_text())
    data[field][part] = value
    data_file.write_text(json.dumps(data))
    with pytest.raises(SessionError, match=words):
        Session.load(session.file.path)


def test_answers_are_not_joined_to_other_points(tmp_path):
    session = Session(np.random.default_rng(0).normal(size=(3000, 2)), autosave=tmp_path / "big.json")
    session.answer((0, 1, 2), "yes")
    data_file = tmp_path / "big.data.json"
    data = json.loads(data_file.read_text())
    data["X"][0][0] += 1
    data_file.write_text(json.dumps(data))
    with pytest.raises(SessionError, match="other points"):
        Session.load(session.file.path)


# A killed process


def start(script: str, folder: Path, **options) -> subprocess.Popen:
    command = [sys.executable, "-c", textwrap.dedent(script), str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)


@pytest.mark.slow
def test_a_kernel_killed_right_after_an_answer_has_lost_none(tmp_path):
    script = """
        import os, signal, sys
        from dcrc_explore.session import Session
        session = Session("close", parameters={"n_per_cluster": 5}, autosave=sys.argv[1])
        for n in range(7):
            session.answer((n, n + 1, n + 2), "yes")
        os.kill(os.getpid(), signal.SIGKILL)
    """
    process = start(script, tmp_path)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    (saved,) = find_sessions(tmp_path)
    assert saved.n_answers == 7
    session = Session.load(saved.path)
    assert [given.points for given in session.log] == [(n, n + 1, n + 2) for n in range(7)]


@pytest.mark.slow
def test_a_kernel_killed_at_any_moment_leaves_every_acknowledged_answer(tmp_path):
    script = """
        import sys
        from dcrc_explore.session import Session
        session = Session("close", parameters={"n_per_cluster": 5}, autosave=sys.argv[1])
        while True:
            session.answer(session.questions.suggest("random"), "dnk")
            print(len(session.log), flush=True)
    """
    process = start(script, tmp_path)
    for _ in range(random.Random(0).randrange(20, 40)):
        acknowledged = int(process.stdout.readline())
    process.kill()
    process.communicate()
    (saved,) = find_sessions(tmp_path)
    assert saved.n_answers >= acknowledged
    assert len(Session.load(saved.path).log) == saved.n_answers


# Other files


def test_no_file_is_overwritten(tmp_path):
    foreign = tmp_path / "answers.json"
    foreign.write_text("[my own notes]")
    sessions = [new_session(tmp_path / "answers.json") for _ in range(3)]
    for session in sessions:
        session.answer((0, 1, 2), "yes")
    assert foreign.read_text() == "[my own notes]"
    assert [session.file.path.name for session in sessions] == ["answers-2.json", "answers-3.json", "answers-4.json"]


def test_other_data_get_another_file_and_undo_leads_back_to_the_first(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    first = session.file.path
    session.regenerate(seed=1)
    assert session.file.path is None
    session.answer((3, 4, 5), "no")
    assert session.file.path not in (None, first)
    assert [given.points for given in Session.load(first, autosave=False).log] == [(0, 1, 2)]
    session.undo()
    session.undo()
    assert session.file.path == first


def test_two_kernels_on_one_file_do_not_lose_each_others_answers(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    other = Session.load(session.file.path)
    other.answer((3, 4, 5), "no")
    session.answer((6, 7, 8), "dnk")
    assert other.file.path != session.file.path
    for one in (session, other):
        assert_same(Session.load(one.file.path, autosave=False), one)


@pytest.mark.slow
def test_one_program_writes_a_file_and_the_second_is_told(tmp_path):
    script = """
        import sys
        from dcrc_explore.session import Session
        session = Session("close", parameters={"n_per_cluster": 5}, autosave=sys.argv[1])
        for question in [(0, 1, 2), (3, 4, 5)]:
            session.answer(question, "yes")
            print(session.file.path, flush=True)
            sys.stdin.readline()
    """
    with start(script, tmp_path, stdin=subprocess.PIPE) as process:
        path = Path(process.stdout.readline().strip())
        events = []
        second = Session.load(path)
        assert second.file.note.startswith(f"{path} is in use by another program")  # before anything is answered
        second.observe(lambda event: events.append(event.changed))
        second.answer((6, 7, 8), "no")
        assert second.file.path != path
        assert second.file.note.startswith(f"{path} is in use by another program")
        assert str(second.file.path) in second.file.note
        assert Change.SAVED in events[0]
        process.stdin.write("\n")
        process.stdin.flush()
        assert Path(process.stdout.readline().strip()) == path
        process.stdin.close()
    assert [given.points for given in Session.load(path, autosave=False).log] == [(0, 1, 2), (3, 4, 5)]
    third = Session.load(path)  # its writer has ended
    assert third.file.note is None
    third.answer((6, 7, 8), "no")
    assert third.file.path == path
    assert third.file.note is None


def test_in_one_program_whoever_loads_a_file_goes_on_in_it_and_the_former_session_is_told(tmp_path):
    former = new_session(tmp_path)
    former.answer((0, 1, 2), "yes")
    path = former.file.path
    Session.load(path).answer((3, 4, 5), "no")
    former.answer((6, 7, 8), "yes")
    assert former.file.path != path
    assert former.file.note == (
        f"Another program has changed {path}, which was left as it is: "
        f"from now on the answers are in {former.file.path}"
    )
    former.answer((9, 10, 11), "yes")
    assert former.file.note is None


def test_a_deleted_file_comes_back_with_the_next_answer(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    session.file.path.unlink()
    session.answer((3, 4, 5), "yes")
    assert_same(Session.load(session.file.path), session)


def test_sessions_to_go_on_with_are_found_latest_first(tmp_path):
    (tmp_path / "package.json").write_text('{"name": "something else"}')
    (tmp_path / "notes.json").write_text("not even JSON")
    (tmp_path / "broken-answers.json").write_text('{\n"format": "dcrc-explore session",\n"version"')
    for data in ("close", "moons"):
        session = new_session(tmp_path, data)
        session.answer((0, 1, 2), "yes")
    session.undo()
    found = find_sessions(tmp_path)
    assert [(saved.name, saved.n_answers) for saved in found] == [("close", 1)]
    session.redo()
    found = find_sessions(tmp_path)
    assert (found[0].path, found[0].name, found[0].n_answers) == (session.file.path, "moons", 1)
    assert find_sessions(tmp_path / "nowhere") == []


# Trouble


def test_where_nothing_can_be_written_the_answer_stays_and_the_session_says_so(tmp_path):
    obstacle = tmp_path / "folder"
    obstacle.write_text("a file where a folder should be")
    session = new_session(obstacle / "answers.json")
    session.answer((0, 1, 2), "yes")
    assert len(session.log) == 1
    assert "not saved" in session.file.error
    assert str(obstacle) in session.file.error
    assert session.file.path is None
    obstacle.unlink()
    session.answer((3, 4, 5), "no")
    assert session.file.error is None
    assert_same(Session.load(session.file.path), session)


def test_a_copy_that_cannot_be_written_leaves_no_trace(tmp_path):
    session = new_session(None)
    for place in ("taken.json", "nowhere/copy.json"):
        (tmp_path / "taken.json").mkdir(exist_ok=True)
        with pytest.raises(SessionError, match=r"cannot be written|was not written"):
            session.save(tmp_path / place)
        assert [path.name for path in tmp_path.iterdir()] == ["taken.json"]


def test_a_missing_setting_takes_its_default_and_an_unknown_one_is_reported_and_stays(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    session.set(tau=2.0)
    session.answer((3, 4, 5), "no")
    copy = session.save(tmp_path / "other.json")
    document = json.loads(copy.read_text())
    del document["settings"]["open_k"], document["settings"]["tau"]
    document["settings"]["colour"] = {"of": "later"}
    copy.write_text(json.dumps(document))
    loaded = Session.load(copy)
    assert (loaded.settings.tau, len(loaded.log)) == (1.0, 2)
    assert loaded.file.note == f"{copy} has settings that this version does not know: 'colour'. They stay in the file"
    loaded.answer((6, 7, 8), "dnk")
    loaded.set(epsilon=0.2)
    again = Session.load(copy)
    assert (again.settings.epsilon, len(again.log)) == (0.2, 3)
    assert "'colour'" in again.file.note
    whole = again.save(tmp_path / "third.json")
    assert json.loads(whole.read_text())["settings"]["colour"] == {"of": "later"}


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "sessions").glob("version-*.json")), ids=lambda p: p.stem
)
def test_a_file_of_each_version_is_read_or_refused_with_a_reason(tmp_path, path):
    """A new version gets a file here; those before stay as they are."""
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    if path.stem == "version-1":
        with pytest.raises(SessionError, match="written by a version of dcrc-explore before the first release"):
            Session.load(copy)
        return
    session = Session.load(copy)
    answers = [(entry.points, entry.answer.name, entry.by) for entry in session.log]
    assert answers == [((0, 1, 2), "YES", "Ann"), ((3, 4, 5), "NO", "user"), ((6, 7), "DNK", "user")]
    assert (session.dataset.name, session.settings.epsilon, session.settings.tau) == ("close", 0.15, 2.0)
    assert session.state.cluster_name(0) == "left ones"
    assert copy.read_bytes() == path.read_bytes()


def test_there_is_a_stored_file_of_this_version():
    assert (Path(__file__).parent / "sessions" / f"version-{VERSION}.json").exists()


def edited(document, *path_and_value):
    *path, value = path_and_value
    target = document
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda d: "", "damaged or not a session"),
        (lambda d: json.dumps(d)[:-50], "damaged or not a session"),
        (lambda d: "[" * 100_000, "damaged or not a session"),
        (lambda d: "[1, 2]", "not a session"),
        (lambda d: '{"cells": []}', "not a session"),
        (lambda d: edited(d, "format", "another tool"), "not a session"),
        (lambda d: edited(d, "version", 3), "newer version"),
        (lambda d: edited(d, "version", "one"), "version must be 2"),
        (lambda d: edited(d, "log", 0, "points", [0, 1, 99]), "between 0 and 14"),
        (lambda d: edited(d, "log", 0, "points", [0]), "damaged"),
        (lambda d: edited(d, "log", 0, "points", [0, 1, 2.5]), "a row number of a question must be a whole number"),
        (lambda d: edited(d, "log", 0, "answer", "perhaps"), "perhaps"),
        (lambda d: edited(d, "log", None), "damaged"),
        (lambda d: edited(d, "log", [1]), "damaged"),
        (lambda d: edited(d, "settings", "n_clusters", 16), "15"),
        (lambda d: edited(d, "settings", "epsilon", float("nan")), "damaged"),
        (lambda d: edited(d, "settings", []), "damaged"),
        (lambda d: edited(d, "data", {}), "damaged"),
        (lambda d: edited(d, "data", "generator", "unheard of"), "unheard of"),
        (lambda d: edited(d, "data", "parameters", "spread", 2.0), "other points"),
        (lambda d: edited(d, "data", {"file": "nowhere.data.json", "check": [], "sums": []}), "nowhere"),
        (lambda d: edited(d, "weights", {"coef": [1, 2], "intercept": 3}), "weights"),
        (lambda d: json.dumps(d).replace('"intercept": [', '"intercept": [1e999, '), "weights"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_reason_and_left_alone(tmp_path, damage, message):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    path = session.file.path
    path.write_text(damage(json.loads(path.read_text())))
    before = path.read_bytes()
    with pytest.raises(SessionError, match=message) as error:
        Session.load(path)
    assert str(path) in str(error.value) or "nowhere" in str(error.value)
    assert path.read_bytes() == before


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SessionError, match=r"gone\.json cannot be read: No such file"):
        Session.load(tmp_path / "gone.json")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 20) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_a_file_says_it_is_loaded_or_refused(tmp_path, data):
    session = new_session(None)
    session.add([(0, 1, 2), (3, 4, 5)], ["yes", "dnk"])
    (tmp_path / "session.json").unlink(missing_ok=True)  # the example before
    path = session.save(tmp_path / "session.json")
    document = json.loads(path.read_text())
    target, key = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(target[key], dict | list) and target[key] and data.draw(st.booleans()):
        target = target[key]
        key = data.draw(st.sampled_from(sorted(target) if isinstance(target, dict) else range(len(target))))
    target[key] = data.draw(json_values)
    path.write_text(json.dumps(document))
    try:
        loaded = Session.load(path, autosave=False)
    except SessionError:
        return
    assert len(loaded.fit.labels) == len(loaded.dataset.X)


# Whatever is accepted is written and read back


texts = st.text(max_size=12) | st.sampled_from(["=1+1", "@x", "\r", "a\rb", "'q", "\ud800", "x" * 10_000, "\u202e"])
answered = st.tuples(
    st.lists(st.integers(0, 8), min_size=2, max_size=3, unique=True).map(tuple),
    st.sampled_from(["yes", "no", "dnk"]),
    st.sampled_from(["Ann", "=cmd|' /C calc'!A0", "+Bob", "@eve", "-1", "'t Hooft", "Zoë"]),
    st.none() | st.floats(0, 1e6),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=texts,
    features=st.lists(texts, min_size=2, max_size=2),
    classes=st.lists(texts, min_size=3, max_size=3),
    items=st.none() | st.lists(texts, min_size=9, max_size=9),
    rows=st.lists(answered, min_size=1, max_size=6),
    cluster=st.text(max_size=10),
)
def test_any_content_that_is_accepted_comes_back(tmp_path_factory, name, features, classes, items, rows, cluster):
    folder = tmp_path_factory.mktemp("any")
    X = np.random.default_rng(0).normal(size=(9, 2))
    shown = None if items is None else Texts(items)
    dataset = Dataset(X, np.arange(9) % 3, name, {}, tuple(features), tuple(classes), items=shown)
    session = Session(dataset, autosave=folder)
    for points, answer, by, seconds in rows:
        session.answer(points, answer, by=by, seconds=seconds)
    with suppress(SessionError):
        session.name_cluster(0, cluster)
    assert session.file.error is None
    loaded = Session.load(session.file.path, autosave=False)
    assert_same(loaded, session)
    assert loaded.state.names == session.state.names
    assert loaded.dataset.items is None if items is None else loaded.dataset.items.texts == shown.texts
    (folder / "answers.csv").write_text(session.export.to_csv(), newline="")
    other = Session(session.dataset, autosave=None)
    other.add_csv(folder / "answers.csv", remark=str)  # any answers, also repeated ones
    assert [(e.points, e.answer, e.by) for e in other.log] == [(e.points, e.answer, e.by) for e in session.log]
    table = list(csv.reader(io.StringIO(session.export.to_csv("clusters"), newline="")))
    assert len(table) == 10
    for line in [*table, *csv.reader(io.StringIO(session.export.to_csv(), newline=""))]:
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in line)


@pytest.mark.parametrize("part", ["name", "feature", "class", "column"])
def test_names_that_no_file_gives_back_are_refused_before_the_first_answer(tmp_path, part):
    long, X = "x" * 10_001, np.random.default_rng(0).normal(size=(20, 2))
    names = {"name": "own", "feature_names": ("a", "b"), "class_names": ("c", "d")}
    if part == "column":  # a column of long texts, taken for the classes
        pd = pytest.importorskip("pandas")
        table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": [f"{n % 2}" * 12_000 for n in range(20)]})
        with pytest.raises(SessionError, match="the name of a class may have at most 10000 characters, got 12000"):
            Session(table, y="c", autosave=tmp_path)
        return
    long_ones = {
        "name": {"name": long},
        "feature": {"feature_names": ("a", long)},
        "class": {"class_names": ("c", long)},
    }
    names |= long_ones[part]
    with pytest.raises(SessionError, match="may have at most 10000 characters, got 10001"):
        Session(Dataset(X, np.arange(20) % 2, **names), autosave=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_sizes_are_known_before_a_file_is_parsed(tmp_path, monkeypatch):
    session = Session(np.random.default_rng(0).normal(size=(30, 2)), autosave=None)
    path = session.save(tmp_path / "own.json")
    text = path.read_text()
    path.write_text(text.replace('"size": [30, 2]', '"size": [1200000, 2]'))
    parsed = []
    monkeypatch.setattr("dcrc_explore.session.format._DECODER", parsed)
    with pytest.raises(SessionError, match=r"may have at most 1000000 rows .*, got 1200000 rows"):
        Session.load(path)
    path.write_text(text.replace('"X": [', '"X": [' + "[0,0]," * 6_000_000))  # whatever its head says
    with pytest.raises(SessionError, match="more values than a session may have"):
        Session.load(path)
    monkeypatch.undo()
    path.write_text(text.replace('"size": [30, 2]', '"size": [31, 2]'))
    with pytest.raises(SessionError, match="size must be that of the data"):
        Session.load(path)
