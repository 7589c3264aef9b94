"""Menus as buttons and selects, for every game: within Discord's limits, and no choice is lost."""

import asyncio
import random
import re
from types import SimpleNamespace

import discord
import pytest
from tests.discord.standin.validation import check_message, check_modal

from holmgang.discord.controls import Pick, ask, number_form
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
        you="red",
        players={"red": SimpleNamespace(name="Ann"), "blue": SimpleNamespace(name="Bob")},
        rounds=[],
        games=[],
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
                assert "You are 🔴 **Red**, Bob is 🔷." in text
            for pick in picks_of(menu):
                text, view = ask(view_of(ruleset, menu), menu, pick)
                check_message({"content": text, "components": view.to_components()}, {})

    asyncio.run(check())


def picks_of(menu):
    """The first press of every choice that takes two."""
    if menu.controls == "dials":
        return [Pick(values=(row, "")) for row in menu.rows]
    return [Pick(place) for place, verb in enumerate(menu.verbs) if verb.parts]


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_choice_is_one_press_away_and_one_of_two_parts_two(name):
    """Through the custom ids alone, as after a restart. The menu stays open after the first round;
    opening it is one press more.
    """

    async def check():
        for ruleset, menu, _ in menus_of(name):
            at_once, presses = offered(*ask(view_of(ruleset, menu), menu))
            after_one = set()
            for pick in {pick_after(each) for each in presses if each.action in ("set", "verb")}:
                after_one |= set(offered(*ask(view_of(ruleset, menu), menu, pick))[0])
            words = {option.word for option in menu.options}
            assert words == set(at_once) | after_one
            assert {word for word in words if " " not in word and "/" not in word} <= set(at_once)
            for option in menu.options:
                assert not option.note or option.word not in at_once or at_once[option.word]

    asyncio.run(check())


def offered(text, view):
    """The choices that a press makes at once, with what the message says of them, and all
    presses.
    """
    found, presses = {}, []
    for item in view.children:
        press = parse_press(item.custom_id)
        presses.append(press)
        if press.action == "choose":
            note = re.search(rf"- \*\*{re.escape(item.label)}\*\*: (.+)", text)
            found[press.rest[0]] = note and note[1]
        elif press.action == "card":
            found |= {option.value: option.description for option in item.options}
        elif press.action == "set" and all(press.rest[1:]):
            found["/".join(press.rest[1:])] = "in the text"
    return found, presses


def pick_after(press):
    """What has been picked after a press of one part."""
    return Pick(int(press.rest[0])) if press.action == "verb" else Pick(values=press.rest[1:])


@pytest.mark.parametrize("name", ["defend-the-city", "defend-the-city-duel"])
def test_a_pair_is_explained_before_and_after_its_first_half(name):
    async def check():
        ruleset, menu, _ = next(menus_of(name))
        assert "- **Offense 3, defense 3**, for example: Stamina " in rules_pages(name)[0]
        text, _ = ask(view_of(ruleset, menu), menu)
        assert "- **Offense 3, defense 3**, for example: Stamina " in text
        text, _ = ask(view_of(ruleset, menu), menu, Pick(values=("2", "")))
        assert text.count("- **Offense 2, defense ") == len(menu.columns)

    asyncio.run(check())


def test_drugs_of_fencing_are_folded_into_a_select():
    async def check():
        ruleset, menu, _ = next(menus_of("fencing"))
        text, view = ask(view_of(ruleset, menu), menu)
        *buttons, drugs = view.children
        assert [item.label for item in buttons][:2] == ["Break", "Walk"]
        assert len(buttons) == 7
        assert drugs.placeholder == "Drug: Energy 20 → 15. 7 more drugs allowed."
        assert drugs.options[0].description == "Your lunge then reaches 45, not 40."
        assert "- **Walk**: 20 forward: 80 apart if Blue stays." in text

    asyncio.run(check())


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_choice_that_was_made_is_marked(name):
    async def check():
        for ruleset, menu, word in menus_of(name):
            if not any(option.word == word for option in menu.options):
                continue  # a number that was typed
            _, view = ask(view_of(ruleset, menu, word), menu)
            marked = [item for item in view.children if is_marked(item)]
            assert len(marked) == (2 if menu.controls == "dials" else 1), (word, marked)

    asyncio.run(check())


def is_marked(item):
    if isinstance(item, discord.ui.Select):
        return any(option.default for option in item.options)
    return item.style is discord.ButtonStyle.success


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
    short, *pages = rules_pages(name)
    assert len(short) <= 1300
    whose = "Red’s" if name == "magic-duel" else "The"
    assert f"**{whose} choices of the first round**" in short
    entry = CATALOGUE[name]
    main = next(each for each in CATALOGUE.values() if each.game is entry.game)
    assert short.startswith(f"# {entry.title}\n")
    assert (f"**Variant of {main.title}**: {entry.line}" in short) == (main is not entry)
    assert all(0 < len(page) <= 1900 for page in pages)
    assert all(page.count("```") % 2 == 0 for page in pages)
    words = "".join(pages).replace("```", "")
    text = CATALOGUE[name].game.page.read_text(encoding="utf-8")
    assert "".join(words.split()) == "".join(text.replace("```", "").replace("####", "###").split())
