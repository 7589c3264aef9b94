"""Games made up at random, each by its seed: menus, dice, circles, answers to a reveal, and mirror
images. The rules and as much notation as the solver needs.
"""

import random
from enum import IntEnum
from functools import lru_cache
from typing import Annotated, NamedTuple

NOBODY, RED, BLUE = range(3)


class Rules(NamedTuple):
    seed: Annotated[int, range(1_000_000)] = 0
    nodes: Annotated[int, range(1, 100)] = 6
    symmetric: Annotated[int, range(2)] = 0
    stops: Annotated[int, range(2)] = 0  # 1: every round may be the last
    endless: Annotated[int, range(3)] = 0  # who wins a duel that never ends


class State(NamedTuple):
    node: int
    turned: int  # 1 for the mirror image of a node
    asked: int  # the seat that answers the choices, or NOBODY
    red: int
    blue: int
    ended: int  # 0 while the duel is on, otherwise 1 + the winner


class Reason(IntEnum):
    ON = 0
    OVER = 1


class Outcome(NamedTuple):
    reason: int
    winner: int


@lru_cache(maxsize=1 << 16)
def drawn(rules: Rules, *about: int | str) -> float:
    """A number from 0 to 1 that depends on what it is about alone."""
    return random.Random(f"{rules} {about}").random()


def is_level(rules: Rules, node: int) -> bool:
    """Whether a node is its own mirror image."""
    return rules.symmetric == 1 and node % 3 == 0


def at(rules: Rules, node: int, turned: int = 0) -> State:
    return State(node, 0 if is_level(rules, node) else turned, NOBODY, 0, 0, 0)


def initial(rules: Rules) -> State:
    return at(rules, 0)


def is_seen_turned(rules: Rules, state: State, red: int, blue: int) -> bool:
    """Whether what follows is that of the mirror image, turned."""
    is_crossed = is_level(rules, state.node) and state.asked == NOBODY and red > blue
    return state.turned == 1 or is_crossed


def choices(rules: Rules, state: State, seat: int) -> int:
    if state.turned == 1:
        return choices(rules, mirror(rules, state), 1 - seat)
    if state.asked != NOBODY:
        return 0b11 if state.asked == seat + 1 else 0
    if is_level(rules, state.node):
        seat = 0
    elif drawn(rules, "alone", state.node) < 0.15:
        return 0b111 if seat == int(2 * drawn(rules, "seat", state.node)) else 0
    return (1 << 1 + int(3 * drawn(rules, "menu", state.node, seat))) - 1


def asked_seat(rules: Rules, state: State, red: int, blue: int) -> int:
    if state.asked != NOBODY or (is_level(rules, state.node) and red == blue):
        return NOBODY
    about = drawn(rules, "asked", state.node, red, blue)
    return RED if about < 0.1 else BLUE if about < 0.2 else NOBODY


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    if is_seen_turned(rules, state, red, blue):
        return chance(rules, mirror(rules, state), blue, red)
    if asked_seat(rules, state, red, blue) != NOBODY:
        return 1
    return 1 + int(3 * drawn(rules, "faces", *state, red, blue)) + rules.stops


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    if is_seen_turned(rules, state, red, blue):
        return mirror(rules, resolve(rules, mirror(rules, state), blue, red, face))
    asked = asked_seat(rules, state, red, blue)
    if asked != NOBODY:
        return State(state.node, 0, asked, red, blue, 0)
    is_even = is_level(rules, state.node) and state.asked == NOBODY and red == blue
    about = (*state, red, blue, face)
    is_last = rules.stops == 1 and face == 0
    if is_last or drawn(rules, "ends", *about) < 0.5 * drawn(rules, "ending"):
        winner = NOBODY if is_even else int(3 * drawn(rules, "winner", *about))
        return State(0, 0, NOBODY, 0, 0, 1 + winner)
    first = 0 if drawn(rules, "back", *about) < 0.5 * drawn(rules, "circles") else state.node
    node = first + int((rules.nodes - first) * drawn(rules, "node", *about))
    turned = rules.symmetric if drawn(rules, "turned", *about) < 0.5 else 0
    return at(rules, node - node % 3 if is_even else node, turned)


def outcome(rules: Rules, state: State) -> Outcome:
    return Outcome(1, state.ended - 2) if state.ended else Outcome(0, -1)


def endless(rules: Rules) -> Outcome:
    return Outcome(1, rules.endless - 1) if rules.endless else Outcome(0, -1)


def is_symmetric(rules: Rules) -> bool:
    return rules.symmetric == 1


def mirror(rules: Rules, state: State) -> State:
    if state.ended:
        return state._replace(ended=state.ended if state.ended == 1 else 5 - state.ended)
    if state.asked == NOBODY:
        return at(rules, state.node, 1 - state.turned)
    return State(state.node, 1 - state.turned, 3 - state.asked, state.blue, state.red, 0)


def choice_count(rules: Rules) -> int:
    return 3
