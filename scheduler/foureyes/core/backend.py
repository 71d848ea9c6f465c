"""What the operator declares about the thing that reviews: a model, a command, or an HTTP endpoint.

Read by the reviewers that ``use = "model"``, ``"command"`` and ``"remote"`` name, and by nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from foureyes.core.account import Account, account, key_of
from foureyes.core.fields import Frozen, Money, Positive
from foureyes.core.words import ApiProtocol, DataBoundary, OutputMode, Reasoning

__all__ = ["AgentConfig", "BackendConfig", "BudgetConfig", "Price", "http_address", "priced"]

MAX_INSTRUCTIONS = 8_000
_PRICE = re.compile(r"(?P<model>.+?)=(?P<input>[\d.]+)/(?:(?P<cached>[\d.]+)/)?(?P<output>[\d.]+)")
_READ_BY = {
    "model": "model",
    "fallback_models": "model",
    "protocol": "model",
    "instructions": "model",
    "policy_file": "model",
    "reasoning": "model",
    "max_output_tokens": "model",
    "output_mode": "model",
    "prices": "model",
    "command": "command",
    "environment": "command",
    "checks": "checks",
}
"""By setting: the ``use`` that reads it. Own reviewers that are made from settings may read any."""


_QUERY = "holds a query; give the key as 'api_key', and leave out the '?' and what follows"
_NEEDED = {"model": "model", "command": "command", "remote": "base_url"}


class BudgetConfig(Frozen):
    """How much may be spent. A review that might go beyond is not made: it is skipped with the reason ``budget``."""

    tokens_per_request: Positive | None = None
    """Tokens read and written in one request; None = no bound."""
    tokens_per_session: Positive | None = None
    """Tokens read and written in the whole session; None = no bound."""
    usd_per_request: Money | None = None
    """US dollars in one request; None = no bound, 0 = nothing may be spent."""
    usd_per_session: Money | None = None
    """US dollars in the whole session; None = no bound, 0 = nothing may be spent."""

    @property
    def in_usd(self) -> bool:
        """Tell whether money is bounded, and not only tokens."""
        return self.usd_per_request is not None or self.usd_per_session is not None


class Price(Frozen):
    """What a model costs, in US dollars per million tokens."""

    input: Money
    cached: Money
    """For tokens that the provider had cached; the price of the input where it is not given."""
    output: Money


class AgentConfig(Frozen):
    """The agent's own account, with which every reviewer's ``data_boundary`` is compared. Nothing = not declared."""

    protocol: ApiProtocol | None = None
    """Which API the agent's model speaks: ``openai`` or ``anthropic``."""
    base_url: str | None = None
    """Where the agent's model is. None = where OPENAI_BASE_URL or ANTHROPIC_BASE_URL points, else the provider."""
    api_key: SecretStr | None = None
    """The agent's key, of which only a digest is kept. None = OPENAI_API_KEY or ANTHROPIC_API_KEY where ``base_url``
    is not given either."""

    @field_validator("base_url")
    @classmethod
    def _url_is_http(cls, url: str | None) -> str | None:
        return http_address(url) if url else url

    def account(self, environ: Mapping[str, str]) -> Account | None:
        """Return the agent's account; None where nothing of it is declared."""
        if self == AgentConfig():
            return None
        protocol = self.protocol or ApiProtocol.OPENAI
        address = self.base_url or environ.get(f"{protocol.upper()}_BASE_URL", "").strip() or None
        try:
            found = http_address(address) if address else None
        except ValueError:  # The environment's is none: no account is the same as one that cannot be reached.
            return Account(provider="", protocol=protocol, endpoint="")
        return account(protocol, found, key_of(protocol, self.base_url, self.api_key, environ))


class BackendConfig(Frozen):
    """The settings of what reviews. All have a default, for a check or a callable of one's own needs none."""

    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """The model that reviews, as its provider calls it. Needed by ``use = "model"``."""
    fallback_models: tuple[str, ...] = ()
    """Further models of the same endpoint, in order: each is asked where the one before has failed."""
    protocol: ApiProtocol = ApiProtocol.OPENAI
    """Which API the endpoint speaks: ``openai`` (chat completions) or ``anthropic`` (messages)."""
    base_url: str | None = None
    """Where the model or the remote reviewer is, such as http://localhost:8000/v1.

    None = where OPENAI_BASE_URL or ANTHROPIC_BASE_URL points, else the provider's own address.
    """
    api_key: SecretStr | None = None
    """The key of the model or the remote reviewer. None = OPENAI_API_KEY or ANTHROPIC_API_KEY where ``base_url``
    is not given either, else none is sent."""
    instructions: Annotated[str, Field(max_length=MAX_INSTRUCTIONS)] = ""
    """What this reviewer is to look for, at most 8,000 characters. It sets priorities and can only add to the rules."""
    policy_file: str | None = None
    """A file of the working directory with further priorities, such as WATCHDOG.md; at most 16,000 characters of it."""
    reasoning: Reasoning = Reasoning.OFF
    """How long a model may think: off, minimal, low, medium or high. off asks for nothing: some think all the same."""
    max_output_tokens: Annotated[Positive, Field(le=100_000)] = 1_024
    """Tokens of one reply, thinking included."""
    output_mode: OutputMode = OutputMode.AUTO
    """How the model is held to JSON: json_schema, json_object, prompted, or auto, which finds out once what it can."""
    prices: tuple[str, ...] = ()
    """What models cost in US dollars per million tokens: MODEL=INPUT/OUTPUT or MODEL=INPUT/CACHED/OUTPUT.

    A model without a price has an unknown cost, which is never counted as 0.
    """
    budget: BudgetConfig = BudgetConfig()
    """How much the reviewer may spend."""
    data_boundary: DataBoundary = DataBoundary.SAME_ACCOUNT
    """Who may see the transcript: the agent's own account (same_account), its provider (same_provider), or any."""
    command: tuple[str, ...] = ()
    """The program and its arguments that ``use = "command"`` starts for each review, without a shell."""
    environment: tuple[str, ...] = ()
    """Names of environment variables that the command gets, beside PATH, HOME, LANG, LC_ALL, TMPDIR and TZ."""

    checks: tuple[str, ...] = ()
    """Names of the checks that ``use = "checks"`` runs; each with a "-" in front: all but these. None given = all."""

    @field_validator("model")
    @classmethod
    def _model_is_named(cls, model: str | None) -> str | None:
        if model is not None and not model.strip():
            raise ValueError("is blank: give the model's name as its provider calls it")
        return model

    @field_validator("fallback_models")
    @classmethod
    def _fallback_models_are_named(cls, models: tuple[str, ...]) -> tuple[str, ...]:
        if not all(model.strip() for model in models):
            raise ValueError("one of them is blank: give each model's name as its provider calls it")
        return models

    @field_validator("base_url")
    @classmethod
    def _url_is_http(cls, url: str | None) -> str | None:
        return http_address(url, query=True) if url else url

    @field_validator("checks")
    @classmethod
    def _checks_are_of_one_kind(cls, checks: tuple[str, ...]) -> tuple[str, ...]:
        if len({name.lstrip().startswith("-") for name in checks}) > 1:
            raise ValueError("must name the checks to run, or each with a '-' in front the ones to leave out, not both")
        return checks

    @field_validator("prices")
    @classmethod
    def _prices_are_numbers(cls, prices: tuple[str, ...]) -> tuple[str, ...]:
        for price in prices:
            priced(price)
        return prices

    def misfit(self, uses: Iterable[str]) -> str:
        """Return what does not fit what reviews, all of it with "; " between, and "" where nothing is amiss.

        That is a setting that is missing, one that nothing reads (reviewers of one's own may read all of them), an
        address of a model with a query, behind which no path can be put, and a budget in US dollars of a model whose
        price is not known, for it would never be called.
        """
        named = {use.strip() for use in uses}
        missing = [(use, field) for use, field in _NEEDED.items() if use in named and not getattr(self, field)]
        problems = [f"use = '{use}' needs '{field}'" for use, field in missing]
        if "model" in named and "?" in (self.base_url or ""):
            problems.append(f"'base_url' {_QUERY}")
        if named <= {"checks", "model", "command", "remote"}:
            problems += [f"'{field}' is only read by use = '{_READ_BY[field]}'" for field in self._unread(named)]
        return "; ".join(filter(None, (*problems, self.unpriced(named, self.budget))))

    def unpriced(self, uses: Iterable[str], budget: BudgetConfig) -> str:
        """Return that the budget is in US dollars and a model that reviews has no price; "" where that is not so."""
        if not budget.in_usd or "model" not in {use.strip() for use in uses}:
            return ""
        known = dict(map(priced, self.prices))
        named = (model for model in (self.model, *self.fallback_models) if model)
        unknown = " and ".join(f"'{model}'" for model in dict.fromkeys(named) if model not in known)
        return f"a budget in US dollars needs a price for {unknown}; add it to 'prices'" if unknown else ""

    def _unread(self, named: Set[str]) -> Iterator[str]:
        for field, use in _READ_BY.items():
            if use not in named and getattr(self, field) != BackendConfig.model_fields[field].default:
                yield field


def http_address(url: str, *, query: bool = False) -> str:
    """Return the address, which may hold a query where ``query`` says so.

    Raises ValueError for what is no http or https address, and for one with a name, a password, a fragment, or a
    query: a client would put its path behind it, and write all of it into the log.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or 0
    except ValueError:  # The port is no number, or is out of bounds.
        port = -1
    if port < 0 or parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", url):
        raise ValueError("must be an http:// or https:// address")
    if parts.username or parts.password:
        raise ValueError("holds a name or a password; give the key as 'api_key'")
    if "#" in url:
        raise ValueError("holds a fragment, which is sent nowhere; leave out the '#' and what follows")
    if "?" in url and not query:
        raise ValueError(_QUERY)
    return url


def priced(text: str) -> tuple[str, Price]:
    """Return the model and its price. Raises ValueError for a text that is no MODEL=INPUT[/CACHED]/OUTPUT."""
    found = _PRICE.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        each, output = float(found["input"]), float(found["output"])
        cached = each if found["cached"] is None else float(found["cached"])
    except ValueError:
        raise ValueError("must be MODEL=INPUT/OUTPUT or MODEL=INPUT/CACHED/OUTPUT, in US dollars") from None
    return found["model"].strip(), Price.model_validate({"input": each, "cached": cached, "output": output})
