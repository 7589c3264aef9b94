"""Menus as buttons and selects, for every game: within Discord's limits, and no choice is lost."""

import asyncio
import random
from types import SimpleNamespace

import pytest
from tests.discord.standin.validation import check_message, check_modal

from holmgang.discord.controls import ask, first_pick, number_form, pick_of, word_of
from holmgang.discord.custom_ids import Press, format_press, parse_press
from holmgang.discord.rules_pages import rules_pages
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load
from holmgang.live.menus import menu_of


def view_of(ruleset, menu, chosen=None):
    """The part of a view that is asked about."""
    return SimpleNamespace(
        match="K3fXq7bTzA",
        game=12,
        round=345,
        wins_needed=3,
        asked=["red", "blue"],
        players={"red": None, "blue": None},
        title=ruleset.entry.title,
        menu=menu,
        chosen=chosen,
    )


def menus_of(name):
    """The menus of some random games."""
    ruleset, rng = load(name), random.Random(1)
    for _ in range(4):
        state = ruleset.initial()
        for _ in range(40):
            if ruleset.outcome(state):
                break
            choices = []
            for number, seat in enumerate(SEATS):
                menu = menu_of(ruleset, state, seat)
                offered = ruleset.choices(state, number)
                choices.append(rng.choice(offered) if offered else -1)
                if menu is not None:
                    yield ruleset, menu, ruleset.word(choices[-1])
            face = rng.randrange(ruleset.chance(state, *choices))
            state = ruleset.resolve(state, *choices, face)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_menu_fits_into_a_message(name):
    async def check():
        for ruleset, menu, word in menus_of(name):
            for chosen in (None, word):
                text, view = ask(view_of(ruleset, menu, chosen), menu)
                body = {"content": text, "components": view.to_components()}
                check_message(body, {})
                assert ("you have chosen" in text) == (chosen is not None)
            if menu.controls == "parts":
                for place, verb in enumerate(menu.verbs):
                    if verb.parts and verb.parts[0].values:
                        _, view = ask(view_of(ruleset, menu), menu, first_pick(menu, place))
                        check_message({"components": view.to_components()}, {})

    asyncio.run(check())


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_choice_of_a_menu_can_be_reached(name):
    """Through the custom ids alone, as after a restart."""

    async def check():
        for ruleset, menu, _ in menus_of(name):
            _, view = ask(view_of(ruleset, menu), menu)
            presses = [parse_press(item.custom_id) for item in view.children]
            words = {each.rest[0] for each in presses if each.action == "choose"}
            if menu.controls == "dials":
                rows, columns = (
                    [option.value for option in item.options] for item in view.children[:2]
                )
                words |= {f"{row}/{column}" for row in rows for column in columns}
            numbers = tuple(each.rest[0] + " " for each in presses if each.action == "number")
            for each in presses:
                if each.action == "verb":
                    pick = first_pick(menu, int(each.rest[0]))
                    parts = menu.verbs[int(each.rest[0])].parts
                    values = [[value.value for value in part.values] for part in parts]
                    words |= {
                        word_of(menu, pick._replace(values=tuple(found)))
                        for found in combinations(values)
                    }
            for option in menu.options:
                word = option.word
                assert word in words or word.startswith(numbers or ("?",)), word

    asyncio.run(check())


def combinations(values):
    if not values:
        return [[]]
    return [[first, *rest] for first in values[0] for rest in combinations(values[1:])]


@pytest.mark.parametrize("name", ["defend-the-city", "magic-duel"])
def test_a_choice_is_its_pick_and_back(name):
    for _, menu, word in menus_of(name):
        pick = pick_of(menu, word)
        if menu.controls != "cards" and pick.values:
            assert word_of(menu, pick) == word


def test_a_number_is_asked_for_by_a_form_with_its_bounds():
    async def check():
        press = Press("number", "K3fXq7bTzA", 1, 2, ("heal", "0", "999999999999999", "Shield"))
        form = number_form(press).to_dict()
        check_modal(form)
        assert form["components"][0]["label"] == "Shield: 0 to 999,999,999,999,999"
        assert parse_press(form["custom_id"]) == press._replace(action="typed", rest=("heal",))

    asyncio.run(check())


@pytest.mark.parametrize("text", ["", "x", "choose", "choose:a", "choose:a:b:c", "a:b:-1:2"])
def test_a_foreign_custom_id_is_recognised(text):
    assert parse_press(text) is None


def test_a_custom_id_that_is_too_long_is_refused_here():
    with pytest.raises(ValueError, match="at most 100"):
        format_press(Press("choose", "K3fXq7bTzA", 1, 1, ("x" * 90,)))


@pytest.mark.parametrize("name", CATALOGUE)
def test_rules_are_split_into_pages_that_fit(name):
    pages = rules_pages(name)
    assert all(0 < len(page) <= 1900 for page in pages)
    assert all(page.count("```") % 2 == 0 for page in pages)
    words = "".join(pages).replace("```", "")
    text = CATALOGUE[name].game.page.read_text(encoding="utf-8")
    assert "".join(words.split()) == "".join(text.replace("```", "").replace("####", "###").split())
