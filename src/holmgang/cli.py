"""The command `holmgang`: one thin command for each verb.

What a command needs is imported when it runs, so that `holmgang --help` answers at once. Every
refusal is one line on stderr and exit code 2.
"""

import codecs
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
Trust = Annotated[
    bool, typer.Option("--trust", help="Run the bots as ordinary programs, in no sandbox.")
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


def main() -> None:
    """Runs the command line, and turns every way to end into an exit code."""
    open_streams()
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


def open_streams() -> None:
    """Replaces closed standard streams with the null device, so that no file which is opened later
    is taken for one of them. A stream that cannot take every character gets plain ones instead, and
    so does every stream in the locale C, for which Python would write UTF-8.
    """
    is_ascii = os.environ.get("LC_ALL") in ("C", "POSIX") and "PYTHONIOENCODING" not in os.environ
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and (is_ascii or codecs.lookup(stream.encoding).name != "utf-8"):
            import holmgang.terminal.glyphs  # noqa: F401 - which knows what stands for them

            encoding = "ascii" if is_ascii else stream.encoding
            stream.reconfigure(encoding=encoding, errors="holmgang")


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
            "--vs", metavar="WHO", help="Who plays blue: a level, a bot, or human at this keyboard."
        ),
    ] = None,
    red: Annotated[
        str, typer.Option(metavar="WHO", help="Who plays red: human, a level or a bot.")
    ] = "human",
    wins: Annotated[
        int | None,
        typer.Option(min=1, max=99, metavar="N", help="Games to win; the game's own if missing."),
    ] = None,
    seed: Seed = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the records; your data folder if missing."),
    ] = None,
    trust: Trust = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines of text: for pipes, scripts, screen readers.")
    ] = False,
) -> None:
    """Play a duel in the terminal, against a level, a bot or a person at the same keyboard."""
    from holmgang.terminal.play import play_match

    play_match(
        game, red=red, blue=vs, wins=wins, seed=seed, records=records, trust=trust, plain=plain
    )


@app.command()
def resume(
    record: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="A record of the match (default: the newest unfinished match)."
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the records (default: in your data folder)."),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines of text: for pipes, scripts, screen readers.")
    ] = False,
) -> None:
    """Continue a match that was interrupted."""
    from holmgang.terminal.play import resume_match

    resume_match(record, records=records, plain=plain)


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
    most_mib: Annotated[
        int,
        typer.Option(
            "--most-mib", min=1, metavar="N", help="Refuse a game that needs more memory, in MiB."
        ),
    ] = 2048,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON.")] = False,
) -> None:
    """Solve a game exactly, prove it, and keep the table."""
    from holmgang.terminal.truth import check_table, solve_ruleset

    if (game is None) == (check is None):
        raise UsageError("give a game to solve, such as bagh, or --check and a table")
    if check is not None:
        check_table(check, as_json=as_json)
    elif game is not None:
        solve_ruleset(game, out=out, most_states=most_states, most_mib=most_mib, as_json=as_json)


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
    seed: Seed = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="All cores if missing.")
    ] = None,
    red: Annotated[str, typer.Option(help="Who plays red: a level or a bot.")] = "random",
    blue: Annotated[str, typer.Option(help="Who plays blue.")] = "random",
    trust: Trust = False,
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
        trust=trust,
        as_json=as_json,
    )


Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT…",
        help="Levels, folders with a bot.toml, command lines in quotes; NAME=BOT to name one.",
    ),
]
TurnMs = Annotated[float, typer.Option(min=1, max=3_600_000, help="Milliseconds for an answer.")]
FirstMs = Annotated[
    float, typer.Option(min=1, max=3_600_000, help="For the first answer of a game.")
]
HardMs = Annotated[float, typer.Option(min=1, max=3_600_000, help="Wall-clock limit per answer.")]
GameMs = Annotated[
    float | None,
    typer.Option(min=1, max=3_600_000, help="Time budget of a bot for a whole game."),
]
Strikes = Annotated[int, typer.Option(min=0, max=10**6, help="Late answers tolerated per game.")]
MemoryMb = Annotated[int, typer.Option(min=16, max=10**6, help="Memory of a bot, in the sandbox.")]
Ponder = Annotated[
    bool,
    typer.Option(
        "--ponder", help="Let a bot think in the opponent's time (default: it is stopped then)."
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers", "-j", min=1, max=1024, help="Number of worker processes (default: all cores)."
    ),
]
Starts = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Starting positions, one state per line."),
]
Log = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Write a log per game: what each bot was sent and answered."
    ),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on this Dask cluster instead.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Where it is kept and goes on; your data folder if missing."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object, nothing else.")]
LeagueFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The league's folder.")]


@app.command(epilog="Example: holmgang draw bagh --after 'b/a g/h' --png board.png")
def draw(
    game: GameText,
    state: Annotated[
        str | None,
        typer.Argument(metavar="STATE", help="State as JSON or short text (default: the start)."),
    ] = None,
    after: Annotated[
        str, typer.Option(metavar="LINE", help="Rounds played from there, such as 'b/a g/h'.")
    ] = "",
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="SVG file to write; - for standard output.")
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="PNG file to write.")] = None,
    width: Annotated[
        int, typer.Option(min=16, max=8192, help="Width of the PNG in pixels.")
    ] = 1200,
    theme: Annotated[
        str, typer.Option(help="light or dark (default: light in PNG, the viewer's in SVG).")
    ] = "",
) -> None:
    """Draw a state as an SVG or PNG picture."""
    from holmgang.terminal.draw import draw_state

    draw_state(game, state, after=after, svg=svg, png=png, width=width, theme=theme)


def log_folder(log: Path | None) -> str | None:
    """The folder for logs, which can be written from wherever a game is played."""
    if log is None:
        return None
    from holmgang.terminal.records import check_folder

    check_folder(log, "logs")
    return str(log.absolute())


@app.command("new-bot", epilog="Such as: holmgang new-bot bagh egil --lang rust")
def new_bot(
    game: GameText,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="A new folder; its name becomes the bot's. GAME-LANG if missing.",
        ),
    ] = None,
    lang: Annotated[
        str,
        typer.Option(metavar="LANG", help="python, javascript, c, cpp, rust, java or go."),
    ] = "python",
    protocol: Annotated[
        str, typer.Option(help="json; for fencing also codingame.", metavar="PROTOCOL")
    ] = "json",
    as_json: AsJson = False,
) -> None:
    """Write a small bot that plays, in a language of your choice, for you to make better."""
    from holmgang.terminal.new_bot import run

    run(game, folder, language=lang, protocol=protocol, as_json=as_json)


@app.command(epilog="It is sound with exit code 0, and not with 1.")
def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A folder with a bot.toml, or a command line.")
    ],
    game: GameText,
    games: Annotated[
        int, typer.Option(min=1, max=10**6, help="How many games to play against random.")
    ] = 10,
    seed: Seed = None,
    build: Annotated[
        bool, typer.Option("--build", help="First run the build command of its bot.toml.")
    ] = False,
    turn_ms: TurnMs = 50,
    first_ms: FirstMs = 1000,
    hard_ms: HardMs = 10_000,
    game_ms: GameMs = None,
    memory_mb: MemoryMb = 1024,
    trust: Trust = False,
    ponder: Ponder = False,
    records: Annotated[Path | None, typer.Option(help="Folder for records of the games.")] = None,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Is a bot sound? How it starts, answers and takes its time, and what it would lose for."""
    from holmgang.arena.task import Settings
    from holmgang.terminal.check import run

    run(
        bot,
        game,
        games=games,
        seed=seed,
        build=build,
        settings=Settings(
            first_ms=first_ms,
            turn_ms=turn_ms,
            hard_ms=hard_ms,
            game_ms=game_ms,
            trust=trust,
            ponder=ponder,
            records=None if records is None else str(records),
            log=log_folder(log),
            memory_mb=memory_mb,
        ),
        as_json=as_json,
    )


@app.command(epilog="A bot: holmgang match bagh 'python3 bot.py' random --games 100")
def match(
    game: GameText,
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A level (random, greedy, search, perfect, exploiter), a folder with a bot.toml,"
            " or a command line in quotes; NAME=BOT to name it.",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    games: Annotated[int, typer.Option(min=1, max=10**6, help="How many games to play.")] = 10,
    seed: Seed = None,
    swap: Annotated[
        bool,
        typer.Option(
            "--swap/--no-swap", help="Exchange seats after every game, or let A always be red."
        ),
    ] = True,
    turn_ms: TurnMs = 50,
    first_ms: FirstMs = 1000,
    hard_ms: HardMs = 10_000,
    game_ms: GameMs = None,
    strikes: Strikes = 0,
    memory_mb: MemoryMb = 1024,
    trust: Trust = False,
    starts: Starts = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder to keep the match in; the same command resumes it."
        ),
    ] = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    ponder: Ponder = False,
    records: Annotated[Path | None, typer.Option(help="Folder for records of the games.")] = None,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Play a match between two bots or levels, and show the score and their times."""
    from holmgang.arena.task import Settings
    from holmgang.terminal.match import run

    settings = Settings(
        first_ms=first_ms,
        turn_ms=turn_ms,
        hard_ms=hard_ms,
        game_ms=game_ms,
        strikes=strikes,
        trust=trust,
        ponder=ponder,
        records=None if records is None else str(records),
        log=log_folder(log),
        memory_mb=memory_mb,
    )
    run(
        game,
        first,
        second,
        games=games,
        seed=seed,
        swap=swap,
        starts=starts,
        settings=settings,
        out=out,
        workers=workers,
        cluster=cluster,
        as_json=as_json,
    )


@app.command(epilog="Again, it goes on: holmgang tournament bagh A B C --games 100 --out cup")
def tournament(
    game: GameText,
    bots: Bots,
    format_: Annotated[
        str, typer.Option("--format", help="round-robin, gauntlet, swiss or knockout.")
    ] = "round-robin",
    games: Annotated[
        int, typer.Option(min=2, max=10**6, help="How often two bots meet; an even number.")
    ] = 20,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Of a Swiss tournament; as needed.")
    ] = None,
    seed: Seed = None,
    starts: Starts = None,
    out: Out = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    turn_ms: TurnMs = 50,
    first_ms: FirstMs = 1000,
    hard_ms: HardMs = 10_000,
    game_ms: GameMs = None,
    strikes: Strikes = 0,
    memory_mb: MemoryMb = 1024,
    trust: Trust = False,
    log: Log = None,
    ponder: Ponder = False,
    as_json: AsJson = False,
) -> None:
    """Let many bots meet: ratings with intervals, who beats whom, and a page of it all."""
    from holmgang.arena.task import Settings
    from holmgang.terminal.standings import run_tournament

    run_tournament(
        game,
        bots,
        format_=format_,
        games=games,
        rounds=rounds,
        seed=seed,
        starts=starts,
        settings=Settings(
            first_ms=first_ms,
            turn_ms=turn_ms,
            hard_ms=hard_ms,
            game_ms=game_ms,
            strikes=strikes,
            trust=trust,
            log=log_folder(log),
            ponder=ponder,
            memory_mb=memory_mb,
        ),
        out=out,
        workers=workers,
        cluster=cluster,
        as_json=as_json,
    )


@app.command(epilog="Such as: holmgang better bagh ./bot ./bot-before --elo1 30")
def better(
    game: GameText,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version; see tournament.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="What it is compared with.")],
    elo0: Annotated[float, typer.Option(help="No better than this is not better.")] = 0,
    elo1: Annotated[float, typer.Option(help="Better by this is better.")] = 20,
    alpha: Annotated[float, typer.Option(help="How often 'better' may be wrong.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often 'not better' may be wrong.")] = 0.05,
    games: Annotated[
        int, typer.Option(min=40, max=10**7, help="Most games to be played; an even number.")
    ] = 10_000,
    seed: Seed = None,
    starts: Starts = None,
    out: Out = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    turn_ms: TurnMs = 50,
    first_ms: FirstMs = 1000,
    hard_ms: HardMs = 10_000,
    game_ms: GameMs = None,
    strikes: Strikes = 0,
    memory_mb: MemoryMb = 1024,
    trust: Trust = False,
    log: Log = None,
    ponder: Ponder = False,
    as_json: AsJson = False,
) -> None:
    """Is my new version better? Plays pairs of games until that is known, with stated errors."""
    from holmgang.arena.counting.sprt import Hypotheses
    from holmgang.arena.task import Settings
    from holmgang.terminal.standings import run_test

    run_test(
        game,
        new,
        old,
        hypotheses=Hypotheses(elo0, elo1, alpha, beta),
        games=games,
        seed=seed,
        starts=starts,
        settings=Settings(
            first_ms=first_ms,
            turn_ms=turn_ms,
            hard_ms=hard_ms,
            game_ms=game_ms,
            strikes=strikes,
            trust=trust,
            log=log_folder(log),
            ponder=ponder,
            memory_mb=memory_mb,
        ),
        out=out,
        workers=workers,
        cluster=cluster,
        as_json=as_json,
    )


league = typer.Typer(
    help="A standing league in a folder: add bots any time, play whenever there is time.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(league, name="league")


@league.command("init")
def league_init(
    folder: LeagueFolder,
    game: GameText,
    seed: Seed = None,
    turn_ms: TurnMs = 50,
    first_ms: FirstMs = 1000,
    hard_ms: HardMs = 10_000,
    game_ms: GameMs = None,
    strikes: Strikes = 0,
    memory_mb: MemoryMb = 1024,
    trust: Trust = False,
    ponder: Ponder = False,
) -> None:
    """Make a new league of one game."""
    from holmgang.arena.task import Settings
    from holmgang.terminal.standings import init_league

    init_league(
        folder,
        game,
        seed,
        Settings(
            first_ms=first_ms,
            turn_ms=turn_ms,
            hard_ms=hard_ms,
            game_ms=game_ms,
            strikes=strikes,
            trust=trust,
            ponder=ponder,
            memory_mb=memory_mb,
        ),
    )


@league.command("add")
def league_add(folder: LeagueFolder, bots: Bots, as_json: AsJson = False) -> None:
    """Enter bots, or new versions of them: a copy of each is kept."""
    from holmgang.terminal.standings import add_bots

    add_bots(folder, bots, as_json=as_json)


@league.command("retire")
def league_retire(
    folder: LeagueFolder, name: Annotated[str, typer.Argument(metavar="NAME", help="The bot.")]
) -> None:
    """Take a bot out of the games to come; add it again to bring it back."""
    from holmgang.terminal.standings import retire_bot

    retire_bot(folder, name)


@league.command("run")
def league_run(
    folder: LeagueFolder,
    games: Annotated[
        int | None, typer.Option(min=1, help="So many; until Ctrl-C if nothing is said.")
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="For so long.")] = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Play, the most informative games first."""
    from holmgang.terminal.standings import run_league

    run_league(
        folder,
        games=games,
        minutes=minutes,
        workers=workers,
        cluster=cluster,
        log=log_folder(log),
        as_json=as_json,
    )


@league.command("table")
def league_table(
    folder: LeagueFolder,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A line for each bot.")] = False,
) -> None:
    """Show the table, while games go on or not."""
    from holmgang.terminal.standings import show_league

    show_league(folder, as_json=as_json, as_csv=as_csv)


@league.command("page")
def league_page(folder: LeagueFolder) -> None:
    """Write the web page and the tables anew, and say where the page is."""
    from holmgang.terminal.standings import write_page

    write_page(folder)
