"""Redaction: no secret gets out in any form, and what is none stays as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foureyes_reviewers.redaction import BUILT_IN, LONGEST_SECRET, Pattern, Redactor

from .growth import HOSTILE, assert_linear
from .secrets_planted import BY_FORM, KNOWN, PEM, PEM_BODY, PLAIN, SECRET, TOKENS, leaks

# --- known makers ---


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
@pytest.mark.parametrize(
    "around", ["@", "x @ y", "key is @.", '"@"', "a=@&b", "(@)", "TOKEN=@", "{'t': '@'}", "a\n@\nb"]
)
def test_a_token_of_a_known_maker_goes_wherever_it_stands(token: str, around: str) -> None:
    drawn = token.removeprefix("github_pat_")
    assert not leaks(drawn, BY_FORM.redacted(around.replace("@", token)))


def test_the_marker_names_the_kind() -> None:
    assert BY_FORM.redacted(f"use {TOKENS['aws']} now") == "use [redacted: aws key] now"
    assert BY_FORM.redacted(f"use {TOKENS['github']} now") == "use [redacted: github token] now"
    assert BY_FORM.redacted("password=hunter2") == "password=[redacted: credential]"


def test_a_private_key_goes_whole_and_what_stands_around_it_stays() -> None:
    assert BY_FORM.redacted(f"before\n{PEM}\nafter") == "before\n[redacted: private key]\nafter"
    assert BY_FORM.redacted(json.dumps({"key": PEM})) == '{"key": "[redacted: private key]"}'


def test_half_a_private_key_goes_too() -> None:
    lines = PEM.splitlines()
    for half in ("\n".join(lines[:9]), "\n".join(lines[9:]), lines[0]):
        assert not leaks(PEM_BODY, BY_FORM.redacted(f"x\n{half}"), 12)


def test_a_public_key_stays() -> None:
    public = PEM.replace("RSA PRIVATE", "PUBLIC")
    assert BY_FORM.redacted(public) == public


# --- secret for the name that it has ---

NAMED = [
    "password=@",
    "PASSWORD=@",
    "DB_PASSWORD='@'",
    'export API_KEY="@"',
    "password: @",
    "  - password: '@'",
    '{"password": "@", "user": "bob"}',
    '{"clientSecret":"@"}',
    '{"arguments": "{\\"password\\": \\"@\\"}"}',
    "password = @",
    "db.password=@",
    'os.environ["DB_PASSWORD"] = "@"',
    'password: str = "@"',
    'login(user, password="@")',
    "--password @",
    "mysql --password=@ -u root",
    "--api-key '@'",
    "https://x.org/?token=@&page=2",
    "Server=db;User Id=sa;Password=@;Encrypt=yes",
    "host=db user=app password=@ port=5432",
    "<password>@</password>",
    "X-Api-Key: @",
    "my password is @",
    "The secret is: @",
    "AccountName=x;AccountKey=@;EndpointSuffix=core",
    "postgres://app:@@db.example.org:5432/app",
    "redis://:@@cache/0",
    "curl -u bob:@ https://x.org",
    "Authorization: Bearer @",
    '"authorization": "Bearer @"',
    "Cookie: session=@; theme=dark",
    "Set-Cookie: sid=@; Path=/; HttpOnly",
    "curl -H 'Cookie: a=b; sid=@'",
    "pwd := '@'",
    '"access_token" => "@"',
    "STRIPE_KEY=@",
    "secret_key_base: @",
    "//registry.example.org/:_authToken=@",
    "machine example.org login bob password @",
    "sshpass -p @ ssh bob@host",
    "mysql -u root -p@ shop",
    "echo x && docker login -u bob -p '@' example.org",
    "- name: DB_PASSWORD\n  value: @",
    '{"name": "API_TOKEN", "value": "@"}',
    "env:\n  DB_PASS: @",
    "PGPASSWORD=@ psql -h db",
]


@pytest.mark.parametrize("text", NAMED)
@pytest.mark.parametrize("secret", ["a1b2c3d4e5f6", "Tr0ub4dor-and-3", "wJalrXUtnFEMI0bPxRfiCYEX"])
def test_what_is_secret_for_its_name_goes(text: str, secret: str) -> None:
    assert not leaks(secret, BY_FORM.redacted(text.replace("@", secret, 1)))


@pytest.mark.parametrize(
    "text", ["password=hunter2", "password: swordfish", '"pwd": "swordfish"', "PASSWORD=swordfish"]
)
def test_a_weak_password_is_one(text: str) -> None:
    assert "hunter2" not in BY_FORM.redacted(text)
    assert "swordfish" not in BY_FORM.redacted(text)


def test_only_the_value_goes() -> None:
    text = '{"user": "bob", "password": "a1b2c3d4", "port": 5432}'
    assert BY_FORM.redacted(text) == '{"user": "bob", "password": "[redacted: credential]", "port": 5432}'


# --- what is no secret stays ---

HARMLESS = [
    "password: !vault",
    "password = input()",
    "password = getpass.getpass()",
    'password = request.form["password"]',
    "token_count = 1024",
    "secret_name: my-secret",
    "secretName: my-tls-secret",
    "secretKeyRef:\n  name: db\n  key: password",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    'password: "{{ password }}"',
    "docker run -u 1000:1000 x",
    "mysql -p shop",
    "user login with password please",
    "--username and --password options",
    'HEADERS = ("authorization", "x-amz-content-sha256")',
    "git@github.com:a/b.git",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQ\n-----END CERTIFICATE-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl bob",
    "integrity=sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
    "h1:fD57ERR4JtEqsWbfPhv4DMiApHyliiK5xCTNVSPiaAs=",
    'ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"',
    "index 83db48f..bf26b8c 100644",
    "description: |\n  b7c8d9e0f1g2h3i4",
    "token: |\n  see below",
    "password: >\n  ${X}",
    "password: str",
    "password: str | None = None",
    "password: SecretStr",
    "token = tokens[0]",
    "token = get_token()",
    "token = self.token",
    "password=self.password",
    "connect(password=password, token=token)",
    'api_key=os.environ["X"]',
    "def password(self) -> str:",
    "if token == expected_token:",
    "for token in tokens:",
    "lambda token: token.text",
    "import { token } from './token';",
    "const token = useToken();",
    "Promise<token>foo",
    "secret = hashlib.sha256(data).hexdigest()",
    'secret: bytes = b""',
    'eos_token = "</s>"',
    '"next_page_token": "CAUQAA1234567890"',
    'tokens = 12; max_tokens: 1024; "max_tokens": 4096',
    "token_count=5",
    '"token": "hello"',
    "PRIMARY_KEY = id",
    "PWD=/home/bob/project",
    "OLDPWD=/usr/lib/x86_64-linux-gnu",
    "SECRET=/run/secrets/db",
    "--token ./token.txt",
    "docker run -p 8080:80 x; mysql -u root",
    "- name: LOG_LEVEL\n  value: debug123",
    "please login here with password rules in mind",
    "ssh://git@example.org/a/b",
    "primary_key=True",
    "key = 'value'",
    "The password is required. Passwords must have 8 characters.",
    '{"password": "This field is required."}',
    "password: required",
    "password=${DB_PASSWORD}",
    "PASSWORD=<your password>",
    "PASSWORD=***",
    'api_key: "your-api-key"',
    "Authorization: Bearer <token>",
    "bearer authentication is used, or basic authorization",
    "a cookie: a small file",
    "https://user:password@host/",
    "https://github.com/a/b@v1.2:3",
    "http://localhost:8080/x@y",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "3f786850e387550fdab836ed7e6dc881de23001b refs/heads/main",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "sk-learn-contrib-something-longer",
    "tests pass: 123 fail: 0",
    "--token-limit 500 --password-file /run/x -u user",
    "reviewers/foureyes_reviewers/redaction/assignments.py",
    "SELECT token, COUNT(*) FROM sessions GROUP BY token",
    "100%25 of 50%20 rows",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "aGVsbG8gd29ybGQsIHRoaXMgaXMgbm8gc2VjcmV0",
    'if a < b && c: print("x")',
]


@pytest.mark.parametrize("text", HARMLESS)
def test_code_prose_identifiers_and_placeholders_stay_as_they_are(text: str) -> None:
    assert BY_FORM.redacted(text) == text


NEAR = {
    "private key": ["-----BEGIN PUBLIC KEY-----", "a PRIVATE KEY is needed", "Private-Lines: 14"],
    "aws key": ["AKIAshort", "MAKIAIOSFODNN7EXAMPLEX", "AKIAIOSFODNN7EXAMPLELONGER"],
    "google key": ["AIza...", "GOCSPX-name", "ya29.name", "1//0x"],
    "azure key": ["abcQ~", "abcdQ~dEfGhIjKlMnOpQrStUvWxYz0123456789a"],
    "github token": ["ghp_<token>", "ghp_your_token_here", "github_pat_..."],
    "gitlab token": ["glpat-short", "glob-pattern-of-many-words"],
    "slack token": ["xoxb-token", "xapp-1"],
    "stripe key": ["sk_live_key", "sk_live_<key>", "whsec_..."],
    "anthropic key": ["sk-ant-...", "sk-ant-api03-..."],
    "api key": [
        "sk-proj-...",
        "task-1234567890123456789",
        "risk-assessment-of-2024-projects",
        "hf_hub_download",
        "gsk_...",
        "SG.module.name",
        "SKU12345",
        "ACCOUNT",
        "dapi_version",
        "key-3f786850",
        "key-value",
        "hvs.name",
        "ntn_...",
        "shpat_...",
        "ATBB",
        "xai-grok-model-name-without-a-digit",
    ],
    "package token": ["npm_config_registry", "pypi-server", "cio"],
    "bot token": ["12:AA", "1234567890:AAbc", "some_long_module_name_here.abcdef.another_long_identifier_name_xyz"],
    "jwt": ["eyJ", "eyJhbGciOi", "eyJ.x", "eyJhbGciOiJIUzI1NiJ9"],
    "password hash": ["$2b$", "$1$", "echo $1$2", "$1 and $2", "$argon2"],
    "password": ["https://example.org/a@b", "https://user@example.org/", "postgres:5432:5432", "login bob", "-u root"],
    "slack webhook": ["hooks.slack.com/services/"],
    "discord webhook": ["discord.com/api/webhooks/"],
    "cookie": ["cookie: none", "set_cookie(response)", "cookie=None"],
    "authorization": ["Basic $CREDENTIALS", "Authorization: Bearer $TOKEN", "Authorization: token", "bearer token"],
    "credential": ['"auth": "none"', "auth: required", "--token <token>", "name: KEY_NAME\nvalue: abc123"],
    "signature": ["sig=", "signature=base64", "?sig=none", "design=aaaaaaaaaaaaaaaaaaaaaa1"],
}
"""By kind: what looks nearly like a secret of it."""


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in NEAR.items() for text in texts])
def test_what_is_nearly_a_secret_stays(kind: str, text: str) -> None:
    assert BY_FORM.redacted(text) == text, kind


def test_every_kind_has_something_that_is_nearly_it() -> None:
    kinds = {pattern.kind for pattern in BUILT_IN if isinstance(pattern, Pattern)}
    assert kinds <= NEAR.keys()


@pytest.mark.shared
def test_recorded_runs_of_agents_stay_as_they_are_but_for_what_looks_like_a_token(shared: Path) -> None:
    read, changed = 0, []
    for file in sorted((shared / "data" / "trajectories").rglob("*.json*"))[::6]:
        text = file.read_text("utf-8") if file.is_file() else ""
        read += len(text)
        changed += re.findall(r"\w*.{0,8}\[redacted: [a-z ]+]", BY_FORM.redacted(text))
    assert read > 500_000
    assert [found for found in changed if "Token" not in found] == []


# --- twice ---

PIECES = [
    *TOKENS.values(),
    *NAMED,
    *HARMLESS,
    PEM,
    PLAIN,
    SECRET,
    " ",
    "\n",
    "=",
    ":",
    '"',
    "password",
    "[redacted: x]",
]
PIECES += ["\n[shortened for review: 7 characters left out]\n", "[redacted: aws key]", "Cookie: ", "://", "%3D", "\\n"]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_redacting_twice_changes_nothing_more(pieces: list[str]) -> None:
    once = KNOWN.redacted("".join(pieces))
    assert KNOWN.redacted(once) == once


@pytest.mark.parametrize(
    "piece", ["--sig=", "/=sig=", "+bearer", "_token=", "authorization=", "password: |\n  -----END "]
)
def test_redacting_a_hostile_text_twice_changes_nothing_more(piece: str) -> None:
    once = KNOWN.redacted(piece * 400)
    assert KNOWN.redacted(once) == once


@given(st.text())
def test_any_text_can_be_redacted(text: str) -> None:
    once = KNOWN.redacted(text)
    assert KNOWN.redacted(once) == once


# --- in pieces ---


@given(st.lists(st.sampled_from([*PIECES, "some words of a log\n" * 200]), min_size=4, max_size=40), st.randoms())
@settings(max_examples=40)
def test_what_stands_far_from_the_ends_of_a_piece_is_redacted_there_as_in_the_whole(
    pieces: list[str], draw: Any
) -> None:
    place = draw.randrange(len(pieces))
    before, after = "\n".join(pieces[:place]) + "\n", "\n" + "\n".join(pieces[place:])
    whole = KNOWN.redacted(f"{before}<here>{after}")
    assert (
        KNOWN.redacted(f"{before}<here>{after[:LONGEST_SECRET]}").partition("<here>")[0] == whole.partition("<here>")[0]
    )
    assert (
        KNOWN.redacted(f"{before[-LONGEST_SECRET:]}<here>{after}").partition("<here>")[2]
        == whole.partition("<here>")[2]
    )


@pytest.mark.parametrize("text", [*TOKENS.values(), PEM, PEM.replace("\n", "\n+ "), *NAMED])
def test_a_marker_is_never_longer_than_a_few_words(text: str) -> None:
    assert len(BY_FORM.redacted(text)) <= len(text) + 40


# --- other patterns ---


def test_without_patterns_only_known_secrets_go() -> None:
    redactor = Redactor([PLAIN], patterns=())
    assert redactor.redacted(f"password=hunter2 {PLAIN}") == "password=hunter2 [redacted: secret]"


@pytest.mark.parametrize("pattern", [pattern for pattern in BUILT_IN if isinstance(pattern, Pattern)], ids=str)
def test_every_pattern_says_what_its_matches_begin_with_or_begins_with_one_character(pattern: Pattern) -> None:
    folded = bool(pattern.form.flags & re.IGNORECASE)
    assert pattern.starts or re.match(r"\\\.|--", pattern.form.pattern)
    assert not folded or all(start == start.lower() for start in pattern.starts)


# --- time ---

KEYS = [f"{PEM.splitlines()[0]}\n", f"{PEM.splitlines()[0]}\n{'A' * 64}\n", f"{'A' * 64}\n", PEM.splitlines()[-1]]
STARTS = [
    "-sk-a1",
    ".eyJ",
    "eyJaaaaaaaaa.",
    "://a:",
    "Cookie: a=",
    "Authorization: ",
    "bearer aaaaaaaa ",
    "%41",
    "password=",
]
STARTS += ['password="', 'secret=\\"', "--token ", '"password": "abc', 'password="x y z w ', "_key", "secret: token: "]
STARTS += [
    "password is ",
    "-u a:",
    "AAAAAAAAAAAAAAAAAAAA ",
    "\n[shortened for review: 5 characters left out]\n",
    PLAIN[:-1],
    PLAIN.encode().hex()[:-1],
    "0x5a, ",
    "\\u005a",
    "&#90;",
    "&amp;amp;",
    "\\\\",
    "a=",
    "a ",
    "AAAA\n",
    "-----BEGIN ",
    "\r",
    "\r\n",
    "1",
    "90, ",
    "+ ",
    "> AAAAAAAAAAAAAAAAAAAAAA\n",
    "key=",
    "key: ",
    "\u200b",
    "\u00ad",
    "\uff41",
    "a\0",
    "\u00e9",
    "&amp;",
    "%",
    "=\n",
    "token: |\n  ",
    "name: a value: ",
    "mysql -p",
    "login a password ",
    "machine a login a password ",
    "a:b@",
    "1:AA",
    "Q~",
    "$1$",
    "a.b",
    "ghp_",
    "sk-",
    "\\n",
    "\\u",
    "\x1b[33m",
    "Private-Lines: 9\n",
    "+bearer",
    "_token=",
    ":secret",
    "authorization=",
    "authtoken://password",
    "--sig=",
    "sig=authorization/",
    "A1b2C3d4E5f6G7h8" * 6 + "\n",
]


@pytest.mark.parametrize("piece", [*HOSTILE, *KEYS, *STARTS])
def test_redaction_takes_linear_time_however_hostile_the_text(piece: str) -> None:
    assert_linear(KNOWN.redacted, piece)


def test_a_megabyte_of_everything_is_redacted_in_one_go() -> None:
    named = [text.replace("@", "a1b2c3d4e5f6", 1) for text in NAMED]
    everything = "\n".join((*named, *HARMLESS, *TOKENS.values(), PEM, PLAIN))
    redacted = KNOWN.redacted("\n".join([everything] * (1_000_000 // len(everything) + 1)))
    assert not any(secret in redacted for secret in (*TOKENS.values(), PLAIN, "a1b2c3d4e5f6"))
