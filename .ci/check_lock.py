"""Fail where requirements.lock does not hold what pyproject.toml asks for, or names an address.

Written anew with ``uv pip compile pyproject.toml --all-extras --group dev --generate-hashes --no-emit-index-url
--no-header -o requirements.lock``.
"""

import re
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

project = tomllib.loads(Path("pyproject.toml").read_text())
lock = Path("requirements.lock").read_text()
pinned = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))
wanted = [
    *project["project"]["dependencies"],
    *(line for extra in project["project"]["optional-dependencies"].values() for line in extra),
    *project["dependency-groups"]["dev"],
]
problems = [
    f"{need} is not met by requirements.lock (has {pinned.get(need.name)})"
    for need in map(Requirement, wanted)
    if need.name != "foureyes" and (need.name not in pinned or not need.specifier.contains(pinned[need.name]))
]
problems += [f"requirements.lock names an address: {line}" for line in lock.splitlines() if "://" in line]
sys.exit("\n".join(problems) or 0)
