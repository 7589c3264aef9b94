"""Unusual positions of a game, in which a bot is tested.

They are found by playing, so all of them can happen. Random players with habits (a favourite choice
that they make most of the time) reach more extreme positions than players without.
"""

from collections.abc import Iterator
from typing import NamedTuple

from holmgang.engine.course import Course, Positions
from holmgang.engine.stream import below, draw, game_key, nth_bit, pick
from holmgang.games.contract import NO_CHOICE, State
from holmgang.games.ruleset import Ruleset

PLAYOUTS = 32
LONGEST = 400  # rounds of a playout; longer games repeat themselves
OF_A_HABIT = 4  # one choice in four is not the favourite
HABIT_LANE = 3  # a lane of the random stream that no playout uses


class Probe(NamedTuple):
    """A position in which a seat has to choose."""

    state: State
    seat: int
    round: int
    last: bytes
    """The round before, with both choices and its chance, as JSON."""


def unusual_probes(ruleset: Ruleset, seed: int, most: int) -> list[Probe]:
    """At most `most` probes, the same for the same seed: positions in which a number of the state,
    or the number of choices, is the smallest or largest of all playouts.
    """
    positions = Positions(ruleset)
    extremes: dict[tuple[int, str, int], tuple[float, Probe]] = {}
    for playout in range(PLAYOUTS):
        for probe in wander(positions, game_key(seed, playout + 1), playout):
            state, seat = probe.state, probe.seat
            numbers = dict(leaves(ruleset.format_state(state)))
            numbers["choices"] = ruleset.choice_set(state, seat).bit_count()
            for name, value in numbers.items():
                for sign in (1, -1):
                    key = seat, name, sign
                    if key not in extremes or sign * value > sign * extremes[key][0]:
                        extremes[key] = value, probe
    found = {(probe.state, probe.seat): probe for _, probe in extremes.values()}
    probes = sorted(found.values(), key=lambda each: (each.seat, each.round, each.state))
    count = min(most, len(probes))
    return [probes[place * len(probes) // count] for place in range(count)]


def wander(positions: Positions, key: int, habit: int) -> Iterator[Probe]:
    """All positions of one game between players with habits, for each seat that has to choose."""
    course, last = Course(positions, dice=key, limit=LONGEST), b"null"
    while course.outcome is None:
        position, number = course.position, course.round - 1
        chosen = [NO_CHOICE, NO_CHOICE]
        is_free = below(draw(key, number, HABIT_LANE), OF_A_HABIT) == 0
        for seat, choices in enumerate(position.choices):
            if choices:
                yield Probe(position.state, seat, number + 1, last)
                favourite = habit // (1 + 2 * seat)  # combines many habits of red and blue
                chosen[seat] = (
                    pick(draw(key, number, seat), choices)
                    if is_free
                    else nth_bit(choices, favourite % choices.bit_count())
                )
        red, blue = chosen
        last = course.play(red, blue).public


def leaves(value: object, path: str = "") -> Iterator[tuple[str, float]]:
    """The numbers in a JSON value, each with its path.

    >>> dict(leaves({"red": {"hp": 2}, "scores": [1, None]}))
    {'.red.hp': 2, '.scores.0': 1}
    """
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, f"{path}.{name}")
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from leaves(each, f"{path}.{place}")
    elif isinstance(value, int | float):
        yield path, value
