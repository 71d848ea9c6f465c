"""Cutting and cleaning: a limit is a limit, in code points, and no character is halved."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.text import clean, cut_end, cut_middle, cut_redacted, one_line, start_redacted

LETTER_D = "\N{MATHEMATICAL BOLD CAPITAL A}"
FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"
THUMB = "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-5}"
GERMANY = "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}"
WALES = "\N{WAVING BLACK FLAG}" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbwls") + "\N{CANCEL TAG}"
GRAPHEMES = {
    "a letter and its accent": "e\N{COMBINING ACUTE ACCENT}",
    "a consonant and its vowel sign": "\N{DEVANAGARI LETTER KA}\N{DEVANAGARI VOWEL SIGN I}",
    "a Thai letter with two marks": "\N{THAI CHARACTER KO KAI}\N{THAI CHARACTER SARA II}\N{THAI CHARACTER MAI EK}",
    "a Hangul syllable in letters": "\u1112\u1161\u11ab",
    "a heart and its selector": "\N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}",
    "a keycap": "1\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}",
    "a skin tone": THUMB,
    "a joined family": FAMILY,
    "a flag": GERMANY,
    "a flag spelt in tags": WALES,
    "a line end": "\r\n",
}


@pytest.mark.parametrize("grapheme", GRAPHEMES.values(), ids=GRAPHEMES.keys())
def test_what_is_seen_as_one_character_is_kept_or_left_out_as_a_whole(grapheme: str) -> None:
    text = "ab" + grapheme + "c"
    whole = len("ab" + grapheme)
    cuts = {limit: cut_end(text, limit) for limit in range(2, len(text) + 1)}
    assert cuts == {limit: "ab" if limit < whole else text[:limit] for limit in cuts}


@pytest.mark.parametrize("flags", range(1, 5))
def test_flags_in_a_row_are_counted_in_pairs(flags: int) -> None:
    text = GERMANY * 5
    assert cut_end(text, 2 * flags) == GERMANY * flags
    assert cut_end(text, 2 * flags + 1) == GERMANY * flags


def test_two_emojis_that_are_not_joined_may_be_parted() -> None:
    assert cut_end("\N{GIRL}\N{BOY}", 1) == "\N{GIRL}"


def test_two_thousand_is_counted_in_code_points_and_the_last_character_is_intact() -> None:
    assert cut_end("ê" * 2_500, 2_000) == "ê" * 2_000


def test_a_character_outside_the_basic_plane_counts_once() -> None:
    assert cut_end("a" * 499 + LETTER_D + "extra", 500) == "a" * 499 + LETTER_D


def test_a_pile_of_marks_is_cut_like_plain_text() -> None:
    assert cut_end("e" + "\N{COMBINING ACUTE ACCENT}" * 5_000, 2_000) == "e" + "\N{COMBINING ACUTE ACCENT}" * 1_999


def test_something_is_kept_where_the_first_character_alone_is_too_long() -> None:
    assert cut_end(FAMILY, 3) == FAMILY[:3]


@given(st.text(max_size=80), st.integers(min_value=-3, max_value=90))
def test_a_text_cut_at_its_end_is_a_beginning_no_longer_than_the_limit(text: str, limit: int) -> None:
    cut = cut_end(text, limit)
    assert len(cut) <= max(limit, 0)
    assert text.startswith(cut)
    assert cut == text or len(text) > limit


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=80), st.integers(0, 90))
def test_plain_text_is_cut_exactly_at_the_limit(text: str, limit: int) -> None:
    assert cut_end(text, limit) == text[:limit]


@given(st.text(alphabet="ab\n中🙂", max_size=400), st.integers(min_value=-5, max_value=450))
def test_a_text_cut_in_the_middle_is_never_longer_than_the_limit(text: str, limit: int) -> None:
    assert len(cut_middle(text, limit)) <= max(limit, 0)


@pytest.mark.parametrize("limit", range(71))
def test_a_limit_smaller_than_the_marker_takes_nothing_from_the_wrong_end(limit: int) -> None:
    """With no room for the marker, what is left of a budget must not turn into a negative slice."""
    text = "".join(chr(0x4E00 + place) for place in range(1_000))
    cut = cut_middle(text, limit)
    assert len(cut) <= limit
    assert cut.startswith(text[: min(limit, 2)])
    assert limit >= 66 or cut == text[:limit]


@pytest.mark.parametrize(
    ("limit", "head", "tail"),
    [(66, 2, 0), (67, 2, 1), (100, 24, 12), (1_000, 624, 312), (4_000, 2_624, 1_312), (8_000, 5_291, 2_645)],
)
def test_two_thirds_of_the_room_are_the_head_and_one_third_the_tail(limit: int, head: int, tail: int) -> None:
    """64 characters are kept free for the marker, whose own length the limit covers too."""
    text = "h" * 50_000 + "t" * 50_000
    cut = cut_middle(text, limit)
    before, _, rest = cut.partition("\n[")
    marker, _, after = rest.partition("]\n")
    assert (before, after) == ("h" * head, "t" * tail)
    assert str(len(text) - head - tail) in marker.split()


@pytest.mark.parametrize("size", [0, 1, 65, 66, 100])
def test_a_text_of_exactly_the_limit_is_left_alone(size: int) -> None:
    text = "x" * size
    assert (cut_middle(text, size), cut_end(text, size)) == (text, text)


def test_what_cannot_be_stored_is_replaced_and_the_rest_is_left_alone() -> None:
    assert clean("a\x00b\ud800c\udfffd\n🙂") == "a\ufffdb\ufffdc\ufffdd\n🙂"


@given(st.text(alphabet=st.characters(categories=["Cs", "Cc", "L", "So"]), max_size=60))
def test_a_cleaned_text_can_be_encoded_and_has_no_nul(text: str) -> None:
    cleaned = clean(text)
    assert json.loads(json.dumps(cleaned, ensure_ascii=False).encode()) == cleaned
    assert "\x00" not in cleaned
    assert len(cleaned) == len(text)


@pytest.mark.parametrize(
    ("length", "first", "second"), [(18_889, 4_000, 1_000), (5_000, 4_000, 3_900), (4_001, 4_000, 100)]
)
def test_a_text_that_is_cut_twice_says_how_much_is_missing_of_the_whole(length: int, first: int, second: int) -> None:
    again = cut_middle(cut_middle("~" * length, first), second)
    [missing] = re.findall(r"review: (\d+) characters", again)
    assert int(missing) + again.count("~") == length
    assert len(again) <= second


SECRET = "secret" * 100


def without(text: str) -> str:
    """Return the text without the secret, which gets much shorter."""
    return text.replace(SECRET, "*")


@pytest.mark.parametrize("before", [0, 1, 5, 40], ids="{} secrets before".format)
def test_no_part_of_a_secret_is_left_however_much_shorter_the_text_has_become(before: int) -> None:
    """Secrets that were taken out before the cut move what stood at it to the front."""
    for blanks in range(0, 12_000, 97):
        text = SECRET * before + " " * blanks + SECRET
        cut = text[: len(text) - 300]
        assert "secret" not in cut_redacted(text + " " * 60_000, 300, without)
        assert "secret" not in cut_redacted(" " * 60_000 + text, 300, without)
        assert "secret" not in start_redacted(text + " " * 60_000, 300, without)
        assert "secret" not in start_redacted(cut, 300, without, whole=False)
        assert "secret" not in one_line(text, 300, without)


def test_a_line_has_no_blanks_in_a_row_and_no_more_characters_than_it_may() -> None:
    assert one_line("first\n\tsecond\x00", 100, str.upper) == "FIRST SECOND\N{REPLACEMENT CHARACTER}"
    assert one_line("a  " * 9_000, 5, str) == "a a a"


@pytest.mark.parametrize(("beginnings", "counted"), [(0, True), (15, True), (16, False)])
def test_an_earlier_marker_is_found_behind_what_only_begins_like_one(beginnings: int, counted: bool) -> None:
    """Beyond sixteen beginnings nothing is looked for: somebody has put them there to take our time."""
    text = "a" * 400 + "\n[shortened for review: no" * beginnings + "\n[shortened for review: 7 characters left out]\n"
    longer = text + "b" * 1_000
    marker = "\n[shortened for review: 7 characters left out]\n"
    missing = len(longer) - (len(marker) - 7 if counted else 0) - (464 - 64)
    assert f"[shortened for review: {missing} characters left out]" in cut_middle(longer, 464)


@pytest.mark.parametrize(("behind", "counted"), [(60_000, True), (70_000, False)])
def test_an_earlier_marker_is_looked_for_in_the_next_65536_characters(behind: int, counted: bool) -> None:
    marker = "\n[shortened for review: 7 characters left out]\n"
    text = "a" * behind + marker + "b" * 10_000
    missing = len(text) - (len(marker) - 7 if counted else 0) - (464 - 64)
    assert f"[shortened for review: {missing} characters left out]" in cut_middle(text, 464)
