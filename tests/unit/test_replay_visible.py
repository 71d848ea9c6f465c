"""Showing recorded text without obeying it."""

from __future__ import annotations

import pytest

from foureyes.replay.visible import cut, one_line, visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("two\nlines", "two\nlines"),
        ("two\r\nlines", "two\nlines"),
        ("a\tb", "a    b"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b31m", "\\x9b31m"),
        ("back\x08space\x7f\x00", "back\\x08space\\x7f\\x00"),
        ("over\rwritten", "over\\rwritten"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("line\u2028end", "line\\u2028end"),
        ("\ud800", "\\ud800"),
        ("no\u00a0break\u3000", "no break "),
        ("née 語 👩\u200d💻", "née 語 👩\u200d💻"),
        ("", ""),
    ],
)
def test_what_a_terminal_could_obey_is_spelled_out(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_one_line_has_no_line_ends_and_single_blanks() -> None:
    assert one_line("  a\n\n b\t\x1bc\u2028d ") == "a b \\x1bc d"


@pytest.mark.parametrize(
    ("text", "limit", "left"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a bcd", 3, "a…"), ("ab", 1, "…"), ("", 1, "")]
)
def test_a_cut_text_says_that_it_was_cut(text: str, limit: int, left: str) -> None:
    assert cut(text, limit) == left
