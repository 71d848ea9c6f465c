"""``foureyes doctor``: one tiny real call of everything that reviews, and plain words about what is wrong.

A model is asked to review a run of two lines, which costs some hundred tokens. With ``--json`` standard output is one
object, and rich is not needed::

    {
      "reviewers": [{"reviewer": "correctness", "use": "model:small", "to": "localhost:8000", "well": true,
                     "outcome": "quiet", "seconds": 0.8, "error": "", "input_tokens": 512, "output_tokens": 9,
                     "cost_usd": null}],
      "warnings":  ["..."]
    }

"to" is null for what stays on this machine, "cost_usd" where it is not known, "well" for a reviewer that is disabled,
which is not called, and "outcome" where nothing was called: "error" says why. Each fallback is called too, whether or
not it would be needed.
"""

from __future__ import annotations

import argparse
import json
import sys

import anyio

from foureyes.commands.examination import Finding, examined
from foureyes.commands.unlogged import unlogged
from foureyes.errors import ConfigError
from foureyes.settings import Settings

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the choice of reviewers and of JSON."""
    parser.add_argument("reviewers", nargs="*", metavar="REVIEWER", help="only these; by default all")
    parser.add_argument("--json", action="store_true", help="write one JSON object; needs no rich")


def run(args: argparse.Namespace) -> int:
    """Call and report. Returns 1 if anything that reviews is unwell, or if nobody is there to call, else 0.

    Raises ConfigError for settings that cannot be read and for a name that nobody has.
    """
    with unlogged():
        settings = Settings()
    findings = anyio.run(examined, settings, tuple(args.reviewers))
    if args.json:
        document = {"reviewers": [finding.document() for finding in findings], "warnings": list(settings.warnings)}
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
    else:
        _page(findings, settings.warnings)
    called = [finding for finding in findings if finding.enabled]
    return 0 if called and all(finding.well for finding in called) else 1


def _page(findings: tuple[Finding, ...], warnings: tuple[str, ...]) -> None:
    try:
        from foureyes.commands.ward import show
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        raise ConfigError("doctor needs rich for a page: pip install 'foureyes[cli]', or ask for --json") from None
    show(findings, warnings)
