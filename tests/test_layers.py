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
    {"arrays", "browser", "palette", "progress", "storage", "words"},
    {"constraints"},
    {"embeddings"},
    {"datasets"},
    {"annotators"},
    {"questions"},
    {"model"},
    {"information"},
    {"metrics"},
    {"plane", "inspection"},
    {"baselines"},
    {"plotting"},
    {"page"},
    {"experiments"},
    {"room"},
    {"session"},
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


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_the_layers_above_it(path):
    own = layer(path)
    assert own in LEVEL, f"{own} has no place in the list of layers"
    for name in imports(path):
        if name.startswith("dcrc_explore."):
            other = name.split(".")[1]
            if other in LEVEL:
                assert LEVEL[other] <= LEVEL[own], f"{own} imports {other}, a layer below it"
        root = name.split(".")[0]
        if root == "matplotlib":
            assert own in {"plotting", "experiments", "widgets"}, f"{own} imports matplotlib"
        if root in {"onnxruntime", "tokenizers"}:
            assert own == "embeddings", f"{own} imports {root}"
        assert root not in {"onnx", "torch", "wordllama"}, f"{own} imports {root}, whose files are read as data"
        if root in {"ipywidgets", "anywidget"}:
            assert own == "widgets", f"{own} imports {root}"
        if root in {"tornado", "segno"}:
            assert own in {"room", "app"}, f"{own} imports {root}"


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
