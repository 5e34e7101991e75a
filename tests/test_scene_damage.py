"""Texts of scenes that are damaged in many ways: a scene or one sentence, and never a wait."""

import os
import random
import re

import pytest

from dcrc_explore.scenes import SceneError, list_scenes, load_scene, read_scene

# What no scene needs where a value stands, and TOML can say.
STRANGE = [
    "1e400", "-inf", "nan", "9" * 5000, "0x" + "f" * 5000, "[" * 2000, "{a = " * 2000, "2030-01-01", "07:32:00", "true",
    '""', "[]", "{}", "[[[]]]", "-1", "1.5", '"\\u0000"', '"' + "x" * 5000 + '"', "'../../etc/passwd'", "[1, 'a']",
    "2e-320", "9223372036854775808", '"""', "[0, 1, 2]", "[[0, 0, 0]]", "[[0, 1, 1e3]]",
]  # fmt: skip


def damaged(rng: random.Random) -> str:
    text = rng.choice(list(list_scenes().values())).read_text()
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        values = list(re.finditer(r"(?<== )[^\n]+", text))
        change = rng.randrange(5)
        place = rng.randrange(len(text))
        if change < 3 and values:
            value = rng.choice(values)
            text = text[: value.start()] + rng.choice(STRANGE) + text[value.end() :]
        elif change == 3:
            text = text[:place] + text[place + rng.randrange(60) :]
        else:
            text = text[:place] + rng.choice(["\0", "\x85", "[", "=", "\n", '"', "\ud7ff", "#"]) + text[place:]
    return text


def sentence(text: str) -> str:
    """Return why a text is no scene, "" when it is one; any other error fails."""
    try:
        read_scene(text)
    except SceneError as error:
        return str(error)
    return ""


def test_every_damaged_text_gives_a_scene_or_a_sentence():
    rng = random.Random(0)
    told = [sentence(damaged(rng)) for _ in range(400)]
    assert sum(map(bool, told)) > 250
    assert max(map(len, told)) < 2500


@pytest.mark.parametrize("value", STRANGE)
@pytest.mark.parametrize("key", ["title", "seed", "data.name", "settings.tau", "data.file", "answers", "effects"])
def test_every_strange_value_is_refused_or_taken(key, value):
    lines = {"title": '"Moons"', "promise": '"It bends."', "data.name": '"moons"'}
    if key == "data.file":
        del lines["data.name"]
    text = "\n".join(f"{name} = {each}" for name, each in {**lines, key: value}.items())
    assert len(sentence(text)) < 2500


def test_a_pipe_is_no_scene(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(SceneError, match=r"pipe\.toml cannot be read"):
        load_scene(tmp_path / "pipe.toml")
