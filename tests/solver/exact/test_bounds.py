"""Proven bounds hold exactly: the proof is repeated in fractions, without a tolerance."""

from array import array

import pytest
from tests.games import relay
from tests.solver.exact.responses import check_bounds
from tests.solver.exact.test_kernels import made_up  # noqa: F401 - a fixture

from holmgang.games.assembling import assemble
from holmgang.games.catalogue import CATALOGUE, Entry
from holmgang.games.ruleset import load
from holmgang.solver.exact.certificate import certify
from holmgang.solver.exact.solve import solve_table, sweeping
from holmgang.solver.exact.table import floats, tabulate

BY_A_LAST_DIGIT = (  # a bound was wrong, by up to 5e-16
    "generated:seed=280,nodes=6,symmetric=0,stops=0",
    "generated:seed=672,nodes=18,symmetric=0,stops=0",
    "generated:seed=733,nodes=19,symmetric=1,stops=0",
    "generated:seed=1185,nodes=11,endless=2",
    "generated:seed=1350,nodes=16,endless=1",
)
WIDE_WITH_ANSWERS = (  # the file's rounding of bounds was taken for an error of the certificate
    "generated:seed=188,nodes=14,symmetric=0,stops=0",
    "generated:seed=1156,nodes=22,endless=1",
    "generated:seed=1177,nodes=23,endless=2",
    "generated:seed=1257,nodes=23,endless=2",
    "generated:seed=1263,nodes=9,endless=2",
    "generated:seed=1358,nodes=24,endless=1",
)


@pytest.mark.parametrize("text", [*BY_A_LAST_DIGIT, *WIDE_WITH_ANSWERS])
def test_no_bound_is_wrong_by_a_last_digit(text, tmp_path):
    solution = solve_table(tabulate(load(text), interpret=True), sweeping())
    check_bounds(solution, tmp_path / "a.table")


@pytest.mark.parametrize("slip", [1e-12, 1e-15, 1e-18, 1e-300, 5e-324])
def test_what_adds_less_than_rounding_can_be_waited_for(slip, monkeypatch):
    """Red slips almost never. Blue waits, and wins for certain: in one round waiting adds as little
    as red slips, but there is no limit of rounds.
    """
    monkeypatch.setitem(CATALOGUE, "relay", Entry("relay", "", "", assemble("relay", relay)))
    table = tabulate(load("relay"), interpret=True)
    red_mixes, blue_mixes = (
        array("d", [1.0]) * starts[-1]
        for starts in (table.numbers.red_starts, table.numbers.blue_starts)
    )
    for state, first in enumerate(table.numbers.red_starts[:-1]):
        if table.numbers.reds[state] == 2:
            red_mixes[first + relay.SLIP] = slip
    proof = certify(sweeping(), table, floats(table.places), red_mixes, blue_mixes)
    assert set(proof.lows) == {-1.0}
