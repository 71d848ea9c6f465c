"""What went wrong with a request, read from whatever exception the provider's library raised.

No library is imported for it: they all tell a status, headers and a body, or have a name that says what happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from foureyes_reviewers.foreign import parsed
from foureyes_reviewers.hints import retry_after
from foureyes_reviewers.reach import causes_of

__all__ = ["Problem", "ProviderError"]

MAX_BODY = 20_000
"""Characters of an error's text that are looked at."""
_CODES = ("code", "type", "status", "reason", "error_code")
_MAX_DEPTH = 6
_DULL = frozenset({"Exception", "OSError", "ExceptionGroup", "BrokenResourceError"})


class ProviderError(Exception):
    """An error that the provider reports in place of an answer, for which no library has an exception."""

    def __init__(self, body: object, status_code: int | None = None) -> None:
        self.status_code = status_code
        """The HTTP status that the error has, None where it has none."""
        self.body = body
        """What the provider said, as JSON data or text."""
        super().__init__("the provider reported an error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One failed request."""

    kinds: tuple[str, ...]
    """Names of the types of the exception and of its causes, the most special one first."""
    root: str = ""
    """The name of what lies at the bottom, as far as it says anything: ``ConnectionRefusedError``, …"""
    status: int | None = None
    """The HTTP status; None where there was no response."""
    names: tuple[str, ...] = ()
    """What the provider calls it: ``insufficient_quota``, ``RESOURCE_EXHAUSTED``, …."""
    text: str = ""
    """The provider's words, at most 20,000 characters: secrets and transcript may be among them."""
    retry_after: float | None = None
    """Seconds to wait that the provider named; None where it named none."""

    @property
    def codes(self) -> frozenset[str]:
        """Return the names in lower case."""
        return frozenset(name.casefold() for name in self.names)

    @classmethod
    def of(cls, error: BaseException) -> Problem:
        """Return what the exception tells."""
        response = getattr(error, "response", None)
        body = _data(getattr(error, "body", None), response)
        texts = list(_texts(body)) or [str(error)]
        text = "\n".join(texts)[:MAX_BODY]
        headers = getattr(response, "headers", None) or getattr(error, "headers", None)
        return cls(
            kinds=tuple(kind.__name__ for each in causes_of(error) for kind in type(each).__mro__),
            root=_root(error),
            status=_status(getattr(error, "status_code", None)),
            names=tuple(dict.fromkeys(_codes(body))),
            text=text,
            retry_after=retry_after(headers if isinstance(headers, Mapping) else {}, text),
        )


def _status(value: object) -> int | None:
    return value if type(value) is int and 100 <= value < 600 else None


def _root(error: BaseException) -> str:
    names = [type(each).__name__ for each in causes_of(error)]
    return next((name for name in reversed(names) if name not in _DULL), names[0])


def _data(body: object, response: object) -> object:
    # Some libraries keep only a part of the body, and the codes may be in the other.
    raw = getattr(response, "text", None) if response is not None else None
    if not isinstance(raw, str) or not raw:
        return body
    try:
        return parsed(raw[:MAX_BODY].strip("\ufeff \t\r\n"))
    except ValueError:
        return body if isinstance(body, dict | list) else raw


def _codes(data: object, depth: int = 0) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(data, dict):
        for name in _CODES:
            value = data.get(name)
            if isinstance(value, str | int) and not isinstance(value, bool):
                yield str(value).strip()[:100]
        for value in data.values():
            yield from _codes(value, depth + 1)
    elif isinstance(data, list):
        for value in data[:20]:
            yield from _codes(value, depth + 1)


def _texts(data: object, depth: int = 0) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for name, value in data.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield f"{name}: {value}"
            else:
                yield from _texts(value, depth + 1)
    elif isinstance(data, list):
        for value in data[:20]:
            yield from _texts(value, depth + 1)
