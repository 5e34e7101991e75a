"""What a person sees for each row: whatever the files are, a picture, a text or a placeholder that says why."""

import io
import json
import os
import zlib

import numpy as np
import pytest
from PIL import Image
from scipy.io import wavfile
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC
from dcrc_explore.annotators import truth
from dcrc_explore.datasets import (
    Dataset,
    ImageFiles,
    Images,
    Rows,
    SoundFiles,
    Strokes,
    Texts,
    as_dataset,
    as_items,
    items_from_json,
    items_to_json,
    load_dataset,
    make_scenes,
    write_scenes,
)

rng = np.random.default_rng(0)
X3 = rng.normal(size=(3, 2))


def shown(media):
    """The picture that a browser would show."""
    assert media.mime == "image/png"
    with Image.open(io.BytesIO(media.data), formats=["PNG"]) as image:
        return image.convert("RGB")


@pytest.fixture
def folder(tmp_path):
    """A folder with images of every kind, and with everything else that calls itself an image."""
    for name, colour in (("red.png", "red"), ("green.jpg", "green"), ("blue.webp", "blue")):
        Image.new("RGB", (40, 20), colour).save(tmp_path / name, **({"lossless": True} if "webp" in name else {}))
    (tmp_path / "text.png").write_text("no image")
    (tmp_path / "cut.png").write_bytes((tmp_path / "red.png").read_bytes()[:60])
    (tmp_path / "vector.png").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    (tmp_path / "empty.png").touch()
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "endless.png").symlink_to("/dev/zero")
    (tmp_path / "folder.png").mkdir()
    header = bytearray((tmp_path / "red.png").read_bytes())
    header[16:24] = (10_001).to_bytes(4, "big") * 2  # 100 megapixels, says the header
    header[29:33] = zlib.crc32(header[12:29]).to_bytes(4, "big")
    (tmp_path / "huge.png").write_bytes(header)
    outside = tmp_path.parent / f"{tmp_path.name}-outside.png"
    Image.new("RGB", (8, 8)).save(outside)
    (tmp_path / "link.png").symlink_to(outside)
    return tmp_path


def test_image_files_are_shown_as_png(folder):
    items = ImageFiles(["red.png", "green.jpg", "blue.webp"], folder)
    for i, colour in enumerate([(255, 0, 0), (0, 128, 0), (0, 0, 255)]):
        media = items.thumbnail(i, 32)
        assert media.problem == ""
        assert shown(media).size == (32, 16)
        assert np.abs(np.array(shown(media).getpixel((10, 8))) - colour).max() <= 3
        assert shown(items.detail(i)).size == (512, 256)
        assert items.text(i).endswith((".png", ".jpg", ".webp"))
    assert items.thumbnail(0, 32) is items.thumbnail(0, 32)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("text.png", "not a PNG, JPEG, WebP, GIF, BMP or TIFF image, or it is damaged"),
        ("cut.png", "not a PNG, JPEG, WebP, GIF, BMP or TIFF image, or it is damaged"),
        ("vector.png", "not a PNG, JPEG, WebP, GIF, BMP or TIFF image, or it is damaged"),
        ("empty.png", "not a PNG, JPEG, WebP, GIF, BMP or TIFF image, or it is damaged"),
        ("pipe.png", "must be a regular file, got a pipe"),
        ("endless.png", "lies outside the folder of the data"),
        ("folder.png", "must be a regular file, got a folder"),
        ("huge.png", "at most 80 megapixels"),
        ("link.png", "lies outside the folder of the data"),
        ("../outside.png", "lies outside the folder of the data"),
        ("/etc/passwd", "lies outside the folder of the data"),
        ("nowhere.png", "there is no file"),
        ("", "no file is named"),
        ("nul\0.png", ""),
    ],
)
def test_what_can_not_be_shown_gives_a_placeholder_and_says_why(folder, name, problem):
    media = ImageFiles([name], folder).thumbnail(0)
    assert shown(media).size == (64, 64)
    assert media.problem
    assert problem in media.problem


def test_photographs_stand_upright(tmp_path):
    image = Image.new("RGB", (40, 20))
    exif = image.getexif()
    exif[0x0112] = 6  # the camera was held sideways
    image.save(tmp_path / "photo.jpg", exif=exif)
    assert shown(ImageFiles(["photo.jpg"], tmp_path).thumbnail(0, 40)).size == (20, 40)


@pytest.mark.parametrize(
    "images",
    [
        np.array([[[0, 255], [255, 0]]], dtype=np.uint8),
        np.array([[[0.0, 1.0], [1.0, 0.0]]]),
        np.array([[[False, True], [True, False]]]),
        np.array([[[-3, 16], [16, -3]]]),
        np.array([[[0.0, 1.0], [1.0, np.nan]]]),
        np.array([[[0.0, 5.0], [5.0, 0.0]]]).reshape(1, 2, 2, 1),
        np.repeat(np.array([[[0, 255], [255, 0]]], dtype=np.uint8)[..., None], 3, axis=3),
    ],
)
def test_arrays_of_any_range_become_the_same_picture(images):
    pixels = Images(images).pixels(0)
    assert (pixels[..., 0] if pixels.ndim == 3 else pixels).tolist() == [[0, 255], [255, 0]]
    assert shown(Images(images).thumbnail(0, 8)) == shown(Images(np.eye(2)[None, ::-1]).thumbnail(0, 8))


def test_unusable_images_are_explained():
    for images, message in [
        (np.zeros((3, 4)), r"shape \(N, H, W\) or \(N, H, W, 3 or 4\), got \(3, 4\)"),
        (np.zeros((3, 4, 4, 2)), r"got \(3, 4, 4, 2\)"),
        (np.zeros((3, 0, 4)), "with some pixels"),
        (np.zeros((3, 4, 4), dtype=complex), "arrays of numbers"),
    ]:
        with pytest.raises(ValueError, match=message):
            Images(images)
    with pytest.raises(ValueError, match="one item per row of X, 3, got 2"):
        as_dataset(X3, items=np.zeros((2, 8, 8)))
    with pytest.raises(ValueError, match="one item per row of X, 3, got 1"):
        Dataset(X3, None, "tiny", items=Texts(["a"]))
    with pytest.raises(IndexError, match="between 0 and 1, got 2"):
        Images(np.zeros((2, 8, 8))).thumbnail(2)
    with pytest.raises(ValueError, match="between 8 and 2048 pixels"):
        Images(np.zeros((2, 8, 8))).thumbnail(1, 10**6)


def test_texts_are_plain_and_short_on_a_card():
    text = "<script>alert(1)</script> " + "word " * 10_000
    media = Texts([text]).thumbnail(0)
    assert media.mime == "text/plain"
    assert len(media.data.decode()) == 160
    assert len(Texts([text]).detail(0).data) == 20_000


def test_sounds_are_seen_as_a_spectrogram_and_heard_as_they_are(tmp_path):
    time = np.arange(8000) / 8000
    wavfile.write(tmp_path / "high.wav", 8000, (20_000 * np.sin(2 * np.pi * 3000 * time)).astype(np.int16))
    (tmp_path / "page.mp3").write_text("<html>")
    items = SoundFiles(["high.wav", "page.mp3"], tmp_path)
    darkness = 255 - np.asarray(shown(items.thumbnail(0)).convert("L"), dtype=float)
    assert darkness.sum(axis=1).argmax() == pytest.approx(64 * (1 - 3000 / 4000), abs=3)
    assert items.detail(0).mime == "audio/wav"
    assert items.detail(0).data == (tmp_path / "high.wav").read_bytes()
    assert "is not a sound" in items.detail(1).problem
    assert shown(items.detail(1))
    assert items.thumbnail(1).problem


def test_strokes_run_where_their_points_lie():
    picture = np.asarray(shown(Strokes([[(0, 0), (0, 10)], [(5, 5)]]).thumbnail(0)).convert("L"))
    assert (picture[:, 32] < 128).mean() > 0.7
    assert (picture[:, 10] < 128).sum() == 0
    with pytest.raises(ValueError, match=r"shape \(n, 2\), got \(2, 3\) in row 1"):
        Strokes([[(0, 0)], np.zeros((2, 3))])


def test_a_row_is_the_fallback_and_tells_its_values():
    data = as_dataset(np.array([[1.0, 100.0, 7.0], [2.0, 100.0, 7.0], [3.0, 400.0, 7.0]]))
    assert isinstance(data.cards, Rows)
    assert data.cards.text(2) == "x1 = 3\nx2 = 400\nx3 = 7"
    # Standardising changes what the model sees, not what people do.
    assert data.standardized().cards.text(2) == data.cards.text(2)
    assert shown(data.cards.thumbnail(0))
    wide = as_dataset(rng.normal(size=(5, 300)))
    assert wide.cards.text(0).endswith("and 260 more")
    assert shown(wide.cards.thumbnail(0))


def test_the_features_that_differ_most_come_first():
    X = rng.normal(size=(50, 6)) * [1, 10, 100, 1, 1, 0]
    rows = Rows(X, [f"f{d}" for d in range(6)])
    contrast = rows.contrast((3, 4, 5), most=6)
    z = np.divide(X - X.mean(axis=0), X.std(axis=0), out=np.zeros_like(X), where=X.std(axis=0) > 0)
    ranges = {f"f{d}": np.ptp(z[[3, 4, 5], d]) for d in range(6)}
    assert [part.feature for part in contrast] == sorted(ranges, key=ranges.get, reverse=True)
    for part in contrast:
        d = int(part.feature[1:])
        assert part.values == tuple(X[[3, 4, 5], d])
        assert part.deviations == pytest.approx(z[[3, 4, 5], d])


# Own items


def test_items_come_with_arrays_lists_and_columns(folder):
    assert as_dataset(X3, items=np.zeros((3, 8, 8))).items.kind == "images"
    assert as_dataset(X3, items=["a", "b", "c"]).items.texts == ("a", "b", "c")
    assert as_dataset(X3, items=Strokes(np.zeros((3, 4, 2)))).items.kind == "strokes"
    assert as_items([folder / "red.png", folder / "green.jpg"], 2).thumbnail(1).problem == ""
    table = folder / "own.csv"
    table.write_text("a,b,photo,note\n1,2,red.png,first\n,4,green.jpg,second\n5,6,nowhere.png,third\n7,8,,fourth\n")
    data = as_dataset(table, items="photo", ignore=["note"], drop_incomplete=True)
    assert data.items.names == ("red.png", "nowhere.png", "")
    assert [bool(data.items.thumbnail(i).problem) for i in range(3)] == [False, True, True]
    assert as_dataset(table, items="note", ignore=["photo"], drop_incomplete=True).items.texts == (
        "first",
        "third",
        "fourth",
    )
    with pytest.raises(ValueError, match="items can name a column only of a table"):
        as_dataset(X3, items="photo")
    np.savez(folder / "own.npz", X=X3, items=np.zeros((3, 8, 8)))
    assert as_dataset(folder / "own.npz").items.kind == "images"
    np.savez(folder / "own.npz", X=X3, items=["red.png", "green.jpg", "cut.png"])
    assert [bool(as_dataset(folder / "own.npz").items.thumbnail(i).problem) for i in range(3)] == [False, False, True]


def _picture(path, bright):
    values = np.full((24, 24, 3), 200 if bright else 40) + rng.integers(0, 30, (24, 24, 3))
    Image.fromarray(values.astype(np.uint8)).save(path)


def test_a_folder_of_images_becomes_data_of_their_pixels(tmp_path):
    for i in range(12):
        _picture(tmp_path / f"{i:02}.png", bright=i % 2)
    (tmp_path / "broken.png").write_text("no image")
    (tmp_path / "notes.txt").write_text("no image either")
    told = []
    data = as_dataset(tmp_path, name="photos", features="pixels", watch=lambda *far: told.append(far))
    assert told == [(i, 13, "images") for i in range(13)]
    assert len(data.X) == 12
    assert data.items.names[3] == "03.png"
    assert "principal components of 16 x 16 pixels" in data.description
    assert "1 of 13 files cannot be read" in data.description
    assert len({value > 0 for value in data.X[::2, 0]}) == 1
    assert (data.X[::2, 0] > 0).all() != (data.X[1::2, 0] > 0).all()
    for place in tmp_path.glob("*.png"):
        (tmp_path / ("bright" if place.stem.isdigit() and int(place.stem) % 2 else "dark")).mkdir(exist_ok=True)
        place.rename(tmp_path / ("bright" if place.stem.isdigit() and int(place.stem) % 2 else "dark") / place.name)
    sorted_data = as_dataset(tmp_path, features="pixels")
    assert sorted_data.class_names == ("bright", "dark")
    assert np.bincount(sorted_data.y).tolist() == [6, 6]
    assert sorted_data.items.thumbnail(0).problem == ""


def test_features_beside_the_images_are_taken(tmp_path):
    for i in range(3):
        _picture(tmp_path / f"{i}.png", bright=True)
    np.save(tmp_path / "features.npy", np.arange(6.0).reshape(3, 2))
    assert as_dataset(tmp_path).X.tolist() == [[0, 1], [2, 3], [4, 5]]
    np.save(tmp_path / "features.npy", np.arange(4.0).reshape(2, 2))
    with pytest.raises(ValueError, match=r"one row of numbers for each of the 3 images, .* got shape \(2, 2\)"):
        as_dataset(tmp_path)
    (tmp_path / "features.csv").write_text("file,width,y\n2.png,5,b\n0.png,7,a\n")
    data = as_dataset(tmp_path)
    assert data.items.names == ("2.png", "0.png")
    assert data.X.ravel().tolist() == [5, 7]
    assert data.class_names == ("a", "b")
    assert "1 image that it does not list is left out" in data.description
    (tmp_path / "features.csv").write_text("width\n5\n7\n")
    with pytest.raises(ValueError, match=r"a column with the names of the images, such as '0\.png'"):
        as_dataset(tmp_path)
    (tmp_path / "nothing").mkdir()
    with pytest.raises(ValueError, match="at least two images"):
        as_dataset(tmp_path / "nothing")


# Stored


@pytest.mark.parametrize(
    "items",
    [
        Texts(["a", "<b>", "ü"]),
        Strokes([[(0, 0), (1, 2)], [(3, 3)]]),
        Images(rng.random((4, 5, 6, 3))),
        Images(np.zeros((2, 3, 3), dtype=np.uint8)),
        Rows(X3, ["a", "b"]),
    ],
    ids=lambda items: items.kind,
)
def test_items_come_back_from_json_as_they_were(items):
    again = items_from_json(json.loads(json.dumps(items_to_json(items))))
    assert len(again) == len(items)
    for i in range(len(items)):
        assert again.thumbnail(i) == items.thumbnail(i)
        assert again.text(i) == items.text(i)


def test_files_are_stored_by_name(folder):
    stored = items_to_json(ImageFiles(["red.png"], folder))
    assert stored == {"kind": "image files", "folder": str(folder), "names": ["red.png"]}
    assert items_from_json(stored).thumbnail(0).problem == ""
    assert items_from_json(items_to_json(None)) is None


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "films"},
        {"kind": "texts", "texts": [1, 2]},
        {"kind": "texts"},
        {"kind": "strokes", "strokes": [[1, 2]]},
        {"kind": "rows", "features": ["a", "b"], "rows": [[1]]},
        {"kind": "image files", "names": "abc", "folder": "."},
        {"kind": "images", "shape": [2, 2, 2], "pixels": "!"},
        {"kind": "images", "shape": [2, 2, -2], "pixels": ""},
        {"kind": "images", "shape": [10**6, 10**6, 3], "pixels": ""},
        {"kind": "images", "shape": [2, 2, 2], "pixels": "eJwDAAAAAAE="},
        [],
        3,
    ],
)
def test_damaged_items_are_refused(value):
    with pytest.raises(ValueError, match=r"damaged|must be rows"):
        items_from_json(value)


# Bundled


@pytest.mark.parametrize(
    ("name", "kind"),
    [("digits", "images"), ("digits-8x8", "images"), ("scenes", "images"), ("short-texts", "texts"), ("iris", "rows")],
)
def test_bundled_sets_are_seen_as_what_they_are(name, kind):
    data = load_dataset(name)
    assert data.cards.kind == kind
    assert len(data.cards) == len(data.X)
    assert not data.cards.thumbnail(len(data.X) - 1).problem


def test_the_pen_digits_of_the_paper_are_drawn_as_strokes(tmp_path):
    spec_shape = (3165, 16)
    X = rng.uniform(0, 100, spec_shape)
    np.savez(tmp_path / "digits-389.npz", X=X, y=np.arange(3165) % 3)
    items = load_dataset("digits-389", data_home=tmp_path).items
    assert items.kind == "strokes"
    assert np.array_equal(items.strokes[7], X[7].reshape(8, 2))


def test_scenes_come_back_from_their_files_as_they_were_made(tmp_path):
    paths = write_scenes(tmp_path / "scenes", 5, seed=3)
    made, read = make_scenes(5, seed=3), as_dataset(tmp_path / "scenes", features="pixels")
    assert [path.name for path in paths] == list(read.items.names)
    assert np.array_equal(made.X, read.X)
    for i in range(len(made.X)):
        assert shown(read.items.thumbnail(i, 48)) == shown(made.items.thumbnail(i, 48))
    with pytest.raises(FileExistsError):
        write_scenes(tmp_path / "scenes", 5)


@pytest.mark.parametrize("name", ["scenes", "short-texts"])
def test_answers_of_a_person_who_sees_the_items_find_their_kinds(name):
    data = load_dataset(name)
    K = data.n_classes
    triplets = np.array([np.random.default_rng(i).choice(len(data.X), 3, replace=False) for i in range(80)])
    model = DCRC(K, random_state=0).fit(data.X, triplets=triplets, answers=truth(data.y).answer(triplets))
    alone = DCRC(K, random_state=0).fit(data.X)
    assert adjusted_rand_score(data.y, model.labels_) > 0.8
    assert adjusted_rand_score(data.y, model.labels_) > adjusted_rand_score(data.y, alone.labels_)
