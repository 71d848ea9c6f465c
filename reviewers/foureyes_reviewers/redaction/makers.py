"""Keys and tokens that say by their first characters who issued them."""

from __future__ import annotations

import re
from collections.abc import Callable

from foureyes_reviewers.redaction.needles import is_ordinary
from foureyes_reviewers.redaction.patterns import EDGE, Pattern

__all__ = ["TOKENS"]

_MIXED = r"(?:[a-z][A-Z]{2}|[A-Z]{2}[a-z])"
"""Two capitals beside a small letter, which words hardly have: of forty drawn letters all but one in a million do."""
_DRAWN = rf"(?=[A-Za-z_-]{{0,40}}(?:\d|{_MIXED}))"
"""A digit or mixed letters come soon: words joined by dashes have neither."""
_LONGEST_HEAD = 400
"""Characters of the head of a JWT behind a dash or an underscore, which may be the mark of a diff or a part of a name:
within a long run of such words each is a beginning, and each is read to this length."""


def _token(kind: str, starts: str, form: str, **more: Callable[[re.Match[str]], bool] | tuple[int, ...]) -> Pattern:
    words = tuple(starts.split())
    return Pattern(kind=kind, starts=words, form=re.compile(rf"{EDGE}(?:{form})"), wraps=True, **more)  # type: ignore[arg-type]


def _is_drawn(found: re.Match[str]) -> bool:
    return not is_ordinary(found["secret"])


TOKENS: tuple[Pattern, ...] = (
    _token("aws key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _token(
        "google key",
        "AIza GOCSPX- ya29. 1//0",
        r"AIza[\w-]{35}|GOCSPX-[\w-]{20,80}|ya29\.[\w-]{20,2000}|1//0[\w-]{40,200}",
    ),
    _token("azure key", "Q~", r"[\w~.]{3}\dQ~[\w~.-]{31,34}", back=(4,)),
    _token("github token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{16,255}"),
    _token("github token", "github_pat_", r"github_pat_\w{22,255}"),
    _token(
        "gitlab token",
        "glpat- glptt- gldt- glrt- glcbt- glft- glsoat- glagent- gloas- glimt-",
        r"gl[a-z]{2,5}-[\w.-]{16,300}",
    ),
    _token(
        "slack token",
        "xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-",
        r"xox[a-z][-.][\w.%-]{10,500}|xapp-[\w-]{10,300}",
    ),
    _token(
        "stripe key",
        "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ whsec_",
        r"(?:[srp]k_(?:live|test)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9+/=]{16,100})",
    ),
    _token("anthropic key", "sk-ant-", r"sk-ant-(?=[\w-]{0,20}\d)[\w-]{16,300}"),
    _token("api key", "sk-", rf"sk-{_DRAWN}[\w-]{{16,400}}"),
    _token("api key", "gsk_ hf_ r8_ fw_ api_org_", rf"(?:gsk|hf|r8|fw|api_org)_{_DRAWN}[A-Za-z0-9]{{20,200}}"),
    _token(
        "api key",
        "xai- pplx- nvapi- tvly- NRAK- PMAK- HRKU- pul-",
        rf"(?:xai|pplx|nvapi|tvly|NRAK|PMAK|HRKU|pul)-{_DRAWN}[\w-]{{20,200}}",
    ),
    _token("api key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    _token("api key", "dapi", r"dapi[a-f0-9]{32}(?:-\d{1,2})?(?![A-Za-z0-9])"),
    _token("api key", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{20,300}"),
    _token("api key", "SK AC", r"(?:SK|AC)(?=[a-f]{0,30}\d)[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("api key", "key-", r"key-(?=[a-f]{0,30}\d)[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("api key", "shpat_ shpss_ shpca_ shppa_", r"shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"),
    _token("api key", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _token(
        "api key",
        "lin_api_ ntn_ sbp_ glsa_ glc_ sntrys_ sntryu_ pscale_ figd_ tfp_ aio_",
        r"(?:lin_api|ntn|sbp|glsa|glc|sntry[su]|pscale_[a-z]{2,5}|figd|tfp|aio)_(?=[A-Za-z_]{0,40}\d)[\w.=+/-]{20,400}",
    ),
    _token(
        "api key",
        "lsv2_ pcsk_ tskey- csk- sb_secret_ tgp_v1_ secret_ v1.0-",
        rf"(?:lsv2_(?:pt|sk)|pcsk|sb_secret|tgp_v1)_{_DRAWN}[\w-]{{20,200}}|tskey-[a-z]{{2,12}}-{_DRAWN}[\w-]{{16,100}}"
        rf"|(?:csk-|secret_){_DRAWN}[A-Za-z0-9]{{40,60}}(?![A-Za-z0-9])|v1\.0-[a-f0-9]{{24}}-[a-f0-9]{{120,160}}",
    ),
    _token(
        "api key",
        "ATATT3 ATBB ATCTT3 sq0atp- sq0csp- EAACEdEose0cBA",
        r"AT(?:ATT3|CTT3|BB)[\w=-]{20,300}|sq0(?:atp|csp)-[\w-]{20,60}|EAACEdEose0cBA[A-Za-z0-9]{10,300}",
    ),
    _token(
        "api key",
        "dp.pt. dp.st. fo1_ fm2_ dckr_pat_ dckr_oat_",
        r"dp\.[ps]t\.[A-Za-z0-9._-]{20,80}|(?:fo1|fm2|dckr_[po]at)_(?=[\w-]{0,40}\d)[\w+/=-]{20,600}",
    ),
    _token(
        "package token",
        "npm_ pypi-AgE rubygems_ cio",
        r"npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{20,400}|rubygems_[a-f0-9]{48}|cio(?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])",
    ),
    _token("private key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
    _token("bot token", ":AA", r"\d{8,10}:AA[\w-]{32,40}", back=(10, 9, 8)),
    Pattern(
        kind="bot token",
        starts=(),
        form=re.compile(r"\.(?<=[\w-]{24}\.)(?<![\w-]{31}\.)(?P<secret>[\w-]{6}\.[\w-]{27,45})(?![\w-]|\.\w)"),
        accept=_is_drawn,
    ),
    Pattern(
        kind="jwt",
        starts=("eyJ",),
        needs=".",
        form=re.compile(
            rf"(?:(?:(?<![\w-])|{EDGE}(?<![_-]))eyJ[\w-]{{8,}}+|(?<=[_-])eyJ[\w-]{{8,{_LONGEST_HEAD}}}+)"
            r"\.(?:eyJ[\w-]{4,}+(?:\.[\w-]*+)?|[\w-]*+(?:\.[\w-]++){3})"
        ),
        wraps=True,
    ),
    Pattern(
        kind="password hash",
        starts=("$2a$", "$2b$", "$2y$", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2"),
        form=re.compile(
            r"\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|(?:apr1|[156y])\$[^\s$:'\"]{1,40}\$(?:[^\s$:'\"]{1,40}\$)?[./A-Za-z0-9]{22,90}|argon2(?:id?|d)\$v=\d+\$[\w=,]{1,60}\$[\w+/]{8,90}\$[\w+/]{16,120})"
        ),
    ),
)
"""The patterns of tokens that are known by themselves."""
