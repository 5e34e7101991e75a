"""Clusters can be told apart, also by people who see fewer colours."""

from itertools import combinations

import numpy as np
import pytest

from dcrc_explore.palette import CLUSTER_COLOURS, CLUSTER_MARKERS, VIOLATED, cluster_colour, cluster_marker

# Severe dichromacy in linear RGB (Machado, Oliveira and Fernandes, 2009).
VISION = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, vision: str) -> np.ndarray:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(VISION[vision] @ linear, 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISION)
def test_cluster_colours_and_the_alarm_colour_stay_apart(vision):
    colours = [*CLUSTER_COLOURS, VIOLATED]
    distances = {
        pair: float(np.linalg.norm(lab(pair[0], vision) - lab(pair[1], vision))) for pair in combinations(colours, 2)
    }
    # A CIE76 difference of about 2.3 is just noticeable; four times that is easy to see in small marks.
    closest = min(distances, key=distances.__getitem__)
    assert distances[closest] > 10, (closest, distances[closest])


def test_no_two_of_the_first_hundred_clusters_look_the_same():
    looks = {(cluster_colour(k), cluster_marker(k)) for k in range(100)}
    assert len(looks) == 100
    assert len(set(CLUSTER_COLOURS)) == len(set(CLUSTER_MARKERS)) == 12
