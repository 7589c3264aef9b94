"""Hostile bots, contained: each loses or plays on, the other side is not hurt, nothing is left."""

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir

import pytest
from tests.arena.stage import BOTS, bot, groups_of, mark, needs_bubblewrap, play, processes_with

import holmgang
from holmgang.arena.judge import sandbox
from holmgang.arena.judge.referee import play_games
from holmgang.arena.judge.seccomp import ABSENT, DEPENDS, IGNORED, MACHINES, filter_program
from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.errors import UsageError

SHORT = "bagh:start_hp=2"


pytestmark = needs_bubblewrap


def settings_in(folder: Path, **limits) -> JudgeSettings:
    limits = {"first_ms": 1500, "turn_ms": 200, "start_ms": 20_000, **limits}
    return JudgeSettings(records=str(folder), **limits)


def hostile(folder: Path, deed: str, *arguments: str, **limits):
    """The result of a game against a bot that does this, and what it said of it."""
    word = mark()
    settings = settings_in(folder, **limits)
    result = play(bot("hostile", deed, *arguments, word), ruleset=SHORT, settings=settings)
    assert processes_with(word) == []
    assert result.blue.status == "ok"
    said = folder / "game.red.stderr.txt"
    return result, said.read_text(errors="replace") if said.exists() else ""


LOSING = {
    "fork_bomb": ("timeout",),
    "memory_bomb": ("crash",),
    "many_memory_bombs": ("crash", "timeout"),
    "long_line": ("invalid",),
    "many_lines": ("invalid",),
    "close_output": ("timeout",),  # the sandbox holds the other end open; without, it is a crash
    "sleep_long": ("timeout",),
    "stop_itself": ("timeout",),
    "never_read": ("timeout",),
}


@pytest.mark.parametrize("deed", LOSING)
def test_who_does_this_loses(deed, tmp_path):
    limits = {"first_ms": 500, "hard_ms": 60_000, "memory_mb": 128}
    result, _ = hostile(tmp_path, deed, **limits)
    assert result.red.status in LOSING[deed], result.red
    assert (result.winner, result.rounds) == ("blue", 0)


REFUSED = {
    "network": 4,
    "trace": 9,
    "escape": 8,
    "shared_memory_bomb": 3,
    "file_flood": 2,
}


@pytest.mark.parametrize("deed", REFUSED)
def test_who_tries_this_is_refused_and_plays_on(deed, tmp_path):
    result, said = hostile(tmp_path, deed)
    assert "DONE" not in said
    assert said.count("refused") == REFUSED[deed], said
    assert result.red.status == "ok", result.red


def test_calls_are_answered_as_on_a_machine_without_rights(tmp_path):
    """Mono prints a warning to standard output if the ordinary policy cannot be set, and glibc uses
    `clone` if `clone3` seems to be missing.
    """
    column, _ = MACHINES[platform.machine()]
    policy, pipe = (DEPENDS[name][column] for name in ("sched_setscheduler", "mknodat"))
    expected = {
        f"ordinary={policy},0,0,zeros": "done",
        f"batch={policy},0,3,zeros": "done",
        f"idle={policy},0,5,zeros": "done",
        f"real-time={policy},0,1,zeros": "EPERM",
        f"deadline={policy},0,6,zeros": "EPERM",
        f"affinity={IGNORED['sched_setaffinity'][column]},0,8,zeros": "done",
        f"clone3={ABSENT['clone3'][column]},0,0": "ENOSYS",
        "fchmodat2=452,0,0,0,0": "ENOSYS",
        "io_uring_setup=425,0,0": "EPERM",
        f"device={pipe},-100,0,{0o60600},0": "EPERM",
        f"file={pipe},-100,0,{0o100600},0": "EPERM",
        f"pipe={pipe},-100,0,{0o10600},0": "EFAULT",  # by the kernel: it has no name
    }
    result, said = hostile(tmp_path, "answers", *expected)
    assert result.red.status == "ok", result.red
    told = dict(line.split() for line in said.splitlines())
    assert told == {call.partition("=")[0]: answer for call, answer in expected.items()}


def test_there_is_no_network(tmp_path):
    _, said = hostile(tmp_path, "network")
    assert "interfaces []" in said or "interfaces ['lo']" in said


def test_a_bot_is_nobody(tmp_path):
    _, said = hostile(tmp_path, "escape")
    assert "user 1000 groups" in said


def test_files_can_be_written_nowhere_but_to_tmp(tmp_path):
    result, said = hostile(tmp_path, "write_files", str(BOTS))
    assert said.count("refused") == 6, said
    assert result.red.status == "ok"
    assert not (BOTS / "mine").exists()


def test_the_judge_cannot_be_signalled(tmp_path):
    result, said = hostile(tmp_path, "signals", str(os.getpid()))
    assert "DONE" not in said
    assert int(said.split()[-1]) < 100  # in a space of numbers of its own
    assert result.red.status == "ok"


def test_other_files_cannot_be_read(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "bot.py").write_text("a secret")
    secrets = [str(other / "bot.py"), "/etc/passwd", "/etc/shadow", f"/proc/{os.getpid()}/environ"]
    _, said = hostile(tmp_path, "read_files", *secrets)
    assert said.count("refused") == 4, said
    shown = said.partition("home ")[2]
    python = Path(sys.executable)  # of which a folder at home may be shown
    runtime = {*python.parts, *python.resolve().parts}
    assert all(name in runtime for name in re.findall(r"'(.*?)'", shown)), shown


def test_more_answers_than_requests_are_dropped(tmp_path):
    result, _ = hostile(tmp_path, "double_answer")
    assert (result.red.status, result.red.dropped) == ("ok", 2)


def test_standard_error_is_bounded(tmp_path):
    result, said = hostile(tmp_path, "stderr_flood", first_ms=5000)
    assert result.red.status == "ok"
    assert len(said) <= 65_536


# Bots that mean no harm


def test_a_bot_in_a_folder_of_its_own_runs_in_the_sandbox(tmp_path):
    folder = tmp_path / "egil"
    folder.mkdir(mode=0o700)
    shutil.copy(BOTS / "player.py", folder)
    (folder / "bot.toml").write_text(f'command = "{sys.executable} player.py"\n')
    result = play(str(folder), ruleset=SHORT, settings=settings_in(tmp_path))
    assert result.red.status == "ok", result.red


def test_a_bot_in_our_own_python_may_think_with_our_rules(tmp_path):
    folder = tmp_path / "thinker"
    folder.mkdir(mode=0o755)
    source = str(Path(holmgang.__file__).parents[1])  # where an editable install points to
    program = (
        f"import sys; sys.path.insert(0, {source!r})\n"
        "import holmgang; holmgang.load('bagh')\n" + (BOTS / "player.py").read_text()
    )
    (folder / "bot.py").write_text(program)
    command = shlex.join([sys.executable, str(folder / "bot.py")])
    result = play(command, ruleset=SHORT, settings=settings_in(tmp_path / "records"))
    assert result.red.status == "ok", result.red


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed: apt install gcc")
def test_a_program_without_an_interpreter(tmp_path):
    source = Path(__file__).parents[3] / "bench" / "bots" / "first.c"
    (tmp_path / "bot").mkdir()
    subprocess.run([shutil.which("gcc"), "-o", tmp_path / "bot" / "first", source], check=True)
    command = shlex.quote(str(tmp_path / "bot" / "first"))
    assert play(command, ruleset=SHORT, settings=settings_in(tmp_path)).red.status == "ok"


NODE = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello")
    console.log(JSON.stringify({ name: "node", author: "tests", protocol: 1 }));
  else if (message.type === "choose")
    console.log(JSON.stringify({ id: message.id, choice: message.choices[message.id % 2] }));
});
"""


@pytest.mark.skipif(
    shutil.which("node") is None, reason="Node is not installed: apt install nodejs"
)
def test_node_runs_in_the_sandbox(tmp_path):
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.js").write_text(NODE)
    command = shlex.join(["node", str(tmp_path / "bot" / "bot.js")])
    result = play(command, ruleset=SHORT, settings=settings_in(tmp_path, first_ms=5000))
    assert result.red.status == "ok", result.red


def test_nothing_is_left_of_a_sandbox(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "records").mkdir()
    play(bot("player"), ruleset=SHORT, settings=settings_in(tmp_path / "records"))
    assert [path.name for path in tmp_path.iterdir()] == ["records"]
    assert groups_of(os.getpid()) == []


# Refusals


def test_without_bubblewrap_bots_are_refused_with_advice(monkeypatch, tmp_path):
    sandbox.check_bubblewrap.cache_clear()
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    with pytest.raises(UsageError, match=r"apt install bubblewrap .* --trust"):
        sandbox.check_bubblewrap()
    monkeypatch.undo()
    sandbox.check_bubblewrap.cache_clear()


@pytest.mark.parametrize("folder", ["/", gettempdir(), str(Path.home()), str(Path.home().parent)])
def test_a_folder_that_holds_more_than_a_bot_is_refused(folder):
    assert sandbox.is_too_much(Path(folder))


def test_a_folder_that_is_closed_and_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "LARGEST_COPY", 10)
    (tmp_path / "book").write_text("x" * 100)
    tmp_path.chmod(0o700)
    with pytest.raises(UsageError, match=r"chmod -R a\+rX"):
        sandbox.is_open_to_all(tmp_path)


def test_the_filter_is_a_whole_number_of_instructions():
    assert len(filter_program()) % 8 == 0
    assert len(filter_program()) < 8 * 4096  # the kernel takes no more


# The seed


SPY = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"name": "spy", "author": "tests", "protocol": 1}), flush=True)
    elif message["type"] == "choose":
        for place, folders, names in os.walk("."):
            for name in (*folders, *names):
                print(os.path.join(place, name), file=sys.stderr, flush=True)
        print(json.dumps({"id": message["id"], "choice": "attack"}), flush=True)
"""


def test_a_bot_does_not_see_what_its_own_run_keeps(tmp_path):
    """Not even within its folder, where it lies for `python3 bot.py` and `--out cup`."""
    folder = tmp_path / "bot"
    (folder / "cup" / "records").mkdir(parents=True)
    (folder / "cup" / "tournament.json").write_text('{"seed": 4711}')
    (folder / "notes.txt").write_text("its own")
    (folder / "bot.py").write_text(SPY)
    (folder / "bot.toml").write_text('command = "python3 bot.py"')
    settings = settings_in(folder / "cup" / "records")
    task = GameTask("game", SHORT, str(folder), "random", 1, settings, folder=str(folder / "cup"))
    [result] = play_games([task])
    assert result.red.status == "ok", result.red
    seen = (folder / "cup" / "records" / "game.red.stderr.txt").read_text().splitlines()
    assert set(seen) == {"./cup", "./notes.txt", "./bot.py", "./bot.toml"}


def test_a_run_is_not_kept_in_a_bots_own_folder(tmp_path):
    (tmp_path / "bot.py").write_text(SPY)
    (tmp_path / "bot.toml").write_text('command = "python3 bot.py"')
    with pytest.raises(UsageError, match="could read the seed"):
        play(str(tmp_path), ruleset=SHORT, settings=settings_in(tmp_path))


def test_records_are_hidden_beside_the_program_of_a_bot_too(tmp_path, monkeypatch):
    """A program from elsewhere is shown with the folder that it was installed to."""
    program, records = tmp_path / "tool" / "bin" / "spying", tmp_path / "tool" / "records"
    program.parent.mkdir(parents=True)
    records.mkdir()
    program.write_text(f'#!/bin/sh\necho it sees "$(ls {records})" >&2\nexit 1\n')
    program.chmod(0o755)
    (records / "seed77").touch()
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    result = play("spying", settings=settings_in(records))
    assert (result.red.status, result.red.detail) == (
        "crash",
        "it ended with exit code 1: it sees",
    )
