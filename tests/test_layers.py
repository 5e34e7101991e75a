"""The package's layers: each module imports only from those above it, and importing the package is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dcrc_explore

PACKAGE = Path(dcrc_explore.__file__).parent
# From the top: a module may import from its own layer and from those before it.
LAYERS = [
    {"arrays", "browser", "palette", "progress", "settings", "storage", "tables", "toml", "values", "words"},
    {"constraints"},
    {"embeddings"},
    {"datasets"},
    {"annotators"},
    {"questions"},
    {"model"},
    {"information"},
    {"metrics"},
    {"plane", "inspection", "interview"},
    {"baselines"},
    {"session", "plotting", "page"},
    {"experiments"},
    {"room"},
    {"scenes"},
    {"widgets"},
    {"app"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def imports(path):
    """Names imported anywhere in a file, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} uses a relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules():
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.name != "__init__.py")


def layer(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def wrong_imports(path):
    """What a module imports from a layer below it, or from a package that its layer does without."""
    own = layer(path)
    if own not in LEVEL:
        yield f"{own} has no place in the list of layers"
        return
    for name in imports(path):
        root, other = (*name.split("."), "")[:2]
        if root == "dcrc_explore" and LEVEL.get(other, 0) > LEVEL[own]:
            yield f"{other}, a layer below it"
        if root == "matplotlib" and own not in {"plotting", "experiments", "widgets"}:
            yield root
        if root in {"ipywidgets", "anywidget"} and own != "widgets":
            yield root
        if root in {"onnxruntime", "tokenizers"} and own != "embeddings":
            yield root
        if root in {"onnx", "torch", "wordllama"}:
            yield f"{root}, whose files are read as data"
        if root in {"tornado", "segno"} and own not in {"room", "app"}:
            yield root


def test_a_module_imports_only_from_the_layers_above_it():
    wrong = {str(path.relative_to(PACKAGE)): found for path in modules() if (found := list(wrong_imports(path)))}
    assert wrong == {}


def test_importing_the_package_loads_no_gui_and_no_scikit_learn():
    code = "import sys, dcrc_explore; print(*(name for name in sys.modules if '.' not in name))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {
        "matplotlib",
        "ipywidgets",
        "anywidget",
        "IPython",
        "sklearn",
        "pandas",
        "onnxruntime",
        "tornado",
    }


def test_every_public_name_is_there():
    for name in dcrc_explore.__all__:
        assert getattr(dcrc_explore, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        dcrc_explore.nothing  # noqa: B018
