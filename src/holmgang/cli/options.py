"""Options and arguments that several commands share, and the objects made from them."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from holmgang.arena.task import JudgeSettings
    from holmgang.terminal.standings import ContestOptions


def load_game(text: str | None) -> str | None:
    """The text of a ruleset that is named on the command line, after loading a game that is named
    by its path.
    """
    if text is None:
        return None
    from holmgang.games.finding import is_outside, load

    return load(text).text if is_outside(text) else text


def load_games(sources: list[str] | None) -> list[str] | None:
    """Loads games by their paths or names."""
    if sources:
        from holmgang.games.finding import add_all

        for source in sources:
            add_all(source)
    return sources


GAME_HELP = "Game or ruleset, such as bagh, bagh:max_boost=4 or ./my_game.py."
GameText = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, callback=load_game)]
Games = Annotated[
    list[str] | None,
    typer.Option(
        "--games",
        metavar="PATH",
        help="More games: a file, a folder of them, or the name of an installed one.",
        callback=load_games,
    ),
]
StateText = Annotated[
    str | None,
    typer.Argument(metavar="STATE", help="State as JSON or short text (default: the start)."),
]
AfterLine = Annotated[
    str,
    typer.Option(
        "--after", metavar="LINE", help='Rounds to play from that state: "b/a g/h a/g=2".'
    ),
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
        help="Random seed for dice and AI choices (default: random).",
    ),
]
Plain = Annotated[
    bool,
    typer.Option("--plain", help="Plain lines of text, for pipes, scripts and screen readers."),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://… (default: a file in your data folder).",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

# Settings of the judge

TurnMs = Annotated[float, typer.Option(min=1, max=3_600_000, help="Time limit per answer, in ms.")]
FirstMs = Annotated[
    float,
    typer.Option(min=1, max=3_600_000, help="Time limit for the first answer of a game, in ms."),
]
HardMs = Annotated[
    float, typer.Option(min=1, max=3_600_000, help="Wall-clock limit per answer, in ms.")
]
GameMs = Annotated[
    float | None,
    typer.Option(min=1, max=3_600_000, help="Time budget per bot and game, in ms (default: none)."),
]
Strikes = Annotated[int, typer.Option(min=0, max=10**6, help="Late answers tolerated per game.")]
MemoryMb = Annotated[
    int, typer.Option(min=16, max=10**6, help="Memory limit per bot in the sandbox, in MB.")
]
Trust = Annotated[bool, typer.Option("--trust", help="Run bots without the sandbox.")]
Ponder = Annotated[
    bool,
    typer.Option(
        "--ponder", help="Let bots think in the opponent's time (default: they are stopped)."
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
        metavar="FOLDER",
        help="Folder for results; resumes from it (default: in your data folder; match: none).",
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers", "-j", min=1, max=1024, help="Number of worker processes (default: all cores)."
    ),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Address of a Dask cluster to play on.")
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
) -> "JudgeSettings":
    from holmgang.arena.task import JudgeSettings

    return JudgeSettings(
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


def make_contest(
    seed: Seed = None,
    starts: Starts = None,
    out: Out = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    *,
    settings: "JudgeSettings",
    as_json: AsJson = False,
) -> "ContestOptions":
    from holmgang.terminal.standings import ContestOptions

    return ContestOptions(seed, starts, settings, out, workers, cluster, as_json)


Made = TypeVar("Made")
Command = Callable[..., Made]


def with_settings(*, without: tuple[str, ...] = ()) -> Callable[[Command[Made]], Command[Made]]:
    """Gives a command the options of `make_settings`, except some, for its parameter `settings`."""
    return expanding("settings", make_settings, without)


def with_contest(*, without: tuple[str, ...] = ()) -> Callable[[Command[Made]], Command[Made]]:
    """Gives a command the options of a contest for its parameter `contest`, and those of
    `make_settings`, except some.
    """
    return expanding("contest", with_settings(without=without)(make_contest))


def expanding(
    name: str, make: Callable[..., object], without: tuple[str, ...] = ()
) -> Callable[[Command[Made]], Command[Made]]:
    """Replaces a command's parameter of that name by the parameters of `make`, and passes it the
    result of `make`.
    """
    shared = [
        option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for option in inspect.signature(make).parameters.values()
        if option.name not in without
    ]

    def decorate(command: Command[Made]) -> Command[Made]:
        @functools.wraps(command)
        def run(**given: Any) -> Made:
            made = make(**{option.name: given.pop(option.name) for option in shared})
            return command(**{name: made}, **given)

        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            parameters += shared if own.name == name else [own]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def need_web() -> None:
    """Raises `UsageError` if the packages of the server are not installed."""
    need_packages(
        "the server",
        "web",
        ("alembic", "argon2", "fastapi", "httptools", "prometheus_client", "sqlalchemy",
         "uvicorn", "uvloop", "websockets"),
    )  # fmt: skip


def need_discord() -> None:
    """Raises `UsageError` if the packages of the Discord bot are not installed."""
    need_packages("the Discord bot", "discord", ("alembic", "discord", "resvg_py", "sqlalchemy"))


def need_packages(what: str, extra: str, needed: tuple[str, ...]) -> None:
    from importlib.util import find_spec

    from holmgang.errors import UsageError

    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"{what} needs packages that are not installed ({', '.join(missing)}): "
            f"pip install 'holmgang[{extra}]'"
        )


def log_folder(log: Path | None) -> str | None:
    """The folder for logs as an absolute path, after checking that it is writable."""
    if log is None:
        return None
    from holmgang.engine.keeping import check_folder

    check_folder(log, "logs")
    return str(log.absolute())
