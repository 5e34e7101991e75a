"""The release script refuses what is not ready, and the command knows its version."""

import re
import runpy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import dcrc_explore
from dcrc_explore.cli import main

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / ".ci" / "release.py"


@pytest.fixture
def problems(tmp_path: Path) -> Callable[..., list[str]]:
    """What the script says about a small repository whose files were changed."""
    ready = {
        "dcrc_explore/__init__.py": '__version__ = "0.2.0"\n',
        "CHANGELOG.md": "# Changelog\n\n## 0.2.0 (2027-01-31)\n",
        "CITATION.cff": "version: 0.2.0\ndate-released: 2027-01-31\n",
        "pyproject.toml": '[project]\nurls = { Source = "https://github.com/a/b" }\n',
    }

    def look(*, commit: bool = True, tag: str = "", **changed: str) -> list[str]:
        for name, text in ready.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(changed.get(path.stem.strip("_"), text))
        (tmp_path / ".ci").mkdir()
        shutil.copy(SCRIPT, tmp_path / ".ci" / "release.py")
        git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@b"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "add", "."], check=True)
        if commit:
            subprocess.run([*git, "commit", "-qm", "all"], check=True)
        if tag:
            subprocess.run([*git, "tag", tag], check=True)
        return runpy.run_path(str(tmp_path / ".ci" / "release.py"))["problems"]()

    return look


def test_a_ready_repository_has_no_problems(problems: Callable[..., list[str]]) -> None:
    assert problems() == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"init": '__version__ = "0.2.dev1"\n'}, "three numbers"),
        ({"CHANGELOG": "## 0.1.0 (2027-01-31)\n"}, "the changelog begins with 0.1.0, the version is 0.2.0"),
        ({"CHANGELOG": "## 0.2.0 (unreleased)\n"}, "must name the day of the release, got (unreleased)"),
        ({"CITATION": "version: 0.1.0\ndate-released: 2027-01-31\n"}, "has version 0.1.0, the version is 0.2.0"),
        ({"CITATION": "version: 0.2.0\n"}, "must have date-released: 2027-01-31, got None"),
        ({"pyproject": "[project]\n"}, "must name the repository as Source"),
        ({"tag": "v0.2.0"}, "the tag v0.2.0 exists already"),
        ({"commit": False}, "changes that are not committed"),
    ],
)
def test_what_is_not_ready_is_refused(problems: Callable[..., list[str]], changed: dict, said: str) -> None:
    assert any(said in problem for problem in problems(**changed))


def test_the_versions_of_python_that_are_promised_are_those_that_are_tested() -> None:
    promised = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    (tested,) = re.findall(r"python: \[(.*)\]", (ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert promised == re.findall(r"3\.\d+", tested)


def test_the_command_knows_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.split() == ["dcrc-explore", dcrc_explore.__version__]
