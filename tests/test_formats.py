"""Answers go into files and come back as they were; what a file does not tell is asked for."""

import os
import random
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import Pairs, Triplets
from dcrc_explore.constraints import AmbiguousAnswers, Log, read_answers, write_answers
from dcrc_explore.constraints.formats import COUNTS_FROM_1, parse_answers, remarks
from dcrc_explore.constraints.writing import answers_as_csv

NAMES = ["fox", "wolf", "=cmd|x", "-7", "a, b", "'quoted", 'hen "Berta"', "Ötzi", "two\nlines", "+1"]
TRIPLETS = Triplets([(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 0, 3)], ["yes", "no", "dnk", "no"])
PAIRS = Pairs([(0, 1), (2, 9), (4, 5)], ["yes", "no", "dnk"])
PEOPLE = ("Ann", "@bob", "Ann", "C, D")


@pytest.mark.parametrize("names", [None, NAMES])
@pytest.mark.parametrize("answered", [TRIPLETS, PAIRS])
def test_a_table_comes_back_as_it_was(tmp_path, answered, names):
    path = tmp_path / "answers.csv"
    people = PEOPLE[: len(answered)]
    assert write_answers(path, answered, names=names, annotators=people) == len(answered)
    read = read_answers(path, names=names)
    assert (read.triplets if isinstance(answered, Triplets) else read.pairs) == answered
    assert read.annotators == people


def test_a_log_comes_back_with_people_times_and_seconds(tmp_path):
    path = tmp_path / "answers.csv"
    log = Log().plus([(0, 1, 2), (3, 4), (5, 6, 7)], ["yes", "no", "dnk"], by=PEOPLE[:3], seconds=[1.5, np.nan, 0.0])
    assert write_answers(path, log, names=NAMES) == 3
    assert read_answers(path, names=NAMES) == log
    assert write_answers(path, log, file_format="links") == 1
    assert read_answers(path, file_format="links").pairs == log.pairs
    assert write_answers(path, log, file_format="salmon") == 1
    assert read_answers(path).annotators == ("Ann",)


def test_no_cell_of_a_table_is_a_formula(tmp_path):
    path = tmp_path / "answers.csv"
    write_answers(path, TRIPLETS, names=NAMES, annotators=PEOPLE)
    text = path.read_text()
    assert "'=cmd|x" in text
    assert "'@bob" in text
    cells = text.replace("\n", ",").split(",")
    assert not [cell for cell in cells if cell.startswith(("=", "@"))]


@given(st.lists(st.tuples(st.permutations(range(6)), st.sampled_from([1, -1, 0])), min_size=1, max_size=20))
def test_every_format_of_triplets_gives_the_decided_answers_back(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("triplets")
    answered = Triplets([row[:3] for row, _ in drawn], [answer for _, answer in drawn])
    decided = Triplets.from_cblearn(answered.to_cblearn()) if len(answered.without_dnk()) else Triplets()
    for file_format in ("salmon", "cblearn"):
        path = folder / file_format
        assert write_answers(path, answered, file_format=file_format) == len(decided)
        if len(decided):
            assert parse_answers(path, n_samples=6, file_format=file_format).triplets == decided


def test_salmon_keeps_its_participants_and_numbers_items_by_place(tmp_path):
    path = tmp_path / "responses.csv"
    path.write_text("winner,puid,loser,head,score\n2,u1,1,0,0.3\n0,u2,3,1,-1\n")
    read = read_answers(path, names=["fox", "wolf", "hen", "cat"])
    assert read.triplets == Triplets([(0, 2, 1), (1, 0, 3)], ["yes", "yes"])
    assert read.annotators == ("u1", "u2")
    write_answers(path, TRIPLETS, file_format="salmon", annotators=PEOPLE)
    read = read_answers(path)
    assert read.triplets.indices.tolist() == [[0, 1, 2], [3, 5, 4], [9, 3, 0]]
    assert read.annotators == ("Ann", "@bob", "C, D")


@pytest.mark.parametrize("text", ["0 1 1\n2 3 -1\n", "0,1,ML\n2,3,CL\n", "0\t1\tml\n\n2\t3\tcl\n"])
def test_pair_lists_of_constrained_clustering_are_read(tmp_path, text):
    path = tmp_path / "pairs.txt"
    path.write_text(text)
    assert read_answers(path).pairs == Pairs([(0, 1), (2, 3)], ["yes", "no"])


def test_pair_lists_come_back(tmp_path):
    path = tmp_path / "pairs.txt"
    assert write_answers(path, PAIRS, file_format="links") == 2
    assert read_answers(path).pairs == PAIRS.without_dnk()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 1 2\n2 1 0\n", [1, 1]),
        ("0,1,2\n2,1,0\n", [1, 1]),
        ("0 1 2 1\n2 1 0 -1\n", [1, -1]),
        ("0.0 1.0 2.0 True\n2 1 0 False\n", [1, -1]),
        ("i,j,k,answer\n0,1,2,1\n2,1,0,-1\n", [1, -1]),
        ("I;J;K;Answer\n0;1;2;No\n2;1;0;0\n", [-1, 0]),
        ("0 1 2 -1\n2 1 0 0\n", [-1, 0]),
    ],
)
def test_numbers_that_can_mean_one_thing_are_read(tmp_path, text, expected):
    path = tmp_path / "triplets.txt"
    path.write_text(text)
    assert read_answers(path).triplets == Triplets([(0, 1, 2), (2, 1, 0)], expected)


@pytest.mark.parametrize(
    ("text", "given", "results"),
    [
        ("0 1 2 1\n2 1 0 0\n", {}, [[((0, 1, 2), 1), ((2, 1, 0), -1)], [((0, 1, 2), 1), ((2, 1, 0), 0)]]),
        ("a,b,answer\n0,1,yes\n0,2,0\n", {}, [[((0, 1), 1), ((0, 2), -1)], [((0, 1), 1), ((0, 2), 0)]]),
        ("a,b,answer\n0,1,don't know\n0,2,0\n", {}, [[((0, 1), 0), ((0, 2), -1)], [((0, 1), 0), ((0, 2), 0)]]),
        ("a,b,answer,row_a,row_b,row_c\n0,2,no,3,5,\n", {}, [[((0, 2), -1)], [((3, 5), -1)]]),
        ("a,b,answer\n0,1,1\n0,2,0\n", {}, [[((0, 1), 1), ((0, 2), -1)], [((0, 1), 1), ((0, 2), 0)]]),
        ("2 3 1\n3 4 1\n", {}, [[((2, 3, 1), 1), ((3, 4, 1), 1)], [((2, 3), 1), ((3, 4), 1)]]),
        ("a,b,answer\n2,1,no\n", {"names": ["1", "2", "3"]}, [[((2, 1), -1)], [((1, 0), -1)]]),
        ("a,b,answer\n3,1,no\n", {"n_samples": 3}, [[((2, 0), -1)]]),
        ("a,b,answer\n3,1,no\n", {"n_samples": 4, "source_rows": [1, 3, 4, 5]}, [[((1, 0), -1)], [((3, 1), -1)]]),
    ],
)
def test_numbers_that_can_mean_two_things_are_refused_with_both_readings(tmp_path, text, given, results):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(AmbiguousAnswers) as refused:
        read_answers(path, **given)
    assert "x.csv" in refused.value.question
    assert len(refused.value.readings) == len(results)
    for reading, expected in zip(refused.value.readings.values(), results, strict=True):
        ((name, value),) = reading.items()
        assert f"{name}={value!r}" in str(refused.value)
        assert [(entry.points, entry.answer) for entry in parse_answers(path, **given, **reading)] == expected


def test_a_table_may_hold_triplets_and_pairs(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("\ufeffa;b;c;answer;annotator\nfox;wolf;;yes;Ann\nfox;hen;wolf;Don\u2019t know;Bob\n")
    read = read_answers(path, names=["fox", "hen", "wolf"])
    assert read.pairs == Pairs([(0, 2)], ["yes"])
    assert read.triplets == Triplets([(0, 1, 2)], ["dnk"])
    assert read.annotators == ("Bob", "Ann")


def test_row_numbers_are_read_where_items_have_names_too(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(answers_as_csv(Log().plus([(0, 1, 2)], ["no"])))
    assert read_answers(path, names=["fox", "hen", "wolf"]).triplets == Triplets([(0, 1, 2)], ["no"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,b,c,answer\n0,1,2,yes\n0,1,2,yes\n0,2,1,no\n", ["2 answers repeat another one of the same person."]),
        ("a,b,c,answer\n0,1,2,yes\n0,1,2,no\n", ["1 answer contradicts another one of the same person."]),
        ("a,b,answer\n0,1,yes\n1,0,no\n1,0,yes\n", ["1 answer repeats another", "1 answer contradicts another"]),
        ("a,b,c,answer,by\n0,1,2,yes,Ann\n0,1,2,no,Bob\n", []),
        ("2 1 3\n3 4 5\n", ["Row 1 is named and row 0 is not: perhaps the file counts from 1. Then pass first_row=1."]),
    ],
)
def test_repeated_and_contradictory_answers_and_rows_from_1_are_said(tmp_path, text, found):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        read_answers(path)
    assert len(said) == len(found)
    for warning, words in zip(said, found, strict=True):
        assert f"x.csv: {words}" in str(warning.message)


def test_answers_are_compared_with_those_that_are_there():
    log = Log().plus([(0, 1, 2), (1, 2, 3)], ["yes", "no"], by="Ann")
    assert remarks(log, log) == ["2 answers repeat another one of the same person."]
    assert remarks(log, Log().plus([(0, 1, 2)], ["no"], by="Bob")) == []
    assert remarks(log.only([1])) == [COUNTS_FROM_1]


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        ("a,b,c,answer\nfox,hen,dog,yes\n", {"names": NAMES[:2]}, "line 2 of x names an unknown item, 'hen'"),
        ("a,b,c,answer\nfox,wolf,fox,yes\n", {"names": NAMES}, "line 2 of x must name 3 different items"),
        ("a,b,answer\na,b,yes\n", {"names": ["a", "b", "a"]}, "line 2 of x names 'a', which is the name of rows 0 and"),
        ("a,b,c,answer\n0,1,2,perhaps\n", {}, "line 2 of x must have the answer yes, no or don't know"),
        ("a,b,c,answer\n0,1,2\n", {}, "line 2 of x must have 4 cells, got 3"),
        ("x,y,z\n0,9,yes\n", {}, "line 1 of x must be a header with a, b, c, answer, .* got x, y, z"),
        ("anchor,pos,neg,label\n0,9,1,1\n", {"names": NAMES}, "line 1 of x must be a header .* got anchor, pos, neg"),
        ("a,c,answer\n0,9,yes\n", {}, "line 1 of x must name the columns a, b, c, answer, got a, c, answer"),
        ("a,a,b,answer\n0,1,9,yes\n", {}, "line 1 of x must have one column 'a', got 2"),
        ("a,b,c,answer\nfox,1,2,yes\n", {}, "line 2 of x must hold row numbers from 0, got 'fox': pass names="),
        ("0 1 2\n\n0 1 9\n", {"n_samples": 5}, "line 3 of x must hold row numbers from 0 to 4, got '9'"),
        ("1 2 3\n3 0 1\n", {"n_samples": 3, "first_row": 1}, "line 2 of x must hold row numbers from 1 to 3, got '0'"),
        ("0 1 2\n0 1 -2\n", {}, "line 2 of x must hold row numbers from 0, got '-2'"),
        ("0 1 2\n0 1 2 7\n", {}, "line 2 of x must have the answer yes, no or don't know .*, got '7'"),
        ("0 1 -1\n0 1 2\n", {}, "line 2 of x must have the answer yes, no or don't know .*, got '2'"),
        ("0 1 2\n0 1\n", {}, "line 2 of x must have three items and perhaps 1 or -1, got 2 cells"),
        ("a,b,answer\n", {"file_format": "salmon"}, "line 1 of x must name the columns head, winner, loser, got a, b"),
        ("a,b,answer,seconds\n0,1,no,-3\n", {}, "line 2 of x must have seconds from 0 to 1e.09, got '-3'"),
        (f"a,b,answer,by\n0,1,no,{'x' * 41}\n", {}, "line 2 of x must have a name that is a line of at most 40"),
        ('a,b,answer,by\n0,1,no,"two\nlines"\n5,5,no,\n', {}, "line 4 of x must name 2 different items, got 5, 5"),
        ("\n", {}, "x must hold answers, got an empty file"),
        ("0 1 2\n", {"file_format": "xml"}, "file_format must be one of table, salmon, cblearn, links, got 'xml'"),
        ("0 1 2\n", {"zero": "maybe"}, "zero must be 'no' or \"don't know\", got 'maybe'"),
        ("0 1 2\n", {"first_row": 2}, "first_row must be 0 or 1, got 2"),
        ("0 1 2\n", {"rows": "names"}, "rows must be 'numbers', 'names' with names, or 'file' with source_rows, got"),
        ("1 3 2\n", {"rows": "file", "source_rows": [0, 1, 3]}, "line 1 of x names row 2 of the file of your data, wh"),
    ],
)
def test_what_can_not_be_read_is_named_with_its_line(tmp_path, text, settings, message):
    path = tmp_path / "x"
    path.write_text(text)
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        read_answers(path, **settings)


def test_a_pipe_or_another_encoding_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    errors = []

    def read():
        with pytest.raises(ValueError, match="not a file but a folder, a pipe or a device"):
            read_answers(tmp_path / "pipe")
        errors.append("refused")

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(10)
    assert errors == ["refused"]
    (tmp_path / "x.csv").write_text("a,b,answer\n0,1,don’t know\n", encoding="cp1252")
    with pytest.raises(ValueError, match=r"x\.csv must be text in UTF-8, but byte 18 is none: save it as CSV in UTF-8"):
        read_answers(tmp_path / "x.csv")


def test_500_damaged_files_give_answers_or_a_clear_error(tmp_path):
    """Every error names the file; none is a raw one of a library."""
    path, rng = tmp_path / "x.csv", random.Random(0)
    good = answers_as_csv(Log().plus([(0, 1, 2), (3, 4), (5, 6, 7)], ["yes", "no", "dnk"], by=["Ann", "'t", "Bob"]))
    seeds = [good, "0 1 2 1\n3 4 5 -1\n", "0,1,ML\n2,3,CL\n", "head,winner,loser,puid\n0,1,2,u\n"]
    pieces = ["", ",", ";", "\t", '"', "'", "\0", "\r", "\n", "-", "1e400", "nan", "9" * 30, "\ufeff", "é", "=1+1", "a",
              "x" * 140_000, "answer", "0", "1.0", "\u2028", "²", "٣"]  # fmt: skip
    for _ in range(500):
        text = rng.choice(seeds)
        for _ in range(rng.randint(1, 6)):
            at, width = rng.randrange(len(text) + 1), rng.choice([0, 0, 1, 5])
            text = text[:at] + rng.choice(pieces) + text[at + width :]
        path.write_bytes(text.encode() if rng.random() < 0.9 else text.encode("utf-16"))
        raised = None
        try:
            parse_answers(path, n_samples=rng.choice([None, 8]), names=rng.choice([None, NAMES[:8]]))
        except ValueError as error:
            raised = error
        assert raised is None or (type(raised) in (ValueError, AmbiguousAnswers) and "x.csv" in str(raised))


@pytest.mark.parametrize(
    ("answered", "settings", "message"),
    [
        (PAIRS, {"file_format": "cblearn"}, "a file of format 'cblearn' holds Triplets, got Pairs"),
        (TRIPLETS, {"file_format": "links"}, "a file of format 'links' holds Pairs, got Triplets"),
        (TRIPLETS, {"file_format": "xml"}, "file_format must be one of"),
        (TRIPLETS, {"annotators": ["Ann"]}, "one name for each of 4 answers"),
        (Log(), {"annotators": ["Ann"]}, "a log has its own annotators"),
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
