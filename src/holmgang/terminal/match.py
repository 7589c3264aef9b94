"""`holmgang match`: progress while it runs, then who won, and what the bots did wrong."""

import json
import sys
from contextlib import closing, nullcontext
from pathlib import Path

from rich.console import Console
from rich.table import Table

from holmgang.arena.contestant import parse_contestant
from holmgang.arena.events.match import Standing, Tally, match_tasks
from holmgang.arena.judge.referee import file_name, play_games
from holmgang.arena.task import Settings
from holmgang.games.ruleset import load
from holmgang.simulation.report import wilson
from holmgang.terminal.simulation import check_room, percent, progress_of

MOST_DETAILS = 5
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
    for text in (first, second):
        parse_contestant(text, ruleset)
    tasks = match_tasks(ruleset.text, first, second, games, seed=seed, swap=swap, settings=settings)
    if settings.records is not None:
        check_room(Path(settings.records), [f"{file_name(task.id)}.jsonl" for task in tasks])
    standing = Standing(ruleset.text, seed, swap, (Tally(first), Tally(second)))
    shown = nullcontext() if as_json else progress_of(Console(stderr=True), games, "playing")
    with shown as progress, closing(play_games(tasks)) as results:
        for result in results:
            standing.add(result)
            if progress is not None:
                progress(standing.games)
    if as_json:
        sys.stdout.write(json.dumps(standing.as_json(), ensure_ascii=False) + "\n")
    else:
        print_standing(Console(highlight=False, markup=False), standing)


def print_standing(console: Console, standing: Standing) -> None:
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
    if standing.records:
        console.print(
            f"{len(standing.records)} records saved; see one with: "
            f"holmgang replay {standing.records[0]}"
        )


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
