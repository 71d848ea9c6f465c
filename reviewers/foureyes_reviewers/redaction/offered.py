"""The redactor that the scheduler finds through its entry point."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

from foureyes_reviewers.redaction.environment import process_secrets
from foureyes_reviewers.redaction.redactor import Redactor

__all__ = ["Current", "redactor"]


class Current:
    """Takes secrets out of texts: those it was given, and every one that the environment has held at a refresh."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets, self._environ = frozenset(secrets), dict[str, str]()
        self._redactor = _made(self._secrets)
        self.refresh()

    def __call__(self, text: str) -> str:
        """Return the text without secrets."""
        return self._redactor.redacted(text)

    def refresh(self) -> None:
        """Learn the secrets that this process's environment holds now, and forget none: a run still shows old ones."""
        environ = {name: os.environ.get(name, "") for name in list(os.environ)}  # another thread may change it
        if environ != self._environ:
            self._environ, self._secrets = environ, self._secrets | process_secrets(environ)
            self._redactor = _made(self._secrets)


def redactor(secrets: Iterable[str] = ()) -> Current:
    """Return what takes these secrets, those of this process's environment, and what looks like one, out of a text.

    Its ``refresh()`` reads the environment again. Schedulers with the same secrets share what has been redacted.
    """
    return Current(secrets)


@lru_cache(maxsize=8)
def _made(secrets: frozenset[str]) -> Redactor:
    return Redactor(secrets)
