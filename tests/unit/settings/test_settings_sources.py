"""Which source wins, and whether every value says where it came from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from foureyes.core.backend import BudgetConfig
from foureyes.core.config import EvidenceConfig, GuardConfig, ReviewerConfig
from foureyes.core.guard import Limits
from foureyes.core.words import Severity
from foureyes.settings import Settings

Refused = Callable[..., tuple[str, ...]]


class Machine:
    """Writes a boundary limit into one source at a time."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.patch = folder, patch

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def pyproject(self, line: str) -> str:
        self.write("pyproject.toml", f"[tool.foureyes]\n{line}\n")
        return "pyproject.toml"

    def project(self, line: str) -> str:
        self.write("foureyes.toml", line)
        return "foureyes.toml"

    def dotenv(self, line: str) -> str:
        name = f"FOUREYES_{line.partition(' ')[0].upper()}"
        self.write(".env", f"{name}={line.rpartition(' ')[2]}\n")
        return f".env {name}"

    def own(self, line: str) -> str:
        self.write("../home/.config/foureyes/foureyes.toml", line)
        return "~/.config/foureyes/foureyes.toml"

    def named(self, line: str) -> str:
        self.patch.setenv("FOUREYES_CONFIG", "elsewhere/reviews.toml")
        self.write("elsewhere/reviews.toml", line)
        return "elsewhere/reviews.toml"

    def env(self, line: str) -> str:
        name = f"FOUREYES_{line.partition(' ')[0].upper()}"
        self.patch.setenv(name, line.rpartition(" ")[2])
        return f"env {name}"


WEAKEST_FIRST = ("pyproject", "project", "dotenv", "own", "named", "env")


@pytest.fixture
def machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return the sources of this test's machine, all of them empty."""
    return Machine(folder, monkeypatch)


def test_each_source_wins_over_all_weaker_ones(machine: Machine) -> None:
    for strength, source in enumerate(WEAKEST_FIRST, start=1):
        place = getattr(machine, source)(f"notes_per_boundary = {strength}")
        settings = Settings()
        assert (settings.notes_per_boundary, settings.sources["notes_per_boundary"]) == (strength, place)


def test_arguments_win_over_everything(machine: Machine) -> None:
    machine.env("notes_per_boundary = 2")
    settings = Settings(notes_per_boundary=7)
    assert (settings.notes_per_boundary, settings.sources["notes_per_boundary"]) == (7, "arguments")


@pytest.mark.parametrize("source", WEAKEST_FIRST)
def test_each_source_is_read_when_it_is_the_only_one(machine: Machine, source: str) -> None:
    place = getattr(machine, source)("notes_per_request = 11")
    settings = Settings()
    assert (settings.notes_per_request, settings.sources["notes_per_request"]) == (11, place)


def test_the_users_folder_can_be_moved(machine: Machine) -> None:
    machine.patch.setenv("XDG_CONFIG_HOME", str(machine.folder / "conf"))
    machine.write("conf/foureyes/foureyes.toml", "notes_per_boundary = 2")
    assert Settings().notes_per_boundary == 2


def test_a_relative_users_folder_is_ignored(machine: Machine) -> None:
    machine.patch.setenv("XDG_CONFIG_HOME", "conf")
    machine.write("conf/foureyes/foureyes.toml", "notes_per_boundary = 2")
    assert Settings().notes_per_boundary == 6


def test_the_dotenv_file_may_name_the_settings_file(machine: Machine) -> None:
    machine.write("reviews.toml", "notes_per_boundary = 2")
    machine.write(".env", "FOUREYES_CONFIG=reviews.toml\n")
    assert Settings().notes_per_boundary == 2


def test_one_reviewer_is_put_together_from_all_sources(machine: Machine) -> None:
    machine.write("foureyes.toml", "[reviewers.sec]\nuse = 'checks'\ninterval_turns = 3\nmax_rounds = 1\n")
    machine.own("[reviewers.sec]\ninterval_turns = 4\n[reviewers.sec.guard]\nmax_notes = 1\n")
    machine.patch.setenv("FOUREYES_REVIEWERS__SEC__GUARD__HISTORY", "10")
    [sec] = Settings().reviewers
    assert sec == ReviewerConfig(
        name="sec", use="checks", interval_turns=4, max_rounds=1, guard=GuardConfig(max_notes=1, history=10)
    )


def test_every_key_of_a_reviewer_has_a_source(machine: Machine) -> None:
    machine.write("foureyes.toml", "[reviewers.sec]\nuse = 'checks'\n")
    machine.patch.setenv("FOUREYES_REVIEWERS__SEC__GUARD__MAX_NOTES", "1")
    expected = {f"reviewers.sec.{key}": "default" for key in ReviewerConfig.model_fields}
    expected |= {f"reviewers.sec.guard.{key}": "default" for key in GuardConfig.model_fields}
    expected |= {f"reviewers.sec.evidence.{key}": "default" for key in EvidenceConfig.model_fields}
    expected |= {f"reviewers.sec.budget.{key}": "default" for key in BudgetConfig.model_fields}
    for table in ("name", "reviewer", "guard", "evidence", "budget"):
        del expected[f"reviewers.sec.{table}"]
    expected["reviewers.sec.use"] = "foureyes.toml"
    expected["reviewers.sec.guard.max_notes"] = "env FOUREYES_REVIEWERS__SEC__GUARD__MAX_NOTES"
    assert {path: source for path, source in Settings().sources.items() if path.startswith("reviewers.")} == expected


def test_nothing_declared_means_the_documented_defaults(folder: Path) -> None:
    settings = Settings()
    assert settings.reviewers == ()
    assert settings.limits == Limits(notes_per_boundary=6, notes_per_request=48, reopen_severity=Severity.CONCERN)
    assert (settings.metrics_address, settings.metrics_port) == ("127.0.0.1", None)
    assert settings.store == f"sqlite:{folder.parent / 'home/.local/state/foureyes/foureyes.db'}"
    assert set(settings.sources.values()) == {"default"}


def test_limits_are_those_of_the_settings() -> None:
    settings = Settings(notes_per_boundary=2, notes_per_request=3, reopen_severity="blocker")
    assert settings.limits == Limits(notes_per_boundary=2, notes_per_request=3, reopen_severity=Severity.BLOCKER)


def test_a_reviewer_given_in_code_can_be_tuned_from_the_environment(machine: Machine) -> None:
    def review(_review: object) -> None: ...

    machine.patch.setenv("FOUREYES_REVIEWERS__SEC__TIMEOUT_SECONDS", "9")
    machine.patch.setenv("FOUREYES_REVIEWERS__SEC__MAX_ROUNDS", "5")
    [sec] = Settings(reviewers=[ReviewerConfig(name="sec", reviewer=review, max_rounds=2)]).reviewers
    assert sec == ReviewerConfig(name="sec", reviewer=review, max_rounds=2, timeout_seconds=9)


def test_a_reviewer_given_in_code_replaces_what_a_file_would_use(machine: Machine) -> None:
    machine.project("[reviewers.sec]\nuse = 'checks'\n")
    settings = Settings(reviewers=[ReviewerConfig(name="sec", reviewer=print)])
    assert (settings.reviewers[0].use, settings.reviewers[0].reviewer) == (None, print)
    assert settings.warnings == ("reviewers.sec.use (foureyes.toml) is ignored: the code gives the reviewer itself",)


def test_reviewers_in_code_are_left_as_they_were_given() -> None:
    declared = (ReviewerConfig(name="a", use="checks"), ReviewerConfig(name="b", use="checks", order=1))
    assert Settings(reviewers=declared).reviewers == (declared[1], declared[0])


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().store = "memory"  # type: ignore[misc]


def test_what_is_derived_cannot_be_given(refused: Refused) -> None:
    assert refused(sources={"store": "x"}) == ("sources (arguments): is not known; remove it",)
    assert refused(ignored=("x",)) == ("ignored (arguments): is not known; remove it",)
    assert refused(problems=["x"]) == ("problems (arguments): is not known; remove it",)


def test_settings_are_read_once_and_not_again(machine: Machine) -> None:
    machine.env("notes_per_boundary = 2")
    settings = Settings()
    machine.env("notes_per_boundary = 3")
    assert (settings.notes_per_boundary, Settings().notes_per_boundary) == (2, 3)


def test_names_of_other_programs_change_nothing(machine: Machine) -> None:
    neighbours = {"STORE": "elsewhere.db", "TIMEOUT": "1", "NAME": "x", "REVIEWERS": "[]", "METRICS_PORT": "1"}
    before = Settings()
    for name, value in neighbours.items():
        machine.patch.setenv(name, value)
    assert Settings() == before
