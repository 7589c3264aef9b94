"""Lessons: every announced round has the effect that it is there to show."""

import pytest
from tests.games.one_file import standoff  # noqa: F401 - a fixture

from holmgang.engine.lesson import lesson_of, lesson_ruleset, meet, position_of
from holmgang.errors import ChoiceError
from holmgang.games import finding
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load

EFFECTS = {
    "bagh": [
        ("guard", "3.0.1.0/3.0.0.0", "Red stops the attack and earns priority 1"),
        ("boost", "3.1.0.0/3.0.0.0", "Red boosts to 1"),
        ("attack", "3.1.0.0/0.0.0.0", "Blue's heal is lost: Red attacks"),
    ],
    "bagh-advantage": [
        ("guard", "3.0.1.0/3.0.0.0", "Red stops the attack and earns advantage 1"),
        ("boost", "3.1.0.0/3.0.0.0", "Red boosts to 1"),
        ("attack", "3.1.0.0/0.0.0.0", "Blue's heal is lost: Red attacks"),
    ],
    "fencing": [
        ("walk", "5/220.17/260.18", "Red walks; Blue rests"),
        ("lunge", "7/200.12.1/300.17", "Red touches from 20 away (reach 40): 1-0"),
        ("parry", "21/220.12.1/260.-1.1", "Blue is out of energy"),
    ],
    "fencing-codingame": [
        ("walk", "5/220.17/260.18", "Red walks; Blue rests"),
        ("lunge", "7/200.12.1/300.17", "Red touches from 20 away (reach 40): 1-0"),
        ("parry", "21/220.12.1/260.-1.1", "Blue is out of energy"),
    ],
    "defend-the-city": [
        ("2/5", "30.2.5/30.5.0/0", "Red has the lower offense (2 against 5)"),
        ("keep", "30/30/1", "Blue cannot hit: offense 5 is not higher than defense 5. Red hits"),
        ("5/0", "30/30/4", "offense 5 against defense 0 is a chance of 5 in 5"),
    ],
    "defend-the-city-duel": [
        ("2/5", "30.2.5/30.5.0/0", "Red has the lower offense (2 against 5)"),
        ("keep", None, "Red wins: Blue is wounded"),
        ("5/0", None, "Red wins: Blue is wounded"),
    ],
    "magic-duel": [
        ("pierce player", "r1/20.0.0.0/9.0.0.8", "Blue's shield does not stop it"),
        ("heal 5", "b2/11.0.0.5/14.0.0.0", "Red rises from 6 to 11 hp. Red stops burning."),
        ("normal 0 player", "r1/20.0.0.0/0.0.0.0", "Red attacks Blue for 11"),
    ],
}
SOLVED_BY_NOTHING_ELSE = ("bagh", "bagh-advantage", "fencing", "fencing-codingame")


def told(met):
    return " ".join([*met.story, met.ending])


def test_every_game_of_the_catalogue_has_its_own_lesson():
    assert set(EFFECTS) == {
        name
        for name, entry in CATALOGUE.items()
        if not entry.game.is_outside and entry.game.lesson is not None
    }


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in EFFECTS for number in range(3)]
)
def test_a_round_has_the_effect_that_it_shows(name, number):
    ruleset = lesson_ruleset(load(name))
    steps = lesson_of(ruleset)
    assert len(steps) == 3
    word, after, sentence = EFFECTS[name][number]
    met = meet(ruleset, steps[number], word)
    assert met.is_right
    assert sentence in told(met)
    if after is not None:
        assert ruleset.format_text(met.after) == ruleset.format_text(ruleset.parse_state(after))


@pytest.mark.parametrize("name", EFFECTS)
def test_a_wrong_choice_is_told_apart_and_can_be_played(name):
    ruleset = lesson_ruleset(load(name))
    for step in lesson_of(ruleset):
        words = ruleset.words(position_of(ruleset, step), 0)
        wrong = [word for word in words if not step.is_right(word)]
        assert wrong
        assert step.hint
        for word in wrong:
            met = meet(ruleset, step, word)
            assert not met.is_right
            assert met.story
        if name in SOLVED_BY_NOTHING_ELSE:
            assert len(wrong) == len(words) - 1


def test_the_texts_are_short():
    """At most two or three sentences of at most 25 words."""
    for name in EFFECTS:
        for step in lesson_of(lesson_ruleset(load(name))):
            for text in (step.task, step.why, step.hint):
                sentences = [part for part in text.replace(": ", ". ").split(". ") if part]
                assert len(sentences) <= 6, text
                assert max(len(part.split()) for part in sentences) <= 25, text


def test_the_lesson_of_fencing_is_for_league_1():
    assert lesson_ruleset(load("fencing")).text == "fencing:league=1"
    assert lesson_ruleset(load("fencing:league=2")).text == "fencing:league=2"
    assert lesson_of(load("fencing")) == lesson_of(load("fencing:league=1"))


def test_an_amount_that_is_not_on_the_menu_solves_it_too():
    ruleset = load("magic-duel")
    step = lesson_of(ruleset)[1]
    assert meet(ruleset, step, "heal 3").is_right


def test_an_illegal_choice_is_refused():
    ruleset = load("bagh")
    with pytest.raises(ChoiceError, match="dance"):
        meet(ruleset, lesson_of(ruleset)[0], "dance")


def test_other_rules_get_a_derived_lesson():
    ruleset = load("bagh:start_hp=1")
    steps = lesson_of(ruleset)
    assert 1 <= len(steps) <= 3
    assert steps[0].state == "1.0.0.0/1.0.0.0"
    for step in steps:
        words = ruleset.words(position_of(ruleset, step), 0)
        right = next(word for word in words if step.is_right(word))
        assert meet(ruleset, step, right).is_right


def test_a_game_in_one_file_gets_a_derived_lesson(standoff):  # noqa: F811
    """In Standoff a shield is the answer to a shot, and a shot to reloading."""
    ruleset = finding.load(str(standoff))
    steps = lesson_of(ruleset)
    assert [(step.reply, step.right) for step in steps] == [
        ("shield", ("reload",)),
        ("reload", ("shoot",)),
        ("shoot", ("shield",)),
    ]
    met = meet(ruleset, steps[1], "shoot")
    assert met.is_right
    assert "Blue's lives 2 → 1" in told(met)


def test_a_game_in_one_file_can_bring_its_own_lesson(standoff):  # noqa: F811
    own = (
        "\nfrom holmgang.games.guide import LessonStep\n"
        "def lesson(rules):\n"
        '    return [LessonStep("Load", "Blue reloads.", "reload", ("reload",), "Good.")]\n'
    )
    standoff.write_text(standoff.read_text() + own)
    ruleset = finding.load(str(standoff))
    [step] = lesson_of(ruleset)
    assert meet(ruleset, step, "reload").is_right
    assert not meet(ruleset, step, "shield").is_right
