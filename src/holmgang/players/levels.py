"""The levels: opponents by name, each with a line that says what to expect.

Some take a setting behind a colon: `search:50` thinks for 50 milliseconds a choice.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from math import inf
from typing import Any, NamedTuple

from holmgang.errors import UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players.player import Player
from holmgang.players.random import RandomPlayer
from holmgang.players.readiness import Ready, ReadyToLookOneAhead, ReadyToLookUp, ReadyToSearch

SEARCH_MS = 100.0
STRONGEST_MS = 1000.0  # what the strongest search takes for a choice, where there is no table
RISK = 0.1

Seat = Callable[[int], Player]
"""Makes the player for one duel from the secret key of its seat."""


class Level(NamedTuple):
    name: str
    line: str
    seat: Seat
    ready: Ready

    def forget(self) -> None:
        """Drops what it has learned from earlier games, if it learns."""
        if isinstance(self.seat, Exploiters):
            self.seat.forget()


# How each is made. Searching and tables are imported when they are needed.


def searching(name: str, budget_ms: float | None = None, depth: int | None = None) -> Seat:
    from holmgang.players.mixing import MixingPlayer
    from holmgang.solver.position import Position, in_words
    from holmgang.solver.search.dispatch import search

    def ask(ruleset: Ruleset, state: Any) -> Position:
        return in_words(ruleset, search(ruleset, state, budget_ms=budget_ms, depth=depth))

    return lambda key: MixingPlayer(name, ask, key)


def perfect(name: str) -> Seat:
    from holmgang.players.mixing import MixingPlayer
    from holmgang.solver.oracle import Oracle
    from holmgang.solver.position import Position

    oracles: dict[Ruleset, Oracle] = {}

    def ask(ruleset: Ruleset, state: Any) -> Position:
        if ruleset not in oracles:
            oracles[ruleset] = Oracle(ruleset, budget_ms=STRONGEST_MS)
        return oracles[ruleset].position(state)

    return lambda key: MixingPlayer(name, ask, key)


class Exploiters:
    """The players of a match against one opponent, who share what they know of its habits."""

    def __init__(self, name: str, risk: float) -> None:
        from holmgang.solver.oracle import Oracle

        @cache
        def oracle_of(ruleset: Ruleset) -> Oracle:
            return Oracle(ruleset, budget_ms=SEARCH_MS)

        self._name, self._risk, self._oracle_of = name, risk, oracle_of
        self.forget()

    def __call__(self, key: int) -> Player:
        from holmgang.players.exploiter import ExploitingPlayer

        return ExploitingPlayer(self._name, self._oracle_of, self._habits, self._risk, key)

    def forget(self) -> None:
        from holmgang.players.exploiter import Habits

        self._habits = Habits()


class Kind(NamedTuple):
    line: str
    made: Callable[..., Seat]
    ready: Ready
    setting: str = ""
    usual: float = 0.0
    most: float = inf


KINDS: Mapping[str, Kind] = {
    "random": Kind(
        "picks any legal choice, all equally likely", lambda name: RandomPlayer, Ready()
    ),
    "greedy": Kind("looks one round ahead", partial(searching, depth=1), ReadyToLookOneAhead()),
    "search": Kind(
        "looks ahead for a tenth of a second; search:MS for as long as you like",
        searching,
        ReadyToSearch(),
        "milliseconds for a choice",
        SEARCH_MS,
        3_600_000,
    ),
    "perfect": Kind(
        "never errs where the game is solved; elsewhere it searches for long",
        perfect,
        ReadyToLookUp(),
    ),
    "exploiter": Kind(
        "learns your habits and uses them; exploiter:RISK for how much it may stake",
        Exploiters,
        ReadyToLookUp(),
        "what it may stake in a duel, in value",
        RISK,
        2,
    ),
}


def find_level(text: str) -> Level:
    """The level of that name, for one match. Raises `UsageError` if there is none."""
    name, colon, setting = text.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        raise UsageError(f"no level {brief(text)}; there are {', '.join(KINDS)}")
    if kind.setting:
        seat = kind.made(text, parse_setting(kind, text, setting, colon != ""))
    elif colon:
        raise UsageError(f"the level {name} has no setting, so not {brief(text)}")
    else:
        seat = kind.made(text)
    return Level(text, kind.line, seat, kind.ready)


def parse_setting(kind: Kind, text: str, setting: str, is_given: bool) -> float:
    if not is_given:
        return kind.usual
    try:
        value = float(setting)
    except ValueError:
        value = -1.0
    if not 0 < value <= kind.most or not setting.isascii():
        name = text.partition(":")[0]
        raise UsageError(
            f"{brief(text)}: after {name}: stands a number above 0 and up to {kind.most:,g}, "
            f"{kind.setting}"
        )
    return value
