"""The states that a game can reach, as far as a budget allows. Defaults are derived from them."""

import random
from collections import Counter, deque
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from holmgang.game import NO_CHOICE
from holmgang.games.contract import AnyRules, State
from holmgang.games.defaults import rules as optional

MOST_ROUNDS = 20_000
"""Rounds that are resolved to find the states of a game."""


LONGEST_GAME = 100


class Reached:
    """The states that play reaches, nearest to the start first, decided ones included.

    To explore a game, iterate over this, and add the states that can follow each one.
    """

    def __init__(self, start: State, most_rounds: int) -> None:
        self.states: dict[State, None] = {start: None}
        self.is_all = False
        self._waiting = deque([start])
        self._left = most_rounds

    def __iter__(self) -> Iterator[State]:
        while self._waiting and self._left >= 0:
            yield self._waiting.popleft()
        self.is_all = self._left >= 0

    def add(self, state: State) -> bool:
        """Adds the result of a round. Returns False if that round exceeds the budget."""
        self._left -= 1
        if self._left >= 0 and state not in self.states:
            self.states[state] = None
            self._waiting.append(state)
        return self._left >= 0


def menu(rules_module: AnyRules, rules: object, state: State, seat: int) -> list[int]:
    """The choices of a seat; `NO_CHOICE` if it has none."""
    chosen: int = rules_module.choices(rules, state, seat)
    return [choice for choice in range(chosen.bit_length()) if chosen >> choice & 1] or [NO_CHOICE]


def pairs(rules_module: AnyRules, rules: object, state: State) -> Iterator[tuple[int, int]]:
    reds, blues = (menu(rules_module, rules, state, seat) for seat in (0, 1))
    return product(reds, blues)


def faces(rules_module: AnyRules, rules: object, state: State, red: int, blue: int) -> int:
    """The number of faces of the die after these choices."""
    count: int = getattr(rules_module, "chance", optional.chance)(rules, state, red, blue)
    return count


def resolved(
    rules_module: AnyRules, rules: object, state: State, red: int, blue: int
) -> Iterator[State]:
    """The states that follow these choices, by face."""
    for face in range(faces(rules_module, rules, state, red, blue)):
        yield rules_module.resolve(rules, state, red, blue, face)


def results(
    rules_module: AnyRules, rules: object, state: State, red: int, blue: int
) -> Counter[State]:
    """The states that can follow these choices, with their weights."""
    return Counter(resolved(rules_module, rules, state, red, blue))


@lru_cache(maxsize=64)
def reached(rules_module: AnyRules, rules: object, most_rounds: int = MOST_ROUNDS) -> Reached:
    """The states that play can reach from the start."""
    found = Reached(rules_module.initial(rules), most_rounds)
    for state in found:
        if not rules_module.outcome(rules, state).reason:
            for red, blue in pairs(rules_module, rules, state):
                if not all(map(found.add, resolved(rules_module, rules, state, red, blue))):
                    break
    return found


def played(rules_module: AnyRules, rules: object, games: int = 12) -> Iterator[State]:
    """The states of random games, which are the same every time."""
    dice = random.Random(0)
    for _ in range(games):
        state = rules_module.initial(rules)
        for _ in range(LONGEST_GAME):
            yield state
            if rules_module.outcome(rules, state).reason:
                break
            red, blue = (dice.choice(menu(rules_module, rules, state, seat)) for seat in (0, 1))
            face = dice.randrange(faces(rules_module, rules, state, red, blue))
            state = rules_module.resolve(rules, state, red, blue, face)
