"""The limit on rounds: the rulebooks allow endless play, the match layer does not."""

import pytest

from holmgang.engine.duel import Duel
from holmgang.engine.match import Match
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.outcome import Outcome

ENDLESS = {
    "bagh": ["guard", "guard"],
    "bagh-advantage": ["guard", "guard"],
    "defend-the-city": ["0/0", "0/0"],
    "defend-the-city-duel": ["0/0", "0/0"],
    "magic-duel": ["heal 0", "heal 0"],
}


def play_round(duel: Duel, words: list[str]) -> None:
    for seat in list(duel.waiting_for):
        duel.choose(seat, words[seat == "blue"])
    duel.reveal()


@pytest.mark.parametrize("name", ENDLESS)
def test_limits_are_1000_decision_rounds(name):
    assert Duel(name).round_limit == 1000


def test_a_game_without_a_limit_of_1000_ends_by_itself():
    assert set(CATALOGUE) - set(ENDLESS) == {"fencing", "fencing-codingame"}
    assert Duel("fencing:turns=5000").round_limit > 5000


@pytest.mark.parametrize("name", sorted({*ENDLESS} - {"defend-the-city"}))
def test_limits_end_a_game_as_a_draw(name):
    duel = Duel(name, seed=1)
    for _ in range(999):
        play_round(duel, ENDLESS[name])
    assert duel.outcome is None
    play_round(duel, ENDLESS[name])
    assert duel.outcome == Outcome(None, "limit")
    assert (len(duel.rounds), duel.round) == (1000, 1000)
    assert duel.story[-1] == "Draw: round limit (1000) reached."


@pytest.mark.parametrize(
    ("text", "outcome", "sentence"),
    [
        pytest.param(
            "defend-the-city",
            Outcome("blue", "besieged"),
            "Blue wins: the city is still besieged, with 4 of 5 soldiers defeated.",
            id="D9",
        ),
        pytest.param(
            "defend-the-city:endless_loses=0",
            Outcome(None, "limit"),
            "Draw: round limit (2) reached.",
            id="D9: endless_loses=0",
        ),
    ],
)
def test_limits_count_the_whole_campaign_and_red_does_not_win(text, outcome, sentence):
    duel = Duel(text, seed=1, start="30/30/4", round_limit=2)
    play_round(duel, ["0/0", "0/0"])
    play_round(duel, ["0/0", "0/0"])
    assert duel.outcome == outcome
    assert duel.story[-1] == sentence


def test_limits_count_decision_rounds_also_of_one_seat():
    duel = Duel("defend-the-city", seed=1, round_limit=2)
    play_round(duel, ["1/5", "2/5"])
    assert duel.waiting_for == ["red"]
    duel.choose("red", "forfeit")
    duel.reveal()
    assert duel.outcome == Outcome("blue", "besieged")


def test_limits_give_way_to_an_ending_by_the_rules_in_the_last_round():
    duel = Duel("bagh", seed=1, start="3.0.0.0/1.0.0.0", round_limit=1)
    play_round(duel, ["attack", "boost"])
    assert duel.outcome == Outcome("red", "hp")


def test_limits_can_be_lifted():
    duel = Duel("bagh", seed=1, round_limit=0)
    for _ in range(1100):
        play_round(duel, ["guard", "guard"])
    assert duel.outcome is None


def test_limits_hold_for_every_game_of_a_match():
    match = Match("bagh", seed=1, round_limit=1)
    for _ in range(3):
        play_round(match.next_game(), ["guard", "guard"])
    assert [game.outcome for game in match.games] == [Outcome(None, "limit")] * 3
    assert (match.score, match.draws, match.is_over) == ({"red": 0, "blue": 0}, 3, False)
