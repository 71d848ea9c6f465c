"""What can be known about a tool call from its name and its arguments alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from foureyes.core.facts import Review, ToolTrace
from foureyes.core.similarity import digest
from foureyes_reviewers.foreign import lossless

__all__ = [
    "calls_since_human",
    "fingerprint",
    "looks",
    "name_words",
    "normalised",
    "reads",
    "shell_command",
    "shows_content",
    "values",
    "words",
]

_WHOLE = 900
"""Arguments of fewer characters were certainly not cut: evidence keeps at least 936 of anything longer than 1,000."""

_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_WORD = re.compile(r"\w{3,}")


def word_set(words: str) -> frozenset[str]:
    """Return the words between the spaces of a text."""
    return frozenset(words.split())


_LOOKS = word_set("cat count describe fetch find get glob grep inspect list lookup ls read search show stat think view")
_ACTS = word_set(
    "append apply call click create delete do edit exec execute insert mark move patch pop press remove replace run "
    "save send set submit update upsert write"
)
"""Verbs that change something even where the name has a looking verb too, such as get_or_create."""
_MOVES_BY_ITSELF = word_set(
    "build builds deployment event events health inbox job jobs latest log logs mail message messages monitor new next "
    "notification notifications now output poll progress queue random screenshot snapshot state status tail time "
    "updates wait watch"
)
"""What may be different at the next look although the agent did nothing."""
_CONTENT = word_set(
    "cat content contents diff document documents file files grep head log logs open read show tail view"
)

_SHELL_READ = re.compile(
    r"\s*(?:cat|head|ls|grep|egrep|rg|find(?!.*\s-(?:delete|exec|ok))|pwd|wc|stat|which|tree|sed -n|tail(?!.*\s-\w*f)"
    r"|git (?:blame|diff|grep|log|show|status))(?=\s|$)[^;&|<>`$\n]*"
)
_SHELL_CONTENT = re.compile(
    r"\s*(?:sudo\s+)?(?:cat|head|tail|less|more|grep|egrep|rg|awk|sed(?!\s+-i)|journalctl|dmesg"
    r"|git (?:blame|diff|grep|log|show)|\w+ logs)(?=\s|$)"
)
_THEN = re.compile(r"&&|\|\||[;\n]")
_COMMAND_KEYS = ("command", "cmd")


def name_words(trace: ToolTrace) -> list[str]:
    """Return the words of the tool's name in order, lower case: ``fs__readFile`` gives fs, read, file."""
    return [word.lower() for word in _NAME_WORD.findall(trace.name)]


def normalised(arguments: str) -> str | None:
    """Return the arguments in a form in which equal ones are equal, or None where they may have been cut.

    JSON is written anew, so that the order of keys and white space between values do not matter; anything else
    counts as it is, apart from white space around it.
    """
    if len(arguments) >= _WHOLE:
        return None
    try:
        return json.dumps(lossless(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments.strip()


def fingerprint(trace: ToolTrace) -> str:
    """Return 16 hex digits that are the same for every call of the same tool with the same arguments."""
    arguments = normalised(trace.arguments)
    return f"{digest('call', f'{trace.name} {trace.arguments if arguments is None else arguments}'):016x}"


def reads(trace: ToolTrace) -> bool:
    """Tell whether the call certainly only looks, at something that stays as it is when nobody touches it.

    A call with a shell command is judged by it, any other by the words of the tool's name. Not sure means False.
    """
    command = shell_command(trace)
    if command is not None:
        return _SHELL_READ.fullmatch(command) is not None
    found = set(name_words(trace))
    return bool(found & _LOOKS) and not found & _ACTS and not found & _MOVES_BY_ITSELF


def looks(trace: ToolTrace) -> bool:
    """Tell whether the call only looks, be it at something that moves by itself. Not sure means False.

    Good: ``get_job_status``, ``ls src``, ``cd src && cat a.log``. Bad: ``run_tests``, ``pytest | tail``.
    """
    command = shell_command(trace)
    if command is not None:
        return _SHELL_READ.fullmatch(command) is not None or shows_content(trace)
    found = set(name_words(trace))
    return shows_content(trace) or (bool(found & _LOOKS) and not found & _ACTS)


def shows_content(trace: ToolTrace) -> bool:
    """Tell whether the result is text that somebody else wrote: a file, a log, search hits.

    Such a text may begin with "Error:" or end in a traceback without anything having failed. Of several commands in
    a row one is enough; what a command is piped into does not count.
    """
    command = shell_command(trace)
    if command is not None:
        return any(_SHELL_CONTENT.match(part) for part in _THEN.split(command))
    found = set(name_words(trace))
    return bool(found & _CONTENT) and not found & _ACTS


def words(trace: ToolTrace) -> frozenset[str]:
    """Return the words of three and more characters in the values of the arguments, case-folded.

    Names of parameters do not count where the arguments are JSON.
    """
    return frozenset(word for value in values(trace) for word in _WORD.findall(value.casefold()))


def values(trace: ToolTrace) -> list[str]:
    """Return the values in the arguments as texts, in no particular order; the arguments themselves if not JSON."""
    try:
        return list(_scalars(lossless(trace.arguments)))
    except ValueError:
        return [trace.arguments]


def calls_since_human(review: Review) -> tuple[ToolTrace, ...]:
    """Return the calls that were certainly made after a human last spoke, oldest first.

    A human may have changed anything, and may have been told about anything, so older calls prove nothing. Where
    it cannot be told (messages are left out, or the calls cannot be counted), fewer are returned.
    """
    spoken = [place for place, message in enumerate(review.messages) if message.by_human]
    last = spoken[-1] if spoken else -1
    if not review.elided and all(message.role not in ("assistant", "tool") for message in review.messages[: last + 1]):
        return review.tools
    after = review.messages[last + 1 :]
    count = max(sum(len(m.tool_calls) for m in after), sum(m.role == "tool" for m in after))
    return review.tools[max(0, len(review.tools) - count) :]


def shell_command(trace: ToolTrace) -> str | None:
    """Return the shell command in the arguments (``command`` or ``cmd``), or None where there is none."""
    try:
        arguments = lossless(trace.arguments)
    except ValueError:
        return None
    if not isinstance(arguments, dict):
        return None
    command = next((arguments[key] for key in _COMMAND_KEYS if key in arguments), None)
    if isinstance(command, list) and command:
        command = command[-1] if len(command) == 3 and command[1] in ("-c", "-lc") else None
    return command if isinstance(command, str) else None


def _scalars(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
        elif item is not None and not isinstance(item, bool):
            yield str(item)
