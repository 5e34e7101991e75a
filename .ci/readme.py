"""Let the README's links lead to the repository, if pyproject.toml names it: on PyPI there are no files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Readme(MetadataHookInterface):
    """Hatch's hook: ``Source`` in ``[project.urls]`` is the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set what PyPI shows."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if source := metadata.get("urls", {}).get("Source"):
            text = absolute(text, source, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute(text: str, source: str, tag: str) -> str:
    """Return a text whose pictures and links are those of the repository at a tag."""
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:|#)", rf"\1{source}/raw/{tag}/", text)
    return re.sub(r"(\]\()(?!https?:|#)", rf"\1{source}/blob/{tag}/", text)
