"""What is in a cluster."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore.inspection import gallery


@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(2, 6), st.integers(1, 9))
def test_shelves_hold_members_in_the_promised_order(seed, N, K, most):
    rng = np.random.default_rng(seed)
    P, truth = rng.dirichlet(np.full(K, 0.5), size=N), rng.integers(K, size=N)
    labels = P.argmax(axis=1)
    shelves = gallery(P, truth=truth, most=most)
    assert [shelf.cluster for shelf in shelves] == list(range(K))
    assert sum(shelf.size for shelf in shelves) == N
    for k, size, certain, doubtful, mistaken in shelves:
        assert set(labels[np.r_[certain, doubtful, mistaken].astype(int)]) <= {k}
        assert not set(certain) & set(doubtful)
        assert len(certain) + len(doubtful) == min(size, min(most, (size + 1) // 2) + most)
        if len(certain):
            rest = np.setdiff1d(np.flatnonzero(labels == k), certain)
            assert P[certain, k].min() >= P[rest, k].max(initial=0)
        margin = np.sort(P[doubtful], axis=1)
        assert (np.diff(margin[:, -1] - margin[:, -2]) >= 0).all()
        assert (truth[mistaken] != k).all()
        assert len(mistaken) == min(most, ((labels == k) & (truth != k)).sum())
    assert all(len(shelf.mistaken) == 0 for shelf in gallery(P))


def test_unusable_input_is_explained():
    with pytest.raises(ValueError, match=r"shape \(N, K\) with K of at least 2, got \(3,\)"):
        gallery([0.1, 0.2, 0.7])
    with pytest.raises(ValueError, match=r"truth must have shape \(2,\), got \(3,\)"):
        gallery(np.eye(2), truth=[0, 1, 1])
