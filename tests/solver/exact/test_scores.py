"""Best responses and values of given mixes, compared with fractions from the rules alone."""

from array import array
from fractions import Fraction
from random import Random

import pytest
from tests.solver.exact.responses import all_rounds, best_responses, solved
from tests.solver.exact.test_kernels import made_up  # noqa: F401 - a fixture

from holmgang.games.ruleset import load
from holmgang.solver.exact import scores
from holmgang.solver.exact.scores import Mixes, tabulate_all

GENERATED = [
    f"generated:seed={seed},nodes={nodes},{more}"
    for seed, nodes, more in (
        (280, 6, "symmetric=0,stops=0"),
        (672, 18, "symmetric=0,stops=0"),
        (733, 19, "symmetric=1,stops=0"),
        (1185, 11, "endless=2"),
        (1350, 16, "endless=1"),
        (188, 14, "symmetric=0,stops=0"),
        (1177, 23, "endless=2"),
        (1358, 24, "endless=1"),
    )
]


def random_mixes(table, rng):
    """Weights of all sizes; some choices are never made, and some states have a single one."""

    def weights(size):
        found = [
            rng.choice((0.0, 1.0, rng.random(), 10.0 ** -rng.randrange(9))) for _ in range(size)
        ]
        return found if any(found) else [1.0] * size

    return Mixes(*(
        array("d", (weight for size in sizes for weight in weights(size)))
        for sizes in (table.numbers.reds, table.numbers.blues)
    ))  # fmt: skip


def by_state(table, mixes, seat):
    starts = (table.numbers.red_starts, table.numbers.blue_starts)[seat]
    found = {}
    for number, state in table:
        menu = table.ruleset.choices(state, seat)
        shares = mixes[seat][starts[number] : starts[number + 1]]
        found[state] = dict(zip(menu, shares, strict=True)) if menu else {}
    return found


def exact_value(table, mixes):
    """The value of the mixes against each other, in fractions. Where both can go on for ever
    without another way out, it is that of endless play.
    """
    ruleset = table.ruleset
    red, blue = (by_state(table, mixes, seat) for seat in (0, 1))
    rows = {}
    for state in red:
        menu, rounds = ruleset.choices(state, 0), all_rounds(ruleset, state, blue[state], 0)
        shares = [Fraction(red[state][choice]) for choice in menu] or [Fraction(1)]
        constant, follow = Fraction(0), {}
        for share, (ends, _, after) in zip(shares, rounds, strict=True):
            if share:
                constant += share / sum(shares) * ends
                for each, chance in after.items():
                    follow[each] = follow.get(each, 0) + share / sum(shares) * chance
        rows[state] = constant, follow
    ends = {state for state, (_, follow) in rows.items() if sum(follow.values()) < 1}
    while more := {s for s, (_, follow) in rows.items() if s not in ends and follow.keys() & ends}:
        ends |= more
    forever = Fraction(ruleset.endless_utility)
    rows = {state: row if state in ends else (forever, {}) for state, row in rows.items()}
    return solved(rows, {})[ruleset.initial()]


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        *((text, seed) for text in GENERATED for seed in range(2)),
        (GENERATED[5], 2),  # sweeps alone do not find the best response
    ],
)
def test_enclosures_contain_what_fractions_give(text, seed):
    table = tabulate_all(load(text), interpret=True)
    mixes = random_mixes(table, Random(seed))
    found, start = scores.best_responses(table, mixes), table.ruleset.initial()
    for responder, enclosure, side in ((0, found.red, 1), (1, found.blue, -1)):
        theirs = by_state(table, mixes, 1 - responder)
        guesses = dict.fromkeys(theirs, 0)
        exact = side * best_responses(table.ruleset, theirs, responder, guesses)[start]
        assert Fraction(enclosure.low) <= exact <= Fraction(enclosure.high)
        assert enclosure.is_exact
    value = scores.value_of(table, mixes)
    assert Fraction(value.low) <= exact_value(table, mixes) <= Fraction(value.high)
    assert value.is_exact


@pytest.mark.parametrize(
    ("text", "seed"), [*((text, 7) for text in GENERATED[:4]), (GENERATED[5], 2)]
)
def test_replies_are_worth_what_is_said(text, seed):
    table = tabulate_all(load(text), interpret=True)
    mixes = random_mixes(table, Random(seed))
    found = scores.best_responses(table, mixes)
    red = exact_value(table, Mixes(found.replies.red, mixes.blue))
    blue = exact_value(table, Mixes(mixes.red, found.replies.blue))
    assert found.red.low <= red <= found.red.high
    assert found.blue.low <= blue <= found.blue.high
