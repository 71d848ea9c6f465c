"""Counters: what counts a note is removed before it is compared, and what counts in its finding never is."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.counters import series, uncounted
from foureyes.core.similarity import folded

FINDING = "The migration has no down step."
FOLD = "the migration has no down step"

ENGLISH = """
Third reminder: {}
reminder #12: {}
REMINDER {}
Reminder (7): {}
Reminder number seven: {}
This is reminder number 9. {}
Forty-sixth and FINAL notice: {}
2nd notice: {}
Notice #9 - {}
Warning 3: {}
21st repeat — {}
Twenty-first repeat — {}
Repeat 12 of 46: {}
(7) {}
[3/46] {}
1675. {}
iv. {}
aa) {}
(ajb) {}
THREE: {}
Twelve. {}
FIVE TIMES NOW: {}
for the third time, {}
For the third time: {}
again: {}
Again, {}
once again, {}
Once more: {}
I repeat: {}
I must repeat: {}
Reminding you again: {}
As I said twice already, {}
I have said this twice already: {}
As noted above, {}
As mentioned before: {}
Still unresolved: {}
STILL NOT FIXED!!! {}
FINAL WARNING {}
FINAL WARNING: {}
**FINAL NOTICE** {}
Last warning, {}
THIS IS MY FINAL WARNING! {}
Ultimate, absolute and maximum warning: {}
Attention! This is the third time: {}
Urgent: {}
URGENT!!! {}
[URGENT] {}
P0: {}
[Data reviewer] {}
[Security expert] {}
{}!!1
{}!!!11
{} (again)
{} (third reminder)
{} (repeat)
{} #7
{} (7)
{} As I said twice already.
{} This is my fifth reminder.
{} This is the third time.
{} Final warning!
*** FINAL *** {}
⚠️ Reminder ⚠️ {}
Gentle reminder: {}
One last time: {}
Last chance: {}
ESCALATED: {}
You ignored this: {}
Told you twice: {}
Same as before: {}
Still waiting on this: {}
This has still not been fixed: {}
Please fix this now: {}
MOST IMPORTANT: {}
{} (3rd time)
{} This has not been fixed yet.
{} Still not fixed!
{}, again
third reminder the migration has no down step
as i said before the migration has no down step
{} {}
{} Again: {}
Just a reminder that {low}
Reminder that {low}
This is the fifth time I report that {low}
I have told you five times that {low}
For the 9th time, {low}
I'm repeating this: {}
FYI: {}
Follow-up: {}
Following up: {}
Bumping this. {}
Ping: {}
LAST CALL: {}
Attempt 5: {}
Try #5: {}
Round 5: {}
Take two: {}
Note 5: {}
Note #5 — {}
Update 4: {}
Reminder #1F: {}
twentythird notice: {}
{} (x3)
{} ×3
I must insist: {}
Please note that {low}
Note that {low}
Security reviewer: {}
Reviewer 2: {}
<b>{}</b>
<p><em>{}</em></p>
"""
OTHERS = """
Dritte Erinnerung: {}
Letzte Warnung! {}
Nochmals: {}
Wie schon gesagt: {}
Zum fünften Mal: {}
Siebenundvierzigste Erinnerung: {}
Troisième rappel : {}
Rappel n° 4 : {}
Dernier avertissement : {}
Comme je l'ai déjà dit, {}
Pour la troisième fois : {}
Tercer recordatorio: {}
Último aviso: {}
Como ya dije: {}
Por tercera vez: {}
Terceiro lembrete: {}
Pela terceira vez: {}
Третье напоминание: {}
Напоминание №7: {}
Последнее предупреждение: {}
Ещё раз: {}
第三次提醒：{}
最后警告：{}
再次提醒：{}
3回目のリマインド：{}
再度：{}
最後の警告：{}
तीसरी चेतावनी: {}
अंतिम चेतावनी: {}
다시 한번: {}
세 번째 알림: {}
Trzecie przypomnienie: {}
Üçüncü hatırlatma: {}
Tredje påminnelsen: {}
Muistutus: {}
Υπενθύμιση: {}
"""


@pytest.mark.parametrize("lead", [*ENGLISH.strip().splitlines(), *OTHERS.strip().splitlines()])
def test_what_counts_or_presses_the_note_is_removed(lead: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/11845 and https://github.com/can1357/oh-my-pi/issues/12917."""
    low = FINDING[0].lower() + FINDING[1:]
    assert uncounted(lead.replace("{}", FINDING).replace("{low}", low)) == FOLD


@pytest.mark.parametrize(
    "text",
    [
        "Row 3: the value is wrong",
        "Step 2: fails",
        "Step 2 fails",
        "third argument: is unused",
        "Third argument is unused",
        "Second reminder e-mail is sent although the invoice is paid",
        "Second reminder e-mail goes out on a Sunday.",
        "Final build uses debug flags",
        "Third migration in the chain has no down step.",
        "404: page handler is missing",
        "42: missing null check",
        "HTTP 429 is retried 3 times",
        "First, second and third rows are lost",
        "The request is sent twice",
        "x: is never used",
        "CI: the job fails",
        "Log levels are info, debug, warning",
        "The warning is never shown: users miss it",
        "Before the migration runs, the table is dropped",
        "Still images are not compressed",
        "Turn 7: rm -rf ran",
        "v2: lacks auth",
        "Too many arguments (7)",
        "error code 7",
        "go.mod requires a pre-release, v0.9.0-rc.1.",
        "Last row: sum is missing",
        "The last notice is sent late",
        "One of the locks is never released.",
        "Last but not least, the cache key ignores the tenant",
        "1. Rollback is missing. 2. The lock time-out is one hour.",
        "Please note the price is wrong",
        "You ignored the user's request for a list",
        "Same key is used twice",
        "One of two locks is still open when the handler returns",
        "The door is closed. The window is still open.",
        "Very slow: the query scans the table",
        "Third-party reviewer is named as an author",
        "Alert 12 has no owner.",
        "Warning 3 is the wrong level.",
        "Notice 7 has a typo.",
        "Second reminder has no unsubscribe link.",
        "Reminder 2 has the wrong date.",
        "P1 alert has no runbook.",
        "Aviso 3 no tiene destino.",
        "Avertissement 3 n'a pas de niveau.",
        "Exit code was wrong! 1",
        "Port is wrong. 8080",
        "[3] is out of range",
        "[3] isn't checked",
        "xi: is not bound",
        "Reminder that expires is shown twice",
        "Step 5: the lock leaks",
        "Missing reviewer: the change was merged",
        "Retry attempt 5: the lock leaks",
        "The icon is scaled (x3)",
        "Note 5 lacks a date",
        "Reviewer 2 is not named",
        "Data quality: the sum is wrong",
    ],
)
def test_a_number_or_reminder_that_belongs_to_the_finding_stays(text: str) -> None:
    assert uncounted(text) == folded(text)


@pytest.mark.parametrize("rows", [("Row 3 is lost", "Row 4 is lost"), ("Retry 3 times", "Retry 5 times")])
def test_two_findings_that_differ_in_a_number_stay_two_behind_a_counter(rows: tuple[str, str]) -> None:
    assert len({uncounted(f"{word} reminder: {row}") for word, row in product(("Third", "Ninth"), rows)}) == 2


ORDINALS = st.sampled_from(
    [
        "first",
        "second",
        "third",
        "seventh",
        "twelfth",
        "thirteenth",
        "twentieth",
        "forty-sixth",
        "ninety-ninth",
        "4th",
        "22nd",
    ]
)


@given(
    ORDINALS, st.sampled_from(["{} and FINAL notice: ", "{} reminder - ", "{} time: ", "({} repeat) "]), st.booleans()
)
def test_whatever_the_number_of_the_reminder_it_is_the_same_note(ordinal: str, lead: str, shouted: bool) -> None:
    text = lead.format(ordinal) + FINDING
    assert uncounted(text.upper() if shouted else text) == FOLD


PIECES = st.lists(
    st.sampled_from(
        [
            "Third",
            "reminder",
            ":",
            ", ",
            "again",
            "(7)",
            " ",
            "FINAL",
            "notice",
            "the",
            "cache",
            "row",
            "3",
            "!",
            ". ",
            "as",
            "I",
            "said",
            "\n",
            "- ",
            "x",
            "not",
            "fixed",
            "still",
            "第三次提醒",
            "：",
            "#12",
            "iv.",
            "twice",
        ]
    ),
    max_size=14,
)


@given(st.one_of(PIECES.map(" ".join), PIECES.map("".join), st.text(max_size=40)))
def test_removing_counters_twice_is_removing_them_once(text: str) -> None:
    once = uncounted(text)
    assert uncounted(once) == once
    assert folded(once) == once


@given(st.one_of(PIECES.map(" ".join), st.text(max_size=40)))
def test_only_an_empty_text_is_empty_without_its_counters(text: str) -> None:
    assert bool(uncounted(text)) == bool(folded(text))


def test_a_fold_that_is_known_need_not_be_made_again() -> None:
    text = f"Third reminder: {FINDING}"
    assert uncounted(text, folded(text)) == uncounted(text)


# --- nothing but a counter ---


def base26(length: int) -> list[str]:
    return ["".join(letters) for letters in product(ascii_lowercase, repeat=length)]


def test_nearly_every_number_in_base_26_is_a_place_in_a_series() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/11888: "a" to "ajb", each a blocker."""
    words = [word for length in (1, 2, 3) for word in base26(length)]
    assert len([word for word in words if not series(word)]) < 30, "but for the names of defects"


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "m",
        "aa",
        "zz",
        "ajb",
        "7",
        "1675",
        "0x1f",
        "1a",
        "xlvi",
        "forty-five",
        "FORTY SIX",
        "third",
        "#7",
        "(7)",
        "iv.",
        "٧",
        "४२",
        "九",
        "四十五",
        "第三次",
        "siebenundvierzig",
        "quarante-six",
        "Third reminder",
        "FINAL WARNING",
        "reminder #12",
        "As I said.",
        "Still not fixed.",
        "Again!",
        "третье напоминание",
        "0b101",
        "000A",
        "4th",
        "aabz",
        "Item 7",
        "Note #7",
        "attempt 7",
        "FINAL NOTICE 7",
        "fourth reminder",
        "eins",
        "а",
        "аб",
        "β",
        "い",
        "나",
        "१२",
        "This is my third reminder.",
        "As mentioned before.",
        "This has not been fixed yet.",
    ],
)
def test_a_counter_in_any_base_or_script_is_a_place_in_a_series(text: str) -> None:
    assert series(folded(text))


@pytest.mark.parametrize(
    "text",
    [
        "OOM",
        "XSS",
        "N+1",
        "typo",
        "race",
        "x < 5",
        "off by one",
        "死锁",
        "no rollback",
        "not fixed",
        "row 3",
        "third row",
        "rm -rf",
        "final build",
        "DoS",
        "SQL?",
        "MD5",
        "dead",
        "死",
        "バグ",
        "오류",
        "Warning is not raised.",
        "The final warning is repeated twice.",
        "Alert not raised.",
        "Warnings ignored.",
        "Severity is not final.",
        "Two and not three.",
        "max 5, not 7",
    ],
)
def test_the_shortest_findings_are_no_counters(text: str) -> None:
    assert not series(folded(text))


@pytest.mark.shared
def test_every_counted_repeat_of_the_shared_stream_is_known_again(shared: Path) -> None:
    lines = [json.loads(line) for line in (shared / "cases" / "notes-stream.jsonl").read_text("utf-8").splitlines()]
    known = {uncounted(line["note"]) for line in lines if line["label"] in {"genuine", "escalation"}}
    counted = [
        line for line in lines if "counter" in line["why"] or "reminder" in line["why"] or "repeat" in line["why"]
    ]
    repeats = [line["note"] for line in counted if line["label"].startswith("duplicate")]
    assert len(repeats) > 2
    assert [note for note in repeats if uncounted(note) not in known] == []
