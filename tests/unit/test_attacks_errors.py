"""What hangs on an error, beside its text: whoever pickles it, or prints all of it, learns no more."""

from __future__ import annotations

import pickle

import pytest

from foureyes_reviewers.model.complaints import error_for
from foureyes_reviewers.model.problem import Problem, ProviderError

from .secrets_planted import BY_FORM, TOKENS, leaks

TOKEN = TOKENS["github"]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 429, 500, 503, None])
@pytest.mark.parametrize(
    "words", ["maximum context length is 100 tokens, you requested 900", "It went wrong", "flagged"]
)
def test_an_error_holds_nothing_that_its_text_does_not_say(status: int | None, words: str) -> None:
    problem = Problem.of(ProviderError({"error": {"message": f"{words}: {TOKEN} of {TOKEN}", "code": TOKEN}}, status))
    error = error_for(problem, BY_FORM, sent="")
    assert not leaks(TOKEN, f"{error!r} {error} {vars(error)} {pickle.dumps(error)!r}", 8)
    assert (error.__cause__, error.__context__) == (None, None)
