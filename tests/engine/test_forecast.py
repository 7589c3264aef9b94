"""What if: exact, for any game, from the rules alone."""

import random

import pytest

from holmgang.engine.forecast import forecast, forecast_rows, spanned
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import NO_CHOICE
from holmgang.games.ruleset import load


def seen(game, state, seat, word):
    ruleset = load(game)
    return forecast(ruleset, ruleset.parse_state(state), seat, word)


def rows(game, state, seat, word):
    return [
        (row.against, row.odds, row.result) for row in forecast_rows(seen(game, state, seat, word))
    ]


def test_attack_against_each_action():
    assert rows("bagh", "3.2.0.0/3.0.0.0", "red", "attack") == [
        ("against boost", "", "blue hp 3 → 0, blue boost 0 → 1. Red wins: Blue is down."),
        ("against attack", "", "red hp 3 → 2, blue hp 3 → 0. Red wins: Blue is down."),
        ("against guard", "", "red boost 2 → 0, blue shield damage 0 → 2"),
        ("against heal", "", "blue hp 3 → 0. Red wins: Blue is down."),
    ]


def test_chance_is_told_as_exact_odds():
    shown = rows("bagh", "3.0.0.2/3.0.0.0", "red", "guard")
    assert ("against attack", "2 in 3", "red hp 3 → 2, red shield damage 2 → 1") in shown
    assert ("", "1 in 3", "red priority 0 → 1, red shield damage 2 → 0") in shown


def test_what_always_happens_is_told_once():
    shown = rows("fencing:league=1", "0/200/300", "red", "break")
    assert shown[0] == ("always", "", "turn 0 → 1")


def test_choices_that_come_to_the_same_are_one_line():
    shown = rows("defend-the-city", "30/30/0", "red", "0/5")
    assert shown[0] == ("always", "", "red stamina 30 → 25")
    assert shown[1:] == [
        ("against 0/0", "", "nothing else changes"),
        ("against all others", "", "blue stamina 30 → 20 to 29"),
    ]


def test_a_seat_alone_has_one_result():
    shown = rows("magic-duel", "r2/25.0.0.0/25.0.0.0", "red", "normal 2 player")
    assert shown == [
        ("then", "", "moves left 2 → 1, blue hp 25 → 22, blue burn 0 → 2"),
    ]


def test_lines_come_in_parts():
    found = forecast_rows(seen("bagh", "3.2.0.0/3.0.0.0", "red", "attack"))
    told = {tuple(row.replies): (row.changes, row.ending) for row in found}
    assert told["guard",] == ([("red", "boost 2 → 0"), ("blue", "shield damage 0 → 2")], "")
    hit = [("red", "hp 3 → 2"), ("blue", "hp 3 → 0")]
    assert told["attack",] == (hit, "Red wins: Blue is down.")


def test_the_seat_may_be_anywhere_in_the_path():
    found = forecast_rows(seen("defend-the-city", "30/30/0", "red", "2/3"))
    changes = [change for row in found for change in row.changes]
    scores = {seat for seat, text in changes if text.startswith("scores ")}
    assert scores == {"red", "blue"}
    assert not any("scores" in text for _, text in changes if not text.startswith("scores "))


def test_replies_are_listed_unless_they_are_all_others():
    found = forecast_rows(seen("defend-the-city", "30/30/0", "red", "0/5"))
    assert [row.replies for row in found] == [[], ["0/0"], []]


def test_what_may_not_be_chosen_is_refused():
    with pytest.raises(ChoiceError):
        seen("magic-duel", "r2/25.0.0.0/25.0.0.0", "blue", "magic")


def test_too_many_throws_are_refused():
    with pytest.raises(UsageError, match="too many"):
        seen("defend-the-city:die=100", "30/30/0", "red", "5/5")


@pytest.mark.parametrize("name", CATALOGUE)
def test_odds_are_whole_and_nothing_is_left_out(name):
    """In states on the way of random duels: every choice of the opponent is in one line, and the
    odds of each line make 1.
    """
    ruleset, chance = load(name), random.Random(name)
    rules_module, rules = ruleset.game.rules, ruleset.rules
    state = rules_module.initial(rules)
    for _ in range(25):
        if rules_module.outcome(rules, state).reason:
            state = rules_module.initial(rules)
        made = []
        for seat, other in ((0, 1), (1, 0)):
            menu = ruleset.choices(state, seat)
            made.append(chance.choice(menu) if menu else NO_CHOICE)
            if not menu:
                continue
            word = ruleset.game.notation.format_choice(rules, made[-1])
            prediction = forecast(ruleset, state, ("red", "blue")[seat], word)
            against = [word for line in prediction.lines for word in line.against]
            assert sorted(against) == sorted(ruleset.words(state, other) or [""])
            for line in prediction.lines:
                assert sum(result.odds for result in line.results) == 1
        faces = rules_module.chance(rules, state, *made)
        state = rules_module.resolve(rules, state, *made, chance.randrange(faces))


@pytest.mark.parametrize(
    ("words", "shortest"),
    [
        (["guard"], ["guard"]),
        (["guard", "heal"], ["guard", "heal"]),
        (["1/0", "1/1", "2/0", "2/1"], ["1–2/0–1"]),
        (["1/0", "4/0"], ["1|4/0"]),
        (["1/0", "2/1"], ["1/0", "2/1"]),
    ],
)
def test_pairs_are_written_short(words, shortest):
    assert spanned(words) == shortest
