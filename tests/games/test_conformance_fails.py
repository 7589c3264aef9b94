"""The conformance suite finds what it looks for: BAGH, broken in one place, fails that check."""

from itertools import count
from types import SimpleNamespace

import pytest

from holmgang.games import bagh
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.conformance import CHECKS
from holmgang.games.contract import ChoiceLabel
from holmgang.games.drawing import Span, piece
from holmgang.games.fields import of_both
from holmgang.games.ruleset import Ruleset

tick = count()
ENDLESS = bagh.rules.Outcome(0, -1)
HALVES = bagh.rules.State(bagh.rules.Fighter(3.5, 0, 0, 0), bagh.rules.Fighter(3, 0, 0, 0))


def changing(rules, state, red, blue, face):
    """A round that comes to something else each time."""
    after = bagh.rules.resolve(rules, state, red, blue, face)
    return after._replace(red=after.red._replace(priority=next(tick)))


def one_sided(rules, state, red, blue, face):
    """A round in which red never loses hp."""
    after = bagh.rules.resolve(rules, state, red, blue, face)
    return after._replace(red=after.red._replace(hp=state.red.hp))


def rolled_anyway(rules, state, red, blue, face):
    after = bagh.rules.resolve(rules, state, red, blue, face % 1)
    return after._replace(red=after.red._replace(priority=face))


def within(**limits):
    """The bounds of BAGH with those of some numbers changed."""
    return lambda rules: bagh.notation.field_bounds(rules) | of_both(limits)


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        ("start", {"rules.choices": lambda rules, state, seat: 0}),
        ("start", {"rules.outcome": lambda rules, state: bagh.rules.Outcome(1, 0)}),
        ("states", {"rules.initial": lambda rules: HALVES}),
        ("states", {"rules.State": SimpleNamespace}),
        ("bounds", {"notation.choice_count": lambda rules: 3}),
        ("bounds", {"notation.field_bounds": lambda rules: {}}),
        ("bounds", {"notation.field_bounds": within(hp=(0, 2))}),
        ("bounds", {"notation.field_bounds": within(boost=(1, None))}),
        ("playouts", {"rules.outcome": lambda rules, state: ENDLESS}),
        ("legal_choices", {"rules.resolve": lambda rules, state, red, blue, face: None}),
        ("legal_choices", {"game.is_legal": lambda rules, state, seat, choice: choice < 3}),
        ("legal_choices", {"game.is_legal": lambda rules, state, seat, choice: True}),
        ("harmless", {"game.harmless": lambda rules, state, seat: 7}),
        ("resolve", {"rules.resolve": changing}),
        ("resolve", {"rules.resolve": rolled_anyway}),
        ("outcomes", {"notation.format_outcome": lambda *_: {"winner": "tie", "reason": "hp"}}),
        ("outcomes", {"notation.format_outcome": lambda *_: {"winner": None, "reason": "no"}}),
        ("mirror", {"notation.mirror": lambda rules, state: state}),
        ("mirror", {"notation.mirror": lambda rules, state: bagh.rules.initial(rules)}),
        ("mirror", {"rules.resolve": one_sided}),
        ("mirror", {"rules.choices": lambda rules, state, seat: 0b1111 >> seat}),
        ("state_words", {"notation.parse_state": lambda rules, value: bagh.rules.initial(rules)}),
        ("state_words", {"notation.parse_text": lambda rules, text: bagh.rules.initial(rules)}),
        ("state_words", {"notation.format_state": lambda rules, state: state._asdict()}),
        ("refused_states", {"notation.parse_state": lambda rules, value: value}),
        ("refused_states", {"notation.parse_state": lambda rules, value: value["red"]}),
        ("refused_states", {"notation.parse_text": lambda rules, text: int(text)}),
        ("choice_words", {"notation.format_choice": lambda rules, choice: "boost"}),
        ("choice_words", {"notation.parse_choice": lambda rules, word: 0}),
        ("choice_words", {"notation.parse_choice": lambda rules, word: len(word) % 4}),
        ("short_choices", {"notation.format_short": lambda rules, choice: "b"}),
        ("short_choices", {"notation.expand_short": lambda rules, text: None}),
        ("labels", {"game.label": lambda *_: ChoiceLabel("Boost")}),
        ("labels", {"game.label": lambda *given: ChoiceLabel(f"choice {given[-1]}")}),
        ("labels", {"game.label": lambda *given: ChoiceLabel(f"C{given[-1]}", (("", "x"),))}),
        ("amounts", {"game.amounts": lambda *_: {"heal": (0, 3)}}),
        ("amounts", {"game.amounts": lambda *_: {"heal": (3, 0)}}),
        ("chance", {"notation.parse_chance": lambda *_: 0}),
        ("chance", {"notation.format_chance": lambda *_: None}),
        ("chance", {"rules.chance": lambda *_: 0}),
        ("face_groups", {"rules.face_groups": lambda *_: 1}),
        ("face_groups", {"rules.face_group": lambda *_: (0, 1)}),
        ("story", {"story.tell": lambda *_: []}),
        ("story", {"story.preview": lambda *_: [""]}),
        ("story", {"story.ending": lambda *_: "two\nlines"}),
        (
            "board",
            {"board.draw": lambda _, __, width: [piece("x" * (width + (width == 77)))]},
        ),
        ("board", {"board.draw": lambda rules, state, width: []}),
        ("board", {"board.draw": lambda rules, state, width: [(Span("x", "purple"),)]}),
    ],
)
def test_a_broken_game_fails(check, broken):
    modules = {
        name: SimpleNamespace(**vars(getattr(bagh.GAME, name)))
        for name in ("rules", "notation", "story", "board")
    }
    game = bagh.GAME._replace(key=f"broken {next(tick)}", **modules)
    for place, replacement in broken.items():
        module, name = place.split(".")
        if module == "game":
            game = game._replace(**{name: replacement})
        else:
            setattr(modules[module], name, replacement)
    ruleset = Ruleset(CATALOGUE["bagh"]._replace(game=game), bagh.rules.Rules())
    with pytest.raises(AssertionError) as caught:
        CHECKS[check](ruleset)
    assert str(caught.value)
