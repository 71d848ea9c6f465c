"""Settings from files: TOML, and the lines of a ``.env``."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic_settings import BaseSettings, DotEnvSettingsSource

from foureyes.settings.layer import Layer, layered
from foureyes.settings.roster import numbered
from foureyes.settings.tree import planted

__all__ = ["dotenv", "pyproject_file", "required_file", "toml_file"]

_NO_FILE = "FOUREYES_CONFIG: the file it names does not exist; create it, or correct or unset the variable"
_POSITION = re.compile(r" \(at (?P<where>.*)\)$")


def dotenv(root: type[BaseSettings], path: Path) -> tuple[Mapping[str, str | None], tuple[str, ...]]:
    """Return the lines of a ``.env`` file by name, quotes and comments taken off, and what to warn of.

    There are none where it is no file, and none with a warning where it cannot be read.
    """
    # The file is shared with other programs: neither its permissions nor their lines may keep us from starting.
    if not os.path.isfile(path):
        return {}, ()
    try:
        return _lines(root, path, "utf-8-sig"), ()
    except UnicodeDecodeError:
        return _lines(root, path, "latin-1"), ()
    except OSError as error:
        return {}, (f"{path} cannot be read ({error.strerror}) and is ignored; correct its permissions",)


def _lines(root: type[BaseSettings], path: Path, encoding: str) -> Mapping[str, str | None]:
    return DotEnvSettingsSource(root, env_file=path, env_file_encoding=encoding, case_sensitive=True).env_vars


def required_file(name: str) -> Layer:
    """Return what the file named by ``FOUREYES_CONFIG`` says; that it is missing is a problem."""
    path = os.path.expanduser(name)
    if os.path.exists(path):
        return toml_file(Path(path), name)
    return Layer(problems=(_NO_FILE,))


def toml_file(path: Path, label: str) -> Layer:
    """Return what a TOML file says; nothing where there is no such file."""
    return _read(path, label, lambda tables: _layer(tables, label))


def pyproject_file(path: Path) -> Layer:
    """Return what ``[tool.foureyes]`` says; nothing where there is no such table.

    A ``pyproject.toml`` that never mentions foureyes is not looked at any further, whatever its state.
    """
    return _read(path, path.name, lambda tables: _tool(tables, path.name), mention="foureyes")


def _read(path: Path, label: str, layer: Callable[[dict[str, Any]], Layer], mention: str = "") -> Layer:
    try:
        text = path.read_text("utf-8-sig")
        return layer(tomllib.loads(text)) if mention in text else Layer()
    except (FileNotFoundError, NotADirectoryError):
        return Layer()
    except (OSError, ValueError, RecursionError) as error:
        return Layer(problems=(f"{label}{_told(error)}",))


def _tool(tables: dict[str, Any], label: str) -> Layer:
    tool = tables.get("tool", {})
    ours = tool.get("foureyes", {}) if isinstance(tool, dict) else None
    if not isinstance(ours, dict):
        return Layer(problems=(f"{label}: [tool.foureyes] must be a table",))
    return _layer(ours, label)


def _layer(tables: dict[str, Any], label: str) -> Layer:
    if "reviewers" in tables:
        tables = {**tables, "reviewers": numbered(tables["reviewers"])}
    return layered(Layer(tree=planted(tables, label)), source=label)


def _told(error: Exception) -> str:
    if isinstance(error, OSError):
        return f": cannot be read ({error.strerror}); correct its permissions, or remove it"
    if isinstance(error, UnicodeDecodeError):
        return ": is not UTF-8; save it as UTF-8"
    if isinstance(error, RecursionError):
        return ": is nested too deeply"
    where = _POSITION.search(str(error))
    place = f", {where['where']}" if where else ""
    return f"{place}: is no TOML: {_POSITION.sub('', str(error))}; correct the line"
