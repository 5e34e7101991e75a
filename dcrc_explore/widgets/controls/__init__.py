"""The controls of the tools, in groups: they change a session when a person moves them, and follow it otherwise."""

from dcrc_explore.widgets.controls.tools import CompareControls, Controls, ExplorerControls

__all__ = ["CompareControls", "Controls", "ExplorerControls"]
