"""Exact scores of policies, compared with value iteration and with published figures."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import holmgang
from holmgang.errors import ChoiceError, StateError, UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = "bagh:start_hp=2,max_boost=1,heal_limit=1"
CITY = "defend-the-city:stamina=2,max_score=1,soldiers=2"
BY_HAND = "bagh:start_hp=1,max_boost=0,heal_limit=1"


def successors(game, state, red, blue):
    faces = game.chance(state, red, blue)
    for face, weight in game.throws(state, red, blue):
        yield game.resolve(state, red, blue, face), weight / faces


def states_of(game):
    """All undecided states, by the plain rules."""
    found = {game.initial(): None}
    for state in (waiting := list(found)):
        for red, blue in product(*(game.choices(state, seat) or [-1] for seat in (0, 1))):
            for after, _ in successors(game, state, red, blue):
                if game.utility(after) is None and after not in found:
                    found[after] = None
                    waiting.append(after)
    return list(found)


def uniform_responses(game):
    """The values to red of both seats' best responses to a uniform policy, by value iteration. It
    starts from the value of endless play if that is a win or a loss, and so finds who can stall.
    """
    values = []
    for seat, side in ((0, 1), (1, -1)):
        worth, options = dict.fromkeys(states_of(game), side * game.endless_utility or -1.0), {}
        for state in list(worth):
            theirs = game.choices(state, 1 - seat) or [-1]
            options[state] = [
                [
                    (after, chance / len(theirs))
                    for other in theirs
                    for after, chance in successors(
                        game, state, *((mine, other) if seat == 0 else (other, mine))
                    )
                ]
                for mine in game.choices(state, seat) or [-1]
            ]
        for option in (option for each in options.values() for option in each):
            for after, _ in option:
                if after not in worth:
                    worth[after] = side * game.utility(after)
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for state in reversed(options):
                best = max(sum(p * worth[after] for after, p in o) for o in options[state])
                change = max(change, abs(best - worth[state]))
                worth[state] = best
        values.append(side * worth[game.initial()])
    return values


@pytest.mark.parametrize("text", [SMALL, "bagh:max_boost=0,start_hp=2,heal_limit=2"])
def test_uniform_bagh_as_by_value_iteration(text):
    found = holmgang.exploitability(text, "random")
    red, blue = uniform_responses(holmgang.load(text))
    assert found.red.value == pytest.approx(red, abs=1e-7)
    assert found.blue.value == pytest.approx(blue, abs=1e-7)
    assert found.value == pytest.approx(red - blue, abs=1e-7)
    assert found.is_exact


@pytest.mark.thorough
def test_uniform_in_the_whole_of_bagh_as_by_value_iteration():
    """With the 72,400 states of BAGH, on the arrays of its model."""
    game = holmgang.model("bagh")
    pairs = np.repeat(np.arange(len(game.constants)), np.diff(game.entry_starts))
    values = []
    for seat, side in ((0, 1), (1, -1)):
        # The mean over the other seat's choices, for each choice of this one
        rows = game.pair_states * len(game.words) + game.pair_choices[:, seat]
        others = np.bincount(rows, minlength=game.masks[:, seat].size)
        worth, change = np.full(len(game.states), -1.0), 1.0
        while change > 1e-12:
            later = np.bincount(pairs, game.chances * worth[game.successors], len(game.constants))
            sums = np.bincount(rows, side * game.constants + later, len(others))
            means = (sums / np.maximum(others, 1)).reshape(game.masks[:, seat].shape)
            best = np.where(game.masks[:, seat], means, -np.inf).max(axis=1)
            worth, change = best, np.abs(best - worth).max()
        values.append(side * worth[game.start])
    found = holmgang.exploitability("bagh", "random")
    assert found.is_exact
    assert (found.red.value, found.blue.value) == pytest.approx(values, abs=1e-7)
    assert found.value == pytest.approx(values[0] - values[1], abs=1e-7)


def test_oshi_zumo_as_published():
    """OpenSpiel's tests: NashConv of uniform, and the best response to it with a horizon."""
    game = holmgang.load(str(EXAMPLES / "oshi_zumo.py:coins=10"))
    found = holmgang.exploitability(game, "random")
    assert 1.988311287477953 in found
    assert found.high - found.low < 1e-9
    assert found.value == pytest.approx(np.subtract(*uniform_responses(game)), abs=1e-9)
    game = holmgang.load(str(EXAMPLES / "oshi_zumo.py:coins=5,min_bid=0,turns=5"))
    assert holmgang.best_response(game, {}).value == pytest.approx(0.856471051954, abs=1e-11)


@pytest.mark.parametrize("text", ["bagh:max_boost=1", CITY])
def test_perfect_is_as_exploitable_as_its_certificate_says(text):
    solved = holmgang.solve(text)
    found = holmgang.exploitability(text, "perfect")
    assert found.low <= solved.exploitability
    assert found.high <= solved.exploitability + 1e-9
    value = holmgang.value_against(text, "perfect", solved)
    assert value.value == pytest.approx(solved.value, abs=1e-8)
    assert value.is_exact


@pytest.mark.slow
@pytest.mark.parametrize("parts", [8, 256])
def test_bounds_are_tight_where_play_goes_on_for_long(parts):
    """Optimal mixes rounded to a few parts. All 1,600 states can reach each other, and sweeps alone
    do not converge: they gave bounds like -0.45 to 0.01.
    """
    text = "bagh:max_boost=1"
    rounded = np.round(holmgang.model(text).solution.mixes * parts)
    found = holmgang.best_response(text, rounded)
    assert found.is_exact
    assert holmgang.value_against(text, found, rounded).value == pytest.approx(
        found.value, abs=1e-6
    )


def test_seats_may_be_unequal():
    """In Defend The City the seats differ, one answers the other, and waiting loses for red."""
    solved = holmgang.solve(CITY)
    found = holmgang.exploitability(CITY, "random")
    assert found.blue.high <= solved.value + 1e-8
    assert found.red.low >= solved.value - 1e-8
    assert found.red.value + found.blue.value != pytest.approx(0, abs=1e-3)
    red, blue = uniform_responses(holmgang.load(CITY))
    assert (found.red.value, found.blue.value) == pytest.approx((red, blue), abs=1e-7)


def test_two_seats_may_have_two_policies():
    """Who always attacks is beaten for certain; a uniform policy is not."""
    both = holmgang.exploitability(BY_HAND, {"attack": 1}, "random")
    assert both.blue.value == pytest.approx(-1)
    assert both.red == holmgang.exploitability(BY_HAND, "random").red


def test_a_best_response_is_a_policy():
    found = holmgang.best_response(SMALL, "random", "blue")
    assert holmgang.value_against(SMALL, "random", found).value == pytest.approx(
        found.value, abs=1e-7
    )
    assert list(found("2.0.0.0/2.0.0.0").values()) == [1]
    with pytest.raises(UsageError, match="best response of blue"):
        holmgang.exploitability(SMALL, found)


def test_endless_play_is_a_draw_in_bagh_and_lost_for_red_in_the_city():
    """Both heal or sit for ever."""
    assert holmgang.value_against(SMALL, {"guard": 1}, {"guard": 1}).value == 0
    assert holmgang.value_against(CITY, first_choice, first_choice).value == -1
    drawn = f"{CITY},endless_loses=0"
    assert holmgang.value_against(drawn, first_choice, first_choice).value == 0


def first_choice(state, seat):
    return "0/0"


def uniform(game):
    def mix(state, seat):
        return dict.fromkeys(game.words(state, ("red", "blue").index(seat)), 0.25)

    return mix


def test_all_forms_of_a_policy_are_alike():
    game = holmgang.load(SMALL)
    exact = holmgang.exploitability(game, "random")
    by_state = {
        state: dict.fromkeys(game.words(state, 0), 1)
        for state in states_of(game)
        if game.words(state, 0) == game.words(state, 1)
    }
    forms = [{}, holmgang.Policy(game, {}), uniform(game)]
    if len(by_state) == len(states_of(game)):
        forms.append(by_state)
    for form in forms:
        assert holmgang.exploitability(game, form) == exact


def test_weights_count_by_their_proportions():
    one = holmgang.exploitability(SMALL, {"attack": 2, "guard": 1})
    other = holmgang.exploitability(SMALL, lambda state, seat: {"attack": 2e200, "guard": 1e200})
    assert one == other


@pytest.mark.parametrize(
    ("policy", "error", "told"),
    [
        (7, UsageError, "a policy is a level"),
        (None, UsageError, "a policy is a level"),
        ("search", UsageError, "levels that have one are beginner, easy"),
        ({"fly": 1}, ChoiceError, "fly"),
        (lambda state, seat: {"fly": 1}, ChoiceError, "fly"),
        (lambda state, seat: {}, ChoiceError, "no choice has a weight; the choices are"),
        (lambda state, seat: {"attack": -1}, ChoiceError, "numbers from 0 up"),
        (lambda state, seat: {"attack": float("nan")}, ChoiceError, "that of attack is nan"),
        (lambda state, seat: {"guard": "much"}, ChoiceError, "that of guard is 'much'"),
        (lambda state, seat: [1, 2], UsageError, "a mix is weights by choice, such as"),
        ({"2.0.0.0/2.0.0.0": {"attack": 1}}, StateError, "has no mix for"),
        (np.ones((3, 2, 4)), UsageError, "states × seats × choices"),
    ],
)
def test_what_is_no_policy_is_refused(policy, error, told):
    with pytest.raises(error, match=told):
        holmgang.exploitability(SMALL, policy)


@pytest.mark.parametrize(
    ("text", "told"),
    [("fencing", "solved by layers"), ("magic-duel", "without end")],
)
def test_games_without_a_table_are_refused(text, told):
    with pytest.raises(UsageError, match=told):
        holmgang.exploitability(text, "random")


def test_a_limit_of_states_is_named():
    with pytest.raises(UsageError, match=r"more than 10 states.*most_states"):
        holmgang.exploitability(SMALL, "random", most_states=10)
    with pytest.raises(UsageError, match="more than -1 states"):
        holmgang.exploitability(SMALL, "random", most_states=-1)


def test_seats_are_named():
    with pytest.raises(UsageError, match="a seat is red or blue"):
        holmgang.best_response(SMALL, "random", "green")


def test_an_array_of_the_model_is_a_policy():
    found = holmgang.model(SMALL)
    assert holmgang.exploitability(SMALL, found.masks) == holmgang.exploitability(SMALL, "random")
    assert sorted(map(tuple, found.states)) == sorted(
        (*state.red, *state.blue) for state in states_of(holmgang.load(SMALL))
    )


def test_the_model_has_the_successors_of_the_rules():
    game, found = holmgang.load(SMALL), holmgang.model(SMALL)
    places = {tuple(row): number for number, row in enumerate(found.states)}
    for state in states_of(game):
        number = places[(*state.red, *state.blue)]
        pair = found.pair_starts[number]
        for red, blue in product(game.choices(state, 0), game.choices(state, 1)):
            constant, follow = 0.0, {}
            for after, chance in successors(game, state, red, blue):
                if game.utility(after) is None:
                    place = places[(*after.red, *after.blue)]
                    follow[place] = follow.get(place, 0) + chance
                else:
                    constant += chance * game.utility(after)
            part = slice(*found.entry_starts[pair : pair + 2])
            stored = zip(found.successors[part], found.chances[part], strict=True)
            assert dict(stored) == pytest.approx(follow)
            assert found.constants[pair] == pytest.approx(constant)
            pair += 1
    assert tuple(found.states[found.start]) == (*game.initial().red, *game.initial().blue)


def test_graded_levels_are_weaker_than_perfect():
    easy, perfect = (holmgang.exploitability(SMALL, level).value for level in ("easy", "perfect"))
    assert easy > perfect + 0.01


# Without a table


def any_choice(state, seat):
    return dict.fromkeys(holmgang.load("magic-duel").words(state, int(seat == "blue")), 1)


@pytest.mark.parametrize("policy", ["random", any_choice, {}])
def test_a_uniform_policy_is_exploitable_in_a_game_without_a_table(policy):
    found = holmgang.exploitability("magic-duel", policy, games=60, seed=1)
    assert found.low > 0.5
    assert found.high == 2
    assert found.confidence == 0.999
    assert not found.is_exact
    assert found.red.low > 0 > found.blue.high


def test_bounds_from_games_enclose_the_exact_numbers():
    """Here the ruleset has a table, which is not used for the bounds."""
    exact = holmgang.exploitability(SMALL, {"attack": 1}, "random")
    value = holmgang.value_against(SMALL, {"attack": 1}, "random")
    limit = {"most_states": 10, "games": 200, "seed": 3}
    found = holmgang.exploitability(SMALL, {"attack": 1}, "random", **limit)
    assert 0 < found.low <= exact.value <= found.high
    played = holmgang.value_against(SMALL, {"attack": 1}, "random", **limit)
    assert value.value in played
    assert played.high - played.low < 0.6
    assert played == holmgang.value_against(SMALL, {"attack": 1}, "random", **limit)


def test_a_level_without_known_mixes_is_played_too():
    found = holmgang.exploitability("magic-duel", "greedy", games=3, seed=1)
    assert 0 <= found.low <= found.high == 2


def test_a_level_without_known_mixes_is_played_where_there_is_a_table():
    with pytest.raises(UsageError, match=r"no exact mix.*with games=1000"):
        holmgang.exploitability(SMALL, "greedy")
    found = holmgang.exploitability(SMALL, "greedy", games=20, seed=1)
    assert found.confidence == 0.999
    value = holmgang.value_against(SMALL, "greedy", {"attack": 1}, games=20, seed=1)
    assert value.confidence == 0.999


def test_the_number_of_games_is_checked():
    with pytest.raises(UsageError, match="games must be a whole number"):
        holmgang.exploitability("magic-duel", "random", games=0)
