"""The constants that the browser's engine shares with the model: `python tests/js/constants.py` writes them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore import DCRC, annotators, arrays, questions, widgets
from dcrc_explore.information import expectation
from dcrc_explore.model import em, estep, features, lbfgs, mstep, starts, weighting
from dcrc_explore.questions import belief, guided
from dcrc_explore.session import trace

PATH = Path(widgets.__file__).parent / "static" / "engine" / "constants.js"
HEAD = """// Written by `python tests/js/constants.py` from the modules of Python that are named here.
"""
DEFAULTS = DCRC().get_params()
# From each module its names without the underscore, or what they are called here.
SHARED: dict[Any, dict[str, str] | tuple[str, ...]] = {
    em: (
        *("SOFT_SHARES", "SOFT_ITERATIONS", "SOFT_LAM", "M_STEP_ITERATIONS", "M_STEP_TOL", "M_STEP_SHARE"),
        *("M_STEP_LEFT", "MAX_SWEEPS", "SWEEP_TOL", "UNSETTLED", "LAST_SWEEP_TOL", "EQUAL", "SMALLEST"),
        *("UNANSWERED_ITERATIONS", "UNANSWERED_TOL"),
    ),
    estep: ("TIE",),
    lbfgs: ("MEMORY", "SUFFICIENT", "FLATTER", "MOST_TRIALS", "FLAT"),
    mstep: ("BEND_OF_LAM", "LEAST_VARIANCE", "LARGEST_DEVIATION", "MANY_ROWS"),
    weighting: ("GENTLE_SHARE", "GENTLE_ANSWERS", "FEW", "LEAST_SEPARATED"),
    starts: ("DRAWN", "NO_SCATTER", "FEW_ROWS"),
    features: ("RANK_TOL", "UNEVEN", "NO_VARIANCE"),
    trace: ("QUICK", "BETTER"),
    expectation: ("SAMPLE",),
    belief: {"DOUBTS": "DOUBTS", "MEMORY": "OLD_SURPRISE"},
    guided: (
        *("REFERENCES", "CANDIDATES", "LEAST_UNCERTAINTY", "TIRING", "REMEMBERED"),
        *("FIRST", "NEW", "REGION", "REGIONS", "BETWEEN", "CHECK"),
    ),
    arrays: ("ROUNDING",),
}


def written() -> str:
    """Return the module of constants."""
    lines = [HEAD]
    for module, names in SHARED.items():
        lines.append(f"// {module.__name__.removeprefix('dcrc_explore.').replace('.', '/')}.py")
        for name, here in (names if isinstance(names, dict) else {name: name for name in names}).items():
            value = getattr(module, name) if hasattr(module, name) else getattr(module, f"_{name}")
            lines.append(_line(here, value))
        lines.append("")
    lines.append("// the defaults of DCRC")
    for name, here in {"max_iter": "MAX_ITER", "tol": "TOL", "n_components": "MOST_COMPONENTS"}.items():
        lines.append(_line(here, DEFAULTS[name]))
    lines += ["", "// annotators/confusion.py"]
    lines += [
        _line(name, np.asarray(getattr(annotators, name))) for name in ("PAPER_CONFUSION", "GUESSING", "EXCHANGING")
    ]
    lines += ["", "// questions/__init__.py", "/** @type {Record<string, string>} */"]
    return "\n".join([*lines, _line("REASONS", questions.reasons()), ""])


def _line(name: str, value: Any) -> str:
    value = value.tolist() if isinstance(value, np.ndarray) else value
    text = json.dumps(value)
    if len(text) > 90:  # an entry on each line
        parts = [json.dumps(each) for each in value] if isinstance(value, list) else json.dumps(value, indent=2)
        text = parts if isinstance(parts, str) else "[\n  " + ",\n  ".join(parts) + ",\n]"
    return f"export const {name} = {text};"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
