"""Alpha-beta for games in which the seats take turns, against plain minimax and exact solutions."""

import random
from functools import cache

import pytest

from holmgang.errors import StateError, UsageError
from holmgang.games.conformance import playout
from holmgang.games.magic_duel import dominance, rules
from holmgang.games.magic_duel.estimate import estimate
from holmgang.games.ruleset import load
from holmgang.solver.search.alternating import Search, search_alternating, searcher_of
from holmgang.solver.search.alternating_kernels import ESTIMATE, MOST_DEPTH, PROVEN, WIN

SMALL = "magic-duel:max_hp=5,specter_cost=2,bubble_cost=1,bubble_fuse=1,max_burn=1,shield_limit=2"
SEVERAL = ("magic-duel", SMALL)


@cache
def some_states(text, count):
    """States of random play, more of them near its end."""
    dice = random.Random(text)
    states = []
    while len(states) < count:
        played = [each.before for each in playout(load(text), dice)]
        states += played[-8:][:: dice.randint(2, 4)]
    return states[:count]


def after(ruleset, state, choice):
    red, blue = (choice, -1) if state.to_move == rules.RED else (-1, choice)
    return rules.resolve(ruleset.rules, state, red, blue, 0)


def worthwhile(ruleset, state):
    menu = rules.choices(ruleset.rules, state, state.to_move)
    kept = dominance.worthwhile(ruleset.rules, state, menu)
    return [
        dominance.strongest(ruleset.rules, state, choice)
        for choice in range(kept.bit_length())
        if kept >> choice & 1
    ]


def minimax(ruleset, state, depth, ply=0):
    """The score of a state, by looking at everything."""
    ended = rules.outcome(ruleset.rules, state)
    if ended.reason:
        return (WIN - ply, ply - WIN, 0)[ended.winner]
    if ply == depth:
        return int(ESTIMATE * estimate(ruleset.rules, state))
    scores = [
        minimax(ruleset, after(ruleset, state, choice), depth, ply + 1)
        for choice in worthwhile(ruleset, state)
    ]
    return max(scores) if state.to_move == rules.RED else min(scores)


def deepened(ruleset, state, depth, *, buckets=1 << 6, interpret=False):
    """A search that went through all depths up to this; its few buckets are often overwritten."""
    search = Search(searcher_of(ruleset, interpret=interpret), state, buckets)
    for each in range(1, depth + 1):
        assert search.deepen(each)
    return search


@pytest.mark.thorough
@pytest.mark.parametrize("text", SEVERAL)
@pytest.mark.parametrize("buckets", [0, 1 << 4, 1 << 12])
def test_scores_are_those_of_plain_minimax(text, buckets):
    ruleset = load(text)
    for state in some_states(text, 25):
        for depth in (1, 2, 3):
            search = deepened(ruleset, state, depth, buckets=buckets)
            assert search.score == minimax(ruleset, state, depth)
            choice = dominance.strongest(ruleset.rules, state, search.choice)
            assert search.score == minimax(ruleset, after(ruleset, state, choice), depth, 1)


@pytest.mark.parametrize("text", SEVERAL)
def test_the_table_changes_no_score(text):
    ruleset = load(text)
    for state in some_states(text, 12):
        scores = {deepened(ruleset, state, 9, buckets=size).score for size in (0, 1 << 4, 1 << 14)}
        assert len(scores) == 1


@pytest.mark.parametrize("text", SEVERAL)
def test_interpreted_as_compiled(text):
    ruleset = load(text)
    for state in some_states(text, 6):
        ways = [deepened(ruleset, state, 5, interpret=interpret) for interpret in (False, True)]
        assert len({(way.score, way.choice, way.nodes) for way in ways}) == 1
        evaluations = [
            search_alternating(ruleset, state, depth=4, interpret=interpret)
            for interpret in (False, True)
        ]
        assert evaluations[0] == evaluations[1]


@pytest.mark.parametrize(
    "numbers",
    [
        "max_hp=4,heal=1,pierce_damage=1,normal_damage=1,shield_limit=1,moves=1",
        "max_hp=4,heal=2,pierce_damage=2,normal_damage=2,shield_limit=0",
    ],
)
def test_wins_and_losses_are_those_of_the_exact_solution(numbers):
    """Without magic and minions there are few states, and all can be solved."""
    ruleset = load(f"magic-duel:minions=0,magic_gain=0,max_burn=1,{numbers}")
    solved = exact_values(ruleset)
    assert {1, -1} <= set(solved.values())
    for state, value in solved.items():
        evaluation = search_alternating(ruleset, state, depth=10, interpret=True)
        assert evaluation.is_exact == (value != 0)
        if value:
            assert evaluation.value == evaluation.low == evaluation.high == value


def exact_values(ruleset):
    """Every undecided state with its value to red: from the ends backwards, until none is won any
    more; what is left goes on for ever.
    """
    start = rules.initial(ruleset.rules)
    successors, found = {}, [start]
    for state in found:
        if state not in successors:
            menu = ruleset.choices(state, state.to_move)
            successors[state] = [after(ruleset, state, choice) for choice in menu]
            found += [each for each in successors[state] if not winner_value(ruleset, each)]
    values = dict.fromkeys(successors, 0)
    changed = True
    while changed:
        changed = False
        for state, following in successors.items():
            worths = [values.get(each) or winner_value(ruleset, each) for each in following]
            value = max(worths) if state.to_move == rules.RED else min(worths)
            changed |= value != values[state]
            values[state] = value
    return values


def winner_value(ruleset, state):
    return (1, -1, 0)[rules.outcome(ruleset.rules, state).winner]


@pytest.mark.parametrize(
    ("state", "value", "depth"),
    [
        ("r1/25.0.0.0/5.0.0.900", 1, 1),  # pierce
        ("b2/10.0.0.900/25.0.0.0", -1, 2),  # pierce twice
        ("r2/1.0.0.0/7.0.0.0", 1, 2),  # magic, then a normal attack
        ("r0s0/25.0.0.0+s10x1@0/1.0.0.0", 1, 1),  # the specter strikes
        ("b1/25.0.0.0/5.0.0.900", 1, 3),  # a heal to 10 hp is not enough against two piercings
        ("r1/25.0.0.0/4.0.2.0", 1, 1),  # whatever it does: 3 damage and, on blue's turn, the burn
    ],
)
def test_a_forced_win_is_proven_as_soon_as_it_is_in_sight(state, value, depth):
    ruleset = load("magic-duel")
    start = ruleset.parse_state(state)
    evaluation = search_alternating(ruleset, start, depth=8)
    assert evaluation.depth == depth
    assert evaluation.value == evaluation.low == evaluation.high == value
    if depth > 1:
        assert search_alternating(ruleset, start, depth=depth - 1).value != value


@pytest.mark.thorough
def test_the_shortest_win_is_taken():
    ruleset = load("magic-duel:shield_limit=0")
    state = rules.initial(ruleset.rules)
    for left in range(11, 0, -1):
        evaluation = search_alternating(ruleset, state, depth=11, interpret=True)
        assert (evaluation.value, evaluation.depth) == (1, left)
        (choice,) = evaluation.red or evaluation.blue
        state = after(ruleset, state, choice)
    assert rules.outcome(ruleset.rules, state).winner == rules.RED


def test_scores_of_ends_and_estimates_are_apart():
    assert ESTIMATE < PROVEN <= WIN - MOST_DEPTH


@pytest.mark.parametrize("text", ["bagh", "fencing", "defend-the-city", "defend-the-city-duel"])
def test_other_games_are_refused(text):
    ruleset = load(text)
    state = ruleset.initial()
    with pytest.raises(UsageError, match="needs a game without dice in which one seat"):
        search_alternating(ruleset, state, depth=1)


@pytest.mark.parametrize(
    ("name", "lie"),
    [("chance", lambda rules, state, red, blue: 2), ("choices", lambda rules, state, seat: 1)],
)
def test_a_game_that_stops_alternating_on_the_way_is_refused(name, lie):
    ruleset = load("magic-duel")
    kernels = searcher_of.__wrapped__(ruleset, interpret=True)
    search = Search(kernels, rules.initial(ruleset.rules), buckets=0)
    assert search.deepen(2)
    setattr(kernels.bound.kernels["game"], name, lie)
    with pytest.raises(UsageError, match="needs a game without dice in which one seat"):
        search.deepen(3)


def test_a_game_that_does_not_say_what_to_look_at_is_refused():
    with pytest.raises(UsageError, match="has no dominance"):
        searcher_of.__wrapped__(load("bagh"))


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({}, "needs a limit"),
        ({"depth": 0}, "depth must be from 1 to 64"),
        ({"depth": 65}, "depth must be from 1 to 64"),
        ({"budget_ms": -1}, "budget_ms must be"),
        ({"budget_ms": float("nan")}, "budget_ms must be"),
        ({"budget_ms": float("inf")}, "budget_ms must be"),
    ],
)
def test_limits_are_checked(limits, told):
    ruleset = load("magic-duel")
    with pytest.raises(UsageError, match=told):
        search_alternating(ruleset, rules.initial(ruleset.rules), **limits)


def test_a_duel_that_is_over_is_refused():
    ruleset = load("magic-duel")
    state = ruleset.parse_state("r1/25.0.0.0/0.0.0.0")
    with pytest.raises(StateError, match="over"):
        search_alternating(ruleset, state, depth=1)
