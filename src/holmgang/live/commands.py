"""Commands of seats."""

from hashlib import blake2b

from holmgang.live.refusal import Refused
from holmgang.wire.match import Command

IN_ROUND = ("choose", "withdraw", "offer draw", "decline draw")
"""Commands that belong to one round."""


def check_command(command: Command) -> None:
    """Raises `Refused` for a command that lacks a field or is for sockets only."""
    if command.type in IN_ROUND:
        for name in ("game", "round"):
            if not getattr(command, name):
                raise Refused("bad", f"{name} is a whole number from 1 up")
        if command.type == "choose" and command.choice is None:
            raise Refused("bad", "choice is missing")
    elif command.type == "sync":
        raise Refused("bad", "sync is for sockets")


def digest(command: Command) -> str:
    """A hash of everything but the id, stored with it: an id stands for one command."""
    game, round, choice = 0, 0, ""
    if command.type in IN_ROUND:
        game, round, choice = command.game or 0, command.round or 0, command.choice or ""
    content = f"{command.type}/{game}/{round}/{choice}"
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
