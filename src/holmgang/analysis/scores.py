"""Exact scores of policies: exploitability, best responses, and the value of one against another.

All numbers are from the start of the game, to red (win 1, draw 0, loss -1), without a round limit;
endless play is worth what the game says. Each comes with proven bounds. For rulesets without a
table of all states, `played_scores.py` finds bounds from games that are played.

>>> uniform = exploitability("bagh:max_boost=1", "random")
>>> f"{uniform.value:.6f}", uniform.is_exact
('1.999186', True)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

from holmgang.analysis.strategies import (
    NoMixes,
    check_has_mixes,
    is_solved,
    mixes_of,
    values_of,
)
from holmgang.errors import StateError, TooLarge, UsageError
from holmgang.games.contract import BLUE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import brief
from holmgang.solver.exact.scores import (
    Enclosure,
    Mixes,
    Responses,
    best_responses,
    tabulate_all,
    value_of,
)
from holmgang.solver.exact.table import MOST_MIB, MOST_STATES, StateTable
from holmgang.solver.layered.places import has_clock

WITH_GAMES = "with games=1000, bounds are found by playing"


@dataclass(frozen=True, slots=True)
class Exploitability(Enclosure):
    """What both seats together gain at most by leaving the policy: `red` minus `blue`, also called
    NashConv. It is 0 for an equilibrium.
    """

    red: Enclosure
    """The value of red's best response to the policy of blue."""
    blue: Enclosure
    """The value, to red, of blue's best response to the policy of red."""


@dataclass(frozen=True, slots=True)
class BestResponse(Enclosure):
    """A best response to a policy, and the bounds of its value to red. It is a policy itself."""

    seat: str
    """The seat of the responder."""
    ruleset: Ruleset
    choices: Mapping[State, int] = field(repr=False)
    """The choice in each state in which the seat has one."""

    def __call__(self, state: object, seat: str | None = None) -> dict[str, int]:
        """The mix in a state: one choice, for certain."""
        if seat not in (None, self.seat):
            raise UsageError(f"this is a best response of {self.seat}; not of {brief(seat)}")
        parsed = self.ruleset.parse_state(state)
        if parsed not in self.choices:
            raise StateError(f"{self.seat} has no choice in {self.ruleset.format_text(parsed)}")
        return {self.ruleset.word(self.choices[parsed]): 1}


def exploitability(
    ruleset: str | Ruleset,
    policy: object,
    blue: object = None,
    *,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
    games: int | None = None,
    seed: int | None = None,
) -> Exploitability:
    """The most that both seats together can gain by leaving a policy, with proven bounds. The
    policy plays both seats, or only red if there is another one for `blue`.

    A policy is a level (`beginner` to `perfect`, or `random`), weights by choice, mixes by state, a
    `Policy`, a solved table, an array of states × seats × choices in the order of `holmgang.model`,
    or a function of a state and a seat that returns weights by choice or one choice.

    A ruleset without a table of all states, or a level or a bot without exact mixes, is played
    instead if `games` is given: that number for each seat, by a `seed`, of a response that looks
    one round ahead. The score is then at least `low`, with the probability `confidence`, and
    nothing is known about `high`.

    Raises `UsageError` if the game has too many states for a table and no number of games is given,
    or for anything else as policy.
    """
    blue = policy if blue is None else blue
    table = table_unless_played(ruleset, (policy, blue), most_states, most_mib, games)
    if table is None:
        from holmgang.analysis.played_scores import CONFIDENCE, responses_by_games

        assert games is not None  # noqa: S101
        red_best, blue_best = responses_by_games(as_ruleset(ruleset), policy, blue, games, seed)
        gain = red_best.minus(blue_best)
        return Exploitability(
            max(0.0, gain.low), min(2.0, gain.high), red_best, blue_best, confidence=CONFIDENCE
        )
    found = responses(table, both_mixes(table, policy, blue), is_solved(policy) or is_solved(blue))
    gain = found.red.minus(found.blue)
    return Exploitability(max(0.0, gain.low), max(0.0, gain.high), found.red, found.blue)


def best_response(
    ruleset: str | Ruleset,
    policy: object,
    seat: str = "red",
    *,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
) -> BestResponse:
    """The best response of a seat to a policy in the other seat; policies as in `exploitability`.
    Its bounds enclose the value of the best response that there is; `value_against` has that of the
    choices returned.

    >>> round(best_response("bagh:start_hp=1,max_boost=0,heal_limit=1", {"attack": 1}).value, 9)
    1.0
    """
    if seat not in SEATS:
        raise UsageError(f"a seat is red or blue; not {brief(seat)}")
    table = tabled(ruleset, most_states, most_mib)
    number = SEATS.index(seat)
    other = mixes_of(table, policy, 1 - number)
    mine = mixes_of(table, "random", number)
    mixes = Mixes(mine, other) if number == RED else Mixes(other, mine)
    found = responses(table, mixes, is_solved(policy))
    bounds = (found.red, found.blue)[number]
    replies = found.replies[number]
    starts = (table.numbers.red_starts, table.numbers.blue_starts)[number]
    choices: dict[State, int] = {}
    for place, state in table:
        menu = table.ruleset.choices(state, number)
        if menu:
            choices[state] = menu[replies.index(1.0, starts[place]) - starts[place]]
    return BestResponse(bounds.low, bounds.high, seat, table.ruleset, choices)


def value_against(
    ruleset: str | Ruleset,
    red: object,
    blue: object,
    *,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
    games: int | None = None,
    seed: int | None = None,
) -> Enclosure:
    """The value to red of one policy against another, with proven bounds; policies as in
    `exploitability`. `games` is the number of games to play if there is no table of all states, or
    a level or a bot has no exact mixes; the bounds then hold with the probability `confidence`.
    """
    table = table_unless_played(ruleset, (red, blue), most_states, most_mib, games)
    if table is None:
        from holmgang.analysis.played_scores import value_by_games

        assert games is not None  # noqa: S101
        return value_by_games(as_ruleset(ruleset), red, blue, games, seed)
    return value_of(table, both_mixes(table, red, blue))


def responses(table: StateTable, mixes: Mixes, is_near: bool) -> Responses:
    """Best responses to these mixes. Near an equilibrium sweeps converge slowly unless they start
    from the values of the solved game.
    """
    if not is_near:
        found = best_responses(table, mixes)
        if found.red.is_exact and found.blue.is_exact:
            return found
    return best_responses(table, mixes, values_of(table))


def both_mixes(table: StateTable, red: object, blue: object) -> Mixes:
    return Mixes(mixes_of(table, red, RED), mixes_of(table, blue, BLUE))


def table_unless_played(
    ruleset: str | Ruleset,
    policies: tuple[object, object],
    most_states: int,
    most_mib: int,
    games: int | None,
) -> StateTable | None:
    """The table of all states. If it is too large or a policy has no exact mixes, None if a number
    of games to play is given, and else an error that says so.
    """
    try:
        for policy in policies:
            check_has_mixes(policy)
        return tabled(ruleset, most_states, most_mib)
    except (TooLarge, NoMixes) as refusal:
        if games is None:
            raise type(refusal)(f"{refusal}; {WITH_GAMES}") from None
        return None


def tabled(ruleset: str | Ruleset, most_states: int, most_mib: int) -> StateTable:
    """The table of all states, kept for the next call."""
    ruleset = as_ruleset(ruleset)
    if has_clock(ruleset):
        raise TooLarge(
            f"{ruleset.text} is solved by layers; exact scores need a table of all its states,"
            " which would be too large"
        )
    if not ruleset.game.is_outside and None in chain(*ruleset.field_bounds.values()):
        raise TooLarge(
            f"{ruleset.text} has states without end; exact scores need a table of all states"
        )
    try:
        return tabulate_all(ruleset, most_states=most_states, most_mib=most_mib)
    except UsageError as refusal:
        raise TooLarge(
            f"{refusal}; exact scores need a table of all states (most_states and most_mib are the"
            " limits)"
        ) from None
