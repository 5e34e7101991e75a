"""Other kinds of processors: this one works as they would, with fewer of its instructions.

OpenBLAS and numpy choose their instructions when they are loaded, and round differently with other ones.
"""

import os

import numpy as np

# Of this processor, what numpy uses beyond what every processor has.
HAS = np.show_config("dicts")["SIMD Extensions"].get("found", [])
NEWEST = ("AVX512", "X86_V4")
# By OpenBLAS's names, from new to old, with how the names of those instructions begin that numpy does without there.
LACKS = {"SkylakeX": (), "Haswell": NEWEST, "Sandybridge": NEWEST, "Nehalem": ("",)}
# OpenBLAS would try what is not there, and the process would end.
CORES = [core for core in LACKS if core != "SkylakeX" or any(name.startswith(NEWEST) for name in HAS)]


def environment(core: str) -> dict[str, str]:
    """Return the environment of a process that computes as this kind of processor does."""
    without = " ".join(name for name in HAS if LACKS[core] and name.startswith(LACKS[core]))
    return os.environ | {"OPENBLAS_CORETYPE": core, "NPY_DISABLE_CPU_FEATURES": without, "OMP_NUM_THREADS": "1"}
