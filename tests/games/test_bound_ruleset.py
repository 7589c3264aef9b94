import json
import random
from collections import Counter

import pytest

from holmgang.errors import ChanceError, ChoiceError, NothingToChoose, StateError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.conformance import playout
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_choice_is_taken_if_and_only_if_it_is_on_the_menu(name):
    ruleset = load(name)
    rounds_played = list(playout(ruleset, random.Random(1)))[:60]
    states = [played.before for played in rounds_played]
    words = {word for state in states for seat in (0, 1) for word in ruleset.words(state, seat)}
    for state in states[::6]:
        for seat in (0, 1):
            menu = ruleset.words(state, seat)
            for word in words:
                if word in menu:
                    choice = ruleset.parse_choice(state, seat, word)
                    assert choice in ruleset.choices(state, seat)
                else:
                    with pytest.raises(ChoiceError):
                        ruleset.parse_choice(state, seat, word)


@pytest.mark.parametrize(
    ("ruleset", "state", "seat", "word", "error", "told"),
    [
        (
            "bagh",
            "3.0.0.0/3.0.0.0",
            0,
            "dance",
            ChoiceError,
            "red: 'dance' is not a choice; choose boost, attack, guard, heal",
        ),
        (
            "defend-the-city",
            "30.5.0/30.2.4/0",
            1,
            "0/4",
            ChoiceError,
            "blue may not choose '0/4' here; choose one of keep, forfeit",
        ),
        ("bagh", "3.0.0.0/3.0.0.0", 0, 3, ChoiceError, "red must choose with a word; not 3"),
        (
            "magic-duel",
            "r2/25.0.0.0/25.0.0.0",
            1,
            "magic",
            NothingToChoose,
            "blue has nothing to choose now; not 'magic'",
        ),
        (
            "magic-duel",
            "r0s0/25.0.0.0+s10x1@0/25.0.0.0",
            0,
            "1",
            ChoiceError,
            "red may not choose '1' here; choose one of player",
        ),
    ],
)
def test_a_refusal_says_what_is_allowed(ruleset, state, seat, word, error, told):
    loaded = load(ruleset)
    with pytest.raises(error) as refusal:
        loaded.parse_choice(loaded.game.notation.parse_text(loaded.rules, state), seat, word)
    assert str(refusal.value) == told


@pytest.mark.parametrize("name", CATALOGUE)
def test_weights_of_chance_sum_to_the_total(name):
    ruleset = load(name)
    for played in list(playout(ruleset, random.Random(2)))[:40]:
        weights = ruleset.chance_weights(played.before, played.red, played.blue)
        total = ruleset.chance(played.before, played.red, played.blue)
        assert sum(weight for _, weight in weights) == total
        assert all(weight > 0 for _, weight in weights)
        assert len({str(chance) for chance, _ in weights}) == len(weights)


@pytest.mark.parametrize("name", CATALOGUE)
def test_throws_are_all_faces_by_their_results(name):
    ruleset = load(name)
    for played in list(playout(ruleset, random.Random(2)))[:40]:
        before, red, blue = played.before, played.red, played.blue
        faces = range(ruleset.chance(before, red, blue))
        each = Counter(ruleset.resolve(before, red, blue, face) for face in faces)
        grouped = Counter()
        for face, weight in ruleset.throws(before, red, blue):
            grouped[ruleset.resolve(before, red, blue, face)] += weight
        assert grouped == each


def test_the_seats_are_red_and_blue():
    assert SEATS == ("red", "blue")


def test_resolve_checks_its_arguments():
    ruleset = load("defend-the-city")
    start = ruleset.initial()
    red, blue = (ruleset.choices(start, seat)[0] for seat in (0, 1))
    after = ruleset.resolve(start, red, blue, 0)
    assert after == ruleset.resolve_unchecked(start, red, blue, 0)
    with pytest.raises(ChoiceError, match="blue may not make the choice 60 here"):
        ruleset.resolve(start, red, 60, 0)
    with pytest.raises(ChoiceError, match="red may not make the choice -1 here"):
        ruleset.resolve(start, -1, blue, 0)
    with pytest.raises(ChanceError, match="no face 1000"):
        ruleset.resolve(start, red, blue, 1000)
    over = load("bagh").parse_state("0.0.0.0/3.0.0.0")
    with pytest.raises(StateError, match=r"the duel is over in this state \(hp\)"):
        load("bagh").resolve(over, 0, 0)


def test_utility_is_from_reds_side():
    ruleset = load("bagh")
    worths = [
        ruleset.utility(ruleset.parse_state(f"{red}.0.0.0/{blue}.0.0.0"))
        for red, blue in ((3, 0), (0, 3), (3, 3))
    ]
    assert worths == [1.0, -1.0, None]


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_state_is_read_in_every_form_it_is_given_in(name):
    ruleset = load(name)
    state = ruleset.initial()
    short, as_json = ruleset.format_text(state), ruleset.format_state(state)
    forms = (None, state, as_json, json.dumps(as_json), short, json.dumps(short))
    assert {ruleset.parse_state(form) for form in forms} == {state}


@pytest.mark.parametrize("text", ["{", '"', "{nonsense}", '{"a": ' * 100_000])
def test_text_that_begins_like_json_must_be_json(text):
    with pytest.raises(StateError, match="neither JSON nor short text"):
        load("bagh").parse_state(text)
