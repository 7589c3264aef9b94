"""Commands of seats."""

from hashlib import blake2b
from typing import NamedTuple

from holmgang.games.shape import brief
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


class Cause(NamedTuple):
    """The command that leads to an event."""

    seat: str
    id: str
    digest: str | None
    """None in the logs of older versions."""


class DoneCommands:
    """The commands of a match that were carried out. It never changes, except that what is durable
    is shared by all.
    """

    def __init__(self) -> None:
        self._durable: dict[tuple[str, str], str | None] = {}
        self._new: dict[tuple[str, str], str | None] = {}

    def plus(self, done: Cause) -> "DoneCommands":
        more = DoneCommands()
        more._durable = self._durable
        more._new = {**self._new, (done.seat, done.id): done.digest}
        return more

    def stored(self) -> "DoneCommands":
        """The same when all of them are durable."""
        self._durable.update(self._new)
        same = DoneCommands()
        same._durable = self._durable
        return same

    def has(self, asked: Cause) -> bool:
        """Whether this command was carried out. Raises `Refused` if its id was used for another."""
        key = asked.seat, asked.id
        known = self._new if key in self._new else self._durable
        if key not in known:
            return False
        if known[key] not in (None, asked.digest):
            raise Refused("bad", f"id {brief(asked.id)} was used for another command")
        return True
