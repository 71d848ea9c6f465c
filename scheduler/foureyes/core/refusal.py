"""What is refused where a developer declares something in code, as sentences that name the field and the cure.

The exceptions are public as those of :mod:`foureyes.errors`; they are defined here because the core raises one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError

__all__ = ["ConfigError", "FoureyesError", "refused"]

_NAME = re.compile(r"[a-z0-9_-]{1,64}")


class FoureyesError(Exception):
    """The base of everything that foureyes raises at its callers."""


class ConfigError(FoureyesError):
    """The settings are wrong. The message names every problem, its place and the cure, never a value."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


FoureyesError.__module__ = ConfigError.__module__ = "foureyes.errors"


def refused(model: type[BaseModel], name: object, error: ValidationError) -> ConfigError:
    """Return why a value of this kind could not be made, a sentence for each problem.

    ``name`` is that of the reviewer; anything that cannot be one is left out, as every other value is.
    """
    plain = isinstance(name, str) and _NAME.fullmatch(name)
    place = f"{model.__name__} {name}" if plain else model.__name__
    return ConfigError(*dict.fromkeys(f"{place}: {told}" for told in _told(model, error)))


def _told(model: type[BaseModel], error: ValidationError) -> Iterator[str]:
    for detail in error.errors(include_url=False, include_context=False, include_input=False):
        # An item of a list, or a branch of a union, is no field.
        path = [str(step) for step in detail["loc"] if isinstance(step, str) and not step.startswith("function-")]
        yield f"{'.'.join(path)}{': ' if path else ''}{_cure(model, path, detail['type'], detail['msg'])}"


def _cure(model: type[BaseModel], path: list[str], kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return f"is not known{_nearest(path[-1], _fields(model, path[:-1]))}"
    if kind == "missing":
        return "must be given"
    if kind == "tuple_type":
        return "must be a list of strings"
    if path == ["triggers"] and kind == "enum":  # There are more triggers than may be asked for.
        return "must be of 'finish' and 'periodic'"
    text = message.removeprefix("Value error, ").replace("Input should", "must", 1)
    return text[:1].lower() + text[1:]


def _fields(model: type[BaseModel], path: list[str]) -> Collection[str]:
    for step in path:
        inner = model.model_fields[step].annotation if step in model.model_fields else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return ()
        model = inner
    return model.model_fields.keys()


def _nearest(word: str, known: Collection[str]) -> str:
    found = get_close_matches(word.casefold(), known, n=1, cutoff=0.5)
    return f"; did you mean {found[0]}?" if found else "; leave it out"
