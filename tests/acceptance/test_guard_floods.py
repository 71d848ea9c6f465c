"""Floods that the field has seen, through a real session: the agent is told what is new, and the host everything."""

from __future__ import annotations

from collections import Counter
from itertools import chain, cycle, islice
from typing import Any

import anyio
import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Reply
from foureyes.core.guard import Limits
from foureyes.core.words import Disposition, MuteReason, OutcomeKind, Severity, SkipReason
from foureyes.errors import TransientReviewerError
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import NoteJudged, ReviewerMuted
from foureyes.testing import RecordingSink, ScriptedReviewer, note, run_turns, turn_messages

from .flood import COUNTERS, CUTS, PARAPHRASES, SENSIBLE
from .guarded import RAISED, Watched, addressed, in_batches, reviews, watched

pytestmark = pytest.mark.anyio

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER
KEPT_FROM_ALL = frozenset({Disposition.EMPTY, Disposition.NOISE, Disposition.ABOUT_REVIEWER, Disposition.DUPLICATE})


def sixty() -> list[list[Note]]:
    """Return sixty reviews: the sensible notes in the first ten, the flood in order in the other fifty."""
    flood = [*PARAPHRASES, *CUTS, *COUNTERS]
    return [*in_batches(SENSIBLE, 3), *in_batches(flood, -(-len(flood) // 50))]


async def test_the_flood_is_as_large_as_it_was() -> None:
    assert [len(notes) for notes in (SENSIBLE, PARAPHRASES, CUTS, COUNTERS)] == [29, 67, 27, 942]
    assert len({one.text for one in chain(SENSIBLE, PARAPHRASES, CUTS, COUNTERS)}) == 29 + 67 + 27 + 942
    assert len(sixty()) == 60


async def test_a_flood_in_four_phases_does_not_reach_the_agent_and_costs_no_finding() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/11888: 1,675 calls, 946 notes of at most three characters."""
    saw = await reviews(sixty(), max_notes=8)
    sensible, flood = saw.read[:10], saw.read[10:]
    told = [text for texts in saw.read for text in texts]
    assert set(told) >= {one.text for one in SENSIBLE if one.severity is not NIT}
    assert set(told) | set(saw.listed) >= {one.text for one in SENSIBLE}
    assert addressed(sensible) == 10
    assert addressed(flood) <= 3
    assert sum(map(len, flood)) <= 5


async def test_with_the_usual_bounds_a_flood_is_bounded_and_what_is_not_sent_is_listed() -> None:
    saw = await reviews(sixty(), max_notes=3, limits=Limits())
    kept = [one for one in saw.judged if one.record is not None]
    told = [text for texts in saw.read for text in texts]
    assert max(map(len, saw.read)) <= 6
    assert len(told) <= 48
    assert Counter(one.note.text for one in kept) == Counter(told + saw.listed)


async def test_a_muted_reviewer_is_not_called_for_the_rest_of_the_request_and_told_of_once() -> None:
    saw = await reviews(sixty(), max_notes=8)
    [mute] = saw.sink.of(ReviewerMuted)
    muted_at = next(place for place, guidance in enumerate(saw.guidances) if "muted" in guidance.progress)
    assert [mute.reviewer, mute.turn] == ["one", muted_at + 1]
    assert sum("muted" in guidance.progress for guidance in saw.guidances) == 1
    later = saw.guidances[muted_at + 1 : 60]
    assert {skip.reason for guidance in later for skip in guidance.skips} == {SkipReason.MUTED}
    assert all(guidance.outcomes == () for guidance in later)


async def test_counters_alone_reach_nobody_and_mute_their_reviewer_in_two_reviews() -> None:
    saw = await reviews(list(in_batches(COUNTERS, 20)), max_notes=8)
    assert addressed(saw.read) == 0
    assert saw.listed == []
    assert saw.kinds == {Disposition.NOISE: 40}
    assert [mute.reason for mute in saw.sink.of(ReviewerMuted)] == [MuteReason.BLOCKERS]


async def test_ever_shorter_cuts_of_one_note_are_told_once() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/7130."""
    saw = await reviews([[one] for one in CUTS])
    assert [texts for texts in saw.read if texts] == [[CUTS[0].text]]
    assert set(saw.kinds) <= {Disposition.ADMITTED, *KEPT_FROM_ALL}


async def test_sixty_two_ways_to_say_one_thing_are_a_handful_at_most() -> None:
    saw = await reviews([[one] for one in PARAPHRASES[:62]], max_notes=8)
    told = [text for texts in saw.read for text in texts]
    assert 1 <= len(told) <= 5
    assert set(saw.kinds) <= {Disposition.ADMITTED, Disposition.HELD_SIMILAR, *KEPT_FROM_ALL}


async def test_of_a_hundred_and_fifty_notes_the_one_with_content_is_told() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/3520: 309 notes, of which hundreds said "stop" or "done"."""
    batch = [note(text, NIT) for text in ("Stop.", "Stop", "No issue; continue.", "DONE")]
    batch.append(note("token refresh is never awaited"))
    saw = await reviews([batch * 30])
    assert saw.read == [["token refresh is never awaited"], []]
    assert len(saw.judged) == 150
    assert all(one.explain() for one in saw.judged if one.disposition is not Disposition.ADMITTED)
    assert saw.kinds == {Disposition.ADMITTED: 1, Disposition.DUPLICATE: 29, Disposition.NOISE: 120}


LOW = "first second third fourth fifth sixth seventh eighth ninth"
HIGH = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
TENS = {"twentieth": "twenty", "thirtieth": "thirty", "fortieth": "forty"}
ORDINALS = [
    *LOW.split(),
    *HIGH.split(),
    *(f"{tens}-{one}" if one else rounded for rounded, tens in TENS.items() for one in ["", *LOW.split()]),
][:46]


async def test_forty_six_final_notices_are_told_once_and_not_asked_for_again_until_something_happens() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/11845: "third reminder" … up to forty-five, then "final"."""
    notices = [note(f"{one} and FINAL notice: the migration has no down step.", BLOCKER) for one in ORDINALS]
    async with watched([notices, notices], limits=RAISED, max_notes=32) as (session, saw):
        transcript: list[Any] = [{"role": "user", "content": "Do the work."}, *turn_messages(1)]
        for _ in range(3):
            saw.guidances.append(await session.boundary(transcript))
            transcript += saw.guidances[-1].messages
    assert saw.read == [[notices[0].text], [], []]
    assert saw.kinds == {Disposition.ADMITTED: 1, Disposition.DUPLICATE: 45}
    reasons = [skip.reason for guidance in saw.guidances[1:] for skip in guidance.skips]
    assert set(reasons) <= {SkipReason.NOTHING_NEW, SkipReason.MUTED}
    assert len(reasons) == 2


async def test_a_concern_that_comes_back_after_every_turn_is_told_once_whatever_the_human_says_between() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/3154."""
    variants = [
        "Run the verification commands now.",
        "run the  verification commands now...",
        "RUN THE VERIFICATION commands now",
    ]
    said = [[note(text)] for text in islice(cycle(variants), 9)]
    async with watched(said, limits=RAISED, max_notes=3) as (session, saw):
        transcript: list[Any] = [{"role": "user", "content": "Do the work."}]
        for turn in range(1, 10):
            if turn == 4:
                await session.new_request("Something else, please.")
                transcript.append({"role": "user", "content": "Something else, please."})
            transcript += turn_messages(turn)
            saw.guidances.append(await session.boundary(transcript))
            transcript += saw.guidances[-1].messages
    assert [texts for texts in saw.read if texts] == [[variants[0]]]


async def test_what_became_worse_is_told_again_at_each_step_and_no_more() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/pull/11881: what became a blocker was dropped as said already."""
    levels = [NIT, CONCERN, BLOCKER, BLOCKER, CONCERN]
    saw = await reviews([[note("The token is logged.", level)] for level in levels])
    assert saw.kinds == {Disposition.ADMITTED: 3, Disposition.DUPLICATE: 2}


async def test_remarks_about_the_review_are_spared_and_their_twins_about_the_work_are_not() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/8206."""
    pairs = [
        ("I have no more budget for tools.", "The client has no more budget for retries."),
        ("My previous note was not acknowledged.", "The consumer's previous message was not acknowledged."),
        ("I will stay silent from now on.", "The alarm will stay silent on a full disk."),
    ]
    said = [Note(text=text, severity=CONCERN, subject="review") for text, _ in pairs]
    said += [note(text) for _, text in pairs]
    saw = await reviews([said])
    assert saw.read[0] == [text for _, text in pairs]
    assert saw.kinds[Disposition.ABOUT_REVIEWER] == 3


async def test_findings_that_begin_like_filler_or_are_short_are_told() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/8206."""
    said = [
        "LGTM except the lock is released twice",
        "Done flag is set before the write",
        "Stop: this drops prod",
        "`rm -rf $D` unquoted",
    ]
    saw = await reviews([[note(text) for text in said]])
    assert saw.read[0] == said


async def test_one_sentence_in_other_clothes_is_told_once_as_it_was_written() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/3511."""
    said = ["Caf\u00e9 cache never expires", "Cafe\u0301 cache never expires"]
    said += ["ＬＧＴＭ", "L\u200bGTM", "**LGTM**", "1) LGTM!!! 👍"]
    saw = await reviews([[note(text)] for text in said])
    assert [texts for texts in saw.read if texts] == [[said[0]]]
    assert saw.kinds == {Disposition.ADMITTED: 1, Disposition.DUPLICATE: 1, Disposition.NOISE: 4}


async def test_what_was_said_is_remembered_over_a_failure_of_the_reviewer() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/11845: quarantine wiped the memory, and it began anew."""
    said = [note("The index is stale.")]
    saw = await reviews([said, TransientReviewerError("lost"), said], cooldown_turns=0, max_attempts=1)  # type: ignore[list-item]
    assert [texts for texts in saw.read if texts] == [["The index is stale."]]


async def test_the_blocker_that_was_written_last_is_told_and_what_is_cut_says_so() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/pull/11881: three nits filled the cap, and the blocker was cut."""
    nits = [note(f"`{name}` is a poor name.", NIT) for name in ("x1", "y2", "z3")]
    saw = await reviews([[*nits, note("All rows are deleted.", BLOCKER)]], max_notes=3)
    assert saw.read[0] == ["All rows are deleted.", nits[0].text, nits[1].text]
    [cut] = [one for one in saw.judged if one.disposition is Disposition.OVER_REVIEW]
    assert (cut.note, cut.explain()) == (nits[2], "over_review: number 4, limit 3")


async def test_one_failing_reviewer_takes_nobody_down() -> None:
    """Seen in https://github.com/MattJColes/lgtmaybe/issues/378: one flaky call voided the round."""
    found = note("The lock leaks.")

    async def hangs(review: object) -> Reply:
        await anyio.sleep_forever()
        raise AssertionError

    settings: dict[str, Any] = {"interval_turns": 1, "max_attempts": 1, "timeout_seconds": 0.05}
    configs = [
        ReviewerConfig(name="fails", reviewer=ScriptedReviewer(ValueError("down")), **settings),
        ReviewerConfig(name="finds", reviewer=ScriptedReviewer([found]), **settings),
        ReviewerConfig(name="hangs", reviewer=hangs, **settings),
    ]
    async with ReviewScheduler(configs) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s"), 1)
    assert guidance.advisory is not None
    assert [one.text for one in guidance.advisory.notes] == [found.text]
    assert {one.reviewer: one.outcome for one in guidance.outcomes} == {
        "fails": OutcomeKind.ERROR,
        "finds": OutcomeKind.NOTED,
        "hangs": OutcomeKind.TIMEOUT,
    }


async def test_the_mute_is_logged_as_a_warning_where_nobody_listens(caplog: pytest.LogCaptureFixture) -> None:
    config = ReviewerConfig(name="one", reviewer=ScriptedReviewer([*COUNTERS[:40]]), interval_turns=1)
    async with ReviewScheduler([config]) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s"), 1)
    assert guidance.progress == "one: muted for the rest of this request: 40 suppressed blockers in a row, limit 32"
    assert [record.levelname for record in caplog.records if "muted" in record.message] == ["WARNING"]


async def test_everything_in_the_flood_is_told_to_the_sinks_with_its_disposition() -> None:
    saw: Watched = await reviews(sixty(), max_notes=8)
    told = saw.sink.of(NoteJudged)
    assert Counter(event.disposition for event in told) == saw.kinds
    assert sum(event.similar is not None for event in told) == sum(one.similar is not None for one in saw.judged)


async def test_the_next_request_hears_a_muted_reviewer_again() -> None:
    sink = RecordingSink()
    said = [COUNTERS[:40], [note("The lock leaks.")]]
    config = ReviewerConfig(name="one", reviewer=ScriptedReviewer(*said), interval_turns=1)
    async with ReviewScheduler([config], sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
        transcript: list[Any] = [{"role": "user", "content": "Do the work."}]
        await run_turns(session, 3, messages=transcript)
        await session.new_request("And now this.")
        [guidance] = await run_turns(session, 1, messages=transcript)
    assert guidance.advisory is not None
    assert [one.text for one in guidance.advisory.notes] == ["The lock leaks."]
    assert len(sink.of(ReviewerMuted)) == 1
