"""The interactive tool: thin views over a :class:`~dcrc_explore.session.Session`."""

try:
    import anywidget
    import ipywidgets
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "dcrc_explore.widgets needs JupyterLab and its widgets: pip install 'dcrc-explore[app]'"
    ) from error

from dcrc_explore.widgets.compare import Compare
from dcrc_explore.widgets.explorer import Explorer

__all__ = ["Compare", "Explorer"]
