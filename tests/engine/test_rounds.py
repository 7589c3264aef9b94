import random

import pytest

from holmgang.engine import rounds
from holmgang.errors import ChoiceError, NothingToChoose
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.conformance import playout
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_choice_is_taken_if_and_only_if_it_is_on_the_menu(name):
    ruleset = load(name)
    rounds_played = list(playout(ruleset, random.Random(1)))[:60]
    states = [played.before for played in rounds_played]
    words = {
        word
        for state in states
        for seat in (0, 1)
        for word in rounds.menu_words(ruleset, state, seat)
    }
    for state in states[::6]:
        for seat in (0, 1):
            menu = rounds.menu_words(ruleset, state, seat)
            for word in words:
                if word in menu:
                    choice = rounds.parse_choice(ruleset, state, seat, word)
                    assert choice in rounds.menu(ruleset, state, seat)
                else:
                    with pytest.raises(ChoiceError):
                        rounds.parse_choice(ruleset, state, seat, word)


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
        rounds.parse_choice(
            loaded, loaded.game.notation.parse_text(loaded.rules, state), seat, word
        )
    assert str(refusal.value) == told


@pytest.mark.parametrize("name", CATALOGUE)
def test_weights_of_chance_sum_to_the_total(name):
    ruleset = load(name)
    for played in list(playout(ruleset, random.Random(2)))[:40]:
        weights = rounds.chance_weights(ruleset, played.before, played.red, played.blue)
        total = ruleset.game.rules.chance(ruleset.rules, played.before, played.red, played.blue)
        assert sum(weight for _, weight in weights) == total
        assert all(weight > 0 for _, weight in weights)
        assert len({str(chance) for chance, _ in weights}) == len(weights)


def test_the_seats_are_red_and_blue():
    assert SEATS == ("red", "blue")
