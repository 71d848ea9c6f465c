"""Secrets of many makers in the texts of everyday work, and known ones in every dress; what is left is told here.

Not promised, and for that reason in ``LEFT``: a value that stands on a line of its own below its name (a block of
YAML, the file of logins, a variable in a manifest), where something that is no mark of quotation stands in front of
each line or behind it. The name is too far away to tell.
"""

from __future__ import annotations

import html
import json
import quopri
import re
import textwrap
from base64 import b32encode, b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote

import pytest

from foureyes_reviewers.redaction import Redactor

from .secrets_embedded import CARRIERS, EMBEDDINGS, TOKEN_MAKERS, drawn, known_values
from .secrets_planted import BY_FORM, leaks

SEEDS = ("1",)
LEFT = {
    ("yaml block", "table"),
    ("yaml block", "coloured"),
    ("netrc", "log line"),
    ("netrc", "table"),
    ("manifest", "log line"),
    ("manifest", "coloured"),
}


def seen(text: str) -> Iterator[str]:
    """Yield the text as those read it who undo what programs do to texts."""
    yield from (text, unquote(text), text.replace("\\", ""))
    for run in (*re.findall(r"[\w+/-]{8,}", text), re.sub(r"\s", "", text)):
        digits = re.sub(r"[^A-Za-z0-9+/]", "", run.translate(str.maketrans("-_", "+/")))
        for start in range(4):
            yield b64decode(digits[start:][: (len(digits) - start) // 4 * 4]).decode("utf-8", "replace")


def told(token: str) -> str:
    """Return what of a token is secret: not who issued it, nor to whom."""
    return token.split(".", 1)[1] if re.match(r"M[\w-]{23}\.", token) else token[12:]


@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize("maker", TOKEN_MAKERS)
def test_no_token_gets_out_wherever_it_stands(maker: str, embedding: str) -> None:
    for seed in SEEDS:
        token = TOKEN_MAKERS[maker](seed + maker)
        redacted = BY_FORM.redacted(EMBEDDINGS[embedding](f"token is {token}"))
        assert not any(leaks(told(token), text, 8) for text in seen(redacted))


@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_no_secret_gets_out_whose_place_or_name_tells(carrier: str, embedding: str) -> None:
    text, length = CARRIERS[carrier]
    for seed in SEEDS:
        secret = drawn(seed + carrier, length)
        redacted = BY_FORM.redacted(EMBEDDINGS[embedding](text.replace("@", secret, 1)))
        out = any(leaks(secret, read) for read in seen(redacted))
        assert out == ((carrier, embedding) in LEFT)


def _bytes(write: Callable[[bytes], str]) -> Callable[[str], str]:
    return lambda value: write(value.encode())


def _folded(value: str, width: int) -> list[str]:
    # Words and dashes are no places to break at: columns are.
    return [value[place : place + width] for place in range(0, len(value), width)]


def _wrapped(width: int, front: str = "", end: str = "\n") -> Callable[[str], str]:
    return lambda value: end.join(front + part for line in f"x={value}".split("\n") for part in _folded(line, width))


def _numbered(form: str) -> Callable[[str], str]:
    return lambda value: "\n".join(
        form.format(n) + part for n, part in enumerate((p for line in value.split("\n") for p in _folded(line, 40)), 9)
    )


DRESSES: dict[str, Callable[[str], str]] = {
    "plain": lambda v: v,
    "json": json.dumps,
    "json in json": lambda v: json.dumps(json.dumps(v)),
    "json in json in json": lambda v: json.dumps(json.dumps(json.dumps(v))),
    "wrapped at 76": _wrapped(76),
    "wrapped at 20": _wrapped(20),
    "diff, added": _wrapped(30, "+"),
    "diff, removed": _wrapped(30, "-"),
    "diff, apart": _wrapped(30, "+ "),
    "quoted": _wrapped(30, "> "),
    "quoted twice": _wrapped(30, "> > "),
    "bars": _wrapped(30, "| "),
    "indented": _wrapped(30, "      "),
    "tabs": _wrapped(30, "\t\t"),
    "crlf": _wrapped(30, "", "\r\n"),
    "escaped line ends": _wrapped(30, "", "\\n"),
    "escaped twice": _wrapped(30, "", "\\\\n"),
    "escaped crlf": _wrapped(30, "", "\\r\\n"),
    "escaped diff": _wrapped(30, "+ ", "\\n"),
    "continued": _wrapped(30, "", "\\\n"),
    "put together": lambda v: " +\n    ".join(json.dumps(part) for part in _folded(v, 40)),
    "side by side": lambda v: "\n    ".join(json.dumps(part) for part in _folded(v, 40)),
    "numbered": _numbered("{:5d}  "),
    "numbered with tab": _numbered("{:6d}\t"),
    "numbered with colon": _numbered("{}:"),
    "grep": _numbered("src/app/a.env:{}:"),
    "log": _numbered("2024-05-01T10:00:{:02d}Z INFO app: "),
    "base64": _bytes(lambda b: b64encode(b).decode()),
    "base64, one on": _bytes(lambda b: b64encode(b"u" + b + b"yy").decode()),
    "base64, two on": _bytes(lambda b: b64encode(b"uu" + b + b"y").decode()),
    "base64 of bytes": _bytes(lambda b: b64encode(b"\xff\x00\xfe" * 5 + b + b"\x80" * 7).decode()),
    "base64 for urls": _bytes(lambda b: urlsafe_b64encode(b"\xff\x00\xfe" * 5 + b + b"\x80" * 7).decode()),
    "base64, wrapped": _bytes(lambda b: "\n".join(_folded(b64encode(b"u" * 64 + b + b"y" * 60).decode(), 76))),
    "base64 in a diff": _bytes(lambda b: "\n".join("+" + p for p in _folded(b64encode(b"u" * 64 + b).decode(), 76))),
    "base64 of utf-16": lambda v: b64encode(f"$x='{v}'; go".encode("utf-16-le")).decode(),
    "base32": _bytes(lambda b: b32encode(b).decode()),
    "base32, one on": _bytes(lambda b: b32encode(b"a" + b + b"zz").decode()),
    "base32, three on, small": _bytes(lambda b: b32encode(b"aaa" + b + b"z").decode().lower()),
    "hex": _bytes(bytes.hex),
    "hex of utf-16": lambda v: v.encode("utf-16-le").hex(),
    "hex, colons": _bytes(lambda b: b.hex(":")),
    "hex, dumped": _bytes(lambda b: "\n".join(f"{n:08x}: {b[n : n + 16].hex(' ', 2)}" for n in range(0, len(b), 16))),
    "hex, each byte": _bytes(lambda b: ", ".join(map(hex, b))),
    "bytes": _bytes(lambda b: str(list(b))),
    "bytes, wrapped": _bytes(lambda b: "\n".join(textwrap.wrap(str(list(b)), 70))),
    "percent": lambda v: quote(v, safe=""),
    "percent, all": _bytes(lambda b: "".join(f"%{byte:02X}" for byte in b)),
    "percent, twice": lambda v: quote(quote(v, safe=""), safe=""),
    "mail": _bytes(lambda b: quopri.encodestring(b).decode()),
    "mail, all": _bytes(lambda b: "".join(f"={byte:02X}" for byte in b)),
    "html": html.escape,
    "html, all": lambda v: "".join(f"&#{ord(c)};" for c in v),
    "octal": _bytes(lambda b: "".join(f"\\{byte:03o}" for byte in b)),
    "escaped, all": lambda v: "".join(f"\\u{ord(c):04x}" for c in v),
    "with zero bytes": lambda v: "\0".join(v),
    "with escaped zero bytes": lambda v: "\\u0000".join(v),
    "with blanks of no width": lambda v: "\u200b".join(v),
    "with soft hyphens": lambda v: "\u00ad".join(_folded(v, 5)),
    "full width": lambda v: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in v),
    "full width here and there": lambda v: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and n % 3 == 0 else c for n, c in enumerate(v)
    ),
}
PARTS: dict[str, Callable[[str], str]] = {
    "without its start": lambda v: v[3:],
    "without its end": lambda v: f"{v[:-3]}...",
    "without both": lambda v: v[4:-3],
    "its start": lambda v: v[: len(v) // 2 + 2],
    "its end, masked": lambda v: f"***{v[-14:]}",
}


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("kind", known_values(""))
def test_no_known_value_gets_out_in_whatever_dress(kind: str, dress: str) -> None:
    for seed in SEEDS:
        value = known_values(seed)[kind]
        redacted = Redactor([value], patterns=()).redacted(f"see {DRESSES[dress](value)} there")
        assert "[redacted: secret]" in redacted
        secret = value.replace("-----BEGIN PRIVATE KEY-----", "").replace("-----END PRIVATE KEY-----", "")
        for read in seen(redacted):
            assert not leaks(secret.replace("\n", ""), read, 8)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", ["middle", "long", "longer", "base64", "hex"])
def test_twelve_characters_of_a_known_value_go_without_the_rest(kind: str, part: str) -> None:
    value = known_values("1")[kind]
    redacted = Redactor([value], patterns=()).redacted(f"bad key: {PARTS[part](value)}")
    assert not leaks(value, redacted, 8)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("https://a1b2c3d4e5f6@o123.ingest.sentry.io/42", "see ingest.sentry.io, or https://o123.ingest.sentry.io"),
        ("sk-" + "ant-api03-" + drawn("x", 40), "keys begin with sk-ant-api03- and are long"),
        ("AccountName=shop;EndpointSuffix=core.windows.net", "use EndpointSuffix=core.windows.net"),
        ("correct horse battery staple", "the correct horse battery is here"),
        ("-----BEGIN PRIVATE KEY-----\nabc", "a file with -----BEGIN PRIVATE KEY----- in it"),
    ],
)
def test_ordinary_words_and_public_prefixes_that_a_known_value_holds_stay(value: str, text: str) -> None:
    assert Redactor([value], patterns=()).redacted(text) == text


@pytest.mark.parametrize("masked", ["sk-a1b2...9i0J", "a1b2C3d4***", "****************9i0J"])
def test_a_value_that_is_masked_already_stays_so(masked: str) -> None:
    redactor = Redactor(["sk-" + "a1b2C3d4E5f6G7h89i0J"], patterns=())
    assert redactor.redacted(f"Incorrect key: {masked}") == f"Incorrect key: {masked}"
