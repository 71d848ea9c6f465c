"""Five environment variables are enough for ``foureyes replay`` to have a model review a recorded run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from foureyes.testing import turn_messages

from .model_server import CHAT, MESSAGES, ModelServer, answer, fault, note

KEY = "sk-planted-0123456789abcdef"
TURNS = 7
RUN = [
    {"role": "user", "content": "Do the work."},
    *(message for turn in range(1, TURNS + 1) for message in turn_messages(turn)),
    {"role": "assistant", "content": "All of it is done."},
]
ABOUT_TURN = re.compile(r"has completed turn (\d+)|(is about to return the answer)")


def replay(folder: Path, server: ModelServer, *args: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command on the recorded run, with what is set in the environment and nothing else."""
    (folder / "run.json").write_text(json.dumps(RUN), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FOUREYES", "OPENAI", "ANTH"))}
    usual = {"USE": "model", "MODEL": "small", "BASE_URL": server.url, "API_KEY": KEY, "INTERVAL_TURNS": "3"}
    declared = {f"FOUREYES_REVIEWERS__CORRECTNESS__{name}": value for name, value in (usual | settings).items()}
    return subprocess.run(
        [sys.executable, "-m", "foureyes", "replay", "run.json", *args],
        cwd=folder,
        env=kept | declared | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def turns_of(server: ModelServer) -> list[str]:
    """Return the turns that the model was asked about; the finish has a name."""
    found = (ABOUT_TURN.search(request.text) for request in server.requests)
    return [match[1] or "finish" for match in found if match]


@pytest.mark.parametrize(("protocol", "path"), [("openai", CHAT), ("anthropic", MESSAGES)])
def test_a_declared_model_is_asked_at_the_right_turns(
    protocol: str, path: str, tmp_path: Path, server: ModelServer
) -> None:
    server.plays(answer(), note("The third result is wrong."), answer())
    done = replay(tmp_path, server, PROTOCOL=protocol)
    assert (done.returncode, turns_of(server)) == (0, ["3", "6", "finish"])
    assert {(request.path, request.model, request.key) for request in server.requests} == {(path, "small", KEY)}
    assert "The third result is wrong." in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_without_periodic_reviews_only_the_finish_is_reviewed(tmp_path: Path, server: ModelServer) -> None:
    replay(tmp_path, server, INTERVAL_TURNS="0")
    assert turns_of(server) == ["finish"]


def test_a_fallback_model_is_declared_in_the_environment_too(tmp_path: Path, server: ModelServer) -> None:
    server.plays(fault(404, "model_not_found"))
    done = replay(tmp_path, server, FALLBACK_MODELS='["large"]', MAX_ROUNDS="0")
    assert done.returncode == 0
    assert [request.model for request in server.requests] == ["small", "large"] * 2


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"MODEL": ""}, "needs 'model'"),
        ({"BASE_URL": "", "API_KEY": ""}, "'api_key' is missing"),
        ({"BASE_URL": "", "API_KEY": "", "PROTOCOL": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"POLICY_FILE": "../other.md"}, "outside the workspace"),
    ],
)
def test_what_is_missing_is_named_before_anybody_is_asked(
    settings: dict[str, str], told: str, tmp_path: Path, server: ModelServer
) -> None:
    done = replay(tmp_path, server, **settings)
    assert done.returncode != 0
    assert told in done.stdout + done.stderr
    assert KEY not in done.stdout + done.stderr
    assert server.requests == []


def test_a_missing_extra_is_named_with_the_command_that_installs_it(tmp_path: Path, server: ModelServer) -> None:
    code = "import sys; sys.modules['openai'] = None; from foureyes.cli import main; sys.exit(main(sys.argv[1:]))"
    env = {"FOUREYES_REVIEWERS__ONE__USE": "model", "FOUREYES_REVIEWERS__ONE__MODEL": "small"}
    env |= {"FOUREYES_REVIEWERS__ONE__BASE_URL": server.url, "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    (tmp_path / "run.json").write_text(json.dumps(RUN), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", code, "replay", "run.json"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "pip install 'foureyes[openai]'" in done.stdout + done.stderr
