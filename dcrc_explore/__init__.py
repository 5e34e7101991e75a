"""Discriminative clustering with relative constraints: a library to call and a tool to watch."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dcrc_explore.constraints import Answer, Pairs, Triplets
    from dcrc_explore.model import DCRC
    from dcrc_explore.model.selection import DCRCCV

__version__ = "0.1.0"
__all__ = ["DCRC", "DCRCCV", "Answer", "Pairs", "Triplets"]

# scikit-learn takes a second to import: it is loaded when a name that needs it is first used.
_MODULES = {
    "DCRC": "model",
    "DCRCCV": "model.selection",
    "Answer": "constraints",
    "Pairs": "constraints",
    "Triplets": "constraints",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
