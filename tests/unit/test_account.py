"""Whose account a transcript may go to."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from foureyes.core.account import Account, account, key_of, may_see
from foureyes.core.words import DataBoundary

KEY = "sk-hunter2"
OURS = account("openai", None, KEY)

ACCOUNT, PROVIDER, ANY = DataBoundary.SAME_ACCOUNT, DataBoundary.SAME_PROVIDER, DataBoundary.ANY


@pytest.mark.parametrize(
    ("reviewer", "permitted"),
    [
        (OURS, {ACCOUNT, PROVIDER, ANY}),
        (account("openai", "https://API.openai.com:443/v1/", KEY), {ACCOUNT, PROVIDER, ANY}),
        (account("openai", None, "sk-other"), {PROVIDER, ANY}),
        (account("openai", None, None), {PROVIDER, ANY}),
        (account("openai", "https://api.openai.com/v2", KEY), {PROVIDER, ANY}),
        (account("anthropic", "https://api.openai.com/v1", KEY), {PROVIDER, ANY}),
        (account("openai", "https://api.openai.com:8443/v1", KEY), {ANY}),
        (account("openai", "https://api.openai.com.evil.example/v1", KEY), {ANY}),
        (account("anthropic", None, KEY), {ANY}),
        (account("openai", "http://localhost:8000/v1", None), {ANY}),
        (None, {ACCOUNT, PROVIDER, ANY}),
    ],
)
def test_the_boundary_says_which_accounts_may_see_the_transcript(
    reviewer: Account | None, permitted: set[DataBoundary]
) -> None:
    assert {boundary for boundary in DataBoundary if may_see(boundary, reviewer, OURS)} == permitted


@pytest.mark.parametrize(
    ("protocol", "one", "other", "same"),
    [
        ("anthropic", "http://h/v1", "http://h", True),
        ("anthropic", "http://h/v1/", "http://h/", True),
        ("anthropic", "http://h/x/v1", "http://h/x", True),
        ("anthropic", "https://api.anthropic.com/v1", None, True),
        ("anthropic", "http://h/v2", "http://h", False),
        ("anthropic", "http://h/xv1", "http://h/x", False),
        ("openai", "http://h/v1", "http://h", False),
        ("openai", "http://h/v1?tenant=a", "http://h/v1?tenant=b", False),
        ("openai", "http://h/v1?tenant=a", "http://h/v1", False),
        ("remote", "http://h/v1?tenant=a", "http://H:80/v1/?tenant=a", True),
    ],
)
def test_an_endpoint_is_the_same_where_the_same_is_asked(
    protocol: str, one: str, other: str | None, same: bool
) -> None:
    """The library for messages adds /v1 to whatever address it is given; a query can name the tenant."""
    found = [account(protocol, url, KEY) for url in (one, other)]
    assert {may_see(ACCOUNT, found[0], found[1]), may_see(ACCOUNT, found[1], found[0])} == {same}


def test_an_account_does_not_show_the_query_of_its_address() -> None:
    assert KEY not in repr(account("remote", f"http://h/v1?token={KEY}", None))


@pytest.mark.parametrize("boundary", DataBoundary)
def test_without_a_declared_agent_the_operators_own_endpoint_may_see_it(boundary: DataBoundary) -> None:
    assert may_see(boundary, account("openai", "http://localhost:8000/v1", None), None)


def test_an_account_never_shows_its_key_or_the_digest_of_it() -> None:
    assert KEY not in repr(OURS)
    assert OURS.credential
    assert OURS.credential not in repr(OURS)
    assert KEY not in OURS.credential


ENVIRON = {"OPENAI_API_KEY": "sk-env", "ANTHROPIC_API_KEY": " "}


@pytest.mark.parametrize(
    ("protocol", "base_url", "given", "key"),
    [
        ("openai", None, None, "sk-env"),
        ("openai", None, "sk-given", "sk-given"),
        ("openai", "http://localhost:8000/v1", None, ""),
        ("openai", "http://localhost:8000/v1", "sk-given", "sk-given"),
        ("openai", None, "  ", "sk-env"),
        ("openai", "http://localhost:8000/v1", "  ", ""),
        ("anthropic", None, None, ""),
    ],
)
def test_a_key_of_the_environment_goes_to_its_own_provider_only_and_a_blank_one_is_none(
    protocol: str, base_url: str | None, given: str | None, key: str
) -> None:
    """As in https://github.com/colophon-group/jobseek/pull/2137: a blank key of a compose file passed for one."""
    secret = None if given is None else SecretStr(given)
    assert key_of(protocol, base_url, secret, ENVIRON) == key
