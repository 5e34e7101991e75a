"""Kernels that begin with nothing from the folder of their notebook."""

from __future__ import annotations

import sys
from typing import Any

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

_OURS = {sys.executable, "python", "python3"}


class SafeKernelSpecs(KernelSpecManager):
    """Starts our own Python so that a file named as a part of the kernel does not take its place.

    Cells still import what lies beside their notebook, after the standard library.
    """

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return how a kernel is started."""
        spec: Any = super().get_kernel_spec(kernel_name)
        if spec.argv[:1] and spec.argv[0] in _OURS and "-P" not in spec.argv:
            spec.argv = [spec.argv[0], "-P", *spec.argv[1:]]
        return spec
