"""`holmgang match`: progress while it runs, then who won, and what the bots did wrong."""

import json
import shlex
import sys
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.table import Table

from holmgang.arena.events.entrant import parse_entrant, split_name
from holmgang.arena.events.match import Standing, Tally, match_tasks
from holmgang.arena.judge.referee import file_name, play_games
from holmgang.arena.task import GameTask, Settings
from holmgang.games.ruleset import load
from holmgang.simulation.report import wilson
from holmgang.terminal.progress import progress_of, told_anyway
from holmgang.terminal.records import check_room
from holmgang.terminal.simulation import percent

MOST_DETAILS = 5
GO_ON = "What can be gone on with, and plays on all cores, is `holmgang tournament`."
RESULTS = ("", "wins", "draws", "losses", "score", "95 %", "late", "invalid", "crash", "gave up")
TIMES = ("", "answers", "median ms", "90 %", "99 %", "most", "most by the wall")


def run(
    game: str,
    first: str,
    second: str,
    *,
    games: int,
    seed: int,
    swap: bool,
    settings: Settings,
    as_json: bool,
) -> None:
    ruleset = load(game)
    names = parse_entrant(first, ruleset).name, parse_entrant(second, ruleset).name
    (name_a, a), (name_b, b) = split_name(first), split_name(second)
    tasks = match_tasks(
        ruleset.text, a, b, games, seed=seed, swap=swap, settings=settings, names=names
    )
    if settings.records is not None:
        check_room(Path(settings.records), [f"{file_name(task.id)}.jsonl" for task in tasks])
    standing = Standing(ruleset.text, seed, swap, (Tally(name_a or a), Tally(name_b or b)))
    try:
        play(tasks, standing, is_silent=as_json)
    except KeyboardInterrupt:
        if standing.games and not as_json:
            print_standing(standing)
            sys.stdout.flush()
            sys.stderr.write(f"\nStopped after {standing.games:,} of {games:,} games. {GO_ON}\n")
        raise
    if as_json:
        sys.stdout.write(json.dumps(standing.as_json()) + "\n")
    else:
        print_standing(standing)


def play(tasks: list[GameTask], standing: Standing, *, is_silent: bool) -> None:
    """Plays the games, and counts them as they come."""

    def score() -> str:
        first, second = standing.bots
        return f"A {first.wins}, B {second.wins}, drawn {first.draws}"

    console = Console(stderr=True)
    with (
        progress_of(console, len(tasks), "playing", score, is_silent=is_silent) as told,
        told_anyway(lambda: told(standing.games)),
        closing(play_games(tasks)) as results,
    ):
        for result in results:
            standing.add(result)
            told(standing.games)


def print_standing(standing: Standing) -> None:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    seats = "seats exchanged" if standing.swap else "A is red"
    console.print(f"{standing.ruleset}  {standing.games:,} games, seed {standing.seed}, {seats}")
    for letter, tally in zip("AB", standing.bots, strict=True):
        console.print(f"{letter}  {tally.name}")
    console.print()
    results, times = (columns_of(names) for names in (RESULTS, TIMES))
    for letter, tally in zip("AB", standing.bots, strict=True):
        results.add_row(letter, *result_cells(tally, standing.games))
        times.add_row(letter, *time_cells(tally))
    console.print(results, "", times, "", sep="\n")
    endings = ", ".join(f"{reason} {count}" for reason, count in standing.reasons.items())
    console.print(f"ended by: {endings}")
    for letter, tally in zip("AB", standing.bots, strict=True):
        worst = sorted(tally.details.items(), key=lambda each: -each[1])
        for detail, count in worst[:MOST_DETAILS]:
            console.print(f"{letter}, {count}×: {detail}")
    for note in standing.notes:
        console.print(f"Note: {note}")
    if standing.records:
        which = "see one with" if standing.lost is None else "see one that A lost with"
        path = shlex.quote(standing.lost or standing.records[0])
        console.print(f"{len(standing.records)} records saved; {which}:\n  holmgang replay {path}")


def columns_of(names: tuple[str, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def result_cells(tally: Tally, games: int) -> list[str]:
    shown = tally.as_json()
    score = tally.wins + tally.draws / 2
    low, high = wilson(score, games)
    return [
        *(str(shown[key]) for key in ("wins", "draws", "losses")),
        percent(score / games).strip(),
        f"{100 * low:.1f}–{100 * high:.1f}",
        *(str(shown[key]) for key in ("timeouts", "invalid", "crashes", "forfeits")),
    ]


def time_cells(tally: Tally) -> list[str]:
    shown = tally.as_json()
    times = [*shown["latency_ms"].values(), shown["wall_ms"]["max"]]
    return [f"{shown['answers']:,}", *("–" if ms is None else f"{ms:.2f}" for ms in times)]
