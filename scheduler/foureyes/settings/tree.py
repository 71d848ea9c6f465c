"""Settings as nested tables whose leaves remember where they were found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import BaseModel

__all__ = ["Found", "KeyPath", "Tree", "dotted", "leaves", "merged", "plain", "planted", "sources_of"]

KeyPath: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One value, and where it was found."""

    value: object
    source: str
    """Such as ``env FOUREYES_STORE`` or ``foureyes.toml``."""


Tree: TypeAlias = "dict[str, Found | Tree]"


def dotted(path: KeyPath) -> str:
    """Return the path as it is written in messages: ``reviewers.correctness.use``."""
    return ".".join(path)


def planted(values: Mapping[str, object], source: str) -> Tree:
    """Return the tables as a tree from one source. A model counts as a table of what was given to it explicitly."""
    return {str(key): _branch(value, source) for key, value in values.items()}


def _branch(value: object, source: str) -> Found | Tree:
    if isinstance(value, BaseModel):
        value = {key: getattr(value, key) for key in value.model_fields_set}
    return planted(value, source) if isinstance(value, Mapping) else Found(value=value, source=source)


def merged(strong: Tree, weak: Tree) -> Tree:
    """Return both trees as one, key by key; where both have a value, the strong one's."""
    both = dict(weak)
    for key, mine in strong.items():
        theirs = weak.get(key)
        both[key] = merged(mine, theirs) if isinstance(mine, dict) and isinstance(theirs, dict) else mine
    return both


def plain(branch: Found | Tree) -> Any:
    """Return the values alone."""
    return {key: plain(below) for key, below in branch.items()} if isinstance(branch, dict) else branch.value


def leaves(tree: Tree, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Found]]:
    """Yield every value with its path, in the order of the tables."""
    for key, below in tree.items():
        if isinstance(below, dict):
            yield from leaves(below, (*path, key))
        else:
            yield (*path, key), below


def sources_of(branch: Found | Tree) -> str:
    """Return where the values of a branch were found, each place once, sorted."""
    found = (leaf.source for _, leaf in leaves({"": branch}))
    return ", ".join(sorted(set(found)))
