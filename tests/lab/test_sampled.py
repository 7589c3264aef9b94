"""Measures from games, of games whose measures are known."""

from dataclasses import replace
from pathlib import Path

import pytest

import holmgang
from holmgang.games.contract import BLUE, RED
from holmgang.lab import sampled
from holmgang.lab.balance import balance
from holmgang.lab.measures import Plan, PlanAnswer
from holmgang.lab.report import report_page
from holmgang.lab.sampled import (
    PlayedGame,
    Sampler,
    Trials,
    answers_to,
    interval,
    sampled_balance,
    tension_of,
)
from holmgang.lab.verdict import Urgency, verdict
from holmgang.solver.exact.scores import Enclosure
from holmgang.terminal.balance import balance_text

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def fumble():
    return sampled_balance(holmgang.load(str(HERE / "fumble.py")))


@pytest.fixture(scope="module")
def walk():
    return sampled_balance(holmgang.load(str(HERE / "walk.py")), games=400)


def test_only_the_useless_choice_is_suspected(fumble):
    (suspect,) = fumble.red.suspects
    assert suspect.choice == "fumble"
    assert suspect.least_cost > 0.5  # against a mix of rock, paper and scissors it costs 1
    assert any("fumble seems useless" in each.headline for each in verdict(fumble))


def test_rock_paper_scissors_is_mixed_and_all_guessing(fumble):
    uses = {each.choice: each.use for each in fumble.red.choices}
    for word in ("rock", "paper", "scissors"):
        assert uses[word] == pytest.approx(1 / 3, abs=0.02)
    assert fumble.red.open_choices == pytest.approx(3, abs=0.1)
    assert fumble.luck.dice == 0


def test_a_plan_that_loses(fumble):
    plans = {each.choice: each.score for each in fumble.red.plans}
    assert plans["fumble"].high < 0
    assert 0 in plans["rock"], "the level does not know what its opponent always does"


def test_a_random_player_loses(fumble):
    # Exact: 1/3, as in the test of the exact measures; 40 games have a standard error of 0.15.
    assert fumble.red.against_random == pytest.approx(1 / 3, abs=0.6)


def test_the_walk_is_all_dice(walk):
    # Its length has a mean of 9 and a standard deviation of about 7.
    assert walk.length.mean == pytest.approx(9, abs=5 * 7 / 20)
    assert sum(walk.length.chances) == pytest.approx(1)
    assert walk.endings.red + walk.endings.blue == pytest.approx(1)
    assert walk.luck.dice > 0.9


def test_an_interval_is_wide_after_few_games():
    # Spread (0 + 2) / (4 + 4), standard error the root of 1/4 / 4.
    assert interval([1, 1, 1, 1]) == Enclosure(pytest.approx(1 - 1.96 / 4), 1.0)
    many = interval([1.0, -1.0] * 5000)
    assert many.value == pytest.approx(0)
    assert many.error == pytest.approx(1.96 / 100, rel=1e-3)


def test_the_course_of_games():
    # Blue leads, then red, who is far ahead in the last two rounds and wins; and a game without
    # any lead, in which red wins.
    found = tension_of(
        [PlayedGame(1.0, True, [-0.6, 0.3, 0.6, 0.7]), PlayedGame(1.0, True, [0.0, 0.0])]
    )
    assert found.lead_changes == 1 / 2
    assert found.behind == 2 / 2  # red in round 1, blue later
    assert found.comeback == 1 / 2
    assert found.decided_after == pytest.approx(1 - 2 / 6)
    assert found.drama == pytest.approx(0.6 / 6)


@pytest.mark.parametrize(
    ("plan", "headline"),
    [
        (Plan("pierce", Enclosure(0.9, 1.0), 0.0), "pierce alone wins."),
        (Plan("heal", Enclosure(-0.4, 0.0), 0.8), "heal alone stalls."),
        (Plan("walk", Enclosure(-1.0, 0.3), 0.2), None),
    ],
)
def test_the_verdict_on_a_plan(fumble, plan, headline):
    found = replace(fumble, red=replace(fumble.red, plans=(plan,)))
    said = [each.headline for each in verdict(found) if each.urgency is Urgency.CHANGE]
    assert said == ([headline] if headline else [])


@pytest.mark.parametrize("seat", [RED, BLUE])
def test_what_helps_against_a_player_who_always_plays_rock(seat):
    sampler = Sampler(holmgang.load(str(HERE / "fumble.py")), seed=0)
    for _ in range(80):
        sampler.play(counts=True)
    trials = Trials(sampler, 5, lambda said: None)
    found = {each.choice: each for each in answers_to(trials, seat, "rock")}
    assert set(found) == {"rock", "paper", "scissors", "fumble"}
    # Ties are played again, so these are certain.
    assert found["paper"].without.high < -0.5
    assert found["paper"].alone.low > 0.5
    assert found["scissors"].without.low > 0.5
    assert found["scissors"].alone.high < -0.5
    assert found["fumble"].alone.high < -0.5


def test_the_verdict_on_what_helps_against_a_plan_that_stalls(fumble):
    won, level = Enclosure(0.9, 1.0), Enclosure(-0.1, 0.1)
    answers = PlanAnswer("poke", won, level), PlanAnswer("storm", level, won)
    plan = Plan("hold", Enclosure(-0.6, -0.4), 0.6, answers=answers)
    found = replace(fumble, red=replace(fumble.red, plans=(plan,)))
    (useless,) = [each for each in verdict(found) if "fumble" in each.headline]
    assert useless.headline == "fumble seems useless."
    (said,) = [each for each in verdict(found) if "Against hold alone" in each.headline]
    assert said.headline == "Against hold alone, poke is worthless."
    assert said.detail.endswith("With storm alone it is 95 to 100.")
    assert "scores 70 to 80 points of 100 against it, 95 to 100 without poke" in said.detail
    for text in (report_page(found), balance_text(found)):
        assert "95 to 100" in text


@pytest.mark.parametrize("game", ["magic-duel:max_hp=6", "fencing:league=1,turns=12"])
def test_a_game_without_a_table_gets_a_report(game, monkeypatch):
    monkeypatch.setattr(sampled, "TRIALS", 2)
    said = []
    found = balance(game, games=3, progress=said.append)
    assert (found.games, found.is_exact) == (3, False)
    assert any("game 3 of 3" in each for each in said)
    for text in (report_page(found), balance_text(found)):
        assert "hard" in text
        assert "solution" not in text


def test_magic_duel_is_proven_to_be_a_draw(monkeypatch):
    monkeypatch.setattr(sampled, "TRIALS", 1)
    found = balance("magic-duel", games=1)
    assert found.proven_draw
    assert any("Nobody has to lose" in each.headline for each in verdict(found))


def test_a_game_with_too_many_states_is_played(monkeypatch):
    monkeypatch.setattr(sampled, "TRIALS", 2)
    said = []
    found = balance("bagh", most_states=100, games=2, progress=said.append)
    assert found.games == 2
    assert any("too many to solve" in each for each in said)


def test_games_are_the_same_for_the_same_seed(fumble):
    ruleset = holmgang.load(str(HERE / "fumble.py"))
    first, second = (sampled_balance(ruleset, games=20, seed=3) for _ in range(2))
    assert first == second
