"""The log says what happened, in one line a person can read and in fields a machine can search."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.facts import Hop, Spend, Usage
from foureyes.core.words import (
    FAILURES,
    Disposition,
    FinishResult,
    MuteReason,
    OutcomeKind,
    Severity,
    SkipReason,
    Trigger,
    Verdict,
)
from foureyes.telemetry import events as happened
from foureyes.telemetry.logs import LogSink

SETTLED = happened.ReviewSettled(
    session="s-1",
    reviewer="sec",
    trigger=Trigger.PERIODIC,
    turn=10,
    outcome=OutcomeKind.NOTED,
    seconds=1.25,
    attempts=2,
    spent=(Spend(model="", usage=Usage(input_tokens=900, output_tokens=40, cost_usd=0.002)),),
)
SKIPPED = happened.ReviewSkipped(
    session="s-1",
    reviewer="sec",
    trigger=Trigger.FINISH,
    turn=11,
    reason=SkipReason.CAP,
    have=2,
    limit=2,
)
FELL_BACK = happened.FellBack(
    session="s-1", reviewer="sec", turn=10, hop=Hop(source="model", target="checks", reason=OutcomeKind.TIMEOUT)
)
JUDGED = happened.NoteJudged(
    session="s-1",
    reviewer="sec",
    turn=10,
    severity=Severity.BLOCKER,
    disposition=Disposition.ADMITTED,
    text="The token is written to the log.",
    note="n1",
)
SENT = happened.NoteSent(session="s-1", reviewer="sec", severity=Severity.BLOCKER, note="n1")
EXHAUSTED = happened.QuotaExhausted(session="s-1", reviewer="sec", turn=10, trigger=Trigger.PERIODIC)
MUTED = happened.ReviewerMuted(session="s-1", reviewer="sec", turn=10, reason=MuteReason.BLOCKERS, have=40, limit=32)
PAUSED = happened.ReviewerPaused(session="s-1", reviewer="sec", failures=3)
RESUMED = happened.ReviewerResumed(session="s-1", reviewer="sec")
LEFTOVER = happened.LeftoverChanged(session="s-1", reviewer="sec", running=1)
BOUNDARY = happened.BoundarySettled(session="s-1", turn=10, finish=False, seconds=1.5, advisory="a1")
FINISH = happened.FinishSettled(
    session="s-1", turn=11, result=FinishResult.CAPPED, verdict=Verdict.CHANGES_REQUESTED, unsent=2
)
CHECKPOINTED = happened.Checkpointed(session="s-1", seconds=0.0002)
CHECKPOINT_FAILED = happened.CheckpointFailed(session="s-1", error="StoreError: disk full")
LOOP_FROZEN = happened.LoopFrozen(session="s-1", turn=7, seconds=2.25, reviewers="sec, perf")
SINK_FAILED = happened.SinkFailed(session="s-1", sink="Webhook", error="OSError: gone")

SENTENCES: list[tuple[happened.Event, int, str]] = [
    (
        SETTLED,
        logging.INFO,
        "periodic review by sec after turn 10 of session s-1 ended as noted in 1.250 s, 2 calls",
    ),
    (
        replace(SETTLED, outcome=OutcomeKind.ERROR, attempts=1, error="ValueError: no model"),
        logging.WARNING,
        "periodic review by sec after turn 10 of session s-1 ended as error in 1.250 s, 1 call: ValueError: no model",
    ),
    (
        replace(SETTLED, attempts=1, unknown_severities=2),
        logging.WARNING,
        (
            "periodic review by sec after turn 10 of session s-1 ended as noted in 1.250 s, 1 call, "
            "2 notes of unknown severity taken for nits"
        ),
    ),
    (
        replace(SETTLED, attempts=1, malformed=1),
        logging.WARNING,
        (
            "periodic review by sec after turn 10 of session s-1 ended as noted in 1.250 s, 1 call, "
            "1 note could not be read"
        ),
    ),
    (
        replace(SETTLED, attempts=1, malformed=2, unknown_severities=1),
        logging.WARNING,
        (
            "periodic review by sec after turn 10 of session s-1 ended as noted in 1.250 s, 1 call, "
            "2 notes could not be read, 1 note of unknown severity taken for nits"
        ),
    ),
    (
        SKIPPED,
        logging.DEBUG,
        "finish review by sec after turn 11 of session s-1 was skipped: cap (have 2, limit 2)",
    ),
    (
        replace(SKIPPED, reason=SkipReason.BUSY, have=None, limit=None),
        logging.DEBUG,
        "finish review by sec after turn 11 of session s-1 was skipped: busy",
    ),
    (
        FELL_BACK,
        logging.INFO,
        "sec went on with checks instead of model after turn 10 of session s-1: timeout",
    ),
    (
        JUDGED,
        logging.DEBUG,
        "blocker by sec after turn 10 of session s-1 was judged admitted: The token is written to the log.",
    ),
    (
        replace(JUDGED, disposition=Disposition.MALFORMED, text="", note=None),
        logging.DEBUG,
        "blocker by sec after turn 10 of session s-1 was judged malformed",
    ),
    (
        replace(JUDGED, similar="n0"),
        logging.DEBUG,
        (
            "blocker by sec after turn 10 of session s-1 was judged admitted, similar to n0: "
            "The token is written to the log."
        ),
    ),
    (SENT, logging.INFO, "the agent of session s-1 was sent blocker n1 by sec"),
    (EXHAUSTED, logging.INFO, "sec has no periodic review left in this request of session s-1"),
    (
        MUTED,
        logging.WARNING,
        "sec is muted for the rest of this request of session s-1: 40 notes in a row, limit 32 (blockers)",
    ),
    (PAUSED, logging.WARNING, "sec is paused in this process after 3 failed reviews in a row"),
    (
        replace(PAUSED, outcome=OutcomeKind.ERROR, error="ValueError: no model"),
        logging.WARNING,
        "sec is paused in this process after 3 failed reviews in a row, the last one: error: ValueError: no model",
    ),
    (
        replace(PAUSED, failures=1, outcome=OutcomeKind.RATE_LIMITED, seconds=20.4, told=True),
        logging.WARNING,
        "sec is paused in this process for 20 s: rate_limited",
    ),
    (
        replace(PAUSED, failures=1, outcome=OutcomeKind.ERROR, error="HTTP 401: the key is not accepted", told=True),
        logging.WARNING,
        "sec is paused in this process: error: HTTP 401: the key is not accepted",
    ),
    (RESUMED, logging.INFO, "sec is consulted again"),
    (LEFTOVER, logging.INFO, "sec has 1 given-up review still running"),
    (BOUNDARY, logging.INFO, "boundary after turn 10 of session s-1 took 1.500 s, advisory a1 was handed over"),
    (
        replace(BOUNDARY, finish=True, advisory=None),
        logging.INFO,
        "finish after turn 10 of session s-1 took 1.500 s, nothing was handed over",
    ),
    (FINISH, logging.INFO, "finish after turn 11 of session s-1 is capped, changes_requested, 2 notes not sent"),
    (replace(FINISH, unsent=0), logging.INFO, "finish after turn 11 of session s-1 is capped, changes_requested"),
    (CHECKPOINTED, logging.DEBUG, "the state of session s-1 was saved in 0.0002 s"),
    (CHECKPOINT_FAILED, logging.WARNING, "the store failed for session s-1: StoreError: disk full"),
    (
        LOOP_FROZEN,
        logging.WARNING,
        (
            "the event loop stood still for 2.2 s after turn 7 of session s-1: one of sec, perf may block it; give "
            "blocking work to a plain function"
        ),
    ),
    (SINK_FAILED, logging.WARNING, "Webhook failed for session s-1: OSError: gone"),
]
EVENTS = [event for event, _, _ in SENTENCES]


class Page(logging.Handler):
    """Keeps the records that a logger lets through."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def records(event: happened.Event, level: int = logging.DEBUG) -> list[logging.LogRecord]:
    logger, page = logging.Logger("foureyes", level), Page()
    logger.addHandler(page)
    LogSink(logger).emit(event)
    return page.records


def fields(record: logging.LogRecord) -> dict[str, Any]:
    standard = vars(logging.makeLogRecord({})).keys()
    return {name: fact for name, fact in vars(record).items() if name not in standard}


def strings(record: logging.LogRecord) -> Iterator[str]:
    yield record.getMessage()
    yield from (fact for fact in fields(record).values() if isinstance(fact, str))


@pytest.mark.parametrize(("event", "level", "sentence"), SENTENCES, ids=lambda x: getattr(x, "action", ""))
def test_every_event_is_one_record_with_its_sentence_and_level(
    event: happened.Event, level: int, sentence: str
) -> None:
    assert [(r.levelno, r.getMessage()) for r in records(event)] == [(level, sentence)]


def test_the_sentences_are_about_all_the_events_there_are() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(happened.Event))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.action)
def test_every_record_names_its_action_and_its_session_for_machines(event: happened.Event) -> None:
    [record] = records(event)
    assert fields(record).items() >= {"action": event.action, "session": "s-1"}.items()


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.action)
def test_every_field_is_plain_enough_for_json(event: happened.Event) -> None:
    [record] = records(event)
    assert {type(fact) for fact in fields(record).values()} <= {str, int, float, bool}
    assert json.loads(json.dumps(fields(record))) == fields(record)


def test_the_parts_of_an_event_are_fields_of_their_own() -> None:
    [record] = records(SETTLED)
    assert fields(record) == {
        "action": "review_settled",
        "session": "s-1",
        "reviewer": "sec",
        "trigger": "periodic",
        "turn": 10,
        "outcome": "noted",
        "seconds": 1.25,
        "attempts": 2,
        "input_tokens": 900,
        "cached_tokens": 0,
        "output_tokens": 40,
        "cost_usd": 0.002,
        "malformed": 0,
        "unknown_severities": 0,
    }


def test_what_belongs_to_no_session_names_none() -> None:
    [record] = records(replace(CHECKPOINT_FAILED, session=""))
    assert record.getMessage() == "the store failed: StoreError: disk full"
    assert "session" not in fields(record)


def test_a_hop_says_from_where_to_where_and_why() -> None:
    [record] = records(FELL_BACK)
    assert fields(record).items() >= {"source": "model", "target": "checks", "reason": "timeout"}.items()


def test_an_unknown_cost_is_no_field() -> None:
    [record] = records(replace(SETTLED, spent=(Spend(model="", usage=Usage(input_tokens=1)),)))
    assert "cost_usd" not in fields(record)


@pytest.mark.parametrize("outcome", OutcomeKind)
def test_only_a_failed_review_is_a_warning(outcome: OutcomeKind) -> None:
    [record] = records(replace(SETTLED, outcome=outcome))
    assert record.levelno == (logging.WARNING if outcome in FAILURES else logging.INFO)


@pytest.mark.parametrize("disposition", Disposition)
def test_the_text_of_a_note_is_written_for_debugging_only(disposition: Disposition) -> None:
    event = replace(JUDGED, disposition=disposition)
    assert records(event, logging.INFO) == []
    assert [fields(record)["text"] for record in records(event)] == [JUDGED.text]


def test_no_other_event_could_carry_the_text_of_a_note() -> None:
    assert {type(event) for event in EVENTS if hasattr(event, "text")} == {happened.NoteJudged}


FORGERIES = [
    "ok\nWARNING foureyes: sec is paused",
    "ok\r\x1b[2Kall is well",
    "a\u2028b\u2029c\x85d\x0be",
    "\u202egnp.exe",
    "half \ud800 pair",
    "nul \x00 byte",
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=range(len(FORGERIES)))
@pytest.mark.parametrize(
    "event",
    [
        lambda text: replace(JUDGED, text=text),
        lambda text: replace(SETTLED, outcome=OutcomeKind.ERROR, error=text),
        lambda text: replace(CHECKPOINT_FAILED, error=text),
        lambda text: replace(SINK_FAILED, error=text),
        lambda text: replace(SENT, session=text),
    ],
    ids=["note", "error", "checkpoint", "sink", "session"],
)
def test_text_from_outside_cannot_pass_for_a_record_of_its_own(event: Any, forgery: str) -> None:
    [record] = records(event(forgery))
    assert all(said.isprintable() for said in strings(record))
    assert len(record.getMessage().splitlines()) == 1


@given(st.text())
def test_any_note_is_one_printable_line(text: str) -> None:
    [record] = records(replace(JUDGED, text=text))
    assert all(said.isprintable() for said in strings(record))


@pytest.mark.parametrize("text", ["50 % done", "%s %(reviewer)s", "{reviewer}", "Größe → 3 µm", "日本語 🎉"])
def test_harmless_text_is_written_as_it_is(text: str) -> None:
    [record] = records(replace(JUDGED, text=text))
    assert record.getMessage().endswith(f": {text}")
    assert fields(record)["text"] == text


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.action)
def test_a_logger_that_wants_only_errors_gets_nothing(event: happened.Event) -> None:
    assert records(event, logging.ERROR) == []


def test_a_logger_at_its_usual_level_gets_no_skip_and_no_note() -> None:
    seen = {record.__dict__["action"] for event in EVENTS for record in records(event, logging.INFO)}
    assert seen == {event.action for event in EVENTS} - {"review_skipped", "note_judged", "checkpointed"}


@pytest.mark.parametrize("finish", [False, True])
def test_a_quiet_boundary_is_not_worth_a_record(finish: bool) -> None:
    logger, page = logging.Logger("foureyes"), Page()
    logger.addHandler(page)
    LogSink(logger).quiet(finish)
    assert page.records == []


def test_the_logger_is_that_of_the_package_unless_told_otherwise() -> None:
    page, logger = Page(), logging.getLogger("foureyes")
    logger.addHandler(page)
    try:
        LogSink().emit(PAUSED)
    finally:
        logger.removeHandler(page)
    assert [record.name for record in page.records] == ["foureyes"]
