"""Ratings: what they are by hand, at the edges, and how often their intervals hold the truth."""

from random import Random

import pytest

from holmgang.arena.counting import linear
from holmgang.arena.counting.ratings import POINTS, Counts, chances, in_points, rate


def simulated(chance, *, bots, games, spread, drawishness, edge):
    """The true strengths of some bots, and a round robin that they played."""
    truth = {f"bot{i}": chance.gauss(0, spread) for i in range(bots)}
    mean = sum(truth.values()) / bots
    truth = {bot: strength - mean for bot, strength in truth.items()}
    table = {}
    for red in truth:
        for blue in truth:
            if red != blue:
                expected = chances((truth[red] - truth[blue] + edge) / POINTS, drawishness)
                ends = chance.choices(range(3), expected, k=games)
                table[red, blue] = Counts(*map(ends.count, range(3)))
    return truth, table


def difference(ratings, bot, other):
    """How much stronger a bot is than another, with its own interval: common errors cancel out."""
    i, j = ratings.bots.index(bot), ratings.bots.index(other)
    return in_points(ratings.strengths[i] - ratings.strengths[j], ratings.variance_between(i, j))


@pytest.mark.parametrize(
    ("drawishness", "edge", "games"),
    [(-100, 0, 10), (-1, 40, 10), (1.5, 100, 10), (-1, 40, 2)],
    ids=["no draws", "some draws", "mostly draws", "two games at each seat"],
)
def test_intervals_cover_the_truth_in_93_to_97_of_100_cases(drawishness, edge, games):
    chance = Random(20)
    covered = total = 0
    for _ in range(200):
        truth, table = simulated(
            chance, bots=8, games=games, spread=200, drawishness=drawishness, edge=edge
        )
        ratings = rate(list(truth), table)
        covered += sum(ratings[bot].low <= truth[bot] <= ratings[bot].high for bot in truth)
        total += len(truth)
    assert 0.93 <= covered / total <= 0.97


def test_the_interval_of_red_s_advantage_covers_it_too():
    chance = Random(21)
    covered = 0
    for _ in range(200):
        _, table = simulated(chance, bots=5, games=8, spread=150, drawishness=-1, edge=60)
        seat = rate([f"bot{i}" for i in range(5)], table).seat
        covered += seat.low <= 60 <= seat.high
    assert 0.91 <= covered / 200 <= 0.985  # 95 %, give or take what 200 cases can tell


def test_ten_wins_to_a_loss_are_400_points():
    table = {("ann", "bob"): Counts(wins=5000, losses=500), ("bob", "ann"): Counts(500, 0, 5000)}
    assert difference(rate(["ann", "bob"], table), "ann", "bob").value == pytest.approx(400, abs=1)


def test_draws_count_as_half_a_win():
    table = {
        ("ann", "bob"): Counts(300, 400, 100),
        ("bob", "ann"): Counts(100, 400, 300),
    }
    ratings = rate(["ann", "bob"], table)
    assert ratings.expected_score("ann", "bob") == pytest.approx(500 / 800, abs=0.001)


def test_more_draws_are_less_luck():
    def margin(draws):
        decided = (100 - draws) // 2
        table = {
            ("ann", "bob"): Counts(decided, draws, decided),
            ("bob", "ann"): Counts(decided, draws, decided),
        }
        ratings = rate(["ann", "bob"], table)
        score_a_little_up = ratings.expected_score("ann", "bob", luck=-1.0)
        return score_a_little_up - 0.5

    assert margin(80) < 0.6 * margin(0)


def test_the_order_of_games_and_bots_does_not_matter_at_all():
    _, table = simulated(Random(3), bots=6, games=5, spread=200, drawishness=-1, edge=30)
    items = list(table.items())
    Random(4).shuffle(items)
    bots = [f"bot{i}" for i in range(6)]
    assert rate(bots, table) == rate(bots[::-1], dict(items))


@pytest.mark.parametrize(
    "counts",
    [Counts(wins=10), Counts(losses=1000), Counts(draws=1), Counts(draws=10_000), Counts()],
    ids=str,
)
def test_extreme_results_give_finite_ratings(counts):
    ratings = rate(["ann", "bob"], {("ann", "bob"): counts})
    for bot in ("ann", "bob"):
        value, low, high = ratings[bot]
        assert -1500 < low <= value <= high < 1500
    ann, bob = ratings["ann"].value, ratings["bob"].value
    assert ann == pytest.approx(-bob)
    if counts.points != counts.games / 2:
        assert (ann > bob) == (counts.points > counts.games / 2)


def test_all_draws_mean_equal_and_more_of_them_mean_surer():
    few, many = (
        rate(["ann", "bob"], {("ann", "bob"): Counts(draws=n), ("bob", "ann"): Counts(draws=n)})
        for n in (2, 200)
    )
    assert few["ann"].value == pytest.approx(0, abs=1e-6)
    assert many["ann"].value == pytest.approx(0, abs=1e-6)
    assert many["ann"].margin < few["ann"].margin


def test_groups_that_never_met_are_not_told_apart():
    even = Counts(25, 0, 25)
    groups = {("a", "b"): even, ("b", "a"): even, ("c", "d"): even, ("d", "c"): even}
    apart = rate(list("abcd"), groups)
    together = rate(list("abcd"), {**groups, ("a", "c"): even, ("c", "a"): even})
    assert difference(apart, "a", "c").margin > 900
    assert difference(apart, "a", "b").margin < 100
    assert difference(together, "a", "c").margin < 100


def test_a_bot_without_games_has_the_mean_and_a_wide_interval():
    table = {("ann", "bob"): Counts(30, 0, 20), ("bob", "ann"): Counts(20, 0, 30)}
    ratings, without = rate(["ann", "bob", "new"], table), rate(["ann", "bob"], table)
    assert ratings["new"].value == pytest.approx(0, abs=1)
    assert ratings["new"].margin > 900
    assert ratings["ann"] == pytest.approx(without["ann"])  # who is new disturbs nobody


def test_one_bot_alone():
    assert rate(["ann"], {})["ann"] == (0, 0, 0)


def test_the_worth_of_red_s_seat_is_not_taken_for_strength():
    table = {("ann", "bob"): Counts(90, 0, 10)}  # ann never was blue
    table |= {("cid", "dan"): Counts(90, 0, 10), ("dan", "cid"): Counts(90, 0, 10)}
    ratings = rate(["ann", "bob", "cid", "dan"], table)
    assert ratings.seat.low > 200
    assert abs(difference(ratings, "ann", "bob").value) < 100


def test_a_hundred_bots_are_rated():
    truth, table = simulated(Random(6), bots=100, games=1, spread=200, drawishness=-1, edge=0)
    ratings = rate(list(truth), table)
    errors = [ratings[bot].value - truth[bot] for bot in truth]
    assert max(map(abs, errors)) < 200
    assert sum(ratings.strengths) == pytest.approx(0, abs=1e-9)


def test_the_inverse_is_one():
    chance = Random(8)
    half = [[chance.gauss() for _ in range(9)] for _ in range(9)]
    matrix = [[sum(a * b for a, b in zip(x, y, strict=True)) for x in half] for y in half]
    inverse = linear.inverse(linear.factor(matrix))
    for i in range(9):
        for j in range(9):
            entry = sum(matrix[i][k] * inverse[k][j] for k in range(9))
            assert entry == pytest.approx(float(i == j), abs=1e-6)
    right = [float(i) for i in range(9)]
    solved = linear.solve(linear.factor(matrix), right)
    assert [
        sum(a * x for a, x in zip(row, solved, strict=True)) for row in matrix
    ] == pytest.approx(right)


def test_what_is_not_positive_definite_is_refused():
    with pytest.raises(ValueError, match="math domain"):
        linear.factor([[1.0, 2.0], [2.0, 1.0]])
