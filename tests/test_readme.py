"""What the README says holds."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_it_begins_with_a_short_film_of_the_first_scene():
    (first, *_) = re.findall(r"!\[.*?\]\((.*?)\)", README)
    film = ROOT / first
    assert film.stat().st_size < 2_000_000
    picture = Image.open(film)
    seconds = 0.0
    for frame in range(picture.n_frames):
        picture.seek(frame)
        picture.load()
        seconds += picture.info["duration"] / 1000
    assert 20 <= seconds <= 40
    assert len(README.splitlines()) <= 120


@pytest.mark.parametrize("code", blocks("python"))
def test_every_example_runs(code, capsys):
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_example_of_the_estimator_shows_what_the_comment_says(capsys):
    exec(compile(blocks("python")[0], "README.md", "exec"), {})
    assert "[1]" in capsys.readouterr().out


@pytest.mark.parametrize("command", blocks("sh"))
def test_commands_are_one_line_and_name_extras_and_scripts_that_exist(command):
    assert command.count("\n") == 1
    for extras in re.findall(r'"\.\[(.*?)\]"', command):
        assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    last = command.strip().split("&& ")[-1].split()[0]
    assert last in {"python", *PROJECT["scripts"]}


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_version_is_the_same_everywhere():
    import dcrc_explore

    assert "version" in PROJECT["dynamic"]
    assert version("dcrc-explore") == dcrc_explore.__version__
    assert f"version: {dcrc_explore.__version__}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {dcrc_explore.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_benchmark_is_told_of():
    table = (ROOT / "notebooks" / "site" / "benchmarks.md").read_text()
    scripts = {path.name for path in (ROOT / "tests" / "benchmarks").glob("*.py")} - {"cobras_labels.py"}
    assert set(re.findall(r"`(\w+\.py)`", table)) == scripts


def test_contributing_names_what_is_there():
    """The modules that the page tells of exist, and all layers are told of."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    tree = page.split("dcrc_explore/\n")[1].split("notebooks/")[0]
    there = {
        path.stem
        for path in (ROOT / "dcrc_explore").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    told = {
        name.strip("/")
        for line in tree.splitlines()
        if re.match(r"  \S", line)
        for name in re.split("  +", line[2:])[0].split()
    }
    assert told == there - {"__init__"}
    for file in re.findall(r"`((?:[a-z]+/)+[a-z_]+\.(?:py|js|md))`", page):
        assert any((ROOT / place / file).exists() for place in ("", "dcrc_explore")), file
