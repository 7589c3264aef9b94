"""Positions at the edges of a game: what a bot may meet one day, and has to answer.

They are found by playing, so every one of them can happen. Two players with habits (a favourite
choice that they make most of the time) get further from the middle than two without.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from holmgang.engine.course import Course, Positions
from holmgang.engine.stream import below, draw, game_key, nth_bit, pick
from holmgang.games.contract import NO_CHOICE
from holmgang.games.ruleset import Ruleset

PLAYOUTS = 32
LONGEST = 400  # rounds of a playout; games that go on for longer repeat themselves
OF_A_HABIT = 4  # choices, of which all but one are the favourite
HABIT_LANE = 3  # the lane that no playout uses


class Probe(NamedTuple):
    """A seat that has to choose, somewhere in a game."""

    state: Any
    seat: int
    round: int
    last: bytes
    """Both choices and the chance of the round before, as JSON."""


def unusual_probes(ruleset: Ruleset, seed: int, most: int) -> list[Probe]:
    """Questions from states in which some number of the state, or the number of choices, is the
    smallest or the largest that was met; at most so many, always the same for a seed.
    """
    positions = Positions(ruleset)
    extremes: dict[tuple[int, str, int], tuple[float, Probe]] = {}
    for playout in range(PLAYOUTS):
        for question in wander(positions, game_key(seed, playout + 1), playout):
            state, seat = question.state, question.seat
            numbers = dict(leaves(ruleset.format_state(state)))
            numbers["choices"] = ruleset.choice_set(state, seat).bit_count()
            for name, value in numbers.items():
                for sign in (1, -1):
                    key = seat, name, sign
                    if key not in extremes or sign * value > sign * extremes[key][0]:
                        extremes[key] = value, question
    found = {(question.state, question.seat): question for _, question in extremes.values()}
    questions = sorted(found.values(), key=lambda each: (each.seat, each.round, each.state))
    asked = min(most, len(questions))
    return [questions[place * len(questions) // asked] for place in range(asked)]


def wander(positions: Positions, key: int, habit: int) -> Iterator[Probe]:
    """All questions of one game between players with habits."""
    course, last = Course(positions, dice=key, limit=LONGEST), b"null"
    while course.outcome is None:
        position, number = course.position, course.round - 1
        chosen = [NO_CHOICE, NO_CHOICE]
        is_free = below(draw(key, number, HABIT_LANE), OF_A_HABIT) == 0
        for seat, choices in enumerate(position.choices):
            if choices:
                yield Probe(position.state, seat, number + 1, last)
                favourite = habit // (1 + 2 * seat)  # red's and blue's in many combinations
                chosen[seat] = (
                    pick(draw(key, number, seat), choices)
                    if is_free
                    else nth_bit(choices, favourite % choices.bit_count())
                )
        red, blue = chosen
        last = course.play(red, blue).public


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
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
