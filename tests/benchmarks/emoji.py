"""Make the features of the data set emoji, once: the meaning of each name beside what a network sees in the picture.

    python tests/benchmarks/emoji.py [FONT] > dcrc_explore/datasets/emoji.csv

FONT is a colour font with pictures of 109 pixels, as Debian's fonts-noto-color-emoji brings it. The extras photos and
texts bring the word vectors and the network. On standard error stands how well K-means finds the six kinds.
"""

from __future__ import annotations

import csv
import sys
import unicodedata

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from dcrc_explore.datasets import Images, Texts
from dcrc_explore.embeddings import make_item_features
from dcrc_explore.metrics import adjusted_rand

FONT = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
SIZE, N_COMPONENTS = 136, 10
WEIGHT = 0.7  # of names beside pictures
KINDS = {
    "mammals": "🐒🦍🐕🐩🐈🐅🐆🐎🦓🦌🐂🐃🐄🐖🐏🐑🐐🐪🐫🦙🦒🐘🦏🦛🐀🐇🦔🦥🦦🦨🦘",
    "birds": "🦃🐔🐓🐣🐤🐥🐦🐧🦅🦆🦢🦉🦩🦚🦜🦤",
    "plants": "💐🌸💮🌹🥀🌺🌻🌼🌷🌱🌲🌳🌴🌵🌾🌿🍀🍁🍂🍃",
    "fruit and vegetables": "🍇🍈🍉🍊🍋🍌🍍🥭🍎🍏🍐🍑🍒🍓🥝🍅🥥🥑🍆🥕🌽🥒",
    "vehicles": "🚂🚃🚄🚅🚆🚇🚌🚍🚎🚐🚑🚒🚓🚔🚕🚖🚗🚘🚙🚚🚛🚜🚲🛵🚢🚁",
    "faces": "😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙🥲😋😛😜🤪😝🤑🤗🤭🤫🤔🤐🤨😐😑😶",
}


def drawn(emoji: str, font: ImageFont.FreeTypeFont) -> np.ndarray:
    image = Image.new("RGB", (SIZE, SIZE), "white")
    ImageDraw.Draw(image).text((0, 4), emoji, font=font, embedded_color=True)
    return np.asarray(image)


def scaled(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0).sum())


def found(X: np.ndarray, y: np.ndarray) -> float:
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    return adjusted_rand(y, KMeans(len(KINDS), n_init=20, random_state=0).fit_predict(Z))


def main() -> None:
    font = ImageFont.truetype(sys.argv[1] if len(sys.argv) > 1 else FONT, 109)
    emoji = [each for kind in KINDS.values() for each in kind]
    kinds = [kind for kind, signs in KINDS.items() for _ in signs]
    names = [unicodedata.name(each).lower() for each in emoji]
    y = np.unique(kinds, return_inverse=True)[1]
    words = make_item_features(Texts(names), "text").X
    pictures = make_item_features(Images(np.array([drawn(each, font) for each in emoji])), "photo").X
    both = PCA(N_COMPONENTS, random_state=0).fit_transform(np.hstack([WEIGHT * scaled(words), scaled(pictures)]))
    both /= both.std()
    for title, X in (("names", words), ("pictures", pictures), ("both", both)):
        print(f"{title}: K-means, adjusted Rand index {found(X, y):.2f}", file=sys.stderr)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["emoji", "name", "kind", *(f"x{d + 1}" for d in range(N_COMPONENTS))])
    for row in zip(emoji, names, kinds, both, strict=True):
        writer.writerow([*row[:3], *(f"{value:.4f}" for value in row[3])])


if __name__ == "__main__":
    main()
