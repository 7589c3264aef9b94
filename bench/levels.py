"""Which level beats which: `python -m bench.levels` measures it and writes bench/LEVELS.md.

For every ruleset: greedy against random, search against greedy, and all of them against perfect,
from both seats, with intervals of 95 % confidence; and how late the answers of a search are while
two other processes keep the machine busy. Tables that are missing are built first, where that can
be done. With `--json` it prints the figures instead of writing the file.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bench.contest import (
    Interval,
    Level,
    Worth,
    at_random,
    contest,
    interval,
    looking,
    perfect,
    seat_gains,
    thinking,
    worth_of,
)
from holmgang.arena.judge.clock import parse_schedstat
from holmgang.errors import HolmgangError
from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.search.dispatch import search, takes_turns
from holmgang.solver.tables import build_by_the_way, find_table

RULESETS = (
    "bagh",
    "bagh-advantage",
    "defend-the-city",
    "defend-the-city-duel",
    "fencing:league=1",
    "fencing:league=2",
    "fencing",
    "magic-duel",
)
PAIRS = (
    ("greedy", "random"),
    ("search", "greedy"),
    ("random", "perfect"),
    ("greedy", "perfect"),
    ("search", "perfect"),
)
OPENING = 8  # rounds by chance before a duel in which nothing else is left to it
FEWEST = 5  # pairs of duels
BUSY = 2  # processes beside a search that is timed
ANSWERS = 40
BUDGET_MS = 50.0
FILE = Path(__file__).with_name("LEVELS.md")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.levels")
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--seconds", type=float, default=60, help="for a pair of levels")
    parser.add_argument("--search-ms", type=float, default=20, help="for a choice of search")
    parser.add_argument(
        "--perfect-ms", type=float, default=1000, help="for a choice of perfect without a table"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        figures = measured(options)
    except (HolmgangError, KeyboardInterrupt) as error:
        raise SystemExit(str(error) or "stopped") from None
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        FILE.write_text(report(figures), encoding="utf-8")
        tell(f"written: {FILE.name}")


def tell(said: str) -> None:
    print(said, file=sys.stderr, flush=True)


def measured(options: argparse.Namespace) -> dict[str, Any]:
    rows = []
    for text in options.rulesets:
        ruleset = load(text)
        tell(f"{text}: getting ready")
        search(ruleset, ruleset.initial(), depth=1)
        build_by_the_way(ruleset)
        levels = levels_of(ruleset, options.search_ms, options.perfect_ms)
        for first, second in PAIRS:
            row = {"ruleset": text, "first": first, "second": second}
            worth = None if "random" in (first, second) else worth_of(ruleset)
            row |= against(ruleset, levels[first], levels[second], worth, options.seconds)
            rows.append(row)
            tell(f"{text}: {first} v {second} {shown(row['both'])}")
    with busy():
        late = {text: lateness(load(text)) for text in options.rulesets}
    return {
        "commit": said("git", "rev-parse", "--short", "HEAD"),
        "date": datetime.now(UTC).date().isoformat(),
        "arguments": " ".join(sys.argv[1:]),
        "search_ms": options.search_ms,
        "perfect_ms": options.perfect_ms,
        "tables": [text for text in options.rulesets if find_table(load(text)) is not None],
        "results": rows,
        "lateness_ms": late,
    }


def said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


# Who beats whom


def levels_of(ruleset: Ruleset, search_ms: float, perfect_ms: float) -> dict[str, Level]:
    table = find_table(ruleset)
    return {
        "random": at_random(ruleset),
        "greedy": looking(ruleset, 1),
        "search": thinking(ruleset, search_ms),
        "perfect": thinking(ruleset, perfect_ms) if table is None else perfect(table),
    }


def against(
    ruleset: Ruleset, first: Level, second: Level, worth: Worth | None, seconds: float
) -> dict[str, Any]:
    """What the first gets against the second; where the seats are not equal, beyond what the second
    gets against itself.
    """
    if takes_turns(ruleset):
        duels = contest(ruleset, first, second, worth, opening=OPENING)
    elif ruleset.is_symmetric:
        duels = contest(ruleset, first, second, worth)
    else:
        duels = seat_gains(ruleset, first, second, worth)
    as_red, as_blue = [], []
    until = time.monotonic() + seconds
    for red, blue in duels:
        as_red.append(red)
        as_blue.append(blue)
        if time.monotonic() > until and len(as_red) >= FEWEST:
            break
    means = [(red + blue) / 2 for red, blue in zip(as_red, as_blue, strict=True)]
    named = {"both": means, "as_red": as_red, "as_blue": as_blue}
    found = {name: vars(interval(results)) for name, results in named.items()}
    return {**found, "duels": 2 * len(means)}


# How late


@contextmanager
def busy() -> Iterator[None]:
    """Other processes that do all the time what they can."""
    endless = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(endless) for _ in range(BUSY)]
    try:
        yield
    finally:
        for process in others:
            process.kill()
            process.wait()


def lateness(ruleset: Ruleset, count: int = ANSWERS) -> list[float]:
    """By how many milliseconds each of so many answers came later than the budget, but for the time
    in which the search wanted to run and another program did.
    """
    state = ruleset.initial()
    search(ruleset, state, depth=1)
    late = []
    for _ in range(count):
        started, waited = time.perf_counter(), seconds_waited()
        search(ruleset, state, budget_ms=BUDGET_MS)
        took = time.perf_counter() - started - (seconds_waited() - waited)
        late.append(1000 * took - BUDGET_MS)
    return sorted(late)


def seconds_waited() -> float:
    """How long this thread has waited for a processor so far."""
    return parse_schedstat(Path("/proc/thread-self/schedstat").read_bytes()).waited / 1e9


# The report


def shown(found: dict[str, Any]) -> str:
    return str(Interval(**found))


def report(figures: dict[str, Any]) -> str:
    lines = [
        "# Levels",
        "",
        f"Written by `python -m bench.levels {figures['arguments']}`; not by hand.",
        f"{figures['date']}, commit {figures['commit']}.",
        "",
        "What the first level gets against the second: 1 is a win, -1 a loss; the mean of duels",
        "from both seats, with an interval of 95 % confidence. Luck is taken out of the results,",
        "but for those with `random` (see `bench/contest.py`), so that one may lie beyond 1. In",
        "`defend-the-city`, where the seats are not equal, it is what the first gets beyond what",
        "the second gets in the same seat against itself. `magic-duel` starts with",
        f"{OPENING} rounds by chance.",
        "",
        f"`search` takes {figures['search_ms']:g} ms for a choice. `perfect` looks up exact",
        f"tables in {', '.join(figures['tables']) or 'no game'};",
        f"elsewhere it searches for {figures['perfect_ms']:g} ms.",
        "",
        "| ruleset | first | second | result | as red | as blue | duels |",
        "|---|---|---|---|---|---|---:|",
    ]
    for row in figures["results"]:
        results = " | ".join(shown(row[name]) for name in ("both", "as_red", "as_blue"))
        lines.append(
            f"| {row['ruleset']} | {row['first']} | {row['second']} | {results} "
            f"| {row['duels']:,} |"
        )
    lines += [
        "",
        "## How late",
        "",
        f"Answers of `search:{BUDGET_MS:g}`, {ANSWERS} of them, with {BUSY} busy processes beside",
        "it; milliseconds after the budget, less than 0 if before.",
        "",
        "| ruleset | median | second worst | worst |",
        "|---|---:|---:|---:|",
    ]
    lines += [
        f"| {text} | {median(late):+.1f} | {late[-2]:+.1f} | {late[-1]:+.1f} |"
        for text, late in figures["lateness_ms"].items()
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
