"""`holmgang tournament`, `better` and `league`: progress, tables, and how to resume."""

import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from holmgang.arena.counting.sprt import Sprt
from holmgang.arena.counting.standings import Standings
from holmgang.arena.events.entrant import parse_entrants
from holmgang.arena.events.executor import workers_at
from holmgang.arena.events.league import Added, League
from holmgang.arena.events.paired_test import PairedTest
from holmgang.arena.events.tournament import Contest, ContestPlan, Tournament, export, make_plan
from holmgang.arena.task import JudgeSettings
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.games.shape import printable
from holmgang.machine import data_folder, program, typed_command
from holmgang.terminal.printing import print_json, print_line
from holmgang.terminal.progress import progress_of

WIDTHS = {"rating": 6, "±": 4, "score": 7, "won": 4, "drawn": 5, "lost": 4}
"""The columns of every table, with their usual widths."""
TROUBLE_WIDTH = len("12 invalid,")
MOST_COLUMNS = 12  # bots in a pay-off matrix, to fit a terminal
SCORE_WIDTH = 5
LEAST_NAME = 12


class ContestOptions(NamedTuple):
    """The options that `holmgang match`, `tournament` and `better` share."""

    seed: int | None
    starts: Path | None
    settings: JudgeSettings
    out: Path | None
    workers: int | None
    cluster: str | None
    as_json: bool

    def plan(
        self, form: str, game: str, bots: Sequence[str], games: int, **more: Any
    ) -> ContestPlan:
        return make_plan(form, game, bots, games, self.seed, self.settings, self.starts, **more)

    def play(self, contest: Contest, news: Callable[[], str] = lambda: "") -> None:
        """Plays the missing games, with a progress bar that also shows the news."""
        total = contest.schedule.games
        left = None if total is None else max(0, total - len(contest.results()))
        silent = self.as_json
        with progress_of(Console(stderr=True), left, "playing", news, is_silent=silent) as progress:
            contest.play(lambda: workers_at(self.cluster, self.workers), progress)


def run_tournament(options: ContestOptions, plan: ContestPlan) -> None:
    tournament = open_tournament(plan, options.out)

    def show(table: Standings) -> None:
        if options.as_json:
            head = {"format": plan.format, "seed": tournament.seed}
            print_json({**head, **table.as_json(), "folder": str(tournament.folder)})
        else:
            print_table(Console(highlight=False), table)
            print_where(tournament.folder, tournament.seed)

    with resumable(tournament, show):
        options.play(tournament)


def run_test(options: ContestOptions, plan: ContestPlan) -> None:
    tournament = open_tournament(plan, options.out)
    schedule = tournament.schedule
    assert isinstance(schedule, PairedTest)  # noqa: S101 - the plan says so
    new, old = plan.bots

    def news() -> str:
        test = schedule.sprt(tournament.results())
        return f"{100 * test.score.value:.1f} %  LLR {test.llr:+.2f}" if test.pairs else ""

    def show(table: Standings) -> None:
        test = schedule.sprt(tournament.results())
        if options.as_json:
            head = {"ruleset": plan.ruleset, "seed": tournament.seed, "new": new, "old": old}
            rest = {"bots": table.as_json()["bots"], "notes": table.notes}
            print_json({**head, **test.as_json(), **rest, "folder": str(tournament.folder)})
        else:
            console = Console(highlight=False, markup=False, soft_wrap=True)
            console.print(table.answer, style="bold")
            print_test(console, test, new)
            print_notes(console, table)
            print_where(tournament.folder, tournament.seed)

    with resumable(tournament, show):
        options.play(tournament, news)


def print_test(console: Console, test: Sprt, new: str) -> None:
    hypotheses, score, elo = test.hypotheses, test.score, test.elo
    console.print(
        f"{2 * test.pairs} games in pairs; {new} has {100 * score.value:.1f} % of the points"
        f" ({100 * score.low:.1f} to {100 * score.high:.1f})\n"
        f"Elo: {elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"
    )
    console.print(
        "pairs with 0, ½, 1, 1½, 2 points: " + ", ".join(map(str, test.counts)), style="dim"
    )
    console.print(
        f"tested: at most {hypotheses.elo0:+g} Elo against at least {hypotheses.elo1:+g},"
        f" error rates: alpha {100 * hypotheses.alpha:g} %, beta {100 * hypotheses.beta:g} %\n"
        f"log-likelihood ratio: {test.llr:+.2f};"
        f" decided at {hypotheses.lower:+.2f} and {hypotheses.upper:+.2f}",
        style="dim",
    )


def open_tournament(plan: ContestPlan, out: Path | None) -> Tournament:
    if out is None:
        game = plan.ruleset.partition(":")[0]
        out = data_folder() / "tournaments" / f"{game}-{plan.format}-{plan.hash}"
    return Tournament(plan, out)


@contextmanager
def resumable(event: Tournament | League, show: Callable[[Standings], None]) -> Iterator[None]:
    """Shows the tables at the end. On Ctrl-C it shows what was played so far, and how to resume."""
    try:
        yield
    except KeyboardInterrupt:
        show(export_standings(event))
        sys.stdout.flush()
        sys.stderr.write(
            f"\nStopped; all finished games are kept. Resume with:\n  {typed_command()}\n"
        )
        raise
    show(export_standings(event))


def export_standings(event: Tournament | League) -> Standings:
    """Writes the table to the folder in every form, and returns it."""
    table = event.standings()
    export(table, event.folder, event.results())
    return table


# Leagues


def init_league(folder: Path, game: str, seed: int | None, settings: JudgeSettings) -> None:
    league = League.create(folder, game, seed, settings)
    print_line(f"A league of {league.roster.ruleset} in {folder}, seed {league.roster.seed}.")
    print_line(f"Add bots with: {program()} league add {shlex.quote(str(folder))} BOT …")


def add_bots(folder: Path, bots: Sequence[str], *, as_json: bool) -> None:
    league = League(folder)
    added = []
    for entrant in parse_entrants(bots, load(league.roster.ruleset)):
        version, what = league.add(entrant)
        is_new = what is Added.NEW
        added.append({"bot": version.bot, "new": is_new, "fingerprint": version.fingerprint})
        if not as_json:
            print_line(f"{version.bot} {what.value}.")
    if as_json:
        print_json({"added": added})


def retire_bot(folder: Path, name: str) -> None:
    League(folder).retire(name)
    print_line(f"{name} is retired; its games still count.")


def run_league(
    folder: Path,
    *,
    games: int | None,
    minutes: float | None,
    workers: int | None,
    cluster: str | None,
    trust: bool,
    log: str | None,
    as_json: bool,
) -> None:
    league = League(folder)
    started = time.monotonic()

    def is_over() -> bool:
        return minutes is not None and time.monotonic() - started > 60 * minutes

    before = len(league.results())

    def show(table: Standings) -> None:
        if as_json:
            played = len(league.results()) - before
            print_json({"seed": league.roster.seed, "played": played, **table.as_json()})
        else:
            print_table(Console(highlight=False), table)
            print_where(folder, league.roster.seed)

    with (
        resumable(league, show),
        progress_of(Console(stderr=True), games, "playing", is_silent=as_json) as progress,
    ):
        league.play(
            lambda: workers_at(cluster, workers),
            games=games,
            is_over=is_over,
            progress=progress,
            trust=trust,
            log=log,
        )


def show_league(folder: Path, *, as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise UsageError("give --json or --csv, not both")
    league = League(folder)
    table = league.standings()
    if as_json:
        print_json(table.as_json())
    elif as_csv:
        sys.stdout.write(table.as_csv())
    else:
        print_table(Console(highlight=False), table)


def write_page(folder: Path) -> None:
    export_standings(League(folder))
    print_line(str(folder / "index.html"))


# Tables


def print_where(folder: Path, seed: int) -> None:
    print_line(f"\nSeed: {seed}")
    print_line(f"Kept in {folder}: index.html, table.csv, table.json, results.jsonl, records/")


def print_table(console: Console, table: Standings) -> None:
    left = f", {table.missing:,} to go" if table.missing else ""
    console.print(f"{table.title}: {table.ruleset}, {table.games:,} games{left}\n", markup=False)
    console.print(standings_table(table, console.width))
    if table.games:
        console.print()
        console.print(payoff_table(table, console.width))
        mix = ", ".join(f"{each.bot} {100 * each.share:.0f} %" for each in table.support)
        console.print(f"\nNo bot beats this mix on average: {mix}", markup=False)
    print_notes(console, table)


def standings_table(table: Standings, width: int) -> Table:
    names = [*([] if table.merit is None else [table.merit]), *WIDTHS]
    troubles = [row.behaviour.troubles for row in table.rows]
    taken = sum(2 + WIDTHS.get(name, len(name)) for name in ("1.", *names))
    if any(troubles):
        taken += 2 + TROUBLE_WIDTH
    shown = Table(box=None, pad_edge=False, header_style="dim")
    shown.add_column("", justify="right", style="dim", no_wrap=True)
    add_bot_column(shown, "bot", width - taken, style="bold")
    for name in names:
        shown.add_column(name, justify="right", no_wrap=True)
    if any(troubles):
        shown.add_column("trouble", style="red", min_width=TROUBLE_WIDTH)
    for row, trouble in zip(table.rows, troubles, strict=True):
        shown.add_row(
            str(row.place),
            row.bot,
            *([] if row.merit is None else [f"{row.merit:g}"]),
            *(
                ("–", "–", "–")
                if row.score is None
                else (
                    f"{row.rating.value:+.0f}",
                    f"{row.rating.margin:.0f}",
                    f"{100 * row.score:.1f} %",
                )
            ),
            *map(str, row.counts),
            *([trouble] if any(troubles) else []),
        )
    return shown


def add_bot_column(shown: Table, title: str, room: int, style: str = "") -> None:
    """A column for names, which are shortened if the line has no room for the rest."""
    shown.add_column(
        title, style=style, no_wrap=True, overflow="ellipsis", max_width=max(LEAST_NAME, room)
    )


def payoff_table(table: Standings, width: int) -> Table:
    """The scores in percent; only of the best bots if there are many."""
    rows = table.rows[:MOST_COLUMNS]
    shown = Table(box=None, pad_edge=False, header_style="dim")
    add_bot_column(shown, "score, %", width - SCORE_WIDTH * len(rows))
    for row in rows:
        shown.add_column(str(row.place), justify="right", no_wrap=True)
    for row in rows:
        cells = []
        for other in rows:
            score = table.payoffs.score(row.bot, other.bot)
            if score is None:
                cells.append("[dim]·[/]")
            else:
                colour = "cyan" if score.low > 0.5 else "yellow" if score.high < 0.5 else "default"
                cells.append(f"[{colour}]{100 * score.value:.0f}[/]")
        shown.add_row(f"[dim]{row.place}[/] {row.bot}", *cells)
    return shown


def print_notes(console: Console, table: Standings) -> None:
    for place, note in enumerate(table.notes):
        said = printable(note)  # it may quote a bot
        console.print(("\n" if place == 0 else "") + f"Note: {said}", markup=False)
