"""Print the lowest versions that pyproject.toml promises, as constraints for pip."""

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]

extras = (EXTRAS[name] for name in ("app", "photos", "texts", "speech", "room", "experiments"))
promised = {*PROJECT["dependencies"], *(requirement for extra in extras for requirement in extra)}
for requirement in sorted(promised):
    if requirement.startswith("dcrc-explore["):  # extras in an extra
        continue
    name, version = re.fullmatch(r"([\w-]+)(?:\[.*\])?>=([\d.]+)", requirement).groups()
    print(f"{name}=={version}" if version.count(".") == 2 else f"{name}=={version}.*")
