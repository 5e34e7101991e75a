"""The house is in order: nobody reads another module's private names, and no file has grown too long."""

import ast
import os
from collections import Counter
from pathlib import Path

import sklearn.cluster  # noqa: F401  # brings every library with threads
from threadpoolctl import threadpool_info

import dcrc_explore

PACKAGE = Path(dcrc_explore.__file__).parent
# Names of the standard library that are public in spite of their underscore.
PUBLIC = {"_asdict", "_exit", "_fields", "_make", "_replace"}


def name(path):
    return path.relative_to(PACKAGE).as_posix()


def sources(*endings):
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in endings)


def is_private(attribute):
    return attribute.startswith("_") and not attribute.endswith("__") and attribute not in PUBLIC


def own_names(tree):
    """Private names that a module defines: functions, classes, attributes of its own objects."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_own(node.value):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def is_own(value):
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id == "super"
    return isinstance(value, ast.Name) and value.id in {"self", "cls"}


def private_names_of_others(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = set(own_names(tree))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and is_private(node.attr)
            and not is_own(node.value)
            and node.attr not in own
        ):
            yield f"line {node.lineno}: .{node.attr}"
        elif isinstance(node, ast.ImportFrom):
            yield from (f"line {node.lineno}: {alias.name}" for alias in node.names if is_private(alias.name))


def test_no_module_reads_private_names_of_another():
    read = {name(path): found for path in sources(".py") if (found := list(private_names_of_others(path)))}
    assert read == {}


LONGEST = 500


def test_no_file_is_too_long():
    n_lines = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources(".py", ".js", ".css")}
    assert {file: n for file, n in n_lines.items() if n > LONGEST} == {}


def test_threads_of_small_products_do_not_wait_for_each_other_in_tests():
    threads = {library["num_threads"] for library in threadpool_info() if library["internal_api"] != "openmp"}
    assert threads <= {int(os.environ["OPENBLAS_NUM_THREADS"])}, "numpy was loaded before tests/conftest.py"


def test_a_class_has_a_name_of_its_own():
    classes = Counter(
        node.name
        for path in sources(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, n in classes.items() if n > 1] == []
