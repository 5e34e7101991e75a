"""Features of sounds: the power in each frequency band, and how much it changes."""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.embeddings.making import ItemSource, Made, Recipe, made_of_components
from dcrc_explore.progress import Watch

RATE = 16_000
_FRAME = 512
_N_BANDS = 40
_SECONDS = 30  # of a longer sound, its beginning
_QUIET = 1e-6  # power below which nothing counts, 60 decibels below a tone of full strength


def sound(items: ItemSource, watch: Watch) -> Made:
    """Make features of sounds from the mean, the deviation and the change of their log-mel spectra."""
    recipe = Recipe("log-mel 1", lambda items, i: log_mel_statistics(*items.samples(i)), lambda rows: np.stack(rows))
    return made_of_components(items, recipe, watch, "log-mel statistics")


def log_mel_statistics(rate: int, samples: FloatArray) -> NDArray[np.float32]:
    """Return mean, standard deviation and mean absolute change of the log power in 40 mel bands, shape (120,).

    Loudness does not count: sounds are brought to the same peak first.

    Examples
    --------
    >>> tone = np.sin(np.arange(8000) * 0.3)
    >>> bool(np.allclose(log_mel_statistics(8000, tone), log_mel_statistics(8000, tone / 9), atol=1e-4))
    True
    """
    from scipy.signal import stft  # takes long to load

    samples = resampled(rate, samples)
    samples = np.pad(samples, (0, max(0, _FRAME - len(samples))))
    power = np.abs(stft(samples, nperseg=_FRAME)[2]) ** 2
    loud = np.log10(_bands() @ power + _QUIET)
    change = np.abs(np.diff(loud, axis=1)).mean(axis=1) if loud.shape[1] > 1 else np.zeros(_N_BANDS)
    return np.concatenate([loud.mean(axis=1), loud.std(axis=1), change]).astype(np.float32)


def resampled(rate: int, samples: FloatArray) -> FloatArray:
    """Return the beginning of a sound at 16 kHz, with a peak of 1."""
    from scipy.signal import resample_poly  # takes long to load

    shared = gcd(rate, RATE)
    samples = resample_poly(samples[: _SECONDS * rate], RATE // shared, rate // shared)
    return samples / (np.abs(samples).max() or 1.0)


def _bands() -> NDArray[Any]:
    """Return triangles over the frequencies, equally wide in mel, shape (40, frequencies)."""
    highest = 2595 * np.log10(1 + RATE / 2 / 700)  # in mel
    edges = 700 * (10 ** (np.linspace(0, highest, _N_BANDS + 2) / 2595) - 1)[:, None]
    hertz = np.linspace(0, RATE / 2, _FRAME // 2 + 1)
    rising = (hertz - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hertz) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rising, falling))
