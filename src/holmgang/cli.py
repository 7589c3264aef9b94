"""The command `holmgang`: one thin command for each verb.

What a command needs is imported when it runs, so that `holmgang --help` answers at once. Every
refusal is one line on stderr and exit code 2.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from holmgang.errors import HolmgangError, UsageError
from holmgang.games.shape import printable
from holmgang.version import VERSION

app = typer.Typer(
    help="Duel games in which both sides choose unseen and at once.",
    epilog="Start with: holmgang play bagh",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

GameText = Annotated[
    str, typer.Argument(metavar="GAME", help="A game or ruleset, such as bagh or bagh:max_boost=4.")
]


def main() -> None:
    """Runs the command line, and turns every way to end into an exit code."""
    try:
        try:
            app(prog_name="holmgang")
        finally:
            sys.stdout.flush()
    except HolmgangError as error:
        sys.stderr.write(f"holmgang: {printable(str(error))}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
            sys.exit(0)
        sys.stderr.write(f"holmgang: {printable(str(error))}\n")
        sys.exit(1)


def print_version(value: bool) -> None:
    if value:
        typer.echo(f"holmgang {VERSION}")
        raise typer.Exit


@app.callback()
def holmgang(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    pass


@app.command()
def games(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
) -> None:
    """List the games there are."""
    from holmgang.terminal import catalogue

    catalogue.print_games(as_json=as_json)


@app.command()
def rules(
    game: GameText,
    plain: Annotated[bool, typer.Option("--plain", help="No pager, no colour.")] = False,
) -> None:
    """Show the rules of a game, with its rulings and every number that can be changed."""
    from holmgang.terminal import catalogue

    catalogue.show_rules(game, plain=plain)


@app.command()
def step() -> None:
    """Answer JSON requests, one a line: the rules as a service for other programs."""
    from holmgang.terminal.lines import serve_lines

    serve_lines()


@app.command(epilog="Alone, it asks. At once: holmgang play bagh --vs random")
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game or ruleset; asked for if missing."),
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs", metavar="WHO", help="Who plays blue: a level, or human at this keyboard."
        ),
    ] = None,
    red: Annotated[
        str, typer.Option(metavar="WHO", help="Who plays red: human, or a level.")
    ] = "human",
    wins: Annotated[
        int | None,
        typer.Option(min=1, max=99, metavar="N", help="Games to win; the game's own if missing."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**64 - 1,
            metavar="N",
            help="Decides all chance, and what levels choose; random if missing.",
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the records; your data folder if missing."),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines of text: for pipes, scripts, screen readers.")
    ] = False,
) -> None:
    """Play a duel in the terminal, against a person at the same keyboard or a level."""
    from holmgang.terminal.play import play_match

    play_match(game, red=red, blue=vs, wins=wins, seed=seed, records=records, plain=plain)


@app.command()
def solve(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game or ruleset, such as bagh.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write the table.")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Prove a table's exploitability again."),
    ] = None,
    most_states: Annotated[
        int,
        typer.Option("--most-states", min=1, metavar="N", help="Refuse a game with more states."),
    ] = 2_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON.")] = False,
) -> None:
    """Solve a game exactly, prove it, and keep the table."""
    from holmgang.terminal.truth import check_table, solve_ruleset

    if (game is None) == (check is None):
        raise UsageError("give a game to solve, such as bagh, or --check and a table")
    if check is not None:
        check_table(check, as_json=as_json)
    elif game is not None:
        solve_ruleset(game, out=out, most_states=most_states, as_json=as_json)


@app.command()
def value(
    game: GameText,
    state: Annotated[
        str | None,
        typer.Argument(metavar="[STATE]", help="As JSON or in short; the start, if not given."),
    ] = None,
    after: Annotated[
        str,
        typer.Option("--after", metavar="LINE", help='The rounds played since: "b/a g/h a/g=2".'),
    ] = "",
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Read states from standard input, one a line.")
    ] = False,
    budget_ms: Annotated[
        float,
        typer.Option("--ms", min=1, max=3_600_000, help="Time for a search, without a table."),
    ] = 1000.0,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
) -> None:
    """What a state is worth, how to play it, and what every choice is worth."""
    from holmgang.terminal.truth import answer_lines, show_value

    if stdin and state is not None:
        raise UsageError("give a state or --stdin, not both")
    if stdin:
        answer_lines(game, after=after, budget_ms=budget_ms)
    else:
        show_value(game, state, after=after, budget_ms=budget_ms, as_json=as_json)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as written by play.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Play it again and fail at the first difference.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print it all at once.")] = False,
    round_: Annotated[
        int | None,
        typer.Option("--round", min=0, metavar="N", help="Start at this round; 0 is the start."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --verify: as JSON.")] = False,
) -> None:
    """Step through a recorded duel: forwards, backwards, to a round."""
    from holmgang.terminal.replay import show_record, verify_record

    if verify:
        verify_record(file, as_json=as_json)
    else:
        show_record(file, plain=plain, start=round_)


@app.command()
def simulate(
    game: GameText,
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 10_000,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Game i of a seed is always the same game.")
    ] = 0,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="All cores if missing.")
    ] = None,
    red: Annotated[str, typer.Option(help="The level that plays red.")] = "random",
    blue: Annotated[str, typer.Option(help="The level that plays blue.")] = "random",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, nothing else.")] = False,
    records: Annotated[Path | None, typer.Option(help="Folder for records of the games.")] = None,
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="With --records: how many games to keep; 10 if missing."),
    ] = None,
) -> None:
    """Play many games at native speed: wins, lengths and choices, with intervals."""
    from holmgang.terminal import simulation

    simulation.run(
        game,
        games=games,
        seed=seed,
        threads=threads,
        red=red,
        blue=blue,
        records=records,
        keep=keep,
        as_json=as_json,
    )
