"""Say whether this commit can be released: ``python .ci/release.py``. It refuses what is not ready, and says why.

The quick checks come first: version, changelog, citation, address, tag, work tree. Then ``.ci/run`` runs all tests,
builds the site and looks at the packages.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def problems() -> list[str]:
    """Return what stands in the way of a release, as sentences."""
    version = re.search(r'^__version__ = "([^"]+)"', _read("dcrc_explore/__init__.py"), re.M)[1]
    newest = re.search(r"^## (\S+) \(([^)]+)\)", _read("CHANGELOG.md"), re.M)
    citation = _read("CITATION.cff")
    cited = re.search(r"^version: (\S+)", citation, re.M)[1]
    released = re.search(r"^date-released: [\"']?(\d{4}-\d\d-\d\d)", citation, re.M)
    found = []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        found.append(f"the version must be three numbers such as 0.1.0, got {version}")
    if newest[1] != version:
        found.append(f"the changelog begins with {newest[1]}, the version is {version}")
    if cited != version:
        found.append(f"CITATION.cff has version {cited}, the version is {version}")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", newest[2]):
        found.append(f"the changelog must name the day of the release, got ({newest[2]})")
    elif not released or released[1] != newest[2]:
        found.append(f"CITATION.cff must have date-released: {newest[2]}, got {released and released[1]}")
    if "Source" not in tomllib.loads(_read("pyproject.toml"))["project"].get("urls", {}):
        found.append(
            "pyproject.toml must name the repository as Source in [project.urls]: the README's links need it on PyPI"
        )
    if _git("tag", "--list", f"v{version}"):
        found.append(f"the tag v{version} exists already")
    if changed := _git("status", "--porcelain"):
        found.append(f"the work tree has changes that are not committed: {len(changed.splitlines())} files")
    return found


def main() -> int:
    """Print what is not ready; returns 1 if anything is."""
    found = problems()
    for problem in found:
        print("not ready:", problem)
    if found:
        return 1
    print(
        "Version, changelog, citation, address, tag and work tree are ready. Now the tests, the site and the packages."
    )
    return subprocess.run(["bash", ".ci/run"], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
