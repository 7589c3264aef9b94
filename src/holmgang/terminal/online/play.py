"""`holmgang play --server`: connects, signs in, and hands over to the full screen or to lines."""

import getpass
import os
import sys

from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load
from holmgang.games.shape import brief
from holmgang.terminal.dialogue import Dialogue, is_terminal
from holmgang.terminal.online.address import Address, parse_address, parse_match
from holmgang.terminal.online.client import ON_TIMEOUT, Client, MatchWish, connect
from holmgang.terminal.online.line_menu import LineMenu
from holmgang.terminal.online.listing import parse_seconds
from holmgang.terminal.online.session import OnlineSession
from holmgang.terminal.play import has_screen, run_app

PASSWORD = "HOLMGANG_PASSWORD"  # noqa: S105 - the name of a variable


def play_online(
    wish: MatchWish,
    *,
    server: str | None,
    join: str | None,
    user: str | None,
    register: bool,
    plain: bool,
) -> None:
    """Plays on a server: the match to join, the one to open, or one picked from a menu. With
    `register`, the account is new.
    """
    address, match = find_match(server, join)
    client = connect(address, match=match, user=user)
    try:
        if user is not None and not client.is_signed_in(user):
            enter = client.register if register else client.sign_in
            enter(user, ask_password(user, address, is_new=register))
        if has_screen(plain=plain):
            play_on_screen(client, wish, match)
        else:
            play_in_lines(client, wish, match)
    finally:
        client.close()


def make_wish(
    game: str | None,
    opponent: str | None,
    *,
    seat: str | None = None,
    seconds: int | None = None,
    on_timeout: str | None = None,
    wins: int | None = None,
) -> MatchWish:
    """The match that the options of a command line ask for. Raises `UsageError`."""
    ruleset = None if game is None else load(game)
    for name, given, allowed in (
        ("--seat", seat, SEATS),
        ("--on-timeout", on_timeout, ON_TIMEOUT),
    ):
        if given is not None and given not in allowed:
            raise UsageError(f"{name} is {' or '.join(allowed)}; not {brief(given)}")
    limit = parse_seconds(seconds)
    return MatchWish(ruleset, opponent, seat or "random", limit, on_timeout or "lose", wins)


def find_match(server: str | None, join: str | None) -> tuple[Address, str]:
    """The server, and the match to join, if there is one."""
    address = None if server is None else parse_address(server)
    if join is not None:
        return parse_match(join, address)
    assert address is not None  # noqa: S101 - there is one of the two
    return address, ""


def ask_password(user: str, address: Address, *, is_new: bool) -> str:
    """The password, from the environment or from the person, who types a new one twice."""
    if not address.is_private:
        sys.stderr.write(
            f"Warning: {address} is not encrypted; others on the network could read your password."
            "\n"
        )
    given = os.environ.get(PASSWORD)
    if given is not None:
        return given
    if not is_terminal(sys.stdin):
        raise UsageError(f"no password for {user}: set {PASSWORD}")
    typed = getpass.getpass(f"Password of {user} at {address}: ")
    if is_new and getpass.getpass("The same again: ") != typed:
        raise UsageError("the two passwords are different")
    return typed


def first_session(client: Client, wish: MatchWish, match: str) -> OnlineSession | None:
    """The match to begin with; None if one has to be picked or described first."""
    if match:
        return client.join(match)
    return client.open(wish) if wish.is_settled else None


def play_in_lines(client: Client, wish: MatchWish, match: str) -> None:
    dialogue = Dialogue()
    menu = LineMenu(client, dialogue)
    try:
        session = first_session(client, wish, match)
        if session is not None:
            menu.play(session)
        elif wish == MatchWish():
            menu.run()
        else:
            menu.play(client.open(menu.ask_wish(wish)))
    except EOFError:
        dialogue.tell("The input has ended.")


def play_on_screen(client: Client, wish: MatchWish, match: str) -> None:
    from holmgang.terminal.screen.online import OnlineApp

    run_app(OnlineApp(client, wish, first_session(client, wish, match)))
