"""The coach: it warns of errors, explains rounds, helps against levels only, and knows nothing of
what the other seat has chosen.
"""

import re
from itertools import product

import pytest
from tests.arena.folders import bot_folder
from tests.asked import as_command
from tests.live.test_service import (
    choose,
    opened,
    opened_alone,
    serving,
    until,
    url,  # noqa: F401 - a fixture
)

from holmgang.analysis.points import cost_text, whole_points
from holmgang.engine.duel import Duel
from holmgang.games.ruleset import load
from holmgang.live import coach
from holmgang.live.coach import ESTIMATED_WARNING, WARNED_FROM, advise, explain
from holmgang.live.refusal import Refused
from holmgang.live.round_log import encode
from holmgang.live.service import Viewer
from holmgang.players.naming import parse_player
from holmgang.solver.tables import build_table

pytestmark = pytest.mark.anyio

BOOSTED = "3.0.0.0/2.2.0.0"
"""Blue has boost 2: red must not boost now."""


@pytest.fixture(scope="module", autouse=True)
def table():
    build_table(load("bagh"), most_states=100_000)


def test_an_error_is_warned_of_and_what_is_right_is_not():
    ruleset = load("bagh")
    state = ruleset.parse_state(BOOSTED)
    said = {word: advise(ruleset, state, "red", word) for word in ruleset.words(state, 0)}
    warned = {word for word, advice in said.items() if advice.is_warning}
    assert warned == {
        word for word, advice in said.items() if whole_points(advice.error) >= WARNED_FROM
    }
    assert warned == {"boost", "heal"}
    assert said["boost"].mark == "??"
    assert said["boost"].sentence == (
        "Boost costs 33 points of 100: against attack, Red falls from 3 to 0 hp and Red loses."
        " Guard or attack costs nothing here."
    )
    assert said["guard"].sentence == ""


NAMES = {"red": "Red", "blue": "Blue"}


@pytest.mark.parametrize("text", ["3.0.0.0/3.0.0.0", BOOSTED, "1.0.0.2/3.1.0.0", "9.4.1.0/2.0.0.0"])
def test_before_and_after_agree(text):
    ruleset = load("bagh")
    for red, blue in product(range(4), repeat=2):
        duel = Duel(ruleset, seed=1, start=text)
        duel.choose("red", ruleset.word(red))
        duel.choose("blue", ruleset.word(blue))
        duel.reveal()
        for seat, choice in (("red", red), ("blue", blue)):
            before = advise(ruleset, ruleset.parse_state(text), seat, ruleset.word(choice))
            after = explain(ruleset, duel.course.steps[0], seat, NAMES)
            assert (before.mark, before.exact) == (after.mark, after.exact)
            assert before.error == pytest.approx(after.error, abs=1e-6)
            assert before.is_warning == (" was better." in after.sentence)
            if before.is_warning:
                cost = cost_text(before.error)
                assert cost in before.sentence
                assert cost in after.sentence


def test_no_reason_repeats_the_choice():
    ruleset = load("bagh")
    for text in (BOOSTED, "1.0.0.2/3.1.0.0", "9.4.1.0/2.0.0.0"):
        state = ruleset.parse_state(text)
        for word in ruleset.words(state, 0):
            said = advise(ruleset, state, "red", word)
            reason = said.sentence.partition(": ")[2].partition(". ")[0]
            assert bool(reason) == said.is_warning
            assert f"Red {word}s" not in reason


def test_a_sure_loss_is_warned_of_without_a_table():
    ruleset = load("fencing")
    said = advise(ruleset, ruleset.parse_state("0/240.4/270"), "red", "lunge")
    assert said.is_warning
    assert said.sentence == "Lunge loses at once. You run out of energy and lose."


def test_an_estimated_error_is_told_as_a_guess_and_has_no_mark(monkeypatch):
    ruleset = load("bagh:max_boost=5")
    state = ruleset.parse_state(BOOSTED)
    said = advise(ruleset, state, "red", "boost")
    assert not said.exact
    assert whole_points(said.error) >= ESTIMATED_WARNING
    assert said.is_warning
    assert said.mark is None
    cost = cost_text(said.error, is_exact=False)
    assert said.sentence.startswith(f"Boost seems to cost {cost} (a search’s guess): against ")
    monkeypatch.setattr(coach, "ESTIMATED_WARNING", whole_points(said.error) + 1)
    assert not advise(ruleset, state, "red", "boost").is_warning


def test_estimated_luck_is_told_as_about(monkeypatch):
    monkeypatch.setattr(coach, "ESTIMATED_WARNING", 1)
    for ruleset, told in (
        ("bagh:max_boost=5", r"about [+−]\d+ points?\."),
        ("bagh", r"[+−]\d+ points?\."),
    ):
        duel = Duel(load(ruleset), seed=1, start=BOOSTED)
        duel.choose("red", "guard")
        duel.choose("blue", "attack")
        duel.reveal()
        *_, luck = explain(duel.ruleset, duel.course.steps[0], "red", NAMES).details
        assert re.fullmatch(f"(Your guess was lucky|Luck was against you): {told}", luck)


def test_a_choice_that_is_not_on_the_menu_is_judged_too():
    ruleset = load("magic-duel")
    advice = advise(ruleset, ruleset.initial(), "red", "heal 7")
    assert advice.error >= 0
    with pytest.raises(Refused) as refused:
        advise(ruleset, ruleset.initial(), "red", "heal -7")
    assert refused.value.code == "illegal"


async def test_advice_and_frames_do_not_depend_on_the_levels_hidden_choice(url, monkeypatch):  # noqa: F811
    """The level has chosen before the coach is asked."""
    told = set()
    for hidden in ("boost", "attack", "guard", "heal"):
        async with serving(url) as service:

            async def chosen(*_, word=hidden):
                return word

            monkeypatch.setattr(service.computers, "choose", chosen)
            match = await opened_alone(service, {"level": "greedy"}, start=BOOSTED)
            view = await until(service, match, "red", lambda view: view.waiting_for == ["red"])
            answers = [
                await service.study.advise(match, "red", option.word)
                for option in view.menu.options
            ]
            with pytest.raises(Refused) as refused:
                await service.study.explain(match, "red", 1, 1)  # it is not revealed yet
            shown = [view.chosen, view.waiting_for, view.version, view.rounds]
            told.add(encode([answers, shown, refused.value.code, str(refused.value)]))
            assert b"blue" not in encode(view.menu)
    assert len(told) == 1


async def test_a_round_is_explained_after_its_reveal(url):  # noqa: F811
    async with serving(url) as service:
        match = await opened_alone(service, {"level": "random"}, start=BOOSTED)
        await choose(service, match, "red", "guard")
        await until(service, match, "red", lambda view: len(view.rounds) == 1)
        view = await service.view(match, Viewer("red"))
        if view.status == "playing":
            lesson = await service.study.explain(match, "red", 1, 1)
            assert lesson.sentence == "Your guard was right: it cost nothing."
            assert lesson.mark is None
            assert lesson.exact


@pytest.mark.parametrize("kind", ["person", "bot", "spectator", "over"])
async def test_there_is_a_coach_for_players_against_levels_only(url, tmp_path, kind):  # noqa: F811
    bot = parse_player(str(bot_folder(tmp_path / "mine", "attack")), load("bagh")).bot
    async with serving(url, bots={"mine": bot}, trust=True) as service:
        seat: str | None = "red"
        if kind == "person":
            match = await opened(service)
        elif kind == "bot":
            match = await opened_alone(service, {"bot": "mine"})
        else:
            match = await opened_alone(service, {"level": "random"})
        if kind == "spectator":
            seat = None
        if kind == "over":
            await service.command(match, "red", as_command({"id": "f", "type": "forfeit"}))
        for asked in (
            lambda: service.study.advise(match, seat, "boost"),
            lambda: service.study.explain(match, seat, 1, 1),
        ):
            with pytest.raises(Refused) as refused:
                await asked()
            assert refused.value.code == ("not yours" if kind == "spectator" else "closed")
            assert str(refused.value)
