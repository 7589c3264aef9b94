"""A record as a sequence of frames to display: the start, and the state after each round."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from holmgang.engine import record as records
from holmgang.engine.duel import Round
from holmgang.engine.record import Record
from holmgang.games.contract import SEATS, State
from holmgang.games.shape import JsonObject, printable

GAUGES = ("score", "hp", "stamina")
"""Names of numbers that show which seat is ahead. Not every game has one."""

LONGEST_NAME = 30
UNFINISHED = "Unfinished: it has no result."
BLOCKS = "▁▂▃▄▅▆▇█"


class Frame(NamedTuple):
    state: State
    shown: JsonObject
    revealed: Round | None
    """The round that led here; None at the start."""


@dataclass(frozen=True)
class Replay:
    """A record that was replayed and found to be correct."""

    record: Record
    frames: list[Frame]
    ending: str

    @property
    def names(self) -> dict[str, str]:
        return names_of(self.record)


def names_of(record: Record) -> dict[str, str]:
    """The name of the player in each seat; `red` or `blue` if the record does not have it."""
    found = {seat: record.header["seats"].get(seat) for seat in SEATS}
    return {
        seat: name_of(who) if isinstance(who, dict) and "name" in who else seat
        for seat, who in found.items()
    }


def players_of(record: Record) -> dict[str, str]:
    """Each player as typed in a command; the player's name if the record does not have that."""
    players = names_of(record)
    for seat in SEATS:
        who = record.header["seats"].get(seat)
        if isinstance(who, dict) and isinstance(who.get("player"), str):
            players[seat] = who["player"]
    return players


def name_of(who: JsonObject) -> str:
    """A player's name, which may be any JSON value, as text that is safe to show in a terminal."""
    name = printable(str(who["name"]))
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def read_replay(path: Path) -> Replay:
    """Reads and replays a record, which may be incomplete. Raises RecordError or ReplayError if it
    is invalid.
    """
    return replay_of(records.read(path))


def replay_of(record: Record) -> Replay:
    """Replays a record. Raises ReplayError."""
    frames: list[Frame] = []
    for duel in records.replaying(record):
        if len(frames) == len(duel.rounds) + 1:
            continue  # the last state again, now with the result
        revealed = duel.rounds[-1] if duel.rounds else None
        frames.append(Frame(duel.state, duel.state_json, revealed))
    ending = duel.ending() if record.is_complete else UNFINISHED
    return Replay(record, frames, ending)


def chance_text(revealed: Round) -> str:
    """The chance outcome in words; empty if no die was thrown."""
    return chance_words(revealed.chance)


def chance_words(chance: JsonObject | None) -> str:
    thrown = (chance or {}).items()
    words = {True: "yes", False: "no"}
    return ", ".join(
        f"{name.replace('_', ' ')} {words.get(value, value) if type(value) is bool else value}"
        for name, value in thrown
        if value is not None
    )


def gauge_name(replay: Replay) -> str | None:
    """The name of the number to plot over the rounds for both seats; None if the game has none."""
    first = replay.frames[0].shown
    sides = [first.get(seat) for seat in SEATS]
    return next(
        (
            name
            for name in GAUGES
            if all(isinstance(side, dict) and type(side.get(name)) is int for side in sides)
        ),
        None,
    )


def gauge_values(replay: Replay, name: str, seat: str) -> list[int]:
    return [frame.shown[seat][name] for frame in replay.frames]


def sparkline(values: list[int], most: int, width: int) -> str:
    """The values as block characters: one for each value, or as many as the width allows.

    >>> sparkline([0, 1, 2, 3], 3, 10)
    '▁▃▆█'
    """
    top = len(BLOCKS) - 1
    heights = (round(values[at] * top / max(1, most)) for at in sampled(len(values), width))
    return "".join(BLOCKS[max(0, min(top, height))] for height in heights)


def sampled(count: int, width: int) -> list[int]:
    """The indices of up to `width` items, evenly spread over `count` items."""
    if count <= width:
        return list(range(count))
    return [column * (count - 1) // (width - 1) for column in range(width)]
