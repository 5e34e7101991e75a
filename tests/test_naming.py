"""Names for clusters: what is suggested says what is in them, a language model is asked on request only."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dcrc_explore.annotators import CallFailed
from dcrc_explore.annotators.language_model import LanguageModel
from dcrc_explore.constraints import LONGEST_NAME
from dcrc_explore.datasets import Dataset, Texts, as_dataset, load_dataset
from dcrc_explore.session import Session, SessionError, suggest_names
from dcrc_explore.session.answering import suggested


def test_words_typical_of_texts_come_first_and_words_of_all_not_at_all() -> None:
    texts = [
        "the red fox runs",
        "a red fox sleeps",
        "red foxes like hens",
        "the boat sails",
        "a boat sinks",
        "boat hens",
    ]
    data = as_dataset(np.eye(6), items=Texts(texts))
    first, second = suggested(data, np.array([0, 0, 0, 1, 1, 1]), 2)
    assert first[0].startswith("red, fox")
    assert first[1] == "red"
    assert second[0].startswith("boat")
    assert "hens" not in first[0]


def test_columns_that_stand_out_are_named_with_their_direction() -> None:
    wide = [[9.0, 1.0, 5.0], [8.0, 1.1, 5.1], [2.0, 1.0, 5.1], [1.0, 1.1, 5.0]]
    data = Dataset(wide, None, "table", feature_names=("width", "noise", "more"))
    assert suggested(data, np.array([0, 0, 1, 1]), 2) == [["large width"], ["small width"]]
    unnamed = Dataset(wide, None, "table")
    assert suggested(unnamed, np.array([0, 0, 1, 1]), 2) == [[], []], "x1 says nothing"


def test_short_items_and_files_near_the_centre_make_a_name(tmp_path: Path) -> None:
    emoji = Session("emoji", autosave=None)
    assert all(len(names[0].split()) == 3 for names in suggest_names(emoji))
    for name in ("fox-1", "fox-2", "hen-1", "hen-2"):
        (tmp_path / f"{name}.txt").write_text(f"{name[:3]} " * 9)
    data = as_dataset(tmp_path)
    names = suggested(data, np.array([0, 0, 1, 1]), 2)
    assert [each[0] for each in names] == ["fox", "hen"]
    digits = load_dataset("digits-8x8")
    assert suggested(digits, np.zeros(len(digits.X), dtype=int), 1) == [[]], "numbers are no names"


@pytest.mark.parametrize("texts", [["", "", "", ""], ["你好", "1 2 3", "?", "—"], ["x" * 5000, "y", "z", "w"]])
def test_texts_without_words_and_empty_clusters_have_names_that_fit_or_none(texts: list[str]) -> None:
    names = suggested(as_dataset(np.eye(4), items=Texts(texts)), np.array([0, 0, 2, 2]), 3)
    assert len(names) == 3
    assert names[1] == []
    assert all(0 < len(name) <= LONGEST_NAME for each in names for name in each)


def test_nothing_is_named_by_itself_and_every_suggestion_can_be_taken() -> None:
    session = Session("short-texts", autosave=None)
    names = suggest_names(session)
    assert session.state.names == ()
    for k, each in enumerate(names):
        for name in each:
            session.name_cluster(k, name)
    with pytest.raises(SessionError, match="another cluster is called"):
        session.name_cluster(0, names[1][-1])


class Named(LanguageModel):
    """A model at an address where nobody is; what would be sent is kept."""

    said = "1: sport\n2. **cooking**\nGroup 3: weather forecasts\n9: nothing\n4: " + "long " * 20

    def _post(self, body: bytes) -> str:
        self.sent = json.loads(body)
        return self.said


def test_a_language_model_names_clusters_on_request_only() -> None:
    session = Session("short-texts", autosave=None)
    model = Named("http://localhost:1/v1", "small", key="secret")
    plain, asked = suggest_names(session), suggest_names(session, by=model)
    assert [names[0] for names in asked[:3]] == ["sport", "cooking", "weather forecasts"]
    assert asked[3] == plain[3], "a name that is too long is none"
    assert asked[0][1:] == plain[0]
    system, user = model.sent["messages"]
    assert "name of one to three words" in system["content"]
    assert user["content"].count("Group 1: ") == 6
    assert session.state.names == ()
    with pytest.raises(CallFailed, match="cannot be reached"):
        suggest_names(session, by=LanguageModel("http://localhost:1/v1", "small"))
