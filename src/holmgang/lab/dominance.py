"""Choices that are useless under a condition, with the proof.

A condition is a value of one number of the state, such as `red.hp = 10`. A choice is useless there
if in every such state another choice is at least as good against every answer, or if it costs
something in every such state against the perfect mix of the other seat.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from holmgang.games.contract import NO_CHOICE, RED, SEATS
from holmgang.lab.solved import Bits, Floats, SolvedGame

CHUNK = 1 << 22  # numbers compared at once
FEWEST_STATES = 10  # fewer are a coincidence
OTHER = {"red": "blue", "blue": "red"}
SURELY = 1e-7  # a cost below this may be rounding


class Proof(Enum):
    """Why a choice is useless."""

    NEVER_USED = "never used"
    """The perfect mixes never use it, so the value stays the same without it."""
    COSTLY = "always costs"
    """It is worth less than the value in every state."""
    DOMINATED = "dominated"
    """In every state another choice is at least as good, whatever the other seat does."""


@dataclass(frozen=True)
class Useless:
    """A choice that is never right under a condition."""

    seat: str
    choice: str
    condition: str
    """In words; empty if it holds everywhere."""
    states: int
    proof: Proof
    least_cost: float
    """The proven least cost in these states."""
    field: str = ""
    """The number of the state that the condition is about, such as `red.hp`,"""
    least: int = 0
    """and its values: from this"""
    most: int = 0
    """to this."""

    def condition_text(self, *, symmetric: bool) -> str:
        """The condition in words. Where both seats are alike, it is told to the player.

        >>> heal = Useless("red", "heal", "", 7240, Proof.COSTLY, 0.0004).when("red.hp", 10, 10)
        >>> heal.condition_text(symmetric=True), heal.condition_text(symmetric=False)
        ('your hp is 10', 'red.hp is 10')
        """
        field = told_to(self.seat, self.field) if symmetric else self.field
        return words(field, self.least, self.most).replace("-", "−")

    def when(self, field: str, least: int, most: int) -> "Useless":
        """The same under this condition."""
        return replace(
            self, condition=words(field, least, most), field=field, least=least, most=most
        )

    def mirrored(self) -> "Useless":
        """The same for the other seat."""
        field = mirrored_field(self.field)
        return replace(self, seat=OTHER[self.seat]).when(field, self.least, self.most)


def mirrored_field(field: str) -> str:
    """The same number of the other seat.

    >>> mirrored_field("red.hp"), mirrored_field("round")
    ('blue.hp', 'round')
    """
    side, dot, rest = field.partition(".")
    return f"{OTHER.get(side, side)}{dot}{rest}"


def told_to(seat: str, field: str) -> str:
    """A number of the state in the words of the player in this seat.

    >>> told_to("blue", "red.hp")
    "your opponent's hp"
    """
    side, _, rest = field.partition(".")
    if side not in SEATS:
        return field
    return f"your {rest}" if side == seat else f"your opponent's {rest}"


def words(field: str, least: int, most: int) -> str:
    """A condition in words; empty without a field."""
    if not field:
        return ""
    return f"{field} is {least}" if least == most else f"{field} is {least} to {most}"


def widest_first(found: Sequence[Useless]) -> list[Useless]:
    """For people: neighbouring conditions with the same proof as one, such as `red.hp is 8 to 10`,
    those for most states first.

    >>> heal = Useless("red", "heal", "", 5, Proof.COSTLY, 0.1)
    >>> found = widest_first([heal.when("red.hp", 8, 8), heal.when("red.hp", 9, 9)])
    >>> [(each.condition, each.states) for each in found]
    [('red.hp is 8 to 9', 10)]
    """
    joined: list[Useless] = []
    for each in found:
        before = joined[-1] if joined and each.field else each
        if (before.choice, before.field, before.proof, before.most) == (
            *(each.choice, each.field, each.proof),
            each.least - 1,
        ):
            joined[-1] = replace(
                before,
                states=before.states + each.states,
                least_cost=min(before.least_cost, each.least_cost),
            ).when(each.field, before.least, each.most)
        else:
            joined.append(each)
    return sorted(joined, key=lambda each: -each.states)


def dominated(game: SolvedGame, seat: int) -> Bits:
    """By place in the seat's mixes: whether another choice of the state is at least as good
    against every choice of the other seat, and better against one.
    """
    arrays = game.arrays
    worths = game.pair_values if seat == RED else -game.pair_values
    found = np.zeros(len(game.mixes[seat]), bool)
    shapes = np.stack([arrays.counts[seat], arrays.counts[1 - seat]], axis=1)
    for mine, theirs in np.unique(shapes, axis=0):
        if mine == 1:
            continue
        states = np.flatnonzero((shapes == (mine, theirs)).all(axis=1))
        for some in np.array_split(states, -(-len(states) * mine * mine * theirs // CHUNK)):
            pairs = arrays.pair_starts[some][:, None] + np.arange(mine * theirs)
            table = worths[pairs]
            if seat == RED:
                table = table.reshape(-1, mine, theirs)
            else:
                table = table.reshape(-1, theirs, mine).transpose(0, 2, 1)
            places = arrays.starts[seat][some]
            for choice in range(mine):
                gains = table - table[:, choice : choice + 1, :]
                is_as_good = gains.min(axis=2) >= 0
                is_better = is_as_good & (gains.max(axis=2) > SURELY)
                found[places + choice] = is_better.any(axis=1)
    return found


def least_costs(game: SolvedGame, seat: int) -> Floats:
    """By place in the seat's mixes: the proven least that a choice costs."""
    arrays = game.arrays
    against, secured = (
        (game.found.highs, game.found.lows)
        if seat == RED
        else (-game.found.lows, -game.found.highs)
    )
    sign = 1 if seat == RED else -1
    pairs = sign * arrays.option_means(sign * against)[game.picked]
    worths = arrays.by_choice(seat, pairs, game.mixes)
    return np.asarray(secured[arrays.choice_states[seat]] - worths)


def useless_choices(game: SolvedGame, seat: int) -> list[Useless]:
    """The choices that are useless everywhere, and the others under each condition that makes them
    useless.
    """
    is_dominated, costs = dominated(game, seat), least_costs(game, seat)
    found: list[Useless] = []
    for choice in np.unique(game.menus[seat]):
        if choice == NO_CHOICE:
            continue
        places = np.flatnonzero(game.menus[seat] == choice)
        states = game.arrays.choice_states[seat][places]
        is_only = game.arrays.counts[seat][states] == 1
        places, states = places[~is_only], states[~is_only]
        if not len(places):
            continue
        everywhere = proof_for(game, seat, choice, is_dominated[places], costs[places])
        if everywhere is None and not np.any(game.mixes[seat][places]):
            everywhere = useless(game, seat, choice, len(places), Proof.NEVER_USED, 0.0)
        if everywhere is not None:
            found.append(everywhere)
            continue
        for field, value, holds in conditions(game, states):
            part = places[holds]
            proof = proof_for(game, seat, choice, is_dominated[part], costs[part])
            if proof is not None:
                found.append(proof.when(field, value, value))
    return found


def proof_for(
    game: SolvedGame, seat: int, choice: int, is_dominated: Bits, costs: Floats
) -> Useless | None:
    least, states = float(costs.min()), len(costs)
    if is_dominated.all():
        return useless(game, seat, choice, states, Proof.DOMINATED, max(0.0, least))
    if least > SURELY:
        return useless(game, seat, choice, states, Proof.COSTLY, least)
    return None


def useless(
    game: SolvedGame, seat: int, choice: int, states: int, proof: Proof, least: float
) -> Useless:
    return Useless(SEATS[seat], game.ruleset.word(choice), "", states, proof, least)


def conditions(game: SolvedGame, states: Floats) -> Iterator[tuple[str, int, Bits]]:
    """The name and value of each field of these states, and which states have that value."""
    table = game.arrays.table
    rows = np.frombuffer(table.rows, np.int64).reshape(table.count, -1)[states]
    for column, name in enumerate(table.kernels.layout.names):
        numbers = rows[:, column]
        values, sizes = np.unique(numbers, return_counts=True)
        if len(values) == 1:
            continue
        for value, size in zip(values, sizes, strict=True):
            if size >= FEWEST_STATES:
                yield name, int(value), numbers == value
