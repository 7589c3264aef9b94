"""`make soak-clock`: time is charged fairly while the machine is loaded to twice its cores.

Two bots answer after 45 of 50 ms in many turns of fencing: none should be late, and at most 1 in
1,000 may be. Others answer after 55 ms, in the same turmoil: each has to be caught. Half of the
bots work all that time, half of them sleep.

    python -m tests.soak_clock [--turns N] [--late N] [--trust]
"""

import argparse
import os
import shlex
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask, Settings

BOT = Path(__file__).parent / "arena" / "bots" / "timed_fencer.py"
FALSE_ALARMS = 1 / 1000


@contextmanager
def load(programs: int):
    """So many programs that never sleep, on any core."""
    burners = [
        subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(programs)
    ]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def command(habit: str, ms: float) -> str:
    return shlex.join([sys.executable, str(BOT), f"{habit}={ms}"])


def good_turns(turns: int, settings: Settings) -> tuple[int, int, list[float], list[float]]:
    """Answers given, those called late, and what they were charged and took by the wall."""
    answers, late, charged, wall = 0, 0, [], []
    number = 0
    while answers < turns:
        number += 1
        task = GameTask(
            str(number), "fencing", command("work", 45), command("sleep", 45), number, settings
        )
        [result] = play_games([task])
        for seat in (result.red, result.blue):
            answers += len(seat.latencies_ms)
            charged += seat.latencies_ms[1:]
            wall += seat.wall_ms[1:]
            if seat.status == "timeout":
                late += 1
                print(f"\n  false alarm: {seat.detail} ({seat.wall_ms[-1]:.1f} ms by the wall)")
            elif seat.status != "ok":
                raise SystemExit(f"a bot failed: {seat.status}, {seat.detail}")
        print(f"\r{answers:,} answers, {late} called late", end="", flush=True)
    print()
    return answers, late, charged, wall


def late_games(games: int, settings: Settings) -> int:
    """How many of so many late bots were not caught at their second answer, the first with the
    usual limit.
    """
    missed = 0
    for number in range(games):
        habit = ("work", "sleep")[number % 2]
        task = GameTask(
            str(number), "fencing", command(habit, 55), command("sleep", 0), number, settings
        )
        [result] = play_games([task])
        if (result.red.status, result.rounds) != ("timeout", 1):
            missed += 1
            print(f"\n  missed: {habit}, {result.red.status} in round {result.rounds + 1}")
        print(f"\r{number + 1:,} late bots, {missed} missed", end="", flush=True)
    print()
    return missed


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak_clock")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--late", type=int, default=200)
    parser.add_argument("--trust", action="store_true")
    options = parser.parse_args()
    settings = Settings(trust=options.trust, first_ms=5000, start_ms=30_000, hard_ms=30_000)
    started = time.monotonic()
    with load(2 * (os.cpu_count() or 1)):
        answers, late, charged, wall = good_turns(options.turns, settings)
        missed = late_games(options.late, settings)
    charged.sort()
    wall.sort()
    print(
        f"charged: median {charged[len(charged) // 2]:.1f} ms, most {charged[-1]:.1f} ms; "
        f"by the wall: median {wall[len(wall) // 2]:.1f} ms, most {wall[-1]:.1f} ms\n"
        f"{late} of {answers:,} answers called late, {missed} of {options.late} late ones missed, "
        f"in {time.monotonic() - started:.0f} s"
    )
    if late > answers * FALSE_ALARMS or missed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
