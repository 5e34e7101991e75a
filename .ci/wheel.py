"""Put the course into the wheel without stored outputs: the tool runs it. The source package has everything."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Course(BuildHookInterface):
    """Hatch's hook: it adds a copy of each notebook whose code cells have no outputs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the copies before the wheel is packed; an editable installation reads the notebooks where they are."""
        if version == "editable":
            return
        self.copies = TemporaryDirectory()
        notebooks = Path(self.root, "notebooks")
        for number, path in enumerate(sorted([*notebooks.glob("*.ipynb"), *notebooks.glob("solutions/*.ipynb")])):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    cell["outputs"], cell["execution_count"] = [], None
            copy = Path(self.copies.name, f"{number}.ipynb")
            copy.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            build_data["force_include"][str(copy)] = f"dcrc_explore/notebooks/{path.relative_to(notebooks).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copies."""
        if version != "editable":
            self.copies.cleanup()
