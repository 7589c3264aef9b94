"""Options and arguments that several commands have, and the settings of bots made of them."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from holmgang.arena.task import Settings

GameText = Annotated[
    str, typer.Argument(metavar="GAME", help="A game or ruleset, such as bagh or bagh:max_boost=4.")
]
Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT…",
        help="Levels, folders with a bot.toml, command lines in quotes; NAME=BOT to name one.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=2**64 - 1,
        metavar="N",
        help="Random seed for dice, levels and mixes (default: random).",
    ),
]
Plain = Annotated[
    bool, typer.Option("--plain", help="Lines of text: for pipes, scripts, screen readers.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object, nothing else.")]

# Settings of bots

TurnMs = Annotated[float, typer.Option(min=1, max=3_600_000, help="Milliseconds for an answer.")]
FirstMs = Annotated[
    float, typer.Option(min=1, max=3_600_000, help="For the first answer of a game.")
]
HardMs = Annotated[float, typer.Option(min=1, max=3_600_000, help="Wall-clock limit per answer.")]
GameMs = Annotated[
    float | None, typer.Option(min=1, max=3_600_000, help="Time budget of a bot for a whole game.")
]
Strikes = Annotated[int, typer.Option(min=0, max=10**6, help="Late answers tolerated per game.")]
MemoryMb = Annotated[int, typer.Option(min=16, max=10**6, help="Memory of a bot, in the sandbox.")]
Trust = Annotated[
    bool, typer.Option("--trust", help="Run the bots as ordinary programs, in no sandbox.")
]
Ponder = Annotated[
    bool,
    typer.Option(
        "--ponder", help="Let a bot think in the opponent's time (default: it is stopped then)."
    ),
]
Records = Annotated[Path | None, typer.Option(help="Folder for records of the games.")]
LogFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Write a log per game: what each bot was sent and answered."
    ),
]

# Where and how games of bots are played

Starts = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Starting positions, one state per line.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Where it is kept and goes on; your data folder if missing."
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers", "-j", min=1, max=1024, help="Number of worker processes (default: all cores)."
    ),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on this Dask cluster instead.")
]


def make_settings(
    turn_ms: TurnMs = 50,
    first_ms: FirstMs = 1000,
    hard_ms: HardMs = 10_000,
    game_ms: GameMs = None,
    strikes: Strikes = 0,
    memory_mb: MemoryMb = 1024,
    trust: Trust = False,
    ponder: Ponder = False,
    records: Records = None,
    log: LogFolder = None,
) -> "Settings":
    from holmgang.arena.task import Settings

    return Settings(
        first_ms=first_ms,
        turn_ms=turn_ms,
        hard_ms=hard_ms,
        game_ms=game_ms,
        strikes=strikes,
        trust=trust,
        records=None if records is None else str(records),
        log=log_folder(log),
        ponder=ponder,
        memory_mb=memory_mb,
    )


def with_settings(
    *, without: tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options of `make_settings`, except some, in the place of its parameter
    `settings`.
    """
    options = inspect.signature(make_settings).parameters.values()
    shared = [
        option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for option in options
        if option.name not in without
    ]
    names = [option.name for option in shared]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**given: Any) -> None:
            command(settings=make_settings(**{name: given.pop(name) for name in names}), **given)

        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            parameters += shared if own.name == "settings" else [own]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def log_folder(log: Path | None) -> str | None:
    """The folder for logs, which can be written from wherever a game is played."""
    if log is None:
        return None
    from holmgang.engine.keeping import check_folder

    check_folder(log, "logs")
    return str(log.absolute())
