"""What a person reads of a replay: in any width, without colour, and whatever was recorded."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Usage
from foureyes.core.guard import Judged
from foureyes.core.state import NoteRecord, Skipped
from foureyes.core.words import Disposition, FinishResult, Likeness, OutcomeKind, Severity, SkipReason, Trigger, Verdict
from foureyes.replay.page import console
from foureyes.replay.run import Consulted, ReplayedRun, Step, totals
from foureyes.replay.timeline import TimeLine

QUIET = Consulted(reviewer="checks", trigger=Trigger.PERIODIC, outcome=OutcomeKind.QUIET, seconds=0.25, attempts=1)
NOTED = replace(QUIET, outcome=OutcomeKind.NOTED)
CAP = Skipped(reviewer="checks", trigger=Trigger.PERIODIC, reason=SkipReason.CAP, have=8, limit=8)
TEXT = "The same edit failed three times."
RECORD = NoteRecord(
    id="n1",
    reviewers=("checks",),
    severity=Severity.CONCERN,
    text=TEXT,
    turn=3,
    request=1,
    trigger=Trigger.PERIODIC,
)
NOTE = Judged(
    reviewer="checks",
    position=0,
    note=Note(text=TEXT),
    severity=Severity.CONCERN,
    disposition=Disposition.ADMITTED,
    record="n1",
)


def step(turn: int, **fields: object) -> Step:
    return replace(Step(turn=turn, finish=False, did="ls()"), **fields)


def a_run(*steps: Step) -> ReplayedRun:
    return ReplayedRun(name="run.json", source="run.json", messages=9, steps=steps)


def shown(run: ReplayedRun, width: int = 80) -> str:
    """Return what is written of a run to a file of this width."""
    out = io.StringIO()
    TimeLine(plain(out, width)).run(run)
    return out.getvalue()


def plain(out: io.StringIO, width: int = 80) -> Console:
    return Console(file=out, width=width, markup=False, emoji=False, highlight=False)


def rows(text: str, label: str = "turn") -> list[str]:
    """Return the rows of the time line that stand beside a label, with the label."""
    return [line for line in text.splitlines() if re.match(rf"{label}s? +[0-9]", line)]


def words(text: str) -> str:
    """Return the text without its line ends and margins."""
    return " ".join(text.replace("│", " ").split())


def test_quiet_turns_in_a_row_share_a_row() -> None:
    text = shown(a_run(step(1), step(2), step(3, calls=(QUIET,)), step(4)))
    assert [words(row).split(" ", 2)[1:] for row in rows(text)][0::2] == [["1-2", "nobody due"], ["4", "nobody due"]]


def test_a_quiet_review_takes_one_row_with_its_seconds() -> None:
    [row] = rows(shown(a_run(step(3, calls=(QUIET,)))))
    assert words(row) == "turn 3 checks quiet in 0.250 s, after ls()"


def test_turns_with_the_same_skip_share_a_row_with_the_numbers() -> None:
    text = shown(a_run(*(step(turn, skips=(CAP,)) for turn in range(25, 100))), width=120)
    [row] = rows(text)
    assert words(row).startswith("turns 25-99 checks skipped, cap: 8 of 8 periodic reviews")


def test_skips_for_other_reasons_have_rows_of_their_own() -> None:
    busy = replace(CAP, reason=SkipReason.BUSY, have=None, limit=None)
    text = shown(a_run(step(4, skips=(CAP,)), step(5, skips=(busy,)), step(6, skips=(CAP,))))
    assert len(rows(text)) == 3


def test_a_new_request_begins_a_row_and_shows_what_the_human_said() -> None:
    text = shown(a_run(step(1, request="Fix it."), step(2), step(3, request="Now that."), step(4)))
    assert [words(row) for row in rows(text)] == ["turns 1-2 nobody due", "turns 3-4 nobody due"]
    assert re.findall(r'human +"(.*)"', text) == ["Fix it.", "Now that."]


@pytest.mark.parametrize(
    ("disposition", "facts", "said"),
    [
        (Disposition.ADMITTED, {"record": "n7"}, "concern, admitted as n7: "),
        (Disposition.DUPLICATE, {"matched": "n2", "record": None}, "concern, duplicate: repeats n2: "),
        (
            Disposition.DUPLICATE,
            {"matched": "n2", "likeness": Likeness.CUT, "excerpt": "The lock\x1b leaks.", "record": None},
            'concern, duplicate: repeats n2, its beginning: "The lock\\x1b leaks.": ',
        ),
        (
            Disposition.ADMITTED,
            {"matched": "n2", "likeness": Likeness.WORDS, "overlap": 0.5, "record": "n7"},
            "concern, admitted as n7: resembles n2, 50% of the shorter in common: ",
        ),
        (
            Disposition.HELD_SIMILAR,
            {"matched": "n2", "likeness": Likeness.WORDS, "overlap": 0.5, "record": "n7", "have": 1, "limit": 1},
            "concern, held_similar: one like it was sent in this request, so it is for the host only: resembles n2",
        ),
        (Disposition.OVER_REVIEW, {"have": 3, "limit": 3, "record": None}, "concern, over_review: number 4, limit 3: "),
        (Disposition.NOISE, {"record": None}, "concern, noise: a phrase without content: "),
        (Disposition.RECORDED, {"record": None}, "concern, recorded: below the reviewer's floor"),
    ],
)
def test_every_note_is_shown_with_severity_disposition_and_text(
    disposition: Disposition, facts: dict[str, object], said: str
) -> None:
    note = replace(NOTE, disposition=disposition, **facts)
    text = words(shown(a_run(step(3, calls=(NOTED,), notes=(note,)))))
    assert said in text
    assert TEXT in text


def test_a_note_of_a_reviewer_that_was_not_called_is_shown_too() -> None:
    late = replace(NOTE, reviewer="slow", disposition=Disposition.LATE, record=None)
    assert TEXT in words(shown(a_run(step(3, calls=(NOTED,), notes=(late,)))))


@pytest.mark.parametrize("disposition", list(Disposition))
def test_every_disposition_has_words(disposition: Disposition) -> None:
    note = replace(NOTE, disposition=disposition)
    assert str(disposition) in shown(a_run(step(3, calls=(NOTED,), notes=(note,))))


@pytest.mark.parametrize("reason", list(SkipReason))
@pytest.mark.parametrize("trigger", [Trigger.PERIODIC, Trigger.FINISH])
def test_every_skip_reason_has_words(reason: SkipReason, trigger: Trigger) -> None:
    skip = Skipped(reviewer="checks", trigger=trigger, reason=reason, have=1, limit=2)
    assert re.search(rf"skipped, {reason}: \w+ \w+", shown(a_run(step(3, skips=(skip,)))))


@pytest.mark.parametrize("result", list(FinishResult))
def test_every_finish_result_has_words_and_its_verdict(result: FinishResult) -> None:
    text = shown(a_run(step(3, finish=True, result=result, verdict=Verdict.UNREVIEWED)))
    assert re.search(rf"{result}, verdict unreviewed: \w+ \w+", words(text))


def test_the_advisory_is_shown_word_for_word_with_its_markup_and_line_ends() -> None:
    advisory = '[fe-1-ab] Remarks [bold red]come[/] :smile:\n\n<advisory reviewer="checks">\n  x = [1, 2]\n</advisory>'
    text = shown(a_run(step(3, calls=(NOTED,), notes=(NOTE,), advisory=advisory, sent=(RECORD,))), width=120)
    quoted = [line.split("│", 1)[1].removeprefix(" ") for line in text.splitlines() if "│" in line]
    assert "\n".join(quoted) == advisory


def test_nothing_recorded_reaches_the_terminal_as_a_command() -> None:
    evil = "\x1b[2J\x1b]0;title\x07\x9b31m\r\x08\u202e\U000e0041\ud800 [red]x[/red]"
    noted = replace(NOTE, note=Note(text=evil))
    unsent = replace(RECORD, text=evil)
    run = replace(
        a_run(
            step(1, did=evil, request=evil, calls=(replace(NOTED, error=evil),), notes=(noted,), advisory=evil),
            step(2, finish=True, did=evil, result=FinishResult.CLEAN, verdict=Verdict.APPROVED, unsent=(unsent,)),
            step(3, did=evil, calls=(QUIET,)),
        ),
        name=evil,
    )
    text = shown(run)
    assert text.replace("\n", "").isprintable()
    assert "\\x1b[2J" in text
    assert "[red]x[/red]" in text


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(width: int) -> None:
    long = "a" * 200 + " 語" * 100
    noted = replace(NOTE, note=Note(text=long), record=None)
    run = a_run(
        step(1, request=long),
        step(3, did=long, calls=(QUIET,)),
        step(6, did=long, calls=(NOTED,), notes=(noted,), advisory=f"{long}\n{long}", skips=(CAP,)),
        step(100, finish=True, result=FinishResult.REOPENED, verdict=Verdict.CHANGES_REQUESTED, unsent=(RECORD,)),
    )
    lines = shown(run, width).splitlines()
    measure = Console(width=width)
    assert max(measure.measure(line).maximum for line in lines) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_file_gets_no_colours() -> None:
    noted = step(3, calls=(NOTED,), notes=(replace(NOTE, severity=Severity.BLOCKER),))
    assert "\x1b" not in shown(a_run(noted))


def test_without_colour_every_word_is_still_there() -> None:
    run = a_run(step(3, calls=(NOTED,), notes=(NOTE,), advisory="Read this.", sent=(RECORD,)))
    out = io.StringIO()
    colourful = Console(file=out, width=80, force_terminal=True, color_system="truecolor", markup=False)
    TimeLine(colourful).run(run)
    assert re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()) == shown(run)


def test_the_head_names_the_file_and_its_size() -> None:
    assert shown(a_run(step(1), step(2))).startswith("run.json: 2 turns, 9 messages\n")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "at the finish (at most 2 a request)"),
        ({"interval_turns": 3}, "every 3 turns (at most 8 a request) and at the finish (at most 2 a request)"),
        ({"interval_turns": 1, "max_rounds": 0}, "every turn (at most 8 a request)"),
        ({"max_rounds": 0}, "never"),
        ({"enabled": False}, "switched off"),
    ],
)
def test_the_cadence_of_a_reviewer_is_said_in_words(fields: dict[str, object], said: str) -> None:
    config = ReviewerConfig(name="model", use="model", model="small", fallbacks=("checks",), **fields)
    out = io.StringIO()
    TimeLine(plain(out, 120)).roster([config])
    assert out.getvalue() == f"reviewers  model (uses model, then checks): {said}\n\n"


def test_the_counters_are_the_sums_of_the_steps() -> None:
    run = a_run(
        step(1, request="Fix it."),
        step(3, calls=(NOTED,), notes=(NOTE, NOTE), advisory="x", sent=(RECORD,)),
        step(6, calls=(QUIET,), skips=(CAP,)),
        step(7, finish=True, result=FinishResult.CLEAN, verdict=Verdict.APPROVED),
    )
    counters = [words(line) for line in shown(run).splitlines()[-6:]]
    assert counters == [
        "in all 4 turns in 1 request",
        "answers 1: 1 clean",
        "reviews 2: 1 noted, 1 quiet",
        "skips 1: 1 cap",
        "notes 2: 2 admitted",
        "to agent 1 note, at 1 turn",
    ]


def test_the_summary_adds_up_the_runs() -> None:
    out = io.StringIO()
    run = a_run(step(1, request="Fix it.", calls=(QUIET,)))
    TimeLine(Console(file=out, width=80)).summary(totals([run, run, run]))
    assert "all 3 runs" in out.getvalue()
    assert "3 turns in 3 requests" in out.getvalue()
    assert "3: 3 quiet" in out.getvalue()


def test_a_run_without_turns_says_so() -> None:
    assert "the agent never spoke" in shown(a_run())


def test_an_output_without_line_drawing_characters_gets_a_plain_bar() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii")
    TimeLine(console(file)).run(a_run(step(3, calls=(NOTED,), notes=(NOTE,), advisory="Read this.", sent=(RECORD,))))
    file.flush()
    assert b"| Read this.\n" in raw.getvalue()


def test_an_accepted_answer_takes_two_rows() -> None:
    finish = replace(QUIET, trigger=Trigger.FINISH)
    run = a_run(step(3, finish=True, calls=(finish,), result=FinishResult.CLEAN, verdict=Verdict.APPROVED))
    lines = [words(line) for line in shown(run).splitlines()]
    assert lines[1:3] == ["turn 3 ls()", "checks quiet in 0.250 s: clean, verdict approved"]


def test_skips_with_other_numbers_have_rows_of_their_own() -> None:
    first = replace(CAP, reason=SkipReason.COOLDOWN, have=4, limit=6)
    steps = [step(turn, skips=(replace(first, have=turn, limit=limit),)) for turn, limit in ((4, 6), (5, 6), (8, 9))]
    assert [words(row) for row in rows(shown(a_run(*steps), width=120))] == [
        "turns 4-5 checks skipped, cooldown: a review failed; periodic reviews go on at turn 6",
        "turn 8 ls()",
    ]


def test_a_failed_review_is_shown_with_its_seconds_attempts_and_error() -> None:
    failed = replace(QUIET, outcome=OutcomeKind.TIMEOUT, seconds=30.0, attempts=2, error="deadline of 30 s")
    text = words(shown(a_run(step(3, calls=(failed,)))))
    assert "checks periodic review: timeout, 30.000 s, 2 attempts: deadline of 30 s" in text


def test_a_note_that_the_agent_would_not_have_read_is_shown_at_the_accepted_finish() -> None:
    finish = replace(QUIET, trigger=Trigger.FINISH)
    ended = step(3, finish=True, calls=(finish,), result=FinishResult.CLEAN, verdict=Verdict.APPROVED)
    text = words(shown(a_run(replace(ended, unsent=(RECORD,)))))
    assert f"not read by the agent: n1, concern: {TEXT}" in text


REPEAT = replace(NOTE, disposition=Disposition.DUPLICATE, record=None, matched="n1", likeness=Likeness.TEXT)


@pytest.mark.parametrize("likeness", [Likeness.TEXT, Likeness.KEY, Likeness.COUNTER, Likeness.MOVED])
def test_the_text_of_a_repeated_note_is_shown_once(likeness: Likeness) -> None:
    note = replace(REPEAT, likeness=likeness, excerpt=TEXT)
    text = words(shown(a_run(step(3, calls=(NOTED,), notes=(note,)))))
    assert "duplicate: repeats n1, " in text
    assert text.count(TEXT) == 1


def test_a_long_text_that_is_repeated_is_shown_once_too() -> None:
    long = "The lock of the second worker is never released again. " * 3
    note = replace(REPEAT, note=Note(text=long), likeness=Likeness.KEY, excerpt=f"{long[:79]}…")
    assert words(shown(a_run(step(3, calls=(NOTED,), notes=(note,))))).count(long[:40]) == 3


def test_another_text_that_a_note_resembles_is_quoted() -> None:
    note = replace(REPEAT, likeness=Likeness.KEY, excerpt="The edit has failed.")
    assert f'repeats n1, the same key: "The edit has failed.": {TEXT}' in words(
        shown(a_run(step(3, calls=(NOTED,), notes=(note,))))
    )


def over(number: int, **fields: object) -> Judged:
    """Return a note that was one too many."""
    given = {"disposition": Disposition.OVER_REVIEW, "record": None, "have": number - 1, "limit": 3, "position": number}
    return replace(NOTE, **(given | fields))


@pytest.mark.parametrize("counted", [True, False])
def test_notes_beyond_a_bound_share_a_row_with_their_numbers(counted: bool) -> None:
    numbers = range(4, 11)
    notes = tuple(over(number if counted else 4, note=Note(text=f"Remark {number}.")) for number in numbers)
    text = words(shown(a_run(step(3, calls=(NOTED,), notes=(NOTE, *notes))), width=120))
    assert "7 notes (concern), over_review: numbers 4 to 10, limit 3, such as: Remark 4." in text
    assert text.count("over_review") == 2  # the row, and the sums
    assert f"concern, admitted as n1: {TEXT}" in text


def test_a_row_of_several_notes_names_all_their_severities() -> None:
    notes = (over(4, severity=Severity.NIT), over(5))
    text = words(shown(a_run(step(3, calls=(NOTED,), notes=notes)), width=120))
    assert f"2 notes (concern, nit), over_review: numbers 4 to 5, limit 3: {TEXT}" in text


def test_repeats_of_the_same_note_share_a_row_and_repeats_of_others_do_not() -> None:
    notes = (REPEAT, REPEAT, replace(REPEAT, matched="n2"))
    text = words(shown(a_run(step(3, calls=(NOTED,), notes=notes)), width=120))
    assert f"2 notes (concern), duplicate: repeats n1, the same text: {TEXT}" in text
    assert f"concern, duplicate: repeats n2, the same text: {TEXT}" in text


def test_notes_below_the_floor_share_a_row_by_their_severity() -> None:
    low = replace(NOTE, disposition=Disposition.RECORDED, record=None, severity=Severity.NIT, have=1, limit=3)
    notes = (low, low, replace(low, severity=Severity.CONCERN, have=2))
    text = words(shown(a_run(step(3, calls=(NOTED,), notes=notes)), width=160))
    assert "2 notes (nit), recorded: below the reviewer's floor, for the host only: a nit, " in text
    assert "concern, recorded: below the reviewer's floor, for the host only: a concern, " in text


def test_admitted_notes_never_share_a_row() -> None:
    text = words(shown(a_run(step(3, calls=(NOTED,), notes=(NOTE, replace(NOTE, record="n2"))))))
    assert "concern, admitted as n1: " in text
    assert "concern, admitted as n2: " in text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"malformed": 1}, "1 entry of the reply is not readable as a note"),
        ({"malformed": 1_200}, "1,200 entries of the reply are not readable as a note"),
        ({"unknown_severities": 2}, "2 notes of unknown severity, taken for a nit"),
    ],
)
def test_what_could_not_be_read_of_a_reply_is_one_line_of_its_review(fields: dict[str, object], said: str) -> None:
    lines = [words(line) for line in shown(a_run(step(3, calls=(replace(NOTED, **fields),)))).splitlines()]
    review = next(place for place, line in enumerate(lines) if line.startswith("checks periodic review"))
    assert lines[review + 1] == said


def test_a_reply_that_was_read_whole_needs_no_such_line() -> None:
    assert "readable" not in shown(a_run(step(3, calls=(NOTED,), notes=(NOTE,))))


def test_what_was_spent_is_one_row_with_the_tokens_and_the_money_of_each_reviewer() -> None:
    paid = replace(NOTED, usage=Usage(input_tokens=1_200, cached_tokens=200, output_tokens=50, cost_usd=0.0123))
    free = replace(QUIET, reviewer="model", usage=Usage(input_tokens=7, output_tokens=1))
    last = [words(line) for line in shown(a_run(step(3, calls=(paid, free))), width=120).splitlines()][-1]
    assert last == (
        "spent checks 1,200 tokens in (200 cached), 50 out, $0.0123; model 7 tokens in, 1 out, cost unknown"
    )


def test_where_nothing_was_spent_there_is_no_such_row() -> None:
    assert rows(shown(a_run(step(3, calls=(NOTED,)))), "spent") == []
    assert "spent" not in shown(a_run(step(3, calls=(NOTED,))))
