"""The command `holmgang balance`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import GAME_HELP, load_game
from holmgang.errors import UsageError

TRIES = 100
EPILOG = "Example: holmgang balance bagh:start_hp=2 --html report.html"


def balance(
    game: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, callback=load_game)],
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="HTML report to write; - for standard output."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    most_states: Annotated[
        int,
        typer.Option(
            "--most-states",
            min=1,
            metavar="N",
            help="Maximum number of states to solve; larger games are simulated.",
        ),
    ] = 200_000,
    games: Annotated[
        int,
        typer.Option(min=10, metavar="N", help="Number of games to simulate if it is not solved."),
    ] = 200,
    trials: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Number of games of each habit if it is not solved."),
    ] = 40,
    server: Annotated[
        str, typer.Option(metavar="URL", help="With --html: server that links to explore lead to.")
    ] = "http://localhost:8000",
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=A..B",
            help="Values of a rule to compare: max_boost=2..6 or max_boost=1,5 (repeatable).",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="With --sweep: measure to show, such as draws or length (repeatable).",
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="With --sweep or --aim: address of a Dask cluster."),
    ] = None,
    aim: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AIM",
            help='What a measure should be: "value=0", "length=10..20", "draws<=0.1" (repeatable).',
        ),
    ] = None,
    wanted: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Aims as a table (CSV): who should score how many points of 100 against whom.",
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULES",
            help="With --aim: rules that may change, as max_boost,start_hp or max_boost=2..6.",
        ),
    ] = None,
    tries: Annotated[
        int | None,
        typer.Option(
            min=1, max=10_000, help=f"With --aim: maximum number of rulesets (default: {TRIES})."
        ),
    ] = None,
) -> None:
    """Report whether a game is fair, how long it is, and which choices are useless."""
    if html is not None and as_json:
        raise UsageError("--html and --json exclude each other")
    if sweep and (aim or wanted):
        raise UsageError("--sweep and --aim exclude each other")
    if (aim or wanted) and not vary:
        raise UsageError("--aim needs --vary: the rules that may change, such as max_boost")
    if vary and not (aim or wanted):
        raise UsageError("--vary needs --aim")
    if tries and not (aim or wanted):
        raise UsageError("--tries needs --aim")
    if measure and not sweep:
        raise UsageError("--measure needs --sweep")
    if cluster and not (sweep or aim or wanted):
        raise UsageError("--cluster needs --sweep or --aim")
    if sweep:
        from holmgang.terminal.sweep import show_sweep

        show_sweep(
            game,
            sweep,
            measures=measure or (),
            html=html,
            as_json=as_json,
            most_states=most_states,
            cluster=cluster,
        )
        return
    if aim or wanted:
        from holmgang.terminal.aims import show_aims

        show_aims(
            game,
            aim or (),
            vary or (),
            wanted=wanted,
            html=html,
            tries=tries or TRIES,
            as_json=as_json,
            most_states=most_states,
            cluster=cluster,
        )
        return
    from holmgang.terminal.balance import show_balance

    show_balance(
        game,
        html=html,
        as_json=as_json,
        most_states=most_states,
        games=games,
        trials=trials,
        server=server,
    )
