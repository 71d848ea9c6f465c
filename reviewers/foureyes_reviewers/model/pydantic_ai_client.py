"""Asking a model of pydantic-ai, whoever its provider is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foureyes.core.facts import Usage
from foureyes.core.words import OutputMode
from foureyes_reviewers.model.answers import ending_of
from foureyes_reviewers.model.client import Completion, Form
from foureyes_reviewers.model.contract import REPLY_NAME, REPLY_SCHEMA
from foureyes_reviewers.model.modes import Modes
from foureyes_reviewers.model.problem import Problem
from foureyes_reviewers.model.prompt import Prompt

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

__all__ = ["PydanticAIClient"]


class PydanticAIClient:
    """Asks one model of pydantic-ai. Its connections are pydantic-ai's, which closes them."""

    def __init__(self, model: Model[Any] | str, mode: OutputMode, limit: int) -> None:
        from pydantic_ai.models import infer_model

        self._model = infer_model(model)
        self._limit = limit
        self._modes = Modes(mode, _offered(self._model))

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self._model.model_name

    @property
    def form(self) -> Form:
        """Return the form that the next question is put in."""
        return self._modes.form

    async def complete(self, prompt: Prompt, form: Form) -> Completion:
        """Return the model's answer. Raises what pydantic-ai raises."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart

        asked = ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart("\n\n".join(prompt.messages))])
        response = await model_request(
            self._model,
            [asked],
            model_settings={"max_tokens": self._limit},
            model_request_parameters=_parameters(form.mode),
            instrument=False,  # Its spans may hold the transcript.
        )
        return _completion(response)

    def adapted(self, form: Form, problem: Problem) -> bool:
        """Tell whether the model may accept the question in another form."""
        return self._modes.adapted(form, problem)

    async def aclose(self) -> None:
        """Do nothing: the model belongs to whoever made it."""


def _offered(model: Model[Any]) -> tuple[OutputMode, ...]:
    able = model.profile.get("supports_json_schema_output", False)
    return (OutputMode.JSON_SCHEMA, OutputMode.PROMPTED) if able else (OutputMode.PROMPTED,)


def _parameters(mode: OutputMode) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if mode is not OutputMode.JSON_SCHEMA:
        return ModelRequestParameters()
    wanted = OutputObjectDefinition(json_schema=dict(REPLY_SCHEMA), name=REPLY_NAME, strict=True)
    return ModelRequestParameters(output_mode="native", output_object=wanted)


def _completion(response: ModelResponse) -> Completion:
    from pydantic_ai.messages import TextPart, ToolCallPart

    used = response.usage
    usage = Usage(
        input_tokens=used.input_tokens, cached_tokens=used.cache_read_tokens, output_tokens=used.output_tokens
    )
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    calls = any(isinstance(part, ToolCallPart) for part in response.parts)
    return Completion(
        text="".join(texts) if texts or not response.parts else None,
        usage=usage if used.input_tokens or used.output_tokens else None,
        finish_reason=ending_of(None, response.finish_reason, calls=calls),
        written=used.cache_write_tokens,
    )
