"""JSON inside an environment variable: strict, and with a message that a person can act on.

The value is never part of a message. Positions count from 1, inside the value.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from json import JSONDecodeError
from typing import Any

__all__ = ["decoded"]


def decoded(text: str) -> Any:
    """Return the table or list that the text holds.

    Raises ValueError, with position and hint, for what is no JSON, for a key given twice, and for anything that is
    neither a table nor a list.
    """
    if text[0] not in "[{":
        raise ValueError("must be a JSON table or list, not words; check the quotes around it, if there are any")
    try:
        return json.loads(text, object_pairs_hook=_table, parse_constant=_refused)
    except JSONDecodeError as slip:
        raise ValueError(f"is no JSON at line {slip.lineno}, column {slip.colno}: {_hint(text, slip.pos)}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def _table(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        # Which one is not said: a key in the value is a part of the value.
        raise ValueError("gives a key twice in one table; keep one of them")
    return table


def _refused(_constant: str) -> None:
    raise ValueError("holds NaN or Infinity; give finite numbers")


def _hint(text: str, at: int) -> str:
    if at >= len(text):
        return "it ends too early; in a .env file put single quotes around a value of several lines"
    if _trailing_comma(text, at):
        return "there is a comma after the last item; remove it"
    if text[at] == "'":
        return "JSON wants double quotes, not single ones"
    return "check for a missing quote, comma or bracket just before"


def _trailing_comma(text: str, at: int) -> bool:
    before, after = text[:at].rstrip(), text[at + 1 :].lstrip()
    if text[at] in "]}":
        return before.endswith(",")
    return text[at] == "," and after[:1] in ("]", "}")
