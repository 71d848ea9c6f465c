"""The check for "the tests pass" about a state that no test has seen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.calls import calls_since_human, fingerprint, name_words, shell_command, values, word_set
from foureyes_reviewers.checks.quoting import anchored, called, one_line
from foureyes_reviewers.checks.speech import sentences
from foureyes_reviewers.checks.tool_errors import failed

__all__ = ["untested_change"]

_RUNS_TESTS = re.compile(
    r"\b(?:pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|bats|gotestsum)\b"
    r"|\b(?:npm|yarn|pnpm|bun)(?: run)? (?:-\S+ )?t(?:est)?\b"
    r"|\b(?:go|cargo|dotnet|mvn|gradle|gradlew|make|rake|mix|swift|bazel|zig|dart|flutter|sbt|lein|deno)\b"
    r"[^;&|\n]{0,80}\btest|\btests?[\w/.-]{0,60}\.(?:py|sh|js|ts|rb|pl)\b"
    r"|\b(?:run_?tests?|test_?suite|runtests)\b|\bcheck\b",
    re.IGNORECASE,
)
_EDITS = word_set("apply create delete edit insert multiedit patch replace str update write")
_SOURCE = re.compile(
    r"\.(?:c|cc|cpp|cs|css|dart|ex|go|h|hpp|hs|java|jl|js|jsx|kt|lua|m|ml|php|pl|py|r|rb|rs|scala|sh|sql|swift|ts|tsx"
    r"|vue|zig)\b"
)
_PASS = re.compile(
    r"\b(?:all |the |\d{1,6} |unit |integration |existing |new ){0,4}(?:tests?|test suite|specs?|checks)\b"
    r"(?: (?:all|also|and|are|is|now|still|suite|have|has)){0,3} (?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:not|never|once|if|unless|until|should|would|will|could|can|before|previously|ran)\b|n't|\?", re.I
)


def untested_change(review: Review) -> tuple[Note, ...]:
    """Return a note where the answer says that tests pass, and the last change of source came after the last test run.

    The severity is concern. The key is ``untested-change:<tool>:<digest of the arguments>`` of that change.

    Good: pytest passes, then edit_file changes app.py, and the answer is "All tests pass." Bad: the same with another
    run of the tests at the end; a change of README.md; "The tests should pass".

    Silent where no test run is among the shown calls, for it may have been before them.
    """
    if review.trigger is not Trigger.FINISH or review.answer is None:
        return ()
    claim = next((s for s in sentences(review.answer[:8_000]) if _PASS.search(s) and not _DOUBT.search(s)), None)
    change = _untested(calls_since_human(review)) if claim is not None else None
    if claim is None or change is None:
        return ()
    return (
        Note(
            text=(
                f'The answer says "{one_line(claim)}", but {called(change)} changed the source after the last test '
                "run. Run the tests again, or say that they were not run on this state."
            ),
            severity=Severity.CONCERN,
            key=f"untested-change:{change.name}:{fingerprint(change)}",
            anchor=anchored(change),
        ),
    )


def _untested(calls: Sequence[ToolTrace]) -> ToolTrace | None:
    runs = [place for place, trace in enumerate(calls) if _tests(trace)]
    if not runs:
        return None
    after = calls[runs[-1] + 1 :]
    # Any other command may have run the tests in a way that is not known here.
    if any(shell_command(trace) is not None for trace in after):
        return None
    return next((trace for trace in after if _changes_source(trace)), None)


def _tests(trace: ToolTrace) -> bool:
    command = shell_command(trace)
    if command is not None:
        return _RUNS_TESTS.search(command) is not None
    return "test" in name_words(trace) or "tests" in name_words(trace)


def _changes_source(trace: ToolTrace) -> bool:
    edits = not _EDITS.isdisjoint(name_words(trace)) and failed(trace) is None
    return edits and any(len(value) < 300 and _SOURCE.search(value) for value in values(trace))
