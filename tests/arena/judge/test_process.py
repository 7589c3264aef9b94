"""Bots as processes: nothing of them is left, however the judge ends; lines are bounded."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.arena.stage import (
    BOTS,
    PATIENT,
    bot,
    groups_of,
    mark,
    needs_bubblewrap,
    play,
    processes_with,
)

from holmgang.arena.judge.keeper import children
from holmgang.arena.judge.leftovers import is_orphan, name_prefix, remove_orphaned_folders
from holmgang.arena.judge.process import BotProcesses, CpuCore, Failed, Launch, last_words

JUDGE = """
import json, sys
from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask, JudgeSettings

red, trust = sys.argv[1], json.loads(sys.argv[2])
settings = JudgeSettings(trust=trust, first_ms=600_000, hard_ms=600_000, start_ms=60_000)
for result in play_games([GameTask("1", "bagh", red, "random", 1, settings)]):
    print(result.red.detail)
"""


@pytest.fixture
def processes():
    processes = BotProcesses()
    yield processes
    processes.close()


def launch(code: str, *arguments: str) -> Launch:
    return Launch([sys.executable, "-c", code, *arguments], "/", dict(os.environ))


def wait_until(is_so, seconds: float = 20) -> bool:
    """Looks again and again, as other processes do not tell when they are done."""
    patience = time.monotonic() + seconds
    while time.monotonic() < patience:
        if is_so():
            return True
        time.sleep(0.01)
    return False


def test_a_line_there_and_back(processes):
    process = processes.start(launch("print('you said', input())"))
    assert process.ask(b"hello\n", 5000, 5000) == b"you said hello"
    assert process.end(grace_ms=5000) == 0


def test_lines_that_come_in_pieces(processes):
    code = "import os; os.write(1, b'a'); os.write(1, b'b\\nc\\nd'); input(); os.write(1, b'e\\n')"
    process = processes.start(launch(code))
    assert [process.hear(5000, 5000), process.hear(5000, 5000)] == [b"ab", b"c"]
    assert process.ask(b"\n", 5000, 5000) == b"de"


def test_a_program_that_is_not_there(processes):
    with pytest.raises(Failed, match="cannot start"):
        processes.start(Launch(["/no/such/program"], "/", {}))
    assert processes.start(launch("print(1)")).hear(5000, 5000) == b"1"  # others still can


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise SystemExit(7)", "exit code 7"),
        ("import os; os.kill(os.getpid(), 11)", "signal 11"),
        ("raise SystemExit(200)", "exit code 200"),
        ("raise ValueError('why')", "ValueError: why"),
        ("raise SystemExit('\\33[2J\\x9b\\u202e')", r"\\x1b\[2J\\x9b\\u202e"),
        ("import os; os.close(1); input()", "closed its output"),
    ],
)
def test_how_a_bot_has_ended_is_told(processes, code, told):
    with pytest.raises(Failed, match=told) as failed:
        processes.start(launch(code)).hear(10_000, 10_000)
    assert failed.value.status == "crash"


def test_a_line_that_is_too_long_is_refused_with_its_end_too(processes):
    process = processes.start(launch("print('x' * 65_536); print('x' * 65_537)"))
    assert len(process.hear(5000, 5000)) == 65_536
    with pytest.raises(Failed, match="more than 65536 bytes"):
        process.hear(5000, 5000)


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        ("Traceback:\n  File 'bot.py', line 6\nKeyError: 'x'\n", "KeyError: 'x'"),
        ("bot.js:1\nTypeError: no\n    at a (b:1)\n\nNode.js v20.20.2\n", "TypeError: no"),
        ("Exception: e\n\tat A.main(A.java:1)\nCaused by: f\n\t... 1 more\n", "Caused by: f"),
        ("panicked at a.rs:1:54:\nout of bounds\nnote: run with `X=1` to see\n", "out of bounds"),
        ("terminate called\n  what():  out of range\n", "what():  out of range"),
        ("panic: out of range\n\ngoroutine 1 [running]:\nmain.main()\n\tbot.go:3\n", "panic: out"),
        ("  all\n  set in\n", "set in"),
        ("", ""),
    ],
    ids=["python", "javascript", "java", "rust", "c++", "go", "none", "silence"],
)
def test_the_last_words_are_the_reason_and_not_what_a_runtime_adds(stderr, told):
    assert last_words(stderr).startswith(told)


def test_of_standard_error_the_last_is_kept(processes):
    code = "import sys; sys.stderr.write('x' * 200_000 + 'end'); print(1)"
    process = processes.start(launch(code))
    assert process.hear(5000, 5000) == b"1"
    process.end()
    said = process.take_stderr()
    assert len(said) == 65_536
    assert said.endswith(b"end")


def test_helpers_of_a_bot_end_with_it():
    word = mark()
    assert play(bot("daemon", word)).red.status == "ok"
    assert processes_with(word) == []


def test_helpers_of_one_bot_are_no_others(processes):
    mine, yours = mark(), mark()
    processes = [
        processes.start(
            Launch([sys.executable, str(BOTS / "daemon.py"), word], "/", dict(os.environ))
        )
        for word in (mine, yours)
    ]
    for process in processes:
        process.ask(b'{"type": "hello"}\n', 20_000, 20_000)  # it has started its helpers by now
    assert (len(processes_with(mine)), len(processes_with(yours))) == (3, 3)
    processes[0].end()
    assert (len(processes_with(mine)), len(processes_with(yours))) == (0, 3)


@pytest.mark.parametrize("trust", [True, pytest.param(False, marks=needs_bubblewrap)])
def test_no_orphans_when_the_judge_is_killed(trust, tmp_path):
    word = mark()
    judge = subprocess.Popen(
        [sys.executable, "-c", JUDGE, bot("daemon", "sleep=600000", word), json.dumps(trust)],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    # the judge names the word itself; a sandbox adds two processes of its own
    expected = 4 if trust else 6
    assert wait_until(lambda: len(processes_with(word)) == expected)
    judge.send_signal(signal.SIGKILL)
    judge.communicate()
    assert wait_until(lambda: processes_with(word) == [])
    assert wait_until(lambda: list(tmp_path.iterdir()) == [])
    assert wait_until(lambda: groups_of(judge.pid) == [])


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary folders."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


@pytest.mark.parametrize("trust", [True, pytest.param(False, marks=needs_bubblewrap)])
def test_the_next_judge_removes_what_a_killed_one_and_its_keeper_left(trust, temporary):
    word = mark()
    judge = subprocess.Popen(
        [sys.executable, "-c", JUDGE, bot("daemon", "sleep=600000", word), json.dumps(trust)],
        stdout=subprocess.PIPE,
    )
    assert wait_until(lambda: len(processes_with(word)) == (4 if trust else 6))
    had_groups = groups_of(judge.pid) != []
    [keeper] = children(judge.pid)
    os.kill(keeper, signal.SIGSTOP)  # it could still clean up if the judge died first
    judge.kill()
    judge.wait()
    os.kill(keeper, signal.SIGKILL)
    judge.stdout.close()
    [left] = temporary.iterdir()
    assert (groups_of(judge.pid) != []) == had_groups
    play(bot("player"))
    assert not left.exists()
    assert groups_of(judge.pid) == []
    if had_groups:
        assert wait_until(lambda: processes_with(word) == [])
    for pid in processes_with(word):  # of a trusted bot, which nothing but a group holds together
        os.kill(pid, signal.SIGKILL)


def test_what_belongs_to_a_judge_that_runs_stays(temporary):
    first = BotProcesses()
    BotProcesses().close()
    assert first.folder.is_dir()
    first.close()
    assert list(temporary.iterdir()) == []


def test_whose_name_it_is():
    mine = name_prefix()
    _, namespace, pid, started, _ = mine.split("-")
    assert not is_orphan(f"{mine}x")
    assert is_orphan(f"holmgang-{namespace}-{pid}-{int(started) - 1}-x")  # the number was reused
    assert is_orphan(f"holmgang-{namespace}-{2**22}-{started}-x")
    assert not is_orphan(f"holmgang-{int(namespace) + 1}-{2**22}-{started}-x")  # a container's
    assert not is_orphan("holmgang-tables")


def test_only_folders_of_this_user_are_removed(temporary):
    orphan = name_prefix().replace(f"-{os.getpid()}-", f"-{2**22}-")
    (temporary / "precious").mkdir()
    (temporary / "precious" / "file").write_text("x")
    (temporary / f"{orphan}link").symlink_to(temporary / "precious")
    (temporary / f"{orphan}mine").mkdir()
    expected = {"precious", f"{orphan}link"}
    if os.geteuid() == 0:
        (temporary / f"{orphan}theirs").mkdir()
        os.chown(temporary / f"{orphan}theirs", 65_534, 65_534)
        expected.add(f"{orphan}theirs")
    remove_orphaned_folders()
    assert {path.name for path in temporary.iterdir()} == expected
    assert (temporary / "precious" / "file").exists()


def test_judges_take_different_cores_and_give_them_back():
    before = os.sched_getaffinity(0)
    first = CpuCore()
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before)
    second = CpuCore()
    yours = os.sched_getaffinity(0)
    second.close()
    first.close()
    assert mine == before or mine & yours == set() or yours == before
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("trust", [True, pytest.param(False, marks=needs_bubblewrap)])
def test_no_file_stays_open_after_games(trust):
    def play_once():
        play(bot("player"), bot("player"), settings=replace(PATIENT, trust=trust))
        return len(list(Path("/proc/self/fd").iterdir()))

    assert play_once() == play_once()
