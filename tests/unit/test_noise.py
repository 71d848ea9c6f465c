"""Noise: only a whole text that says nothing, in any language that reviewers drift into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foureyes.core.noise import is_noise
from foureyes.core.similarity import folded

REFERENCE = """
stop; stop here; stop now; halt; abort; done; task done; task complete; complete; finished; all good; ok; okay; ok done
no issue; no issues; no issue continue; no concerns; no concern; nothing to add; nothing to flag; nothing to report
no notes; no further input; no further input needed; no further advice; no further advice needed; lgtm; looks good
on track; agent on track; agent is on track; continue; carry on; no action needed; no changes needed; okay done
"""


def says_nothing(text: str) -> bool:
    """Tell what the guard would: nothing is left of the text, or nothing but noise."""
    fold = folded(text)
    return not fold or is_noise(fold)


@pytest.mark.parametrize(
    "phrase", [phrase.strip() for phrase in REFERENCE.replace("\n", ";").split(";") if phrase.strip()]
)
def test_every_phrase_of_the_reference_systems_is_noise(phrase: str) -> None:
    assert is_noise(folded(phrase))


@pytest.mark.parametrize(
    "text",
    [
        "Stop.",
        "Done!",
        "No issue; continue.",
        "LGTM",
        "*all good*",
        "Nothing to add.",
        "1) LGTM!!! 👍",
        "> ok",
        "- none",
    ],
)
def test_decoration_does_not_make_noise_a_note(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text", ["<|eos|>", "(silence)", "[no advice]", "Acknowledged.", "Waiting for revision.", "(no output)"]
)
def test_talk_about_silence_is_noise(text: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/9985."""
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "問題なし",
        "没有问题。",
        "Нет замечаний.",
        "RAS",
        "Keine Anmerkungen",
        "Không có vấn đề",
        "이상 없음",
        "Sin problemas.",
    ],
)
def test_noise_is_noise_in_other_languages_too(text: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/9698."""
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["7", "-5", "42 %", "====", "!=", "$", "3.5"])
def test_a_bare_number_or_sign_is_noise(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "LGTM except the lock is released twice",
        "Done flag is set before the write",
        "Stop: this drops prod",
        "Stop: the revenue query sums a filtered and an unfiltered CTE",
        "`rm -rf $D` unquoted",
        "No issue with the parser, but the writer never closes the file",
        "Basically fine, just one thing: the lock leaks",
        "Constructor!",
        "toString",
        "__proto__",
        "Нет проверки ошибки в save()",
        "没有处理超时",
        "Kein Timeout beim Abruf",
        "Off by one.",
        "Not approved by the user yet",
        "None is returned where a tuple is unpacked",
        "x != y",
    ],
)
def test_a_note_that_merely_begins_like_noise_is_none(text: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/8206; words that every object of a language has, too."""
    assert not says_nothing(text)


def test_nothing_at_all_is_empty_and_not_noise() -> None:
    assert not is_noise("")


@pytest.mark.shared
def test_no_finding_of_the_shared_stream_is_taken_for_noise(shared: Path) -> None:
    lines = [json.loads(line) for line in (shared / "cases" / "notes-stream.jsonl").read_text("utf-8").splitlines()]
    findings = [line["note"] for line in lines if line["label"] in {"genuine", "escalation"}]
    assert len(findings) > 50
    assert [text for text in findings if says_nothing(text)] == []


@pytest.mark.shared
def test_the_noise_of_the_shared_stream_is_recognized_but_for_its_counters_made_of_letters(shared: Path) -> None:
    """A text of one to three letters may be a name; floods of those are stopped by bounds that do not read text."""
    lines = [json.loads(line) for line in (shared / "cases" / "notes-stream.jsonl").read_text("utf-8").splitlines()]
    noise = [line["note"] for line in lines if line["label"] == "noise"]
    assert len(noise) > 30
    assert [text for text in noise if not says_nothing(text)] == [
        text for text in noise if text in {"aa", "ab", "zz", "ajb", "m"}
    ]
