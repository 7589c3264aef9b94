"""The logit equilibrium of a matrix game."""

from math import exp

import pytest

from holmgang.solver.matrix import solve_matrix
from holmgang.solver.quantal import kernels_of_quantal, solve_quantal

ROCK = [[0.0, -0.5, 0.9], [0.5, 0.0, -0.5], [-0.9, 0.5, 0.0]]


@pytest.mark.parametrize("temperature", [0.03, 0.1, 0.5])
def test_odds_fall_by_e_for_every_temperature_of_cost(temperature):
    matrix = [[0.3, -0.2, 0.1], [-0.6, 0.4, 0.0], [0.2, 0.1, -0.5]]
    row, column = solve_quantal(matrix, temperature).both
    worths = [sum(c * entry for c, entry in zip(column, line, strict=True)) for line in matrix]
    odds = [exp((worth - worths[0]) / temperature) for worth in worths]  # the stake is 1
    assert row == pytest.approx([each / sum(odds) for each in odds], abs=0.002)


def test_a_high_temperature_is_random_and_a_low_one_optimal():
    hot, cold = solve_quantal(ROCK, 100), solve_quantal(ROCK, 0.003)
    assert hot.row == pytest.approx([1 / 3] * 3, abs=0.01)
    assert cold.row == pytest.approx(solve_matrix(ROCK).row_mix, abs=0.02)


def test_a_temperature_does_not_depend_on_what_is_at_stake():
    small = [[entry / 10 for entry in row] for row in ROCK]
    assert solve_quantal(small, 0.1).row == pytest.approx(solve_quantal(ROCK, 0.1).row, abs=1e-6)


def test_one_player_alone_has_the_odds_of_the_worths():
    row, column = solve_quantal([[0.5], [0.0], [-0.5]], 0.5).both
    assert column == [1.0]
    assert row[0] / row[1] == pytest.approx(exp(1.0))


def test_a_choice_that_loses_at_once_is_left_out_but_for_slips():
    matrix = [[0.1, 0.3, 1.0], [0.2, -0.1, 1.0], [-1.0, -1.0, 0.0]]  # both may lose at once
    row, column = solve_quantal(matrix, 0.5).both
    assert row[2] == column[2] == 0
    assert solve_quantal(matrix, 0.5, 0.01).row[2] == pytest.approx(0.01)


def test_a_risk_is_not_a_certain_loss():
    matrix = [[0.0, -1.0], [0.1, 0.1], [1.0, -1.0]]
    assert min(solve_quantal(matrix, 0.5).row) > 0
    assert solve_quantal(matrix, 0.5, is_cautious=True).row[0] == 0
    assert solve_quantal(matrix, 0.5, is_cautious=True).row[2] > 0


def test_where_every_choice_loses_all_are_made():
    assert solve_quantal([[-1.0, -1.0], [-1.0, -1.0]], 0.1).row == [0.5, 0.5]


def test_compiled_and_interpreted_agree(monkeypatch):
    kernels_of_quantal()("quantal")
    compiled = solve_quantal(ROCK, 0.05)
    monkeypatch.setattr(
        "holmgang.engine.compiled.native.NumberKernels.is_cached", lambda kernels, name: False
    )
    assert solve_quantal(ROCK, 0.05) == compiled
