"""Two requests go to the same account only if provider, protocol, endpoint and credential are the same."""

from __future__ import annotations

import pytest

from foureyes.core.account import Account
from foureyes.core.words import ApiProtocol

OPENAI, ANTHROPIC = ApiProtocol.OPENAI, ApiProtocol.ANTHROPIC
KEY = "sk-planted-9f8e7d6c5b4a"


def test_without_an_endpoint_it_is_the_providers_own() -> None:
    assert Account.of(OPENAI, key=KEY) == Account.of(OPENAI, endpoint="https://api.openai.com/v1", key=KEY)
    assert Account.of(ANTHROPIC, key=KEY).endpoint == "https://api.anthropic.com"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://llm.example.com/v1", "https://LLM.example.com/v1/"),
        ("https://llm.example.com/v1", "https://llm.example.com:443/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1/"),
    ],
)
def test_two_spellings_of_an_address_are_one_account(one: str, other: str) -> None:
    assert Account.of(OPENAI, endpoint=one, key=KEY) == Account.of(OPENAI, endpoint=other, key=KEY)


@pytest.mark.parametrize(
    "other",
    [
        Account.of(ANTHROPIC, endpoint="https://llm.example.com/v1", key=KEY),
        Account.of(OPENAI, endpoint="https://llm.example.com/v2", key=KEY),
        Account.of(OPENAI, endpoint="http://llm.example.com/v1", key=KEY),
        Account.of(OPENAI, endpoint="https://llm.example.com:8443/v1", key=KEY),
        Account.of(OPENAI, endpoint="https://llm.example.com/v1", key="sk-another"),
        Account.of(OPENAI, endpoint="https://llm.example.com/v1"),
    ],
)
def test_whatever_differs_makes_it_another_account(other: Account) -> None:
    assert other != Account.of(OPENAI, endpoint="https://llm.example.com/v1", key=KEY)


@pytest.mark.parametrize(
    ("endpoint", "provider"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://eu.api.openai.com/v1", "openai"),
        ("https://mine.openai.azure.com/openai/v1", "azure"),
        ("https://api.anthropic.com", "anthropic"),
        ("https://notopenai.com/v1", "notopenai.com"),
        ("https://openai.com.example.org/v1", "openai.com.example.org"),
        ("http://localhost:8000/v1", "localhost"),
    ],
)
def test_a_provider_is_known_by_the_end_of_its_host_and_else_is_the_host(endpoint: str, provider: str) -> None:
    assert Account.of(OPENAI, endpoint=endpoint).provider == provider


def test_the_key_can_be_had_neither_from_the_value_nor_from_its_text() -> None:
    account = Account.of(OPENAI, key=KEY)
    assert KEY not in f"{account!r} {account.credential}"
    assert account.credential not in repr(account)


@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_blank_key_is_none(key: str | None) -> None:
    assert Account.of(OPENAI, key=key).credential == ""
