"""The command ``foureyes``: finds the subcommand, runs it, and never shows anybody a traceback unasked.

Exit codes: 0 = done; 1 = there is a problem, and standard error (for ``check``: the output) says which, an output that
cannot be written among them; 2 = the command line is wrong; 70 = a defect in foureyes; 130 = interrupted. With
``FOUREYES_TRACEBACK=1`` in the environment whatever ended the command is shown with its traceback as well.

Whoever interrupts the command while it is still loading must be answered like everybody else. So this module loads
nothing by itself, and nothing is loaded outside :func:`main`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence
    from types import ModuleType

    from foureyes.errors import FoureyesError

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
_UNWRITABLE = ("EBADF", "EDQUOT", "EFBIG", "EIO", "ENOSPC")
"""Errors of a stream; with a file's name they are that file's, and not the output's."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line (None: that of the process) and return the exit code. Raises nothing."""
    try:
        return _guarded(argv)
    except KeyboardInterrupt:  # while there was nothing yet to answer it with, or a second one
        return _INTERRUPTED


def _guarded(argv: Sequence[str] | None) -> int:
    try:
        _tolerate_no_standard_error()
        if argv is None:
            _leave_when_interrupted()
        return _written(sys.argv[1:] if argv is None else list(argv))
    except BrokenPipeError:
        return _unheard()
    except BaseException as error:  # noqa: BLE001 - the last line of defence
        return _failed(error)
    finally:
        if argv is None:
            _leave_when_interrupted()


def _written(argv: list[str]) -> int:
    _tolerate_narrow_encodings()
    if sys.stdout is None:  # how Python shows a standard output that was closed before it began
        return _unwritten("standard output is closed")
    code = _exit_code(argv)
    sys.stdout.flush()
    return code


def _leave_when_interrupted() -> None:
    # While modules are loaded, and once the work is done, there is nothing to clean up; and an exception could come out
    # of the midst of a module as another one, or not at all. Not where interrupts are ignored, as under nohup.
    import signal

    if not _wants_traceback() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def _leave(*_: object) -> None:
    os._exit(_INTERRUPTED)


def _work_when_interrupted() -> None:
    import signal

    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _exit_code(argv: list[str]) -> int:
    try:
        return _run(argv)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)


def _run(argv: list[str]) -> int:
    from importlib import import_module

    _trust_working_folder()
    chosen = next((word for word in argv if not word.startswith("-")), None)
    command = import_module(f"foureyes.commands.{chosen}") if chosen in COMMANDS else None
    parser = _parser(chosen, command)
    args = parser.parse_args(argv)
    if command is None:
        parser.print_help(sys.stderr)
        return 2
    _work_when_interrupted()
    code: int = command.run(args)
    return code


def _trust_working_folder() -> None:
    # A script that is installed does not look for modules where it is run, and `use = "my_reviewers:security"` means
    # just that folder. The same as `python -m foureyes`, which PYTHONSAFEPATH switches off as well.
    try:
        here = os.getcwd()
    except OSError:
        return
    if not sys.flags.safe_path and here not in sys.path:
        sys.path.insert(0, here)


def _parser(chosen: str | None, command: ModuleType | None) -> ArgumentParser:
    from argparse import ArgumentParser
    from importlib.metadata import version

    parser = ArgumentParser(prog="foureyes", description="Named reviewers that watch an AI agent's run.")
    parser.add_argument("--version", action="version", version=f"foureyes {version('foureyes')}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == chosen and command is not None:
            command.add_arguments(sub)
    return parser


def _failed(error: BaseException) -> int:
    from foureyes.errors import FoureyesError

    if _wants_traceback():
        from traceback import print_exception

        print_exception(error)
    if _is_interruption(error):
        return _INTERRUPTED
    if isinstance(error, FoureyesError):
        print(_told(error), file=sys.stderr)  # noqa: T201
        return 1
    if isinstance(error, OSError) and _is_of_the_output(error):
        _unheard()
        return _unwritten((error.strerror or type(error).__name__).lower())
    print(_defect(error), file=sys.stderr)  # noqa: T201
    return _DEFECT


def _wants_traceback() -> bool:
    return os.environ.get("FOUREYES_TRACEBACK", "").strip() not in ("", "0")


def _is_interruption(error: BaseException | None) -> bool:
    # Also one that came in the midst of something that makes another error of every error.
    if isinstance(error, BaseExceptionGroup):
        return any(map(_is_interruption, error.exceptions))
    return isinstance(error, KeyboardInterrupt) or (error is not None and _is_interruption(error.__cause__))


def _is_of_the_output(error: OSError) -> bool:
    from errno import errorcode

    return error.filename is None and errorcode.get(error.errno or 0) in _UNWRITABLE


def _told(error: FoureyesError) -> str:
    from foureyes.errors import ConfigError
    from foureyes.telemetry.logs import in_one_line

    # Line by line: a message may hold names that somebody chose in order to end a line or steer the terminal.
    said = error.problems if isinstance(error, ConfigError) else (str(error),)
    return "\n".join(map(in_one_line, ("foureyes: " + "".join(said[:1]), *said[1:], *getattr(error, "__notes__", ()))))


def _unwritten(reason: str) -> int:
    print(f"foureyes: cannot write the output: {reason}", file=sys.stderr)  # noqa: T201
    return 1


def _defect(error: BaseException) -> str:
    from traceback import extract_tb

    from foureyes.telemetry.logs import in_one_line

    # Without the message, which may hold anything that the program was working on.
    frames = extract_tb(error.__traceback__)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    name = in_one_line(f"{type(error).__name__}{place}")
    return f"foureyes: unexpected {name}; set FOUREYES_TRACEBACK=1 to see the traceback"


def _unheard() -> int:
    from contextlib import suppress

    # The reader has gone. What is still buffered must not raise once more when the interpreter closes the stream.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _tolerate_no_standard_error() -> None:
    # Closed before the command began, it is None, to which nothing can be said; and no file may take its number.
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process


def _tolerate_narrow_encodings() -> None:
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
