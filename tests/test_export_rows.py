"""Whatever was left out of a file, what is exported names the rows of the file."""

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcrc_explore.constraints import AmbiguousAnswers, read_answers
from dcrc_explore.datasets import Draft, as_dataset, write_scenes
from dcrc_explore.page.film import record
from dcrc_explore.room.classroom import Classroom, rehearse
from dcrc_explore.room.classroom.report import as_table
from dcrc_explore.room.study.export import answers_csv
from dcrc_explore.room.study.records import Answered
from dcrc_explore.session import Session
from dcrc_explore.widgets.scene import pack_points

CELL = st.text(st.characters(blacklist_categories=("Cs", "Cc"), max_codepoint=0x2FFF), max_size=5)
NUMBER = st.floats(-9, 9).map(lambda value: f"{value:.3f}")


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[str]]]:
    """A header, the part of each column, and rows of which some have empty cells."""
    n = draw(st.integers(10, 14))
    names = draw(st.permutations(["id", "width", "height", "kind", "name", "row", "note"]))
    part_of = {"width": "feature", "height": "feature", "kind": draw(st.sampled_from(["class", "ignore"]))}
    part_of["note"] = draw(st.sampled_from(["items", "ignore"]))
    content = {
        "id": [f"b{i}" for i in range(n)],
        "kind": draw(st.lists(st.sampled_from(["red", "white", ""]), min_size=n, max_size=n)),
        "row": draw(st.lists(NUMBER, min_size=n, max_size=n)),
        **{name: draw(st.lists(CELL, min_size=n, max_size=n)) for name in ("name", "note")},
        **{name: draw(st.lists(NUMBER | st.just(""), min_size=n, max_size=n)) for name in ("width", "height")},
    }
    for whole in range(4):  # enough for a fit
        for name, cell in (("width", f"{whole}.5"), ("height", f"{whole % 2}"), ("kind", "red")):
            content[name][whole * 3] = cell
    parts = [part_of.get(name, "ignore") for name in names]
    return list(names), parts, [[content[name][i] for name in names] for i in range(n)]


def written(header: list[str], rows: list[list[str]], path: Path, blank: bool) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        for row in [header, *rows]:
            writer.writerow(row)
            if blank:
                file.write("\r\n")


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@given(tables(), st.booleans(), st.booleans())
@settings(max_examples=25)
def test_a_join_by_row_gives_each_line_its_own_values(table, blank, standardise):
    header, parts, rows = table
    with TemporaryDirectory() as folder:
        written(header, rows, Path(folder, "bottles.csv"), blank)
        data = Draft.read(Path(folder, "bottles.csv")).dataset(parts, drop_incomplete=True)
        session = Session(data.standardized() if standardise else data, autosave=None, n_clusters=2)
        session.answer((0, 1, 2), "yes")
        session.answer((1, 3), "no")
        session.save(Path(folder, "saved.json"))
        loaded = Session.load(Path(folder, "saved.json"), autosave=None)
    file = [{name: cell.strip() for name, cell in zip(header, row, strict=True)} for row in rows]
    features = [name for name, part in zip(header, parts, strict=True) if part == "feature"]
    left_out = [name for name, part in zip(header, parts, strict=True) if part == "ignore"]
    lines = read(session.export.to_csv("clusters"))
    assert [int(line["row"]) for line in lines] == data.rows.tolist()
    whole = [
        i
        for i, row in enumerate(file)
        if all(row[n] for n, p in zip(header, parts, strict=True) if p in ("feature", "class"))
    ]
    assert data.rows.tolist() == whole
    for point, line in enumerate(lines):
        row = file[int(line["row"])]
        assert data.X[point].tolist() == [float(row[name]) for name in features]
        for name in left_out:
            cell = line[f"{name} (file)" if name in ("name", "row") else name]
            assert (cell[1:] if cell.startswith("'") else cell) in (row[name], row[name][1:])
        assert line["cluster"] == str(session.fit.labels[point] + 1)
        assert int(line.get("point", point)) == point
    for line in read(session.export.to_csv()):
        for letter in "abc":
            if line[letter]:
                assert int(line.get(f"row_{letter}", line[letter])) == data.rows[int(line[letter])]
    assert session.export.to_csv("clusters", [1, 3]).splitlines()[0] == ",".join(lines[0])
    assert loaded.export.to_csv("clusters") == session.export.to_csv("clusters")
    assert loaded.export.to_csv() == session.export.to_csv()
    if data.skips_rows:
        program = session.export.to_code()
        place = program.index("rows = [")
        assert eval(program[place + 7 : program.index("]", place) + 1]) == data.rows.tolist()


def test_a_table_in_memory_keeps_its_rows_and_further_columns():
    frame = pd.DataFrame({"bottle": [11, 12, 13, 14], "acid": [1.0, None, 3, 4], "ash": [1.0, 2, 3, 5]})
    data = as_dataset(frame, ignore="bottle", drop_incomplete=True)
    assert data.rows.tolist() == [0, 2, 3]
    assert data.other_columns == {"bottle": ("11", "13", "14")}
    again = as_dataset(data, y=["a", "b", "b"])
    assert again.rows.tolist() == [0, 2, 3]
    assert again.other_columns == data.other_columns
    table = Session(again, autosave=None, n_clusters=2).export.to_frame()
    assert table.set_index("row")["bottle"].to_dict() == {0: "11", 2: "13", 3: "14"}


def test_a_frame_keeps_what_it_calls_its_rows(tmp_path):
    frame = pd.DataFrame({"acid": [1.0, 2, 3, 4], "kind": list("aabb")}, pd.Index(["w", "x", "y", "z"], name="bottle"))
    data = as_dataset(frame.iloc[1:], "kind")
    assert (data.rows.tolist(), data.names, data.feature_names) == ([0, 1, 2], ["x", "y", "z"], ("acid",))
    numbered = as_dataset(frame.reset_index(drop=True).iloc[[3, 1, 2]], "kind")
    assert numbered.other_columns == {"index": ("3", "1", "2")}
    assert as_dataset(frame.reset_index(drop=True), "kind").other_columns == {}


def test_answers_name_rows_of_the_file_their_ids_or_points(tmp_path):
    """Where rows were left out, a number means two things; nothing is added until a person says which."""
    frame = pd.DataFrame({"id": list("pqrstu"), "x": [None, 1.0, 2, 3, 5, 8], "y": [0.0, 1, 0, 1, 0, 1]})
    session = Session(as_dataset(frame, ignore=["id"], drop_incomplete=True), autosave=None, n_clusters=2)
    (tmp_path / "a.csv").write_text("a,b,c,answer\n1,2,4,yes\n")
    with pytest.raises(AmbiguousAnswers, match="rows='file'"):
        session.add_csv(tmp_path / "a.csv")
    assert len(session.log) == 0
    odd: list[str] = []
    session.add_csv(tmp_path / "a.csv", rows="file")
    (tmp_path / "ids.csv").write_text("a,b,c,answer\nq,r,t,yes\n")
    session.add_csv(tmp_path / "ids.csv", remark=odd.append)
    assert session.log.points.tolist() == [[0, 1, 3], [0, 1, 3]]
    (tmp_path / "own.csv").write_text(session.export.to_csv())
    session.add_csv(tmp_path / "own.csv", remark=odd.append)
    assert session.log.points.tolist() == [[0, 1, 3]] * 4
    assert odd == [f"{n} another one of the same person." for n in ("1 answer repeats", "2 answers repeat")]


def test_an_exported_file_of_answers_means_the_same_rows_wherever_it_is_read(tmp_path):
    frame = pd.DataFrame({"x": [None, 1.0, 2, 3, 5, 8, 9], "y": [0.0, 1, 0, 1, 0, 1, 0]})
    fewer = Session(as_dataset(frame, drop_incomplete=True), autosave=None, n_clusters=2)
    fewer.add([(0, 1, 3), (2, 4)], ["yes", "dnk"])
    (tmp_path / "fewer.csv").write_text(fewer.export.to_csv())
    whole = Session(as_dataset(frame.fillna(0)), autosave=None, n_clusters=2)
    whole.add_csv(tmp_path / "fewer.csv", remark=str)
    assert whole.log.points.tolist() == [[1, 2, 4], [3, 5, -1]]
    assert read_answers(tmp_path / "fewer.csv", rows="file", n_samples=7).points.tolist() == whole.log.points.tolist()
    assert read_answers(tmp_path / "fewer.csv", rows="numbers").points.tolist() == fewer.log.points.tolist()
    # So does the file of a program.
    fewer.add([(0, 1, 3)] * 40, ["yes"] * 40)
    files: dict[str, str] = {}
    assert 'rows="numbers"' in fewer.export.to_code(files)
    (tmp_path / "code.csv").write_text(files["answers.csv"])
    whole.add_csv(tmp_path / "code.csv", remark=str)
    assert whole.log.points.tolist()[2:5] == [[1, 2, 4], [3, 5, -1], [1, 2, 4]]
    # Answers about all rows are not taken for answers about those that are left.
    (tmp_path / "whole.csv").write_text(whole.export.to_csv())
    with pytest.raises(AmbiguousAnswers, match="rows='file'"):
        fewer.add_csv(tmp_path / "whole.csv")
    fewer.add_csv(tmp_path / "whole.csv", rows="file", remark=str)
    assert fewer.log.points.tolist()[-44:-40] == [[0, 1, 3], [2, 4, -1], [0, 1, 3], [2, 4, -1]]


def test_tables_of_a_class_and_a_study_name_the_rows_of_the_file(tmp_path):
    frame = pd.DataFrame({"x": [None, 1.0, 2, None, 5, 8], "y": [0.0, 1, 0, 1, 0, 1]})
    session = Session(as_dataset(frame, drop_incomplete=True), autosave=None, n_clusters=2)
    with Classroom(session, tmp_path / "class.jsonl", port=0) as room:
        rehearse(room, people=3)
        tables = [as_table(room)]
        given = [Answered(each.entry, 0, 0, 0, "main", False, None) for each in room.roll.answers]
    tables.append(answers_csv(given, session.dataset.rows))
    for table in tables:
        lines = read(table)
        assert lines
        for line in lines:
            assert [int(line[f"row_{letter}"]) for letter in "abc"] == [[1, 2, 4, 5][int(line[each])] for each in "abc"]


def test_files_that_cannot_be_read_leave_the_others_their_rows_features_and_folders(tmp_path):
    write_scenes(tmp_path / "photos", n_per_kind=3)
    names = sorted(path.name for path in (tmp_path / "photos").iterdir())
    (tmp_path / "photos" / names[2]).write_bytes(b"no image")
    table = pd.DataFrame({"photo": names, "title": [f"-{name}" for name in names]})
    table.to_csv(tmp_path / "photos" / "list.csv", index=False)
    data = as_dataset(tmp_path / "photos" / "list.csv", items="photo", ignore=["title"], features="pixels")
    session = Session(data, autosave=None, n_clusters=3)
    lines = pd.read_csv(io.StringIO(session.export.to_csv("clusters")))
    joined = lines.merge(table, left_on="row", right_index=True)
    assert len(joined) == len(names) - 1
    assert (joined["item"] == joined["photo"]).all()
    assert (joined["title_x"] == "'" + joined["title_y"]).all()
    sorted_files = session.export.sort_files(tmp_path / "sorted")
    for row, cluster in zip(lines["row"], lines["cluster"], strict=True):
        assert (sorted_files.folder / f"cluster {cluster}" / names[row]).is_file()


def test_many_further_columns_are_saved_as_well(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.random(3000), "y0": rng.random(3000)})
    frame["note"] = [f"a, rather, long, note {i} " * 5 for i in range(3000)]
    session = Session(as_dataset(frame, ignore=["note"]), autosave=None, n_clusters=2)
    session.save(tmp_path / "saved.json")
    assert (tmp_path / "saved.json").stat().st_size < 400_000
    assert Session.load(tmp_path / "saved.json", autosave=None).dataset.other_columns == session.dataset.other_columns


@pytest.mark.parametrize("columns", ['{"id": ["a"]}', '{"id": 3}', '"%%"', '"eJw="', "[]"])
def test_damaged_columns_of_a_saved_session_are_refused(tmp_path, columns):
    frame = pd.DataFrame({"id": ["p", "q", "r"], "x": [1.0, 2, 4]})
    Session(as_dataset(frame, ignore=["id"]), autosave=None, n_clusters=2).save(tmp_path / "saved.json")
    text = (tmp_path / "saved.json").read_text()
    assert '{"id": ["p", "q", "r"]}' in text
    (tmp_path / "saved.json").write_text(text.replace('{"id": ["p", "q", "r"]}', columns))
    with pytest.raises(ValueError, match=r"column|damaged"):
        Session.load(tmp_path / "saved.json", autosave=None)


def test_items_are_called_as_people_call_them(tmp_path):
    frame = pd.DataFrame({"kind": ["a", "b", "b"], "bottle": ["b7", "c2", "d3"], "x": [1.0, 2, 4]})
    assert as_dataset(frame, ignore=["kind", "bottle"]).standardized().names == ["b7", "c2", "d3"]
    frame.loc[1, "x"] = None
    assert as_dataset(frame, "kind", ignore=["bottle"], drop_incomplete=True).names == ["b7", "d3"]
    assert as_dataset(frame[["x", "kind"]], "kind", drop_incomplete=True).names == ["row 0", "row 2"]
    long = ["It rained  all\nday and all night over the whole of the country", "Sun", "Wind"]
    assert as_dataset(long, features="words").names[:2] == ["It rained all day and all night over th…", "Sun"]
    write_scenes(tmp_path / "photos", n_per_kind=1)
    photos = as_dataset(tmp_path / "photos", features="pixels")
    assert photos.names == list(photos.items.names)
    assert as_dataset(np.eye(3)).names is None
    session = Session(photos, autosave=None, n_clusters=2)
    assert record(session).names == pack_points(session)["names"] == photos.names
