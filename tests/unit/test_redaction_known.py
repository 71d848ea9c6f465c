"""Secrets that are known go in whatever disguise, and what a cut goes through goes too."""

from __future__ import annotations

import html
import json
import re
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from urllib.parse import quote, quote_plus, unquote

import pytest

from foureyes.core.text import cut_middle
from foureyes_reviewers.redaction import Redactor

from .secrets_planted import BY_FORM, KNOWN, PEM, PEM_BODY, PLAIN, SECRET, TOKENS, leaks


def from_base64(text: str) -> Iterator[str]:
    """Yield what the runs of base64 in the text say, wherever one begins to read."""
    for run in re.findall(r"[\w+/-]{4,}", text):
        for start in range(4):
            digits = run[start:].translate(str.maketrans("-_", "+/"))
            yield b64decode(digits[: len(digits) // 4 * 4]).decode("utf-8", "replace")


# --- known secrets ---

DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": lambda s: s,
    "json": lambda s: json.dumps({"x": s}),
    "json, unescaped letters": lambda s: json.dumps({"x": s}, ensure_ascii=False),
    "json in json": lambda s: json.dumps(json.dumps(s)),
    "percent": lambda s: quote(s, safe=""),
    "percent in lower case": lambda s: quote(s, safe="").replace("%2F", "%2f").replace("%3D", "%3d"),
    "form": quote_plus,
    "base64": lambda s: b64encode(s.encode()).decode(),
    "base64 for urls": lambda s: urlsafe_b64encode(s.encode()).decode(),
    "base64 of more": lambda s: b64encode(f"user:{s}\n".encode()).decode(),
    "base64 of more, one on": lambda s: b64encode(f"user1:{s} and so on".encode()).decode(),
    "base64 of more, two on": lambda s: b64encode(f"user12:{s} and so on".encode()).decode(),
    "base64 of bytes": lambda s: b64encode(b"\x00\xff\xfe" + s.encode() + b"\x80").decode(),
    "in a word": lambda s: f"abc{s}def",
    "bytes as numbers": lambda s: json.dumps(list(s.encode())),
    "bytes as numbers without blanks": lambda s: ",".join(map(str, s.encode())),
}
HEXADECIMAL: dict[str, Callable[[str], str]] = {
    "hex": lambda s: s.encode().hex(),
    "hex in upper case": lambda s: s.encode().hex().upper(),
    "hex with colons": lambda s: s.encode().hex(":"),
    "hex with blanks": lambda s: s.encode().hex(" ").upper(),
    "hex with dashes": lambda s: s.encode().hex("-"),
    "hex in groups": lambda s: s.encode().hex(" ", 2),
    "hex over lines": lambda s: s.encode().hex("\n", 4),
    "hex of a number": lambda s: f"0x{s.encode().hex()}",
    "hex of each byte": lambda s: ", ".join(f"0x{byte:02X}" for byte in s.encode()),
    "hex escapes of bytes": lambda s: "".join(f"\\x{byte:02x}" for byte in s.encode()),
    "hex in a longer one": lambda s: b64decode("q83v").hex() + "7" + s.encode().hex() + "ff",
}
ESCAPES: dict[str, Callable[[str], str]] = {
    "json": lambda s: "".join(f"\\u{ord(c):04x}" for c in s),
    "json in upper case": lambda s: "".join(f"\\u{ord(c):04X}" for c in s),
    "json in json": lambda s: "".join(f"\\\\u{ord(c):04x}" for c in s),
    "every other character": lambda s: "".join(
        f"\\u{ord(c):04x}" if n % 2 or c == "\\" else c for n, c in enumerate(s)
    ),
    "one character": lambda s: f"\\u{ord(s[0]):04x}{s[1:]}",
    "json with strokes": lambda s: json.dumps(s, ensure_ascii=False).replace("/", "\\/"),
    "braces": lambda s: "".join(f"\\u{{{ord(c):x}}}" for c in s),
    "long": lambda s: "".join(f"\\U{ord(c):08x}" for c in s),
    "bytes": lambda s: repr(s.encode()),
    "octal": lambda s: "".join(f"\\{byte:03o}" for byte in s.encode()),
    "html": lambda s: html.escape(s),
    "html, decimal": lambda s: "".join(f"&#{ord(c)};" for c in s),
    "html, hexadecimal": lambda s: "".join(f"&#x{ord(c):X};" for c in s),
    "html in html": lambda s: html.escape("".join(f"&#{ord(c)};" for c in s)),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES.keys())
@pytest.mark.parametrize("secret", [SECRET, PLAIN])
def test_a_known_secret_goes_in_whatever_disguise(disguise: Callable[[str], str], secret: str) -> None:
    redacted = KNOWN.redacted(f"see {disguise(secret)} there")
    assert "[redacted: " in redacted
    for seen in (redacted, unquote(redacted), redacted.replace("\\", ""), *from_base64(redacted)):
        assert not leaks(secret, seen)


@pytest.mark.parametrize("disguise", [*HEXADECIMAL.values(), *ESCAPES.values()], ids=[*HEXADECIMAL, *ESCAPES])
@pytest.mark.parametrize("secret", [SECRET, PLAIN])
def test_a_known_secret_goes_whole_where_its_bytes_or_characters_are_escaped(
    disguise: Callable[[str], str], secret: str
) -> None:
    redacted = KNOWN.redacted(f"(see {disguise(secret)} there)")
    assert re.fullmatch(r"\(see \S{0,12}\[redacted: secret\]\S{0,2} there\)", redacted)


def test_a_character_beyond_the_first_65536_is_read_in_two_escapes() -> None:
    assert Redactor(["pass\U0001f600word"]).redacted("p\\u0061ss\\ud83d\\ude00word") == "[redacted: secret]"


@pytest.mark.parametrize("around", ["{}", "x={};", "{} ok", '"{}"'])
@pytest.mark.parametrize("secret", ["hunter2-secret-A", "hunter2-secret-AB", "hunter2-secret-ABC"])
@pytest.mark.parametrize("alphabet", [b64encode, urlsafe_b64encode])
def test_nothing_of_a_known_secret_in_base64_is_left_behind_or_in_front(
    around: str, secret: str, alphabet: Callable[[bytes], bytes]
) -> None:
    written = around.format(alphabet(secret.encode()).decode())
    assert Redactor([secret]).redacted(written) == around.format("[redacted: secret]")
    unpadded = around.format(alphabet(secret.encode()).decode().rstrip("="))
    assert Redactor([secret]).redacted(unpadded) == around.format("[redacted: secret]")


@pytest.mark.parametrize("before", ["", "u", "us", "user"])
@pytest.mark.parametrize("after", ["", "a", "an", "and"])
def test_what_of_base64_is_left_holds_no_bit_of_the_secret(before: str, after: str) -> None:
    left = set()
    for secret in ("hunter2", "iunter3", "junter1"):
        written = b64encode(f"{before}{secret}{after}".encode()).decode()
        left.add(Redactor([secret], patterns=()).redacted(written))
    assert len(left) == 1


@pytest.mark.parametrize("text", ["a bad face: dead beef, added 0x10", "\\u0041 &amp; &#66; \\x43 &#9999999;", "a\\/b"])
def test_escapes_and_numbers_that_hold_no_secret_stay_as_they_are(text: str) -> None:
    assert KNOWN.redacted(text) == text


@pytest.mark.parametrize("place", range(1, len(PLAIN)))
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\n    ", "\\\n", "\\n", "\\\\n"])
def test_a_known_secret_broken_over_lines_goes(place: int, line_end: str) -> None:
    broken = f"x {PLAIN[:place]}{line_end}{PLAIN[place:]} y\nz"
    assert KNOWN.redacted(broken) == "x [redacted: secret] y\nz"


def test_a_known_secret_in_base64_broken_over_lines_goes() -> None:
    whole = b64encode(f"user:{PLAIN}:group".encode()).decode()
    assert not leaks(whole[8:22], KNOWN.redacted("\n".join((whole[:12], whole[12:]))))


def test_a_longer_secret_goes_before_a_shorter_one_that_it_holds() -> None:
    assert (
        Redactor(["abcdef", "abcdef-ghijkl"]).redacted("abcdef-ghijkl abcdef")
        == "[redacted: secret] [redacted: secret]"
    )


def test_a_secret_of_fewer_than_six_characters_is_not_looked_for() -> None:
    assert Redactor(["", "true", "12345"]).redacted("true 12345") == "true 12345"


def test_a_secret_that_is_a_part_of_the_marker_does_no_harm() -> None:
    redactor = Redactor(["redacted", "secret", "[redacted: secret]"])
    assert redactor.redacted("a redacted secret") == "a redacted secret"


@pytest.mark.parametrize("text", ["AWS_KEY=AKIAIOSFODNN7EXAMPLE", "password=hunter2 and more", "user:hunter2pw"])
def test_what_is_secret_by_form_or_name_is_found_in_base64_and_percent_encoding(text: str) -> None:
    text = f"{text}, postgres://app:a1b2c3@db/x"
    assert BY_FORM.redacted(f"data: {b64encode(text.encode()).decode()}") == "data: [redacted: encoded secret]"
    assert not any(part in BY_FORM.redacted(f"u={quote(text, safe='')} v") for part in ("AKIA", "hunter2", "a1b2c3"))


def test_a_secret_that_another_process_does_not_know_is_not_found_without_form_or_name() -> None:
    assert BY_FORM.redacted(f"see {PLAIN}") == f"see {PLAIN}"


# --- before and after a cut ---


@pytest.mark.parametrize("before", range(3_940, 4_000, 7))
def test_no_six_characters_of_a_key_survive_a_cut_wherever_it_goes_through(before: int) -> None:
    key = TOKENS["field case"]
    text = "".join(f"line {n:04d}\n" for n in range(before // 10)) + f"TOKEN={key}\n" + "more\n" * 2_000
    assert not leaks(key, BY_FORM.redacted(cut_middle(BY_FORM.redacted(text), 4_000)))
    for limit in range(5_950, 6_050, 9):
        assert not leaks(key, BY_FORM.redacted(cut_middle(text, limit)))


def test_the_words_at_a_cut_go_and_the_marker_counts_them() -> None:
    cut = "head hunt\n[shortened for review: 100 characters left out]\ner2 tail"
    assert BY_FORM.redacted(cut) == "head \n[shortened for review: 107 characters left out]\n tail"


def test_a_cut_between_words_stays_as_it_is() -> None:
    cut = "head \n[shortened for review: 100 characters left out]\n tail"
    assert BY_FORM.redacted(cut) == cut


def test_a_cut_through_a_text_without_blanks_costs_a_bounded_part_of_it() -> None:
    cut = cut_middle("x1" * 5_000, 4_000)
    redacted = BY_FORM.redacted(cut)
    assert len(cut) - 600 < len(redacted) < len(cut)
    assert BY_FORM.redacted(redacted) == redacted


def test_the_ends_of_a_cut_key_go() -> None:
    text = "log line\n" * 290 + PEM + "\nlog line" * 2_000
    for limit in range(3_900, 6_000, 250):
        assert not leaks(PEM_BODY, BY_FORM.redacted(cut_middle(text, limit)), 12)
