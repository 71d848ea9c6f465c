"""Who may import whom, which names are public, and whether the names that docstrings use exist."""

from __future__ import annotations

import ast
import builtins
import importlib
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    package: Path(str(importlib.import_module(package).__file__)).parent
    for package in ("foureyes", "foureyes_reviewers")
}
"""Where the packages are that these tests import: the source roots, or the installed wheel."""
FILES = {
    ".".join((package, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__"): path
    for package, folder in PACKAGES.items()
    for path in sorted(folder.rglob("*.py"))
}
MODULES = sorted(FILES)
CORE = [name for name in MODULES if name.startswith("foureyes.core")]
ENTRY_POINT_GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
SCRIPTS = {name for name in MODULES if name.endswith(".__main__")}


@cache
def parsed(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(FILES[module].read_text("utf-8"))


def imports(module: str) -> set[str]:
    """Return the full names of the modules that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively, which this test does not read"
            found.add(str(node.module))
    return found


@cache
def loaded(module: str) -> Any:
    """Return the module itself; None where what an extra brings along is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if str(error.name).split(".")[0] in PACKAGES:
            raise
        return None


def test_there_is_something_to_look_at() -> None:
    assert {"foureyes.core.schedule", "foureyes.core.guard", "foureyes.core.ledger"} <= set(CORE)
    assert "foureyes_reviewers.checks" in MODULES


# --- imports ---


@pytest.mark.parametrize("module", CORE)
def test_the_core_imports_the_standard_library_pydantic_and_itself(module: str) -> None:
    others = {name for name in imports(module) if name.split(".")[0] not in sys.stdlib_module_names | {"pydantic"}}
    assert {name for name in others if not name.startswith("foureyes.core")} == set()


@pytest.mark.parametrize("module", CORE)
def test_the_core_does_no_io_reads_no_clock_and_draws_no_lots(module: str) -> None:
    outside = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "sqlite3"}
    outside |= {"subprocess", "threading", "time", "tempfile", "urllib", "uuid"}
    # Taking an address apart is no IO.
    assert {name.split(".")[0] for name in imports(module) - {"urllib.parse"}} & outside == set()
    names = {
        node.func.id
        for node in ast.walk(parsed(module))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert names & {"open", "print", "input", "exec", "eval"} == set()
    assert not any(isinstance(node, ast.AsyncFunctionDef | ast.Await) for node in ast.walk(parsed(module)))


@pytest.mark.parametrize("module", [name for name in MODULES if name.split(".")[0] == "foureyes"])
def test_the_scheduler_finds_reviewers_through_entry_points_and_never_imports_them(module: str) -> None:
    assert {name for name in imports(module) if name.split(".")[0] == "foureyes_reviewers"} == set()


# --- public names ---


def declared(module: str) -> list[str]:
    """Return what a module says is public."""
    for node in parsed(module).body:
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def sorting_key(name: str) -> tuple[int, str]:
    """Return what ruff sorts by: constants, then classes, then the rest."""
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2), name


@pytest.mark.parametrize("module", [name for name in MODULES if declared(name)])
def test_public_names_are_sorted_unique_and_there(module: str) -> None:
    names = declared(module)
    assert names == sorted(set(names), key=sorting_key)
    if module not in SCRIPTS and (found := loaded(module)) is not None:
        assert [name for name in names if not hasattr(found, name)] == []


# --- names in docstrings ---

ROLE = re.compile(r":(?:class|func|attr|meth|mod|data|exc|obj):`~?([A-Za-z_][\w.]*)`")
LITERAL = re.compile(r"``([A-Za-z_][\w.]*)(?:\(\))?``")
CAMEL = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]*)+")
FILE_NAMES = {"db", "env", "json", "jsonl", "lock", "md", "py", "toml", "txt", "yaml", "yml"}


def docstrings(module: str) -> Iterator[tuple[str, str]]:
    """Yield the docstrings of a module with the class they belong to; those under constants and fields too."""
    yield from _docstrings(parsed(module), "")


def _docstrings(node: ast.AST, owner: str) -> Iterator[tuple[str, str]]:
    owner = node.name if isinstance(node, ast.ClassDef) else owner
    for one in ast.iter_child_nodes(node):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
            yield owner, one.value.value
        yield from _docstrings(one, owner)


@cache
def identifiers() -> frozenset[str]:
    """Return every name that is defined or used in the packages, and every text that is a name in settings."""
    found: set[str] = set(dir(builtins))
    for module in MODULES:
        for node in ast.walk(parsed(module)):
            names = (getattr(node, kind, None) for kind in ("id", "attr", "arg", "name", "asname"))
            found |= {name for name in names if isinstance(name, str)}
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
                found |= set(node.value.split("."))
    return frozenset(found)


def resolves(name: str, module: str, owner: str) -> bool:
    """Tell whether a dotted name leads somewhere: from the module, its class, or as a full path."""
    here = loaded(module)
    starts = [here, getattr(here, owner, None), builtins]
    return any(_walks(start, name.split(".")) for start in starts if start is not None) or _is_path(name)


def _walks(start: Any, parts: list[str]) -> bool:
    for place, part in enumerate(parts):
        if not hasattr(start, part):
            fields = {*getattr(start, "model_fields", ()), *getattr(start, "__annotations__", ())}
            return place == len(parts) - 1 and part in fields
        start = getattr(start, part)
    return True


def _is_path(name: str) -> bool:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        module = ".".join(parts[:cut])
        if module in FILES or (cut == 1 and find_spec(module)):
            found = loaded(module)
            return found is None or _walks(found, parts[cut:])
    return False


def exists(literal: str, module: str, owner: str) -> bool:
    """Tell whether a literal that reads like a name of ours is one; any other text is none of our business."""
    parts = literal.split(".")
    if len(parts) > 1 and parts[-1] in FILE_NAMES:
        return True
    if len(parts) > 1 and parts[0] in PACKAGES:
        return resolves(literal, module, owner) or literal in ENTRY_POINT_GROUPS
    if parts[0] == "reviewers":  # a settings path: the second part is the name that the operator chose
        return set(parts[:1] + parts[2:]) <= identifiers()
    if len(parts) > 1 or CAMEL.fullmatch(literal):
        return set(parts) <= identifiers() or resolves(literal, module, owner)
    return True


def test_the_names_that_were_never_there_are_found_missing() -> None:
    module = "foureyes.core.ledger"
    assert exists("foureyes.core.guard.Limits", module, "")
    assert exists("guard.max_notes", module, "")
    assert exists("ReviewerConfig", module, "")
    assert resolves("max_notes", "foureyes.core.config", "GuardConfig")
    for name in ("foureyes.core.guardian", "foureyes.core.guard.Limit", "guard.max_remarks", "ReviewerSettingz"):
        assert not exists(name, module, "")
    assert not resolves("max_remarks", "foureyes.core.config", "GuardConfig")


@pytest.mark.parametrize("module", [name for name in MODULES if name not in SCRIPTS])
def test_every_name_that_a_docstring_refers_to_exists(module: str) -> None:
    if loaded(module) is None:
        reason = "belongs to an extra that is not installed"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    texts = list(docstrings(module))
    lost = [name for owner, text in texts for name in ROLE.findall(text) if not resolves(name, module, owner)]
    lost += [name for owner, text in texts for name in LITERAL.findall(text) if not exists(name, module, owner)]
    assert lost == []
