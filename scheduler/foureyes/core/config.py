"""What the operator declares about one reviewer: frozen, validated, and free of any side effect.

Zero means off or none, never "the default".
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from functools import cached_property
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from foureyes.core.backend import BackendConfig
from foureyes.core.fields import Count, Frozen, Level, Positive, Seconds, number
from foureyes.core.words import Severity, Trigger

__all__ = [
    "MAX_REVIEWERS",
    "NAME",
    "Count",
    "EvidenceConfig",
    "GuardConfig",
    "Level",
    "Positive",
    "ReviewerConfig",
    "ReviewerLike",
    "Seconds",
    "in_order",
]

MAX_REVIEWERS = 4
"""Four more eyes. The reference Go plugin has the same limit."""

ReviewerLike: TypeAlias = Callable[..., Awaitable[Any] | Any]
"""Anything that takes one :class:`~foureyes.core.facts.Review` and returns a reply, at once or awaited."""

_OFFERED = frozenset({Trigger.FINISH, Trigger.PERIODIC})
NAME = re.compile(r"[a-z0-9](?:(?!__)[a-z0-9_-]){0,63}")


class GuardConfig(Frozen):
    """The emission guard's bounds for one reviewer."""

    max_notes: Annotated[int, BeforeValidator(number), Field(ge=1, le=32)] = 3
    """Admitted notes per review, 1 to 32, strongest first. Blockers count like the rest. 3 as in the reference."""
    max_note_chars: Annotated[int, BeforeValidator(number), Field(ge=1, le=2_000)] = 2_000
    """Code points of a note that the agent reads, 1 to 2,000. A longer note is cut, never refused."""
    history: Annotated[int, BeforeValidator(number), Field(ge=1, le=4_096)] = 4_096
    """Keys of admitted notes that are remembered, oldest forgotten first. 4,096 as in both references."""
    min_severity: Level = Severity.NIT
    """The floor: a weaker note is recorded for the host and does not reach the agent."""
    max_severity: Level = Severity.BLOCKER
    """The ceiling: a stronger note is demoted to it."""

    @model_validator(mode="after")
    def _floor_is_below_ceiling(self) -> GuardConfig:
        if self.min_severity.rank > self.max_severity.rank:
            raise ValueError("min_severity is above max_severity, so no note could pass")
        return self


class EvidenceConfig(Frozen):
    """How much of the run one review sees; the original request is always added."""

    max_messages: Annotated[int, BeforeValidator(number), Field(ge=1, le=1_000)] = 32
    """Newest messages shown. 32 as in the reference."""
    max_tools: Annotated[int, BeforeValidator(number), Field(ge=0, le=1_000)] = 32
    """Newest tool calls shown with their results. 32 as in the reference."""
    max_chars: Annotated[int, BeforeValidator(number), Field(ge=100, le=1_000_000)] = 32_000
    """Code points of all shown messages together, their tool calls included. 32,000 as in the reference."""


class ReviewerConfig(BackendConfig):
    """One named reviewer: what reviews, when it is consulted, and what bounds it."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str
    """Unique among the reviewers: ``[a-z0-9][a-z0-9_-]{0,63}`` without a double underscore, which env nests by."""
    enabled: bool = True
    """False keeps the reviewer declared, and skips it with the reason ``disabled`` where it would be due."""
    use: str | None = None
    """What reviews: an entry-point name such as ``checks``, or ``package.module:callable``."""
    reviewer: Annotated[ReviewerLike | None, Field(repr=False)] = None
    """What reviews, as a callable; in code only. Exactly one of ``use`` and ``reviewer`` is given."""
    fallbacks: tuple[str, ...] = ()
    """Further ``use`` names, tried in order when one fails; every hop is counted."""
    triggers: frozenset[Trigger] | None = None
    """When it is consulted: ``finish``, ``periodic``. None: both, the latter if ``interval_turns`` is above 0."""
    interval_turns: Count = 0
    """A periodic review after this many turns of the session; 0 = no periodic review."""
    max_periodic_reviews: Positive = 8
    """Periodic reviews per request, at least 1. 8 as in the reference."""
    max_rounds: Count = 2
    """Finish reviews per request; 0 = never at the finish. 2 as in the reference."""
    cooldown_turns: Count = 3
    """Turns without a periodic review after a failed one; 0 = none. 3 as in the reference."""
    timeout_seconds: Seconds = 30.0
    """One deadline for all attempts and fallbacks of a review: above 0, at most 600; "30s" and "500ms" too."""
    max_attempts: Positive = 2
    """Calls of one reviewer or fallback per review, at least 1. Only transient errors are tried again."""
    pause_after_failures: Positive = 3
    """Failed reviews in a row after which the reviewer is paused in this process, at least 1."""
    guard: GuardConfig = GuardConfig()
    """The bounds of the emission guard."""
    evidence: EvidenceConfig = EvidenceConfig()
    """The bounds of what a review sees."""
    order: Annotated[int, BeforeValidator(number)] | None = None
    """Place among the reviewers, lowest first; None sorts after every number, by name."""

    @field_validator("name")
    @classmethod
    def _name_is_plain(cls, name: str) -> str:
        if NAME.fullmatch(name) is None:
            raise ValueError("must be 1 to 64 of a-z, 0-9, '-' and single '_', and begin with a letter or digit")
        return name

    @field_validator("triggers")
    @classmethod
    def _triggers_are_offered(cls, triggers: frozenset[Trigger] | None) -> frozenset[Trigger] | None:
        if triggers is not None and not triggers <= _OFFERED:
            raise ValueError("must be of 'finish' and 'periodic': nothing else calls a reviewer")
        return triggers

    @field_validator("fallbacks")
    @classmethod
    def _fallbacks_are_named(cls, fallbacks: tuple[str, ...]) -> tuple[str, ...]:
        if not all(use.strip() for use in fallbacks):
            raise ValueError("one of 'fallbacks' is empty: give entry-point names or module:callable")
        return fallbacks

    @model_validator(mode="after")
    def _reviews_with_one_thing(self) -> ReviewerConfig:
        if (self.use is None) == (self.reviewer is None):
            raise ValueError("needs exactly one of 'use' and 'reviewer'")
        if self.use is not None and not self.use.strip():
            raise ValueError("'use' is empty: give an entry-point name or module:callable")
        if self.reviewer is not None and not callable(self.reviewer):
            raise ValueError("'reviewer' is not callable")
        return self

    @cached_property
    def periodic(self) -> bool:
        """Tell whether the reviewer can be due after a turn: an interval, and not left out of ``triggers``."""
        return self.interval_turns > 0 and (self.triggers is None or Trigger.PERIODIC in self.triggers)

    @cached_property
    def at_finish(self) -> bool:
        """Tell whether the reviewer can be due at a finish: rounds, and not left out of ``triggers``."""
        return self.max_rounds > 0 and (self.triggers is None or Trigger.FINISH in self.triggers)

    @model_validator(mode="after")
    def _settings_fit(self) -> ReviewerConfig:
        if self.reviewer is None and (problem := self.misfit((self.use or "", *self.fallbacks))):
            raise ValueError(problem)
        return self

    def chain(self) -> Iterator[tuple[str, str | None, ReviewerConfig]]:
        """Yield what reviews and its fallbacks in order: the name in metrics, the ``use``, and the settings for it.

        The ``use`` is None for a callable. A model and its fallback models are links of their own: ``model:NAME``.
        Each is there once, however often it is named: what has failed a moment ago would fail again.
        """
        for use in dict.fromkeys((self.use and self.use.strip(), *(one.strip() for one in self.fallbacks))):
            if use != "model" or not self.fallback_models:
                yield use or "callable", use, self
                continue
            for model in dict.fromkeys((self.model or "", *self.fallback_models)):
                yield f"model:{model}", use, self.model_copy(update={"model": model, "fallback_models": ()})

    @property
    def models(self) -> tuple[str, ...]:
        """Return the names of the models that are declared, each once, the first one first."""
        return () if self.model is None else tuple(dict.fromkeys((self.model, *self.fallback_models)))

    @property
    def uses(self) -> tuple[str, ...]:
        """Return the names that metrics give to what reviews: the first, then the fallbacks, in order."""
        return tuple(name for name, _, _ in self.chain())


def in_order(configs: tuple[ReviewerConfig, ...]) -> tuple[ReviewerConfig, ...]:
    """Return the reviewers in the order of consultation: explicit ``order`` first, then by name."""
    return tuple(sorted(configs, key=lambda c: (c.order is None, c.order or 0, c.name)))
