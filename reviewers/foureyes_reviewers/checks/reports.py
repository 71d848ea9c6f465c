"""Results that are JSON objects: what their top level says about the call."""

from __future__ import annotations

import re
from collections.abc import Mapping

from foureyes.core.facts import ToolTrace
from foureyes_reviewers.checks.exit_status import is_failure

__all__ = ["is_report", "means_nothing", "reported"]

_STATES = ("error", "iserror", "success", "ok", "status", "exitcode", "returncode")
_DETAILS = ("message", "detail", "details", "reason", "type", "code", "stdout", "stderr")
_REPORT_KEYS = frozenset((*_STATES, *_DETAILS))
_REASONS = ("message", "msg", "detail", "details", "reason", "stderr", "type", "code")
_OUTPUTS = ("stderr", "stdout", "output")
_NOTHING = re.compile(
    r"(?:[-+\d.,e%\s]+|none|null|nil|no|false|n/?a|ok|success"
    r"|(?:no|0|zero) (?:error|issue|problem|failure|warning)s?\b.*)[.!]?",
    re.IGNORECASE,
)


def is_report(value: Mapping[str, object]) -> bool:
    """Tell whether the object has only keys that a report about a call has, and no data."""
    return {_plain(key) for key in value} <= _REPORT_KEYS


def means_nothing(error: str) -> bool:
    """Tell whether what stands where an error would stand is none: a number, "none", "no errors"."""
    return not error.strip() or _NOTHING.fullmatch(error.strip()) is not None


def reported(trace: ToolTrace, value: Mapping[str, object]) -> str | None:
    """Return what the object says about a failure of the call, any length, or None where it says nothing of it.

    The spelling of keys does not matter (``is_error``, ``isError``). An object that also says that it succeeded is
    not believed to be a failure. A number under ``error`` may be a measurement, and is none.
    """
    fields = {_plain(key): item for key, item in value.items()}
    if fields.get("success") is True or fields.get("ok") is True or _word(fields.get("status")) in ("ok", "success"):
        return None
    return _error(fields.get("error")) or _flag(fields) or _exit_code(trace, fields)


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").casefold()


def _word(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""


def _first(fields: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    found = (fields.get(name) for name in names)
    return next((text for text in found if isinstance(text, str) and text.strip()), None)


def _error(error: object) -> str | None:
    if isinstance(error, Mapping):
        return _first(error, _REASONS)
    if error is True:
        return "error: true"
    return error if isinstance(error, str) and not means_nothing(error) else None


def _flag(fields: Mapping[str, object]) -> str | None:
    facts = {
        "is_error: true": fields.get("iserror") is True,
        "success: false": fields.get("success") is False,
        "status: error": _word(fields.get("status")) == "error",
    }
    fact = next((fact for fact, holds in facts.items() if holds), None)
    return fact and (_first(fields, _REASONS) or fact)


def _exit_code(trace: ToolTrace, fields: Mapping[str, object]) -> str | None:
    code = fields.get("exitcode", fields.get("returncode"))
    if not isinstance(code, int) or isinstance(code, bool):
        return None
    printed = _first(fields, _OUTPUTS) or ""
    shows_output = any(name in fields for name in _OUTPUTS)
    if not is_failure(trace, code, printed if shows_output else "unknown"):
        return None
    return f"exit code {code}: {printed}" if printed else f"exit code {code}"
