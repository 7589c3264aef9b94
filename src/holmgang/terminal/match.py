"""`holmgang match`: progress while it runs, then who won, and what the bots did wrong."""

import shlex
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from holmgang.arena.events.entrant import parse_entrant
from holmgang.arena.events.match_score import MatchScore, PlayerScore
from holmgang.arena.events.schedule import Series
from holmgang.arena.events.starts import read_starts
from holmgang.arena.events.tournament import MATCH, Contest, Plan, Tournament
from holmgang.arena.judge.referee import file_name
from holmgang.arena.task import STATUSES, Settings
from holmgang.engine.keeping import check_room
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.players.naming import split_name
from holmgang.stats import percentiles, wilson
from holmgang.terminal.simulation import percent
from holmgang.terminal.standings import derived, play, print_json

MOST_DETAILS = 5
RESULTS = ("", "wins", "draws", "losses", "score", "95 %", "late", "invalid", "crash", "gave up")
TIMES = ("", "answers", "median ms", "90 %", "99 %", "most", "most wall time")


def run(
    game: str,
    first: str,
    second: str,
    *,
    games: int,
    seed: int | None,
    swap: bool,
    starts: Path | None,
    settings: Settings,
    out: Path | None,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    ruleset = load(game)
    entrants = [parse_entrant(text, ruleset) for text in (first, second)]
    if entrants[0].name == entrants[1].name:
        entrants[1] = entrants[1]._replace(name=f"{entrants[1].name}-2")
    plan = Plan(
        ruleset.text,
        MATCH,
        tuple(entrants),
        games,
        seed,
        settings,
        swap=swap,
        starts=read_starts(starts, ruleset),
    )
    contest = opened(plan, out)
    series = contest.schedule
    assert isinstance(series, Series)  # noqa: S101 - the plan says so
    names = [given or text for given, text in map(split_name, (first, second))]

    def standing() -> MatchScore:
        counted = MatchScore(
            ruleset.text,
            contest.seed,
            swap,
            (PlayerScore(names[0]), PlayerScore(names[1])),
            games,
            contest.folder if isinstance(contest, Tournament) else Path(),
        )
        counted.count(series, contest.results())
        return counted

    def show() -> MatchScore:
        """Shows what has been played, and keeps the tables if there is a folder for them."""
        shown = standing()
        if isinstance(contest, Tournament):
            derived(contest)
        if as_json:
            folder = {} if out is None else {"folder": str(out)}
            print_json({**shown.as_json(), **folder})
        elif shown.games:
            print_standing(shown)
        sys.stdout.flush()
        return shown

    try:
        play(contest, workers, cluster, as_json=as_json, news=score_of(contest, series))
    except KeyboardInterrupt:
        shown = show()
        sys.stderr.write(
            f"\nStopped after {shown.games:,} of {games:,} games. {how_to_go_on(out)}\n"
        )
        raise
    show()


def opened(plan: Plan, out: Path | None) -> Contest:
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


def how_to_go_on(out: Path | None) -> str:
    if out is None:
        return "With --out FOLDER, a match can be resumed."
    return f"Resume with:\n  holmgang {shlex.join(sys.argv[1:])}"


def score_of(contest: Contest, series: Series) -> Callable[[], str]:
    """A function that gives the score so far, which looks at each result once."""
    wins, draws, counted = [0, 0], 0, 0

    def score() -> str:
        nonlocal draws, counted
        results = contest.results()
        for entry in islice(results.values(), counted, None):
            if entry.winner is None:
                draws += 1
            else:
                winner = entry.fixture.red if entry.winner == "red" else entry.fixture.blue
                wins[winner != series.bot] += 1
        counted = len(results)
        return f"A {wins[0]}, B {wins[1]}, drawn {draws}"

    return score


def print_standing(standing: MatchScore) -> None:
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
