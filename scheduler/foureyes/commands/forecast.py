"""When each reviewer would be called in a run without incidents, by the rules that decide it in real ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foureyes.core import ledger
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Moment, Outcome
from foureyes.core.schedule import Call, Decision, decide
from foureyes.core.state import SessionState, Settled, Skipped
from foureyes.core.words import OutcomeKind, Stop

__all__ = ["Forecast", "forecasts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """One reviewer's calls and skips at the boundaries of one request, every review quiet."""

    config: ReviewerConfig
    boundaries: int
    """How many boundaries were played through, from turn 1."""
    turns: tuple[int, ...]
    """The turns after which it is called."""
    skips: tuple[tuple[int, Skipped], ...]
    """The turns after which it is due and not called, and why not."""
    finish: Call | Skipped | None
    """What happens at the first finish after these boundaries; None: it is never due there."""

    @property
    def marks(self) -> str:
        """Return one character for each boundary: ``o`` called, ``x`` due but not called, ``.`` not due."""
        called, skipped = set(self.turns), {turn for turn, _ in self.skips}
        turns = range(1, self.boundaries + 1)
        return "".join("o" if turn in called else "x" if turn in skipped else "." for turn in turns)


def forecasts(configs: Sequence[ReviewerConfig], boundaries: int) -> list[Forecast]:
    """Return a forecast for each reviewer, in order. ``boundaries`` is at least 1; its cost is in proportion."""
    state = ledger.new_request(ledger.fitted(SessionState(id="forecast", nonce=""), configs), "")
    calls: list[Call] = []
    skips: list[tuple[int, Skipped]] = []
    for turn in range(1, boundaries + 1):
        decision = decide(configs, state, Moment(turn=turn))
        calls += decision.calls
        skips += [(turn, skip) for skip in decision.skips]
        state = _settled(state, decision, configs, turn)
    finish = decide(configs, state, Moment(turn=boundaries + 1, stop=Stop.ANSWER))
    return [_forecast(config, boundaries, calls, skips, finish) for config in configs]


def _settled(state: SessionState, decision: Decision, configs: Sequence[ReviewerConfig], turn: int) -> SessionState:
    if not decision.calls:
        return ledger.moved(state, turn)
    quiet = [_quiet(call) for call in decision.calls]
    state = ledger.reported(ledger.started(state, decision.calls), quiet, configs, turn=turn, read=turn)
    return ledger.settled(state, Settled(turn=turn))


def _quiet(call: Call) -> Outcome:
    return Outcome(reviewer=call.reviewer, trigger=call.trigger, kind=OutcomeKind.QUIET)


def _forecast(
    config: ReviewerConfig,
    boundaries: int,
    calls: Iterable[Call],
    skips: Iterable[tuple[int, Skipped]],
    finish: Decision,
) -> Forecast:
    at_finish: list[Call | Skipped] = [*finish.calls, *finish.skips]
    return Forecast(
        config=config,
        boundaries=boundaries,
        turns=tuple(call.turn for call in calls if call.reviewer == config.name),
        skips=tuple((turn, skip) for turn, skip in skips if skip.reviewer == config.name),
        finish=next((at for at in at_finish if at.reviewer == config.name), None),
    )
