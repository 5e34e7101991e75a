"""Print the lowest versions that pyproject.toml promises, as constraints for pip."""

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]

for requirement in [*PROJECT["dependencies"], *EXTRAS["app"], *EXTRAS["experiments"]]:
    name, version = re.fullmatch(r"([\w-]+)(?:\[.*\])?>=([\d.]+)", requirement).groups()
    print(f"{name}=={version}" if version.count(".") == 2 else f"{name}=={version}.*")
