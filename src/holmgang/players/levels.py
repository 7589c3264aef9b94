"""The levels: opponents by name, each with a line that says what to expect.

Some take a setting behind a colon: `search:50` thinks for 50 milliseconds a choice.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from math import inf
from typing import Any, NamedTuple, Protocol

from holmgang.engine.compiled.native import Announce
from holmgang.errors import UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players.player import Player
from holmgang.players.random import RandomPlayer

SEARCH_MS = 100.0
STRONGEST_MS = 1000.0  # what the strongest search takes for a choice, where there is no table
RISK = 0.1

Seat = Callable[[int], Player]
"""Makes the player for one duel from the duel's seed."""


class Ready(Protocol):
    """Does beforehand what takes long: compiles; solves the ruleset too, if there is time to wait
    and that is soon done.
    """

    def __call__(self, ruleset: Ruleset, announce: Announce, *, wait: bool) -> None: ...


class Level(NamedTuple):
    name: str
    line: str
    seat: Seat
    ready: Ready


# Getting ready. Searching and tables are imported when they are needed.


def ready_at_once(ruleset: Ruleset, announce: Announce, *, wait: bool) -> None:
    """There is nothing to be done."""


def ready_to_search(ruleset: Ruleset, announce: Announce, *, wait: bool) -> None:
    from holmgang.solver.search.dispatch import search

    search(ruleset, ruleset.game.rules.initial(ruleset.rules), depth=1, announce=announce)


def ready_to_look_up(ruleset: Ruleset, announce: Announce, *, wait: bool) -> None:
    from holmgang.solver.tables import build_by_the_way, find_table

    if wait:
        build_by_the_way(ruleset, announce=announce)
    if find_table(ruleset) is None:
        ready_to_search(ruleset, announce, wait=wait)


# How each is made


def searching(name: str, budget_ms: float | None = None, depth: int | None = None) -> Seat:
    from holmgang.players.mixing import MixingPlayer
    from holmgang.solver.position import Position, in_words
    from holmgang.solver.search.dispatch import search

    def ask(ruleset: Ruleset, state: Any) -> Position:
        return in_words(ruleset, search(ruleset, state, budget_ms=budget_ms, depth=depth))

    return lambda seed: MixingPlayer(name, ask, seed)


def perfect(name: str) -> Seat:
    from holmgang.players.mixing import MixingPlayer
    from holmgang.solver.oracle import Oracle
    from holmgang.solver.position import Position

    oracles: dict[Ruleset, Oracle] = {}

    def ask(ruleset: Ruleset, state: Any) -> Position:
        if ruleset not in oracles:
            oracles[ruleset] = Oracle(ruleset, budget_ms=STRONGEST_MS)
        return oracles[ruleset].position(state)

    def note() -> str:
        is_building = any(oracle.is_building for oracle in oracles.values())
        return "searching while its table is built" if is_building else ""

    return lambda seed: MixingPlayer(name, ask, seed, note)


def exploiter(name: str, risk: float) -> Seat:
    """One opponent for one match, whose habits it remembers."""
    from holmgang.players.exploiter import ExploitingPlayer, Habits
    from holmgang.solver.oracle import Oracle

    @cache
    def oracle_of(ruleset: Ruleset) -> Oracle:
        return Oracle(ruleset, budget_ms=SEARCH_MS)

    habits = Habits()
    return lambda seed: ExploitingPlayer(name, oracle_of, habits, risk, seed)


class Kind(NamedTuple):
    line: str
    made: Callable[..., Seat]
    ready: Ready
    setting: str = ""
    usual: float = 0.0
    most: float = inf


KINDS: Mapping[str, Kind] = {
    "random": Kind(
        "picks any legal choice, all equally likely", lambda name: RandomPlayer, ready_at_once
    ),
    "greedy": Kind("looks one round ahead", partial(searching, depth=1), ready_to_search),
    "search": Kind(
        "looks ahead for 100 ms; search:MS sets the time",
        searching,
        ready_to_search,
        "milliseconds for a choice",
        SEARCH_MS,
        3_600_000,
    ),
    "perfect": Kind(
        "unbeatable in expectation where the game is solved",
        perfect,
        ready_to_look_up,
    ),
    "exploiter": Kind(
        "learns your habits; exploiter:RISK sets its stake",
        exploiter,
        ready_to_look_up,
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
