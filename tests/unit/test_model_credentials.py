"""A key goes to the endpoint that it was given for, and to no other."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import SecretStr

from foureyes.core.backend import AgentConfig, BackendConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol, Reasoning
from foureyes.errors import ConfigError
from foureyes_reviewers.model import reviewer
from foureyes_reviewers.model.credentials import Endpoint, endpoint

KEY, OTHER = "sk-planted-0123456789abcdef", "sk-planted-of-the-environment-1"
OWN = {ApiProtocol.OPENAI: "https://api.openai.com/v1", ApiProtocol.ANTHROPIC: "https://api.anthropic.com"}
NAMES = ("API_KEY", "BASE_URL", "ORG_ID", "PROJECT_ID", "CUSTOM_HEADERS")


def where(environ: dict[str, str] | None = None, **settings: Any) -> Endpoint:
    """Return the endpoint that the settings declare."""
    return endpoint(BackendConfig(**settings), environ or {})


@pytest.mark.parametrize("protocol", list(ApiProtocol))
def test_without_key_and_address_the_providers_own_variables_say_both(protocol: ApiProtocol) -> None:
    name = protocol.upper()
    own = where({f"{name}_API_KEY": OTHER}, protocol=protocol)
    assert (own.address, own.key, own.ambient) == (OWN[protocol], OTHER, True)
    proxy = where({f"{name}_API_KEY": OTHER, f"{name}_BASE_URL": "https://proxy.example/x/"}, protocol=protocol)
    assert (proxy.address, proxy.key) == ("https://proxy.example/x", OTHER)


@pytest.mark.parametrize("protocol", list(ApiProtocol))
def test_the_environments_key_never_goes_to_a_declared_address(protocol: ApiProtocol) -> None:
    found = where({f"{protocol.upper()}_API_KEY": OTHER}, protocol=protocol, base_url="https://llm.example")
    assert (found.address, found.key, found.ambient) == ("https://llm.example", None, False)


def test_a_declared_key_goes_to_the_provider_and_not_to_the_environments_address() -> None:
    found = where({"OPENAI_BASE_URL": "https://proxy.example", "OPENAI_API_KEY": OTHER}, api_key=KEY)
    assert (found.address, found.key, found.ambient) == (OWN[ApiProtocol.OPENAI], KEY, False)


def test_the_key_of_one_provider_is_not_taken_for_another() -> None:
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY"):
        where({"OPENAI_API_KEY": OTHER}, protocol=ApiProtocol.ANTHROPIC)


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_a_blank_key_is_none(blank: str) -> None:
    assert where({"OPENAI_API_KEY": OTHER}, api_key=blank).key == OTHER
    assert where(api_key=blank, base_url="http://localhost:8000/v1").key is None
    with pytest.raises(ConfigError, match="'api_key' is missing"):
        where({"OPENAI_API_KEY": blank})


@pytest.mark.parametrize("key", ["sk-planted-1\n2", "sk-planted-\N{HORIZONTAL ELLIPSIS}", "sk-\x00planted"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_told(key: str) -> None:
    with pytest.raises(ConfigError, match="'api_key'") as caught:
        where(api_key=key)
    assert "planted" not in str(caught.value)


def test_the_version_at_the_end_of_an_address_is_left_to_the_messages_library() -> None:
    assert where(protocol=ApiProtocol.ANTHROPIC, base_url="http://localhost:1/v1/").address == "http://localhost:1"
    assert where(base_url="http://localhost:1/v1/").address == "http://localhost:1/v1"


@pytest.mark.parametrize("url", ["https://proxy.example/v1?token=planted", "proxy.example", "https://me:planted@h/"])
def test_an_address_of_the_environment_that_base_url_could_not_be_is_refused_and_not_told(url: str) -> None:
    with pytest.raises(ConfigError, match=r"OPENAI_BASE_URL (holds|must be)") as caught:
        where({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url})
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://h/v1", "http://h", "http://h/v1/", "http://h/x/v1", None])
def test_agent_and_reviewer_with_the_same_settings_have_the_same_account(
    url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for protocol in ApiProtocol:
        monkeypatch.delenv(f"{protocol.upper()}_BASE_URL", raising=False)
        made = reviewer.from_config(config(protocol=protocol, api_key=KEY, base_url=url))
        agent = AgentConfig(protocol=protocol, api_key=SecretStr(KEY), base_url=url).account({})
        assert made.account == agent


def test_an_endpoint_does_not_show_its_key() -> None:
    assert KEY not in repr(where(api_key=KEY))


def config(**settings: Any) -> ReviewerConfig:
    """Return a reviewer that asks a model."""
    return ReviewerConfig(**({"name": "one", "use": "model", "model": "small"} | settings))


def test_a_missing_key_is_told_when_the_reviewer_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for protocol in ApiProtocol:
        for name in NAMES:
            monkeypatch.delenv(f"{protocol.upper()}_{name}", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        reviewer.from_config(config())


def test_the_account_is_that_of_the_endpoint_and_has_no_key_in_it() -> None:
    made = reviewer.from_config(config(api_key=KEY, base_url="http://localhost:8000/v1"))
    assert made.account is not None
    assert (made.account.protocol, made.account.endpoint) == ("openai", "http://localhost:8000/v1")
    assert KEY not in f"{made.account!r}{made.account.credential}"


@pytest.mark.parametrize("reasoning", [each for each in Reasoning if each is not Reasoning.OFF])
def test_thinking_needs_room_in_the_messages_api(reasoning: Reasoning) -> None:
    settings = {"protocol": ApiProtocol.ANTHROPIC, "api_key": KEY, "reasoning": reasoning}
    with pytest.raises(ConfigError, match="max_output_tokens"):
        reviewer.from_config(config(**settings, max_output_tokens=2_047))
    reviewer.from_config(config(**settings, max_output_tokens=2_048))
