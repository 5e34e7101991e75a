"""Run a notebook, and compare what its cells show with what is stored.

Text is compared exactly, apart from numbers and runs of spaces. A number with decimals or in percent may differ by one
unit of its last digit, because processors and libraries round differently; a whole number is a count and must be equal.
Pictures are compared at the size of a thumbnail: what is drawn must be the same, not how its letters are drawn.
"""

from __future__ import annotations

import base64
import io
import re
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from queue import Empty
from typing import Any

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbformat import NotebookNode
from PIL import Image

Outputs = list[dict[str, Any]]
WIDGET = "application/vnd.jupyter.widget-view+json"
A_WIDGET = "A widget: run this cell to use it."
TEXTS = ("stdout", "stderr", "text/plain", "text/markdown")
# The tag of a cell whose output differs from run to run; tests/test_course.py has the reasons.
FREE = "output-varies"
NUMBER = re.compile(r"([-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?)(?![\w^])")
# On a slow machine too, the picture of a live tool is that of its finished fit.
PATIENT = "from dcrc_explore.session import Session; Session.patience = 60"
LOOK = 1  # second
THUMBNAIL = 24  # pixels
UNLIKE = 0.02  # mean difference of two thumbnails, of 1 for black and white


def run(path: Path) -> NotebookNode:
    """Run a notebook in its folder, and return it with the outputs of this run.

    What changes from run to run without meaning anything is left out: times, versions, the states of widgets. Sliders
    get the picture that they show.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        record_timing=False,
        coalesce_streams=True,
        ipython_hist_file="",
        resources={"metadata": {"path": path.parent}},
        on_notebook_start=lambda notebook: _begin(client),
    )
    client.execute()
    states = notebook.metadata.pop("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_bar(output)]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if (view := data.pop(WIDGET, None)) and "image/png" not in data:
                data.update(_picture(view["model_id"], states) | {"text/plain": A_WIDGET})
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def _begin(client: NotebookClient) -> None:
    """Set what a notebook needs, and have its client look for replies every second, too.

    A widget's output is sent on the socket on which the client waits for a reply. Such a send can take the news that
    the reply is there: the client would sleep until its time limit, ten minutes later, and only then look.
    """
    client.kc.execute(PATIENT, silent=True)
    channel = client.kc.shell_channel
    get = channel.get_msg

    async def get_msg(timeout: float) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        while True:
            try:
                return await get(timeout=min(LOOK, timeout))
            except Empty:
                if time.monotonic() >= deadline:
                    raise

    channel.get_msg = get_msg


def _is_bar(output: dict[str, Any]) -> bool:
    """Whether an output is a bar that says how far work is: it comes only where that is slow, and goes with it."""
    data = output.get("data", {})
    return WIDGET in data and "%|" in data["text/plain"]


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


def differences(stored: NotebookNode, shown: NotebookNode) -> list[str]:
    """Say what the cells show that differs from what is stored, texts and pictures."""
    found = []
    for cell, again in zip(stored.cells, shown.cells, strict=True):
        if cell.cell_type == "code" and FREE not in cell.metadata.get("tags", []):
            changes = [*other_texts(cell.outputs, again.outputs), *_other_pictures(cell.outputs, again.outputs)]
            found += [f"{cell.id}: {change}" for change in changes]
    return found


def other_texts(stored: Outputs, shown: Outputs) -> Iterator[str]:
    """Yield the lines that differ, by kind of text."""
    said, says = _texts(stored), _texts(shown)
    for kind in TEXTS:
        old, new = (texts.get(kind, "").splitlines() for texts in (said, says))
        lines = max(len(old), len(new))
        for before, now in zip(*(side + [""] * (lines - len(side)) for side in (old, new)), strict=True):
            if not alike(before, now):
                yield f"{kind}\n  stored: {before}\n  shown:  {now}"


def _texts(outputs: Outputs) -> dict[str, str]:
    """Return what outputs say, by the kind of text. How a stream is cut into pieces is left to chance."""
    said: dict[str, str] = {}
    for output in (output for output in outputs if not _is_bar(output)):
        pieces = {output["name"]: output["text"]} if output["output_type"] == "stream" else output.get("data", {})
        if WIDGET in pieces and "image/png" not in pieces:
            pieces = {"text/plain": A_WIDGET}
        for kind in pieces.keys() & set(TEXTS):
            piece = pieces[kind]
            said[kind] = (
                said.get(kind, "")
                + (piece if isinstance(piece, str) else "".join(piece))
                + "\n" * (output["output_type"] != "stream")
            )
    return said


def alike(line: str, other: str) -> bool:
    """Whether two lines say the same: words exactly, counts exactly, other numbers up to one unit of the last digit."""
    old, new = NUMBER.split(line), NUMBER.split(other)
    words = ([" ".join(piece.split()) for piece in side[::2]] for side in (old, new))
    if len(old) != len(new) or len(set(map(tuple, words))) > 1:
        return False
    # What follows a number says whether it is a share.
    return all(map(_near, old[1::2], new[1::2], (after.startswith(("%", " %")) for after in old[2::2])))


def _near(number: str, other: str, share: bool) -> bool:
    old, new = Decimal(number), Decimal(other)
    count = number.lstrip("+-").isdigit() and other.lstrip("+-").isdigit() and not share
    unit = Decimal(1).scaleb(min(old.as_tuple().exponent, new.as_tuple().exponent))
    return old == new if count else abs(old - new) <= unit


def _other_pictures(stored: Outputs, shown: Outputs) -> Iterator[str]:
    old, new = map(_thumbnails, (stored, shown))
    if len(old) != len(new):
        yield f"{len(new)} pictures instead of {len(old)}"
    for number, (before, now) in enumerate(zip(old, new, strict=False)):
        if (away := float(np.abs(before - now).mean())) > UNLIKE:
            yield f"picture {number} differs by {away:.3f}"


def _thumbnails(outputs: Outputs) -> list[np.ndarray]:
    """Return the pictures, each as a small one on white."""
    found = []
    for output in outputs:
        if png := output.get("data", {}).get("image/png"):
            picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
            plain = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
            found.append(np.asarray(plain.resize((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX), dtype=float) / 255)
    return found
