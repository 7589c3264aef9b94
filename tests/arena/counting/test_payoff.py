"""Who beats whom, and the mix that nobody beats."""

from random import Random

import pytest

from holmgang.arena.counting.mixture import maximin, mixture
from holmgang.arena.counting.payoff import payoffs
from holmgang.arena.counting.ratings import Counts, rate


def table_of(games):
    bots = sorted({bot for seats in games for bot in seats})
    return payoffs(bots, games, rate(bots, games))


def loss(matrix, shares):
    """What the best of all gains on the mix."""
    return max(sum(gain * share for gain, share in zip(row, shares, strict=True)) for row in matrix)


def test_both_seats_are_added_up():
    table = table_of({("ann", "bob"): Counts(3, 1, 2), ("bob", "ann"): Counts(1, 2, 4)})
    assert table.counts("ann", "bob") == Counts(7, 3, 3)
    assert table.counts("bob", "ann") == Counts(3, 3, 7)
    score = table.score("ann", "bob")
    assert score.value == 8.5 / 13
    assert score.low < score.value < score.high


@pytest.mark.parametrize(("counts", "end"), [(Counts(wins=9), 1.0), (Counts(losses=9), 0.0)])
def test_intervals_at_the_ends_are_sane(counts, end):
    score = table_of({("ann", "bob"): counts}).score("ann", "bob")
    assert score.value == end
    assert 0 <= score.low < score.high <= 1
    assert 0.2 < score.high - score.low < 0.5


def test_who_never_met_has_no_score_but_an_expectation():
    better = Counts(30, 0, 10)
    table = table_of(
        {
            ("a", "b"): better,
            ("b", "a"): better.reversed(),
            ("b", "c"): better,
            ("c", "b"): better.reversed(),
        }
    )
    assert table.score("a", "c") is None
    assert table.counts("a", "c").games == 0
    matrix = table.matrix()
    assert matrix[0][2] > matrix[0][1] > 0
    assert matrix[2][0] == -matrix[0][2]


def test_rock_paper_scissors_has_a_support_of_all_though_ratings_are_equal():
    won = Counts(wins=80, losses=20)
    table = table_of(
        {("rock", "scissors"): won, ("scissors", "paper"): won, ("paper", "rock"): won}
    )
    for share in mixture(table):
        assert share.share == pytest.approx(1 / 3)
        assert share.low <= share.share <= share.high
    assert table.ratings["rock"].value == pytest.approx(0, abs=1e-6)


def test_the_one_that_beats_all_has_all():
    won = Counts(wins=95, losses=5)
    shares = mixture(table_of({("a", "b"): won, ("a", "c"): won, ("b", "c"): won}))
    assert (shares[0].bot, shares[0].share) == ("a", 1.0)
    assert [share.share for share in shares[1:]] == [0, 0]
    assert shares[0].low == 1.0


def test_few_games_leave_the_shares_open_and_many_do_not():
    def share(times):
        better = Counts(3 * times, 0, 2 * times)
        return mixture(table_of({("a", "b"): better, ("b", "a"): better.reversed()}))[0]

    assert share(1)[:2] == share(200)[:2] == ("a", 1.0)
    assert (share(1).low, share(1).high) == (0.0, 1.0)
    assert share(200).low == 1.0
    assert share(1) == share(1)  # the same games, the same table


def test_equal_bots_share_alike():
    assert maximin([[0.0] * 4] * 4) == [0.25] * 4


def test_a_copy_takes_half_of_the_share_and_no_more():
    rps = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
    copied = [[0, 0, 1, -1], [0, 0, 1, -1], [-1, -1, 0, 1], [1, 1, -1, 0]]
    assert maximin(rps) == pytest.approx([1 / 3] * 3)
    assert maximin(copied) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3])


@pytest.mark.parametrize("size", [1, 2, 7, 40, 90])
def test_nobody_gains_on_the_mix(size):
    chance = Random(size)
    strengths = [chance.gauss() for _ in range(size)]
    matrix = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            matrix[i][j] = (strengths[i] - strengths[j]) / 9 + chance.uniform(-0.3, 0.3)
            matrix[j][i] = -matrix[i][j]
    shares = maximin(matrix)
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
    assert loss(matrix, shares) < 1e-9
