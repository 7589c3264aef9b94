"""`holmgang tournament`, `better` and `league`: progress, tables, and how to go on."""

import json
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from holmgang.arena.counting.sprt import Hypotheses, Verdict
from holmgang.arena.counting.standings import Standings
from holmgang.arena.events.entrant import parse_entrants
from holmgang.arena.events.executor import workers_at
from holmgang.arena.events.league import League
from holmgang.arena.events.paired_test import PairedTest
from holmgang.arena.events.tournament import TEST, Plan, Tournament
from holmgang.arena.task import Settings
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.games.shape import printable
from holmgang.machine import data_folder
from holmgang.terminal.simulation import progress_of

MOST_COLUMNS = 12  # bots of a pay-off matrix that fit a terminal
SENTENCES = {
    Verdict.BETTER: "{new} is better than {old}.",
    Verdict.NOT_BETTER: "{new} is not better than {old}.",
    Verdict.UNDECIDED: "Undecided: {games} games were not enough. Ask for more with --games.",
}


def run_tournament(
    game: str,
    bots: Sequence[str],
    *,
    format_: str,
    games: int,
    rounds: int | None,
    seed: int,
    settings: Settings,
    out: Path | None,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    ruleset = load(game)
    entrants = tuple(parse_entrants(bots, ruleset))
    plan = Plan(ruleset.text, format_, entrants, games, seed, settings, rounds)
    tournament = opened(plan, out)
    table = played(tournament, workers, cluster, as_json=as_json)
    if as_json:
        folder = {"folder": str(tournament.folder)}
        print_json({"format": format_, "seed": seed, **table.as_json(), **folder})
    else:
        print_table(Console(highlight=False), table)
        print_where(tournament.folder)


def run_test(
    game: str,
    new: str,
    old: str,
    *,
    hypotheses: Hypotheses,
    games: int,
    seed: int,
    settings: Settings,
    out: Path | None,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    ruleset = load(game)
    entrants = tuple(parse_entrants([new, old], ruleset))
    plan = Plan(ruleset.text, TEST, entrants, games, seed, settings, hypotheses=hypotheses)
    tournament = opened(plan, out)
    table = played(tournament, workers, cluster, as_json=as_json)
    schedule = tournament.schedule
    assert isinstance(schedule, PairedTest)  # noqa: S101 - the plan says so
    test = schedule.sprt(tournament.results())
    names = dict(zip(("new", "old"), plan.bots, strict=True))
    if as_json:
        print_json(
            {
                "ruleset": ruleset.text,
                **names,
                "verdict": test.verdict.value,
                "games": 2 * test.pairs,
                "pairs": dict(zip(("0", "0.5", "1", "1.5", "2"), test.counts, strict=True)),
                "llr": test.llr,
                "bounds": [hypotheses.lower, hypotheses.upper],
                "elo0": hypotheses.elo0,
                "elo1": hypotheses.elo1,
                "alpha": hypotheses.alpha,
                "beta": hypotheses.beta,
                "score": test.score.value,
                "score_interval": [test.score.low, test.score.high],
                "elo": test.elo.value,
                "elo_interval": [test.elo.low, test.elo.high],
                "bots": table.as_json()["bots"],
                "notes": table.notes,
                "folder": str(tournament.folder),
            }
        )
        return
    console = Console(highlight=False, markup=False)
    sentence = SENTENCES[test.verdict].format(**names, games=2 * test.pairs)
    console.print(sentence, style="bold")
    console.print(
        f"{2 * test.pairs} games in pairs; {names['new']} has {100 * test.score.value:.1f} % of the"
        f" points ({100 * test.score.low:.1f} to {100 * test.score.high:.1f}),"
        f" {test.elo.value:+.0f} Elo ({test.elo.low:+.0f} to {test.elo.high:+.0f})"
    )
    console.print(
        "pairs with 0, ½, 1, 1½, 2 points: " + ", ".join(map(str, test.counts)), style="dim"
    )
    console.print(
        f"tested: at most {hypotheses.elo0:+g} Elo against at least {hypotheses.elo1:+g}; wrong at"
        f" most {100 * hypotheses.alpha:g} % and {100 * hypotheses.beta:g} % of the time;"
        f" {test.llr:.2f} of {hypotheses.lower:.2f} to {hypotheses.upper:.2f}",
        style="dim",
    )
    print_notes(console, table)
    print_where(tournament.folder)


def opened(plan: Plan, out: Path | None) -> Tournament:
    if out is None:
        game = plan.ruleset.partition(":")[0]
        out = data_folder() / "tournaments" / f"{game}-{plan.format}-{plan.hash}"
    return Tournament(plan, out)


def played(
    tournament: Tournament, workers: int | None, cluster: str | None, *, as_json: bool
) -> Standings:
    """Plays what is missing and derives the tables, even if it is interrupted."""
    have = len(tournament.results())
    total = tournament.schedule.games
    left = None if total is None else max(0, total - have)
    try:
        with told_of(left, as_json=as_json) as told, resumed_by(sys.argv[1:]):
            tournament.play(lambda: workers_at(cluster, workers), told)
    finally:
        table = tournament.standings()
        tournament.export(table)
    return table


@contextmanager
def told_of(games: int | None, *, as_json: bool) -> Iterator[Any]:
    """A function to be told of the games done, which shows them unless only JSON is wanted."""
    shown = nullcontext() if as_json else progress_of(Console(stderr=True), games, "playing")
    with shown as progress:
        yield progress or (lambda done: None)


@contextmanager
def resumed_by(words: Sequence[str]) -> Iterator[None]:
    """On Ctrl-C, says how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write(
            f"\nStopped; nothing that was played is lost. Go on with:\n"
            f"  holmgang {shlex.join(words)}\n"
        )
        raise


# Leagues


def init_league(folder: Path, game: str, seed: int, settings: Settings) -> None:
    league = League.create(folder, game, seed, settings)
    print_line(f"A league of {league.roster.ruleset} in {folder}.")
    print_line(f"Add bots with: holmgang league add {shlex.quote(str(folder))} BOT …")


def add_bots(folder: Path, bots: Sequence[str], *, as_json: bool) -> None:
    league = League(folder)
    added = []
    for entrant in parse_entrants(bots, load(league.roster.ruleset)):
        version, is_new = league.add(entrant)
        added.append({"bot": version.bot, "new": is_new, "fingerprint": version.fingerprint})
        if not as_json:
            print_line(f"{version.bot} {'takes part' if is_new else 'is there, and unchanged'}.")
    if as_json:
        print_json({"added": added})


def retire_bot(folder: Path, name: str) -> None:
    League(folder).retire(name)
    print_line(f"{name} plays no more; its games stay.")


def run_league(
    folder: Path,
    *,
    games: int | None,
    minutes: float | None,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    league = League(folder)
    started = time.monotonic()

    def is_over() -> bool:
        return minutes is not None and time.monotonic() - started > 60 * minutes

    count = 0
    try:
        with told_of(games, as_json=as_json) as told, resumed_by(sys.argv[1:]):
            count = league.play(
                lambda: workers_at(cluster, workers), games=games, is_over=is_over, told=told
            )
    finally:
        table = league.standings()
        league.export(table)
    if as_json:
        print_json({"played": count, **table.as_json()})
    else:
        print_table(Console(highlight=False), table)
        print_where(folder)


def show_league(folder: Path, *, as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise UsageError("--json and --csv: one of them")
    league = League(folder)
    table = league.standings()
    if as_json:
        print_json(table.as_json())
    elif as_csv:
        sys.stdout.write(table.as_csv())
    else:
        print_table(Console(highlight=False), table)


def write_page(folder: Path) -> None:
    league = League(folder)
    league.export(league.standings())
    print_line(str(folder / "index.html"))


# Tables


def print_json(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_line(text: str) -> None:
    sys.stdout.write(text + "\n")


def print_where(folder: Path) -> None:
    print_line(f"\nKept in {folder}: index.html, table.csv, table.json, results.jsonl, records/")


def print_table(console: Console, table: Standings) -> None:
    left = f", {table.missing:,} to go" if table.missing else ""
    console.print(f"{table.title}: {table.ruleset}, {table.games:,} games{left}\n", markup=False)
    console.print(standings_table(table))
    if table.games:
        console.print()
        console.print(payoff_table(table))
        mix = ", ".join(f"{each.bot} {100 * each.share:.0f} %" for each in table.support)
        console.print(f"\nNobody beats this mix: {mix}", markup=False)
    print_notes(console, table)


def standings_table(table: Standings) -> Table:
    shown = Table(box=None, pad_edge=False, header_style="dim")
    shown.add_column("", justify="right", style="dim")
    shown.add_column("bot", style="bold", overflow="fold")
    names = ["rating", "±", "score", "won", "drawn", "lost"]
    names += ["late", "inval", "crash", "quit"]
    if table.merit is not None:
        names.insert(0, table.merit)
    for name in names:
        shown.add_column(name, justify="right", no_wrap=True)
    for row in table.rows:
        behaviour = row.behaviour
        troubles = (
            behaviour.timeouts,
            behaviour.invalid,
            behaviour.crashes,
            behaviour.forfeits,
        )
        shown.add_row(
            str(row.place),
            row.bot,
            *([] if row.merit is None else [f"{row.merit:g}"]),
            f"{row.rating.value:+.0f}",
            f"{row.rating.margin:.0f}",
            "–" if row.score is None else f"{100 * row.score:.1f} %",
            *map(str, row.counts),
            *(f"[red]{count}[/]" if count else "[dim]·[/]" for count in troubles),
        )
    return shown


def payoff_table(table: Standings) -> Table:
    """The scores in percent; of many bots, the best."""
    rows = table.rows[:MOST_COLUMNS]
    shown = Table(box=None, pad_edge=False, header_style="dim")
    shown.add_column("score, %", overflow="fold")
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
        said = printable(note)  # which may have words of a bot's in it, from whoever's log
        console.print(("\n" if place == 0 else "") + f"Note: {said}", markup=False)
