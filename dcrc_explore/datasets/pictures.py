"""Small pictures as PNG: of arrays, of image files that may be anything, of lines and of bars."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.datasets.limits import check_file
from dcrc_explore.palette import ACCENT, FIRST_UNSURE, INK, LINE, MUTED

if TYPE_CHECKING:
    from PIL.Image import Image

# More than the largest cameras of today make, less than the memory of a laptop.
MAX_PIXELS = 80_000_000
MAX_SIDE = 60_000
_MANY_PIXELS, _STRIP = 24_000_000, 1_000_000
MAX_IMAGE_BYTES = 60_000_000
MAX_SOUND_BYTES = 20_000_000
_LONGISH = 1.6  # longer than this, an image is not cut
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
_DEEP = ("I", "F", "I;16", "I;16L", "I;16B", "I;16N")  # more than 256 shades of grey, as scanners write them


def pillow() -> Any:
    """Import Pillow, or say which extra brings it."""
    try:
        from PIL import Image, ImageDraw, ImageOps
    except ImportError as error:
        raise ImportError('pictures need Pillow: pip install "dcrc-explore[app]"') from error
    return Image, ImageDraw, ImageOps


def read_image(path: Path, size: int) -> Image:
    """Open an image file as RGB, upright; ValueError or OSError, in a sentence, for anything else.

    Large photographs are decoded no finer than `size` pixels need; of an animation the first picture is taken.
    """
    check_file(path, most=MAX_IMAGE_BYTES)
    Image, _, ImageOps = pillow()
    ignored_warning = warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning)
    try:
        # Opening reads the header only.
        with ignored_warning, Image.open(path, formats=_FORMATS) as file:
            width, height = file.size
            if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
                raise _TooLarge
            file.draft("RGB", (size, size))
            # Photographs tell in which way the camera was held.
            ImageOps.exif_transpose(file, in_place=True)
            image = _shades(file) if file.mode in _DEEP else file
            if image.width * image.height > _MANY_PIXELS:
                # All of it in full colour would take a gigabyte.
                plain = image.convert({"P": "RGBA", "PA": "RGBA", "1": "L"}.get(image.mode, image.mode))
                image = plain.reduce(max(1, min(image.size) // max(2 * size, 64)))
            return image.convert("RGBA" if "A" in image.getbands() or "transparency" in image.info else "RGB")
    except (_TooLarge, Image.DecompressionBombError):
        limits = f"{MAX_PIXELS // 10**6} megapixels and {MAX_SIDE:,} pixels on a side"
        raise ValueError(f"{path.name!r} may have at most {limits}, got more") from None
    except Exception as error:
        # Damaged images fail in many ways, in every decoder differently.
        raise ValueError(f"{path.name!r} is not a PNG, JPEG, WebP, GIF, BMP or TIFF image, or it is damaged") from error


class _TooLarge(Exception):
    pass


def _shades(image: Image) -> Image:
    """Return deep shades of grey as 256, from the darkest to the brightest, strip by strip."""
    width, height = image.size
    rows = max(1, _STRIP // width)

    def strips() -> Iterator[tuple[int, FloatArray]]:
        for top in range(0, height, rows):
            strip = image.crop((0, top, width, min(top + rows, height)))
            yield top, np.nan_to_num(np.asarray(strip, dtype=np.float64))

    ends = [(float(strip.min()), float(strip.max())) for _, strip in strips()]
    low, high = min(least for least, _ in ends), max(most for _, most in ends)
    shades = np.empty((height, width), dtype=np.uint8)
    for top, strip in strips():
        shades[top : top + len(strip)] = np.rint(255 * ((strip - low) / ((high - low) or 1.0)))
    return array_image(shades)


def array_image(values: NDArray[np.uint8]) -> Image:
    """Make an image of an array of shape (H, W), (H, W, 3) or (H, W, 4)."""
    return pillow()[0].fromarray(values)


def fitted(image: Image, size: int) -> Image:
    """Scale an image so that its longer side has `size` pixels."""
    scale = size / max(image.size)
    width, height = (max(1, round(side * scale)) for side in image.size)
    Image = pillow()[0]
    return image.resize((width, height), Image.Resampling.BICUBIC if scale > 1 else Image.Resampling.LANCZOS)


def square(image: Image, size: int) -> NDArray[np.uint8]:
    """Return the middle of an image as size x size pixels in RGB, on white where it is transparent."""
    Image, _, ImageOps = pillow()
    if "A" in image.getbands():
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA"))
    # Few pixels are averages of many; where there are many, edges stay sharp.
    how = Image.Resampling.BOX if size <= 64 else Image.Resampling.BICUBIC
    return np.asarray(ImageOps.fit(image.convert("RGB"), (size, size), how))


def tile(image: Image, size: int) -> NDArray[np.uint8]:
    """Return an image as a square of size x size pixels in RGB: its middle, or all of it when it is very long."""
    if max(image.size) <= _LONGISH * min(image.size):
        return square(image, size)
    small, ground = fitted(image, size), pillow()[0].new("RGB", (size, size), "white")
    corner = (size - small.width) // 2, (size - small.height) // 2
    ground.paste(small, corner, small if "A" in small.getbands() else None)
    return np.asarray(ground)


def png(image: Image) -> bytes:
    """Return the bytes of a PNG file."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def lighter(data: bytes) -> tuple[str, bytes]:
    """Return type and bytes of a PNG as they are or, where that has less bytes, as JPEG."""
    with pillow()[0].open(io.BytesIO(data), formats=["PNG"]) as image:
        file = io.BytesIO()
        if image.mode == "RGB":
            image.save(file, "JPEG", quality=85)
    less = 0 < file.tell() < len(data)
    return ("image/jpeg", file.getvalue()) if less else ("image/png", data)


def placeholder(size: int) -> Image:
    """Draw what stands for an item that cannot be shown: a crossed-out frame."""
    image, draw = _canvas(size)
    edge = size // 8
    draw.rectangle((edge, edge, size - edge, size - edge), outline=MUTED, width=max(1, size // 40))
    draw.line((edge, edge, size - edge, size - edge), fill=MUTED, width=max(1, size // 40))
    return image


def polyline(points: FloatArray, size: int) -> Image:
    """Draw a stroke of the pen, its beginning marked by a dot; y points up."""
    image, draw = _canvas(size)
    low, high = points.min(axis=0), points.max(axis=0)
    edge = size / 8
    scale = (size - 2 * edge) / max(float((high - low).max()), 1e-12)
    x, y = ((points - (low + high) / 2) * scale * [1, -1] + size / 2).T
    places = list(zip(x.tolist(), y.tolist(), strict=True))
    width = max(2, size // 16)
    if len(places) > 1:
        draw.line(places, fill=INK, width=width, joint="curve")
    draw.ellipse([c + sign * width for sign in (-1, 1) for c in places[0]], fill=ACCENT)
    return image


def bars(values: Sequence[float], size: int) -> Image:
    """Draw values between -1 and 1 as bars up and down from the middle."""
    image, draw = _canvas(size)
    step, middle = size / max(len(values), 1), size / 2
    draw.line((0, middle, size, middle), fill=LINE)
    for d, value in enumerate(values):
        left, right = d * step + step / 8, max((d + 1) * step - step / 8 - 1, d * step + step / 8)
        top, bottom = sorted((middle, middle - 0.94 * middle * value))
        draw.rectangle((left, top, right, bottom), fill=ACCENT if value > 0 else FIRST_UNSURE)
    return image


def read_sound(path: Path) -> tuple[int, FloatArray]:
    """Return rate and samples of a WAV file, its channels averaged; ValueError when it cannot be read."""
    from scipy.io import wavfile

    check_file(path, most=MAX_SOUND_BYTES)
    try:
        with warnings.catch_warnings(action="ignore", category=wavfile.WavFileWarning):
            rate, samples = wavfile.read(path)
        samples = samples.reshape(len(samples), -1).mean(axis=1, dtype=np.float64)
        if rate < 1 or not len(samples) or not np.isfinite(samples).all():
            raise ValueError("it has no samples")
    except Exception as error:
        raise ValueError(f"{path.name!r} is not a WAV file, or it is damaged") from error
    return int(rate), samples


def spectrogram(path: Path, size: int) -> Image:
    """Draw the frequencies (up) of a WAV file over time; ValueError when it cannot be read."""
    from scipy.signal import spectrogram as short_time_spectra

    rate, samples = read_sound(path)
    try:
        width = int(min(512, max(16, len(samples) // 4)))
        overlap = width - max(1, min(width, len(samples) // 400))
        _, _, power = short_time_spectra(samples, rate, nperseg=width, noverlap=overlap)
        loud = np.log10(power + 1e-6 * power.max() + 1e-30)
        loud = (loud - loud.min()) / max(float(np.ptp(loud)), 1e-12)
    except Exception as error:
        raise ValueError(f"{path.name!r} is not a WAV file, or it is damaged") from error
    image = array_image(np.rint(255 * (1 - loud[::-1])).astype(np.uint8))
    return image.resize((size, size), pillow()[0].Resampling.BILINEAR)


def _canvas(size: int) -> tuple[Image, Any]:
    Image, ImageDraw, _ = pillow()
    image = Image.new("RGB", (size, size), "white")
    return image, ImageDraw.Draw(image)
