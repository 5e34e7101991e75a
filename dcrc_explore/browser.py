"""The browser's half: ES modules and style sheets in ``widgets/static``, joined into one text. There is no bundler.

Each module becomes a function of its own, after those that it imports, line by line as it stands in its file; what it
exports is what the function returns. So one script does it all, which a strict content policy can name by its hash.
"""

from __future__ import annotations

import gzip
import posixpath
import re
from base64 import b64encode
from functools import cache
from pathlib import Path

from dcrc_explore import palette

_STATIC = Path(__file__).parent / "widgets" / "static"
_IMPORT = re.compile(r'^import (\* as )?([^"]+?) from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|function|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//(?!#)[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)
_DEFAULT = re.compile(r"^export default (.+);$", re.MULTILINE)


@cache
def script(entry: str) -> str:
    """Return one script that runs a module and all that it imports, and exports what it exports by default.

    Examples
    --------
    >>> "export default" in script("explorer.js"), "import {" in script("explorer.js")
    (True, False)
    """
    modules: dict[str, str] = {}
    _collect(entry, modules)
    exported = f"export default {variable(entry)}.default;\n" if ".default = " in modules[entry] else ""
    return "".join(modules.values()) + exported + f"//# sourceURL=dcrc_explore/{entry}\n"


def _collect(name: str, modules: dict[str, str]) -> None:
    """Add a module after those that it imports."""
    folder = posixpath.dirname(name)
    text = (_STATIC / name).read_text(encoding="utf-8")

    def imported(match: re.Match[str]) -> str:
        whole, names, path = match.groups()
        other = posixpath.normpath(posixpath.join(folder, path))
        if other not in modules:
            _collect(other, modules)
        return f"const {names if whole else names.replace(' as ', ': ')} = {variable(other)};"

    body = _IMPORT.sub(imported, text)
    exports = _EXPORT.findall(body)
    body = _DEFAULT.sub(r"exports.default = \1;", _EXPORT.sub("", body))
    own = variable(name)
    returned = f"return Object.assign(exports, {{ {', '.join(exports)} }});"
    modules[name] = f"// {name}\nconst {own} = ((exports) => {{\n{body}{returned}\n}})({{}});\n"


def variable(name: str) -> str:
    """Return the name under which a script has what a module exports."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def bare(code: str) -> str:
    r"""Return a script without the comments that have lines of their own.

    Examples
    --------
    >>> bare("// What it is\n/** @type {number} */\nlet n = 1; // one\n")
    'let n = 1; // one\n'
    """
    return _COMMENT.sub("", code)


def zipped(code: str) -> str:
    """Return a script as text of a quarter of its size, which ``static/unzip.js`` makes a script of the page again."""
    return b64encode(gzip.compress(code.encode(), mtime=0)).decode()


def style(*names: str) -> str:
    """Return style sheets as one, after the colours of the palette.

    Examples
    --------
    >>> style("theme.css").count("--dcrc-ink:")  # light and dark
    2
    """
    sheets = [(_STATIC / f"{name}").read_text(encoding="utf-8") for name in names]
    return "\n".join([palette.style_variables(), *sheets])
