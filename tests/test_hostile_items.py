"""Files that lead elsewhere, that are too much, or that never end: one is left out and named, the others are used."""

import os
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dcrc_explore.datasets import Images, as_dataset
from dcrc_explore.datasets.item_files import ImageFiles
from dcrc_explore.embeddings import make_item_features, network
from dcrc_explore.embeddings.onnx_file import Graph, _bytes, _number, _value
from dcrc_explore.session import Session

SECRET = "root:x:0:0"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder of four texts, and a secret outside it."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "texts").mkdir()
    for name in ("a", "b", "c", "d"):
        (tmp_path / "texts" / f"{name}.txt").write_text(f"a text about {name} and others")
    return tmp_path / "texts"


def shown(data) -> str:
    items = data.items
    return " ".join(items.text(i) + str(items.detail(i).data) for i in range(len(items)))


@pytest.mark.parametrize("name", ["../secret.txt", "{outside}", "link.txt", "../texts/../secret.txt"])
def test_a_table_in_a_folder_of_texts_names_no_file_outside_it(texts, name):
    (texts / "link.txt").symlink_to(texts.parent / "secret.txt")
    name = name.format(outside=texts.parent / "secret.txt")
    (texts / "features.csv").write_text(f"file,size\na.txt,1\n{name},2\nc.txt,3\nd.txt,4\n")
    data = as_dataset(texts)
    assert SECRET not in shown(data)
    assert data.X.ravel().tolist() == [1, 3, 4]
    assert data.rows.tolist() == [0, 2, 3]
    assert "lies outside the folder of the data" in data.description


def test_links_that_leave_a_folder_of_texts_are_left_out_and_named(texts):
    (texts / "link.txt").symlink_to(texts.parent / "secret.txt")
    (texts / "loop.txt").symlink_to(texts / "loop.txt")
    os.mkfifo(texts / "pipe.txt")
    data = as_dataset(texts, features="words")
    assert data.items.names == ("a.txt", "b.txt", "c.txt", "d.txt")
    assert SECRET not in shown(data)
    for name in ("link.txt", "loop.txt", "pipe.txt"):
        assert name in data.description
    (texts / "features.csv").symlink_to(texts.parent / "secret.txt")
    with pytest.raises(ValueError, match="lies outside the folder"):
        as_dataset(texts)


def test_one_bad_text_leaves_the_rows_of_features_beside_it_in_order(texts):
    np.save(texts / "features.npy", np.arange(8.0).reshape(4, 2))
    (texts / "b.txt").write_bytes(b"\xff\xfe\0 no text")
    data = as_dataset(texts)
    assert data.X.tolist() == [[0, 1], [4, 5], [6, 7]]
    assert data.items.names == ("a.txt", "c.txt", "d.txt")
    assert "1 of 4 files cannot be read and is left out: 'b.txt' must be text" in data.description
    table = Session(data, autosave=None, n_clusters=2).export.to_frame()
    assert table["row"].tolist() == [0, 2, 3]


def _png(path: Path, width: int, height: int, depth: int) -> None:
    """Write a black image in shades of grey, row after row: the test itself takes no memory."""
    packer = zlib.compressobj(9)
    row = bytes(1 + width * depth // 8)
    content = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([depth, 0, 0, 0, 0])
    file = b"\x89PNG\r\n\x1a\n"
    for kind, body in ((b"IHDR", header), (b"IDAT", content), (b"IEND", b"")):
        file += len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
    path.write_bytes(file)


def test_an_image_of_one_endless_line_and_a_loop_of_links_are_left_out_and_named(tmp_path):
    for i in range(3):
        Image.new("RGB", (30, 30), (80 * i, 0, 90)).save(tmp_path / f"{i}.png")
    _png(tmp_path / "line.png", 79_000_000, 1, 8)
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    data = as_dataset(tmp_path, features="pixels")
    assert data.items.names == ("0.png", "1.png", "2.png")
    assert "'line.png' may have at most 80 megapixels and 60,000 pixels on a side, got more" in data.description
    assert "'loop.png'" in data.description
    files = ImageFiles(["line.png", "loop.png"], tmp_path)
    assert all(files.thumbnail(i).problem for i in range(2))


@pytest.mark.slow
def test_a_small_file_of_many_deep_pixels_takes_little_memory(tmp_path):
    _png(tmp_path / "deep.png", 8900, 8900, 16)
    assert (tmp_path / "deep.png").stat().st_size < 200_000
    program = f"""
import resource
from dcrc_explore.datasets.item_files import ImageFiles
media = ImageFiles(["deep.png"], {str(tmp_path)!r}).thumbnail(0)
print(media.problem, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(done.stdout.split()[-1]) * unit < 1.2e9, done.stdout


def test_large_photos_stand_upright_and_keep_their_colours(tmp_path):
    image = Image.new("RGB", (6000, 4200), (200, 30, 30))
    image.paste((30, 30, 200), (0, 0, 3000, 4200))
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned
    image.save(tmp_path / "turned.png", exif=exif)
    seen = ImageFiles(["turned.png"], tmp_path).square(0, 64)
    assert seen[5, 32].tolist() == [30, 30, 200]
    assert seen[60, 32].tolist() == [200, 30, 30]


# Networks


def _node(operator: str, inputs: list[str], outputs: list[str]) -> bytes:
    of_inputs = b"".join(_bytes(1, each.encode()) for each in inputs)
    return of_inputs + b"".join(_bytes(2, each.encode()) for each in outputs) + _bytes(4, operator.encode())


def _endless() -> bytes:
    """Return a network whose loop runs 2^62 times."""
    shape = ("N", 3, 32, 32)
    graph = Graph(shape)

    def scalar(name: str, kind: int) -> bytes:
        return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, b"")))

    body = _bytes(1, _node("Identity", ["go"], ["on"])) + _bytes(1, _node("Sin", ["x"], ["y"])) + _bytes(2, b"body")
    body += _bytes(11, scalar("i", 7)) + _bytes(11, scalar("go", 9)) + _bytes(11, _value("x", shape))
    body += _bytes(12, scalar("on", 9)) + _bytes(12, _value("y", shape))
    for name, kind, raw in (("times", 7, (2**62).to_bytes(8, "little")), ("begin", 9, b"\x01")):
        graph._constants.append(_number(2, kind) + _bytes(8, name.encode()) + _bytes(9, raw))
    attribute = _bytes(1, b"body") + _bytes(6, body) + _number(20, 5)
    graph._nodes.append(_node("Loop", ["times", "begin", graph.input], ["out"]) + _bytes(5, attribute))
    return graph.content("out", shape)


def _laborious() -> bytes:
    """Return a network that computes for minutes what does not depend on its input."""
    shape = ("N", 3, 8, 8)
    graph = Graph(shape)
    sides = np.array([1200, 1200], "<i8").tobytes()
    graph._constants.append(_number(1, 2) + _number(2, 7) + _bytes(8, b"sides") + _bytes(9, sides))
    result = graph.add("ConstantOfShape", "sides")
    for _ in range(100):
        result = graph.add("MatMul", result, result)
    return graph.content(graph.add("Add", graph.input, graph.add("ReduceMean", result)), shape)


@pytest.mark.parametrize("content", [_endless, _laborious])
def test_a_network_that_never_ends_is_stopped(tmp_path, monkeypatch, content):
    monkeypatch.setattr(network, "_LONGEST_RUN", 0.3)
    (tmp_path / "endless.onnx").write_bytes(content())
    with pytest.raises(ValueError, match=r"endless\.onnx' must take at most 0\.3 s"):
        make_item_features(Images(np.zeros((3, 8, 8))), str(tmp_path / "endless.onnx"))


def test_an_error_of_a_network_is_a_sentence(tmp_path):
    graph = Graph(("N", 3, "H", "W"))
    wrong = graph.add("MatMul", graph.input, graph.constant(np.zeros((5, 5))))
    (tmp_path / "wrong.onnx").write_bytes(graph.content(wrong, ("N", 3, "H", 5)))
    with pytest.raises(ValueError, match=r"wrong\.onnx' cannot be run on these images"):
        make_item_features(Images(np.zeros((3, 8, 8))), str(tmp_path / "wrong.onnx"))
