"""The reviewer that asks a program: ``use = "command"``, the way for reviewers with tools of their own.

The program gets the review as JSON on standard input and writes its reply as JSON to standard output
(:mod:`foureyes_reviewers.exchange`). It runs in the host's working directory, without a shell, and with none of the
host's environment but what the settings allow. It is on this machine, so no data boundary applies to it.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Sequence
from signal import Signals
from typing import TYPE_CHECKING

from foureyes.core.facts import Reply, Review
from foureyes.errors import ConfigError, MisconfiguredError, ReviewerError, TransientReviewerError
from foureyes.threads import beside
from foureyes_reviewers.exchange import Exchange
from foureyes_reviewers.process import MAX_OUTPUT, Ended, run
from foureyes_reviewers.redaction import Redactor, process_secrets

if TYPE_CHECKING:
    from foureyes.core.config import ReviewerConfig

__all__ = ["ALLOWED", "CommandReviewer"]

ALLOWED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""Environment variables that every command gets: where programs, files and clocks are. None of them is a secret."""
_NAME = re.compile(r"[^=\0]+")
_EXIT_TEMPFAIL = 75
"""What sendmail and its kin say with this exit status: a failure that is worth another attempt."""
_SHORTAGES = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ETXTBSY})
"""Reasons not to start a program that may have gone the next time."""


class CommandReviewer:
    """Starts a program for each review. Several may run at the same time, one for each session."""

    account = None
    """The transcript stays on this machine; what the program does with it is the operator's affair."""
    outgoing = True
    """It leaves this process, so secrets are taken out before anything is cut."""

    def __init__(self, command: Sequence[str], environment: Sequence[str], redactor: Redactor) -> None:
        self._command = tuple(command)
        self._names = (*ALLOWED, *environment)
        self._redactor = redactor

    @classmethod
    def from_config(cls, config: ReviewerConfig) -> CommandReviewer:
        """Return the reviewer. Raises ConfigError where the program is not there, or cannot be told what it needs."""
        if not hasattr(os, "killpg"):
            raise ConfigError("use = 'command' needs process groups, which this system does not have; use 'remote'")
        if not all(_NAME.fullmatch(name) for name in config.environment):
            raise ConfigError("'environment' takes names of variables: NAME, and not NAME=VALUE")
        command = (_program(config.command), *config.command[1:])
        return cls(command, config.environment, Redactor(process_secrets(os.environ)))

    async def __call__(self, review: Review) -> Reply:
        """Return the program's reply.

        Raises what the program says is wrong; TransientReviewerError where it ends with exit status 75, or cannot be
        started for want of memory or files; MisconfiguredError where it cannot be started at all; UnparsedReplyError
        where it writes no reply; and ReviewerError for any other failure.
        """
        exchange = await beside(lambda: Exchange(review, self._redactor))
        environment = {name: os.environ[name] for name in self._names if name in os.environ}
        try:
            ended = await run(self._command, environment, exchange.asked())
        except OSError as error:
            raise _unstarted(error) from None
        return _reply(exchange, ended)


def _program(command: Sequence[str]) -> str:
    if any("\0" in part for part in command):
        raise ConfigError("'command' holds a NUL character, which no program can be given")
    found = shutil.which(command[0]) if command else None
    if found is None:
        raise ConfigError(f"'command' {_missing(command)}")
    return os.path.abspath(found)  # The host may go to another folder later.


def _missing(command: Sequence[str]) -> str:
    first = command[0] if command else ""
    if os.path.isfile(first) and not os.access(first, os.X_OK):
        return "names a file that is not executable: run chmod +x on it, or put its interpreter in front"
    if os.path.isfile(first):
        return "names no program that can be run; there is such a file in the working directory: put ./ in front"
    if len(command) == 1 and shutil.which(first.partition(" ")[0]):
        return "is one string with blanks: make it a list of strings, such as ['./review.sh', '--x']"
    return "names no program that can be run: install it, or give its full path"


def _unstarted(error: OSError) -> ReviewerError:
    # Without the error's own text, which holds the path.
    cure = "; begin the file with a line such as #!/bin/sh" if error.errno == errno.ENOEXEC else ""
    reason = f"the command could not be started: {os.strerror(error.errno or 0)}{cure}"
    return TransientReviewerError(reason) if error.errno in _SHORTAGES else MisconfiguredError(reason)


def _reply(exchange: Exchange, ended: Ended) -> Reply:
    if ended.status is None:
        raise ReviewerError(f"the command wrote more than {MAX_OUTPUT:,} bytes to standard output, and was killed")
    if ended.status == 0:
        return exchange.answered(ended.output)
    exchange.fail_if_told(ended.output)
    reason = f"the command ended with {_status(ended.status)}: {exchange.told(_last_line(ended))}"
    raise TransientReviewerError(reason) if ended.status == _EXIT_TEMPFAIL else ReviewerError(reason)


def _status(status: int) -> str:
    if status > 0:
        return f"exit status {status}"
    known = {one.value: one.name for one in Signals}
    return f"signal {known.get(-status, -status)}"


def _last_line(ended: Ended) -> str:
    # A line that was cut at its beginning may hold half a secret, which has no form to be known by.
    text = ended.errors.decode(errors="replace")
    whole = text.partition("\n")[2] if ended.errors_cut else text
    lines = [line for line in whole.splitlines() if line.strip()]
    return lines[-1] if lines else ""
