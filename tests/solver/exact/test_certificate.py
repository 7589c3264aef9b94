"""Certificates: what responders gain is found, stalling included, and never told too small."""

from array import array
from itertools import product

import pytest
from tests.solver.exact.responses import check_bounds, states_of

from holmgang.games.ruleset import load
from holmgang.solver.exact.certificate import certify
from holmgang.solver.exact.solve import solve_whole, sweeping
from holmgang.solver.exact.table import floats, tabulate

pytestmark = pytest.mark.thorough

STALLING = "defend-the-city:stamina=4,max_score=2,soldiers=2"
THREATS = "defend-the-city:overspend=0,stamina=6,max_score=3,soldiers=3"
WAITED_FOR = "defend-the-city:stamina=1,max_score=1,soldiers=2,overspend=0,endless_loses=0"


def always(table, choice):
    """Both seats make this choice wherever they have any, by its place on the menu."""
    mixes = []
    for sizes, starts in (
        (table.numbers.reds, table.numbers.red_starts),
        (table.numbers.blues, table.numbers.blue_starts),
    ):
        mix = floats(starts[-1])
        for state in range(table.count):
            mix[starts[state] + min(choice, sizes[state] - 1)] = 1.0
        mixes.append(mix)
    return mixes


def certificate(text, choice):
    table = tabulate(load(text))
    return certify(sweeping(), table, floats(table.places), *always(table, choice))


def test_who_always_guards_is_beaten_for_certain():
    """Boosted attacks break a guard; the guard never strikes back. Each side gains 1."""
    assert certificate("bagh:max_boost=2,heal_limit=4", 2).exploitability == pytest.approx(2)


def test_who_always_heals_is_beaten_for_certain():
    assert certificate("bagh:max_boost=2,heal_limit=4", 3).exploitability == pytest.approx(2)


def test_against_who_never_acts_the_best_is_known_by_hand():
    """Whoever sits at 0/0 is struck until the other is spent: with 4 stamina best by 2, 1 and 2,
    which hits with 1 - 0.6 * 0.8 * 0.6. Afterwards nothing happens any more, a draw. Blue needs one
    hit, red two soldiers.
    """
    found = certificate(f"{STALLING},endless_loses=0", 0)
    assert found.exploitability == pytest.approx(0.712 + 0.712**2)


def test_who_always_attacks_is_beaten_for_certain():
    """A guard that holds earns priority, and with it an attack comes first (P2, B8)."""
    found = certificate("bagh:start_hp=1,max_boost=0,heal_limit=1", 1)
    assert found.exploitability == pytest.approx(2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # Each found by plain value iteration with other patience, sweeps and order, to 1e-6.
        (f"{STALLING},endless_loses=0", -0.453145),
        # Only strategies that are nearly optimal exist here: nobody may ever stop threatening.
        (f"{THREATS},endless_loses=0", -0.651350),
    ],
)
def test_rulesets_in_which_sweeps_alone_stand_still(text, value):
    solution = solve_whole(text)
    assert solution.values[solution.table.start] == pytest.approx(value, abs=1.5e-6)
    assert solution.exploitability < 1e-6


def test_a_sublinear_ruleset_is_solved():
    """With max_boost=1 plain sweeps close in ever more slowly; extrapolated ones do not."""
    solution = solve_whole("bagh:max_boost=1")
    assert solution.worst_exploitability < 1e-8
    assert solution.sweeps < 1000


def test_waiting_for_what_is_hardly_ever_chosen_gains_nothing():
    solution = solve_whole("defend-the-city:stamina=10,max_score=2,soldiers=5")
    assert solution.exploitability < 1e-6


def test_what_is_hardly_ever_chosen_can_be_waited_for():
    """With a single stamina, red mostly sits at 0/0, and once in 1e13 turns spends it on 0/1. Blue
    sits too until then, strikes the spent red at 1 in 5, and if that misses begins anew: blue wins
    for certain, though no turn of waiting gains 1e-13.
    """
    table = tabulate(load(WAITED_FOR))
    red_mixes, blue_mixes = always(table, 0)
    for state, first in enumerate(table.numbers.red_starts[:-1]):
        if table.numbers.reds[state] == 3:
            red_mixes[first : first + 2] = array("d", [1 - 1e-13, 1e-13])
    proof = certify(sweeping(), table, floats(table.places), red_mixes, blue_mixes)
    assert proof.lows[table.start] == pytest.approx(-1)


def test_a_threat_is_kept_on_one_side_and_given_up_on_the_other():
    """Blue has to sit at 0/0 now and then, or red defends for ever; red must never defend."""
    solution = solve_whole(WAITED_FOR)
    assert solution.values[solution.table.start] == pytest.approx(-0.2, abs=1e-9)
    assert solution.worst_exploitability < 1e-9
    start = solution.table.start
    red, blue = (
        mixes[starts[start] : starts[start + 1]]
        for mixes, starts in (
            (solution.red_mixes, solution.table.numbers.red_starts),
            (solution.blue_mixes, solution.table.numbers.blue_starts),
        )
    )
    assert list(red) == [1, 0, 0]
    assert 0 < blue[0] < 1e-9


SLOW = {
    "bagh:start_hp=4,max_boost=1,heal_limit=3": 1e-6,
    "bagh:start_hp=3,max_boost=1,heal_limit=2": 1e-6,
    "bagh:start_hp=2,max_boost=1,heal_limit=1": 1e-6,
    "bagh:start_hp=3,max_boost=1,heal_limit=1": 1e-6,
    "defend-the-city:stamina=2,max_score=1,soldiers=3": 1e-8,
    "defend-the-city:overspend=0,stamina=4,max_score=2,soldiers=2": 1e-8,
    "defend-the-city:overspend=0,stamina=4,max_score=2,soldiers=2,endless_loses=0": 1e-8,
    "defend-the-city:stamina=2,max_score=1,soldiers=3,endless_loses=0": 1e-8,
}


@pytest.mark.parametrize("soldiers", [2, 3])
def test_an_attempt_is_judged_by_the_ends_that_were_taken(soldiers):
    """One attempt is best before a soldier falls, another after it. The first one was judged by its
    own bounds after it, and not taken: 2.8e-3 from the start, and 2.3e-2 from every state.
    """
    rules = "stamina=6,max_score=1,endless_loses=0"
    solution = solve_whole(f"defend-the-city:{rules},soldiers={soldiers}")
    assert solution.worst_exploitability < 1e-8


@pytest.mark.parametrize(("text", "most"), SLOW.items())
def test_slow_rulesets_are_proven_from_every_state(text, most):
    """Sweeps close in on these ever more slowly, or stand still."""
    solution = solve_whole(text)
    assert solution.exploitability < 1e-8
    assert solution.worst_exploitability < most


def winning_states(ruleset, *, surely):
    """The states in which blue can win with a chance as close to 1 as it likes, or if `surely`,
    with chance 1 (de Alfaro, Henzinger and Kupferman, Concurrent reachability games, 2007).

    `kept` shrinks to the states that blue never has to leave, while `won` grows from the end of the
    game. A choice of blue is safe if it leads out of `kept` against no choice of red that is still
    `open`. A choice of red is closed once some safe choice of blue may lead from it to `won`: blue
    then plays its later choices with a chance so small beside that one that their risk vanishes.
    If blue has to win surely, no risk may be left, so every choice of red counts.
    """
    leads_to = {}
    for state in states_of(ruleset):
        for red, blue in product(*(ruleset.choices(state, seat) for seat in (0, 1))):
            leads_to.setdefault(state, {})[red, blue] = {
                after if ruleset.utility(after) is None else ruleset.utility(after)
                for face, _ in ruleset.throws(state, red, blue)
                for after in [ruleset.resolve(state, red, blue, face)]
            }

    def closes_all(state, won, kept):
        pairs = leads_to[state]
        reds, blues = ({pair[seat] for pair in pairs} for seat in (0, 1))
        open_reds = set(reds)
        while True:
            risked = reds if surely else open_reds
            safe = {b for b in blues if all(pairs[red, b] <= kept for red in risked)}
            closed = {red for red in open_reds if any(pairs[red, b] & won for b in safe)}
            if not closed:
                return not open_reds
            open_reds -= closed

    kept, won = None, {-1, *leads_to}
    while won != kept:
        kept, won = won, {-1}
        while new := {s for s in kept - won if closes_all(s, won, kept)}:
            won |= new
    return won - {-1}


def test_no_optimal_strategy_exists_where_the_bounds_stay_apart():
    """Whoever has more hp wins with a chance as close to 1 as they like, but never with chance 1.
    So the value is 1, and no strategy secures it: no mixes could be proven exactly.
    """
    ruleset = load("bagh:start_hp=3,max_boost=1,heal_limit=1")
    ahead = {state for state in states_of(ruleset) if state.blue.hp > state.red.hp}
    assert winning_states(ruleset, surely=False) == ahead
    assert winning_states(ruleset, surely=True) == set()


@pytest.mark.parametrize("text", ["bagh:max_boost=1,heal_limit=2", *SLOW])
def test_bounds_hold_against_every_response(text, tmp_path):
    check_bounds(solve_whole(text), tmp_path / "a.table")
