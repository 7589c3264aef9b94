"""`holmgang match`: progress, then the score and the errors of the bots."""

import shlex
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from holmgang.arena.events.match_score import MatchScore, PlayerScore
from holmgang.arena.events.tournament import Contest, ContestPlan, Tournament
from holmgang.arena.judge.referee import file_name
from holmgang.arena.task import STATUSES
from holmgang.engine.keeping import check_room
from holmgang.errors import UsageError
from holmgang.games.finding import program_for
from holmgang.games.ruleset import load
from holmgang.games.shape import counted
from holmgang.machine import typed_command
from holmgang.stats import percentiles, wilson
from holmgang.terminal.printing import print_json
from holmgang.terminal.simulation import percent
from holmgang.terminal.standings import ContestOptions, export_standings

MOST_DETAILS = 5
RESULTS = ("", "wins", "draws", "losses", "score", "95 %", "late", "invalid", "crash", "gave up")
TIMES = ("", "answers", "median ms", "90 %", "99 %", "max", "max wall time")


def run_match(options: ContestOptions, plan: ContestPlan) -> None:
    contest = open_match(plan, options.out)

    def show() -> MatchScore:
        """Shows what has been played, and writes the tables if there is a folder for them."""
        score = MatchScore.of(contest)
        if isinstance(contest, Tournament):
            export_standings(contest)
        if options.as_json:
            folder = {} if options.out is None else {"folder": str(options.out)}
            print_json({**score.as_json(), **folder})
        elif score.games:
            print_score(score)
        sys.stdout.flush()
        return score

    try:
        options.play(contest, news=running_score(contest))
    except KeyboardInterrupt:
        played = show().games
        sys.stderr.write(
            f"\nStopped after {played:,} of {plan.games:,} games. {how_to_resume(options.out)}\n"
        )
        raise
    show()


def open_match(plan: ContestPlan, out: Path | None) -> Contest:
    """The match, in its folder if there is one. Raises UsageError if files are in the way."""
    records = plan.settings.records
    if out is not None:
        if records is not None:
            raise UsageError("--out already keeps the records; give --out or --records, not both")
        return Tournament(plan, out)
    contest = Contest(plan)
    if records is not None:
        due = contest.schedule.due(contest.results())
        check_room(Path(records), [f"{file_name(fixture.id)}.jsonl" for fixture in due])
    return contest


def how_to_resume(out: Path | None) -> str:
    if out is None:
        return "With --out FOLDER, a match can be resumed."
    return f"Resume with:\n  {typed_command()}"


def running_score(contest: Contest) -> Callable[[], str]:
    """A function that gives the score so far, and looks at each result once."""
    first = contest.plan.bots[0]
    wins, draws, counted = [0, 0], 0, 0

    def score() -> str:
        nonlocal draws, counted
        results = contest.results()
        for entry in islice(results.values(), counted, None):
            if entry.winner is None:
                draws += 1
            else:
                winner = entry.fixture.red if entry.winner == "red" else entry.fixture.blue
                wins[winner != first] += 1
        counted = len(results)
        return f"A {wins[0]}, B {wins[1]}, drawn {draws}"

    return score


def print_score(score: MatchScore) -> None:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    seats = "seats exchanged" if score.swap else "A is red"
    console.print(f"{score.ruleset}  {counted(score.games, 'game')}, seed {score.seed}, {seats}")
    for letter, tally in zip("AB", score.bots, strict=True):
        console.print(f"{letter}  {tally.name}")
    console.print()
    results, times = (columns_of(names) for names in (RESULTS, TIMES))
    for letter, tally in zip("AB", score.bots, strict=True):
        results.add_row(letter, *result_cells(tally, score.games))
        times.add_row(letter, *time_cells(tally))
    console.print(results, "", times, "", sep="\n")
    endings = ", ".join(f"{reason} {count}" for reason, count in score.reasons.items())
    console.print(f"ended by: {endings}")
    for letter, tally in zip("AB", score.bots, strict=True):
        worst = sorted(tally.details.items(), key=lambda each: -each[1])
        for detail, count in worst[:MOST_DETAILS]:
            console.print(f"{letter}, {count}×: {detail}")
    for note in score.notes:
        console.print(f"Note: {note}")
    if score.records:
        which = "see one with" if score.lost is None else "see one that A lost with"
        path = shlex.quote(score.lost or score.records[0])
        command = f"{program_for(load(score.ruleset))} replay {path}"
        console.print(f"{len(score.records)} records saved; {which}:\n  {command}")


def columns_of(names: tuple[str, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def result_cells(tally: PlayerScore, games: int) -> list[str]:
    score = tally.wins + tally.draws / 2
    low, high = wilson(score, games)
    return [
        *map(str, (tally.wins, tally.draws, tally.losses)),
        percent(score / games).strip(),
        f"{100 * low:.1f}–{100 * high:.1f}",
        *(str(tally.statuses.get(status, 0)) for status in STATUSES[1:]),
    ]


def time_cells(tally: PlayerScore) -> list[str]:
    times = [*percentiles(tally.latencies_ms).values(), percentiles(tally.wall_ms)["max"]]
    cells = ["–" if ms is None else f"{ms:.2f}" for ms in times]
    return [f"{len(tally.latencies_ms):,}", *cells]
