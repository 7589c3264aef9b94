"""The states that a game can reach, as far as a budget allows. Defaults are derived from them."""

import random
from collections import Counter, deque
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from holmgang.game import NO_CHOICE
from holmgang.games.contract import State
from holmgang.games.defaults import rules as optional

MOST_ROUNDS = 20_000
"""Rounds that are resolved to find the states of a game."""


LONGEST_GAME = 100


class Reached(NamedTuple):
    states: tuple[State, ...]
    """The states found, decided ones included, nearest to the start first."""
    is_all: bool


def menu(rules_module: Any, rules: Any, state: State, seat: int) -> list[int]:
    """The choices of a seat; `NO_CHOICE` if it has none."""
    chosen: int = rules_module.choices(rules, state, seat)
    return [choice for choice in range(chosen.bit_length()) if chosen >> choice & 1] or [NO_CHOICE]


def pairs(rules_module: Any, rules: Any, state: State) -> Iterator[tuple[int, int]]:
    reds, blues = (menu(rules_module, rules, state, seat) for seat in (0, 1))
    return product(reds, blues)


def results(rules_module: Any, rules: Any, state: State, red: int, blue: int) -> Counter[State]:
    """The states that can follow these choices, with their weights."""
    faces = getattr(rules_module, "chance", optional.chance)(rules, state, red, blue)
    return Counter(rules_module.resolve(rules, state, red, blue, face) for face in range(faces))


@lru_cache(maxsize=64)
def reached(rules_module: Any, rules: Any, most_rounds: int = MOST_ROUNDS) -> Reached:
    """The states that play can reach from the start, breadth first."""
    start = rules_module.initial(rules)
    seen, waiting, left = {start: None}, deque([start]), most_rounds
    while waiting:
        state = waiting.popleft()
        if rules_module.outcome(rules, state).reason:
            continue
        for red, blue in pairs(rules_module, rules, state):
            after = results(rules_module, rules, state, red, blue)
            left -= after.total()
            if left < 0:
                return Reached(tuple(seen), is_all=False)
            for each in after:
                if each not in seen:
                    seen[each] = None
                    waiting.append(each)
    return Reached(tuple(seen), is_all=True)


def played(rules_module: Any, rules: Any, games: int = 12) -> Iterator[State]:
    """The states of random games, which are the same every time."""
    dice = random.Random(0)
    for _ in range(games):
        state = rules_module.initial(rules)
        for _ in range(LONGEST_GAME):
            yield state
            if rules_module.outcome(rules, state).reason:
                break
            made = [dice.choice(menu(rules_module, rules, state, seat)) for seat in (0, 1)]
            state = dice.choice(list(results(rules_module, rules, state, *made).elements()))
