"""How many states a duel can come to: any change of a rule changes these numbers."""

import pytest

from holmgang.games.bagh import GAME
from holmgang.games.bagh.rules import Fighter, initial, mend_sides, outcome, resolve
from holmgang.games.ruleset import load

pytestmark = pytest.mark.thorough


def throws(fighter: Fighter) -> tuple[int, ...]:
    """One throw for each thing that can happen to a shield: it mends, or it does not."""
    return (0, 1) if fighter.shield_damage else (0,)


def successors(rules, state):
    for red_throw in throws(state.red):
        for blue_throw in throws(state.blue):
            face = red_throw + mend_sides(state.red) * blue_throw
            for red in range(4):
                for blue in range(4):
                    yield resolve(rules, state, red, blue, face)


@pytest.mark.parametrize("name", ["bagh", "bagh-advantage"])
def test_72400_undecided_states_can_be_reached(name):
    rules = load(name).rules
    start = initial(rules)
    found, new = {start}, [start]  # of a state and its mirror image, only the lesser is looked at
    seen = set()
    while new:
        state = new.pop()
        for after in successors(rules, state):
            if after in seen:
                continue
            seen.add(after)
            least = min(after, GAME.notation.mirror(rules, after))
            if least not in found and not outcome(rules, least).reason:
                found.add(least)
                new.append(least)
    both = sum(1 if state == GAME.notation.mirror(rules, state) else 2 for state in found)
    assert (len(found), both) == (36_280, 72_400)
