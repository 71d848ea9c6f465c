"""What pydantic finds wrong, as sentences that name the key, the place and the cure, and never the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from foureyes.settings.shape import Shape
from foureyes.settings.tree import KeyPath, dotted
from foureyes.spelling import did_you_mean, nearest

__all__ = ["explained"]


_EXAMPLES = {
    "command": "['./review.sh', '--x']",
    "environment": "['REVIEW_MODE', 'SSL_CERT_FILE']",
    "prices": "['small=0.15/0.60']",
    "fallback_models": "['small', 'large']",
    "checks": "['stalled', 'repeated-call']",
    "fallbacks": "['checks']",
    "triggers": "['finish', 'periodic']",
}
"""What a list looks like, by the setting that is one."""
_NO_LIST = frozenset({"tuple_type", "frozen_set_type", "string_type"})


def explained(error: ValidationError, shape: Shape, found: Mapping[str, Any]) -> Iterator[str]:
    """Yield one sentence for each problem. ``found`` is what was validated, its reviewers as a list of tables."""
    for detail in error.errors(include_url=False, include_context=False, include_input=False):
        path = _path(detail["loc"], shape, found["reviewers"])
        # That a reviewer has nothing to use was said when the sources were put together, with a better cure.
        if len(path) != 2 or "use" in _table(detail["loc"], found["reviewers"]):
            yield f"{dotted(path)}{_place(path, found['sources'])}: {_told(detail, path, shape, found)}"


def _path(loc: tuple[int | str, ...], shape: Shape, reviewers: Sequence[Mapping[str, Any]]) -> KeyPath:
    path = tuple(map(str, loc))
    if table := _table(loc, reviewers):
        path = ("reviewers", str(table["name"]), *path[2:])
    # An item of a list, or a branch of a union, is no key.
    while len(path) > 2 and not shape.keys_at(path[:-1]):
        path = path[:-1]
    return path


def _table(loc: tuple[int | str, ...], reviewers: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return reviewers[loc[1]] if len(loc) > 1 and loc[0] == "reviewers" and isinstance(loc[1], int) else {}


def _place(path: KeyPath, sources: Mapping[str, str]) -> str:
    # A reviewer's name is the key of its table, and has no source of its own.
    prefix = dotted(path[:-1] if path[-1] == "name" else path)
    found = {source for key, source in sources.items() if key == prefix or key.startswith(f"{prefix}.")}
    found.discard("default")
    return f" ({', '.join(sorted(found))})" if found else ""


def _told(detail: ErrorDetails, path: KeyPath, shape: Shape, found: Mapping[str, Any]) -> str:
    if detail["type"] == "extra_forbidden":
        return f"is not known{_header(path, found) or _cure(path, shape)}"
    if path[-1] == "reviewer":
        return "a callable can only be given in code; name it with 'use' instead"
    if path[-1] in _EXAMPLES and detail["type"] in _NO_LIST:
        return f"must be a list of strings, such as {_EXAMPLES[path[-1]]}. Meaning: {shape.meaning(path)}"
    if path[-1] == "triggers" and detail["type"] == "enum":
        # There are more triggers than may be asked for.
        return f"must be 'finish' or 'periodic'. Meaning: {shape.meaning(path)}"
    # Our own messages say what to do; those of pydantic only say what is wrong.
    ours = detail["type"] == "value_error"
    return _message(detail["msg"]) if ours else f"{_message(detail['msg'])}. Meaning: {shape.meaning(path)}"


def _header(path: KeyPath, found: Mapping[str, Any]) -> str:
    table = found.get(path[0])
    if len(path) > 1 or not isinstance(table, Mapping) or nearest(path[0], ["reviewers"]) is None:
        return ""
    names = [name for name, below in table.items() if isinstance(below, Mapping)] or ["NAME"]
    tool = "tool.foureyes." if _place(path, found["sources"]) == " (pyproject.toml)" else ""
    return f"; did you mean {' and '.join(f'[{tool}reviewers.{name}]' for name in names)}?"


def _cure(path: KeyPath, shape: Shape) -> str:
    if len(path) == 1 and path[0] in shape.keys_at(("reviewers", "NAME")):
        return f"; it belongs to one reviewer: reviewers.NAME.{path[0]}"
    return did_you_mean(path[-1], shape.keys_at(path[:-1])) or "; remove it"


def _message(text: str) -> str:
    text = text.removeprefix("Value error, ").replace("Input should", "must", 1)
    return text[:1].lower() + text[1:]
