"""Run notebooks and keep their outputs: ``python notebooks/execute.py [NOTEBOOK ...]``, by default all of them.

What changes from run to run without meaning anything (times, numbers and states of widgets, versions) is left out, so
that a difference in the repository is a difference in the results.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def execute(path: Path) -> None:
    """Run one notebook in its folder and write it back."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=600, record_timing=False, coalesce_streams=True, resources={"metadata": {"path": path.parent}}
    ).execute()
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # Without a kernel there is no widget to view; its text stays.
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]) if len(sys.argv) > 1 else sorted(Path(__file__).parent.glob("*.ipynb")):
        print(path)
        execute(path)
