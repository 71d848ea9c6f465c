"""Signs: what tells two notes of the same words apart, and what is merely layout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.counters import uncounted
from foureyes.core.signs import signs


def told(text: str) -> tuple[str, str]:
    """Return what the guard identifies a text by."""
    bare = uncounted(text)
    return bare, signs(text, bare)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The total should be a + b.", "The total should be a - b."),
        ("i + 1 is read, i is meant.", "i - 1 is read, i is meant."),
        ("A + B - C is the sum.", "A - B + C is the sum."),
        ("Use && instead of ||.", "Use || instead of &&."),
        ("`rm -rf .` is run.", "`rm -rf /` is run."),
        ("Writes to ./tmp.", "Writes to /tmp."),
        ("Data flows A → B.", "Data flows A ← B."),
        ("Status shows ✅, should be ❌.", "Status shows ❌, should be ✅."),
        ("user_id is wrong", "user.id is wrong"),
        ("^1.2 is pinned", "~1.2 is pinned"),
        ("Use [] not ().", "Use () not []."),
        ("Missing ) in f", "Missing } in f"),
        ("Rh+ is stored.", "Rh- is stored."),
        ("a / b overflows", "a * b overflows"),
        ("**kw is lost", "*kw is lost"),
        ("_value is read", "value is read"),
        (".env is committed", "env is committed"),
    ],
)
def test_a_sign_between_or_inside_words_keeps_two_notes_apart(one: str, other: str) -> None:
    assert told(one) != told(other)
    assert told(f"Third reminder: {one}") == told(one), "whatever counts the note"


@pytest.mark.parametrize(
    "text",
    [
        "1) The cache never expires",
        "* The cache never expires",
        "> **The cache** never expires",
        "The *cache* — never - expires!",
        "The __cache__ `never` ~~expires~~",
        "**  The   cache\nnever expires\n**",
        "**The cache never** *expires*.",
        "**- The cache never expires**",
        "**> The cache never expires.**",
        "🚨 THE CACHE NEVER EXPIRES!!! 🚨",
        "✅ The cache never expires. ❌",
        "“The cache” never (expires)…",
        "Third reminder → the cache never expires",
        "[3/46] The cache never expires. (7/46)",
        "The cache, never: expires;",
        "- The `cache`, never 'expires'.",
    ],
)
def test_layout_is_no_sign(text: str) -> None:
    assert told(text) == ("the cache never expires", "")


def test_however_long_a_text_in_bold_is_its_stars_are_layout() -> None:
    text = "The cache never expires and nobody sees it. " * 20
    assert signs(f"**{text.strip()}**", uncounted(text)) == ""


def test_what_is_invisible_hides_no_sign() -> None:
    assert told("The key is in con\u200bfig.json.") == told("The key is in config.json.")


def test_a_call_is_written_with_or_without_its_brackets() -> None:
    assert told("fetch() leaks") == told("fetch leaks")


@given(st.text(alphabet=[*"aB1 .*_`~()[]/|&+-^\\\n,", "→", "✅", "é"], max_size=40))
def test_signs_are_found_in_any_text_and_are_the_same_in_capitals(text: str) -> None:
    assert told(text)[1] == told(text.upper())[1]
