"""Kernels that begin with nothing from the folder of their notebook, the first of them without waiting."""

from __future__ import annotations

import os
import sys
from importlib.metadata import EntryPoint
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from dcrc_explore.app import warm

_OURS = {sys.executable, "python", "python3"}
_PROVISIONER = "dcrc-explore"


class SafeKernelSpecs(KernelSpecManager):
    """Starts our own Python so that a file named as a part of the kernel does not take its place.

    Cells still import what lies beside their notebook, after the standard library.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        place = f"{WarmProvisioner.__module__}:{WarmProvisioner.__name__}"
        known = KernelProvisionerFactory.instance(parent=self.parent).provisioners
        known[_PROVISIONER] = EntryPoint(_PROVISIONER, place, "jupyter_client.kernel_provisioners")

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return how a kernel is started."""
        spec: Any = super().get_kernel_spec(kernel_name)
        if spec.argv[:1] and spec.argv[0] in _OURS:
            if "-P" not in spec.argv:
                spec.argv = [spec.argv[0], "-P", *spec.argv[1:]]
            spec.metadata.setdefault("kernel_provisioner", {"provisioner_name": _PROVISIONER})
        return spec


class WarmProvisioner(LocalProvisioner):
    """Gives the first kernel a process that has loaded the tool already."""

    async def launch_kernel(self, cmd: list[str], **settings: Any) -> KernelConnectionInfo:
        """Launch a kernel."""
        folder = settings.get("cwd") or os.getcwd()
        process = warm.take(cmd, dict(settings["env"]), str(folder))
        if process is None:
            return await super().launch_kernel(cmd, **settings)
        self.process, self.pid, self.pgid, self.cwd = process, process.pid, os.getpgid(process.pid), folder
        return self.connection_info
