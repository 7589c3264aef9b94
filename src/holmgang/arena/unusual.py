"""Positions at the edges of a game: what a bot may meet one day, and has to answer.

They are found by playing, so every one of them can happen. Two players with habits (a favourite
choice that they make most of the time) get further from the middle than two without.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from holmgang.arena.rulebook import Position, Rulebook
from holmgang.engine.stream import CHANCE_LANE, below, draw, game_key, nth_bit, pick
from holmgang.games.contract import NO_CHOICE

PLAYOUTS = 32
LONGEST = 400  # rounds of a playout; games that go on for longer repeat themselves
OF_A_HABIT = 4  # choices, of which all but one are the favourite
HABIT_LANE = 3  # the lane that no duel uses


class Question(NamedTuple):
    """A seat that has to choose, somewhere in a game."""

    position: Position
    seat: int
    round: int
    last: bytes
    """Both choices and the chance of the round before, as JSON."""


def unusual_questions(book: Rulebook, seed: int, most: int) -> list[Question]:
    """Questions from positions in which some number of the state, or the number of choices, is the
    smallest or the largest that was met; at most so many, always the same for a seed.
    """
    extremes: dict[tuple[str, bool], tuple[float, Question]] = {}
    for playout in range(PLAYOUTS):
        for question in wander(book, game_key(seed, playout + 1), playout):
            position, seat = question.position, question.seat
            numbers = dict(leaves(orjson.loads(position.json)))
            numbers["choices"] = position.choices[seat].bit_count()
            for name, value in numbers.items():
                for sign in (1, -1):
                    key = f"{seat} {name}", sign > 0
                    if key not in extremes or sign * value > sign * extremes[key][0]:
                        extremes[key] = value, question
    found = {(question.position.json, question.seat): question for _, question in extremes.values()}
    questions = sorted(found.values(), key=lambda each: (each.round, each.position.json, each.seat))
    step = max(1, -(-len(questions) // most))
    return questions[::step]


def wander(book: Rulebook, key: int, habit: int) -> Iterator[Question]:
    """All questions of one game between players with habits."""
    position, last = book.start, b"null"
    faces_of, rules = book.ruleset.game.rules.chance, book.ruleset.rules
    for round in range(1, LONGEST + 1):
        if position.outcome is not None:
            return
        chosen = [NO_CHOICE, NO_CHOICE]
        for seat, choices in enumerate(position.choices):
            if choices:
                yield Question(position, seat, round, last)
                if below(draw(key, round - 1, HABIT_LANE), OF_A_HABIT) == 0:
                    chosen[seat] = pick(draw(key, round - 1, seat), choices)
                else:
                    favourite = habit // (1 + 2 * seat)  # red's and blue's in many combinations
                    chosen[seat] = nth_bit(choices, favourite % choices.bit_count())
        red, blue = chosen
        faces = faces_of(rules, position.state, red, blue)
        face = below(draw(key, round - 1, CHANCE_LANE), faces) if faces > 1 else 0
        position, last = book.play(position.state, red, blue, face)


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
