"""Lines of play in short form: every game's rounds are read; errors name the round."""

import random

import pytest

from holmgang.engine.line import format_round, play_line, play_round, results_of
from holmgang.errors import ChanceError, ChoiceError, StateError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import NO_CHOICE, Transition
from holmgang.games.ruleset import load


def after(text, line, start=None):
    ruleset = load(text)
    notation = ruleset.game.notation
    state = ruleset.initial()
    if start is not None:
        state = notation.parse_text(ruleset.rules, start)
    return notation.format_text(ruleset.rules, play_line(ruleset, state, line))


@pytest.mark.parametrize(
    ("game", "line", "text"),
    [
        ("bagh", "", "3.0.0.0/3.0.0.0"),
        ("bagh", "a/h", "3.0.0.0/2.0.0.0"),
        ("bagh", "A/H", "3.0.0.0/2.0.0.0"),
        ("bagh", "attack/heal", "3.0.0.0/2.0.0.0"),
        ("bagh", "b/a  a/a", "1.0.0.0/1.0.0.0"),
        ("fencing", "w/w W/R", "2/260.15/310.15"),
        ("defend-the-city", "00/00", "30/30/0"),
        ("magic-duel", "m m m", "b1/25.8.0.0/25.4.0.0"),
    ],
)
def test_a_line_leads_to_a_state(game, line, text):
    assert after(game, line) == text


def test_what_was_thrown_stands_behind_the_choices():
    """A shield with 1 damage mends with chance 1/2 (B4)."""
    start = "3.0.0.1/3.0.0.0"
    mended, not_mended = (after("bagh", f"g/a={n}", start) for n in (1, 2))
    assert {mended, not_mended} == {"3.0.1.0/3.0.0.0", "2.0.0.0/3.0.0.0"}


@pytest.mark.parametrize(
    ("game", "line", "error", "said"),
    [
        ("bagh", "a/h x/a", ChoiceError, "round 2, 'x/a': red: 'x' is not a choice"),
        ("bagh", "a", ChoiceError, "red and blue choose here"),
        ("bagh", "a/a/a", ChoiceError, "red and blue choose here"),
        ("magic-duel", "m/m", ChoiceError, "only red chooses here"),
        ("bagh", "a/a a/a a/a a/a", StateError, "round 4, 'a/a': the duel is already over"),
        ("bagh", "a/h=2", ChanceError, "add the result of the die, one of =1"),
        ("bagh", "a/h=x", ChanceError, "add the result of the die"),
        ("defend-the-city", "20/10 keep", ChanceError, "add the result of the die, one of =1"),
        ("defend-the-city", "20/00=99999999999999", ChanceError, "add the result of the die"),
        ("bagh", "a/a " * 10_001, ChoiceError, "at most 10,000 rounds"),
    ],
)
def test_what_is_wrong_is_told_with_its_round(game, line, error, said):
    with pytest.raises(error) as raised:
        after(game, line)
    assert said in str(raised.value)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", CATALOGUE)
def test_a_round_that_was_played_is_read_as_it_was_written(game, seed):
    rng = random.Random(seed)
    ruleset = load(game)
    state = ruleset.initial()
    for _ in range(6):
        if ruleset.outcome(state) is not None:
            break
        menus = (ruleset.choices(state, seat) for seat in (0, 1))
        red, blue = (rng.choice(menu) if menu else NO_CHOICE for menu in menus)
        played = Transition(state, red, blue, rng.randrange(ruleset.chance(state, red, blue)))
        after = ruleset.resolve_unchecked(*played)
        read = play_round(ruleset, state, format_round(ruleset, played))
        assert read[:3] == played[:3]
        assert ruleset.resolve_unchecked(*read) == after
        state = after


def test_the_odds_of_results_are_those_of_the_die():
    ruleset = load("bagh")
    state = ruleset.parse_state("3.0.0.1/3.0.0.2")
    red, blue = (ruleset.parse_word(word) for word in ("guard", "attack"))
    results = results_of(ruleset, state, red, blue)
    assert sorted(throw.weight for throw in results.values()) == [1, 1, 2, 2]
