"""Check what would be published: ``python .ci/packages.py FOLDER`` with the wheel and the source package in it."""

from __future__ import annotations

import json
import re
import sys
import tarfile
import zipfile
from pathlib import Path

LARGEST_WHEEL = 2_000_000  # bytes
IN_WHEEL = (
    "py.typed",
    "notebooks/01-first-answers.ipynb",
    "notebooks/solutions/01-first-answers-solutions.ipynb",
    "notebooks/results/comparison.jsonl",
    "notebooks/site/paper.md",
    "app/explorer.ipynb",
    "app/lab/labextensions/dcrc-explore/static/remoteEntry.js",
    "widgets/static/explorer.js",
    "room/static/room.js",
    "room/study/paper.toml",
    "scenes/01-answers-pay.toml",
)
IN_SOURCE = (
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "tests/test_cli.py",
    ".ci/run",
    "notebooks/images/compare.png",
)


def main(folder: Path) -> int:
    """Print what is wrong with the packages in a folder; returns how many things are."""
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    wrong = []
    if (size := wheel.stat().st_size) > LARGEST_WHEEL:
        wrong.append(f"the wheel must have at most {LARGEST_WHEEL:,} bytes, got {size:,}")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        wrong += [f"the wheel lacks {name}" for name in IN_WHEEL if f"dcrc_explore/{name}" not in names]
        for name in sorted(names):
            if name.endswith("/METADATA"):
                text = archive.read(name).decode()
                if "\nProject-URL: Source," in text and (links := re.findall(r"\]\((?!https?:|#)[^)]*\)", text)):
                    wrong.append(f"PyPI cannot follow {len(links)} links of the README, such as {links[0][1:]}")
            if name.endswith(".ipynb"):
                cells = json.loads(archive.read(name))["cells"]
                if any(cell.get("outputs") for cell in cells):
                    wrong.append(f"{name} has stored outputs in the wheel")
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    wrong += [f"the source package lacks {name}" for name in IN_SOURCE if name not in inside]
    print(f"{wheel.name}: {size:,} bytes, {len(names)} files;", "; ".join(wrong) or "nothing is missing")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
