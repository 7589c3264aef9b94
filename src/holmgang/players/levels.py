"""The levels: computer opponents by name, each with a one-line description.

`beginner`, `easy`, `medium`, `hard` and `perfect` are the ladder for people, each noticeably
stronger than the one before (`graded.py`). The others are for experts and bots.

Some take a setting after a colon: `search:50` thinks for 50 milliseconds per choice. An exploiter
can remember its opponent from game to game: `exploiter:match`, `exploiter:0.2:match`.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from holmgang.errors import UsageError
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players.player import Player
from holmgang.players.random import RandomPlayer
from holmgang.players.readiness import (
    Ready,
    ReadyToGrade,
    ReadyToLookOneAhead,
    ReadyToLookUp,
    ReadyToSearch,
)

if TYPE_CHECKING:
    from holmgang.players.mixing import OracleOf
    from holmgang.solver.evaluation import Evaluation

SEARCH_MS = 100.0
STRONGEST_MS = 800.0  # per choice for the strongest search, if there is no table
RISK = 0.1
MATCH = "match"  # at the end of a level's name: the level remembers its opponent between games

MakePlayer = Callable[[int, int], Player]
"""Makes the player for one game from its seat and the seat's secret key."""


class Level(NamedTuple):
    name: str
    line: str
    sit: MakePlayer
    ready: Ready


# Constructors of the levels. The solver is imported only when needed.


def searching(name: str, budget_ms: float | None = None, depth: int | None = None) -> MakePlayer:
    from holmgang.players.mixing import MixingPlayer
    from holmgang.solver.search.dispatch import search

    return partial(MixingPlayer, name, partial(search, budget_ms=budget_ms, depth=depth))


def graded(name: str, *, build: bool) -> MakePlayer:
    from holmgang.players.graded import GradedPlayer

    return partial(GradedPlayer, name, oracles(build=build))


def perfect(name: str, *, build: bool) -> MakePlayer:
    from holmgang.players.mixing import MixingPlayer

    oracle_of = oracles(build=build)

    def evaluate(ruleset: Ruleset, state: State) -> "Evaluation":
        return oracle_of(ruleset).evaluate(state, budget_ms=STRONGEST_MS, with_chances=False)

    return partial(MixingPlayer, name, evaluate)


def exploiter(name: str, risk: float, *, build: bool, remembers: bool = False) -> MakePlayer:
    """Starts to learn afresh in each duel, unless it remembers the habits of its opponent."""
    from holmgang.players.exploiter import ExploitingPlayer
    from holmgang.players.habits import Habits

    oracle_of, kept = oracles(build=build), Habits()

    def sit(seat: int, key: int) -> Player:
        return ExploitingPlayer(name, oracle_of, kept if remembers else Habits(), risk, seat, key)

    return sit


def oracles(*, build: bool) -> "OracleOf":
    """A function for the oracle of a ruleset, with a cache."""
    from holmgang.solver.oracle import oracle_of

    return cache(partial(oracle_of, build=build))


class LevelKind(NamedTuple):
    summary: str
    made: Callable[..., MakePlayer]
    ready: Ready
    setting: str = ""
    usual: float = 0.0
    most: float = inf
    can_remember: bool = False
    usage: str = ""
    """How to write its setting."""

    @property
    def line(self) -> str:
        """The summary, and the usage if there is one."""
        return "; ".join(filter(None, (self.summary, self.usage)))


KINDS: Mapping[str, LevelKind] = {
    "beginner": LevelKind("made for a first game", graded, ReadyToGrade()),
    "easy": LevelKind("one step above beginner", graded, ReadyToGrade()),
    "medium": LevelKind("halfway from beginner to perfect", graded, ReadyToGrade()),
    "hard": LevelKind("one step below perfect", graded, ReadyToGrade()),
    "perfect": LevelKind("unbeatable in expectation, where solved", perfect, ReadyToLookUp()),
    "random": LevelKind(
        "picks any legal choice, equally likely", lambda name: RandomPlayer, Ready()
    ),
    "greedy": LevelKind(
        "looks one round ahead", partial(searching, depth=1), ReadyToLookOneAhead()
    ),
    "search": LevelKind(
        "looks ahead for 100 ms",
        searching,
        ReadyToSearch(),
        "milliseconds per choice",
        SEARCH_MS,
        3_600_000,
        usage="search:MS sets the time",
    ),
    "exploiter": LevelKind(
        "punishes mistakes",
        exploiter,
        ReadyToLookUp(),
        "the value it may risk in a duel",
        RISK,
        2,
        can_remember=True,
        usage="exploiter:RISK limits the risk",
    ),
}


def find_level(text: str, *, build: bool = True) -> Level:
    """The level with this name, for one match. Without `build`, missing tables are not built; the
    level searches instead. Raises `UsageError` if there is no such level.
    """
    name, colon, setting = text.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        raise UsageError(f"unknown level {brief(text)}; the levels are {', '.join(KINDS)}")
    ready = kind.ready
    looks_up = isinstance(ready, ReadyToLookUp)
    how = {"build": build} if looks_up else {}
    if isinstance(ready, ReadyToLookUp) and not build:
        ready = type(ready)(build=False)
    if kind.can_remember and setting.rpartition(":")[2] == MATCH:
        setting, colon, _ = setting.rpartition(":")
        sit = kind.made(
            text, parse_setting(kind, text, setting, colon != ""), remembers=True, **how
        )
    elif kind.setting:
        sit = kind.made(text, parse_setting(kind, text, setting, colon != ""), **how)
    elif colon:
        raise UsageError(f"the level {name} takes no setting; not {brief(text)}")
    else:
        sit = kind.made(text, **how)
    return Level(text, kind.line, sit, ready)


def parse_setting(kind: LevelKind, text: str, setting: str, is_given: bool) -> float:
    if not is_given:
        return kind.usual
    try:
        value = float(setting)
    except ValueError:
        value = -1.0
    if not 0 < value <= kind.most or not setting.isascii():
        name = text.partition(":")[0]
        raise UsageError(
            f"{brief(text)}: the setting of {name} must be a number above 0, at most "
            f"{kind.most:,.10g} ({kind.setting})"
            + (f", or {MATCH}, or both: {name}:0.2:{MATCH}" if kind.can_remember else "")
        )
    return value
