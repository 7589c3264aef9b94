"""MagicDuel's dominance: what a search leaves out would not have helped."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import states

from holmgang.games.conformance import playout
from holmgang.games.magic_duel import dominance, rules
from holmgang.games.magic_duel.estimate import estimate
from holmgang.games.magic_duel.rules import HEAL, Mage
from holmgang.games.ruleset import load
from holmgang.solver.search.alternating import Search, search_alternating, searcher_of

UNLIMITED = load("magic-duel")
SMALL = load("magic-duel:max_hp=15,specter_cost=2,bubble_cost=1,bubble_fuse=1,shield_limit=2")


def after(ruleset, state, choice):
    red, blue = (choice, -1) if state.to_move == rules.RED else (-1, choice)
    return rules.resolve(ruleset.rules, state, red, blue, 0)


def full_menu(ruleset, state):
    """All choices, with amounts of shield that no menu lists."""
    menu = ruleset.choices(state, state.to_move)
    more = [HEAL + amount for amount in (1, 7, 100, 10**6)]
    return menu + [each for each in more if ruleset.is_legal(state, state.to_move, each)]


def worth(ruleset, state, depth):
    """1, -1 or 0 to red: who can force a win within so many rounds, by any choice there is."""
    ended = rules.outcome(ruleset.rules, state)
    if ended.reason or depth == 0:
        return (1, -1, 0)[ended.winner]
    best = 1 if state.to_move == rules.RED else -1
    worst = -best
    for choice in full_menu(ruleset, state):
        value = worth(ruleset, after(ruleset, state, choice), depth - 1)
        if value == best:
            return best
        worst = max(worst * best, value * best) * best
    return worst


@pytest.mark.parametrize("ruleset", [UNLIMITED, SMALL], ids=str)
def test_the_full_menu_forces_no_more_ends_than_the_worthwhile_choices(ruleset):
    dice = random.Random(4)
    seen = set()
    for _ in range(12):
        late = list(playout(ruleset, dice))[-5:]
        for played in islice(late, 0, None, 2):
            for depth in (1, 2, 3):
                found = search_alternating(ruleset, played.before, depth=depth, interpret=True)
                forced = found.value if abs(found.value) == 1 else 0
                assert forced == worth(ruleset, played.before, depth)
                seen.add(forced)
    assert seen == {-1, 0, 1}


@given(states(UNLIMITED))
def test_what_a_search_answers_is_legal(state):
    seat = state.to_move
    menu = rules.choices(UNLIMITED.rules, state, seat)
    kept = dominance.worthwhile(UNLIMITED.rules, state, menu)
    assert kept
    assert kept & ~menu == 0
    for choice in range(kept.bit_length()):
        if kept >> choice & 1:
            strongest = dominance.strongest(UNLIMITED.rules, state, choice)
            assert UNLIMITED.is_legal(state, seat, strongest)
            word = UNLIMITED.game.notation.format_choice(UNLIMITED.rules, strongest)
            assert UNLIMITED.parse_choice(state, seat, word) == strongest


@pytest.mark.parametrize(
    ("text", "state", "shield"),
    [
        ("magic-duel:shield_limit=0", "r2/9.0.0.0/25.0.0.0", 0),
        ("magic-duel:shield_limit=7", "r2/9.0.0.0/25.0.0.0", 7),
        ("magic-duel", "r2/9.0.0.0/25.0.0.0", 1 << 15),
        ("magic-duel", f"r2/9.0.0.{(1 << 15) - 1}/25.0.0.0", 1),
        ("magic-duel", "r2/9.0.0.900000/25.0.0.0", 0),
        ("magic-duel", f"r2/9.0.0.0/25.{10**18}.0.0", 10**15 - 1),
    ],
)
def test_m6_of_all_heals_the_one_with_an_ample_shield(text, state, shield):
    ruleset = load(text)
    start = ruleset.parse_state(state)
    assert dominance.strongest(ruleset.rules, start, HEAL) == HEAL + shield


@settings(max_examples=40)
@given(states(UNLIMITED), st.sampled_from([0, 3, 40, 29_000, 32_768, 40_000, 10**9]))
def test_a_state_is_worth_what_the_one_it_is_likened_to_is_worth(state, shield):
    state = state._replace(red=state.red._replace(shield=shield))
    likened = dominance.likened(UNLIMITED.rules, state)
    assert likened == dominance.likened(UNLIMITED.rules, likened)
    assert best_score(state, 8) == best_score(likened, 8)


def best_score(state, depth):
    search = Search(searcher_of(UNLIMITED), state, buckets=0)
    assert search.deepen(depth)
    return search.score


@settings(max_examples=20)
@given(states(UNLIMITED), st.integers(0, 10**6))
def test_m6_an_ample_shield_outlasts_64_turns_of_any_play(state, seed):
    """Red plays at random, but neither pierces nor heals; blue is never hit."""
    dice = random.Random(seed)
    ample = dominance.ample(UNLIMITED.rules, state.red)
    state = state._replace(
        red=state.red._replace(hp=25, burn=0),
        blue=Mage(25, 0, 0, ample, (rules.NOTHING, rules.NOTHING)),
    )
    pierces = range(rules.PIERCE, rules.BUBBLE)
    turns = 0
    while turns < 64:
        menu = UNLIMITED.choices(state, state.to_move)
        if state.to_move == rules.RED:
            choice = dice.choice([each for each in menu if each < HEAL and each not in pierces])
        else:
            choice = HEAL if state.phase == rules.Phase.MOVE else menu[0]
        before, state = state, after(UNLIMITED, state, choice)
        turns += before.to_move == rules.RED != state.to_move
        assert (state.blue.hp, state.blue.burn) == (25, 0)


@given(states(UNLIMITED), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_more_hp_more_shield_and_less_burn_never_look_worse(state, hp, shield, burn):
    red = state.red
    better = red._replace(hp=red.hp + hp, shield=red.shield + shield, burn=max(0, red.burn - burn))
    assert estimate(UNLIMITED.rules, state._replace(red=better)) >= estimate(UNLIMITED.rules, state)


@given(states(UNLIMITED))
def test_an_estimate_is_fair_and_never_certain(state):
    value = estimate(UNLIMITED.rules, state)
    assert -1 < value < 1
    mirrored = UNLIMITED.game.notation.mirror(UNLIMITED.rules, state)
    assert estimate(UNLIMITED.rules, mirrored) == pytest.approx(-value)


@pytest.mark.parametrize("number", ["hp", "magic", "burn", "shield"])
def test_an_estimate_of_enormous_numbers_is_not_certain(number):
    state = rules.initial(UNLIMITED.rules)
    state = state._replace(red=state.red._replace(**{number: 10**18}))
    assert -1 < estimate(UNLIMITED.rules, state) < 1
