"""The command line: all commands in the order of `holmgang --help`, and their exit codes.

Every refusal is one line on standard error and exit code 2.
"""

import codecs
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli import (
    analyse,
    backup,
    balance,
    better,
    check,
    check_game,
    compare,
    dataset,
    discord,
    draw,
    games,
    league,
    learn,
    match,
    mcp,
    new_bot,
    new_game,
    play,
    puzzles,
    replay,
    resume,
    rules,
    serve,
    simulate,
    solve,
    step,
    tournament,
    value,
)
from holmgang.cli.options import Games
from holmgang.errors import HolmgangError
from holmgang.version import VERSION

ENVIRONMENT = "HOLMGANG_GAMES"
"""As in `games/finding.py`, which is imported only if it is needed."""

app = typer.Typer(
    help="Duel games in which both sides choose in secret and at the same time.",
    epilog="Example: holmgang play bagh",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(games.games)
app.command()(rules.rules)
app.command(epilog=learn.EPILOG)(learn.learn)
app.command()(step.step)
app.command(epilog=play.EPILOG)(play.play)
app.command()(resume.resume)
app.command()(solve.solve)
app.command()(value.value)
app.command()(replay.replay)
app.command(epilog=analyse.EPILOG)(analyse.analyse)
app.command(epilog=balance.EPILOG)(balance.balance)
app.command(epilog=compare.EPILOG)(compare.compare)
app.command()(simulate.simulate)
app.command(epilog=dataset.EPILOG)(dataset.dataset)
app.command(epilog=draw.EPILOG)(draw.draw)
app.command("new-game", epilog=new_game.EPILOG)(new_game.new_game)
app.command("check-game", epilog=check_game.EPILOG)(check_game.check_game)
app.command("new-bot", epilog=new_bot.EPILOG)(new_bot.new_bot)
app.command(epilog=check.EPILOG)(check.check)
app.command(epilog=match.EPILOG)(match.match)
app.command(epilog=tournament.EPILOG)(tournament.tournament)
app.command(epilog=better.EPILOG)(better.better)
app.command(epilog=serve.EPILOG)(serve.serve)
app.command(epilog=discord.EPILOG)(discord.discord)
app.command(epilog=mcp.EPILOG)(mcp.mcp)
app.command()(backup.backup)
app.add_typer(league.app, name="league")
app.add_typer(puzzles.app, name="puzzles")


def print_version(value: bool) -> None:
    if value:
        typer.echo(f"holmgang {VERSION}")
        raise typer.Exit


@app.callback()
def holmgang(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Show version and exit."
        ),
    ] = False,
    games: Games = None,
) -> None:
    if os.environ.get(ENVIRONMENT):
        from holmgang.games.finding import load_environment

        load_environment()


def main() -> None:
    """Runs the command line, and converts errors to exit codes."""
    open_streams()
    try:
        try:
            app(prog_name="holmgang")
        finally:
            sys.stdout.flush()
    except HolmgangError as error:
        sys.stderr.write(refusal(error))
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader of the output has closed it
            sys.exit(0)
        sys.stderr.write(refusal(error))
        sys.exit(1)
    except Exception as error:
        told = mistake_in_a_game(error)
        if not told:
            raise
        sys.stderr.write(f"holmgang: {told}\n")
        sys.exit(2)


def mistake_in_a_game(error: Exception) -> str:
    """The error as one line, if the code of a game that was loaded from a file has raised it, or
    has a mistake that may have led to it.
    """
    if "holmgang.games.finding" not in sys.modules:
        return ""
    from holmgang.games.checking import first_mistake
    from holmgang.games.finding import blame
    from holmgang.games.shape import printable

    return printable(blame(error) or first_mistake())


def refusal(error: Exception) -> str:
    from holmgang.games.shape import printable

    return f"holmgang: {printable(str(error))}\n"


def open_streams() -> None:
    """Replaces closed standard streams with the null device, so that no file which is opened later
    takes their place. A stream that cannot encode every character gets plain characters instead,
    and so does every stream in the locale C, for which Python would write UTF-8.
    """
    is_ascii = os.environ.get("LC_ALL") in ("C", "POSIX") and "PYTHONIOENCODING" not in os.environ
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and (is_ascii or codecs.lookup(stream.encoding).name != "utf-8"):
            import holmgang.terminal.glyphs  # noqa: F401 - registers the error handler

            encoding = "ascii" if is_ascii else stream.encoding
            stream.reconfigure(encoding=encoding, errors="holmgang")
