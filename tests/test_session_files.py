"""Files from strangers, strange names, and folders that others write into as well."""

import contextlib
import json
import os
import random
import shutil
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from damage import damage, kept_files

from dcrc_explore.session import Session, SessionError, find_sessions
from dcrc_explore.session.format import LARGEST
from dcrc_explore.session.inspection import plant
from dcrc_explore.storage import StoredFile, safe_name

SMALL = {"n_per_cluster": 5}


def new_session(folder, data="close", **options) -> Session:
    return Session(data, parameters=SMALL if isinstance(data, str) else None, autosave=folder, **options)


def own_data(name="own data", n_points=9):
    from dcrc_explore.datasets import Dataset

    return Dataset(
        np.random.default_rng(0).normal(size=(n_points, 2)), np.arange(n_points) % 3, name, class_names=tuple("abc")
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# What is read


def test_damaged_files_are_refused_and_left_alone_or_make_sense(tmp_path):
    rng = random.Random(0)
    texts, path = kept_files(tmp_path), tmp_path / "damaged.json"
    refused = 0
    for _ in range(120):
        path.write_text(damage(rng.choice(texts), rng), encoding="utf-8", errors="surrogatepass")
        before, status = path.read_bytes(), path.stat()
        message = ""
        try:
            assert_sane(Session.load(path))
        except SessionError as error:
            refused, message = refused + 1, str(error)
        assert str(tmp_path) in message or not message
        assert len(message) < 1000
        assert path.read_bytes() == before
        assert path.stat().st_mtime_ns == status.st_mtime_ns
    assert refused > 60
    kept = {f"{number}{ending}.json" for number in (0, 1) for ending in ("", "-planted-errors")}
    assert {file.name for file in tmp_path.iterdir()} == {*kept, "damaged.json"}


def assert_sane(session: Session) -> None:
    N = len(session.dataset.X)
    assert session.fit.labels.shape == (N,)
    assert np.isfinite(session.fit.proba).all()
    assert np.isfinite(session.model.trace.objective.bound).all()
    assert session.log.triplets.indices.max(initial=0) < N
    assert all(-1.1 <= value <= 1.1 for quality in session.model.quality for value in quality[1:])
    assert all(type(name) is str for name in (*session.dataset.class_names, *session.dataset.feature_names))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"points": [0, 1, 2]', '"points": [false, true, 2]', "a row number of a question must be a whole number"),
        ('"points": [0, 1, 2]', f'"points": [0, 1, {2**64}]', "between 0 and 14"),
        ('"answer": "yes"', '"answer": true', "an answer must be a text"),
        ('"time": "', '"time": "noon, ', "the time of an answer must be a time in ISO 8601"),
        ('"by": "user"', '"by": 7', "the giver of an answer must be a text"),
        ('"quality": []', '"quality": [[0, -7, 0, 0, 0]]', "a measure of quality must be a number between"),
        ('"quality": []', '"quality": [[-1, 1, 1, 1, 1]]', "number of answers of a quality must be a whole number"),
        ('"balance": true', '"balance": 1', "balance must not be 1"),
        ('"tau": 1.0', '"tau": 1e300', r"tau must be a number of at most 1e\+06, got 1e\+300"),
        ('"tau": 1.0', '"tau": 1e999', "tau must be"),
        ('"n_clusters": 3, "eps', '"n_clusters": 300, "eps', "n_clusters must be a whole number of at most 255"),
        ('"n_per_cluster": 5', '"n_per_cluster": 1000000000', "n_per_cluster must be a whole number between 1 and"),
        ('"n_per_cluster": 5', f'"n_per_cluster": {2**70}', "n_per_cluster must be a whole number between 1 and"),
        ('"spread": 1.0', '"spread": 1e308', "spread must be a number between 0 and 1000000"),
        ('"noise": 0.0', '"noise": 0.05', "other points"),
        ('"distance": 3.0', '"distance": 3.0001', "other points"),
        ('"imbalance": 1.0', '"imbalance": 1.5', "other points"),
        ('"seed": 0', '"seed": 1', "other points"),
        ('"coef": [[', '"coef": [[1e300, ', "weights must be"),
        ('"name": "close"', '"name": "close", "name": "far"', "damaged or not a session"),
        ('"name": "close"', '"name": "close", "colour": 1', "unknown field 'colour'"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_words(tmp_path, old, new, message):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    text = session.file.path.read_text()
    assert text.count(old) == 1
    path = tmp_path / "damaged.json"
    path.write_text(text.replace(old, new))
    before = path.read_bytes()
    with pytest.raises(SessionError, match=message):
        Session.load(path)
    assert path.read_bytes() == before


def test_there_is_a_limit_to_answers_on_both_sides(tmp_path, monkeypatch):
    session = new_session(tmp_path)
    session.add([(0, 1, 2), (3, 4, 5)], ["yes", "no"])
    for module in ("constraints.log", "session.format"):
        monkeypatch.setattr(f"dcrc_explore.{module}.MOST_ANSWERS", 2)
    assert len(Session.load(session.file.path, autosave=False).log) == 2
    with pytest.raises(SessionError, match="a session may have at most 2 answers, got 3"):
        session.answer((6, 7, 8), "yes")
    monkeypatch.setattr("dcrc_explore.session.format.MOST_ANSWERS", 1)
    with pytest.raises(SessionError, match="a session may have at most 1 answers, got 2"):
        Session.load(session.file.path)


def test_class_names_are_names(tmp_path):
    path = new_session(None, own_data()).save(tmp_path / "own.json")
    path.write_text(path.read_text().replace('"class_names": ["a"', '"class_names": [7'))
    with pytest.raises(SessionError, match="class_names must be a text"):
        Session.load(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_only_plain_files_are_read_and_none_that_is_huge(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    (tmp_path / "folder.json").mkdir()
    for name in ("pipe", "device", "folder"):
        with pytest.raises(SessionError, match="not a file but a folder, a pipe or a device"):
            Session.load(tmp_path / name)
    with (tmp_path / "huge.json").open("wb") as file:
        file.write(b'{"format": "dcrc-explore session"')
        file.truncate(LARGEST + 2**20)
    with pytest.raises(SessionError, match="it has 129 MB, and at most 128 MB are read"):
        Session.load(tmp_path / "huge.json")
    assert find_sessions(tmp_path) == []


# What is written


@pytest.mark.parametrize(
    "name", ["../../escaped", "/absolute/path", "a/b\\c", "x" * 300, "日本語" * 100, "..", "\0", "<b>"]
)
def test_no_name_of_data_leads_out_of_the_folder(tmp_path, monkeypatch, name):
    folder = tmp_path / "work" / "here"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    session = Session(own_data(name, 3000), autosave=".")
    session.answer((0, 1, 2), "yes")
    session.export.write("answers.csv", lambda file: file.write(session.export.to_csv().encode()))
    session.export.write("png", {"canvas.png": lambda file: file.write(b"a picture")})
    assert sorted(contents(tmp_path)) == sorted(
        f"work/here/{safe_name(name)}-{ending}"
        for ending in ("answers.csv", "answers.data.json", "answers.json", "png/canvas.png")
    )
    assert len(Session.load(session.file.path).log) == 1


def test_exports_replace_only_what_the_session_wrote(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "close-answers.csv").write_text("mine")
    (tmp_path / "close-png").mkdir()
    (tmp_path / "close-png" / "canvas.png").write_text("mine")
    session = new_session(None)
    for text in (b"one", b"two"):
        table = session.export.write("answers.csv", lambda file, text=text: file.write(text))
        folder = session.export.write("png", {"canvas.png": lambda file, text=text: file.write(text)})
    assert (table.name, folder.name) == ("close-answers-2.csv", "close-png-2")
    assert contents(tmp_path) == {
        "close-answers.csv": b"mine",
        "close-png/canvas.png": b"mine",
        "close-answers-2.csv": b"two",
        "close-png-2/canvas.png": b"two",
    }


def test_an_export_that_fails_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def fail(file):
        file.write(b"half of it")
        raise RuntimeError("no picture today")

    with pytest.raises(RuntimeError, match="no picture"):
        new_session(None).export.write("answers.csv", fail)
    assert contents(tmp_path) == {}
    with pytest.raises(RuntimeError, match="no picture"):
        new_session(None).export.write("png", {"canvas.png": fail})
    assert list(tmp_path.iterdir()) == []


def test_foreign_data_files_are_left_alone(tmp_path):
    data = own_data(n_points=3000)
    (tmp_path / "big.data.json").write_text("mine")
    session = Session(data, autosave=tmp_path / "big.json")
    session.answer((0, 1, 2), "yes")
    copy = session.save(tmp_path / "copy.json")
    (tmp_path / "copy.data.json").write_text("mine")
    Session.load(copy).answer((3, 4, 5), "no")
    assert contents(tmp_path)["big.data.json"] == contents(tmp_path)["copy.data.json"] == b"mine"
    for path in (session.file.path, copy):
        np.testing.assert_array_equal(Session.load(path).dataset.X, data.X)


def test_a_lost_data_file_comes_back(tmp_path):
    session = Session(own_data(n_points=3000), autosave=tmp_path / "big.json")
    session.answer((0, 1, 2), "yes")
    (tmp_path / "big.data.json").unlink()
    session.save(session.file.path)
    assert len(Session.load(session.file.path).log) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_links_are_followed_knowingly_or_not_at_all(tmp_path):
    target = tmp_path / "target.json"
    session = new_session(target)
    session.answer((0, 1, 2), "yes")
    link = tmp_path / "link.json"
    link.symlink_to(target)
    going_on = Session.load(link)
    going_on.answer((3, 4, 5), "no")
    assert going_on.file.path == target
    assert link.is_symlink()
    foreign = tmp_path / "foreign.txt"
    foreign.write_text("mine")
    for name in ("copy.json", "close-answers.json"):
        (tmp_path / name).symlink_to(foreign)
    with pytest.raises(SessionError, match="was not written by this session"):
        session.save(tmp_path / "copy.json")
    other = new_session(tmp_path)
    other.answer((0, 1, 2), "yes")
    assert other.file.path.name == "close-answers-2.json"
    assert foreign.read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_a_file_keeps_its_rights_and_a_temporary_one_is_for_the_user_alone(tmp_path, monkeypatch):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    session.file.path.chmod(0o640)
    seen = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda old, new: (seen.append(Path(old).name), replace(old, new)))
    session = Session.load(session.file.path)
    session.answer((3, 4, 5), "no")
    assert stat.S_IMODE(session.file.path.stat().st_mode) == 0o640
    session.save(session.file.path)
    assert len(set(seen)) == len(seen) == 2  # nobody can foresee the name


def test_what_killed_processes_left_is_cleaned_up_and_what_a_living_one_holds_is_not(tmp_path):
    for name in (".dcrc-explore-abc123.tmp", "mine.json", "my-answers.json", ".mine.tmp"):
        (tmp_path / name).touch()
    held = StoredFile.create(tmp_path / ".dcrc-explore-held.tmp", b"in use")
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    assert {path.name for path in tmp_path.iterdir()} == {
        session.file.path.name, "mine.json", "my-answers.json", ".mine.tmp", held.path.name,
    }  # fmt: skip


def test_a_file_that_comes_back_is_told_of(tmp_path):
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    session.file.path.unlink()
    session.answer((3, 4, 5), "yes")
    assert session.file.note == f"{session.file.path} was missing. It was written again, with all answers."
    session.answer((6, 7, 8), "yes")
    assert session.file.note is None


def test_a_link_in_the_place_of_an_exported_folder_is_not_followed(tmp_path):
    session = new_session(tmp_path / "here")
    session.answer((0, 1, 2), "yes")
    folder = session.export.write("png", {"canvas.png": lambda file: file.write(b"a picture")})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(folder)
    folder.symlink_to(elsewhere)  # which may get the number that the folder had
    session.export._written._folders[folder] = folder.lstat().st_ino
    again = session.export.write("png", {"canvas.png": lambda file: file.write(b"a picture")})
    assert list(elsewhere.iterdir()) == []
    assert again != folder


@pytest.mark.parametrize(
    "place",
    [("name",), ("data", "name"), ("data", "feature_names", 0), ("data", "class_names", 0), ("log", 0, "by")],
)
def test_half_a_character_in_a_strangers_file_is_refused_and_the_file_not_offered(tmp_path, place):
    session = new_session(tmp_path / "kept.json", own_data())
    session.answer((0, 1, 2), "yes")
    fields = json.loads(session.file.path.read_text())
    target = fields
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = "S\ud800"
    strange = tmp_path / "strange" / "x.json"
    strange.parent.mkdir()
    strange.write_text(json.dumps(fields))
    with pytest.raises(SessionError, match="whole characters"):
        Session.load(strange)
    if place == ("name",):
        assert find_sessions(strange.parent) == []


def test_a_file_whose_name_nobody_can_write_is_not_offered(tmp_path):
    session = new_session(tmp_path / "kept.json")
    session.answer((0, 1, 2), "yes")
    strange = os.fsencode(tmp_path) + b"/caf\xe9.json"
    with contextlib.suppress(OSError):  # a system that has no such names
        os.rename(session.file.path, strange)
        assert find_sessions(tmp_path) == []


# Folders that go


def test_a_working_folder_that_was_deleted_is_told(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    for action in (lambda: new_session("."), lambda: Session.load("x"), find_sessions):
        with pytest.raises(SessionError, match="the working folder does not exist any more"):
            action()
    session = new_session(None)
    session.answer((0, 1, 2), "yes")
    with pytest.raises(SessionError, match="working folder"):
        session.export.write("answers.csv", lambda file: None)


def test_a_deleted_folder_of_answers_is_made_again_and_told(tmp_path):
    session = new_session(tmp_path / "answers")
    session.answer((0, 1, 2), "yes")
    session.file.path.unlink()
    session.file.path.parent.rmdir()
    session.answer((3, 4, 5), "no")
    assert (
        session.file.note == f"The folder {tmp_path / 'answers'} was missing. "
        "It was created again, with all answers in close-answers.json."
    )
    assert len(Session.load(session.file.path).log) == 2


# Changes at the end of the file


def test_an_answer_costs_a_line_and_a_clean_save_is_plain_json(tmp_path):
    session = new_session(tmp_path)
    session.answer_by_oracle(200, strategy="random")
    session.answer(session.questions.suggest("random"), "dnk")
    before = session.file.path.read_bytes()
    session.answer(session.questions.suggest("random"), "dnk")
    session.set(epsilon=0.1)
    session.undo()
    after = session.file.path.read_bytes()
    assert after.startswith(before)
    assert len(after) - len(before) < 3000
    with pytest.raises(json.JSONDecodeError):
        json.loads(after)
    loaded = Session.load(session.file.path, autosave=False)
    assert loaded.log == session.log
    assert loaded.settings == session.settings
    session.save(session.file.path)
    assert len(json.loads(session.file.path.read_text())["log"]) == 202


def test_an_answer_after_undo_costs_a_line_too(tmp_path):
    session = Session("close", autosave=tmp_path)
    session.answer_by_oracle(300, strategy="random")
    session.answer((0, 1, 2), "yes")
    size = session.file.path.stat().st_size
    for n in range(3, 8):
        session.undo()
        session.answer((0, 1, n), "no")
        session.flip(len(session.log) - 1)
    assert session.file.path.stat().st_size < size + 15 * 2000
    assert Session.load(session.file.path, autosave=False).log == session.log


def test_the_list_of_changes_does_not_outgrow_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("dcrc_explore.session.saving._MANY", 1000)
    session = new_session(tmp_path)
    session.answer((0, 1, 2), "yes")
    whole, sizes = session.file.path.stat().st_size, []
    for _ in range(10):
        session.undo()
        session.redo()
        sizes.append(session.file.path.stat().st_size)
        assert Session.load(session.file.path, autosave=False).log == session.log
    assert max(sizes) < 3 * whole
    assert sizes != sorted(sizes)  # it was written as a whole now and then


def test_a_line_that_was_cut_off_was_never_acknowledged(tmp_path):
    session = new_session(tmp_path)
    for question in [(0, 1, 2), (3, 4, 5), (6, 7, 8)]:
        session.answer(question, "yes")
    text = session.file.path.read_text()
    session.file.path.write_text(text[:-20])
    loaded = Session.load(session.file.path)
    assert [given.points for given in loaded.log] == [(0, 1, 2), (3, 4, 5)]
    loaded.answer((9, 10, 11), "no")
    assert len(Session.load(session.file.path, autosave=False).log) == 3
    first, second, third = text.index('{"saved"'), text.rindex('{"saved"'), len(text)
    session.file.path.write_text(text[:first] + text[second:third])  # a line in the middle is missing
    with pytest.raises(SessionError, match="damaged"):
        Session.load(session.file.path)


def test_where_there_are_no_locks_and_open_files_are_not_replaced_nothing_is_lost(tmp_path, monkeypatch):
    """As on Windows, as far as another system can tell."""
    replace = os.replace

    def refusing(old, new):
        opened = {os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")}
        if opened & {os.path.realpath(old), os.path.realpath(new)}:
            raise PermissionError(13, "the file is open", new)
        replace(old, new)

    def rename(old, new):
        if os.path.lexists(new):
            raise FileExistsError(17, "the name is taken", new)
        refusing(old, new)

    monkeypatch.setattr("dcrc_explore.storage._WINDOWS", True)
    monkeypatch.setattr("dcrc_explore.storage._lock", lambda descriptor: False)
    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr(os, "rename", rename)
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "getuid"):
        monkeypatch.delattr(os, name)
    session = Session("close", parameters=SMALL, autosave=tmp_path)
    for question in ((0, 1, 2), (3, 4, 5), (6, 7, 8)):
        session.answer(question, "yes")
        assert session.file.error is None
    other = Session.load(session.file.path)
    other.answer((1, 2, 3), "no")
    session.answer((4, 5, 6), "dnk")
    assert "Another program has changed" in session.file.note
    for one in (session, other):
        assert one.file.error is None
        assert Session.load(one.file.path, autosave=False).log == one.log
    assert sorted(tmp_path.iterdir()) == sorted([session.file.path, other.file.path])


def test_planted_errors_are_in_a_copy_and_a_persons_answers_stay(tmp_path):
    session = new_session(tmp_path)
    session.add([(0, 1, 10), (2, 3, 11), (4, 0, 12)], ["yes", "yes", "dnk"])
    own = session.file.path
    before = own.read_bytes()
    plant(session, 2)
    assert own.read_bytes() == before
    assert session.file.path.name == "close-planted-errors.json"
    assert session.file.note == (
        f"The errors are planted in a copy, {session.file.path}. Your own answers stay in {own}"
    )
    session.answer((5, 6, 13), "no")
    copy = Session.load(session.file.path)
    assert (int(copy.log.planted.sum()), len(copy.log)) == (2, 4)
    assert [saved.path for saved in find_sessions(tmp_path)] == [own, copy.file.path]
    session.undo()
    session.undo()
    assert session.file.path == own
    session.answer((7, 8, 14), "no")
    assert [entry.answer.name for entry in Session.load(own).log] == ["YES", "YES", "DNK", "NO"]
