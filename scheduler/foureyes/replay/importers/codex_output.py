"""What Codex records of a tool's output, and of its failure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from foureyes.replay.importers.base import mapping, string
from foureyes.replay.importers.content_blocks import text

__all__ = ["output_text", "says_error"]

_HEADER = re.compile(
    r"(?:Chunk ID: [^\n]*\n)?(?:Exit code: (?P<exit>-?\d{1,10})\n)?Wall time: [^\n]*\n"
    r"(?:Process exited with code (?P<exited>-?\d{1,10})\n)?(?:[^\n]{1,80}\n){0,4}?Output:\n?"
)
"""What stands in front of what a command printed."""


def output_text(output: object) -> str:
    """Return what came back, with the exit status of a command, where there is one, on the first line.

    The envelopes that the program puts around a command's output, as JSON or as a header, are taken off.
    """
    if isinstance(output, str):
        return _unwrapped(_decoded(output)) or _headed(output)
    if isinstance(output, list):
        return text(output)
    return _unwrapped(output) or _content(mapping(output).get("content"))


def says_error(found: Mapping[str, object]) -> bool:
    """Tell whether an output, or an event about a call, says that the tool failed, other than by an exit status."""
    result = mapping(found.get("result"))
    return found.get("success") is False or "Err" in result or mapping(result.get("Ok")).get("isError") is True


def _content(content: object) -> str:
    return content if isinstance(content, str) else text(content if isinstance(content, list) else [])


def _decoded(output: str) -> object:
    try:
        return json.loads(output) if output.startswith('{"output"') else None
    except (ValueError, RecursionError):
        return None


def _unwrapped(value: object) -> str:
    found = mapping(value)
    code = mapping(found.get("metadata")).get("exit_code")
    return _with_status(str(code), string(found.get("output"))) if type(code) is int else ""


def _headed(output: str) -> str:
    found = _HEADER.match(output)
    code = found and (found["exit"] or found["exited"])
    return _with_status(code, output[found.end() :]) if found and code else output


def _with_status(code: str, printed: str) -> str:
    return f"exit code {code}\n{printed}"
