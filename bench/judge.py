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

from holmgang.arena.judge.clock import parse_schedstat, threads_below
from holmgang.arena.judge.process import CpuCore
from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameResult, GameTask, JudgeSettings

BOTS = Path(__file__).with_name("bots")
MEMORY = "/dev/shm"  # noqa: S108 - a folder with a name of its own is made there
RULESET = "bagh"
WARM = 20
GAMES = 1000
TURNS = 20_000
PAIRS = (
    ("Python, judged", "Python, bare, two in turn", "0.5"),
    ("Python, judged", "Python, bare, one", ""),
    ("C, judged, in the sandbox", "Python, bare, two in turn", "0.4"),
    ("C, judged, in the sandbox", "Python, bare, one", ""),
    ("C, judged, in the sandbox", "C, bare, two in turn", "0.4"),
    ("C, judged, in the sandbox", "C, bare, one", ""),
)
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
    core = CpuCore()
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
    settings = JudgeSettings(trust=trust, records=folder)
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


def section(repeats: int) -> list[str]:
    """What bench/RESULTS.md says of the judge."""
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
            "Python, bare, two in turn": lambda: bare(python, 2),
            "Python, bare, one": lambda: bare(python, 1),
            "Python, judged": lambda: judged(python, records, trust=True),
            "C, bare, two in turn": lambda: bare(c, 2),
            "C, bare, one": lambda: bare(c, 1),
            "C, judged, in the sandbox": lambda: judged(c, records, trust=False),
        }
        costs: dict[str, list[Cost]] = {name: [] for name in runs}
        for number in range(repeats):
            for name, run in runs.items():
                sys.stderr.write(f"judge: run {number + 1} of {repeats}, {name}\n")
                costs[name].append(run())
    ratios = [
        [name, yardstick, *(f"{each:.2f}" for each in ratio(costs[name], costs[yardstick])), wanted]
        for name, yardstick, wanted in PAIRS
    ]
    rates = [
        [name, *(f"{median(1 / seconds for seconds in column):,.0f}" for column in columns)]
        for name, columns in ((name, zip(*taken, strict=True)) for name, taken in costs.items())
    ]
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return [
        "## The judge",
        "",
        f"Turns a second through the whole judge, of {GAMES:,} games of {RULESET} with records,",
        "against a bare loop of lines there and back (`python -m bench.judge`). A game has two",
        "bots, so the loop with two in turn is the fair yardstick. Load of the machine meanwhile",
        f"(1, 5, 15 minutes): {load}.",
        "",
        *table(["bot", "yardstick", "by CPU time", "by the wall", "wanted"], ratios),
        *table(["turns a second", "by CPU time", "by the wall"], rates),
    ]


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def ratio(ours: list[Cost], theirs: list[Cost]) -> Cost:
    """How many of their turns one of ours is worth."""
    pairs = list(zip(ours, theirs, strict=True))
    return Cost(
        median(their.cpu / our.cpu for our, their in pairs),
        median(their.wall / our.wall for our, their in pairs),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.judge")
    parser.add_argument("--repeats", type=int, default=5)
    print("\n".join(section(parser.parse_args().repeats)))


if __name__ == "__main__":
    main()
