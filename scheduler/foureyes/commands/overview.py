"""The survey of ``foureyes status`` as a page for people; nothing on it depends on colour."""

from __future__ import annotations

from collections.abc import Iterator

from foureyes.commands.outlook import Allowance, Outlook, Prospect
from foureyes.commands.survey import Member, Seen, Survey
from foureyes.core.facts import NO_USAGE, Usage
from foureyes.core.state import ReviewerState
from foureyes.core.words import SkipReason
from foureyes.replay.page import Page, console
from foureyes.replay.visible import cut, one_line
from foureyes.settings import Settings

__all__ = ["show"]

_IN_FULL = 10
"""Sessions that are shown with their reviewers; of more, each has one line."""
_FIRST_WORDS = 60
_WIDEST = 24
"""Columns for names, however long one is."""


def show(survey: Survey, *, in_full: bool) -> None:
    """Write the survey to standard output. ``in_full``: with the reviewers, however many sessions there are."""
    page = Page(console(), _label_width(survey))
    page.heading(f"store {survey.settings.store}", whole=True)
    if survey.remark:
        page.heading(survey.remark, whole=True)
    brief = not in_full and len(survey.sessions) > _IN_FULL
    for seen in survey.sessions:
        _session(page, seen, survey.settings, brief=brief)
    if brief:
        page.blank()
        page.heading(f"{len(survey.sessions)} sessions; for the reviewers of one: foureyes status SESSION")
    for warning in survey.settings.warnings:
        page.blank()
        page.heading(f"warning: {warning}")


def _label_width(survey: Survey) -> int:
    names = [member.name for seen in survey.sessions for member in seen.members]
    return 4 + min(_WIDEST, max(map(len, names), default=0))


def _session(page: Page, seen: Seen, settings: Settings, *, brief: bool) -> None:
    if not brief:
        page.blank()
    page.heading(f"session {one_line(seen.id)}: {_standing(seen)}")
    if brief:
        return
    if seen.state and seen.state.request_text:
        page.heading(f'  "{cut(one_line(seen.state.request_text), _FIRST_WORDS)}"')
    for member in seen.members:
        label = f"  {member.name}"
        for line in _lines(member, settings, seen.state.turn if seen.state else 0):
            page.row(label, line)
            label = ""


def _standing(seen: Seen) -> str:
    state = seen.state
    if state is None:
        return f"cannot be read: {seen.problem}"
    notes = f", {_counted(seen.waiting, 'note')} waiting" if seen.waiting else ""
    return f"turn {state.turn}, request {state.request} {seen.standing}{notes}"


def _lines(member: Member, settings: Settings, turn: int) -> Iterator[str]:
    progress, outlook = member.progress, member.outlook
    if outlook is None:
        yield "not declared in the settings, so not consulted from here"
    elif progress.damaged:
        yield f"disabled: its saved record cannot be read ({progress.damaged})"
    elif not outlook.config.enabled:
        yield f"disabled: switched off in {settings.sources[f'reviewers.{member.name}.enabled']}"
    else:
        yield f"next: {'; '.join(_next(outlook))}"
        yield f"left: {', '.join(_allowances(outlook)) or 'nothing, as it is never due'}"
    if not progress.damaged:
        yield "; ".join(_history(progress, turn))
    if progress.spent != Usage(cost_usd=0.0) and progress.spent != NO_USAGE:
        yield f"spent: {_spent(progress.spent)}"
        if progress.spent_in_request != progress.spent:
            yield f"in this request: {_spent(progress.spent_in_request)}"


def _next(outlook: Outlook) -> Iterator[str]:
    periodic, finish = outlook.periodic, outlook.finish
    reasons = {prospect.skip for prospect in (periodic, finish) if prospect}
    if called := [*_calls(periodic, finish)]:
        yield " or ".join(called)
    if len(reasons) == 1 and (reason := reasons.pop()) in _WHY:
        yield _WHY[reason].format(when=f"turn {periodic.turn}" if periodic else "a finish")
    else:
        yield from _kept_back("between turns", periodic, outlook.reviews)
        yield from _kept_back("at a finish", finish, outlook.rounds)


def _calls(periodic: Prospect | None, finish: Prospect | None) -> Iterator[str]:
    if periodic and periodic.skip is None:
        yield f"turn {periodic.turn}{' (after the cooldown)' if periodic.after_cooldown else ''}"
    if finish and finish.skip is None:
        yield "a finish"


_WHY: dict[SkipReason | None, str] = {
    SkipReason.PAUSED: "paused when last seen; otherwise due at {when}",
    SkipReason.MUTED: "muted for this request",
    SkipReason.ABORTED: "nothing before the human speaks",
}
"""Reasons that hold between turns and at a finish alike."""


def _kept_back(when: str, prospect: Prospect | None, allowance: Allowance) -> Iterator[str]:
    if prospect is None:
        yield f"never {when}"
    elif prospect.skip is SkipReason.CAP:
        yield f"{when} capped for this request ({allowance.limit} of {allowance.limit})"
    elif prospect.skip is not None:
        yield f"{when} {prospect.skip}"


def _allowances(outlook: Outlook) -> Iterator[str]:
    if outlook.config.periodic:
        yield f"{outlook.reviews.left} of {_counted(outlook.reviews.limit, 'periodic review')}"
    if outlook.config.at_finish:
        yield f"{outlook.rounds.left} of {_counted(outlook.rounds.limit, 'round')}"


def _history(progress: ReviewerState, turn: int) -> Iterator[str]:
    if progress.last_review:
        yield f"last: turn {progress.last_review}{f', {progress.outcome}' if progress.outcome else ''}"
    else:
        yield "not reviewed yet"
    if started := progress.started:
        yield f"a {started.trigger} review of turn {started.turn} is under way, or was cut off"
    if progress.failures:
        yield f"{_counted(progress.failures, 'failure')} in a row"
    if progress.cooldown_until > turn + 1:
        yield f"cooldown before turn {progress.cooldown_until}"
    if progress.muted:
        yield "muted"
    if progress.paused:
        yield "paused when last seen"


def _spent(usage: Usage) -> str:
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    return f"{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} out, {cost}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
