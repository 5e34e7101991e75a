"""Small items for the picture, many on one sheet, made beside the tool: large photos take a while to read."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from dcrc_explore.datasets import Dataset
from dcrc_explore.datasets.pictures import array_image, pillow
from dcrc_explore.session import Session
from dcrc_explore.widgets.protocol.sent import SheetSent
from dcrc_explore.widgets.reading import Reading

SIDE = 64  # pixels of an item
_COLUMNS = 8
_MOST = 64  # items on a sheet
_QUALITY = 88
_LENGTH = 80  # characters of a text


def send_sheet(session: Session, rows: Sequence[int], key: int, send: Callable[[SheetSent, list[bytes]], None]) -> None:
    """Make the sheet of some items and send it; with a background in a thread of its own."""
    dataset = session.dataset

    def failed(error: Exception) -> None:
        raise error

    made = Reading(
        lambda _: make_sheet(dataset, rows, key), str, lambda sheet: send(*sheet), failed, session.background
    )
    made.start()


def make_sheet(dataset: Dataset, rows: Sequence[int], key: int) -> tuple[SheetSent, list[bytes]]:
    r"""Return the sheet of some items and its bytes, a JPEG; of texts their first words. Unknown rows are left out.

    Examples
    --------
    >>> from dcrc_explore.datasets import load_dataset
    >>> sheet, (jpeg,) = make_sheet(load_dataset("digits"), [5, 7], 0)
    >>> sheet["rows"], sheet["side"], jpeg[:2]
    ([5, 7], 64, b'\xff\xd8')
    >>> make_sheet(load_dataset("emoji"), [0], 0)[0]["words"]
    ['...']
    """
    cards = dataset.cards
    known = [row for row in rows[:_MOST] if 0 <= row < len(cards)]
    sheet: SheetSent = {"rows": known, "key": key, "side": SIDE, "columns": _COLUMNS, "words": None}
    if cards.kind == "texts":
        return {**sheet, "words": [cards.text(row)[:_LENGTH] for row in known]}, []
    Image = pillow()[0]
    image = Image.new("RGB", (SIDE * _COLUMNS, SIDE * max(1, -(-len(known) // _COLUMNS))), "white")
    for at, row in enumerate(known):
        image.paste(array_image(cards.tile(row, SIDE)), (at % _COLUMNS * SIDE, at // _COLUMNS * SIDE))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return sheet, [file.getvalue()]
