"""Reviewers by name, from any of the forms in which they may be declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foureyes.core.config import MAX_REVIEWERS
from foureyes.settings.tree import Found, Tree, merged, sources_of
from foureyes.spelling import did_you_mean

__all__ = ["Roster", "faults", "lacks_use", "named", "numbered", "undisputed"]


@dataclass(slots=True, kw_only=True)
class Roster:
    """The reviewers of one source."""

    tables: Tree = field(default_factory=dict)
    """By name, without the names inside."""
    places: Tree = field(default_factory=dict)
    """By name, the order that follows from the place in a list."""
    problems: list[str] = field(default_factory=list)


def numbered(reviewers: object) -> object:
    """Return a list as a table keyed by place, from "0"; anything else as it is."""
    if isinstance(reviewers, list | tuple):
        return {str(place): table for place, table in enumerate(reviewers)}
    return reviewers


def named(tables: Tree, source: str) -> Roster:
    """Return the tables by name. A key made of digits is a place in a list, and the table there says its name.

    Places go first, in order; a table under the same name in the same source then overrides them key by key.
    """
    roster = Roster()
    for key in sorted(tables, key=lambda key: (not _is_place(key), int(key) if _is_place(key) else 0)):
        _add(roster, key, tables[key], source)
    return roster


def _add(roster: Roster, key: str, table: Found | Tree, source: str) -> None:
    if not isinstance(table, dict):
        roster.problems.append(f"reviewers.{key} ({table.source}): must be a table, such as {{use = 'checks'}}")
    elif _is_place(key):
        _add_place(roster, int(key), table, source)
    else:
        _add_name(roster, key, table, source)


def _add_place(roster: Roster, place: int, table: Tree, source: str) -> None:
    name = table.get("name")
    where = sources_of(table) or source
    if not isinstance(name, Found) or not isinstance(name.value, str):
        roster.problems.append(f"reviewers.{place} ({where}): number {place} has no name; give it a 'name'")
    elif name.value in roster.tables:
        roster.problems.append(f"reviewers.{name.value} ({where}): the name is given twice; rename one of them")
    else:
        roster.tables[name.value] = {key: below for key, below in table.items() if key != "name"}
        roster.places[name.value] = {"order": Found(value=place, source=name.source)}


def _add_name(roster: Roster, key: str, table: Tree, source: str) -> None:
    name = table.get("name")
    if isinstance(name, Found) and name.value != key:
        roster.problems.append(f"reviewers.{key}.name ({name.source}): the key is the name; leave 'name' out")
    inner = {inner: below for inner, below in table.items() if inner != "name"}
    earlier = roster.tables.get(key)
    # An empty table declares a reviewer as well, and has nothing else to say where.
    inner = inner or {"name": Found(value=key, source=source)}
    roster.tables[key] = merged(inner, earlier) if isinstance(earlier, dict) else inner


def _is_place(key: str) -> bool:
    return key.isascii() and key.isdigit()


def faults(reviewers: Tree) -> list[str]:
    """Return what is wrong with the reviewers of all sources together: too many, alike, or with nothing to use."""
    return [*_crowded(reviewers), *_alike(reviewers), *_idle(reviewers)]


def _crowded(reviewers: Tree) -> Iterable[str]:
    if len(reviewers) > MAX_REVIEWERS:
        listed = ", ".join(f"{name} ({sources_of(table)})" for name, table in reviewers.items())
        yield f"reviewers: {len(reviewers)} are declared and at most {MAX_REVIEWERS} may be; remove some of {listed}"


def _alike(reviewers: Tree) -> Iterable[str]:
    first: dict[str, str] = {}
    for name in sorted(reviewers, reverse=True):
        other = first.setdefault(name.casefold(), name)
        if other != name:
            where = sources_of({key: reviewers[key] for key in (other, name)})
            yield f"reviewers.{name}: the same name as {other} but for its case ({where}); rename one of them"


def _idle(reviewers: Tree) -> Iterable[str]:
    for name, table in reviewers.items():
        if lacks_use(table):
            others = [other for other in reviewers if other != name]
            cure = "set 'use' to an entry-point name such as checks, or to module:callable"
            yield f"reviewers.{name} ({sources_of(table)}): nothing reviews; {cure}{did_you_mean(name, others)}"


def lacks_use(table: object) -> bool:
    """Tell whether neither ``use`` nor ``reviewer`` is given."""
    return not isinstance(table, Mapping) or ("use" not in table and "reviewer" not in table)


def undisputed(reviewers: Tree) -> tuple[Tree, list[str]]:
    """Return the reviewers without a ``use`` that a ``reviewer`` given in code stands in for, and what to say of it."""
    kept: Tree = {}
    warnings: list[str] = []
    for name, table in reviewers.items():
        kept[name] = table
        if isinstance(table, dict) and (source := _overruled(table)):
            warnings.append(f"reviewers.{name}.use ({source}) is ignored: the code gives the reviewer itself")
            kept[name] = {key: below for key, below in table.items() if key != "use"}
    return kept, warnings


def _overruled(table: Tree) -> str | None:
    use, given = table.get("use"), table.get("reviewer")
    if isinstance(use, Found) and isinstance(given, Found) and use.source != given.source == "arguments":
        return use.source
    return None
