"""The course has one form: goals, take-away, exercises with checks, solutions that pass the same checks."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("*.ipynb"))


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def tagged(notebook: NotebookNode, tag: str) -> dict[str, NotebookNode]:
    return {cell.id: cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])}


@pytest.fixture(params=SOLUTIONS, ids=lambda path: path.stem)
def both(request: pytest.FixtureRequest) -> tuple[NotebookNode, NotebookNode]:
    """A notebook and its solutions."""
    path = request.param
    return read(NOTEBOOKS / f"{path.stem.removesuffix('-solutions')}.ipynb"), read(path)


def test_a_notebook_says_what_it_gives_what_it_needs_and_what_to_remember(both) -> None:
    text = "\n".join(cell.source for cell in both[0].cells if cell.cell_type == "markdown")
    for part in ("*You need:", "Runs in about", "**After this notebook you can**", "**Vote first.**", "## Exercises"):
        assert part in text
    take_away = text.split("## Take away\n")[1].split("##")[0]
    assert [line.split(".")[0] for line in take_away.strip().splitlines()] == ["1", "2", "3"]


def test_solutions_pass_the_checks_of_the_notebook(both) -> None:
    """The checks are the same cells; in the notebook they wait, in the solutions they say that it is right."""
    notebook, solutions = both
    waiting, passed = tagged(notebook, "check"), tagged(solutions, "check")
    assert 2 <= len(waiting) == len(tagged(notebook, "exercise"))
    assert {name: cell.source for name, cell in waiting.items()} == {name: cell.source for name, cell in passed.items()}
    for name in waiting:
        assert "assert" in waiting[name].source
        assert "waits" in waiting[name].outputs[0].text
        assert "right" in passed[name].outputs[0].text


def test_pictures_are_described_and_their_code_is_folded(both) -> None:
    for cell in both[0].cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                assert output.metadata["image/png"]["alt"], cell.id
                assert cell.metadata.jupyter.source_hidden, cell.id
