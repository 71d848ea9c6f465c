"""The form of a model's reply, as a JSON Schema that every strict mode accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["REPLY_NAME", "REPLY_SCHEMA"]

REPLY_NAME = "review"
"""What a structured-output mode calls the schema."""


def _object(**properties: Any) -> dict[str, Any]:
    # Strict modes want every property required; what may be missing is null instead.
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_ANCHOR = _object(
    turn={"type": ["integer", "null"]},
    call={"type": ["string", "null"]},
    path={"type": ["string", "null"]},
)
_NOTE = _object(
    severity={"type": "string", "enum": ["nit", "concern", "blocker"]},
    text={"type": "string"},
    key={"type": ["string", "null"]},
    anchor={"anyOf": [_ANCHOR, {"type": "null"}]},
    subject={"type": "string", "enum": ["work", "review"]},
)

REPLY_SCHEMA: Mapping[str, Any] = _object(
    notes={"type": "array", "items": _NOTE},
    resolved={"type": "array", "items": {"type": "string"}},
)
"""``{"notes": [...], "resolved": [...]}``: the notes, strongest first, and the keys of earlier notes dealt with."""
