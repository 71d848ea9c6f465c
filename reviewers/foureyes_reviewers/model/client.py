"""What asks one model: one request at a time, no retries, no fallback, no deadline of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from foureyes.core.facts import Usage
from foureyes.core.words import OutputMode
from foureyes_reviewers.model.problem import Problem
from foureyes_reviewers.model.prompt import Prompt

__all__ = ["Client", "Completion", "Form"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model answered."""

    text: str | None
    """As it came: thinking, fences and prose included. None where there was no message, or none that can be read."""
    usage: Usage | None = None
    """The provider's count of tokens; its cost is not looked at. None where the provider gives none."""
    finish_reason: str | None = None
    """Why the model stopped, in the provider's word; None where it gives none."""
    written: int = 0
    """Tokens of the input that the provider has put into its cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a question is put: what the endpoint turns out to accept."""

    mode: OutputMode
    """How the model is held to JSON; never ``auto``."""
    dialect: str = ""
    """Which of two spellings of a request the endpoint knows, where there are two."""


class Client(Protocol):
    """Asks one model."""

    @property
    def model(self) -> str:
        """Return the model's name as it is declared."""

    @property
    def form(self) -> Form:
        """Return the form that the next question is put in."""

    async def complete(self, prompt: Prompt, form: Form) -> Completion:
        """Return the model's answer. Raises whatever its library raises."""

    def adapted(self, form: Form, problem: Problem) -> bool:
        """Tell whether a question that failed in this form is worth putting once more, in what is now the form."""

    async def aclose(self) -> None:
        """Close the connections of the running event loop; the next question opens new ones."""
