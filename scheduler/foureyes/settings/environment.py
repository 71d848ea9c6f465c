"""Settings from the environment, and from a ``.env`` file, which is read in just the same way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foureyes.settings.decoding import decoded
from foureyes.settings.layer import Layer, layered
from foureyes.settings.names import NO_SETTINGS, PREFIX, Stranger, respelt
from foureyes.settings.roster import numbered
from foureyes.settings.shape import Shape
from foureyes.settings.tree import KeyPath, Tree, merged, planted

__all__ = ["environment", "value_of"]

_QUOTES = ("'", '"')


@dataclass(slots=True)
class _Reading:
    shape: Shape
    kind: str
    tree: Tree = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unknown: list[Stranger] = field(default_factory=list)


def environment(variables: Mapping[str, str | None], kind: str, shape: Shape) -> Layer:
    """Return what the ``FOUREYES_`` names among the variables say; all other names are none of our business.

    Names are read without regard to case, ``__`` leads into a table, and an empty or blank value is unset. A name
    that goes deeper overrides the JSON of one that does not, key by key, so ``FOUREYES_REVIEWERS__A__USE`` wins over
    an "a" in ``FOUREYES_REVIEWERS``. ``kind`` is ``env`` or ``.env``, for messages.
    """
    reading = _Reading(shape, kind)
    for name in sorted(_ours(variables), key=lambda name: (name.count("__"), name.swapcase())):
        _read(reading, name, variables[name])
    layer = Layer(
        tree=reading.tree,
        problems=tuple(reading.problems),
        warnings=tuple(reading.warnings),
        unknown=tuple(reading.unknown),
    )
    return layered(layer, source=kind)


def _ours(variables: Mapping[str, str | None]) -> list[str]:
    return [name for name in variables if name.upper().startswith(PREFIX) and name.upper() not in NO_SETTINGS]


def _read(reading: _Reading, name: str, raw: str | None) -> None:
    path = tuple(name.casefold()[len(PREFIX) :].split("__"))
    text = value_of(raw)
    if not reading.shape.knows(path):
        reading.unknown.append(Stranger(name=name, kind=reading.kind))
    elif text.startswith("#"):
        reading.warnings.append(f"{reading.kind} {name} holds only a comment and counts as unset; remove the '#'")
    elif text:
        _graft(reading, path, name, text)


def value_of(raw: str | None) -> str:
    """Return a variable's value without the blanks and the one pair of quotes around it; empty means unset."""
    text = (raw or "").strip()
    # Docker's --env-file keeps quotes that every shell and every .env reader would take off.
    if len(text) > 1 and text[0] == text[-1] and text[0] in _QUOTES:
        text = text[1:-1].strip()
    return text


def _graft(reading: _Reading, path: KeyPath, name: str, text: str) -> None:
    source = f"{reading.kind} {name}"
    try:
        value = _value(reading.shape, path, text)
    except ValueError as problem:
        reading.problems.append(f"{source}: {problem}{_form(reading.shape, path, name, text)}")
        return
    branch = planted({path[-1]: numbered(value) if path == ("reviewers",) else value}, source)
    for key in reversed(path[:-1]):
        branch = {key: branch}
    reading.tree = merged(branch, reading.tree)


def _value(shape: Shape, path: KeyPath, text: str) -> object:
    if shape.is_table(path) or (shape.is_list(path) and text.startswith("[")):
        return decoded(text)
    if shape.is_list(path):
        return [word.strip() for word in text.split(",") if word.strip()]
    return text


def _form(shape: Shape, path: KeyPath, name: str, text: str) -> str:
    if path[0] != "reviewers" or text[0] in "[{":
        return ""
    if len(path) == 2 and (found := respelt(name, shape)):
        return f". Did you mean {found}?"
    if len(path) > 1:
        return ""
    return '. The form is {"NAME": {"use": "checks"}}; FOUREYES_REVIEWERS__NAME__USE=checks needs no JSON'
