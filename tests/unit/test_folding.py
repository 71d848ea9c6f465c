"""Folding: what makes two texts the same, and what must never do so."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foureyes.core.similarity import digest, folded


@pytest.mark.parametrize(
    ("text", "fold"),
    [
        ("Stop.", "stop"),
        ("*Stop*", "stop"),
        ("  stop  ", "stop"),
        ("STOP!!!", "stop"),
        ("No issue; continue.", "no issue continue"),
        ("", ""),
        ("...", ""),
        ("Kiểm tra lại tổng", "kiểm tra lại tổng"),
        ("run_sql returned 0 rows", "run sql returned 0 rows"),
        ("verify\n\tthe   join", "verify the join"),
        ("**LGTM**", "lgtm"),
        ("LGTM 👍🏽", "lgtm"),
        ("⚠️ LGTM", "lgtm"),
        ("`x` is ~~unused~~", "x is unused"),
        ("ＬＧＴＭ", "lgtm"),
        ("L\u200bGTM", "lgtm"),
        ("soft\u00adly", "softly"),
        ("Straße", "strasse"),
        ("ﬁle №5", "file no5"),
        ("<|eos|>", ""),
        ("done <|im_end|>", "done"),
    ],
)
def test_case_marks_and_decoration_are_folded_away(text: str, fold: str) -> None:
    assert folded(text) == fold


@pytest.mark.parametrize(
    "variant",
    [
        "1) Café cache never expires",
        "(2) Café cache never expires.",
        "3. Café cache never expires!",
        "a) Café cache never expires",
        "- Café cache never expires",
        "• Café cache never expires",
        "## Café cache never expires",
        "> Café cache never expires",
        ">> - **Café** cache never expires",
        "🚨 CAFÉ CACHE NEVER EXPIRES!!! 🚨",
        "“Café” cache — never — expires…",
        "Café\u00a0cache\u2003never\u200b expires",
        "Cafe\u0301 cache never expires",
        "Cafe\u200b\u0301 cache never expires",
        "Café cache ne\ufe0fver ex\u034fpires",
        "> Café cache\n> never expires",
        "<b>Café cache never expires</b>",
        '<p class="x"><em>Café cache never expires.</em></p>',
    ],
)
def test_layout_and_unicode_variants_of_a_sentence_are_the_same(variant: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/3511 and https://github.com/can1357/oh-my-pi/issues/3520."""
    assert folded(variant) == folded("Café cache never expires")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fails when x < 5", "fails when x > 5"),
        ("fails when x <= 5", "fails when x < 5"),
        ("fails when x ≤ 5", "fails when x ≥ 5"),
        ("fails when x ≈ 5", "fails when x ≠ 5"),
        ("fails when x ≮ 5", "fails when x ≯ 5"),
        ("compares with !=", "compares with =="),
        ("compares with ==", "compares with ="),
        ("> 5 rows are lost", "5 rows are lost"),
        ("> $5 is charged twice", "$5 is charged twice"),
        ("the offset is -5", "the offset is 5"),
        ("the offset is \N{MINUS SIGN}5", "the offset is 5"),
        ("the offset is +5", "the offset is 5"),
        ("the range ends at n+1", "the range ends at n-1"),
        ("the step is 1e-5", "the step is 1e+5"),
        ("the time-out is 1.5", "the time-out is 15"),
        ("the time-out is .5 s", "the time-out is 5 s"),
        ("the time-out is -.5 s", "the time-out is .5 s"),
        ("the time-out is 30", "the time-out is 300"),
        ("write it in C", "write it in C++"),
        ("write it in C", "write it in C#"),
        ("write it in C++", "write it in C#"),
        ("!ready is returned", "ready is returned"),
        ("not ready is returned", "ready is returned"),
        ("5% of the rows", "5 of the rows"),
        ("costs $5", "costs €5"),
        ("costs ₹5", "costs ₩5"),
        ("v2 endpoint lacks auth", "v3 endpoint lacks auth"),
        ("missing await in save_user", "missing await in save_order"),
        ("The limit is 30 where it should be 300", "The limit is 300 where it should be 30"),
        ("the flag is `!=`", "the flag is `<=`"),
        ("a − b > 0", "a − b < 0"),
        ("p < .05", "p < .5"),
        ("value ∈ set", "value ∉ set"),
        ("tolerance ±5", "tolerance 5"),
        ("the total is 1.250", "the total is 1,250"),
        ("!valid(x) is skipped", "valid(x) is skipped"),
        ("limit is ５", "limit is ６"),
        ("फल", "फ़ल"),
        ("हिन्दी", "हिन्दू"),
        ("ผ้า", "ผ่า"),
        ("مَلِك", "مُلك"),
        ("год", "гад"),
        ("か", "が"),
        ("请求超时", "请求超过"),
        ("कि", "की"),
        ("ที่", "ที"),
        ("schon geprüft", "schön geprüft"),
        ("Third migration has no down step", "Fourth migration has no down step"),
        ("(a) is wrong", "(b) is wrong"),
        ("<b>a</b> is not <b>b</b>", "a is not b"),
        ("(3) has no owner", "(4) has no owner"),
    ],
)
def test_what_carries_meaning_keeps_two_sentences_apart(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x ≤ 5", "x<=5"),
        ("a ≥ b", "a >= b"),
        ("a ≠ b", "a!=b"),
        ("50 % of rows", "50% of rows"),
        ("50\n% of rows", "50% of rows"),
        ("５０％ of rows", "50% of rows"),
        ("\N{MINUS SIGN}5 rows", "-5 rows"),
        ("costs $5", "costs $ 5"),
        ("ｘ ＜ ５", "x < 5"),
        ("５ ％ of rows", "5% of rows"),
        ("が", "か\u3099"),
        ("ﾊﾟｽﾜｰﾄﾞ", "パスワード"),
        ("हिन्\u200dदी", "हिन्दी"),
        ("①", "1"),
    ],
)
def test_a_sign_may_be_spelt_and_spaced_in_more_than_one_way(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("text", "fold"),
    [("℡", "tel"), ("〇", "〇"), ("፩", "፩"), ("हिन्दी", "हिन्दी"), ("²", "2"), ("Ⅷ", "viii"), ("İ", "i\u0307")],
)
def test_numbers_of_all_scripts_and_marks_inside_words_are_kept(text: str, fold: str) -> None:
    assert folded(text) == fold


def test_words_that_differ_in_vowel_signs_alone_differ() -> None:
    words = ["हिन्दी", "हिन्दा", "हिन्दू", "हन्द"]
    assert len({folded(word) for word in words}) == len(words)


MARKUP = st.text(
    alphabet=[
        *"aB1 5.%<>=!+-#*_`~()[]|\\/$,;:&@^'\"{}",
        *"\n\t\r\x1f\u2028\u3000",
        *"€≤≠±−≈＞∈",
        *"\u200b\u0301\u0338\u0345\ufe0f\u034f\u1160",
        *"é中ﬁ℡Å🙂ßİςΐ",
        *"\u0930\u093f\u1100\u1161\u11a8",
    ],
    max_size=30,
)


@given(st.one_of(st.text(), MARKUP))
def test_folding_a_folded_text_changes_nothing(text: str) -> None:
    once = folded(text)
    assert folded(once) == once


MARKED = st.text(alphabet=[*"a15.%+-# ", "\u0301", "\u093f", "\u0338", "\u20e3", "٣", "क"], max_size=12)


@example("1\u0301 %")
@given(MARKED)
def test_folding_twice_is_folding_once_where_marks_follow_numbers_and_signs(text: str) -> None:
    once = folded(text)
    assert folded(once) == once


@pytest.mark.parametrize("text", ["1.5\u0301", "a.5\u0301", "1.5\u093f"], ids=ascii)
def test_a_mark_without_a_letter_does_not_stand_alone(text: str) -> None:
    assert folded(text) == text[:-1]


@pytest.mark.parametrize(
    "text",
    [
        "℡",  # lower case first, and its compatibility form folds a second time
        "e\u200b\u0301",  # the mark meets its letter once what is between them has gone
        "a\u0345\u0301",  # two marks out of order
        "\u0390",  # case folding takes it apart
        "5\n%",
        "*> quoted",
        "*>",
        "<" * 4_001,  # each sign grows by a blank
        "ﷺ" * 1_000,  # one character spells eighteen
        "c" + "+" * 9_000,
        "1" * 7_999 + ".5",
        "5" * 7_998 + "c++",
    ],
    ids=ascii,
)
def test_folding_twice_is_folding_once_where_that_is_hard(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert len(once) <= 8_000


@given(MARKUP)
def test_a_fold_has_single_blanks_and_no_capitals(text: str) -> None:
    fold = folded(text)
    assert fold == " ".join(fold.split())
    assert fold == unicodedata.normalize("NFKC", fold.casefold())


WORDS = st.lists(st.sampled_from(["cache", "key", "ignores", "the", "tenant", "é", "क्षि"]), min_size=1, max_size=6)
DECORATION = st.sampled_from(
    ["", "**", "`", "_", '"', "…", "\u200b", "\ufe0f", "🚨 ", " 👍🏽", "(", ")", ", ", " — ", "; "]
)


@given(WORDS, st.lists(DECORATION, min_size=7, max_size=7), st.sampled_from(["", "- ", "1) ", "> ", "## "]), st.data())
def test_no_mix_of_decoration_case_and_normal_form_makes_a_new_sentence(
    words: list[str], decoration: list[str], marker: str, data: st.DataObject
) -> None:
    text = "".join(mark + f" {word} " for mark, word in zip(decoration, words, strict=False)) + decoration[-1]
    shouted = data.draw(st.sampled_from([str.upper, str.lower, str.title]))(text)
    form = data.draw(st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
    assert folded(unicodedata.normalize(form, marker + shouted)) == folded(" ".join(words))


@pytest.mark.parametrize(
    "script",
    [
        "абв гд",
        "αβγ δε",
        "अआ इई",
        "กขค งจ",
        "ابت ثج",
        "אבג דה",
        "가나 다라",
        "あい うえ",
        "中文 字词",
        "ሀለ ሐመ",
        "აბ გდ",
    ],
)
@given(decoration=DECORATION, form=st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_decoration_is_folded_away_in_every_script(script: str, decoration: str, form: str) -> None:
    assert folded(unicodedata.normalize(form, f"- {decoration}{script}{decoration}")) == folded(script)


def test_a_text_of_ten_thousand_different_signs_is_folded_all_the_same() -> None:
    signs = "".join(chr(point) for point in range(0x2190, 0x3000))
    fold = folded(f"é {signs} x")
    assert fold.split()[0] == "é"
    assert folded(fold) == fold


def test_only_the_first_eight_thousand_code_points_count() -> None:
    same, longer = "a" * 8_000, "a" * 8_000 + " and something else"
    assert folded(same) == folded(longer)
    assert folded("a" * 7_999) != folded(same)


def test_texts_of_different_kinds_never_share_a_digest() -> None:
    texts = ["", "a", "b", "a b", "कि"]
    digests = {digest(kind, text) for kind in "ktu" for text in texts}
    assert len(digests) == 3 * len(texts)


@given(st.text(max_size=40))
def test_a_digest_fits_a_signed_column_of_64_bits_whatever_the_text(text: str) -> None:
    assert 0 <= digest("t", text) < 2**63
    assert digest("t", text) == digest("t", text)
