"""Requests and answers of `holmgang step`: one line each, whatever comes in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import JSON, damaged

from holmgang.engine import step
from holmgang.engine.step import answer, answer_line
from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE

START = {
    "red": {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 0},
    "blue": {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 0},
}
BROKEN = {**START, "blue": {**START["blue"], "shield_damage": 2}}
OVER = {**START, "blue": {**START["blue"], "hp": 0}}
ALL_FOUR = ["boost", "attack", "guard", "heal"]


def bagh(**request):
    return {"game": "bagh", **request}


# What can be asked


def test_start():
    assert answer(bagh(ask="start")) == {"state": START}


def test_choices():
    assert answer(bagh(state=START, ask="choices")) == {
        "choices": {"red": ALL_FOUR, "blue": ALL_FOUR},
        "outcome": None,
    }


def test_choices_with_what_was_chosen_tell_the_chance():
    answered = answer(bagh(state=BROKEN, ask="choices", red="attack", blue="guard"))
    assert answered["chance"] == {
        "total": 3,
        "outcomes": [
            {"chance": {"red_mends": None, "blue_mends": True}, "weight": 1},
            {"chance": {"red_mends": None, "blue_mends": False}, "weight": 2},
        ],
    }


def test_choices_of_a_finished_state():
    assert answer(bagh(state=OVER, ask="choices")) == {
        "choices": {"red": [], "blue": []},
        "outcome": {"winner": "red", "reason": "hp"},
    }


def test_a_round():
    assert answer(bagh(state=START, red="attack", blue="heal")) == {
        "state": {**START, "blue": {**START["blue"], "hp": 2}},
        "outcome": None,
    }


def test_a_round_with_chance():
    thrown = {"red_mends": None, "blue_mends": False}
    assert answer(bagh(state=BROKEN, red="attack", blue="guard", chance=thrown)) == {
        "state": {**START, "blue": {**START["blue"], "hp": 2, "shield_damage": 1}},
        "outcome": None,
    }


def test_the_last_round():
    dying = {**START, "red": {**START["red"], "hp": 1}}
    answered = answer(bagh(state=dying, red="heal", blue="attack"))
    assert answered["state"]["red"]["hp"] == 0
    assert answered["outcome"] == {"winner": "blue", "reason": "hp"}


def test_a_seat_without_a_choice_gives_none():
    state = answer({"game": "magic-duel", "ask": "start"})["state"]
    request = {"game": "magic-duel", "state": state, "red": "magic"}
    assert answer(request) == answer({**request, "blue": None})
    assert answer(request)["state"]["red"]["magic"] == 4


def test_where_nobody_is_asked_the_chance_is_told_at_once():
    spent = {
        "phase": "choose",
        "red": {"stamina": 0},
        "blue": {"stamina": 0},
        "defeated": 1,
        "scores": None,
    }
    request = {"game": "defend-the-city", "state": spent}
    assert answer({**request, "ask": "choices"})["chance"]["total"] == 25
    after = answer({**request, "chance": {"red_roll": 0, "blue_roll": 0}})
    assert after["state"]["red"] == {"stamina": 30}


def test_other_keys_are_passed_over():
    request = bagh(state=START, red="attack", blue="heal")
    assert answer({**request, "id": 7, "Red": "boost"}) == answer(request)
    assert answer({**request, "ask": None}) == answer(request)


def test_a_game_may_be_any_ruleset():
    state = answer({"game": "bagh:start_hp=7", "ask": "start"})["state"]
    assert state["red"]["hp"] == 7


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_whole_duel_can_be_played_by_asking(name):
    state, outcome, rounds = answer({"game": name, "ask": "start"})["state"], None, 0
    while outcome is None and rounds < 2000:
        asked = {"game": name, "state": state}
        offered = answer({**asked, "ask": "choices"})["choices"]
        given_words = {
            seat: words[(rounds * 7 + len(words)) % len(words)]
            for seat, words in offered.items()
            if words
        }
        chance = answer({**asked, **given_words, "ask": "choices"})["chance"]
        assert sum(each["weight"] for each in chance["outcomes"]) == chance["total"]
        thrown = chance["outcomes"][rounds % len(chance["outcomes"])]["chance"]
        answered = answer({**asked, **given_words, "chance": thrown})
        state, outcome, rounds = answered["state"], answered["outcome"], rounds + 1
    assert rounds > 1


# What is refused


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "not JSON: "),
        ("hello", "not JSON: "),
        ('{"game": "bagh"', "not JSON: "),
        ('{"game": "bagh", "ask": "start"} {}', "not JSON: "),
        ("[" * 100_000, "not JSON: "),
        ("9" * 5000, "not JSON"),
        ("7", "a request must be a JSON object; not 7"),
        ("null", "a request must be a JSON object; not None"),
        ('["bagh"]', "a request must be a JSON object; not a list of 1"),
        (" " * 1_000_001, "a line must have at most 1000000 characters"),
        ("{}", 'a request needs a "game", such as "bagh"'),
        ('{"game": "bahg", "ask": "start"}', "no game 'bahg'; did you mean bagh?"),
        ('{"game": 3, "ask": "start"}', "a ruleset must be a short text"),
        ('{"game": null}', "a ruleset must be a short text"),
        ('{"game": {"bagh": 1}}', "a ruleset must be a short text"),
        ('{"game": "bagh", "ask": "end"}', '"ask" must be "start" or "choices"; not \'end\''),
        (
            '{"game": "bagh", "ask": ["start"]}',
            '"ask" must be "start" or "choices"; not a list of 1',
        ),
        ('{"game": "bagh", "ask": false}', '"ask" must be "start" or "choices"; not False'),
        ('{"game": "bagh"}', 'a request needs a "state"'),
        ('{"game": "bagh", "ask": "choices"}', 'a request needs a "state"'),
        ('{"game": "bagh", "state": null}', "state must be a JSON object with red, blue; not None"),
        ('{"game": "bagh", "state": {"red": {}}}', "state lacks blue"),
    ],
)
def test_a_line_that_cannot_be_understood(line, told):
    answered = json.loads(answer_line(line))
    assert list(answered) == ["error"]
    assert told in answered["error"]


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (bagh(state=OVER, red="boost", blue="boost"), "the duel is over in this state (hp)"),
        (bagh(state=START), "red must choose one of boost, attack, guard, heal"),
        (bagh(state=START, red="boost"), "blue must choose one of boost, attack, guard, heal"),
        (bagh(state=START, red="boost", blue="dance"), "blue: 'dance' is not a choice"),
        (bagh(state=START, red="boost", blue=3), "blue must choose with a word; not 3"),
        (bagh(state=START, red=["boost"], blue="heal"), "red must choose with a word"),
        (bagh(state=START, ask="choices", red="boost"), "blue must choose one of"),
        (bagh(state=BROKEN, red="boost", blue="heal"), "blue_mends must be true or false"),
        (bagh(state=BROKEN, red="boost", blue="heal", chance={}), "blue_mends must be true or"),
        (
            bagh(state=BROKEN, red="boost", blue="heal", chance=1),
            "chance must be red_mends and blue",
        ),
        (
            bagh(state=BROKEN, red="boost", blue="heal", chance={"blue_mends": 1}),
            "blue_mends must be true or false",
        ),
        (
            bagh(state=START, red="boost", blue="heal", chance={"red_mends": True}),
            "red_mends must be null, as that shield is whole; not True",
        ),
        (
            bagh(state={**START, "red": {**START["red"], "hp": "x"}}, red="boost", blue="heal"),
            "red.hp must be a whole number",
        ),
        (
            bagh(state={**START, "red": {**START["red"], "hp": True}}, red="boost", blue="heal"),
            "red.hp must be a whole number",
        ),
        (
            bagh(state={**START, "red": {**START["red"], "mp": 1}}, red="boost", blue="heal"),
            "red has an unknown 'mp'; it has hp, boost, priority, shield_damage",
        ),
        (
            {"game": "bagh-advantage", "state": START, "red": "boost", "blue": "heal"},
            "red lacks advantage",
        ),
    ],
)
def test_a_request_that_cannot_be_answered(request_, told):
    assert told in json.loads(answer_line(json.dumps(request_)))["error"]


def test_a_line_may_be_as_long_as_the_limit():
    line = json.dumps(bagh(ask="start"))
    assert "state" in answer_line(line.ljust(step.LONGEST_LINE))
    assert "error" in answer_line(line.ljust(step.LONGEST_LINE + 1))


def test_as_many_chance_outcomes_as_the_limit_are_listed():
    def fighter(damage):
        return {"hp": 3, "boost": 0, "priority": 0, "shield_damage": damage}

    request = bagh(state={"red": fighter(9999), "blue": fighter(9)}, red="boost", blue="boost")
    chance = answer({**request, "ask": "choices"})["chance"]
    assert (chance["total"], len(chance["outcomes"])) == (step.MOST_FACES, 4)


def test_too_many_chance_outcomes_are_not_listed():
    broken = {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 9999}
    request = bagh(state={"red": broken, "blue": broken}, red="boost", blue="boost")
    with pytest.raises(HolmgangError, match="too many chance outcomes to list: 100000000"):
        answer({**request, "ask": "choices"})
    assert answer({**request, "chance": {"red_mends": True, "blue_mends": False}})


# Whatever comes in


def check_answer(line):
    answered = answer_line(line)
    assert "\n" not in answered
    assert isinstance(json.loads(answered), dict)


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_any_line_is_answered_with_a_line(line):
    check_answer(line)


REQUESTS = [
    bagh(ask="start"),
    bagh(state=BROKEN, ask="choices", red="attack", blue="guard"),
    bagh(state=BROKEN, red="attack", blue="guard", chance={"red_mends": None, "blue_mends": False}),
    *(
        {"game": name, "state": step.answer({"game": name, "ask": "start"})["state"], "red": word}
        for name, word in (
            ("fencing", "walk"),
            ("defend-the-city", "2/4"),
            ("magic-duel", "magic"),
        )
    ),
]


@given(st.sampled_from(REQUESTS).flatmap(damaged))
def test_any_damaged_request_is_answered_with_a_line(request_):
    check_answer(json.dumps(request_))


@given(st.text(alphabet=st.characters(), max_size=10))
def test_what_an_error_quotes_is_one_line_of_text(word):
    answered = answer_line(json.dumps(bagh(state=START, red=f"?{word}", blue="heal")))
    assert "error" in json.loads(answered)
    assert answered.isprintable()
