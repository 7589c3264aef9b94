"""`make soak-clock`: time is charged fairly while the machine is loaded to twice its cores.

Bots answer after 40 to 45 of 50 ms in many turns of fencing: none should be late, and at most 1 in
1,000 may be. Others answer after 55 ms, in the same turmoil: each has to be caught. Some of them
work all that time and some sleep; some do so in a thread or a process that they start for each
answer.

    python -m tests.soak_clock [--turns N] [--late N] [--trust] [--no-groups]
"""

import argparse
import os
import shlex
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from holmgang.arena.judge import groups
from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask, JudgeSettings

BOT = Path(__file__).parent / "arena" / "bots" / "timed_fencer.py"
PAIRS = (("work", "sleep"), ("work-thread", "work-child"), ("sleep-thread", "sleep-child"))
GOOD_MS = {"work": 45, "sleep": 45} | dict.fromkeys(
    ("work-thread", "work-child", "sleep-thread", "sleep-child"), 40
)
LATE = tuple(GOOD_MS)
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


def good_turns(turns: int, settings: JudgeSettings) -> tuple[Counter[str], Counter[str]]:
    """Answers given by bots of each habit, and those called late."""
    answers: Counter[str] = Counter()
    late: Counter[str] = Counter()
    number = 0
    while answers.total() < turns:
        habits = PAIRS[number % len(PAIRS)]
        red, blue = (command(habit, GOOD_MS[habit]) for habit in habits)
        number += 1
        [result] = play_games([GameTask(str(number), "fencing", red, blue, number, settings)])
        for habit, seat in zip(habits, (result.red, result.blue), strict=True):
            answers[habit] += len(seat.latencies_ms)
            if seat.status == "timeout":
                late[habit] += 1
                wall = seat.wall_ms[-1]
                print(f"\n  false alarm: {habit}, {seat.detail} ({wall:.1f} ms by the wall)")
            elif seat.status != "ok":
                raise SystemExit(f"a bot failed: {seat.status}, {seat.detail}")
        print(f"\r{answers.total():,} answers, {late.total()} called late", end="", flush=True)
    print()
    return answers, late


def late_games(games: int, settings: JudgeSettings) -> int:
    """How many of so many late bots were not caught at their second answer, the first with the
    usual limit.
    """
    missed = 0
    for number in range(games):
        habit = LATE[number % len(LATE)]
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
    parser.add_argument("--no-groups", action="store_true", help="as for an ordinary user")
    options = parser.parse_args()
    if options.no_groups:
        groups.ROOT = Path("/no/such/folder")
    settings = JudgeSettings(trust=options.trust, first_ms=5000, start_ms=30_000, hard_ms=30_000)
    started = time.monotonic()
    with load(2 * (os.cpu_count() or 1)):
        answers, late = good_turns(options.turns, settings)
        missed = late_games(options.late, settings)
    for habit in answers:
        print(f"{habit}, {GOOD_MS[habit]} ms: {late[habit]} of {answers[habit]:,} called late")
    print(
        f"{late.total()} of {answers.total():,} answers called late, {missed} of {options.late} "
        f"late ones missed, in {time.monotonic() - started:.0f} s"
    )
    if late.total() > answers.total() * FALSE_ALARMS or missed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
