"""Files that hold what people did: whole lines, one writer, nothing left behind."""

import os
import stat
import subprocess
import sys
import textwrap

import pytest

from dcrc_explore.storage import StoredFile, Written, clean, in_use, read_text, version, whole_lines

LARGEST = 2**20

HOLDING = """
    import sys
    from pathlib import Path
    from dcrc_explore.storage import StoredFile
    file = StoredFile(Path(sys.argv[1]))
    file.hold()
    print("held", flush=True)
    sys.stdin.read()
"""

# Is killed in the middle of writing: a temporary file is left, and no name is taken.
KILLED = """
    import os, signal, sys
    from pathlib import Path
    from dcrc_explore.storage import StoredFile
    StoredFile.create(Path(sys.argv[1]), lambda file: os.kill(os.getpid(), signal.SIGKILL))
"""


def run(script, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_lines_are_appended_and_torn_ones_stand_alone(tmp_path):
    path = tmp_path / "ann.jsonl"
    with StoredFile.create(path, b"first\n") as file:
        file.append("second\n")
    with path.open("ab") as torn:
        torn.write(b"thi")
    assert whole_lines(read_text(path, largest=LARGEST)) == ["first", "second"]
    with StoredFile(path) as file:
        file.hold()
        file.append("fourth\n")
    assert path.read_text() == "first\nsecond\nthi\nfourth\n"


def test_a_new_file_takes_a_free_name_and_no_name_without_content(tmp_path):
    names = [StoredFile.create(tmp_path / "p.jsonl", b"x\n").path.name for _ in range(3)]
    assert names == ["p.jsonl", "p-2.jsonl", "p-3.jsonl"]

    def fail(file):
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        StoredFile.create(tmp_path / "q.jsonl", fail)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_a_file_system_without_links_is_no_obstacle(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert [StoredFile.create(tmp_path / "p", b"x").path.name for _ in range(2)] == ["p", "p-2"]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_replaced_file_keeps_its_permissions_and_its_writer(tmp_path):
    file = StoredFile.create(tmp_path / "p.jsonl", b"old\n")
    file.path.chmod(0o640)
    file.replace(b"new\n")
    file.append("more\n")
    assert file.path.read_text() == "new\nmore\n"
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o640
    assert not file.changed


def test_what_somebody_else_changed_or_deleted_is_not_appended_to(tmp_path):
    file = StoredFile.create(tmp_path / "p.jsonl", b"mine\n")
    file.path.write_text("theirs\n")
    with pytest.raises(OSError, match="another program"):
        file.append("more\n")
    assert file.path.read_text() == "theirs\n"
    file.path.unlink()
    assert file.gone
    with pytest.raises(OSError, match="another program"):
        file.append("more\n")


@pytest.mark.slow
def test_one_process_writes_a_file_until_it_ends(tmp_path):
    path = tmp_path / "p.jsonl"
    StoredFile.create(path, b"x\n").close()
    with run(HOLDING, path) as process:
        assert process.stdout.readline() == "held\n"
        assert in_use(path)
        with pytest.raises(BlockingIOError):
            StoredFile(path).hold()
        process.kill()
    assert not in_use(path)


@pytest.mark.slow
def test_what_a_killed_process_left_is_removed_at_once_and_what_a_living_one_has_is_not(tmp_path):
    for _ in range(2):
        with run(KILLED, tmp_path / "p.jsonl"):
            pass
    left = list(tmp_path.iterdir())
    assert [path.suffix for path in left] == [".tmp", ".tmp"]  # and no placeholder under the name

    def clean_meanwhile(file):
        clean(tmp_path)
        file.write(b"x\n")

    assert StoredFile.create(tmp_path / "p.jsonl", clean_meanwhile).path.read_text() == "x\n"
    assert [path.name for path in tmp_path.iterdir()] == ["p.jsonl"]


def test_an_export_replaces_only_what_was_written_here(tmp_path):
    written = Written()
    assert written.export(tmp_path / "a.csv", b"1") == tmp_path / "a.csv"
    assert written.export(tmp_path / "a.csv", b"2") == tmp_path / "a.csv"
    (tmp_path / "a.csv").write_text("mine")
    assert written.export(tmp_path / "a.csv", b"3") == tmp_path / "a-2.csv"
    assert (tmp_path / "a.csv").read_text() == "mine"
    assert version(tmp_path / "b.csv") is None


def test_only_plain_files_of_decent_size_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * 100)
    for name, words in (("pipe", "a pipe"), ("large", "at most"), ("nowhere", "No such file")):
        with pytest.raises(ValueError, match=words):
            read_text(tmp_path / name, largest=99)
    assert read_text(tmp_path / "large", largest=99, most=3) == "xxx"
