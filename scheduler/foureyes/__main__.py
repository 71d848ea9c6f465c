"""``python -m foureyes``: the same as the command ``foureyes``."""

from __future__ import annotations

import sys

try:
    from foureyes.cli import main
except KeyboardInterrupt:
    sys.exit(130)

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
