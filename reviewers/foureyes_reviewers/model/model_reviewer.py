"""The reviewer that asks one model. It has no tools: it reads what it is shown, and says what it thinks of it."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import partial

from foureyes.charging import charge, expect
from foureyes.core.account import UNKNOWN, Account
from foureyes.core.backend import Price
from foureyes.core.facts import NO_USAGE, Reply, Review, Usage
from foureyes.errors import ContextOverflowError, ReviewerError
from foureyes.threads import beside
from foureyes_reviewers.confidential import NOTHING, Confidential
from foureyes_reviewers.model.client import Client, Completion, Form
from foureyes_reviewers.model.complaints import error_for
from foureyes_reviewers.model.failures import is_free
from foureyes_reviewers.model.fence import reference_for
from foureyes_reviewers.model.grounds import grounded
from foureyes_reviewers.model.prices import FREE, cost, tokens_in
from foureyes_reviewers.model.problem import Problem
from foureyes_reviewers.model.prompt import Prompt, prompt
from foureyes_reviewers.model.reading import read
from foureyes_reviewers.model.window import room_after, shrunk, span, steady
from foureyes_reviewers.redaction import Redactor

__all__ = ["ModelReviewer"]

MAX_FORMS = 5
"""Requests in which an endpoint may turn out to want a question in another form: three modes and two dialects."""
SCHEMA_TOKENS = 400
"""What the schema of the reply and the frame of a request add to the words."""


class ModelReviewer:
    """Asks one model for a review: no tools, no fallback of its own, and no retries but in another form."""

    outgoing = True
    """What it is shown leaves this process, whether or not its account is known."""

    def __init__(
        self,
        client: Client,
        *,
        redactor: Redactor,
        instructions: str = "",
        policy: str = "",
        price: Price | None = None,
        max_output_tokens: int = 1_024,
        account: Account = UNKNOWN,
        confidential: Confidential = NOTHING,
    ) -> None:
        self.account = account
        """Whose account the transcript goes to; UNKNOWN where nobody has said."""
        self._host = account.provider or "the address"
        self._confidential = confidential
        self._client, self._redactor, self._price = client, redactor, price
        self._instructions, self._policy = instructions, policy
        self._limit = max_output_tokens
        self._secret = secrets.token_bytes(32)
        self._room: int | None = None

    async def __call__(self, review: Review) -> Reply:
        """Return what the model says of the review; what it used is charged, and not in the reply.

        Where the question does not fit into the model's window it is asked once more about the newest part alone, and
        from then on no larger question is asked. Raises ReviewerError and its kin, and nothing else of its own.
        """
        shown, question = await beside(partial(self._put, review))
        try:
            return await self._asked(shown, question)
        except ContextOverflowError as error:
            overflow = error
        room = room_after(overflow, span(shown), len(question.system) + len(question.messages[0]))
        put = await beside(partial(self._put_smaller, shown, room))
        if put is None:
            raise overflow
        self._room = room
        return await self._asked(*put)

    def estimate(self, review: Review) -> Usage:
        """Return what asking about the review will use at most, as far as that can be known: one whole reply."""
        try:
            return self._guess(self._put(review)[1])
        except ReviewerError:
            return FREE  # Nothing to review, so nobody will be asked.

    async def aclose(self) -> None:
        """Close the connections of the running event loop; the next review opens new ones."""
        await self._client.aclose()

    def _prompt(self, review: Review) -> Prompt:
        reference = reference_for(self._secret, review.session)
        return prompt(review, self._instructions, self._policy, self._redactor, reference)

    def _put(self, review: Review) -> tuple[Review, Prompt]:
        shown = self._fitting(review)
        return shown, self._prompt(shown)

    def _put_smaller(self, review: Review, room: int) -> tuple[Review, Prompt] | None:
        smaller = shrunk(review, room, self._redactor.redacted)
        return None if smaller is None else (steady(smaller), self._prompt(steady(smaller)))

    async def _asked(self, review: Review, question: Prompt) -> Reply:
        completion = await self._completed(question)
        reply = read(completion.text, completion.usage, completion.finish_reason)
        return grounded(replace(reply, usage=NO_USAGE), review)

    async def _completed(self, question: Prompt) -> Completion:
        for _ in range(MAX_FORMS):
            form = self._client.form
            found = await self._requested(question, form)
            if isinstance(found, Completion):
                return found
            if not self._client.adapted(form, found):
                raise error_for(found, self._redactor, "\n".join(question.messages), self._host, self._confidential)
        raise ReviewerError("the endpoint takes the question in no form")

    async def _requested(self, question: Prompt, form: Form) -> Completion | Problem:
        guess = self._guess(question)
        expect(guess, model=self._client.model)
        try:
            completion = await self._client.complete(question, form)
        except ReviewerError:
            charge(guess, model=self._client.model)
            raise
        except Exception as error:  # noqa: BLE001 - whatever a provider's library raises
            # Not chained to the error: that holds the request, with the key and the transcript.
            problem = Problem.of(error)
        else:
            charge(self._used(completion, guess), model=self._client.model)
            return completion
        charge(FREE if is_free(problem) else guess, model=self._client.model)
        return problem

    def _guess(self, question: Prompt) -> Usage:
        read_tokens = sum(map(tokens_in, (question.system, *question.messages))) + SCHEMA_TOKENS
        return cost(Usage(input_tokens=read_tokens, output_tokens=self._limit), self._price)

    def _used(self, completion: Completion, guess: Usage) -> Usage:
        # Only silence may have used nothing. What else is not counted, or in a way of the provider's own, is guessed.
        if completion.usage == NO_USAGE and not completion.text:
            return cost(NO_USAGE, self._price)
        told = completion.usage or NO_USAGE
        wrote = told.output_tokens or tokens_in(completion.text or "")
        used = replace(told if told.input_tokens else guess, output_tokens=wrote)
        return cost(used, self._price, written=completion.written)

    def _fitting(self, review: Review) -> Review:
        if self._room is None or span(review) <= self._room:
            return steady(review)
        return steady(shrunk(review, self._room, self._redactor.redacted) or review)
