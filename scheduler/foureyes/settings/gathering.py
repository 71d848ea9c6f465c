"""All sources of settings, strongest first, as one set of values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from foureyes.settings.environment import environment, value_of
from foureyes.settings.files import dotenv, pyproject_file, required_file, toml_file
from foureyes.settings.layer import Layer, layered
from foureyes.settings.names import CONFIG, advice
from foureyes.settings.places import user_file
from foureyes.settings.roster import faults, numbered, undisputed
from foureyes.settings.shape import DERIVED, Shape
from foureyes.settings.tree import Tree, dotted, leaves, merged, plain, planted, sources_of
from foureyes.telemetry.logs import in_one_line

__all__ = ["Gathered"]


class Gathered(PydanticBaseSettingsSource):
    """The one source that :class:`~foureyes.settings.Settings` is built from: all the others, merged key by key.

    The sources that come with pydantic-settings do not know which of them a value came from, cannot merge a list
    with a table, and stop at the first problem.
    """

    def __init__(self, root: type[BaseSettings], arguments: Mapping[str, Any]) -> None:
        super().__init__(root)
        self._root = root
        self._shape = Shape(root)
        self._arguments = arguments

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return nothing: the values are not found one at a time."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """Return the merged values, reviewers as a list, with ``sources``, ``ignored`` and ``problems`` beside."""
        layers = list(self._layers())
        tree = _merged(layers)
        reviewers, ignored = undisputed(_reviewers(tree))
        strangers = [stranger for layer in layers for stranger in layer.unknown]
        ignored += [warning for layer in layers for warning in layer.warnings]
        ignored += [advice(stranger, self._shape, reviewers) for stranger in strangers]
        problems = [problem for layer in layers for problem in layer.problems] + faults(reviewers)
        problems += _presumed(tree)
        tree = {**tree, "reviewers": reviewers}
        return {
            **_values(tree),
            "sources": self._sources(tree),
            # Names and keys are written by anybody who can write a file here, and end up in logs and terminals.
            "ignored": [in_one_line(warning) for warning in ignored],
            "problems": problems,
        }

    def _layers(self) -> Iterable[Layer]:
        lines, told = dotenv(self._root, Path(".env"))
        yield _given(self._arguments)
        yield environment(os.environ, "env", self._shape)
        if named := value_of(os.environ.get(CONFIG)) or value_of(lines.get(CONFIG)):
            yield required_file(named)
        if own := user_file():
            yield toml_file(own, _label(own))
        yield Layer(warnings=told)
        yield environment(lines, ".env", self._shape)
        yield toml_file(Path("foureyes.toml"), "foureyes.toml")
        yield pyproject_file(Path("pyproject.toml"))

    def _sources(self, tree: Tree) -> dict[str, str]:
        names = _reviewers(tree)
        paths = [*self._shape.below(), *(path for name in names for path in self._shape.below(("reviewers", name)))]
        defaults = {dotted(path): "default" for path in paths if path[-1] not in ("reviewers", "name", "reviewer")}
        return defaults | {dotted(path): leaf.source for path, leaf in leaves(tree)}


def _given(arguments: Mapping[str, Any]) -> Layer:
    tables = {key: numbered(value) if key == "reviewers" else value for key, value in arguments.items()}
    layer = layered(Layer(tree=planted(tables, "arguments")), source="arguments")
    # Code that gives a sequence of reviewers has said their order in each of them, or has none to say.
    return Layer(tree=layer.tree, problems=layer.problems)


def _merged(layers: Iterable[Layer]) -> Tree:
    tree: Tree = {}
    places: Tree = {}
    for layer in layers:
        tree = merged(tree, layer.tree)
        places = merged(places, layer.places)
    return merged(tree, places)


def _presumed(tree: Tree) -> list[str]:
    given = {key: sources_of(below) for key, below in tree.items() if key in (*DERIVED, "problems")}
    return [f"{key} ({source}): is not known; remove it" for key, source in given.items()]


def _reviewers(tree: Tree) -> Tree:
    reviewers = tree.get("reviewers")
    return reviewers if isinstance(reviewers, dict) else {}


def _values(tree: Tree) -> dict[str, Any]:
    reviewers = [{**plain(table), "name": name} for name, table in _reviewers(tree).items()]
    return {**plain(tree), "reviewers": reviewers}


def _label(path: Path) -> str:
    home = os.path.expanduser("~")
    return f"~{str(path).removeprefix(home)}" if path.is_relative_to(home) else str(path)
