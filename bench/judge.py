"""What the judge costs: turns through all of it, against a bare loop of lines there and back.

    python -m bench.judge [--repeats N]

The bare loop sends a line of the same size to the same program, on the same one core, and reads the
answer: no rules, no clock, no record, no limit of time. It is run with one bot, and with two in
turn, as a game has them. The second is the fair yardstick: whoever asks two programs by turns
finds the core's caches full of the other one, judge or not.

Judge and bots share a core, so on a machine that has nothing else to do a turn takes the processor
time of all of them; that is compared first, then the time on the wall. What is told is the median
of the ratios of runs that followed each other. A run begins when the bots have started and played
`WARM` games, or turns. Records go to memory, where there is a folder for that: the disk is not the
judge's.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from holmgang.arena.clock import parse_schedstat, threads_below
from holmgang.arena.process import Core
from holmgang.arena.referee import play_games
from holmgang.arena.task import GameResult, GameTask, Settings

BOTS = Path(__file__).with_name("bots")
MEMORY = "/dev/shm"  # noqa: S108 - a folder with a name of its own is made there
RULESET = "bagh"
WARM = 20
GAMES = 1000
TURNS = 20_000
REQUEST = (
    b'{"type":"choose","ruleset":"bagh","seat":"red","id":%d,"round":7,"state":{"blue":{"boost":0,'
    b'"hp":3,"priority":0,"shield_damage":0},"red":{"boost":2,"hp":3,"priority":0,'
    b'"shield_damage":0}},"choices":["boost","attack","guard","heal"],"last":{"red":"boost",'
    b'"blue":"heal","chance":{"red_mends":null,"blue_mends":null}},"time_ms":50,'
    b'"latency_ms":0.021}\n'
)


class Moment(NamedTuple):
    """Seconds so far."""

    cpu: float
    """Of this process and of all below it that still run."""
    wall: float


class Cost(NamedTuple):
    """Seconds a turn."""

    cpu: float
    wall: float


def now() -> Moment:
    spent = 0
    for pid, tid in threads_below(os.getpid(), 0):
        spent += parse_schedstat(Path(f"/proc/{pid}/task/{tid}/schedstat").read_bytes()).cpu
    return Moment(spent / 1e9, time.perf_counter())


def cost(since: Moment, turns: int) -> Cost:
    return Cost(*((after - before) / turns for before, after in zip(since, now(), strict=True)))


def bare(command: list[str], bots: int) -> Cost:
    """Lines to so many bots in turn, and back."""
    core = Core()
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(bots)
    ]
    pipes = [(bot.stdin.fileno(), bot.stdout.fileno()) for bot in running]
    there_and_back(pipes, WARM)
    before = now()
    there_and_back(pipes, TURNS)
    taken = cost(before, TURNS)
    for bot in running:
        bot.communicate()
    core.close()
    return taken


def there_and_back(pipes: list[tuple[int, int]], turns: int) -> None:
    for id_ in range(1, turns + 1):
        to_bot, from_bot = pipes[id_ % len(pipes)]
        os.write(to_bot, REQUEST % id_)
        os.read(from_bot, 65_536)


def judged(command: list[str], folder: str, *, trust: bool) -> Cost:
    """Whole games: rules, clock, records and all."""
    settings = Settings(trust=trust, records=folder)
    text = " ".join(command)
    tasks = [GameTask(f"game-{n}", RULESET, text, text, n, settings) for n in range(WARM + GAMES)]
    results = play_games(tasks)
    turns_of(results, WARM)
    before = now()
    taken = cost(before, turns_of(results, GAMES))
    results.close()
    return taken


def turns_of(results: Iterator[GameResult], games: int) -> int:
    turns = 0
    for _ in range(games):
        red, blue = (result := next(results)).red, result.blue
        if red.status != "ok" or blue.status != "ok":
            raise SystemExit(f"a bot failed: {red.detail} {blue.detail}")
        turns += len(red.latencies_ms) + len(blue.latencies_ms)
    return turns


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.judge")
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    memory = MEMORY if Path(MEMORY).is_dir() else None
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory(dir=memory) as records,
    ):
        Path(folder).chmod(0o755)
        program = Path(folder, "bot", "first")
        program.parent.mkdir()
        subprocess.run(["gcc", "-O2", "-o", program, BOTS / "first.c"], check=True)
        python, c = [sys.executable, str(BOTS / "first.py")], [str(program)]
        runs = {
            "python, bare, 1 bot": lambda: bare(python, 1),
            "python, bare, 2 bots": lambda: bare(python, 2),
            "python, judged": lambda: judged(python, records, trust=True),
            "c, bare, 1 bot": lambda: bare(c, 1),
            "c, bare, 2 bots": lambda: bare(c, 2),
            "c, judged in the sandbox": lambda: judged(c, records, trust=False),
        }
        costs = {name: [] for name in runs}
        for _ in range(repeats):
            for name, run in runs.items():
                costs[name].append(run())
    print(f"{'turns a second':27}{'by cpu':>9}{'by wall':>9}")
    for name, taken in costs.items():
        by_cpu, by_wall = (
            median(1 / seconds for seconds in column) for column in zip(*taken, strict=True)
        )
        print(f"{name:27}{by_cpu:9,.0f}{by_wall:9,.0f}")
    print()
    print(f"{'ratio of turns a second':55}{'by cpu':>7}{'by wall':>8}")
    for name, yardsticks in {
        "python, judged": ["python, bare, 2 bots", "python, bare, 1 bot"],
        "c, judged in the sandbox": [
            "c, bare, 2 bots",
            "c, bare, 1 bot",
            "python, bare, 2 bots",
            "python, bare, 1 bot",
        ],
    }.items():
        for yardstick in yardsticks:
            by_cpu, by_wall = ratio(costs[name], costs[yardstick])
            print(f"{name + ' : ' + yardstick:55}{by_cpu:7.2f}{by_wall:8.2f}")


def ratio(ours: list[Cost], theirs: list[Cost]) -> Cost:
    """How many of their turns one of ours is worth."""
    pairs = list(zip(ours, theirs, strict=True))
    return Cost(
        median(their.cpu / our.cpu for our, their in pairs),
        median(their.wall / our.wall for our, their in pairs),
    )


if __name__ == "__main__":
    main()
