"""The kinds of values that settings are made of.

A number given as a boolean, NaN or infinity is refused: ``true`` read as 1 would make a reviewer fire each turn.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from foureyes.core.refusal import refused
from foureyes.core.words import Severity

__all__ = ["Count", "Frozen", "Level", "Money", "Positive", "Seconds", "number"]


def number(value: object) -> object:
    """Return the value as it is; a boolean, which would pass for 0 or 1, is refused."""
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    return value


def _duration(value: object) -> object:
    text = value.strip().casefold() if isinstance(value, str) else ""
    if text.endswith("ms"):
        return _scaled(text[:-2], 0.001)
    if text.endswith("s"):
        return _scaled(text[:-1], 1.0)
    return number(value)


def _scaled(text: str, unit: float) -> float:
    try:
        seconds = float(text) * unit
    except ValueError:
        raise ValueError("must be seconds, such as 30, 30s or 500ms") from None
    if not isfinite(seconds):
        raise ValueError("must be a finite number of seconds")
    return seconds


def _severity(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


Count: TypeAlias = Annotated[int, BeforeValidator(number), Field(ge=0, le=1_000_000_000)]
Positive: TypeAlias = Annotated[int, BeforeValidator(number), Field(ge=1, le=1_000_000_000)]
Seconds: TypeAlias = Annotated[float, BeforeValidator(_duration), Field(gt=0, le=600, allow_inf_nan=False)]
Money: TypeAlias = Annotated[float, BeforeValidator(number), Field(ge=0, le=1_000_000_000, allow_inf_nan=False)]
Level: TypeAlias = Annotated[Severity, BeforeValidator(_severity)]


if TYPE_CHECKING:
    _Told = BaseModel
else:

    class _Telling(type(BaseModel)):
        # Only where code makes one. What reads settings validates tables, and says of each value where it came from.
        def __call__(cls, *args: Any, **fields: Any) -> Any:
            try:
                return super().__call__(*args, **fields)
            except ValidationError as error:
                refusal = refused(cls, fields.get("name"), error)
            raise refusal  # Outside, so that nothing leads from it to the values that were given.

    class _Told(BaseModel, metaclass=_Telling):
        pass


class Frozen(_Told):
    """A table of settings: frozen, without unknown keys, and never echoing a value in an error.

    Made in code, it raises ConfigError with every problem at once; ``model_validate`` raises pydantic's error.
    """

    # Built at first use: a program that imports foureyes and reviews nothing does not pay for validators.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)
