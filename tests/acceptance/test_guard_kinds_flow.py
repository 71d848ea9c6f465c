"""Findings of one form, and one finding in many forms, through a real session: what is told, held and listed."""

from __future__ import annotations

import pytest

from foureyes.core.facts import Note
from foureyes.core.guard import Limits
from foureyes.core.words import Disposition, Severity
from foureyes.testing import note

from .guarded import reviews

pytestmark = pytest.mark.anyio

FORMS = {
    "The answer gives the wrong {}.": ("year", "city", "price", "author", "unit"),
    "The agent did not {}.": ("run the tests", "read the error", "ask the user", "save the file", "follow the plan"),
    "parse() ignores {}.": ("the encoding", "the last line", "quoted commas", "blank lines", "the header"),
    "retry() {}.": ("retries for ever", "never waits", "hides the last error", "retries on 404, too", "is not tested"),
    "The index on orders.customer_id is {}.": ("missing", "duplicated", "unused", "too wide", "corrupted"),
    "The order form has no {}.": ("label", "check for the zip code", "error message", "submit button", "CSRF token"),
    "Test for the {}.": ("empty cart is missing", "full cart is flaky", "old cart is skipped", "shared cart is slow"),
    "Le champ nom {}.": ("est vide", "est trop long", "est affiché deux fois", "n'est pas enregistré"),
    "Das Feld Preis {}.": ("ist leer", "ist zu lang", "wird doppelt angezeigt", "ist schreibgeschützt"),
    "价格字段{}。": ("为空", "太长", "显示两次", "没有保存", "不能编辑"),
}
"""What findings about one place have in common, and what is wrong there."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("at_once", [False, True], ids=["one a review", "in one review"])
async def test_findings_of_one_form_are_all_told(form: str, at_once: bool) -> None:
    notes = [note(form.format(wrong)) for wrong in FORMS[form]]
    saw = await reviews([notes] if at_once else [[one] for one in notes])
    assert sorted(text for texts in saw.read for text in texts) == sorted(one.text for one in notes)
    assert not any("muted" in guidance.progress for guidance in saw.guidances)


BASE = "The migration drops column billing_email before the backfill job has copied it."


async def test_a_repeat_under_ever_other_headings_does_not_silence_what_comes_after() -> None:
    headings = ("Follow-up", "Ping", "Attempt 5", "Note 6")
    last = "The export leaks the API token in its log."
    saw = await reviews([[note(text)] for text in (BASE, *(f"{heading}: {BASE}" for heading in headings), last)])
    assert saw.read[5] == [last]


async def test_everything_that_was_admitted_is_told_or_listed_and_the_rest_is_said_to_be_withheld() -> None:
    places = {"alpha": "paris", "beta": "rome", "gamma": "oslo", "delta": "bern", "omega": "kyiv"}
    said = [note(f"{name} is stale in {place}.") for name, place in places.items()]
    saw = await reviews([said], max_notes=4, limits=Limits(notes_per_boundary=2, notes_per_request=3))
    assert saw.read == [[said[0].text, said[1].text], []]
    assert saw.listed == [said[2].text, said[3].text]
    assert [one.note for one in saw.judged if one.disposition is Disposition.OVER_REVIEW] == said[4:]
    assert saw.guidances[0].progress == "one: 2 concerns; passed on to the agent; 1 more withheld"


async def test_a_short_blocker_is_told_however_much_was_written_before_it() -> None:
    long = [Note(text=f"{name}: " + "more and more of it, " * 380, severity=Severity.NIT) for name in "abcdefghi"]
    saw = await reviews([[*long, note("All rows are deleted.", Severity.BLOCKER)]])
    assert saw.read[0][0] == "All rows are deleted."
