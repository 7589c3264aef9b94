"""MagicDuel's value: each step of the proof in docs/magic-duel-value.md that can be run."""

from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.strategies import states

from holmgang.games.magic_duel import dominance, rules
from holmgang.games.magic_duel.holding import holds
from holmgang.games.magic_duel.rules import BLUE, HEAL, NOTHING, RED, Mage, Phase
from holmgang.games.ruleset import load
from holmgang.solver.search.alternating import search_alternating

AS_WRITTEN = load("magic-duel")
NO_SHIELD = load("magic-duel:shield_limit=0")


def after(ruleset, state, choice):
    red, blue = (choice, -1) if state.to_move == RED else (-1, choice)
    return rules.resolve(ruleset.rules, state, red, blue, 0)


def is_over(ruleset, state):
    return rules.outcome(ruleset.rules, state).reason != 0


def held_turns(ruleset, state, seat):
    """Every state in which the seat's turn can be over, or the duel, if it heals while the other
    does anything.
    """
    if is_over(ruleset, state):
        yield state
    elif state.to_move == seat and state.phase == Phase.MOVE:
        healed = after(ruleset, state, dominance.strongest(ruleset.rules, state, HEAL))
        if healed.to_move == seat and healed.phase == Phase.MOVE:
            yield from held_turns(ruleset, healed, seat)
        else:
            yield healed
    else:
        for choice in ruleset.choices(state, state.to_move):
            yield from held_turns(ruleset, after(ruleset, state, choice), seat)


def test_the_start_is_worth_nothing_to_either():
    start = rules.initial(AS_WRITTEN.rules)
    assert holds(AS_WRITTEN.rules, start, RED)
    assert holds(AS_WRITTEN.rules, start, BLUE)
    evaluation = search_alternating(AS_WRITTEN, start, depth=6)
    assert (evaluation.low, evaluation.value, evaluation.high) == (0, 0, 0)
    assert evaluation.red


@settings(max_examples=60)
@given(states(AS_WRITTEN), st.integers(1, 25), st.sampled_from([0, 3, 12, 10**6]))
def test_whoever_holds_goes_on_holding_whatever_the_other_does(state, hp, shield):
    red = state.red._replace(hp=hp, shield=shield)
    state = state._replace(red=red, blue=state.blue._replace(hp=10**6))
    assume(holds(AS_WRITTEN.rules, state, RED))
    for later in held_turns(AS_WRITTEN, state, RED):
        assert not is_over(AS_WRITTEN, later)
        assert holds(AS_WRITTEN.rules, later, RED)


@pytest.mark.parametrize("hp", range(1, 26))
def test_a_shielded_mage_holds_above_10_hp(hp):
    """The step of the proof, for every hp: 10 is what two piercings take."""
    shielded = Mage(hp, 0, 0, 10**6, (NOTHING, NOTHING))
    foe = Mage(25, 30, 0, 0, (rules.Minion(2, 10, 5, 0), rules.Minion(1, 6, 0, 3)))
    state = rules.State(RED, Phase.MOVE, 2, 0, foe, shielded)
    assert holds(AS_WRITTEN.rules, state, BLUE) == (hp > 10)
    least = min(later.blue.hp for later in held_turns(AS_WRITTEN, state, BLUE))
    assert (least > 0) == (hp > 10)
    assert hp <= 10 or least >= hp


@settings(max_examples=60)
@given(states(AS_WRITTEN))
def test_no_search_refutes_a_hold(state):
    evaluation = search_alternating(AS_WRITTEN, state, depth=9)
    if holds(AS_WRITTEN.rules, state, RED):
        assert evaluation.low >= 0
    if holds(AS_WRITTEN.rules, state, BLUE):
        assert evaluation.high <= 0


@settings(max_examples=60)
@given(states(AS_WRITTEN), st.integers(1, 25), st.sampled_from([2, 3, 5]))
def test_a_search_gives_no_hold_away(state, hp, depth):
    state = state._replace(red=state.red._replace(hp=hp))
    if state.to_move == BLUE:
        state = AS_WRITTEN.game.notation.mirror(AS_WRITTEN.rules, state)
    assume(holds(AS_WRITTEN.rules, state, RED))
    evaluation = search_alternating(AS_WRITTEN, state, depth=depth)
    (choice,) = evaluation.red
    later = after(AS_WRITTEN, state, choice)
    won = evaluation.low == 1
    assert won or is_over(AS_WRITTEN, later) or holds(AS_WRITTEN.rules, later, RED)


def test_a_win_is_worth_more_than_a_hold():
    """Blue can kill with a move that would not be safe if it failed."""
    state = AS_WRITTEN.game.notation.parse_text(AS_WRITTEN.rules, "b1/5.0.0.900/12.0.0.0")
    assert holds(AS_WRITTEN.rules, state, BLUE)
    assert search_alternating(AS_WRITTEN, state, depth=3).value == -1


@pytest.mark.parametrize(
    "text", ["magic-duel:shield_limit=999", "magic-duel:heal=4", "magic-duel:max_hp=10"]
)
def test_nothing_is_claimed_where_the_proof_does_not_go(text):
    ruleset = load(text)
    start = rules.initial(ruleset.rules)
    assert not holds(ruleset.rules, start, RED)
    evaluation = search_alternating(ruleset, start, depth=1, interpret=True)
    assert (evaluation.low, evaluation.high) == (-1, 1)


@cache
def red_wins(state, within):
    """By plain AND/OR over every choice of the menu: no estimate, no table, nothing left out."""
    ended = rules.outcome(NO_SHIELD.rules, state)
    if ended.reason or within == 0:
        return ended.winner == RED
    results = (
        red_wins(after(NO_SHIELD, state, choice), within - 1)
        for choice in NO_SHIELD.choices(state, state.to_move)
    )
    return any(results) if state.to_move == RED else all(results)


def test_without_shields_the_first_player_wins_in_11_rounds_and_not_sooner():
    start = rules.initial(NO_SHIELD.rules)
    assert red_wins(start, 11)
    assert not red_wins(start, 10)
    evaluation = search_alternating(NO_SHIELD, start, depth=18, interpret=True)
    assert (evaluation.low, evaluation.high, evaluation.depth) == (1, 1, 11)
