"""Programs in other languages play a whole game in the sandbox, each in both seats.

The languages of `holmgang new-bot` are tested with their starters, in `workshop/test_new_bot.py`.
"""

import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from tests.arena.stage import needs_bubblewrap

from holmgang.arena.judge import sandbox
from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask, JudgeSettings

pytestmark = needs_bubblewrap

PATIENT = JudgeSettings(first_ms=30_000, turn_ms=5_000, hard_ms=60_000)  # not a test of speed

C_SHARP = """
using System;
using System.Threading;

class Player
{
    static void Main()
    {
        while (Console.ReadLine() != null)
        {
            string other = Console.ReadLine(), answer = null;
            var thinking = new Thread(() => { answer = other == "" ? "BREAK" : "WALK"; });
            thinking.Priority = ThreadPriority.Highest;
            thinking.Start();
            thinking.Join();
            Console.WriteLine(answer);
        }
    }
}
"""
NEWEST_DOTNET = """
{"runtimeOptions": {
  "framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"},
  "rollForward": "LatestMajor",
  "configProperties": {"System.Globalization.Invariant": true}
}}
"""

JAVASCRIPT = """
// as CodinGame's stub for JavaScript
while (true) {
    var inputs = readline().split(' ');
    const myPosition = parseInt(inputs[0]);
    inputs = readline().split(' ');
    const otherPosition = parseInt(inputs[0]);
    printErr('positions', myPosition, otherPosition);
    print(inputs.length === 12 && myPosition < otherPosition ? 'WALK' : 'BREAK');
}
"""


class Runtime(NamedTuple):
    command: str
    files: dict[str, str]
    build: str = ""


RUNTIMES = {
    "mono": Runtime(
        "mono player.exe", {"player.cs": C_SHARP}, build="mcs -out:player.exe player.cs"
    ),
    "dotnet": Runtime(
        "dotnet player.dll",
        {"player.cs": C_SHARP, "player.runtimeconfig.json": NEWEST_DOTNET},
        build="mcs -out:player.dll player.cs",
    ),
    "node": Runtime("node bot.js", {"bot.js": JAVASCRIPT}),
    "php": Runtime(
        "php bot.php",
        {
            "bot.php": "<?php while (fgets(STDIN) !== false)"
            ' { echo ctype_digit(fgets(STDIN)[0]) ? "WALK\\n" : "BREAK\\n"; }'
        },
    ),
    "ruby": Runtime(
        "ruby bot.rb",
        {
            "bot.rb": "$stdout.sync = true\n"
            'while gets\n gets\n puts Thread.new { "WALK" }.value\nend'
        },
    ),
    "lua5.4": Runtime(
        "lua5.4 bot.lua",
        {"bot.lua": 'while io.read() do io.read() print("WALK") io.flush() end'},
    ),
    "perl": Runtime(
        "perl bot.pl",
        {"bot.pl": 'use strict; $| = 1; while (<STDIN>) { <STDIN>; print "WALK\\n"; }'},
    ),
    "pypy3": Runtime(
        "pypy3 bot.py",
        {"bot.py": "import sys\nfor _ in sys.stdin:\n    input()\n    print('WALK', flush=True)"},
    ),
    "guile": Runtime(
        "guile --no-auto-compile bot.scm",
        {
            "bot.scm": "(use-modules (ice-9 rdelim)) (let loop () (unless (eof-object? (read-line))"
            ' (read-line) (display "WALK\\n") (force-output) (loop)))'
        },
    ),
    "ocaml": Runtime(
        "ocaml bot.ml",
        {
            "bot.ml": "let () = try while true do ignore (read_line ()); ignore (read_line ());"
            ' print_endline "WALK" done with End_of_file -> ()'
        },
    ),
    "sbcl": Runtime(  # by default its heap is as large as the memory limit
        "sbcl --dynamic-space-size 512 --script bot.lisp",
        {
            "bot.lisp": "(loop while (read-line *standard-input* nil)"
            ' do (read-line *standard-input* nil) (format t "WALK~%") (finish-output))'
        },
    ),
}


@pytest.fixture
def made(tmp_path):
    """Gives the folder of a bot that is ready to play, or skips and says what is missing."""
    return partial(make, tmp_path)


def make(folder: Path, name: str) -> str:
    command, files, build = RUNTIMES[name]
    for tool in filter(None, (name, build.partition(" ")[0])):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed: apt install it to try bots that run on it")
    for file, text in files.items():
        (folder / file).write_text(text)
    if build:
        subprocess.run(build.split(), cwd=folder, check=True)
    (folder / "bot.toml").write_text(f'command = "{command}"\nprotocol = "codingame"\n')
    return str(folder)


@pytest.mark.parametrize("name", RUNTIMES)
def test_a_bot_plays_in_the_sandbox(name, made):
    bot = made(name)
    seats = [(bot, "random"), ("random", bot)]
    tasks = [GameTask("game", "fencing", *each, seed=1, settings=PATIENT) for each in seats]
    for result in play_games(tasks):
        assert (result.red.status, result.blue.status) == ("ok", "ok"), result
        assert result.rounds > 1


def test_javascript_has_the_functions_of_codingame_without_a_sandbox_too(made, monkeypatch):
    monkeypatch.setenv("NODE_OPTIONS", "--no-warnings")
    task = GameTask("game", "fencing", made("node"), "random", 1, replace(PATIENT, trust=True))
    [result] = play_games([task])
    assert result.red.status == "ok", result.red


READLINE_BESIDE_STDIN = """
process.stdin.resume();  // from now on, the pipe does not wait
process.stdin.pause();
process.stdout.write(readline() + "," + readline() + "\\n");
setTimeout(() => { print(readline(), typeof readline()); print("not reached"); });
"""


def test_readline_waits_for_whole_lines_and_ends_with_the_input(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed: apt install nodejs")
    (tmp_path / "bot.js").write_text(READLINE_BESIDE_STDIN)
    command = ["node", "--require", sandbox.CODINGAME, tmp_path / "bot.js"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as node:
        for part in (b"on", "e \u00e9\r\ntw".encode(), b"o\n"):
            node.stdin.write(part)
            node.stdin.flush()
        assert node.stdout.readline() == "one \u00e9,two\n".encode()
        node.stdin.write(b"three\n")
        node.stdin.close()
        assert node.stdout.read() == b""
    assert node.returncode == 0


def test_a_dotnet_at_home_is_shown_with_what_lies_beside_it(tmp_path):
    """Microsoft's script installs it to ~/.dotnet, without a folder `bin`."""
    (tmp_path / "host" / "fxr").mkdir(parents=True)
    assert sandbox.root_of(tmp_path / "dotnet") == tmp_path
    assert sandbox.root_of(tmp_path / "other") == Path(tmp_path / "other")
