"""The check for a command that destroys what the request does not speak of."""

from __future__ import annotations

import re

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.words import Severity
from foureyes_reviewers.checks.asked import human_words
from foureyes_reviewers.checks.calls import calls_since_human, fingerprint, shell_command
from foureyes_reviewers.checks.quoting import anchored, called, one_line

__all__ = ["destructive_command"]

_NEXT = re.compile(r"&&|\|\||[;&|\n]")
_BEFORE = re.compile(r"\s*(?:sudo (?:-\w+ )?)?")
_PLACE = r"['\"]?(?:/(?:etc|home|root|usr|var|opt|boot|bin|lib)?/?\*?|~/?\*?|\$HOME/?\*?|\.\./?\*?)['\"]?(?:\s|$)"
_FLAGS = r"(?:-{1,2}[\w-]{1,30} ){1,4}"
_BEYOND = re.compile(
    rf"rm (?=.{{0,60}}-\w*[rR]){_FLAGS}{_PLACE}|(?:mkfs(?:\.\w+)?|wipefs|shred) \S"
    r"|dd .{0,120}\bof=/dev/(?:sd|hd|nvme|vd|disk)"
)
"""What nobody can want by the way: the system, the home folder, what is above here, a disk."""
_LOSES = re.compile(
    rf"git (?:-C \S{{1,200}} )?(?:reset --hard|clean -\w*f\w*|push (?:.{{0,60}} )?(?:--force\b(?!-with)|-f\b)"
    rf"|branch -D|stash (?:drop|clear)|checkout (?:-- )?\.(?:\s|$)|filter-branch|reflog expire)"
    rf"|rm (?=.{{0,60}}-\w*[rR]){_FLAGS}['\"]?(?:\S{{0,200}}/)?\.git/?['\"]?(?:\s|$)"
    r"|(?:kubectl delete (?:ns|namespace|deploy|pvc|pv|all)\b|terraform destroy|docker (?:system|volume) prune"
    r"|docker-compose down -v|helm (?:uninstall|delete) |aws s3 r[mb] .{0,80}--(?:recursive|force))",
    re.IGNORECASE,
)
_SQL = re.compile(
    r"\b(?:drop (?:table|database|schema)|truncate table) (?!if exists (?:tmp|temp|test))\w"
    r"|\bdelete from \w[\w.]{0,60}\s{0,9}(?:;|\"|'|$)",
    re.IGNORECASE,
)
_MOST = 20_000
"""Characters of one command that are read; a review's evidence has at most 1,000."""
_ASKED = re.compile(
    r"\b(?:clean\w*|clear\w*|delet\w+|destroy\w*|discard\w*|drop\w*|eras\w+|force\w*|format\w*|overwrit\w+|prun\w+|purg\w+"
    r"|remov\w+|reset\w*|revert\w*|rewrit\w+|rm|roll ?back|scrub\w*|start(?:ing)? over|tear\w* down|truncat\w+"
    r"|undo\w*|uninstall\w*|wip\w+|leak\w*|histor\w+)\b",
    re.IGNORECASE,
)


def destructive_command(review: Review) -> tuple[Note, ...]:
    """Return a note for each new shell or database command that loses what the request does not speak of.

    The severity is blocker where it reaches for the system, the home folder, what is above here, or a disk; else
    concern.
    The key is ``destructive-command:<tool>:<digest of the arguments>``.

    Good: "git reset --hard" or "DROP TABLE users" where the request is to add a test. Bad: the same where a human spoke
    of deleting, resetting or cleaning; "rm -rf build"; a file that merely contains such a command.
    """
    calls = calls_since_human(review)[-max(1, review.turn - review.since) :]
    if any(_ASKED.search(words) for words in human_words(review)):
        return ()
    return tuple(note for trace in calls if (note := _judged(trace)) is not None)


def _judged(trace: ToolTrace) -> Note | None:
    command = shell_command(trace)
    found = None if command is None or "<<" in command else _loss(command[:_MOST])
    if found is None:
        return None
    words, beyond = found
    return Note(
        text=(
            f"{called(trace)} destroys what cannot be brought back (`{one_line(words)}`), and the request does not "
            "speak of it. Undo it if that is possible, say so, and ask before such a step."
        ),
        severity=Severity.BLOCKER if beyond else Severity.CONCERN,
        key=f"destructive-command:{trace.name}:{fingerprint(trace)}",
        anchor=anchored(trace),
    )


def _loss(command: str) -> tuple[str, bool] | None:
    for part in _NEXT.split(command):
        start = _BEFORE.match(part)
        step = part[start.end() :] if start else part
        if beyond := _BEYOND.match(step):
            return beyond[0], True
        if lost := _LOSES.match(step):
            return lost[0], False
    sql = _SQL.search(command)
    return None if sql is None else (sql[0], False)
