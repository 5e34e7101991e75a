"""Answers in the files of other tools go there and come back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import Pairs, Triplets
from dcrc_explore.constraints.formats import read_answers, write_answers

NAMES = ["fox", "wolf", "=cmd|x", "-7", "a, b", "'quoted", 'hen "Berta"', "Ötzi", "two\nlines", "+1"]
TRIPLETS = Triplets([(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 0, 3)], ["yes", "no", "dnk", "no"])
PAIRS = Pairs([(0, 1), (2, 9), (4, 5)], ["yes", "no", "dnk"])
PEOPLE = ["Ann", "@bob", "Ann", "C, D"]


@pytest.mark.parametrize("names", [None, NAMES])
@pytest.mark.parametrize("answered", [TRIPLETS, PAIRS])
def test_a_table_comes_back_as_it_was(tmp_path, answered, names):
    path = tmp_path / "answers.csv"
    people = PEOPLE[: len(answered)]
    assert write_answers(path, answered, names=names, annotators=people) == len(answered)
    read = read_answers(path, names=names)
    assert (read.triplets if isinstance(answered, Triplets) else read.pairs) == answered
    assert read.annotators == people


def test_no_cell_of_a_table_is_a_formula(tmp_path):
    path = tmp_path / "answers.csv"
    write_answers(path, TRIPLETS, names=NAMES, annotators=PEOPLE)
    text = path.read_text()
    assert "'=cmd|x" in text
    assert "'@bob" in text
    cells = text.replace("\n", ",").split(",")
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


@given(st.lists(st.tuples(st.permutations(range(6)), st.sampled_from([1, -1, 0])), min_size=1, max_size=20))
def test_every_format_of_triplets_gives_the_decided_answers_back(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("triplets")
    answered = Triplets([row[:3] for row, _ in drawn], [answer for _, answer in drawn])
    decided = Triplets.from_cblearn(answered.to_cblearn()) if len(answered.without_dnk()) else Triplets()
    for file_format in ("salmon", "cblearn"):
        path = folder / file_format
        assert write_answers(path, answered, file_format=file_format) == len(decided)
        if len(decided):
            assert read_answers(path, n_samples=6).triplets == decided


def test_salmon_keeps_its_participants_and_numbers_items_by_place(tmp_path):
    path = tmp_path / "responses.csv"
    path.write_text("winner,puid,loser,head,score\n2,u1,1,0,0.3\n0,u2,3,1,-1\n")
    read = read_answers(path, names=["fox", "wolf", "hen", "cat"])
    assert read.triplets == Triplets([(0, 2, 1), (1, 0, 3)], ["yes", "yes"])
    assert read.annotators == ["u1", "u2"]
    write_answers(path, TRIPLETS, file_format="salmon", annotators=PEOPLE)
    read = read_answers(path)
    assert read.triplets.indices.tolist() == [[0, 1, 2], [3, 5, 4], [9, 3, 0]]
    assert read.annotators == ["Ann", "@bob", "C, D"]


@pytest.mark.parametrize("text", ["0 1 1\n2 3 -1\n", "0,1,ML\n2,3,CL\n", "0\t1\tml\n\n2\t3\tcl\n"])
def test_pair_lists_of_constrained_clustering_are_read(tmp_path, text):
    path = tmp_path / "pairs.txt"
    path.write_text(text)
    assert read_answers(path).pairs == Pairs([(0, 1), (2, 3)], ["yes", "no"])


def test_pair_lists_come_back(tmp_path):
    path = tmp_path / "pairs.txt"
    assert write_answers(path, PAIRS, file_format="links") == 2
    assert read_answers(path, file_format="links").pairs == PAIRS.without_dnk()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 1 2\n2 1 0\n", [1, 1]),
        ("0,1,2\n2,1,0\n", [1, 1]),
        ("0 1 2 1\n2 1 0 -1\n", [1, -1]),
        ("0.0 1.0 2.0 True\n2 1 0 False\n", [1, -1]),
    ],
)
def test_lists_of_cblearn_are_read_with_and_without_responses(tmp_path, text, expected):
    path = tmp_path / "triplets.txt"
    path.write_text(text)
    assert read_answers(path).triplets == Triplets([(0, 1, 2), (2, 1, 0)], expected)


def test_a_table_may_hold_triplets_and_pairs(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("\ufeffa;b;c;answer;annotator\nfox;wolf;;yes;Ann\nfox;hen;wolf;Don\u2019t know;Bob\n")
    read = read_answers(path, names=["fox", "hen", "wolf"])
    assert read.pairs == Pairs([(0, 2)], ["yes"])
    assert read.triplets == Triplets([(0, 1, 2)], ["dnk"])
    assert read.annotators == ["Bob", "Ann"]


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        ("a,b,c,answer\nfox,hen,dog,yes\n", {"names": NAMES[:2]}, "line 2 of x names an unknown item, 'hen'"),
        ("a,b,c,answer\nfox,wolf,fox,yes\n", {"names": NAMES}, "line 2 of x must name 3 different items"),
        ("a,b,c,answer\n0,1,2,perhaps\n", {}, "line 2 of x must have the answer yes, no or don't know, got 'perhaps'"),
        ("a,b,c,answer\n0,1,2\n", {}, "line 2 of x must have 4 cells, got 3"),
        ("x,y,z\n0,9,yes\n", {}, "line 1 of x must hold row numbers or be a header: a,b,c,answer or"),
        ("a,b,c,answer\nfox,1,2,yes\n", {}, "line 2 of x must hold row numbers, got 'fox': pass names="),
        ("0 1 2\n\n0 1 9\n", {"n_samples": 5}, "line 3 of x must hold row numbers up to 4, got 9"),
        ("0 1 2\n0 1 -2\n", {}, "line 2 of x must hold row numbers, got '-2'"),
        ("0 1 2\n0 1 2 7\n", {}, "line 2 of x must have 1 or -1 after the three items, got '7'"),
        ("0 1 -1\n0 1 2\n", {}, "line 2 of x must have 1 or ML, -1 or CL after the two items, got '2'"),
        ("a,b,answer\n", {"file_format": "salmon"}, "line 1 of x must name the columns head, winner, loser, got a, b"),
        ("\n", {}, "x must hold answers, got an empty file"),
        ("0 1 2\n", {"file_format": "xml"}, "file_format must be one of table, salmon, cblearn, links, got 'xml'"),
        ("0 1 2\n", {"names": ["a", "b", "a"]}, "names must differ, got 'a' in row 0 and in row 2"),
    ],
)
def test_what_can_not_be_read_is_named_with_its_line(tmp_path, text, settings, message):
    path = tmp_path / "x"
    path.write_text(text)
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        read_answers(path, **settings)


@pytest.mark.parametrize(
    ("answered", "settings", "message"),
    [
        (PAIRS, {"file_format": "cblearn"}, "a file of format 'cblearn' holds Triplets, got Pairs"),
        (TRIPLETS, {"file_format": "links"}, "a file of format 'links' holds Pairs, got Triplets"),
        (TRIPLETS, {"file_format": "xml"}, "file_format must be one of"),
        (TRIPLETS, {"annotators": ["Ann"]}, "one name for each of 4 answers"),
        (TRIPLETS, {"names": ["fox"]}, "names must name every row, got 1 names and row 9"),
    ],
)
def test_what_can_not_be_written_leaves_the_file_as_it_was(tmp_path, answered, settings, message):
    path = tmp_path / "answers.csv"
    path.write_text("before")
    with pytest.raises(ValueError, match=message):
        write_answers(path, answered, **settings)
    assert path.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["answers.csv"]
