"""Items and further columns of a table in a file: files by name and folder, everything else as it is."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dcrc_explore.datasets.item_files import Files, ImageFiles, SoundFiles
from dcrc_explore.datasets.items import Images, Items, Rows, Strokes, Texts
from dcrc_explore.datasets.packed import is_packed, pack, unpack

# Larger arrays of images are not written; whoever gave them has to give them again.
MAX_STORED_BYTES = 100_000_000
_READABLE = 100_000  # characters of further columns that stand in a file as they are
_FILES = {"image files": ImageFiles, "sound files": SoundFiles}


def items_to_json(items: Items | None) -> dict[str, Any] | None:
    """Return items as plain values for JSON; None for items of more than 100 MB.

    Files are named, not copied.

    Examples
    --------
    >>> items_to_json(Texts(["a", "b"]))
    {'kind': 'texts', 'texts': ['a', 'b']}
    """
    if isinstance(items, Texts):
        return {"kind": "texts", "texts": list(items.texts)} | ({"names": list(items.names)} if items.names else {})
    if isinstance(items, Strokes):
        return {"kind": "strokes", "strokes": [stroke.tolist() for stroke in items.strokes]}
    if isinstance(items, Files):
        kind = next(name for name, files in _FILES.items() if isinstance(items, files))
        return {"kind": kind, "folder": str(items.folder), "names": list(items.names)}
    if isinstance(items, Rows) and items.values.nbytes <= MAX_STORED_BYTES:
        return {"kind": "rows", "features": list(items.feature_names), "rows": pack(items.values)}
    if isinstance(items, Images) and items.n_bytes <= MAX_STORED_BYTES:
        pixels = np.stack([items.pixels(i) for i in range(len(items))])
        data = base64.b64encode(zlib.compress(pixels.tobytes())).decode()
        return {"kind": "images", "shape": list(pixels.shape), "pixels": data}
    return None


def items_from_json(value: Any) -> Items | None:
    """Return the items that :func:`items_to_json` wrote; ValueError when they are damaged.

    Examples
    --------
    >>> items_from_json({"kind": "texts", "texts": ["a", "b"]}).text(1)
    'b'
    """
    if value is None:
        return None
    try:
        kind = value["kind"]
        if kind == "texts":
            return Texts(_strings(value["texts"]), _strings(value.get("names", [])))
        if kind == "strokes":
            return Strokes(value["strokes"])
        if kind in _FILES:
            return _FILES[kind](_strings(value["names"]), str(value["folder"]))
        if kind == "rows":
            rows = value["rows"]
            return Rows(unpack(rows, "float64", 2) if is_packed(rows) else rows, _strings(value["features"]))
        if kind == "images":
            return Images(_pixels(value["shape"], value["pixels"]))
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"the items are damaged ({type(error).__name__}: {error})") from error
    raise ValueError(f"items must be rows, texts, strokes, images, {' or '.join(_FILES)}, got {kind!r}")


def columns_to_json(columns: Mapping[str, Sequence[str]]) -> dict[str, list[str]] | str:
    """Return columns of texts for JSON, many texts as one; without columns when they have more than 100 MB.

    Examples
    --------
    >>> columns_to_json({"id": ("a7", "b2")})
    {'id': ['a7', 'b2']}
    """
    plain = {name: list(cells) for name, cells in columns.items()}
    text = json.dumps(plain)
    if len(text) <= _READABLE:
        return plain
    return base64.b64encode(zlib.compress(text.encode())).decode() if len(text) <= MAX_STORED_BYTES else {}


def columns_from_json(value: Any) -> dict[str, list[str]]:
    """Return the columns that :func:`columns_to_json` wrote; ValueError when they are damaged.

    Examples
    --------
    >>> long = {"id": ["one of many"] * 20_000}
    >>> columns_from_json(columns_to_json(long)) == long
    True
    """
    try:
        if isinstance(value, str):
            content = zlib.decompressobj().decompress(base64.b64decode(value, validate=True), MAX_STORED_BYTES + 1)
            value = json.loads(content)
        return {_strings([name])[0]: _strings(cells) for name, cells in value.items()}
    except (AttributeError, ValueError, RecursionError, zlib.error) as error:
        raise ValueError(f"the other columns are damaged ({type(error).__name__}: {error})") from error


def _strings(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("a list of strings is expected")
    return values


def _pixels(shape: Any, data: str) -> Any:
    if not all(isinstance(side, int) and side > 0 for side in shape):
        raise ValueError(f"a shape must hold whole numbers above 0, got {shape}")
    size = math.prod(shape)
    if size > MAX_STORED_BYTES:
        raise ValueError(f"images may have at most {MAX_STORED_BYTES} bytes, got shape {shape}")
    # No more is unpacked than the shape needs, whatever the data claim.
    content = zlib.decompressobj().decompress(base64.b64decode(data, validate=True), size + 1)
    return np.frombuffer(content, dtype=np.uint8).reshape(shape)
