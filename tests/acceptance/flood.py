"""A flood in four phases, as the field has seen one: sense, paraphrases, truncations, counters."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase

from foureyes.core.facts import Note
from foureyes.core.words import Severity

__all__ = ["COUNTERS", "CUTS", "PARAPHRASES", "SENSIBLE"]

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER

_SENSE = """
concern|The retry loop in fetch_prices() never sleeps, so a dead server is hit a thousand times a second.
blocker|The backup script deletes the old archive before it has verified the new one.
nit|`d` in parse_row() would read better as `delimiter`.
concern|Two threads write to the same temporary file in export.py.
concern|The new endpoint returns 200 with an error in its body; clients check the status only.
blocker|Passwords are compared with ==, which leaks their length through timing.
nit|The comment above build_index() describes what the function did last year.
concern|A user without an avatar crashes the profile page.
concern|Daylight saving time is ignored when the reminder is scheduled.
blocker|The test database's credentials are committed in docker-compose.yml.
concern|The pagination skips the last item whenever the total divides evenly.
nit|Import order differs from the rest of the package.
concern|The upload limit is checked on the client only.
concern|An empty CSV file is reported as a successful import.
blocker|UPDATE accounts runs without a WHERE clause when the filter is blank.
concern|The cache key leaves out the locale, so French users see English prices.
concern|The connection pool is created once per request.
nit|README still names the removed --fast option.
concern|Floating point is used for money in invoice totals.
concern|The signal handler allocates memory.
blocker|The webhook trusts the sender's address without checking a signature.
concern|Old sessions stay valid after a password change.
concern|The regular expression backtracks for minutes on a long line of spaces.
nit|A log message says "succeeded" although the branch handles a failure.
concern|Sorting by name is case-sensitive, so "ångström" comes after "zebra".
concern|The migration locks the orders table for the whole run.
concern|File handles are leaked when decompression fails halfway.
concern|The scheduler starts the nightly job twice after a restart.
concern|The search box sends a query for every key that is pressed.
"""
SENSIBLE = [
    Note(text=text, severity=Severity(level))
    for level, _, text in (line.partition("|") for line in _SENSE.strip().splitlines())
]
"""29 findings that have nothing to do with each other."""

_LEADS = (
    *("", "Please note: ", "Once more, ", "To be clear, ", "I must insist: ", "As far as I can see, "),
    *("Listen, ", "Seriously, ", "Hear me, "),
)
_BODIES = (
    "nobody checks the licence key before the installer copies the files",
    "the installer copies the files before anybody checks the licence key",
    "before the installer copies the files the licence key has to be checked by somebody",
    "the licence key is not checked by anybody before the files are copied by the installer",
    "files get copied by the installer and nobody checks the licence key before",
    "the installer starts to copy files, and before that nobody checks the key of the licence",
    "the check of the licence key is missing before the installer copies files",
)
_OTHERS = (
    "The uninstaller leaves a service behind that restarts every minute.",
    "The progress bar of the installer runs backwards on a slow disk.",
    "The desktop shortcut points to the build machine.",
    "A silent installation opens a window and waits.",
    "The version in the start menu is that of the previous release.",
)
PARAPHRASES = [
    *(Note(text=lead + body, severity=BLOCKER) for lead, body in list(product(_LEADS, _BODIES))[:62]),
    *(Note(text=text, severity=BLOCKER) for text in _OTHERS),
]
"""67 blockers: 62 ways to say one thing, and five other things at the end."""

_WHOLE = (
    "The release notes promise a fix for the crash on start but the branch with this fix was never merged so the users "
    "who wait for it will install the new version in vain"
)
_WORDS = _WHOLE.split()
CUTS = [Note(text=" ".join(_WORDS[:length]), severity=BLOCKER) for length in range(26, -1, -1)]
"""27 blockers, each a word shorter than the last, down to nothing."""


def _letters(number: int) -> str:
    """Return the number as columns of a table are counted: a to z, aa, ab and so on."""
    digits = ""
    while number:
        number, digit = divmod(number - 1, 26)
        digits = ascii_lowercase[digit] + digits
    return digits


COUNTERS = [Note(text=_letters(number), severity=BLOCKER) for number in range(1, 943)]
"""942 blockers: a, b … z, aa … ajf."""
