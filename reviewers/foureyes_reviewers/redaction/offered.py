"""The redactor that the scheduler finds through its entry point."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import lru_cache

from foureyes_reviewers.redaction.environment import process_secrets
from foureyes_reviewers.redaction.redactor import Redactor

__all__ = ["redactor"]


def redactor(secrets: Iterable[str] = ()) -> Callable[[str], str]:
    """Return what takes these secrets, those of this process's environment, and what looks like one, out of a text.

    The environment is read now and not again. Schedulers with the same secrets share one.
    """
    return _made(frozenset(secrets) | process_secrets(os.environ)).redacted


@lru_cache(maxsize=8)
def _made(secrets: frozenset[str]) -> Redactor:
    return Redactor(secrets)
