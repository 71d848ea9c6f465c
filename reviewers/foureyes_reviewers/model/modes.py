"""Finding out once what an endpoint accepts, and remembering it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from foureyes.core.words import OutputMode
from foureyes_reviewers.model.client import Form
from foureyes_reviewers.model.failures import Kind, kind_of
from foureyes_reviewers.model.problem import Problem

__all__ = ["Modes"]

_STATUSES = frozenset({400, 404, 415, 422, 501})
"""What servers answer to a request that they do not understand."""
_KINDS = frozenset({Kind.REJECTED, Kind.NOT_FOUND, Kind.TRANSIENT})
_FORMAT = re.compile(
    r"response_?format|json_?(?:schema|object|mode)|structured|output_config|output_format|schema|grammar|guided"
    r"|tool_choice|\btools?\b",
    re.IGNORECASE,
)


class Modes:
    """The form in which the questions to one endpoint are put.

    Each step goes from the stricter mode to the laxer one, or to the second dialect, and none goes back: so questions
    that fail at the same time move it once, and a question is put at most as often as there are steps.
    """

    def __init__(self, chosen: OutputMode, offered: Sequence[OutputMode], dialects: Sequence[str] = ("",)) -> None:
        automatic = chosen is OutputMode.AUTO
        self._modes = tuple(offered) if automatic else (chosen,)
        self._dialects = tuple(dialects)
        self.form = Form(mode=self._modes[0], dialect=self._dialects[0])
        """The form of the next question."""

    def adapted(self, form: Form, problem: Problem, dialect: re.Pattern[str] | None = None) -> bool:
        """Tell whether a question that failed in this form is worth putting once more, in what is now the form.

        ``dialect`` is how the endpoint says that it does not know this spelling of a request.
        """
        if form != self.form:
            return True  # Another question has found out meanwhile.
        if problem.status not in _STATUSES or kind_of(problem) not in _KINDS:
            return False
        if dialect is not None and dialect.search(problem.text) and form.dialect != self._dialects[-1]:
            self.form = replace(form, dialect=self._dialects[-1])
        elif form.mode is not self._modes[-1] and _FORMAT.search(problem.text):
            self.form = replace(form, mode=self._modes[self._modes.index(form.mode) + 1])
        return form != self.form
