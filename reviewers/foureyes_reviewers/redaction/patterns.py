"""Forms by which a secret is known without knowing the secret.

Every expression takes linear time: what may repeat without a bound is either all that is left to match, or begins
where it could not have begun earlier.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from foureyes_reviewers.redaction.assignments import ASSIGNMENT, OPTION, PAIR, is_secret_assignment, is_secret_option
from foureyes_reviewers.redaction.values import is_placeholder, is_random

__all__ = ["BUILT_IN", "MARK", "Pattern", "marker"]

MARK = "[redacted:"
"""How every marker begins."""


def marker(kind: str) -> str:
    """Return what stands in place of a secret."""
    return f"{MARK} {kind}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One form of secrets."""

    kind: str
    """What the marker calls it: ``[redacted: <kind>]``."""
    form: re.Pattern[str]
    """What is replaced: its group ``secret`` or ``bare`` where it has one, else the whole match. Where a match with a
    group ``name`` is no secret, the search goes on behind that name."""
    accept: Callable[[re.Match[str]], bool] | None = None
    """Whether a match is a secret; None: each is."""
    hints: tuple[str, ...] = ()
    """Pieces in lower case of which every match holds one: a text without any is not searched. None given: each is."""

    def may_be_in(self, lowered: str) -> bool:
        """Tell whether the text, given in lower case, may hold such a secret. Costs a fraction of looking."""
        return not self.hints or any(hint in lowered for hint in self.hints)

    def without(self, text: str) -> str:
        """Return the text with markers in place of these secrets; what is marked already stays as it is."""
        kept: list[str] = []
        place, found = 0, self.form.search(text)
        while found:
            group = _secret(found)
            start, resume = found.start(group), found.end(group)
            if found[group].startswith(MARK) or (self.accept is not None and not self.accept(found)):
                # Behind a name that names no secret there may be one that does.
                resume = found.end("name") if "name" in self.form.groupindex else found.end()
            else:
                kept += [text[place:start], marker(self.kind)]
                place = resume
            found = self.form.search(text, resume)
        return "".join((*kept, text[place:])) if kept else text


def _secret(found: re.Match[str]) -> str | int:
    groups = ("secret", "bare")
    return next((group for group in groups if group in found.re.groupindex and found[group] is not None), 0)


def _random(found: re.Match[str]) -> bool:
    return is_random(found["secret"])


def _meant(found: re.Match[str]) -> bool:
    return not is_placeholder(found["secret"])


def _token(kind: str, form: str, *hints: str) -> Pattern:
    return Pattern(kind=kind, form=re.compile(rf"(?<![A-Za-z0-9])(?:{form})"), hints=hints)


def _named(kind: str, form: str, *hints: str, accept: Callable[[re.Match[str]], bool] | None = None) -> Pattern:
    return Pattern(kind=kind, form=re.compile(form, re.IGNORECASE), accept=accept, hints=hints)


_HEAD = r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_TAIL = r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_LINES = r"(?>(?>\s|\\{1,4}[nr]){1,20}[A-Za-z0-9+/=]{16,}+){1,2000}+"
_PEM = rf"{_HEAD}(?>(?:[^-]|-(?!----)){{0,16000}}{_TAIL}|(?:{_LINES})?)"
_QUOTE = r"\\{0,4}[\"']?"
_HEADER = rf"{_QUOTE}\s{{0,4}}[:=]\s{{0,4}}{_QUOTE}"

BUILT_IN: tuple[Pattern, ...] = (
    Pattern(kind="private key", form=re.compile(_PEM), hints=("private key",)),
    _token("aws key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])", "akia", "asia", "abia", "acca"),
    _token("google key", r"AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,}", "aiza", "gocspx-", "ya29."),
    _token("azure key", r"[\w~.]{3}\dQ~[\w~.-]{31,34}", "q~"),
    _token(
        "github token",
        r"gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{22,}",
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "_pat_",
    ),
    _token("gitlab token", r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas)-[\w-]{16,}", "pat-", "tt-", "t-", "oas-"),
    _token("slack token", r"xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}", "xox", "xapp-"),
    _named("slack webhook", r"hooks\.slack\.com/(?:services|workflows)/(?P<secret>[\w/-]{16,})", "hooks.slack.com"),
    _token(
        "stripe key", r"[srp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{16,}", "k_live_", "k_test_", "whsec_"
    ),
    _token("anthropic key", r"sk-ant-[\w-]{16,}", "sk-ant-"),
    _token("api key", r"sk-(?=[A-Za-z_-]{0,40}\d)[\w-]{16,}", "sk-"),
    _token("api key", r"(?:gsk|hf|r8|fw)_(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{20,}", "gsk_", "hf_", "r8_", "fw_"),
    _token("api key", r"(?:xai|pplx|nvapi|tvly)-(?=[A-Za-z-]{0,40}\d)[\w-]{20,}", "xai-", "pplx-", "nvapi-", "tvly-"),
    _token("api key", r"SG\.[\w-]{16,32}\.[\w-]{16,64}|dapi[a-f0-9]{32}|hvs\.[\w-]{20,}", "sg.", "dapi", "hvs."),
    _token("package token", r"npm_[A-Za-z0-9]{36}|pypi-AgEI[\w-]{20,}", "npm_", "pypi-agei"),
    _token("bot token", r"\d{8,10}:AA[\w-]{32,}", ":aa"),
    Pattern(kind="jwt", form=re.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.eyJ[\w-]{4,}+(?:\.[\w-]*+)?"), hints=("eyj",)),
    _named("password", r"://[^\s/:@\"'<>]{0,200}:(?P<secret>[^\s/\"'<>]{1,400})@", "://", accept=_meant),
    _named("token", r"://(?P<secret>[\w-]{20,200})@", "://", accept=_random),
    _named(
        "cookie",
        rf"\bcookie{_HEADER}(?P<secret>[^\s=;\"'\\]{{1,80}}=[^\r\n\"'\\]{{1,8000}})",
        "cookie",
    ),
    _named(
        "authorization",
        rf"\bauthorization{_HEADER}(?:[a-z][\w-]{{1,20}}\s{{1,4}})?(?P<secret>[^\s\"',\\]{{6,}})",
        "authorization",
        accept=_random,
    ),
    _named(
        "authorization",
        r"\b(?:bearer|basic)[ \t]{1,4}(?P<secret>[\w.~+/=-]{8,})",
        "bearer",
        "basic",
        accept=_random,
    ),
    _named(
        "password",
        r"(?<!\S)(?:-u|--user)[ \t=]{1,2}[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"']{3,200})",
        "-u",
        accept=_meant,
    ),
    _named(
        "password",
        r"\b(?:sshpass|mysql(?:dump|admin)?|mariadb|(?:docker|podman|helm|az) login)\b[^\n|;&]{0,200}?\s-p ?[\"']?"
        r"(?P<secret>[^\s\"'-][^\s\"']{2,200})",
        "sshpass",
        "mysql",
        "mariadb",
        " login",
        accept=_meant,
    ),
    _named("password", r"\blogin\s{1,9}\S{1,100}\s{1,9}password\s{1,9}(?P<secret>\S{3,200})", "login", accept=_meant),
    _named("signature", r"[?&](?:sig|X-Amz-Signature)=(?P<secret>[\w%+/=-]{20,})", "sig=", "signature="),
    Pattern(kind="credential", form=PAIR, accept=is_secret_option, hints=("value",)),
    Pattern(kind="credential", form=OPTION, accept=is_secret_option, hints=("--",)),
    Pattern(
        kind="credential",
        form=ASSIGNMENT,
        accept=is_secret_assignment,
        hints=("pass", "pwd", "secret", "token", "credential", "key"),
    ),
)
"""The patterns that are used unless others are given: keys and tokens of well-known makers first, and then what is
secret for the name that it has."""
