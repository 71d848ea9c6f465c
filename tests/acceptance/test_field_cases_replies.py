"""Replies that other systems have misread, as users have reported them, from a real server to the agent.

Each docstring cites where it was reported.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from foureyes.core.words import ApiProtocol, Disposition, OutcomeKind, Severity, Verdict
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import NoteJudged, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, run_turns

from .model_reviewers import config, kinds
from .model_server import ModelServer, answer

pytestmark = pytest.mark.anyio

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER
ALL = {"max_notes": 32}
"""A guard that lets through as many notes as can be asked for."""


async def reviewed(server: ModelServer, text: str, **settings: Any) -> tuple[list[NoteJudged], ReviewSettled]:
    """Return what came of one review that the model answered with this text, and of each of its notes."""
    server.plays(answer(text))
    sink = RecordingSink()
    async with ReviewScheduler([config(server, guard=ALL, **settings)], sinks=[sink]) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 1)
    [event] = sink.of(ReviewSettled)
    return sink.of(NoteJudged), event


def raised(judged: list[NoteJudged]) -> dict[str, Severity]:
    """Return what was raised that could be read, by its text."""
    return {one.text: one.severity for one in judged if one.disposition is not Disposition.MALFORMED}


# --- one note in many clothes ---

VERDICT = '{"severity": "blocker", "note": "The index is dropped and never made again.", "anchor": {"turn": 1}}'
DRAFT = '{"notes": [{"severity": "nit", "note": "for instance"}]}'
CLOTHES = {
    "all at once": f"<think>Like {DRAFT}?</think>\nThis is what I found:\n```json\n{VERDICT}\n```",
    "no fence": f"<think>Like {DRAFT}?</think>\nThis is what I found:\n{VERDICT}",
    "a fence without a language": f"<think>{DRAFT}</think>\n```\n{VERDICT}\n```\n",
    "a byte order mark": f"\ufeff<think>{DRAFT}</think>```json\n{VERDICT}\n```",
    "single quotes": "<think>" + DRAFT + "</think>\n" + VERDICT.replace('"', "'"),
}


@pytest.mark.parametrize("text", CLOTHES.values(), ids=CLOTHES.keys())
async def test_the_verdict_is_found_in_its_wrapping_and_never_the_example(
    text: str, server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/56925"""
    judged, event = await reviewed(server, text, protocol=protocol)
    assert raised(judged) == {"The index is dropped and never made again.": BLOCKER}
    assert event.malformed == 0


async def test_two_verdicts_that_differ_are_no_verdict(server: ModelServer) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/56925"""
    judged, event = await reviewed(server, f'{{"notes": []}}\n```json\n{{"notes": [{VERDICT}]}}\n```')
    assert (event.outcome, raised(judged)) == (OutcomeKind.UNPARSED, {})


# --- severities ---

WORDS: list[tuple[object, Severity]] = [
    ("Blocker ", BLOCKER),
    ("HIGH", BLOCKER),
    ("critical", BLOCKER),
    ("minor", NIT),
    ("P0", BLOCKER),
    ("compliance", NIT),
    (None, NIT),
    (2, NIT),
    ("\U0001f534", NIT),
]
SUBJECTS = ("lock", "index", "refund", "timeout", "header", "cursor", "ledger", "socket", "quota")


async def test_no_note_is_lost_for_the_word_of_its_severity_and_odd_words_are_counted(
    server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    """https://github.com/MattJColes/lgtmaybe/issues/131"""
    entries = [
        {"severity": word, "text": f"The {subject} is left as it was.", "anchor": {"turn": 1}}
        for subject, (word, _) in zip(SUBJECTS, WORDS, strict=True)
    ]
    judged, event = await reviewed(server, json.dumps({"notes": entries}))
    levels = {text.split()[1]: level for text, level in raised(judged).items()}
    assert levels == dict(zip(SUBJECTS, (level for _, level in WORDS), strict=True))
    assert (event.malformed, event.unknown_severities) == (0, 3)
    assert "3 notes of unknown severity" in caplog.text


async def test_a_note_without_a_severity_goes_through_the_guard_like_any_other(server: ModelServer) -> None:
    """https://github.com/MattJColes/lgtmaybe/issues/131"""
    text = "The migration has no way back."
    entries = [{"text": "Looks good."}, {"text": text}, {"severity": "odd", "text": text.upper()}]
    judged, _ = await reviewed(server, json.dumps({"notes": entries}))
    assert sorted(one.disposition for one in judged) == sorted(
        [Disposition.NOISE, Disposition.ADMITTED, Disposition.DUPLICATE]
    )


# --- words are no verdict ---

PROSE = [
    "DISAPPROVE",
    "I cannot approve this",
    "NOT APPROVED",
    "approved? no",
    "No failures were found",
    "This would have FAILED before; now fine",
    "Yes",
    "yes.",
    "Yes, block it",
    "No - it is safe",
    "はい",
]


@pytest.mark.parametrize("text", PROSE)
async def test_an_answer_in_words_neither_approves_nor_objects(text: str, server: ModelServer) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/18945"""
    server.plays(answer(text))
    settings = config(server, max_rounds=2, interval_turns=0)
    async with ReviewScheduler([settings], clock=FakeClock()) as scheduler:
        session = await scheduler.session("s", request="Do it.")
        [guidance] = await run_turns(session, 0, answers=["All of it is done."])
    assert kinds(guidance) == [OutcomeKind.UNPARSED]
    assert (guidance.verdict, guidance.reopen, guidance.judged) == (Verdict.UNAVAILABLE, False, ())


@pytest.mark.parametrize("question", ["Is the change safe? Say yes or no.", "Must it be blocked? Say yes or no."])
@pytest.mark.parametrize("word", ["Yes", '{"notes": [], "blocked": true}', '"yes"', "true"])
async def test_a_yes_means_nothing_whichever_way_the_operator_asks(
    question: str, word: str, server: ModelServer
) -> None:
    """https://github.com/NVIDIA-NeMo/Guardrails/issues/317"""
    judged, event = await reviewed(server, word, instructions=question)
    assert (event.outcome, judged) == (OutcomeKind.UNPARSED, [])
    assert question in server.requests[0].text


# --- more than one document, and values of another type ---


async def test_notes_one_after_another_behind_a_banner_are_all_read(server: ModelServer, protocol: ApiProtocol) -> None:
    """https://github.com/thedotmack/claude-mem/issues/3910"""
    said = [
        {"severity": "nit", "note": "The log line is misspelt.", "confidence": 0.4},
        {"severity": "concern", "note": "The socket is never closed."},
    ]
    text = "\n".join(["preparing the environment...", *map(json.dumps, said)])
    judged, event = await reviewed(server, text, protocol=protocol)
    assert raised(judged) == {"The log line is misspelt.": NIT, "The socket is never closed.": CONCERN}
    assert event.malformed == 0


async def test_of_notes_with_values_of_another_type_the_one_that_has_a_text_is_kept(
    server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/explodinggradients/ragas/issues/608"""
    text = (
        '{"notes": [{"severity": "nit", "note": ["in a list"]}, {"severity": "nit", "note": 7},'
        ' {"severity": NaN, "note": "The sum leaves out May."}], "score": NaN}'
    )
    judged, event = await reviewed(server, text, protocol=protocol)
    assert raised(judged) == {"The sum leaves out May.": NIT}
    assert event.malformed == 2


async def test_a_strong_word_in_a_text_makes_no_note_stronger(server: ModelServer) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/18945"""
    text = "NOT APPROVED: blocker, critical, FAILED"
    judged, _ = await reviewed(server, json.dumps({"notes": [{"severity": "nit", "text": text}]}))
    assert raised(judged) == {text: NIT}
