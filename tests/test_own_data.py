"""What happens to a user's own arrays, tables and files."""

import io
import os
import struct
import zipfile

import numpy as np
import pandas as pd
import pytest

from dcrc_explore.datasets import Dataset, Draft, IncompleteRows, Unusable, as_dataset, describe_columns, limits

X = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]])
kinds = ["oak", "elm", "oak"]


def _assert_trees(data, feature_names=("width", "height")):
    assert np.array_equal(data.X, X)
    assert data.y.tolist() == [1, 0, 1]
    assert data.class_names == ("elm", "oak")
    assert data.feature_names == feature_names


def test_arrays_and_tables_become_a_dataset():
    _assert_trees(as_dataset(X, kinds), ("x1", "x2"))
    _assert_trees(as_dataset(X.tolist(), pd.Series(kinds)), ("x1", "x2"))
    frame = pd.DataFrame(X, columns=["width", "height"])
    _assert_trees(as_dataset(frame, kinds))
    _assert_trees(as_dataset(frame.assign(kind=pd.Categorical(kinds)), "kind"))
    _assert_trees(as_dataset(frame.assign(y=kinds)))
    assert as_dataset(frame).y is None
    data = as_dataset(X, kinds, name="trees")
    assert as_dataset(data) is data
    assert as_dataset(data, name="wood").class_names == data.class_names
    assert as_dataset(data, [0, 0, 1]).y.tolist() == [0, 0, 1]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_csv_files_become_a_dataset(tmp_path, delimiter, encoding):
    rows = [["width", "height", "kind"], ["1", "10", "oak"], ["2", "20", "elm"], ["4", "40", "oak"]]
    path = tmp_path / "trees.csv"
    path.write_text("\n".join(delimiter.join(row) for row in rows), encoding=encoding)
    data = as_dataset(path, "kind")
    _assert_trees(data)
    assert data.name == "trees"
    path.write_text("\n".join(delimiter.join(row) for row in rows[1:]), encoding=encoding)
    _assert_trees(as_dataset(str(path), "x3"), ("x1", "x2"))


def test_npz_files_become_a_dataset(tmp_path):
    path = tmp_path / "trees.npz"
    np.savez(path, X=X, y=[1, 0, 1], names=["elm", "oak"])
    _assert_trees(as_dataset(path), ("x1", "x2"))
    np.savez(path, X=X)
    assert as_dataset(path).y is None
    np.savez(path, X=X, y=[1, 0, 2], names=["elm", "oak"])
    with pytest.raises(ValueError, match="to go with 2 class names"):
        as_dataset(path)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0, np.nan], [2.0, 3.0]], None, "1 of 2 rows has an empty cell .the first: row 0, column 1."),
        ([[1.0, 2.0], [np.inf, 3.0]], None, "finite, got inf in column 0, row 1"),
        ([[1.0, 2.0]], None, r"at least two rows .* got shape \(1, 2\)"),
        (np.empty((3, 0)), None, r"one column, got shape \(3, 0\)"),
        ([1.0, 2.0], None, r"shape \(N, n_features\), got \(2,\)"),
        ([["1", "a"], ["2", "b"]], None, "numbers, got 'a' in column 1, row 0"),
        (X, [0, 1], r"one class per row of X, shape \(3,\), got \(2,\)"),
        (X, ["a", None, "b"], "1 of 3 rows has an empty cell .the first: row 1, the class."),
        (X, [0, np.nan, 1], "1 of 3 rows has an empty cell .the first: row 1, the class."),
        (X, "kind", "y can name a column only of a table"),
        (pd.DataFrame({"a": [1, 2], "b": ["u", "v"]}), None, "got 'u' in column 'b', row 0: leave .* classes .y='b'"),
        (pd.DataFrame({"a": [1, None]}), None, "the first: row 1, column 'a'"),
        (pd.DataFrame({"a": [1, 2]}), "b", "the columns a, got y='b'"),
        (pd.DataFrame({"y": [1, 2]}), None, "at least one column besides"),
    ],
)
def test_unusable_data_is_explained(X, y, message):
    with pytest.raises(ValueError, match=message):
        as_dataset(X, y)


def test_a_file_of_another_kind_is_told_from_none_at_all(tmp_path):
    path = tmp_path / "trees.xlsx"
    with pytest.raises(FileNotFoundError, match=r"there is no file or folder '.*trees\.xlsx'"):
        as_dataset(path)
    path.touch()
    with pytest.raises(
        ValueError,
        match=r"a \.csv, \.npz or \.npy file, .* or a folder of images, sounds or texts, got '.*trees\.xlsx'",
    ):
        as_dataset(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a,b\n1,2\n3\n", "must have 2 cells as row 1 has, got 1 in row 3"),
        ("a,b\n1,2\n3,\n", "the first: row 3 of the file, column 'b'"),
        ("a,b\n1,2\n3,x\n", "got 'x' in column 'b', row 3 of the file"),
        ("a,a\n1,2\n3,4\n", "must differ, got a, a"),
        ("a,b\n1,2\n", "at least two rows"),
        ("a,b\n", "at least two rows"),
    ],
)
def test_unusable_csv_files_are_explained(tmp_path, text, message):
    path = tmp_path / "own.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        as_dataset(path)


def test_files_are_read_as_data_only(tmp_path):
    path = tmp_path / "own.npz"
    np.savez(path, X=np.array([[print]], dtype=object))
    with pytest.raises(ValueError, match=r"not an .npz file of plain arrays"):
        as_dataset(path)
    path.write_bytes(b"no archive")
    with pytest.raises(ValueError, match=r"not an .npz file of plain arrays"):
        as_dataset(path)
    np.savez(path, Z=X)
    with pytest.raises(ValueError, match="must hold an array X"):
        as_dataset(path)
    with pytest.raises(FileNotFoundError, match=r"there is no file '.*nowhere\.csv'"):
        as_dataset(tmp_path / "nowhere.csv")


# Columns and holes


HOLES = "id,width,height,kind,note\n7,1,10,oak,tall\n\n8,,20,elm,\n9,4,40,oak,n\n10,5,50,,x\n"


@pytest.fixture
def holes(tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text(HOLES)
    return path


def test_rows_with_empty_cells_are_counted_and_left_out_when_asked(holes):
    options = dict(y="kind", features=["width", "height"])
    with pytest.raises(
        IncompleteRows, match=r"2 of 4 rows have empty cells .the first: row 4 of the file, column 'width'"
    ) as got:
        as_dataset(holes, **options)
    assert got.value.n_rows == 2
    data = as_dataset(holes, **options, drop_incomplete=True)
    assert data.X.tolist() == [[1, 10], [4, 40]]
    assert data.class_names == ("oak",)
    assert data.description == "2 rows with empty cells left out"
    # Only cells that are used count.
    assert len(as_dataset(holes, features=["height", "id"]).X) == 4
    with pytest.raises(ValueError, match=r"got shape \(1, 1\) after 1 row with empty cells were left out"):
        as_dataset([[1.0], [None]], drop_incomplete=True)


def test_columns_are_chosen_by_name(holes):
    assert as_dataset(holes, ignore=["kind", "note", "width"]).feature_names == ("id", "height")
    assert as_dataset(holes, features="height").X.ravel().tolist() == [10, 20, 40, 50]
    with pytest.raises(ValueError, match="the columns id, width, height, kind, note, got features='depth'"):
        as_dataset(holes, features=["depth"])
    with pytest.raises(ValueError, match="got ignore='depth'"):
        as_dataset(holes, ignore=["depth"])
    with pytest.raises(ValueError, match="either a feature, the class, the items or ignored, got 'kind' as two"):
        as_dataset(holes, "kind", features=["kind"])
    with pytest.raises(ValueError, match="X has no columns with names"):
        as_dataset(X, features=["a"])


def test_columns_describe_themselves(holes):
    columns = {column.name: column for column in describe_columns(holes)}
    assert {name: (column.kind, column.n_empty, column.n_distinct) for name, column in columns.items()} == {
        "id": ("numbers", 0, 4),
        "width": ("numbers", 1, 3),
        "height": ("numbers", 0, 4),
        "kind": ("texts", 1, 2),
        "note": ("texts", 1, 3),
    }
    assert columns["note"].examples == ("tall", "n", "x")
    with pytest.raises(ValueError, match=r"only a \.csv file and a data frame"):
        describe_columns(X)


def test_columns_get_their_likeliest_parts(tmp_path):
    path = tmp_path / "plants.csv"
    head = "id,width,photo,kind,note,gone,odd\n"
    rows = [
        f"{n},{n % 7},{n}.png,{'oak' if n % 2 else 'elm'},a long note {n},{n if n < 3 else ''},{n}" for n in range(30)
    ]
    path.write_text(head + "\n".join(rows).replace("5,5,5.png", "5,,5.png") + "\n31,4,x.png,,note,,six\n")
    draft = Draft.read(path)
    parts = dict(zip([column.name for column in draft.columns], draft.guess(), strict=True))
    assert parts == {
        "id": "ignore",
        "width": "feature",
        "photo": "items",
        "kind": "class",
        "note": "ignore",  # one column is shown
        "gone": "ignore",
        "odd": "feature",
    }
    # What is odd is told as the file shows it, without words for programs.
    with pytest.raises(Unusable) as got:
        draft.dataset(list(parts.values()))
    assert got.value.found == "features must be numbers, got 'six' in column 'odd', row 32 of the file"
    parts["odd"] = "ignore"
    with pytest.raises(IncompleteRows, match=r"2 of 31 rows have empty cells .the first: row 7 of") as missing:
        draft.dataset(list(parts.values()))
    assert (missing.value.n_rows, missing.value.n_unnamed) == (2, 1)
    data = draft.dataset(list(parts.values()), drop_incomplete=True).standardized()
    assert (data.name, data.X.shape, data.n_classes, data.items.kind) == ("plants", (29, 1), 2, "images")
    assert data.is_standardized
    for wrong, message in ((["class"] * 7, "one column may be the class"), (["ignore"] * 7, "at least one column")):
        with pytest.raises(ValueError, match=message):
            draft.dataset(wrong)
    for wrong in (["feature"], ["features"] * 7):
        with pytest.raises(ValueError, match="for each of 7 columns"):
            draft.dataset(wrong)


def test_a_class_may_be_written_in_numbers(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("width,label\n" + "".join(f"{n / 7},{n % 3}\n" for n in range(30)))
    draft = Draft.read(path)
    assert draft.guess() == ["feature", "class"]
    assert draft.dataset(draft.guess()).n_classes == 3


def test_the_class_is_the_column_called_so_and_not_the_first_of_texts(tmp_path):
    path = tmp_path / "wine.csv"
    rows = [f"{'north' if n % 2 else 'south'},{n / 7},{'ABC'[n % 3]}{n // 40},taster {n % 9}" for n in range(60)]
    path.write_text("region,alcohol,cultivar,tasted by\n" + "\n".join(rows))
    assert Draft.read(path).guess() == ["ignore", "feature", "class", "ignore"]
    path.write_text("region,alcohol,Wine_Type\n" + "\n".join(f"{'ns'[n % 2]},{n / 7},{n % 3}" for n in range(60)))
    assert Draft.read(path).guess() == ["ignore", "feature", "class"]


def test_an_array_and_lines_of_text_are_read_from_their_files(tmp_path):
    X = np.arange(12.0).reshape(6, 2)
    np.save(tmp_path / "points.npy", X)
    assert as_dataset(tmp_path / "points.npy", y=list("aabbab")).X.tolist() == X.tolist()
    (tmp_path / "news.txt").write_text("\ufeffthe first text of rain\n\nthe second text of sun\nthe third of rain\n")
    data = as_dataset(tmp_path / "news.txt", features="words")
    assert data.items.texts == ("the first text of rain", "the second text of sun", "the third of rain")
    assert data.rows.tolist() == [0, 2, 3]  # lines of the file
    assert (data.name, data.items.kind, data.features) == ("news", "texts", "words")
    (tmp_path / "news.txt").write_text("one\n")
    with pytest.raises(ValueError, match="at least two lines, a text in each, got 1"):
        as_dataset(tmp_path / "news.txt")
    with pytest.raises(ValueError, match="features are made of items"):
        as_dataset(tmp_path / "points.npy", features="words")


def test_a_long_file_tells_how_far_it_is_and_can_be_stopped(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1.25,2\n" * 9000)
    told = []
    as_dataset(path, watch=lambda *far: told.append(far))
    assert len(told) == 4
    assert all(0 <= done <= total and what == "kB" for done, total, what in told)

    class Enough(Exception):
        pass

    def stop(*far):
        raise Enough

    with pytest.raises(Enough):
        as_dataset(path, watch=stop)


# Odd files


def test_only_regular_files_of_a_stated_size_are_read(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "endless.csv").symlink_to("/dev/zero")
    for name, kind in (("pipe.csv", "a pipe"), ("endless.csv", "a device")):
        with pytest.raises(ValueError, match=f"must be a regular file, got {kind}"):
            as_dataset(tmp_path / name)
    with (tmp_path / "huge.csv").open("wb") as file:
        file.truncate(600_000_000)  # sparse
    with pytest.raises(ValueError, match="at most 500 MB, got 600 MB"):
        as_dataset(tmp_path / "huge.csv")
    monkeypatch.setattr(limits, "MAX_ROWS", 3)
    (tmp_path / "long.csv").write_text("1,2\n" * 5)
    with pytest.raises(ValueError, match="at most 3 rows and 20000000 cells, got 4 rows or more: take a sample"):
        as_dataset(tmp_path / "long.csv")


def test_a_long_cell_costs_no_more_than_itself(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b,text\n" + "1,2,u\n" * 30_000 + f"3,4,{'x' * 100_000}\n")
    assert as_dataset(path, ignore=["text"]).X.shape == (30_001, 2)
    with pytest.raises(
        ValueError, match=r"got 'u' in column 'text', row 2 of the file: leave it out .ignore=\['text'\]"
    ):
        as_dataset(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("größe,b\n1,2\n3,4\n".encode("latin-1"), "must be text in UTF-8, got the byte 0xf6"),
        ("a,b\n1,2\n3,4\n".encode("utf-16"), "must be text in UTF-8, got the byte 0xff"),
        (b'a,b\n1,"2\n' + b"3,4\n" * 50_000, "at most 131072 characters, got more in line 2: is a quotation mark"),
        (b'a,b\n"1,5",2\n3,4\n', "got '1,5' in column 'a', row 2 of the file: write numbers with a decimal point"),
        (b"a;b\n1,5;2\n3.5;4\n", "got '1,5' in column 'a', row 2 of the file: write numbers with a decimal point"),
        (b"a;b\n1.234,5;2\n3;4\n", r"got '1\.234,5' in column 'a', row 2 of the file"),
        (b"a,b\n1,2\n3,1e999\n", "finite, got inf in column 'b', row 3 of the file"),
        (b"a,b\n1,2\n3,4+1j\n", r"features must be numbers, got '4\+1j' in column 'b', row 3"),
    ],
)
def test_odd_csv_files_get_a_sentence(tmp_path, content, message):
    path = tmp_path / "own.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        as_dataset(path)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.array([[1 + 2j], [3.0]]), None, "must be real numbers, got complex ones in column 0"),
        (np.array([[np.complex64(1 + 2j)], [3.0]], dtype=object), None, "real numbers, got complex ones in column 0"),
        (np.array([["2030-01-01"], ["2030-01-02"]], dtype="M8[D]"), None, "must be numbers, got dates in column 0"),
        ([[1.0], [2.0, 3.0]], None, "got rows of different lengths"),
        ([[10**400], [1]], None, "must be numbers, got"),
        (X, [[1], [2], [3, 4]], "one class per row of X"),
        (X, np.array([1, 2, 3], dtype="M8[D]"), "y must hold numbers or names"),
        (np.zeros((1001, 1)), np.arange(1001), "at most 1000 classes, got 1001: do they number the rows"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), None, "column names must differ, got a, a"),
    ],
)
def test_odd_arrays_get_a_sentence(X, y, message):
    with pytest.raises(ValueError, match=message):
        as_dataset(X, y)


def test_numbers_that_are_not_known_may_be_written_in_many_ways():
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": ["1", "n/a", "?"], "y": ["u", "v", "w"]})
    with pytest.raises(IncompleteRows, match="2 of 3 rows"):
        as_dataset(frame)


def _npy(header, payload=b""):
    text = header.encode()
    text += b" " * (64 - (len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + payload


def _archive(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def test_an_archive_of_too_many_rows_is_refused_by_its_header(tmp_path):
    path = tmp_path / "own.npz"
    path.write_bytes(_archive(X=_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (15000000, 8)}")))
    with pytest.raises(ValueError, match=r"X may have at most 1000000 rows .* got 15000000 rows"):
        as_dataset(path)


def test_names_with_half_a_character_are_written_with_a_question_mark(tmp_path):
    path = tmp_path / "own.npz"
    np.savez(path, X=np.zeros((2, 1)), y=[0, 1], names=["a", "S\ud800"])
    data = as_dataset(path, items=["b\ud800", "c"])
    assert data.class_names == ("a", "S?")
    assert data.items.text(0) == "b?"


def test_very_many_column_names_are_not_all_told(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(",".join(["a"] * 100_000) + "\n" + ",".join(["1"] * 100_000) + "\n")
    with pytest.raises(ValueError, match="and 99990 more") as refusal:
        as_dataset(path)
    assert len(str(refusal.value)) < 500


def test_an_archive_that_claims_much_is_refused_by_its_header(tmp_path):
    path = tmp_path / "own.npz"
    for shape in ("(10000000000, 2)", "(-1, 2)", "(99999999999999999999, 3)"):
        path.write_bytes(_archive(X=_npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}")))
        with pytest.raises(ValueError, match=r"X may have at most 1000 MB, got shape"):
            as_dataset(path)


def _odd_files(rng):
    """Whole files, and the same cut short or with bytes changed: what an editor, a disk or a stranger leaves behind."""
    file = io.BytesIO()
    np.savez(file, X=rng.normal(size=(20, 3)), y=np.arange(20) % 3, names=np.array(["a", "b", "c"]))
    compressed = io.BytesIO()
    np.savez_compressed(compressed, X=rng.normal(size=(20, 3)))
    seeds = {
        "npz": [file.getvalue(), compressed.getvalue(), _archive(X=b"", y=_npy("{'shape': ()}")), b"PK\x05\x06"],
        "csv": [
            HOLES.encode(),
            b'"a","b"\n"1","2\n2"\n3,4\n',
            "\ufeffa;b;y\r\n1;2;ü\r\n3;4;v\r\n".encode(),
            b"\x00,\x00\n1,2\n3,4\n",
            b",".join(b"%d" % n for n in range(500)) + b"\n" + b",".join([b"1e400"] * 500),
        ],
    }
    for suffix, contents in seeds.items():
        for content in contents:
            yield suffix, content
            for _ in range(60):
                odd = bytearray(content)
                for _ in range(rng.integers(1, 6)):
                    place = int(rng.integers(len(odd) + 1))
                    change = rng.integers(3)
                    if change == 0 and place < len(odd):
                        odd[place] = rng.integers(256)
                    elif change == 1:
                        odd[place:place] = rng.bytes(int(rng.integers(1, 9)))
                    else:
                        del odd[place : place + int(rng.integers(1, 40))]
                yield suffix, bytes(odd)


def test_every_odd_file_gives_a_dataset_or_a_sentence(tmp_path):
    rng = np.random.default_rng(0)
    refused = []
    for suffix, content in _odd_files(rng):
        path = tmp_path / f"odd.{suffix}"
        path.write_bytes(content)
        try:
            data = as_dataset(path, ignore=["kind", "note"] if content.startswith(b"id,width") else ())
        except ValueError as error:
            refused.append(error)
        else:
            assert isinstance(data, Dataset)
            assert np.isfinite(data.X).all()
    # Errors of codecs are subclasses: their words are not ours.
    assert {type(error) for error in refused} == {ValueError, Unusable, IncompleteRows}
    assert max(len(str(error)) for error in refused) < 2000
    assert len(refused) > 100


@pytest.mark.parametrize(
    "content",
    ["width;height\n1,5;2\n-3,25;4,5\n;7\n", "width\theight\n1,5\t2\n-3,25\t4,5\n\t7\n", "1,5;2,0\n-3,25;4,5\n;7\n"],
)
def test_decimal_commas_are_understood_and_said(tmp_path, content):
    path = tmp_path / "own.csv"
    path.write_text(content)
    data = as_dataset(path, drop_incomplete=True)
    assert data.X.tolist() == [[1.5, 2], [-3.25, 4.5]]
    first, second = data.feature_names
    assert data.description == f"decimal commas in {first}, {second}; 1 row with empty cells left out"
    path.write_text("width;height\n1;2.5\n3;4\n")
    assert as_dataset(path).X.tolist() == [[1, 2.5], [3, 4]]
    assert as_dataset(path).description == ""
