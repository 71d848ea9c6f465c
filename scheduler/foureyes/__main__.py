"""``python -m foureyes``: the same as the command ``foureyes``."""

from __future__ import annotations

import sys

from foureyes.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
