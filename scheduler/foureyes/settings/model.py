"""What the operator declares: reviewers, bounds over all of them, the store and the metrics endpoint."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from foureyes.core.backend import AgentConfig, BudgetConfig
from foureyes.core.config import ReviewerConfig, in_order
from foureyes.core.fields import Count, Level, Positive
from foureyes.core.guard import Limits
from foureyes.core.words import Severity, Trigger
from foureyes.errors import ConfigError
from foureyes.settings.gathering import Gathered
from foureyes.settings.location import located
from foureyes.settings.places import default_store
from foureyes.settings.problems import explained
from foureyes.settings.shape import Shape
from foureyes.telemetry.logs import in_one_line

__all__ = ["Settings"]

_NOBODY = (
    "0 reviewers configured: nothing is reviewed; declare one, such as FOUREYES_REVIEWERS__CORRECTNESS__USE=checks"
)
_LOG = logging.getLogger("foureyes")


class Settings(BaseSettings):
    """The settings of one process, read when it is constructed and never again.

    Sources, strongest first:

    1. the arguments;
    2. the environment: ``FOUREYES_STORE``, ``FOUREYES_REVIEWERS__CORRECTNESS__TIMEOUT_SECONDS``;
    3. the TOML file named by ``FOUREYES_CONFIG``, which must exist;
    4. ``foureyes/foureyes.toml`` in ``XDG_CONFIG_HOME``, by default ``~/.config``;
    5. ``FOUREYES_`` lines in the ``.env`` of the working directory;
    6. ``foureyes.toml`` there;
    7. ``[tool.foureyes]`` in ``pyproject.toml`` there.

    They are merged key by key: a file may declare a reviewer and the environment change one of its numbers. A value
    that is itself a list (``fallbacks``, ``triggers``) is replaced as a whole.

    Reviewers are tables keyed by name (``[reviewers.correctness]``), or a list of tables with a ``name``. In the
    environment ``FOUREYES_REVIEWERS`` holds either form as JSON. Numbered names work too
    (``FOUREYES_REVIEWERS__0__NAME``). A name that goes deeper overrides the JSON, key by key. In files and in the
    environment the place in a list is the reviewer's ``order`` where no source gives one; among the arguments it is
    not.

    In the environment names are read without regard to case, and reviewers' names are lower case. An empty or blank
    value is unset, as is one that begins with ``#``. One pair of quotes around a value is taken off. Lists are words
    with commas between, or JSON. In a ``.env``, a value of several lines needs single quotes around it. A name with
    ``-`` cannot be exported by a shell; use ``_``.

    Unknown keys in files and in JSON are errors. Unknown ``FOUREYES_`` names are warnings, logged by the logger
    ``foureyes`` once for each construction, as is that no reviewer is declared or none is enabled. Without reviewers
    the run is untouched.

    Raises ConfigError with every problem at once, each with its key, its source and a cure, and never with a value.
    The warnings are added to it as notes.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)

    reviewers: tuple[ReviewerConfig, ...] = ()
    """None to four reviewers, in the order of consultation: by ``order``, then by name."""
    notes_per_boundary: Positive = 6
    """Notes handed to the agent at one boundary, all reviewers together; at least 1."""
    notes_per_request: Positive = 48
    """Notes for the agent in one request, all reviewers together; at least 1. Others are listed to the host."""
    reopen_severity: Level = Severity.CONCERN
    """The weakest note that may re-open a finish: nit, concern or blocker. By default nits alone do not."""
    budget: BudgetConfig = BudgetConfig()
    """How much all reviewers together may spend, beside the budget of each."""
    agent: AgentConfig = AgentConfig()
    """The agent's own account, with which the ``data_boundary`` of every reviewer is compared."""
    max_parallel_reviews: Count = 0
    """Reviews that run at the same time, all sessions together; 0 = any number. The others wait for their turn."""
    store: str = Field(default_factory=default_store)
    """Where sessions are kept: ``memory``, ``sqlite:PATH``, or a path with a ``/`` or ``.`` in it, which means SQLite.

    Once read it is always ``memory`` or ``sqlite:PATH`` with ``~`` replaced. By default ``foureyes/foureyes.db`` in
    ``XDG_STATE_HOME``, which is ``~/.local/state`` where unset.
    """
    metrics_address: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Where the metrics endpoint listens. By default only this machine can read it."""
    metrics_port: Annotated[Count, Field(le=65_535)] | None = None
    """The port of the metrics endpoint, 1 to 65,535; 0 = any free one, None = no endpoint."""
    sources: Annotated[Mapping[str, str], Field(exclude=True, repr=False)] = {}
    """Where each value came from, by its key path: "reviewers.correctness.timeout_seconds": "foureyes.toml".

    Others are "arguments", "default", "env NAME", ".env NAME", "pyproject.toml" and the paths of further files.
    Derived: not to be given.
    """
    ignored: Annotated[tuple[str, ...], Field(exclude=True, repr=False)] = ()
    """What was said in vain and why, a sentence each. Derived: not to be given."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what is worth a look and no error: what was ignored, and who never reviews."""
        idle = (f"reviewers.{config.name} is never due: {cure}" for config in self.reviewers if (cure := _idle(config)))
        if any(config.enabled for config in self.reviewers):
            return (*self.ignored, *idle)
        names = ", ".join(config.name for config in self.reviewers)
        nobody = f"0 reviewers enabled; declared are {names}: nothing is reviewed; give one enabled = true"
        return (*self.ignored, nobody if names else _NOBODY)

    @property
    def limits(self) -> Limits:
        """Return the bounds over all reviewers together, as the guard takes them."""
        return Limits(
            notes_per_boundary=self.notes_per_boundary,
            notes_per_request=self.notes_per_request,
            reopen_severity=self.reopen_severity,
        )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the one source that merges all of ours."""
        return (Gathered(settings_cls, init_settings()),)

    @field_validator("reviewers")
    @classmethod
    def _ordered(cls, reviewers: tuple[ReviewerConfig, ...]) -> tuple[ReviewerConfig, ...]:
        return in_order(reviewers)

    @field_validator("store")
    @classmethod
    def _located(cls, store: str) -> str:
        return located(store)

    @model_validator(mode="wrap")
    @classmethod
    def _checked(cls, found: Any, validate: Callable[[Any], Self]) -> Self:
        if not isinstance(found, dict) or "problems" not in found:
            return validate(found)
        problems: list[str] = found.pop("problems")
        try:
            settings = validate(found)
        except ValidationError as error:
            problems += explained(error, Shape(cls), found)
        else:
            problems += _unpriced(settings)
        if problems:
            raise _refusal(problems, found["ignored"])
        _log(settings)
        return settings


def _unpriced(settings: Settings) -> list[str]:
    enabled = [config for config in settings.reviewers if config.enabled]
    told = [
        (config.name, config.unpriced((config.use or "", *config.fallbacks), settings.budget)) for config in enabled
    ]
    return [f"reviewers.{name}: {problem}" for name, problem in told if problem]


def _idle(config: ReviewerConfig) -> str | None:
    if not config.enabled or config.periodic or config.at_finish:
        return None
    if config.triggers is None:
        return "give interval_turns or max_rounds"
    cures = {Trigger.FINISH: "max_rounds", Trigger.PERIODIC: "interval_turns"}
    named = [cures[trigger] for trigger in sorted(config.triggers)]
    return f"give {' or '.join(named)}" if named else "give triggers, or leave them out"


def _refusal(problems: list[str], ignored: list[str]) -> ConfigError:
    refusal = ConfigError(*dict.fromkeys(map(in_one_line, problems)))
    for warning in ignored:
        refusal.add_note(warning)
    return refusal


def _log(settings: Settings) -> None:
    for warning in settings.warnings:
        _LOG.warning("%s", warning, extra={"action": "settings_warning"})
    names = [f"{config.name} ({_declared(settings.sources, config.name)})" for config in settings.reviewers]
    _LOG.info("reviewers: %s", in_one_line(", ".join(names)) or "none", extra={"action": "settings_read"})


def _declared(sources: Mapping[str, str], name: str) -> str:
    given = sources.get(f"reviewers.{name}.reviewer")
    return given or sources[f"reviewers.{name}.use"]
