"""Random duels of every length and ending, and what must be true of any analysis."""

import random

from holmgang.analysis.analyse import GRADE_PARTS, Analysis
from holmgang.analysis.grade import mark_of
from holmgang.engine.duel import Duel
from holmgang.engine.mix import sample
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.oracle import oracle_of

SMALL = "bagh:max_boost=1,heal_limit=4"
CITY = "defend-the-city:soldiers=2,stamina=5,max_score=3,die=3"
CITY_DUEL = "defend-the-city-duel:stamina=6,max_score=3,die=3"
TURNS = "magic-duel"
EXACT = 1e-9  # by how much sums may be off, and errors be negative


def random_duel(ruleset: str | Ruleset, seed: int, **options) -> Duel:
    """A duel of two players who choose at random. One in five does not end by the rules: it is
    stopped by its limit, a forfeit, a draw, a missed answer, or goes on.
    """
    rng = random.Random(seed)
    how = rng.randrange(25)
    stop = rng.randrange(1, 12)
    limit = {"round_limit": stop} if how == 0 else {}
    duel = Duel(ruleset, seed=seed, clock=lambda: 0.0, **{**limit, **options})
    while not duel.is_over:
        if how in (1, 2, 3, 4) and len(duel.rounds) == stop:
            end(duel, how, rng.choice(SEATS))
            break
        for seat in duel.waiting_for:
            duel.choose(seat, rng.choice(duel.choices(seat)))
        duel.reveal()
    return duel


def end(duel: Duel, how: int, seat: str) -> None:
    if how == 1:
        duel.forfeit(seat)
    elif how == 2:
        duel.time_out(seat)
    elif how == 3:
        for each in SEATS:
            duel.offer_draw(each)


def mixed_duel(ruleset: str, seed: int, *perfect: str) -> Duel:
    """A duel in which these seats play the mixes of the table, and the others at random."""
    rng, oracle = random.Random(seed), oracle_of(ruleset, build=False)
    duel = Duel(load(ruleset), seed=seed, clock=lambda: 0.0)
    while not duel.is_over:
        found = oracle.evaluate(duel.state, with_chances=False)
        for seat in duel.waiting_for:
            if seat in perfect:
                choice = sample(getattr(found, seat), rng.getrandbits(64))
                duel.choose(seat, duel.ruleset.word(choice))
            else:
                duel.choose(seat, rng.choice(duel.choices(seat)))
        duel.reveal()
    return duel


def left_over(analysis: Analysis) -> float:
    """What the parts of an analysis do not explain of what the duel changed."""
    totals = analysis.totals
    end_value = analysis.end_value if analysis.result is None else analysis.result
    explained = sum(totals.values()) - 2 * totals["red_error"]
    return abs(explained - (end_value - analysis.start_value))


def lost_to_mixes(analysis: Analysis, seat: int) -> float:
    """What a seat lost by its choices against the mixes of the table."""
    return sum(
        graded.before.solution.cost_against_mix(seat, graded.choice(seat))
        for graded in analysis.rounds
    )


def check(analysis: Analysis) -> None:
    """Raises AssertionError unless the parts add up, in each round and in all, and no error is
    negative.
    """
    assert left_over(analysis) <= EXACT
    value = analysis.start_value
    for graded in analysis.rounds:
        assert graded.value_before == value
        value = graded.value_after
        red_error, *gained = (getattr(graded, part) for part in GRADE_PARTS)
        assert abs(sum(gained) - red_error - (value - graded.value_before)) <= EXACT
        assert red_error >= -EXACT
        assert graded.blue_error >= -EXACT
        assert -1 <= value <= 1
    assert value == analysis.end_value
    for seat in (0, 1):
        accuracy = analysis.accuracy(seat)
        assert (accuracy is None) == (not analysis.has_exact_worths)
        assert accuracy is None or 0 <= accuracy <= 100
        for graded in analysis.rounds:
            assert graded.proven_errors[seat] <= graded.error(seat) + 1e-6
            assert not graded.has_exact_errors or graded.mark(seat) == mark_of(graded.error(seat))
