"""Run notebooks and store their outputs: ``python notebooks/execute.py [NOTEBOOK ...]``, by default all of them.

What changes from run to run without meaning anything (times, numbers and states of widgets, versions) is left out, so
that a difference in the repository is a difference in the results. A picture gets the alternative text of its cell
(``mystnb.image.alt`` in the metadata), and sliders get the picture that they show: where no kernel runs, a reader
sees that instead.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
# On a slow machine too, the picture of a live tool is that of its finished fit.
PATIENT = "from dcrc_explore.session import Session; Session.patience = 60"
WIDGET = "application/vnd.jupyter.widget-view+json"


def execute(path: Path) -> None:
    """Run one notebook in its folder and write it back."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": path.parent}},
        on_notebook_start=lambda notebook: client.kc.execute(PATIENT, silent=True),
    )
    client.execute()
    states = notebook.metadata.pop("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    for cell in notebook.cells:
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if (view := data.pop(WIDGET, None)) and "image/png" not in data:
                data.update(_picture(view["model_id"], states) | {"text/plain": "A widget: run this cell to use it."})
            if alt and "image/png" in data:
                output.setdefault("metadata", {})["image/png"] = {"alt": alt}
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)


def _picture(model: str, states: dict[str, Any]) -> dict[str, str]:
    """Return the picture that a widget or one of its children shows, if any."""
    state = states.get(model, {}).get("state", {})
    for output in state.get("outputs", []):
        if "image/png" in output.get("data", {}):
            return {"image/png": output["data"]["image/png"]}
    for child in state.get("children", []):
        if found := _picture(child.removeprefix("IPY_MODEL_"), states):
            return found
    return {}


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]) if len(sys.argv) > 1 else sorted(FOLDER.rglob("[0-9]*.ipynb")):
        print(path)
        execute(path)
