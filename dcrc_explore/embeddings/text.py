"""Features of texts: which words they use, or, with the extra ``texts``, what these words mean."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from dcrc_explore.arrays import FloatArray
from dcrc_explore.embeddings.making import ItemSource, Made, components, missing_extra
from dcrc_explore.progress import Watch, with_time_left

N_TOPICS = 12
_PACKAGE, _WEIGHTS = "wordllama", "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_MOST_WORDS = 50_000  # that TF-IDF counts
_BATCH = 256


def words(items: ItemSource, watch: Watch) -> Made:
    """Make features of the words that texts share."""
    watch(0, len(items), items.kind)
    X = word_features([str(items.raw(i)) for i in range(len(items))])
    return Made(X, np.arange(len(items)), f"{X.shape[1]} components of TF-IDF, weighted counts of words")


def word_features(texts: Sequence[str]) -> FloatArray:
    """Return words weighted by TF-IDF, reduced to a few dimensions that vary most, on one scale.

    Examples
    --------
    >>> word_features(["rain and sun", "sun and wind", "a goal", "the last goal"]).shape
    (4, 3)
    """
    vectorizer = TfidfVectorizer(stop_words="english", sublinear_tf=True, max_features=_MOST_WORDS)
    try:
        counts = vectorizer.fit_transform(texts)
    except ValueError:
        raise ValueError(f"texts must hold words of two letters or more, got none in {len(texts)} texts") from None
    n_topics = min(N_TOPICS, len(texts) - 1, counts.shape[1] - 1)
    # A single word, or one in common, has no directions to choose from.
    X = TruncatedSVD(n_topics, random_state=0).fit_transform(counts) if n_topics > 0 else counts.toarray()
    return X / (X.std() or 1.0)


def missing() -> str:
    """Say what is needed for the meaning of words and not installed; "" when everything is there."""
    installed = find_spec(_PACKAGE) is not None and find_spec("tokenizers") is not None
    return missing_extra("text features by the meaning of words", "texts", installed=installed)


def text(items: ItemSource, watch: Watch) -> Made:
    """Make features of the meaning of texts: the mean of the vectors of their words."""
    tokenizer, vectors = _word_vectors()
    means = np.zeros((len(items), vectors.shape[1]))
    report = with_time_left(watch)
    for begin in range(0, len(items), _BATCH):
        report(begin, len(items), items.kind)
        end = min(begin + _BATCH, len(items))
        texts = [str(items.raw(i)) for i in range(begin, end)]
        for i, pieces in enumerate(tokenizer.encode_batch(texts, add_special_tokens=False), begin):
            if pieces.ids:
                means[i] = vectors[pieces.ids].mean(axis=0, dtype=np.float64)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    X, about = components(means / np.where(lengths, lengths, 1.0), "word vectors")
    return Made(X, np.arange(len(items)), about)


@cache
def _word_vectors() -> tuple[Any, NDArray[np.float16]]:
    """Read tokenizer and vectors from the files of the package, which is itself not imported."""
    from tokenizers import Tokenizer

    found = find_spec(_PACKAGE)
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent
    return Tokenizer.from_file(str(folder / _TOKENIZER)), _read_matrix(folder / _WEIGHTS)


def _read_matrix(path: Path) -> NDArray[np.float16]:
    """Read the one matrix of a file in the format safetensors: the length of a header, the header in JSON, numbers."""
    with path.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        (about,) = (value for name, value in header.items() if name != "__metadata__")
        if about["dtype"] != "F16" or len(about["shape"]) != 2:
            raise ValueError(f"{path.name} must hold a matrix of half precision, got {about}")
        return np.frombuffer(file.read(), "<f2", int(np.prod(about["shape"]))).reshape(about["shape"])
