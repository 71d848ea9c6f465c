"""What ``foureyes doctor`` finds out about each thing that reviews, by calling it once."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import anyio

from foureyes.calling import Caller, Link, Tally, call_review
from foureyes.clock import SystemClock
from foureyes.core.account import may_see
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Message, Outcome, Review
from foureyes.core.schedule import Call
from foureyes.core.words import OutcomeKind, Trigger
from foureyes.errors import ConfigError
from foureyes.loading import built, redactor
from foureyes.roster import beyond
from foureyes.settings import Settings
from foureyes.spelling import did_you_mean
from foureyes.threads import Threads

__all__ = ["Finding", "examined"]

_SESSION = "foureyes-doctor"
_DISABLED = "disabled, not called"
_REQUEST, _ANSWER = "Say hello.", "Hello."


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that reviews, and how its call ended."""

    reviewer: str
    use: str
    """Its name in metrics."""
    to: str | None = None
    """Where the transcript goes; None = it stays on this machine, or nobody knows yet."""
    outcome: Outcome | None = None
    """None where nothing was called."""
    problem: str = ""
    """Why nothing was called."""
    enabled: bool = True
    """False: its settings say that it is not to be called, so it was not, and nothing is known of it."""

    @property
    def well(self) -> bool | None:
        """Tell whether it was called and all of its answer could be read; None where it is disabled."""
        if not self.enabled:
            return None
        return self.outcome is not None and self.outcome.kind.completed and not self.outcome.reply.malformed

    @property
    def error(self) -> str:
        """Return what is wrong, on one line; "" where all is well."""
        if self.outcome is None:
            return self.problem
        lost = self.outcome.reply.malformed
        return f"answered, but {lost} of its notes could not be read" if lost else self.outcome.error

    def document(self) -> dict[str, Any]:
        """Return the finding as JSON takes it; the keys are those that :mod:`foureyes.commands.doctor` lists."""
        outcome = self.outcome
        return {
            "reviewer": self.reviewer,
            "use": self.use,
            "to": self.to,
            "well": self.well,
            "outcome": None if outcome is None else outcome.kind,
            "seconds": 0.0 if outcome is None else round(outcome.seconds, 3),
            "error": self.error,
            "input_tokens": 0 if outcome is None else outcome.usage.input_tokens,
            "output_tokens": 0 if outcome is None else outcome.usage.output_tokens,
            "cost_usd": None if outcome is None else outcome.usage.cost_usd,
        }


async def examined(settings: Settings, names: tuple[str, ...]) -> tuple[Finding, ...]:
    """Return what was found, in the order of the reviewers and their fallbacks; without names, of all of them.

    All that are enabled are called once, at the same time. Raises ConfigError for a name that no reviewer has.
    """
    known = [config.name for config in settings.reviewers]
    for name in names:
        if name not in known:
            raise ConfigError(f"no reviewer is called {name!r}{did_you_mean(name, known)}")
    chosen = [config for config in settings.reviewers if not names or config.name in names]
    links = [(config, use, link) for config in chosen for use, link in _links(config)]
    findings: dict[int, Finding] = {}

    async def examine(place: int, config: ReviewerConfig, use: str, link: Link | str) -> None:
        """Call one."""
        findings[place] = await _examined(settings, config, use, link)

    async with anyio.create_task_group() as tasks:
        for place, (config, use, link) in enumerate(links):
            tasks.start_soon(examine, place, config, use, link)
    return tuple(findings[place] for place in range(len(links)))


def _links(config: ReviewerConfig) -> Iterator[tuple[str, Link | str]]:
    for name, use, settings in config.chain():
        try:
            if not config.enabled:
                yield name, _DISABLED
                continue
            with contextlib.redirect_stdout(sys.stderr):  # What a module prints is no part of the report.
                yield name, Link.of(name, built(use or "", settings))
        except ConfigError as error:
            yield name, "; ".join(error.problems)


async def _examined(settings: Settings, config: ReviewerConfig, use: str, link: Link | str) -> Finding:
    if isinstance(link, str):
        return Finding(reviewer=config.name, use=use, problem=link, enabled=config.enabled)
    to = (link.account and link.account.provider) or None
    if not may_see(config.data_boundary, link.account, settings.agent.account(os.environ)):
        return Finding(reviewer=config.name, use=use, to=to, problem=f"is never called: {beyond(config, link)}")
    return Finding(reviewer=config.name, use=use, to=to, outcome=await _called(config, link))


async def _called(config: ReviewerConfig, link: Link) -> Outcome:
    clock = SystemClock()
    # Who asks wants to know how it is now, and not to wait for as long as a provider says.
    caller = Caller(
        config=config.model_copy(update={"max_attempts": 1}),
        chain=(link,),
        threads=Threads(lambda *_: None),
        clock=clock,
        redact=redactor([config]),
    )
    call = Call(reviewer=config.name, trigger=Trigger.MANUAL, turn=1, round=0, since=0)
    tally = Tally(began=clock.monotonic())
    outcome = None
    with anyio.move_on_after(config.timeout_seconds):
        outcome = await call_review(caller, call, _review(config), tally)
    if close := getattr(link.function, "aclose", None):
        with anyio.move_on_after(1, shield=True), contextlib.suppress(Exception):
            await close()
    if outcome is not None:
        return outcome
    seconds = clock.monotonic() - tally.began
    error = f"no answer within {config.timeout_seconds:g} s (timeout_seconds)"
    kind = OutcomeKind.TIMEOUT
    return Outcome(reviewer=config.name, trigger=call.trigger, kind=kind, seconds=seconds, error=error)


def _review(config: ReviewerConfig) -> Review:
    return Review(
        session=_SESSION,
        reviewer=config.name,
        trigger=Trigger.MANUAL,
        turn=1,
        since=0,
        round=0,
        request=_REQUEST,
        messages=(Message(role="user", text=_REQUEST), Message(role="assistant", text=_ANSWER)),
        answer=_ANSWER,
        timeout_seconds=config.timeout_seconds,
    )
