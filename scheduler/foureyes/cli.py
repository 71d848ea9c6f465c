"""The command ``foureyes``: finds the subcommand, runs it, and never shows anybody a traceback unasked.

Exit codes: 0 = done; 1 = there is a problem, and standard error (for ``check``: the output) says which, an output that
cannot be written among them; 2 = the command line is wrong; 70 = a defect in foureyes; 130 = interrupted. With
``FOUREYES_TRACEBACK=1`` in the environment whatever ended the command is shown with its traceback as well.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

from foureyes.errors import ConfigError, FoureyesError
from foureyes.telemetry.logs import in_one_line

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "check": "show the settings, where each value comes from, and when reviewers are due",
    "demo": "watch reviewers at work on a scripted run; needs no model and no account",
    "doctor": "call everything that reviews once, and say what is wrong",
    "replay": "feed recorded runs to the reviewers and report what they would have said",
    "status": "show the sessions in the store, and when their reviewers are due next",
}
"""The subcommands with their one-line descriptions. Each is a module of :mod:`foureyes.commands` that offers
``add_arguments(parser)`` and ``run(args) -> int``; it is imported only once it is chosen."""

_DEFECT = 70
_INTERRUPTED = 130
_UNWRITABLE = (errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC)
"""Errors of a stream; with a file's name they are that file's, and not the output's."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line (None: that of the process) and return the exit code. Raises nothing."""
    try:
        _tolerate_narrow_encodings()
        if sys.stdout is None:  # how Python shows a standard output that was closed before it began
            return _unwritten("standard output is closed")
        code = _exit_code(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except BrokenPipeError:
        return _unheard()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last line of defence
        return _failed(error)
    return code


def _exit_code(argv: list[str]) -> int:
    try:
        return _run(argv)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)


def _run(argv: list[str]) -> int:
    _trust_working_folder()
    chosen = next((word for word in argv if not word.startswith("-")), None)
    command = import_module(f"foureyes.commands.{chosen}") if chosen in COMMANDS else None
    parser = _parser(chosen, command)
    args = parser.parse_args(argv)
    if command is None:
        parser.print_help(sys.stderr)
        return 2
    code: int = command.run(args)
    return code


def _trust_working_folder() -> None:
    # A script that is installed does not look for modules where it is run, and `use = "my_reviewers:security"` means
    # just that folder. The same as `python -m foureyes`, which PYTHONSAFEPATH switches off as well.
    with contextlib.suppress(OSError):
        here = os.getcwd()
        if not sys.flags.safe_path and here not in sys.path:
            sys.path.insert(0, here)


def _parser(chosen: str | None, command: ModuleType | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="foureyes", description="Named reviewers that watch an AI agent's run.")
    parser.add_argument("--version", action="version", version=f"foureyes {version('foureyes')}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == chosen and command is not None:
            command.add_arguments(sub)
    return parser


def _failed(error: BaseException) -> int:
    if os.environ.get("FOUREYES_TRACEBACK", "").strip() not in ("", "0"):
        traceback.print_exception(error)
    if isinstance(error, KeyboardInterrupt):
        return _INTERRUPTED
    if isinstance(error, FoureyesError):
        print(_told(error), file=sys.stderr)  # noqa: T201
        return 1
    if isinstance(error, OSError) and error.errno in _UNWRITABLE and error.filename is None:
        _unheard()
        return _unwritten((error.strerror or type(error).__name__).lower())
    print(_defect(error), file=sys.stderr)  # noqa: T201
    return _DEFECT


def _told(error: FoureyesError) -> str:
    # Line by line: a message may hold names that somebody chose in order to end a line or steer the terminal.
    said = error.problems if isinstance(error, ConfigError) else (str(error),)
    return "\n".join(map(in_one_line, ("foureyes: " + "".join(said[:1]), *said[1:], *getattr(error, "__notes__", ()))))


def _unwritten(reason: str) -> int:
    print(f"foureyes: cannot write the output: {reason}", file=sys.stderr)  # noqa: T201
    return 1


def _defect(error: BaseException) -> str:
    # Without the message, which may hold anything that the program was working on.
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    name = in_one_line(f"{type(error).__name__}{place}")
    return f"foureyes: unexpected {name}; set FOUREYES_TRACEBACK=1 to see the traceback"


def _unheard() -> int:
    # The reader has gone. What is still buffered must not raise once more when the interpreter closes the stream.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _tolerate_narrow_encodings() -> None:
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
