"""The command `holmgang play`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import Plain, Seed, Trust, load_game
from holmgang.errors import UsageError

EPILOG = (
    "Without arguments, shows a menu. Examples: holmgang play bagh --vs random; "
    "holmgang play bagh --server http://localhost:8000 --vs anyone"
)


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Game or ruleset (default: ask).", callback=load_game),
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs",
            metavar="WHO",
            help="Blue player: a level, a bot, or human; on a server the opponent: a level, a "
            "hosted bot, link or anyone (default: ask).",
        ),
    ] = None,
    red: Annotated[
        str, typer.Option(metavar="WHO", help="Red player: human, a level or a bot.")
    ] = "human",
    wins: Annotated[
        int | None,
        typer.Option(min=1, max=99, metavar="N", help="Games to win (default: set by the game)."),
    ] = None,
    seed: Seed = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the records (default: in your data folder)."),
    ] = None,
    trust: Trust = False,
    plain: Plain = False,
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Server to play on (default: play locally).")
    ] = None,
    join: Annotated[
        str | None,
        typer.Option(metavar="MATCH", help="Match on a server to join or watch: link or id."),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Account on the server (default: play as a guest)."),
    ] = None,
    register: Annotated[
        bool, typer.Option("--register", help="Create the account given with --user.")
    ] = False,
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Seat on a server: red or blue (default: random)."),
    ] = None,
    seconds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Time for each choice on a server: 15, 60 or 86400 (default: no limit).",
        ),
    ] = None,
    on_timeout: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Effect of a timeout on a server: lose loses the match, harmless makes the game's "
            "harmless choice (default: lose).",
        ),
    ] = None,
) -> None:
    """Play a match against a level, a bot or a person, here or on a server."""
    online = {"--seat": seat, "--seconds": seconds, "--on-timeout": on_timeout}
    if server is None and join is None:
        refuse({"--user": user, "--register": register, **online}, "without --server or --join")
        from holmgang.terminal.play import play_match

        play_match(
            game, red=red, blue=vs, wins=wins, seed=seed, records=records, trust=trust, plain=plain
        )
        return
    local = {"--red": red != "human", "--seed": seed, "--records": records, "--trust": trust}
    refuse(local, "on a server")
    if user is None:
        refuse({"--register": register}, "without --user")
    if join is not None:
        refuse({"GAME": game, "--vs": vs, "--wins": wins, **online}, "with --join")
    from holmgang.terminal.online.play import make_wish, play_online

    wish = make_wish(game, vs, seat=seat, seconds=seconds, on_timeout=on_timeout, wins=wins)
    play_online(wish, server=server, join=join, user=user, register=register, plain=plain)


def refuse(options: Mapping[str, object], where: str) -> None:
    """Raises `UsageError` if one of these options was given."""
    given = [name for name, value in options.items() if value is not None and value is not False]
    if given:
        raise UsageError(f"{given[0]} cannot be used {where}")
