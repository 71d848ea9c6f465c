"""Made-up secrets of many makers, and the texts of everyday work in which they turn up. Drawn with a fixed seed."""

from __future__ import annotations

import json
import random
import string
import textwrap
from base64 import b64encode
from collections.abc import Callable
from html import escape
from urllib.parse import quote

__all__ = ["CARRIERS", "EMBEDDINGS", "TOKEN_MAKERS", "drawn", "known_values"]

_LETTERS = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + string.digits


def drawn(seed: str, length: int, alphabet: str = _LETTERS) -> str:
    """Return so many characters of the alphabet, with a digit, a small and a capital letter where it has such."""
    source = random.Random(seed)
    text = [source.choice(alphabet) for _ in range(length)]
    kinds = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    for place, kind in enumerate(kinds if length > 4 else ()):
        text[place + 2] = source.choice([c for c in alphabet if c in kind] or [text[place + 2]])
    return "".join(text)


def _jwt(seed: str) -> str:
    head = b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = b64encode(json.dumps({"sub": drawn(seed, 12), "iat": 1516239022}).encode()).decode().rstrip("=")
    return f"{head}.{body}.{drawn(seed, 43)}"


TOKEN_MAKERS: dict[str, Callable[[str], str]] = {
    "github classic": lambda s: "ghp" + "_" + drawn(s, 36),
    "github oauth": lambda s: "gho" + "_" + drawn(s, 36),
    "github app": lambda s: "ghs" + "_" + drawn(s, 36),
    "github fine-grained": lambda s: "github" + "_pat_" + drawn(s, 22) + "_" + drawn(s + "2", 59),
    "gitlab": lambda s: "glpat" + "-" + drawn(s, 20),
    "slack bot": lambda s: "xoxb" + "-" + drawn(s, 12, "123456789") + "-" + drawn(s, 24),
    "slack app": lambda s: "xapp" + "-1-A" + drawn(s, 10, _UPPER) + "-" + drawn(s, 40, _HEX),
    "aws": lambda s: "AKI" + "A" + drawn(s, 16, _UPPER),
    "aws session": lambda s: "ASI" + "A" + drawn(s, 16, _UPPER),
    "google": lambda s: "AI" + "za" + drawn(s, 35),
    "google oauth": lambda s: "GOCSPX" + "-" + drawn(s, 28),
    "azure": lambda s: drawn(s, 3) + "8" + "Q~" + drawn(s, 34),
    "stripe": lambda s: "sk" + "_live_" + drawn(s, 24),
    "stripe restricted": lambda s: "rk" + "_live_" + drawn(s, 24),
    "stripe webhook": lambda s: "whsec" + "_" + drawn(s, 32),
    "npm": lambda s: "npm" + "_" + drawn(s, 36),
    "pypi": lambda s: "pypi" + "-AgEIcHlwaS5vcmc" + drawn(s, 70),
    "openai": lambda s: "sk" + "-" + drawn(s, 48),
    "openai project": lambda s: "sk" + "-proj-" + drawn(s, 48),
    "anthropic": lambda s: "sk" + "-ant-api03-" + drawn(s, 93) + "AA",
    "hugging face": lambda s: "hf" + "_" + drawn(s, 34),
    "groq": lambda s: "gsk" + "_" + drawn(s, 52),
    "jwt": _jwt,
    "telegram": lambda s: drawn(s, 9, "123456789") + ":" + "AA" + drawn(s, 33),
    "discord": lambda s: "M" + drawn(s, 23) + "." + drawn(s + "2", 6) + "." + drawn(s + "3", 38),
    "sendgrid": lambda s: "SG" + "." + drawn(s, 22) + "." + drawn(s + "2", 43),
    "twilio": lambda s: "SK" + drawn(s, 32, _HEX),
    "shopify": lambda s: "shpat" + "_" + drawn(s, 32, _HEX),
    "digital ocean": lambda s: "dop" + "_v1_" + drawn(s, 64, _HEX),
    "databricks": lambda s: "dapi" + drawn(s, 32, _HEX),
    "vault": lambda s: "hvs" + "." + drawn(s, 90),
    "docker hub": lambda s: "dckr" + "_pat_" + drawn(s, 27),
    "grafana": lambda s: "glsa" + "_" + drawn(s, 32) + "_" + drawn(s, 8, _HEX),
    "atlassian": lambda s: "ATATT3" + "x" + drawn(s, 60),
    "linear": lambda s: "lin" + "_api_" + drawn(s, 40),
    "bcrypt": lambda s: "$2b" + "$12$" + drawn(s, 53),
}
"""By maker: returns a token for a seed. Put together here so that no scanner of sources takes them for real."""

CARRIERS: dict[str, tuple[str, int]] = {
    "env password": ("DB_PASSWORD=@", 14),
    "json field": ('{"client_secret": "@", "user": "bob"}', 32),
    "yaml": ("database:\n  password: @\n  port: 5432", 14),
    "yaml block": ("data:\n  api_token: |\n    @\n  port: 5432", 32),
    "toml": ('[auth]\napi_key = "@"', 32),
    "aws secret": ("aws_secret_access_key = @", 40),
    "bearer": ("GET / HTTP/1.1\nAuthorization: Bearer @\nAccept: */*", 40),
    "cookie": ("Cookie: session=@; theme=dark", 32),
    "url": ("postgres://app:@@db.example.org:5432/app", 14),
    "connection string": ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey=@==;EndpointSuffix=e", 86),
    "sas": ("https://x.blob.example.org/c?sv=2022-11-02&sig=@%3D", 43),
    "netrc": ("machine example.org\n  login bob\n  password @", 20),
    "npmrc": ("//registry.example.org/:_authToken=@", 36),
    "kubeconfig": ("users:\n- name: bob\n  user:\n    token: @", 40),
    "curl": ("curl -u bob:@ https://example.org/x", 20),
    "manifest": ("- name: API_TOKEN\n  value: @", 32),
    "pgpass": ("db.example.org:5432:shop:bob:@", 16),
    "shell": ('export SERVICE_API_KEY="@"', 32),
    "xml": ("<add><password>@</password></add>", 16),
    "x-api-key": ("X-Api-Key: @", 32),
}
"""By place: a text with a sign where the secret stands, and how many characters that has."""


def _lines(text: str, front: str) -> str:
    return "\n".join(front + line for line in ("first line", *text.split("\n"), "last line"))


EMBEDDINGS: dict[str, Callable[[str], str]] = {
    "alone": lambda t: t,
    "prose": lambda t: f"I found this in the log:\n{t}\nand went on.",
    "json": lambda t: json.dumps({"role": "tool", "output": f"$ cat x\n{t}\n"}),
    "json in json": lambda t: json.dumps({"arguments": json.dumps({"text": f"a\n{t}\nb"})}),
    "json in json in json": lambda t: json.dumps(json.dumps(json.dumps({"t": f"\n{t}\n"}))),
    "python repr": lambda t: repr(f"line\n{t}\n"),
    "diff, added": lambda t: "@@ -1,3 +1,4 @@\n" + "\n".join("+" + line for line in t.split("\n")),
    "diff, removed": lambda t: "@@ -1,3 +1,4 @@\n" + "\n".join("-" + line for line in t.split("\n")),
    "diff, apart": lambda t: _lines(t, "+ "),
    "quoted mail": lambda t: _lines(t, "> "),
    "quoted twice": lambda t: _lines(t, "> > "),
    "bars": lambda t: _lines(t, "| "),
    "indented": lambda t: _lines(t, "        "),
    "tabs": lambda t: _lines(t, "\t\t"),
    "numbered": lambda t: "\n".join(f"{n:5d}  {line}" for n, line in enumerate(("x", *t.split("\n")), 9)),
    "numbered with tab": lambda t: "\n".join(f"{n:6d}\t{line}" for n, line in enumerate(("x", *t.split("\n")), 98)),
    "numbered with arrow": lambda t: "\n".join(f"{n:6d}→{line}" for n, line in enumerate(("x", *t.split("\n")), 98)),
    "grep": lambda t: "\n".join(f"src/app/a.env:{n}:{line}" for n, line in enumerate(t.split("\n"), 12)),
    "crlf": lambda t: f"a\n{t}\nb".replace("\n", "\r\n"),
    "commented": lambda t: _lines(t, "# "),
    "log line": lambda t: "\n".join(f"2024-05-01T10:00:00Z INFO app: {line}" for line in t.split("\n")),
    "table": lambda t: "\n".join(f"| {n} | {line} |" for n, line in enumerate(t.split("\n"))),
    "code fence": lambda t: f"```\n{t}\n```",
    "traceback": lambda t: f'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad value: {t}',
    "coloured": lambda t: "\n".join(f"\x1b[33m{line}\x1b[0m" for line in t.split("\n")),
    "coloured in json": lambda t: json.dumps(f"\x1b[33m{t}\x1b[0m"),
    "base64": lambda t: f"data: {b64encode(t.encode()).decode()}",
    "base64 of more, wrapped": lambda t: "\n".join(
        textwrap.wrap(b64encode(f"kind: Config\nname: somebody\n{t}\nend: true\n".encode() * 2).decode(), 76)
    ),
    "percent": lambda t: f"https://example.org/?q={quote(t, safe='')}",
    "html": lambda t: f"<pre>{escape(t)}</pre>",
    "csv": lambda t: f'1,"{t}",x',
}
"""By place: returns a text with the other one in it."""


def known_values(seed: str) -> dict[str, str]:
    """Return values that a process may know, and that have no form of their own."""
    return {
        "short": drawn(seed, 8),
        "middle": drawn(seed + "m", 20),
        "long": drawn(seed + "l", 40),
        "longer": drawn(seed + "x", 120),
        "base64": b64encode(drawn(seed + "b", 32).encode()).decode(),
        "with signs": "p@" + drawn(seed + "s", 6) + '/+"' + drawn(seed + "t", 6) + "\\&=%" + drawn(seed + "u", 8),
        "hex": drawn(seed + "h", 64, _HEX),
        "key": "\n".join(
            ("-----BEGIN PRIVATE KEY-----", *(drawn(f"{seed}{n}", 64) for n in range(12)), "-----END PRIVATE KEY-----")
        ),
    }
