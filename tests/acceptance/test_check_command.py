"""``foureyes check``, as a user types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from foureyes.cli import main

SETTINGS = """\
store = "memory"
[reviewers.correctness]
use = "mine:correct"
interval_turns = 3
[reviewers.security]
use = "mine:secure"
max_rounds = 1
guard.max_notes = 1
"""
MODULE = "print('imported')\ndef correct(review): ...\ndef secure(review): ...\n"


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True, kw_only=True)
class Shell:
    """A working directory, an empty home, and an environment without anybody else's settings."""

    folder: Path
    patch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def export(self, **variables: str) -> None:
        """Set variables of the environment."""
        for name, value in variables.items():
            self.patch.setenv(name, value)

    def type(self, *words: str) -> Done:
        """Run the command in this process, which is ten times as fast as in one of its own."""
        code = main(words)
        out, err = self.capsys.readouterr()
        return Done(returncode=code, stdout=out, stderr=err)

    def spawn(self, *words: str) -> Done:
        """Run the interpreter as a process of its own."""
        done = subprocess.run([sys.executable, *words], capture_output=True, encoding="utf-8", timeout=60, check=False)
        return Done(returncode=done.returncode, stdout=done.stdout, stderr=done.stderr)

    def document(self, *words: str) -> dict[str, Any]:
        """Run ``check --json`` and return what it wrote."""
        found: dict[str, Any] = json.loads(self.type("check", "--json", *words).stdout)
        return found


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project with two reviewers of its own."""
    (tmp_path / "foureyes.toml").write_text(SETTINGS)
    (tmp_path / "mine.py").write_text(MODULE)
    for name in [name for name in os.environ if name.upper().startswith(("FOUREYES_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    shell = Shell(folder=tmp_path, patch=monkeypatch, capsys=capsys)
    shell.export(HOME=str(tmp_path / "home"), COLUMNS="100", PYTHONIOENCODING="utf-8")
    return shell


def test_good_settings_are_shown_with_the_source_of_every_value_that_is_no_default(shell: Shell) -> None:
    shell.export(FOUREYES_REVIEWERS__CORRECTNESS__TIMEOUT_SECONDS="9")
    done = shell.spawn("-m", "foureyes", "check")
    assert (done.returncode, done.stdout) == (
        0,
        """\
reviewer correctness
  use              mine:correct  foureyes.toml
  interval_turns   3             foureyes.toml
  timeout_seconds  9             env FOUREYES_REVIEWERS__CORRECTNESS__TIMEOUT_SECONDS

reviewer security
  use              mine:secure  foureyes.toml
  max_rounds       1            foureyes.toml
  guard.max_notes  1            foureyes.toml

settings
  store            memory             foureyes.toml
  metrics_address  127.0.0.1          default
  metrics_port     none, no endpoint  default

no problems
""",
    )


def test_a_long_path_of_the_store_is_in_one_piece_and_moves_nothing_else(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FOUREYES_STORE", f"sqlite:/{'long_' * 20}/runs.db")
    lines = shell.type("check").stdout.splitlines()
    assert f"  store            sqlite:/{'long_' * 20}/runs.db" in lines
    assert "                   env FOUREYES_STORE" in lines
    assert "  metrics_address  127.0.0.1          default" in lines


def test_all_shows_defaults_too(shell: Shell) -> None:
    lines = [line.split() for line in shell.type("check", "--all").stdout.splitlines()]
    assert lines.count(["cooldown_turns", "3", "default"]) == 2
    assert ["notes_per_boundary", "6", "default"] in lines


def test_turns_show_who_is_due_until_when(shell: Shell) -> None:
    done = shell.type("check", "--turns", "40")
    assert done.stdout.partition("due in a request of 40 turns, every review quiet\n")[2] == (
        """\
  correctness  every 3: 3 6 9 … 24, then capped (8 of 8) from 27 on; at the finish, up to 2 rounds
               ..o..o..o. .o..o..o.. o..o..xxxx xxxxxxxxxx
  security     never between turns; at the finish, up to 1 round
               .......... .......... .......... ..........
               o called, x due but not called, . not due; ten turns a group

no problems
"""
    )


@pytest.mark.parametrize("columns", [100, 60, 40])
def test_no_line_is_wider_than_the_terminal(columns: int, shell: Shell) -> None:
    shell.export(COLUMNS=str(columns), FOUREYES_STROE="memory", FOUREYES_REVIEWERS__SECURITY__USE="nowhere:x")
    lines = shell.type("check", "--turns", "90").stdout.splitlines()
    assert len(lines) > 20
    assert max(map(len, lines)) <= columns


def test_json_has_everything_and_nothing_else_on_standard_output(shell: Shell) -> None:
    shell.export(FOUREYES_STROE="memory")
    found = shell.document("--turns", "12")
    assert [reviewer["name"] for reviewer in found["reviewers"]] == ["correctness", "security"]
    assert found["reviewers"][1]["guard"]["max_notes"] == 1
    assert found["settings"]["store"] == "memory"
    assert found["sources"]["reviewers.security.guard.max_notes"] == "foureyes.toml"
    assert found["sources"]["metrics_port"] == "default"
    assert found["warnings"] == ["env FOUREYES_STROE is not known and is ignored; did you mean FOUREYES_STORE?"]
    assert found["problems"] == []
    assert found["due"] == {
        "correctness": {
            "every": 3,
            "turns": [3, 6, 9, 12],
            "skipped": [],
            "finish": {"rounds": 2, "skipped": None},
        },
        "security": {"every": 0, "turns": [], "skipped": [], "finish": {"rounds": 1, "skipped": None}},
    }


def test_json_tells_a_spent_allowance_and_a_disabled_reviewer(shell: Shell) -> None:
    shell.export(
        FOUREYES_REVIEWERS__CORRECTNESS__MAX_PERIODIC_REVIEWS="1",
        FOUREYES_REVIEWERS__SECURITY__ENABLED="no",
    )
    due = shell.document("--turns", "8")["due"]
    assert due["correctness"]["skipped"] == [{"reason": "cap", "from": 6, "turns": 3, "have": 1, "limit": 1}]
    assert due["security"]["finish"] == {"rounds": 0, "skipped": "disabled"}


def test_settings_that_cannot_be_read_are_told_with_all_problems_at_once(shell: Shell) -> None:
    shell.export(
        FOUREYES_METRICS_PORT="http",
        FOUREYES_REVIEWERS__CORRECTNESS__MAX_ROUNDS="-1",
        FOUREYES_X="1",
    )
    done = shell.type("check")
    assert done.returncode == 1
    lines = " ".join(done.stdout.split())
    assert lines.startswith("1 warning - env FOUREYES_X is not known and is ignored")
    assert "2 problems" in lines
    assert "- metrics_port (env FOUREYES_METRICS_PORT): must be a valid integer" in lines
    assert "- reviewers.correctness.max_rounds (env FOUREYES_REVIEWERS__CORRECTNESS__MAX_ROUNDS): must be " in lines
    assert done.stderr == "imported\n"


def test_what_cannot_be_loaded_is_told_beside_everything_else_that_is_wrong(shell: Shell) -> None:
    shell.export(
        FOUREYES_METRICS_PORT="http",
        FOUREYES_REVIEWERS__CORRECTNESS__USE="mine:wrong",
        FOUREYES_REVIEWERS__SECURITY__FALLBACKS="nowhere:x",
        FOUREYES_STORE="foureyes.toml/runs.db",
    )
    places = [problem.partition(" (")[0] for problem in shell.document()["problems"]]
    assert places == ["metrics_port", "reviewers.correctness.use", "reviewers.security.fallbacks", "store"]


@pytest.mark.parametrize("value", ["7", "[[1]]", '{"a": 1}', "true", "''", "[1, 'mine:correct']"])
@pytest.mark.parametrize("key", ["use", "fallbacks"])
def test_what_has_the_wrong_form_is_said_once_and_not_loaded(key: str, value: str, shell: Shell) -> None:
    (shell.folder / "foureyes.toml").write_text(f"store = 'memory'\n[reviewers.a]\n{key} = {value}\n")
    assert shell.type("check").returncode == 1
    problems = shell.document()["problems"]
    assert len(problems) == len(set(problems))
    assert not any("cannot be loaded" in problem for problem in problems)


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("foureyes.toml/runs.db", "there is a file in the place of a folder that it lies in"),
        ("foureyes.toml/deep/runs.db", "there is a file in the place of a folder that it lies in"),
        ("./kept", "there is a folder in the place of the file"),
    ],
)
def test_a_store_that_cannot_be_written_is_a_problem_that_does_not_repeat_its_path(
    store: str, said: str, shell: Shell
) -> None:
    (shell.folder / "kept").mkdir()
    shell.export(FOUREYES_STORE=store)
    [problem] = shell.document()["problems"]
    assert problem == f"store (env FOUREYES_STORE): {said}; correct that, or give another path"


@contextmanager
def shut_folder() -> Iterator[Path]:
    # Nothing is forbidden to root, so for a while this is nobody, in a folder that even nobody can reach.
    user = os.geteuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o555)
        os.seteuid(user or 65_534)
        try:
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o700)


@pytest.mark.parametrize(("file", "said"), [("runs.db", "may not be written"), ("a/b.db", "may not be made")])
def test_a_store_in_a_folder_without_permission_is_a_problem(file: str, said: str, shell: Shell) -> None:
    shell.document()  # Everything that the command imports has to be read before this is nobody.
    with shut_folder() as folder:
        shell.patch.chdir(folder)
        shell.export(FOUREYES_STORE=file, FOUREYES_REVIEWERS__CORRECTNESS__USE="mine:correct")
        problems = shell.document()["problems"]
    shell.patch.chdir(shell.folder)
    assert [said in problem for problem in problems if problem.startswith("store")] == [True]


def test_checking_a_store_creates_nothing(shell: Shell) -> None:
    shell.export(FOUREYES_STORE="new/deep/runs.db")
    assert shell.document()["problems"] == []
    assert not (shell.folder / "new").exists()


def test_no_value_and_no_file_name_can_add_a_line_to_the_page(shell: Shell) -> None:
    named = shell.folder / "a\nno problems\x1b[2J.toml"
    named.write_text('[reviewers.correctness]\nuse = "mine:\\nno problems"\n')
    shell.export(FOUREYES_CONFIG=named.name, COLUMNS="300")
    done = shell.type("check")
    assert done.returncode == 1
    assert all(line.isprintable() and not line.startswith("no problems") for line in done.stdout.splitlines())


def test_a_reviewer_that_is_never_due_is_a_warning(shell: Shell) -> None:
    shell.export(FOUREYES_REVIEWERS__SECURITY__MAX_ROUNDS="0")
    found = shell.document()
    assert found["warnings"] == ["reviewers.security is never due: give interval_turns or max_rounds"]
    assert found["problems"] == []


def test_the_sources_of_a_table_stand_below_one_another(shell: Shell) -> None:
    shell.export(COLUMNS="300")
    (shell.folder / "foureyes.toml").unlink()
    lines = shell.type("check").stdout.partition("settings\n")[2].splitlines()[:3]
    assert lines[0].split()[1].startswith("sqlite:")
    assert len({line.index("default") for line in lines}) == 1


def test_json_of_settings_that_cannot_be_read_says_why(shell: Shell) -> None:
    shell.export(FOUREYES_REVIEWERS="sec,perf")
    found = shell.document("--turns", "3")
    assert [key for key, value in found.items() if value] == ["problems"]


def test_reviewers_that_cannot_be_loaded_are_all_told(shell: Shell) -> None:
    shell.export(
        FOUREYES_REVIEWERS__CORRECTNESS__USE="mine:wrong",
        FOUREYES_REVIEWERS__SECURITY__FALLBACKS="mine:correct,nowhere:x",
    )
    done = shell.type("check", "--json")
    assert done.returncode == 1
    first, second = json.loads(done.stdout)["problems"]
    assert first.startswith(
        "reviewers.correctness.use (env FOUREYES_REVIEWERS__CORRECTNESS__USE): use 'mine:wrong' cannot be loaded: "
        "AttributeError: "
    )
    assert second.startswith(
        "reviewers.security.fallbacks (env FOUREYES_REVIEWERS__SECURITY__FALLBACKS): use 'nowhere:x' cannot be loaded: "
        "ModuleNotFoundError: "
    )


def test_no_reviewers_are_no_problem_and_a_warning(shell: Shell) -> None:
    (shell.folder / "foureyes.toml").unlink()
    done = shell.type("check", "--json")
    assert done.returncode == 0
    [warning] = json.loads(done.stdout)["warnings"]
    assert warning.startswith("0 reviewers configured: nothing is reviewed; declare one, such as FOUREYES_REVIEWERS__")


WITHOUT_RICH = "import sys; sys.modules['rich'] = None; from foureyes.cli import main; sys.exit(main())"


def test_without_rich_the_page_says_how_to_get_it_and_json_works(shell: Shell) -> None:
    page, document = (shell.spawn("-c", WITHOUT_RICH, "check", *words) for words in ([], ["--json"]))
    assert (page.returncode, page.stdout) == (1, "")
    assert "pip install 'foureyes[cli]'" in page.stderr
    assert (document.returncode, json.loads(document.stdout)["problems"]) == (0, [])


@pytest.mark.parametrize("turns", ["0", "-1", "many", "10001", "1.5"])
def test_a_senseless_number_of_turns_is_refused(turns: str, shell: Shell) -> None:
    done = shell.type("check", f"--turns={turns}")
    assert done.returncode == 2
    assert "must be a whole number from 1 to 10000" in done.stderr


def test_a_secret_among_the_arguments_of_a_command_is_not_shown(shell: Shell) -> None:
    key = "AKIAIOSFODNN7QXZPLMT"
    shell.export(
        FOUREYES_REVIEWERS__OWN__USE="command",
        FOUREYES_REVIEWERS__OWN__COMMAND=json.dumps([sys.executable, "--password=open-sesame-4711", key]),
    )
    for words in (["check"], ["check", "--json"]):
        shown = shell.type(*words).stdout
        assert "redacted" in shown
        assert (key in shown, "open-sesame-4711" in shown) == (False, False)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"USE": "command", "COMMAND": "no-such-program-anywhere"}, "no-such-program"),
        (
            {"USE": "remote", "BASE_URL": "http://host/", "FALLBACKS": "command", "COMMAND": "no-such-program"},
            "fallbacks",
        ),
    ],
)
def test_what_cannot_be_made_of_the_settings_is_a_problem(settings: dict[str, str], said: str, shell: Shell) -> None:
    shell.export(**{f"FOUREYES_REVIEWERS__OWN__{name}": value for name, value in settings.items()})
    done = shell.type("check", "--json")
    [problem] = json.loads(done.stdout)["problems"]
    assert (done.returncode, said in problem or "program" in problem) == (1, True)
    assert problem.startswith("reviewers.own.")


def test_a_boundary_with_nothing_to_compare_with_is_a_warning(shell: Shell) -> None:
    shell.export(FOUREYES_REVIEWERS__OWN__USE="remote", FOUREYES_REVIEWERS__OWN__BASE_URL="http://models.example/")
    [warning] = shell.document()["warnings"]
    assert "own sends the transcript to models.example" in warning
    shell.export(FOUREYES_REVIEWERS__OWN__DATA_BOUNDARY="any")
    assert shell.document()["warnings"] == []
    shell.export(FOUREYES_REVIEWERS__OWN__DATA_BOUNDARY="same_account", FOUREYES_AGENT__PROTOCOL="openai")
    [warning] = shell.document()["warnings"]
    assert "own is not called: its account with models.example is not the agent's" in warning


def test_a_policy_file_that_is_not_there_is_a_problem(shell: Shell) -> None:
    (shell.folder / "foureyes.toml").write_text(
        "store = 'memory'\n[reviewers.one]\nuse = 'model'\nmodel = 'm'\nbase_url = 'http://localhost/v1'\n"
        "policy_file = 'WATCHDOG.md'\n"
    )
    missing = shell.type("check", "--json")
    [problem] = json.loads(missing.stdout)["problems"]
    assert missing.returncode == 1
    assert "'policy_file': the file 'WATCHDOG.md' does not exist" in problem
    (shell.folder / "WATCHDOG.md").write_text("Watch the sums.")
    assert shell.type("check").returncode == 0


def test_a_list_that_is_empty_is_shown_as_what_that_means(shell: Shell) -> None:
    (shell.folder / "foureyes.toml").write_text("store = 'memory'\n[reviewers.one]\nuse = 'checks'\n")
    shown = dict(line.split(maxsplit=1) for line in shell.type("check", "--all").stdout.splitlines() if "  " in line)
    assert shown["checks"].startswith("all ")
    assert shown["fallbacks"].startswith("none ")
    assert shown["budget.usd_per_session"].startswith("no bound ")


SENDING = """
from foureyes.core.account import UNKNOWN, account

def nobodys(review): ...
nobodys.account = UNKNOWN

def elsewhere(review): ...
elsewhere.account = account("openai", "https://models.example/v1", "sk-other")
"""


@pytest.mark.parametrize(
    ("use", "fallback", "said"),
    [
        ("nobodys", "", "security is not called: nobody can tell whether its account is the agent's"),
        ("elsewhere", "", "security is not called: its account with models.example is not the agent's"),
        ("", "nobodys", "security goes without its fallback sending:nobodys: nobody can tell"),
    ],
)
def test_whoever_may_not_see_the_transcript_is_named_with_the_reason(
    use: str, fallback: str, said: str, shell: Shell
) -> None:
    (shell.folder / "sending.py").write_text(SENDING)
    shell.export(FOUREYES_AGENT__API_KEY="sk-agent")
    if use:
        shell.export(FOUREYES_REVIEWERS__SECURITY__USE=f"sending:{use}")
    if fallback:
        shell.export(FOUREYES_REVIEWERS__SECURITY__FALLBACKS=f"sending:{fallback}")
    [warning] = [line for line in shell.document()["warnings"] if "security" in line]
    assert warning.startswith(said)
    assert "data_boundary" in warning
    shell.export(FOUREYES_REVIEWERS__SECURITY__DATA_BOUNDARY="any")
    assert [line for line in shell.document()["warnings"] if "security" in line] == []


def test_a_key_in_an_address_is_not_shown(shell: Shell) -> None:
    secret = "Zx81kQpLw02nVbTy"
    shell.export(
        FOUREYES_REVIEWERS__OWN__USE="remote",
        FOUREYES_REVIEWERS__OWN__BASE_URL=f"http://models.example/key/{secret}/v1",
    )
    for words in (("check", "--json"), ("check", "--all")):
        done = shell.type(*words)
        assert "models.example" in done.stdout
        assert secret not in done.stdout + done.stderr
