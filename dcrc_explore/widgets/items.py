"""What a person sees for each point, packed when the browser asks for it."""

from __future__ import annotations

from collections.abc import Sequence

from dcrc_explore.datasets import Dataset
from dcrc_explore.datasets.items import Rows
from dcrc_explore.widgets.protocol.sent import ItemSent, RowDifference

_SIDE = 128  # pixels of a thumbnail; the library keeps those of up to this size
_MOST = 200  # items in one message
_WORDS = 400  # characters that describe an item


def kind_of_items(dataset: Dataset) -> str | None:
    """Return what the items of a data set are; None where the place in the plane says all, as for two features.

    Examples
    --------
    >>> from dcrc_explore.datasets import load_dataset, make_dataset
    >>> kind_of_items(load_dataset("digits")), kind_of_items(make_dataset("moons"))
    ('images', None)
    """
    kind = dataset.cards.kind
    return None if kind == "rows" and dataset.X.shape[1] <= 2 else kind


def pack_items(dataset: Dataset, rows: Sequence[int], *, detail: bool) -> tuple[list[ItemSent], list[bytes]]:
    """Pack some items: a head for each, and its bytes. Row numbers of other data are left out."""
    cards, heads, data = dataset.cards, list[ItemSent](), list[bytes]()
    for row in rows[:_MOST]:
        if 0 <= row < len(cards):
            media = cards.detail(row) if detail else cards.thumbnail(row, _SIDE)
            text = cards.text(row)
            words = text if len(text) <= _WORDS or (detail and cards.kind == "rows") else f"{text[:_WORDS]}…"
            heads.append({"row": row, "mime": media.mime, "text": words, "problem": media.problem})
            data.append(media.data)
    return heads, data


def pack_differences(dataset: Dataset, triplet: Sequence[int]) -> list[RowDifference]:
    """Pack the features in which three rows differ most; nothing for data that are seen as something else."""
    cards = dataset.cards
    if kind_of_items(dataset) is None or not isinstance(cards, Rows):
        return []
    return [
        {"feature": name, "values": [f"{value:.4g}" for value in values], "deviations": list(deviations)}
        for name, values, deviations in cards.contrast(list(triplet))
    ]
