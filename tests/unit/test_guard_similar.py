"""Notes that resemble what the agent has been told: flagged, ranked last, held after the first, and never dropped."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from foureyes.core import ledger
from foureyes.core.chains import RUN
from foureyes.core.config import ReviewerConfig
from foureyes.core.delivery import waiting
from foureyes.core.facts import Anchor, Note
from foureyes.core.gate import RELATED_SENT
from foureyes.core.guard import HELD_IN_A_ROW, Guarded, Limits, Raised, admitted, questions
from foureyes.core.judged import Opinion
from foureyes.core.state import NoteStatus, SessionState
from foureyes.core.words import Answer, Disposition, Likeness, MuteReason, Severity, Trigger

from .builders import (
    BLOCKER,
    CONCERN,
    NIT,
    UNBOUNDED,
    config,
    dispositions,
    fresh,
    judged,
    note,
    progress,
    sent_at_once,
)

ADMITTED, HELD = Disposition.ADMITTED, Disposition.HELD_SIMILAR
DUPLICATE, MERGED = Disposition.DUPLICATE, Disposition.MERGED

CACHE = [
    "The token cache is never cleared after logout.",
    "After logout the token cache is never cleared.",
    "Never cleared after logout: the token cache.",
    "The cache token is never cleared after logout.",
    "After the logout, the cleared token cache is never there.",
]
"""One finding in the same content words, five ways."""
OTHER = "Rounding happens before tax, so totals drift by a cent."
OTHERS = [
    OTHER,
    "The lock file is never removed.",
    "An empty CSV counts as a success.",
    "`tmp` is a poor name for a width.",
    "Daylight saving time shifts each reminder by an hour.",
    "Two threads write into one buffer.",
    "Printing a label takes the wrong tray.",
    "A negative quantity is accepted at checkout.",
    "Old thumbnails pile up on disk.",
    "The map opens over the sea for addresses abroad.",
    "Retries are counted per host instead of per URL.",
    "Sorting ignores accents.",
]
THIRD = "Nobody closes the socket when the handshake fails."


def told(*batches: list[Note], state: SessionState | None = None) -> tuple[SessionState, list[Guarded]]:
    """Return the state and what became of the notes, one review each, every advisory taken at once."""
    reviewer = config(max_notes=32)
    state, found = state or fresh(reviewer), []
    for turn, batch in enumerate(batches, start=state.turn + 1):
        state, guarded = judged(state, [reviewer], {"correctness": batch}, turn=turn, limits=UNBOUNDED)
        state = replace(sent(state), turn=turn)
        found.append(guarded)
    return state, found


def sent(state: SessionState) -> SessionState:
    """Return the state in which everything for the agent has been sent."""
    notes = {key: one if one.host_only else replace(one, status=NoteStatus.SENT) for key, one in state.notes.items()}
    return replace(state, notes=notes)


def fates(found: list[Guarded]) -> list[Disposition]:
    return [one for guarded in found for one in dispositions(guarded)]


def test_a_note_that_resembles_an_earlier_one_is_flagged_and_still_admitted() -> None:
    state, found = told([note(CACHE[0])], [note(CACHE[1])])
    [one] = found[1].judged
    assert (one.disposition, one.likeness, one.matched, one.similar) == (ADMITTED, Likeness.WORDS, "n1", "n1")
    assert one.overlap is not None
    assert 0 < one.overlap <= 1
    assert (state.notes["n2"].similar_to, state.notes["n2"].similar_text) == ("n1", CACHE[0])


def test_one_that_resembles_nothing_is_not_flagged() -> None:
    state, found = told([note(CACHE[0])], [note(OTHER)])
    assert [one.similar for guarded in found for one in guarded.judged] == [None, None]
    assert state.notes["n2"].similar_to is None


def test_of_the_flagged_notes_of_a_finding_one_is_sent_and_the_others_are_kept_for_the_host() -> None:
    state, found = told(*([note(text)] for text in CACHE[:4]))
    assert fates(found) == [ADMITTED, ADMITTED, HELD, HELD]
    assert [one.host_only for one in state.notes.values()] == [False, False, True, True]
    assert [one.text for one in state.notes.values()] == CACHE[:4], "nothing is lost"
    assert state.admitted == 2


def test_each_finding_has_a_flagged_note_of_its_own() -> None:
    drift = [
        "Before tax rounding happens, so totals drift by a cent.",
        "So totals drift by a cent: rounding before tax happens.",
    ]
    _, found = told([note(CACHE[0]), note(OTHER)], [note(CACHE[1])], [note(drift[0])], [note(drift[1])])
    assert fates(found) == [ADMITTED, ADMITTED, ADMITTED, ADMITTED, HELD]


def test_the_next_request_has_a_flagged_note_of_its_own() -> None:
    state, _ = told(*([note(text)] for text in CACHE[:3]))
    _, found = told([note(CACHE[3])], [note(CACHE[2])], state=ledger.new_request(state, "And now this."))
    assert fates(found) == [ADMITTED, HELD]


def test_a_strictly_higher_severity_passes_once_in_other_words_too() -> None:
    severities = [NIT, NIT, CONCERN, CONCERN]
    _, found = told(*([note(text, level)] for text, level in zip(CACHE, severities, strict=False)))
    assert fates(found) == [ADMITTED, ADMITTED, ADMITTED, HELD]
    assert [one.risen for guarded in found for one in guarded.judged] == [False, False, True, False]


def test_what_is_held_is_not_remembered_and_what_is_held_twice_is_listed_once() -> None:
    state, found = told(*([note(text)] for text in [*CACHE[:3], CACHE[2]]))
    assert fates(found) == [ADMITTED, ADMITTED, HELD, DUPLICATE]
    assert found[3].judged[0].matched == "n3"
    remembered = {entry.note for _, entry in progress(state).history.slots()}
    assert remembered == {"n1", "n2"}


def test_what_was_held_in_one_request_may_be_said_in_the_next() -> None:
    state, _ = told(*([note(text)] for text in CACHE[:3]))
    _, found = told([note(CACHE[2])], state=ledger.new_request(state, "Next."))
    assert fates(found) == [ADMITTED]


def test_the_flagged_note_never_takes_the_place_of_another_in_a_review() -> None:
    state, _ = told([note(CACHE[0])])
    reviewer = config(max_notes=1)
    _, guarded = judged(state, [reviewer], {"correctness": [note(CACHE[1]), note(OTHER)]}, turn=2)
    assert dispositions(guarded) == [Disposition.OVER_REVIEW, ADMITTED]


def test_a_held_note_costs_no_note_of_the_boundary_or_the_request() -> None:
    state, _ = told([note(CACHE[0])], [note(CACHE[1])])
    limits = Limits(notes_per_boundary=1, notes_per_request=3)
    _, guarded = judged(state, [config()], {"correctness": [note(CACHE[2]), note(OTHER)]}, turn=3, limits=limits)
    assert dispositions(guarded) == [HELD, ADMITTED]


def test_a_held_note_costs_nothing_to_any_of_those_who_raised_it() -> None:
    state, _ = told([note(CACHE[0])], [note(CACHE[1])])
    same = [note(CACHE[2])]
    _, guarded = judged(ledger.fitted(state, PAIR), PAIR, {"correctness": same, "scope": same}, turn=3)
    assert {name: run.spoken for name, run in guarded.runs.items()} == {"correctness": 0, "scope": 0}
    assert [record.reviewers for record in guarded.records] == [("correctness", "scope")]


# --- last in the queue ---


def queued(*notes: Note) -> list[str]:
    """Return the order in which the notes of a second review are handed over."""
    state, _ = told([note(CACHE[0])])
    state, _ = judged(state, [config(max_notes=32)], {"correctness": list(notes)}, turn=2, limits=UNBOUNDED)
    return [one.text for one in waiting(state)]


def test_a_flagged_note_comes_after_weaker_ones_that_resemble_nothing() -> None:
    assert queued(note(CACHE[1]), note(OTHER, NIT)) == [OTHER, CACHE[1]]


def test_a_flagged_note_that_has_risen_does_not_wait_for_weaker_ones() -> None:
    assert queued(note(OTHER, NIT), note(THIRD), note(CACHE[1], BLOCKER)) == [CACHE[1], THIRD, OTHER]


# --- keys ---


@pytest.mark.parametrize(
    ("first", "second", "flagged"), [("a", "b", False), ("a", None, True), (None, "b", True), ("...", "b", True)]
)
def test_another_declared_key_is_another_finding_whatever_the_words(
    first: str | None, second: str | None, flagged: bool
) -> None:
    _, found = told([note(CACHE[0], key=first)], [note(CACHE[1], key=second)])
    assert fates(found) == [ADMITTED, ADMITTED]
    assert (found[1].judged[0].similar is not None) is flagged


def test_the_same_declared_key_is_the_same_finding_whatever_the_words() -> None:
    _, found = told([note(CACHE[0], key="cache")], [note(OTHER, key="cache")])
    assert fates(found) == [ADMITTED, DUPLICATE]
    assert found[1].judged[0].likeness is Likeness.KEY


# --- at one boundary ---

PAIR = [config("correctness"), config("scope")]


def together(notes: dict[str, list[Note]], configs: list[ReviewerConfig] = PAIR) -> Guarded:
    return judged(fresh(*configs), configs, notes, limits=UNBOUNDED)[1]


def test_two_reviewers_who_say_one_thing_two_ways_are_both_heard_and_one_of_them_is_flagged() -> None:
    guarded = together({"correctness": [note(CACHE[0])], "scope": [note(CACHE[1])]})
    assert sorted(one.disposition for one in guarded.judged) == [ADMITTED, ADMITTED]
    assert sum(one.similar is not None for one in guarded.judged) == 1


HERE = Anchor(turn=3, path="auth.py")


def test_at_the_same_declared_place_the_same_gist_of_two_reviewers_is_one_note_with_both_names() -> None:
    guarded = together(
        {"correctness": [note(CACHE[0], NIT, anchor=HERE)], "scope": [note(CACHE[1], BLOCKER, anchor=HERE)]}
    )
    [record] = guarded.records
    assert (record.reviewers, record.severity, record.text) == (("correctness", "scope"), BLOCKER, CACHE[1])
    assert [one.likeness for one in guarded.judged if one.disposition is MERGED] == [Likeness.PLACE]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (note(CACHE[0], anchor=HERE), note(CACHE[1], anchor=Anchor(turn=3, path="users.py"))),
        (note(CACHE[0], anchor=HERE), note(CACHE[1])),
        (note(CACHE[0], anchor=Anchor()), note(CACHE[1], anchor=Anchor())),
        (note(CACHE[0], anchor=HERE), note(OTHER, anchor=HERE)),
        (note("The time-out is 30.", anchor=HERE), note("The time-out is 300.", anchor=HERE)),
        (note(CACHE[0], anchor=HERE, key="a"), note(CACHE[1], anchor=HERE, key="b")),
    ],
    ids=["another place", "no place", "nothing declared", "another gist", "another number", "another key"],
)
def test_notes_of_two_reviewers_are_not_merged_for_less(first: Note, second: Note) -> None:
    guarded = together({"correctness": [first], "scope": [second]})
    assert [one.disposition for one in guarded.judged] == [ADMITTED, ADMITTED]


def test_a_reviewer_does_not_merge_with_itself() -> None:
    guarded = together({"correctness": [note(CACHE[0], anchor=HERE), note(CACHE[1], anchor=HERE)]})
    assert dispositions(guarded) == [ADMITTED, ADMITTED]
    assert guarded.judged[1].likeness is Likeness.WORDS


def test_five_ways_to_say_one_thing_give_the_same_notes_whoever_says_which() -> None:
    names = ("a", "b", "c", "d")
    configs = [config(name) for name in names]
    results = set()
    for order in permutations(CACHE[:4]):
        guarded = together({name: [note(text)] for name, text in zip(names, order, strict=True)}, configs)
        results.add(frozenset((one.note.text, one.disposition, one.overlap) for one in guarded.judged))
    [result] = results
    assert sorted(disposition for _, disposition, _ in result) == [ADMITTED, ADMITTED, HELD, HELD]


# --- compaction, and what comes back ---


def test_after_a_compaction_nothing_resembles_what_the_agent_no_longer_sees() -> None:
    state, _ = told(*([note(text)] for text in CACHE[:3]))
    state = ledger.compacted(state)
    assert progress(state).held == 0
    _, found = told([note(CACHE[0])], [note(CACHE[1])], state=state)
    assert fates(found) == [ADMITTED, ADMITTED]
    assert [one.similar for guarded in found for one in guarded.judged] == [None, found[0].records[0].id]


def test_going_back_before_a_compaction_lets_notes_be_compared_again() -> None:
    state, _ = told(*([note(text)] for text in (OTHER, THIRD, CACHE[0])))
    state = ledger.rewound(ledger.compacted(state), 1)
    assert state.compacted_at == 1


# --- mutes ---


def muted_after(said: list[Note]) -> list[int]:
    """Return after which notes, one a review, their reviewer was muted; the first note is number 1."""
    _, found = told(*([one] for one in said))
    return [place for place, guarded in enumerate(found, start=1) if guarded.muted]


def test_three_held_notes_in_a_row_mute_the_later_reviews_of_the_request() -> None:
    state, found = told(*([note(text)] for text in CACHE))
    assert [len(guarded.muted) for guarded in found] == [0, 0, 0, 0, 1]
    [mute] = found[4].muted
    assert (mute.reviewer, mute.reason) == ("correctness", MuteReason.SIMILAR)
    assert (mute.have, mute.limit) == (3, HELD_IN_A_ROW)
    assert mute.explain() == "muted for the rest of this request: 3 held notes in a row, limit 3"
    assert progress(state).muted
    refilled = progress(ledger.new_request(state, "Next."))
    assert (refilled.muted, refilled.held) == (False, 0)


def test_a_note_that_resembles_nothing_ends_the_run() -> None:
    assert muted_after([note(text) for text in [*CACHE[:4], OTHER, CACHE[4]]]) == []


@pytest.mark.parametrize("between", ["LGTM", CACHE[0], OTHER, ""])
def test_whatever_else_is_said_between_ends_the_run(between: str) -> None:
    assert muted_after([note(text) for text in [*CACHE[:4], between, CACHE[4]]]) == []


def test_three_held_notes_in_one_review_are_a_run_whatever_else_it_says() -> None:
    _, found = told([note(CACHE[0])], [note(text) for text in [*CACHE[1:], OTHER, "LGTM"]])
    assert [mute.have for mute in found[1].muted] == [3]


def test_notes_that_have_risen_are_no_part_of_the_run() -> None:
    state, _ = told(*([one] for one in (note(CACHE[0], NIT), note(CACHE[1], CONCERN), note(CACHE[2], BLOCKER))))
    assert progress(state).held == 0


VAGUE = [
    "The session cookie is sent without the secure flag.",
    "The cookie of a session misses the flag, so that a proxy in the middle of the network can read it at leisure.",
    "Anybody who listens on the network reads a session, because its cookie is sent in the clear by the login page.",
    "A secure cookie was asked for in the ticket and the login page of the shop does not send one to the browser.",
    "For want of a flag the cookie travels in the clear from the shop to the browser and may be read on the network.",
    "On the network the cookie may be read, as the login page of the shop asks the browser for no flag of its own.",
]
"""One finding, told six times in words of which they share less than half."""


def test_related_notes_that_each_say_something_new_are_sent() -> None:
    _, found = told(*([note(text)] for text in VAGUE))
    flagged = [one.similar is not None for guarded in found for one in guarded.judged]
    assert flagged == [False, True, True, True, True, True]
    assert HELD not in fates(found)[: 1 + RUN]
    assert all(not guarded.muted for guarded in found)


ONE_PLACE = [
    [
        f"The index on orders.customer_id is {wrong}."
        for wrong in ("missing", "duplicated", "unused", "too wide", "stale")
    ],
    [f"The German text is {wrong}." for wrong in ("missing", "wrong", "cut off", "untranslated", "shown twice")],
    [
        f"The timeout in fetch() is {wrong}."
        for wrong in ("missing", "too long", "ignored", "never reset", "in minutes")
    ],
    [f"README {wrong} the install step." for wrong in ("lacks", "misspells", "repeats", "hides", "contradicts")],
    [f"The order form has no {part}." for part in ("label", "zip code check", "error message", "button", "CSRF token")],
    [
        "The user asked for a window seat; the aisle was booked.",
        "The user asked for a vegetarian meal; none was booked.",
        "The user asked for one bag; two were booked.",
        "The user asked for a morning flight; the evening one was booked.",
        "The user asked for a refundable fare; a cheaper one was booked.",
    ],
    [
        "The deploy script does not stop on errors.",
        "The deploy script does not check the branch.",
        "The deploy script does not back up the database.",
        "The deploy script prints the password.",
        "The deploy script runs as root.",
    ],
]
"""Five findings about one place, in much the same words."""


@pytest.mark.parametrize("texts", ONE_PLACE, ids=lambda texts: texts[0])
def test_findings_about_one_place_are_all_sent_and_do_not_mute_their_reviewer(texts: list[str]) -> None:
    for found in (told(*([note(text)] for text in texts))[1], told([note(text) for text in texts])[1]):
        assert fates(found) == [ADMITTED] * 5
        assert all(not guarded.muted for guarded in found)


FORM = [
    f"The index on orders.customer_id is {wrong}."
    for wrong in ("missing", "duplicated", "unused", "too wide", "stale", "corrupt", "disabled", "locked", "renamed")
]


def test_of_a_form_that_goes_on_and_on_five_notes_are_sent_and_its_reviewer_is_not_muted() -> None:
    _, found = told(*([note(text)] for text in FORM))
    assert fates(found) == [ADMITTED] * (1 + RUN) + [HELD] * 4
    assert all(not guarded.muted for guarded in found)
    assert found[5].judged[0].explain().endswith("; number 5, limit 4")


def test_a_note_that_is_mostly_new_is_sent_even_where_a_form_goes_on() -> None:
    _, found = told(*([note(text)] for text in [*FORM[:6], "The index on orders locks every writer for minutes."]))
    assert fates(found)[5:] == [HELD, ADMITTED]


def test_the_form_may_be_taken_up_again_after_something_else() -> None:
    _, found = told(*([note(text)] for text in [*FORM[:5], OTHER, *FORM[5:]]))
    assert HELD not in fates(found)


REWORDED = [
    "Nobody checks the licence key before the installer copies the files.",
    "The licence key is not checked by anybody before the files are copied by the installer.",
    "The installer starts to copy files, and before that nobody checks the key of the licence.",
    "The check of the licence key is missing before the installer copies files.",
    "To be clear, nobody checks the licence key before the installer copies the files.",
]


def test_what_says_hardly_anything_new_is_held_after_two_flagged_notes_in_a_row() -> None:
    _, found = told(*([note(text)] for text in REWORDED))
    assert fates(found) == [ADMITTED] * (1 + RELATED_SENT) + [HELD] * 2
    assert found[3].judged[0].explain().endswith("; number 3, limit 2")


@pytest.mark.parametrize(
    ("earlier", "other", "flagged"),
    [
        (["Row 3 of the TSV is skipped.", "Step 2 of the plan was skipped."], "Step 3 of the plan was skipped.", False),
        (["Row 3 of the TSV is skipped."], "Row 3 of the TSV file is skipped.", True),
    ],
)
def test_a_note_told_apart_from_a_closer_one_of_its_form_resembles_none_of_them(
    earlier: list[str], other: str, flagged: bool
) -> None:
    _, found = told(*([note(text)] for text in earlier), [note(other)])
    assert (found[-1].judged[0].similar is not None) is flagged


def test_related_notes_are_sent_where_they_do_not_close_upon_each_other() -> None:
    fillers = iter(OTHERS)
    said = [text for one in VAGUE for text in (one, next(fillers), next(fillers))]
    _, found = told(*([note(text)] for text in said))
    assert HELD not in fates(found)


def test_held_notes_cost_no_note_of_the_review_and_are_as_many_at_most() -> None:
    state, _ = told([note(CACHE[0])], [note(CACHE[1])])
    said = [note(OTHER), *(note(text) for text in CACHE[2:])]
    _, guarded = judged(state, [config(max_notes=2)], {"correctness": said}, turn=3)
    assert dispositions(guarded) == [ADMITTED, HELD, HELD, Disposition.OVER_REVIEW]
    assert guarded.judged[3].explain() == "over_review: number 3, limit 2"


# --- what is said of it ---


def test_a_flagged_note_explains_itself_with_the_share_and_the_note_it_resembles() -> None:
    _, found = told(*([note(text)] for text in CACHE[:3]))
    [sent_one], [held] = found[1].judged, found[2].judged
    share = f"{sent_one.overlap:.0%} of the shorter in common"
    assert sent_one.explain() == f'admitted: resembles n1, {share}: "{CACHE[0]}"'
    assert held.explain().startswith("held_similar: resembles n")
    assert held.explain().endswith("; number 2, limit 1")


@pytest.mark.parametrize("level", Severity)
def test_what_is_said_of_a_repeat_names_rule_and_note(level: Severity) -> None:
    _, found = told([note("The lock leaks.", level)], [note("Third reminder: the lock leaks.", level)])
    [one] = found[1].judged
    assert one.explain() == 'duplicate: repeats n1, the same text but for what counts it: "The lock leaks."'


def test_a_long_note_is_quoted_by_its_beginning() -> None:
    long = "The handshake of the second socket is retried for ever, " * 3
    _, found = told([note(long)], [note(long)])
    [one] = found[1].judged
    assert len(one.excerpt) == 80
    assert long.startswith(one.excerpt[:-1])


def test_the_agent_is_told_what_a_note_resembles() -> None:
    state, _ = told([note(CACHE[0])], [note(CACHE[1])])
    assert sent_at_once(state).notes["n2"].similar_text == CACHE[0]


# --- a judge ---


def opinion(guarded: Guarded, state: SessionState, answer: Answer) -> list[Opinion]:
    """Return a judge's answer to every question about these notes."""
    return [Opinion(question=question, answer=answer) for question in questions(state, guarded)]


@pytest.mark.parametrize(("answer", "expected"), [(Answer.SAME, HELD), (Answer.DIFFERENT, ADMITTED), (None, ADMITTED)])
def test_what_a_judge_takes_for_one_finding_is_held_however_little_the_notes_share(
    answer: Answer | None, expected: Disposition
) -> None:
    one, state, found = config(), fresh(config()), []
    for turn, text in enumerate(VAGUE[:3], start=1):
        raised = [Raised(reviewer="correctness", trigger=Trigger.PERIODIC, notes=(note(text),))]
        asked = admitted([one], state, raised, turn, UNBOUNDED)
        said = opinion(asked, state, answer) if answer else []
        guarded = admitted([one], state, raised, turn, UNBOUNDED, said)
        state, found = sent(ledger.noted(state, guarded)), [*found, guarded]
    assert fates(found) == [ADMITTED, ADMITTED, expected]
    assert [one.answer for guarded in found for one in guarded.judged] == [None, answer, answer]


def test_a_judge_is_asked_with_the_texts_that_the_agent_reads() -> None:
    long = CACHE[0] + " It is kept for as long as the process lives." * 60
    state, _ = told([note(CACHE[0])])
    _, guarded = judged(state, [config()], {"correctness": [note(f"  {long}")]}, turn=2)
    [question] = questions(state, guarded)
    assert (question.matched, question.earlier) == ("n1", CACHE[0])
    assert question.text == long[:2_000]
