"""What the judge costs: turns through all of it, against a bare loop of lines there and back.

    python -m bench.judge [--repeats N]

The bare loop sends the same kind of line to the same bot, on the same one core, and reads the
answer: no rules, no clock, no record, no limit of time. It is run with one bot, and with two in
turn, as a game has them: three programs share the caches less well than two.

Judge and bots share a core, so on a machine that has nothing else to do a turn takes the processor
time of all of them; that is what is compared, as medians of interleaved runs. To leave out the
start, a short run is taken from a long one.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from typing import NamedTuple

from holmgang.arena.process import Core
from holmgang.arena.referee import play_games
from holmgang.arena.task import GameTask, Settings

BOTS = Path(__file__).with_name("bots")
RULESET = "bagh"
GAMES = 120
TURNS = 8_000
REQUEST = (
    b'{"type":"choose","ruleset":"bagh","seat":"red","id":%d,"round":7,"state":{"blue":{"boost":0,'
    b'"hp":3,"priority":0,"shield_damage":0},"red":{"boost":2,"hp":3,"priority":0,'
    b'"shield_damage":0}},"choices":["boost","attack","guard","heal"],"last":{"red":"boost",'
    b'"blue":"heal","chance":{"red_mends":null,"blue_mends":null}},"time_ms":50,'
    b'"latency_ms":0.021}\n'
)


class Cost(NamedTuple):
    turns: int
    cpu: float
    wall: float

    def beyond(self, start: "Cost") -> "Cost":
        return Cost(*(mine - other for mine, other in zip(self, start, strict=True)))


def bare(command: list[str], turns: int, bots: int) -> Cost:
    """Lines to so many bots in turn, and back."""
    core, before = Core(), now()
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(bots)
    ]
    pipes = [(bot.stdin.fileno(), bot.stdout.fileno()) for bot in running]
    for id_ in range(1, turns + 1):
        to_bot, from_bot = pipes[id_ % bots]
        os.write(to_bot, REQUEST % id_)
        os.read(from_bot, 65_536)
    for bot in running:
        bot.communicate()
    core.close()
    return Cost(turns, *(after - then for after, then in zip(now(), before, strict=True)))


def judged(command: list[str], folder: str, games: int, *, trust: bool) -> Cost:
    """Whole games: rules, clock, records and all."""
    settings = Settings(trust=trust, records=folder)
    text = " ".join(command)
    tasks = [GameTask(f"game-{n}", RULESET, text, text, n, settings) for n in range(games)]
    turns, before = 0, now()
    for result in play_games(tasks):
        turns += len(result.red.latencies_ms) + len(result.blue.latencies_ms)
        if result.red.status != "ok" or result.blue.status != "ok":
            raise SystemExit(f"a bot failed: {result.red.detail} {result.blue.detail}")
    return Cost(turns, *(after - then for after, then in zip(now(), before, strict=True)))


def now() -> tuple[float, float]:
    """Processor time of this process and of those it has waited for, and time on the wall."""
    used = sum(
        usage.ru_utime + usage.ru_stime for usage in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
    )
    return used, time.perf_counter()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.judge")
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        program = Path(folder, "bot", "first")
        program.parent.mkdir()
        subprocess.run(["gcc", "-O2", "-o", program, BOTS / "first.c"], check=True)
        contenders = {
            "python, trusted": ([sys.executable, str(BOTS / "first.py")], True),
            "c, in the sandbox": ([str(program)], False),
        }
        for name, (command, trust) in contenders.items():
            games, loops = [], {1: [], 2: []}
            for _ in range(repeats):
                for bots, costs in loops.items():
                    costs.append(bare(command, TURNS, bots).beyond(bare(command, bots, bots)))
                records = tempfile.mkdtemp(dir=folder)
                short = judged(command, records, 1, trust=trust)
                games.append(judged(command, records, GAMES, trust=trust).beyond(short))
            print(f"{name}: {tell(games)} judged")
            for bots, costs in loops.items():
                pairs = zip(games, costs, strict=True)
                ratio = median(rate(game) / rate(loop) for game, loop in pairs)
                print(f"    ratio {ratio:.2f} to {tell(costs)} bare, with bots: {bots}")


def rate(cost: Cost) -> float:
    """Turns a second of processor time."""
    return cost.turns / cost.cpu


def tell(costs: list[Cost]) -> str:
    by_wall = median(cost.turns / cost.wall for cost in costs)
    return f"{median(map(rate, costs)):,.0f} turns/cpu-s ({by_wall:,.0f} by the wall)"


if __name__ == "__main__":
    main()
