"""A record as a row of frames to look at: the start, and the state after each round."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from holmgang.engine import record as records
from holmgang.engine.duel import Round
from holmgang.engine.record import Record
from holmgang.games.contract import SEATS
from holmgang.games.shape import printable

GAUGES = ("score", "hp", "stamina")
"""The number of a seat that tells who is ahead, in the games that have one."""

LONGEST_NAME = 30
UNFINISHED = "Unfinished: it has no result."
BLOCKS = "▁▂▃▄▅▆▇█"


class Frame(NamedTuple):
    state: Any
    shown: dict[str, Any]
    revealed: Round | None
    """The round that led here; None at the start."""


@dataclass(frozen=True)
class Replay:
    """A record that was played again, and found to happen as it says."""

    record: Record
    frames: list[Frame]
    ending: str

    @property
    def names(self) -> dict[str, str]:
        return names_of(self.record)


def names_of(record: Record) -> dict[str, str]:
    """Who sat where, as far as the record says."""
    found = {seat: record.header["seats"].get(seat) for seat in SEATS}
    return {
        seat: name_of(who) if isinstance(who, dict) and "name" in who else seat
        for seat, who in found.items()
    }


def players_of(record: Record) -> dict[str, str]:
    """How the players are named where one is asked for; their names, if the record does not say."""
    players = names_of(record)
    for seat in SEATS:
        who = record.header["seats"].get(seat)
        if isinstance(who, dict) and isinstance(who.get("player"), str):
            players[seat] = who["player"]
    return players


def name_of(who: dict[str, Any]) -> str:
    """A player's name, which may be anything, as a terminal may show it."""
    name = printable(str(who["name"]))
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def read_replay(path: Path) -> Replay:
    """Raises RecordError or ReplayError for a record that is unsound; it may be incomplete."""
    return replay_of(records.read(path))


def replay_of(record: Record) -> Replay:
    """Plays a record again. Raises ReplayError."""
    frames: list[Frame] = []
    for duel in records.replaying(record):
        if len(frames) == len(duel.rounds) + 1:
            continue  # the same state once more, now with its result
        revealed = duel.rounds[-1] if duel.rounds else None
        frames.append(Frame(duel.state, duel.state_json, revealed))
    ending = duel.ending() if record.is_complete else UNFINISHED
    return Replay(record, frames, ending)


def chance_text(revealed: Round) -> str:
    """What was thrown, in words; empty if nothing was."""
    return chance_words(revealed.chance)


def chance_words(chance: dict[str, Any] | None) -> str:
    thrown = (chance or {}).items()
    words = {True: "yes", False: "no"}
    return ", ".join(
        f"{name.replace('_', ' ')} {words.get(value, value) if type(value) is bool else value}"
        for name, value in thrown
        if value is not None
    )


def gauge_name(replay: Replay) -> str | None:
    """Which number of the two seats to draw over the rounds; None if the game has no such one."""
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
    """The values as blocks, one each, or as many as the width allows.

    >>> sparkline([0, 1, 2, 3], 3, 10)
    '▁▃▆█'
    """
    top = len(BLOCKS) - 1
    heights = (round(values[at] * top / max(1, most)) for at in sampled(len(values), width))
    return "".join(BLOCKS[max(0, min(top, height))] for height in heights)


def sampled(count: int, width: int) -> list[int]:
    """Which of `count` places are drawn in a width; all, if there is room."""
    if count <= width:
        return list(range(count))
    return [column * (count - 1) // (width - 1) for column in range(width)]
