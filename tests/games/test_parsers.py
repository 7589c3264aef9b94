"""Parsers take what was formatted and refuse the rest with their own errors.

What they take can be played, told and drawn, however strange it is.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import JSON, damaged, rulesets, states

from holmgang.errors import ChanceError, ChoiceError, StateError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import NO_CHOICE
from holmgang.games.ruleset import load
from holmgang.games.shape import LARGEST

TEXTS = st.text(max_size=30) | st.text("0123456789./-+@xsbr!", max_size=30)
WORDS = (
    st.text(max_size=12)
    | st.text("0123456/", max_size=4)
    | st.from_regex(r"(heal|normal|pierce|specter) ?[0-9]{0,20} ?(player|[0-9])?", fullmatch=True)
)


def taken(error, parse, *given):
    """What the parser makes of it; None if it refuses, which it must do in a few words."""
    try:
        return parse(*given)
    except error as refusal:
        check_words(refusal)
        return None


def check_words(refusal):
    assert 0 < len(str(refusal)) < 500


@given(rulesets(), st.data())
def test_states_come_back_as_they_went_out(ruleset, data):
    notation, rules = ruleset.game.notation, ruleset.rules
    state = data.draw(states(ruleset))
    shown = json.loads(json.dumps(notation.format_state(rules, state)))
    assert notation.parse_state(rules, shown) == state
    assert notation.parse_text(rules, notation.format_text(rules, state)) == state


@given(rulesets(), st.data())
def test_a_state_is_taken_whole_or_refused(ruleset, data):
    notation, rules = ruleset.game.notation, ruleset.rules
    shown = notation.format_state(rules, data.draw(states(ruleset)))
    value = data.draw(damaged(shown))
    state = taken(StateError, notation.parse_state, rules, value)
    if state is not None:
        assert notation.format_state(rules, state) == value
        use(ruleset, state, data)


@given(rulesets(), TEXTS, st.data())
def test_a_state_in_short_is_taken_or_refused(ruleset, text, data):
    notation, rules = ruleset.game.notation, ruleset.rules
    good = notation.format_text(rules, data.draw(states(ruleset)))
    cut = data.draw(st.integers(0, len(good)))
    for given_text in (text, good[:cut] + text, good[:cut] + text + good[cut + 1 :]):
        state = taken(StateError, notation.parse_text, rules, given_text)
        if state is not None:
            shown = notation.format_text(rules, state)
            assert notation.parse_text(rules, shown) == state


def use(ruleset, state, data):
    """Everything that is done with a state that was let in."""
    game, rules = ruleset.game, ruleset.rules
    menus = [ruleset.choices(state, seat) or [NO_CHOICE] for seat in (0, 1)]
    red, blue = (data.draw(st.sampled_from(options)) for options in menus)
    assert game.board.draw(rules, state, 80)
    if game.rules.outcome(rules, state).reason:
        assert game.story.ending(rules, state, game.rules.outcome(rules, state))
        return
    for seat, options in enumerate(menus):
        for choice in options if options != [NO_CHOICE] else ():
            assert game.story.preview(rules, state, seat, choice)
    total = game.rules.chance(rules, state, red, blue)
    assert 1 <= total < 2**32, "one throw of 32 bits must decide it"
    face = data.draw(st.integers(0, total - 1))
    after = game.rules.resolve(rules, state, red, blue, face)
    assert game.story.tell(rules, state, red, blue, face, after)
    assert game.board.draw(rules, after, 80)


@given(rulesets(), WORDS)
def test_a_choice_is_taken_or_refused(ruleset, word):
    notation, rules = ruleset.game.notation, ruleset.rules
    choice = taken(ChoiceError, notation.parse_choice, rules, word)
    if choice is not None:
        assert notation.format_choice(rules, choice) == word


@given(rulesets(), WORDS | st.text("hmnpbsk0123456789", max_size=4))
def test_a_short_form_expands_or_not(ruleset, text):
    expanded = ruleset.expand_short(text)
    assert expanded is None or isinstance(expanded, str)


@given(rulesets(), st.data())
def test_chance_is_taken_or_refused(ruleset, data):
    game, rules = ruleset.game, ruleset.rules
    state = data.draw(states(ruleset))
    menus = [ruleset.choices(state, seat) or [NO_CHOICE] for seat in (0, 1)]
    red, blue = (data.draw(st.sampled_from(options)) for options in menus)
    total = game.rules.chance(rules, state, red, blue)
    face = data.draw(st.integers(0, total - 1))
    good = game.notation.format_chance(rules, state, red, blue, face)
    value = data.draw(JSON | st.just(good) | damaged(good))
    face = taken(ChanceError, game.notation.parse_chance, rules, state, red, blue, value)
    assert face is None or 0 <= face < total


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("number", [LARGEST, -LARGEST, LARGEST + 1, -LARGEST - 1, 0])
def test_states_of_extreme_numbers_are_refused_or_usable(name, number):
    ruleset = load(name)
    notation, rules = ruleset.game.notation, ruleset.rules
    start = notation.format_state(rules, ruleset.game.rules.initial(rules))
    for value in with_each_number_replaced(start, number):
        state = taken(StateError, notation.parse_state, rules, value)
        if state is not None:
            use_every_way(ruleset, state)


def with_each_number_replaced(value, number):
    if isinstance(value, dict):
        for key, inner in value.items():
            for changed in with_each_number_replaced(inner, number):
                yield {**value, key: changed}
    elif type(value) is int:
        yield number


def use_every_way(ruleset, state):
    game, rules = ruleset.game, ruleset.rules
    assert game.board.draw(rules, state, 80)
    if game.rules.outcome(rules, state).reason:
        return
    menus = [ruleset.choices(state, seat) or [NO_CHOICE] for seat in (0, 1)]
    for red in menus[0]:
        for blue in menus[1]:
            after = game.rules.resolve(rules, state, red, blue, 0)
            assert game.rules.chance(rules, state, red, blue) < 2**32
            if not game.rules.outcome(rules, after).reason:
                assert game.rules.chance(rules, after, red, blue) < 2**32
            assert game.story.tell(rules, state, red, blue, 0, after)
