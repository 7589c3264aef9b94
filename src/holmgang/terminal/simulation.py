"""`holmgang simulate`: progress while it runs, then the results."""

import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from holmgang.arena.judge.simulating import simulate_players
from holmgang.engine.compiled.native import can_compile, silent
from holmgang.engine.keeping import Recording, check_room
from holmgang.engine.keys import parse_seed
from holmgang.engine.record import RecordWriter
from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.finding import program_for
from holmgang.games.ruleset import load
from holmgang.games.shape import counted
from holmgang.players.naming import parse_player
from holmgang.simulation.report import Simulation
from holmgang.stats import wilson
from holmgang.terminal.printing import print_json
from holmgang.terminal.progress import announcer, progress_of

HISTOGRAM_BINS = 12
KEPT = 10  # records by default
UNCOMPILED = "numba is not installed, so this runs uncompiled: pip install 'holmgang[fast]'"


def run(
    game: str,
    *,
    games: int,
    seed: int | None,
    threads: int | None,
    red: str,
    blue: str,
    records: Path | None,
    keep: int | None,
    trust: bool,
    as_json: bool,
) -> None:
    ruleset, seed = load(game), parse_seed(seed)
    players = [parse_player(text, ruleset) for text in (red, blue)]
    kept = min(KEPT, games) if keep is None else keep
    if kept > games:
        raise UsageError(f"--keep {keep} is more than the {games} games that are played")
    if keep is not None and records is None:
        raise UsageError("--keep needs --records, the folder to keep them in")
    recordings = []
    if records is not None:
        seats = {
            seat: {"name": player.name, "player": player.text}
            for seat, player in zip(SEATS, players, strict=True)
        }
        for index in range(kept):
            name = f"{ruleset.entry.name}-{ruleset.hash}-seed{seed}-{index}.jsonl"
            writer = RecordWriter(records / name, seats=seats, simulation=index)
            recordings.append(Recording(writer))
        check_room(records, [recording.path.name for recording in recordings])
    console = Console(stderr=True)
    if not can_compile() and not as_json:
        console.print(UNCOMPILED, markup=False)
    with progress_of(console, games, is_silent=as_json) as progress:
        simulation = simulate_players(
            ruleset,
            games,
            red=players[0],
            blue=players[1],
            seed=seed,
            threads=threads,
            trust=trust,
            folder=None if records is None else str(records),
            followers=recordings,
            progress=progress,
            announce=silent if as_json else announcer(console),
        )
    if as_json:
        print_json(simulation.as_json())
    else:
        saved = [recording.path for recording in recordings if recording.trouble is None]
        print_report(Console(highlight=False), simulation, saved)
    tell_missing([recording.trouble for recording in recordings if recording.trouble is not None])


def tell_missing(troubles: list[str]) -> None:
    """Exits with an error if records are missing; everything else has been written by now."""
    if troubles:
        sys.stdout.flush()
        more = f" (and {len(troubles) - 1} more)" if len(troubles) > 1 else ""
        sys.stderr.write(f"holmgang: {troubles[0]}{more}\n")
        sys.exit(1)


# The report


def print_report(console: Console, simulation: Simulation, saved: list[Path]) -> None:
    games = simulation.games
    console.print(
        f"[bold]{simulation.ruleset.text}[/]  {counted(games, 'game')}, seed {simulation.seed}: "
        f"[red]{escape(simulation.red)}[/] against [blue]{escape(simulation.blue)}[/]\n"
    )
    for label, colour, count in (
        ("red wins", "red", simulation.red_wins),
        ("blue wins", "blue", simulation.blue_wins),
        ("draws", "dim", simulation.draws),
    ):
        low, high = wilson(count, games)
        console.print(
            f"  {label:<10}{percent(count / games)}  [{colour}]{gauge(count, games, 24)}[/]"
            f"  [dim]95 %: {percent(low)} to {percent(high)}[/]"
        )
    endings = (
        f"{name} {percent(count / games).strip()}" for name, count in simulation.reasons().items()
    )
    console.print(f"  {'ended by':<10}{', '.join(endings)}\n")
    print_lengths(console, simulation)
    print_choices(console, simulation)
    how = "compiled" if simulation.compiled else "interpreted"
    threads = f"{simulation.threads} thread{'s' if simulation.threads > 1 else ''}"
    speed = simulation.rounds / max(simulation.compute_seconds, 1e-9)
    console.print(
        f"[dim]{counted(simulation.rounds, 'round')} in {simulation.compute_seconds:.2f} s"
        f" on {threads}, {how}: {speed:,.0f} rounds per second[/]"
    )
    if saved:
        command = f"{program_for(simulation.ruleset)} replay {saved[0]}"
        console.print(f"{len(saved)} records saved; see one with: {command}", markup=False)


def percent(share: float) -> str:
    return f"{100 * share:6.2f} %"


def gauge(count: int, most: int, width: int) -> str:
    filled = -(-count * width // max(1, most))
    return "█" * filled + "░" * (width - filled)


def print_lengths(console: Console, simulation: Simulation) -> None:
    lengths, length_at = simulation.tally.lengths, simulation.tally.length_at
    first = length_at(0)
    console.print(
        f"  rounds per game: {simulation.mean_length:.2f} on average, median {length_at(0.5)}, "
        f"from {first} to {length_at(1)}"
    )
    last = max(length_at(0.95), first)
    width = max(1, -(-(last - first + 1) // HISTOGRAM_BINS))
    starts = range(first, last + 1, width)
    bins = [
        (f"{at}–{at + width - 1}" if width > 1 else f"{at}", sum(lengths[at : at + width]))
        for at in starts
    ]
    beyond = sum(lengths[starts[-1] + width :])
    if beyond:
        bins.append((f"{starts[-1] + width} up", beyond))
    most = max(count for _, count in bins)
    for label, count in bins:
        console.print(
            f"  {label:>10}  {gauge(count, most, 30)} {percent(count / simulation.games)}"
        )
    console.print()


def print_choices(console: Console, simulation: Simulation) -> None:
    """How often each seat chose what, as shares of its own choices."""
    red, blue = simulation.choices(0), simulation.choices(1)
    words = sorted({**red, **blue}, key=lambda word: -red.get(word, 0) - blue.get(word, 0))
    console.print(f"  {'chosen':<20}{'red':>8}  {'blue':>8}", style="dim")
    for word in words[:20]:
        shares = (
            percent(times.get(word, 0) / max(1, sum(times.values()))) for times in (red, blue)
        )
        console.print(f"  {word:<20}{'  '.join(shares)}")
    if len(words) > 20:
        console.print(f"  … and {len(words) - 20} more: --json has them all", style="dim")
    console.print()
