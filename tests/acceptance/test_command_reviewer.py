"""``use = "command"`` against real programs: what they are told, what they may do wrong, and what is left of them.

The rules. A fault is an outcome, with its attempts, and the agent's answer goes out as it is. When a review is over,
whatever ended it, no process, no zombie and no open file is left, but for what has left the program's process group.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import anyio.lowlevel
import pytest
from jsonschema import Draft202012Validator

from foureyes.clock import Clock, SystemClock
from foureyes.core.config import EvidenceConfig, ReviewerConfig
from foureyes.core.facts import Message, Review
from foureyes.core.words import FinishResult, OutcomeKind, SkipReason, Trigger
from foureyes.errors import ConfigError, ReviewerError, TransientReviewerError
from foureyes.guidance import Guidance
from foureyes.loading import built
from foureyes.scheduler import ReviewScheduler
from foureyes.tasks import own_tasks
from foureyes.telemetry.events import Event, LeftoverChanged, ReviewerPaused, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, turn_messages

from .process_table import children, marked, open_files, wait_until_gone

pytestmark = pytest.mark.anyio

MARK = "FOUREYES_TEST_MARK"
SECRET = "correct-horse-battery-9"
TASK = {"role": "user", "content": "Rename the table."}
BIG = [{"role": "assistant" if number % 2 else "user", "content": "z" * 2_000} for number in range(200)]
"""More than a pipe holds."""
QUIET = """echo '{"notes": []}'"""
NOTE = """echo '{"notes": [{"text": "The old name is still used.", "severity": "concern"}]}'"""

Shell = Callable[..., ReviewerConfig]


@pytest.fixture
def mark(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return what marks the processes of this test; whatever it leaves behind is ended at its end."""
    value = f"{os.getpid()}-{abs(hash(request.node.nodeid))}"
    monkeypatch.setenv(MARK, value)
    yield f"{MARK}={value}"
    for pid in marked(f"{MARK}={value}"):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def shell(mark: str) -> Shell:
    """Return what declares a reviewer that is a shell script; further arguments are settings."""

    def declared(script: str, *arguments: str, **settings: Any) -> ReviewerConfig:
        given: dict[str, Any] = {"name": "cmd", "use": "command", "environment": (MARK,), "timeout_seconds": 20}
        return ReviewerConfig(**(given | {"command": ("sh", "-c", script, "sh", *arguments)} | settings))

    return declared


async def finished(
    config: ReviewerConfig, messages: list[dict[str, Any]] | None = None, clock: Clock | None = None
) -> tuple[Guidance, ReviewSettled]:
    """Return the guidance at a finish that the reviewer was asked about, and how its review was settled.

    Nothing is left of it afterwards: no child, no open file.
    """
    before, opened, sink = children(), open_files(), RecordingSink()
    async with ReviewScheduler([config], sinks=[sink], clock=clock or FakeClock()) as scheduler:
        session = await scheduler.session("s")
        transcript = [TASK, *(messages or []), {"role": "assistant", "content": "Renamed."}]
        guidance = await session.finish(transcript, answer="Renamed.")
    assert children() - before == set()
    assert open_files() == opened
    [settled] = sink.of(ReviewSettled)
    return guidance, settled


def is_untouched(guidance: Guidance) -> bool:
    """Tell whether the agent's answer goes out as if there were no reviewer, and without anybody's approval."""
    return not guidance.messages and not guidance.reopen and guidance.result is FinishResult.UNAVAILABLE


def gone(mark: str) -> bool:
    """Tell whether no process of this test is left, wherever it has gone."""
    wait_until_gone(marked(mark))
    return not marked(mark)


def wide(**settings: Any) -> dict[str, Any]:
    """Return settings under which a review is far larger than a pipe."""
    return {"evidence": EvidenceConfig(max_messages=1_000, max_chars=1_000_000), **settings}


# --- what a program is told, and what it may answer ---


async def test_a_program_that_says_so_reopens_the_run(shell: Shell, mark: str) -> None:
    guidance, settled = await finished(shell(NOTE))
    assert (guidance.reopen, settled.outcome, settled.attempts) == (True, OutcomeKind.NOTED, 1)
    assert "The old name is still used." in guidance.messages[0]["content"]
    assert gone(mark)


async def test_a_program_reads_the_review_as_the_schema_has_it_and_its_input_ends(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    config = shell(f'cat > "$1"; {QUIET}', str(tmp_path / "told"), timeout_seconds=9)
    _, settled = await finished(config, [{"role": "user", "content": f"The password is {SECRET}."}])
    assert settled.outcome is OutcomeKind.QUIET
    told = (tmp_path / "told").read_text("ascii")
    document = json.loads(told)
    Draft202012Validator(json.loads((files("foureyes_reviewers") / "schema/review.json").read_text())).validate(
        document
    )
    assert (document["key"].rpartition(":")[0], document["answer"]) == ("s:1:cmd:finish", "Renamed.")
    assert (document["timeout_seconds"], document["attempt"]) == (9, 1)
    assert "The password is" in told
    assert SECRET not in told


async def test_a_program_gets_what_is_allowed_of_the_environment_and_nothing_else(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "WANTED", "OTHER", "PYTHONPATH", "LD_PRELOAD_NOT"):
        monkeypatch.setenv(name, f"value of {name}")
    monkeypatch.setenv("PATH", os.environ["PATH"])
    config = shell(f'env > "$1"; {QUIET}', str(tmp_path / "env"), environment=("WANTED", "NOT_SET", MARK))
    await finished(config)
    names = {line.partition("=")[0] for line in (tmp_path / "env").read_text().splitlines()}
    of_the_shell = {"PWD", "SHLVL", "_", "OLDPWD"}
    assert names - of_the_shell == {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "WANTED", MARK}


async def test_arguments_reach_the_program_as_they_are_and_no_shell_sees_them(tmp_path: Path) -> None:
    program = tmp_path / "my reviewer"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\nopen(sys.argv[1], 'w').write(json.dumps(sys.argv[2:]))\n"
    )
    program.chmod(0o755)
    arguments = ("$HOME", "a b", "*", "; touch x", "'", "")
    await finished(ReviewerConfig(name="cmd", use="command", command=(str(program), str(tmp_path / "out"), *arguments)))
    assert json.loads((tmp_path / "out").read_text()) == list(arguments)


async def test_a_program_leads_a_session_of_its_own_so_it_cannot_ask_at_the_terminal(shell: Shell) -> None:
    _, settled = await finished(shell(f"""[ "$(cut -d' ' -f6 /proc/$$/stat)" = $$ ] || exit 3; {QUIET}"""))
    assert (settled.outcome, settled.error) == (OutcomeKind.QUIET, "")


async def test_what_a_program_used_is_counted(shell: Shell) -> None:
    _, settled = await finished(shell("""echo '{"notes": [], "usage": {"input_tokens": 7, "cost_usd": 0.5}}'"""))
    assert (settled.usage.input_tokens, settled.usage.cost_usd) == (7, 0.5)


@pytest.mark.parametrize(
    "script",
    [
        QUIET,
        f"exec 0<&-; {QUIET}",
        f"head -c 10 > /dev/null; {QUIET}",
        f"cat > /dev/null; {QUIET}",
        f"cat > /dev/null; head -c 3000000 /dev/zero >&2; {QUIET}",
    ],
    ids=["never reads", "closes its input", "reads a little", "reads all", "floods its errors"],
)
async def test_a_program_may_read_as_much_as_it_likes_of_a_review_that_fills_the_pipe(
    script: str, shell: Shell, mark: str
) -> None:
    _, settled = await finished(shell(script, **wide()), BIG)
    assert (settled.outcome, settled.error) == (OutcomeKind.QUIET, "")
    assert gone(mark)


async def test_an_answer_of_a_megabyte_is_read_whole(shell: Shell) -> None:
    padding = 1_000_000 - len('{"notes": []}')
    _, settled = await finished(shell(f"printf '{{\"notes\": []}}'; head -c {padding} /dev/zero | tr '\\0' ' '"))
    assert settled.outcome is OutcomeKind.QUIET


# --- faults ---

FAULTS: dict[str, tuple[str, OutcomeKind, int, str]] = {
    "says nothing": (":", OutcomeKind.UNPARSED, 1, "what came back is empty"),
    "says nothing that is a reply": ("echo '{}'", OutcomeKind.UNPARSED, 1, "no reply of version 1"),
    "says it in prose": ("echo All good, approved.", OutcomeKind.UNPARSED, 1, "no reply of version 1"),
    "logs where the reply belongs": (f"echo reading; {QUIET}", OutcomeKind.UNPARSED, 1, "no reply of version 1"),
    "fails": ("echo one >&2; echo two >&2; exit 3", OutcomeKind.ERROR, 1, "ended with exit status 3: two"),
    "fails after its answer": (f"{QUIET}; exit 1", OutcomeKind.ERROR, 1, "exit status 1: no reason given"),
    "fails for the moment": ("echo busy >&2; exit 75", OutcomeKind.ERROR, 2, "exit status 75: busy"),
    "is killed": ("kill -9 $$", OutcomeKind.ERROR, 1, "ended with signal SIGKILL"),
    "does not find what it calls": ("exec no-such-program", OutcomeKind.ERROR, 1, "exit status 127"),
    "floods its output": ("cat > /dev/null; yes", OutcomeKind.ERROR, 1, "more than 1,000,000 bytes"),
    "floods and fails": ("head -c 2000000 /dev/zero; exit 75", OutcomeKind.ERROR, 1, "more than 1,000,000 bytes"),
    "is told to slow down": (
        """echo '{"error": {"kind": "rate_limited", "message": "429", "retry_after": 2}}'; exit 1""",
        OutcomeKind.RATE_LIMITED,
        2,
        "429",
    ),
    "asks to wait beyond the deadline": (
        """echo '{"error": {"kind": "rate_limited", "retry_after": 900}}'""",
        OutcomeKind.RATE_LIMITED,
        1,
        "no reason given",
    ),
    "is out of money": ("""echo '{"error": {"kind": "quota_exhausted"}}'""", OutcomeKind.QUOTA_EXHAUSTED, 1, ""),
    "has the wrong key": ("""echo '{"error": {"kind": "misconfigured"}}'; exit 2""", OutcomeKind.ERROR, 1, ""),
    "refuses": ("""echo '{"error": {"kind": "refused"}}'""", OutcomeKind.REFUSED, 1, ""),
    "is overwhelmed": ("""echo '{"error": {"kind": "overflow"}}'""", OutcomeKind.OVERFLOW, 1, ""),
    "breaks in its own way": ("""echo '{"error": "disk full"}'""", OutcomeKind.ERROR, 1, "disk full"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_an_outcome_and_leaves_the_answer_alone(fault: str, shell: Shell, mark: str) -> None:
    script, kind, attempts, said = FAULTS[fault]
    guidance, settled = await finished(shell(script))
    assert (settled.outcome, settled.attempts) == (kind, attempts)
    assert said in settled.error
    assert is_untouched(guidance)
    assert gone(mark)


@pytest.mark.parametrize("kind", ["quota_exhausted", "misconfigured"])
async def test_a_program_that_says_it_is_of_no_use_is_paused_at_once(kind: str, shell: Shell) -> None:
    sink = RecordingSink()
    async with ReviewScheduler([shell(f"""echo '{{"error": {{"kind": "{kind}"}}}}'""")], sinks=[sink]) as scheduler:
        await (await scheduler.session("s")).finish([TASK], answer="Renamed.")
    assert [event.reviewer for event in sink.of(ReviewerPaused)] == ["cmd"]


async def test_a_program_that_the_system_cannot_run_is_misconfigured(tmp_path: Path) -> None:
    program = tmp_path / "reviewer"
    program.write_text("{}")
    program.chmod(0o755)
    _, settled = await finished(ReviewerConfig(name="cmd", use="command", command=(str(program),)))
    assert (settled.outcome, settled.attempts) == (OutcomeKind.ERROR, 1)
    assert settled.error == (
        "the command could not be started: Exec format error; begin the file with a line such as #!/bin/sh"
    )


@pytest.mark.parametrize("room", range(7))  # three pipes have six ends, and starting a program takes more
async def test_a_want_of_open_files_may_have_gone_the_next_time_and_leaves_none_open(room: int, shell: Shell) -> None:
    reviewer = built("command", shell(QUIET))
    before, opened = children(), open_files()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1 + room, hard))
    holes = [os.dup(0) for _ in range(highest + 1 - opened)]
    try:
        with pytest.raises(TransientReviewerError, match="Too many open files"):
            await reviewer(review())
    finally:
        for hole in holes:
            os.close(hole)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (children() - before, open_files()) == (set(), opened)


async def test_a_program_that_has_vanished_is_misconfigured_and_its_place_is_not_told(tmp_path: Path) -> None:
    program = tmp_path / "reviewer"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    config = ReviewerConfig(name="cmd", use="command", command=(str(program), SECRET))
    reviewer = built("command", config)
    program.unlink()
    guidance, settled = await finished(ReviewerConfig(name="cmd", reviewer=reviewer))
    assert is_untouched(guidance)
    assert settled.error == "the command could not be started: No such file or directory"


@pytest.mark.parametrize(
    "script",
    [
        f"echo 'bad key {SECRET}' >&2; exit 1",
        f"printf '%s' '{SECRET}' >&2; exit 75",
        f"""echo '{{"error": {{"kind": "transient", "message": "bad key {SECRET}"}}}}'""",
        "cat >&2; exit 1",
        "head -c 60 >&2; exit 1",
        f"head -c 9000 /dev/zero | tr '\\0' x >&2; printf '{SECRET}' >&2; head -c 8185 /dev/zero >&2; exit 1",
    ],
)
async def test_no_secret_and_nothing_of_the_run_is_in_an_error(
    script: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    _, settled = await finished(shell(script), [{"role": "user", "content": f"It is {SECRET}"}])
    assert settled.outcome is OutcomeKind.ERROR
    for part in (SECRET, SECRET[-6:], "Rename the table", "version", "/sh"):
        assert part not in settled.error


# --- grandchildren ---


async def test_a_system_that_does_not_tell_of_the_end_of_a_process_is_asked(
    shell: Shell, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    guidance, settled = await finished(shell(f"sleep 60 & {NOTE}"))
    assert (guidance.reopen, settled.outcome) == (True, OutcomeKind.NOTED)
    monkeypatch.undo()
    assert gone(mark)


async def test_a_grandchild_that_holds_the_pipe_delays_nothing_and_is_ended(shell: Shell, mark: str) -> None:
    """As in https://github.com/anthropics/claude-code/issues/77078: the wait lasted until the host's limit."""
    _, settled = await finished(shell("sleep 60 & echo '{}'", timeout_seconds=2))
    assert settled.outcome is OutcomeKind.UNPARSED  # and no timeout
    assert gone(mark)


async def test_a_grandchild_that_has_left_the_group_delays_nothing_either(shell: Shell, mark: str) -> None:
    _, settled = await finished(shell(f"setsid sleep 60 & {NOTE}", timeout_seconds=5))
    assert settled.outcome is OutcomeKind.NOTED
    assert len(marked(mark)) <= 1  # which is documented; the fixture ends it


# --- deadlines and cancellation ---

HANGS = {
    "sleeps": "cat > /dev/null; sleep 60",
    "does not read, and the pipe is full": "sleep 60",
    "ignores that it is asked to stop": "trap '' TERM; cat > /dev/null; sleep 60 & sleep 60; sleep 60",
    "has closed its output": "exec 1>&- 2>&-; sleep 60",
    "has answered already": f"cat > /dev/null; {NOTE}; sleep 60",
    "writes errors for ever": "cat > /dev/null; yes >&2",
    "waits for its grandchildren": "cat > /dev/null; sleep 60 & sleep 60 & wait",
    "drips": "cat > /dev/null; while :; do printf ' '; sleep 0.01; done",
}


@pytest.mark.timing
@pytest.mark.parametrize("fault", HANGS)
async def test_a_program_that_does_not_end_is_ended_at_the_deadline(fault: str, shell: Shell, mark: str) -> None:
    guidance, settled = await finished(shell(HANGS[fault], **wide(timeout_seconds=0.2)), BIG, SystemClock())
    assert (settled.outcome, settled.attempts) == (OutcomeKind.TIMEOUT, 1)
    assert 0.2 <= settled.seconds <= 0.250
    assert is_untouched(guidance)
    assert gone(mark)


class Landing(RecordingSink):
    """A sink that says when a review that was left behind has let go."""

    def __init__(self) -> None:
        super().__init__()
        self.landed = anyio.Event()

    def emit(self, event: Event) -> None:
        """Keep the event."""
        super().emit(event)
        if isinstance(event, LeftoverChanged) and not event.running:
            self.landed.set()


@pytest.mark.timing
async def test_a_program_that_tidies_up_when_asked_to_stop_has_the_time_for_it(shell: Shell, tmp_path: Path) -> None:
    script = "trap 'sleep 0.05; echo tidy > \"$1\"; exit 1' TERM; sleep 60 & wait"
    sink, config = Landing(), shell(script, str(tmp_path / "out"), timeout_seconds=0.2)
    async with ReviewScheduler([config], sinks=[sink]) as scheduler:
        await (await scheduler.session("s")).finish([TASK], answer="Renamed.")
        with anyio.fail_after(5):
            await sink.landed.wait()
    assert (tmp_path / "out").read_text() == "tidy\n"


@pytest.mark.timing
async def test_programs_that_hang_do_not_pile_up(shell: Shell, mark: str) -> None:
    """As in https://github.com/openai/codex-plugin-cc/issues/611: each boundary started another one."""
    often = {"interval_turns": 1, "max_periodic_reviews": 100, "cooldown_turns": 0, "pause_after_failures": 100}
    config = shell("trap '' TERM; sleep 60 & sleep 60", timeout_seconds=0.1, **often)
    async with ReviewScheduler([config]) as scheduler:
        session, messages, busy = await scheduler.session("s"), [TASK], 0
        for turn in range(1, 13):
            messages += turn_messages(turn)
            guidance = await session.boundary(messages)
            busy += [skip.reason for skip in guidance.skips] == [SkipReason.BUSY]
            assert len(marked(mark)) <= 3  # one shell with two children
    assert busy >= 1
    assert gone(mark)


async def started(fifo: Path) -> None:
    """Return once somebody has written to the pipe."""
    handle = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    try:
        with anyio.fail_after(10):
            await anyio.wait_readable(handle)
    finally:
        os.close(handle)


async def test_a_host_that_is_cancelled_takes_the_program_with_it(shell: Shell, mark: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    before, opened = children(), open_files()
    config = shell('echo > "$1"; sleep 60 & sleep 60', str(tmp_path / "fifo"))
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s")
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: session.finish([TASK], answer="Renamed."))
            await started(tmp_path / "fifo")
            group.cancel_scope.cancel()
    assert gone(mark)
    assert (children() - before, open_files()) == (set(), opened)


def review() -> Review:
    """Return a review that fills the pipe."""
    return Review(
        session="s",
        reviewer="cmd",
        trigger=Trigger.PERIODIC,
        turn=1,
        since=0,
        round=0,
        request="",
        messages=tuple(Message(role="user", text="z" * 2_000) for _ in range(100)),
    )


async def test_nothing_is_left_at_whatever_moment_a_review_is_cancelled(shell: Shell, mark: str) -> None:
    reviewer = built("command", shell("cat > /dev/null; sleep 60 & sleep 60"))
    before, opened = children(), open_files()
    for passes in range(12):
        async with anyio.create_task_group() as group:
            group.start_soon(reviewer, review())
            for _ in range(passes):
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
        assert gone(mark), passes
    assert (children() - before, open_files()) == (set(), opened)


@pytest.mark.parametrize("pause", [0, 1, 5])
async def test_nothing_is_left_where_the_scheduler_cancels_its_task_and_then_closes(
    pause: int, shell: Shell, mark: str
) -> None:
    """On asyncio that is two cancellations which no shield holds off, and on trio one that is not repeated."""
    reviewer = built("command", shell("trap '' TERM; cat > /dev/null; sleep 60 & sleep 60"))
    before, opened = children(), open_files()

    async def reviewed() -> None:
        # The scheduler's own work never raises: a program that was killed in time may be seen to have failed.
        with suppress(ReviewerError):
            await reviewer(review())

    for passes in range(6):
        tasks = own_tasks()
        cancel = tasks.start(reviewed)
        for step in range(passes + pause):
            await anyio.lowlevel.checkpoint()
            if step == passes:
                cancel()
        assert await tasks.close() == 0
        assert gone(mark), passes
    assert (children() - before, open_files()) == (set(), opened)


# --- what is refused before anything runs ---


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"command": ("no-such-program-anywhere", SECRET)}, "'command' names no program that can be run"),
        ({"command": ("",)}, "'command' names no program that can be run"),
        ({"command": ("/etc/passwd",)}, "'command' names a file that is not executable: run chmod +x on it"),
        ({"command": (f"sh -c {SECRET}",)}, "'command' is one string with blanks: make it a list of strings"),
        ({"command": ("/",)}, "'command' names no program that can be run"),
        ({"command": ("sh", f"{SECRET}\0")}, "'command' holds a NUL character"),
        ({"command": ("sh",), "environment": (f"KEY={SECRET}",)}, "'environment' takes names of variables"),
        ({"command": ("sh",), "environment": ("",)}, "'environment' takes names of variables"),
    ],
)
async def test_what_cannot_run_is_refused_when_the_scheduler_is_built(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ReviewScheduler([ReviewerConfig(name="cmd", use="command", **settings)])
    [problem] = caught.value.problems
    assert problem.startswith(f"reviewer 'cmd': {said}")
    for value in (SECRET, "no-such-program", "/etc"):
        assert value not in problem


async def test_a_file_that_cannot_be_run_is_refused_with_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "review.sh"
    script.write_text(QUIET)
    for name, cure in (("./review.sh", "chmod"), ("review.sh", "chmod"), (str(script), "chmod")):
        with pytest.raises(ConfigError, match=cure):
            built("command", ReviewerConfig(name="cmd", use="command", command=(name,)))
    script.chmod(0o755)
    with pytest.raises(ConfigError, match=r"put \./ in front"):
        built("command", ReviewerConfig(name="cmd", use="command", command=("review.sh",)))
    unreadable = ReviewerConfig(name="cmd", use="command", command=("./review.sh",))
    _, settled = await finished(unreadable)
    assert settled.error.endswith("begin the file with a line such as #!/bin/sh")


async def test_a_program_is_found_where_it_was_when_the_scheduler_was_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").write_text(f"#!/bin/sh\n{QUIET}\n")
    (tmp_path / "mine").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    reviewer = built("command", ReviewerConfig(name="cmd", use="command", command=("./mine",)))
    monkeypatch.chdir("/")
    _, settled = await finished(ReviewerConfig(name="cmd", reviewer=reviewer))
    assert settled.outcome is OutcomeKind.QUIET


async def test_what_a_program_is_told_stays_on_this_machine() -> None:
    assert built("command", ReviewerConfig(name="cmd", use="command", command=("sh",))).account is None  # type: ignore[union-attr]
