"""What is no state of the game, and what is said of it."""

import pytest

from holmgang.errors import StateError
from holmgang.games.ruleset import load
from holmgang.games.shape import LARGEST

ANY = "must be a whole number of at most 18 digits"
UP = "must be a whole number from 0 up"
BUBBLE = {"kind": "bubble", "hp": 6, "age": 0}
SPECTER = {"kind": "specter", "hp": 10, "attack": 1, "age": 0}


@pytest.mark.parametrize(
    ("ruleset", "place", "value", "told"),
    [
        ("bagh", "red.hp", LARGEST + 1, f"red.hp {ANY}"),
        ("bagh", "red.hp", -LARGEST - 1, f"red.hp {ANY}"),
        ("bagh", "red.hp", 3.0, f"red.hp {ANY}; not 3.0"),
        ("bagh", "red.hp", True, f"red.hp {ANY}; not True"),
        ("bagh", "red.hp", "3", f"red.hp {ANY}; not '3'"),
        ("bagh", "blue.boost", -1, "blue.boost must be a whole number from 0 to 9999; not -1"),
        ("bagh", "blue.boost", 10_000, "blue.boost must be a whole number from 0 to 9999; not"),
        ("bagh", "blue.priority", -1, f"blue.priority {UP}; not -1"),
        ("bagh", "blue.shield_damage", -1, "blue.shield_damage must be a whole number from 0 to"),
        ("bagh", "blue.shield_damage", 10_000, "blue.shield_damage must be a whole number from 0"),
        (
            "bagh",
            "blue",
            None,
            "blue must be a JSON object with hp, boost, priority, shield_damage",
        ),
        ("fencing", "turn", -1, "turn must be a whole number from 0 to 200; not -1"),
        ("fencing", "turn", 201, "turn must be a whole number from 0 to 200; not 201"),
        ("fencing:turns=5", "turn", 6, "turn must be a whole number from 0 to 5; not 6"),
        (
            "fencing",
            "red.position",
            -1,
            "red.position must be a whole number from 0 to 500; not -1",
        ),
        ("fencing", "red.position", 501, "red.position must be a whole number from 0 to 500"),
        ("fencing", "red.energy", LARGEST + 1, f"red.energy {ANY}"),
        ("fencing", "red.energy", None, f"red.energy {ANY}; not None"),
        ("fencing", "red.score", -1, f"red.score {UP}; not -1"),
        ("fencing", "red.drug_count", -1, f"red.drug_count {UP}; not -1"),
        ("fencing", "red.energy_max", -1, f"red.energy_max {UP}; not -1"),
        ("fencing", "blue.walk_skill", LARGEST + 1, f"blue.walk_skill {ANY}"),
        ("fencing", "blue.walk_skill", -LARGEST - 1, f"blue.walk_skill {ANY}"),
        ("fencing", "blue.parry_distance_skill", 0.5, f"blue.parry_distance_skill {ANY}; not 0.5"),
        ("fencing", "blue.doped", 0, "blue.doped must be true or false; not 0"),
        ("defend-the-city", "phase", "chose", "phase must be one of choose, react; not 'chose'"),
        ("defend-the-city", "phase", ["choose"], "phase must be one of choose, react; not a list"),
        ("defend-the-city", "red.stamina", LARGEST + 1, f"red.stamina {ANY}"),
        ("defend-the-city", "defeated", -1, "defeated must be a whole number from 0 to 5; not -1"),
        ("defend-the-city", "defeated", 6, "defeated must be a whole number from 0 to 5; not 6"),
        ("defend-the-city", "scores", {}, "scores must be null in the phase choose"),
        (
            "defend-the-city",
            "phase",
            "react",
            "scores must be a JSON object with red, blue; not None",
        ),
        ("magic-duel", "to_move", "green", "to_move must be one of red, blue; not 'green'"),
        ("magic-duel", "phase", "moves", "phase must be one of move, specter; not 'moves'"),
        ("magic-duel", "phase", "specter", "red has no specter at place 0"),
        ("magic-duel", "moves_left", 0, "moves_left must be at least 1 in the phase move"),
        ("magic-duel", "moves_left", 3, "moves_left must be a whole number from 0 to 2; not 3"),
        ("magic-duel", "specter", 1, "specter must be 0 in the phase move"),
        ("magic-duel", "specter", 2, "specter must be a whole number from 0 to 1; not 2"),
        ("magic-duel", "red.hp", LARGEST + 1, f"red.hp {ANY}"),
        ("magic-duel", "red.magic", -1, f"red.magic {UP}; not -1"),
        ("magic-duel", "red.burn", -1, f"red.burn {UP}; not -1"),
        ("magic-duel", "red.shield", -1, f"red.shield {UP}; not -1"),
        ("magic-duel", "red.minions", {}, "red.minions must be a list of at most 2"),
        ("magic-duel", "red.minions", [BUBBLE] * 3, "red.minions must be a list of at most 2"),
        ("magic-duel:minions=1", "red.minions", [BUBBLE] * 2, "red.minions must be a list of at"),
        ("magic-duel", "red.minions", [None], "red.minions[0] must be a bubble or a specter"),
        ("magic-duel", "red.minions", [{}], "red.minions[0].kind must be one of bubble, specter"),
        (
            "magic-duel",
            "red.minions",
            [BUBBLE, {**BUBBLE, "attack": 1}],
            "red.minions[1] has an unknown 'attack'; it has kind, hp, age",
        ),
        (
            "magic-duel",
            "red.minions",
            [{"kind": "specter"}],
            "red.minions[0] lacks hp, attack, age",
        ),
        ("magic-duel", "red.minions", [{**BUBBLE, "hp": 0}], "red.minions[0].hp must be a whole"),
        ("magic-duel", "red.minions", [{**BUBBLE, "age": -1}], f"red.minions[0].age {UP}"),
        ("magic-duel", "red.minions", [{**SPECTER, "attack": -1}], f"red.minions[0].attack {UP}"),
    ],
)
def test_a_state_with_one_thing_wrong(ruleset, place, value, told):
    loaded = load(ruleset)
    state = loaded.game.notation.format_state(loaded.rules, loaded.game.rules.initial(loaded.rules))
    *path, last = place.split(".")
    holder = state
    for key in path:
        holder = holder[key]
    assert last in holder
    holder[last] = value
    with pytest.raises(StateError) as refusal:
        loaded.game.notation.parse_state(loaded.rules, state)
    assert told in str(refusal.value)


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ({"red": [6, 0], "blue": [0, 0]}, "must be a whole number from 0 to 5; not 6"),
        ({"red": [0, 0], "blue": [0, -1]}, "must be a whole number from 0 to 5; not -1"),
        ({"red": [0], "blue": [0, 0]}, "scores.red must be [offense, defense]; not a list of 1"),
        ({"red": "0/0", "blue": [0, 0]}, "scores.red must be [offense, defense]; not '0/0'"),
        ({"red": [0, 0]}, "scores lacks blue"),
    ],
)
def test_scores_that_cannot_have_been_chosen(scores, told):
    city = load("defend-the-city")
    side = {"stamina": 30}
    state = {"phase": "react", "red": side, "blue": side, "defeated": 0, "scores": scores}
    with pytest.raises(StateError) as refusal:
        city.game.notation.parse_state(city.rules, state)
    assert told in str(refusal.value)


@pytest.mark.parametrize(
    ("ruleset", "text", "told"),
    [
        ("bagh", "3.0.0/3.0.0.0", "a state as text is hp.boost.priority.shield_damage of red"),
        ("bagh", "3.0.0.0", "such as 3.0.0.0/3.0.0.0; not '3.0.0.0'"),
        ("bagh-advantage", "x", "a state as text is hp.boost.advantage.shield_damage of red"),
        ("bagh", "3.0.-1.0/3.0.0.0", "red.priority must be a whole number from 0 up; not -1"),
        ("fencing", "0/200", "a state as text is turn/red/blue"),
        ("fencing", "0/200/300" + ".1" * 12, "a state as text is turn/red/blue"),
        ("fencing", "0/200/501", "blue.position must be a whole number from 0 to 500"),
        ("defend-the-city", "30/30", "a state as text is stamina/stamina/defeated"),
        ("defend-the-city", "30.1.1/30/0", "a state as text is stamina/stamina/defeated"),
        ("magic-duel", "r2/25.0.0.0", "a state as text is r or b with the moves left"),
        ("magic-duel", "g2/25.0.0.0/25.0.0.0", "a state as text is r or b"),
        ("magic-duel", "r2/25.0.0.0+x6@0/25.0.0.0", "a state as text is r or b"),
        ("magic-duel", "r2/25.0.0.0+b0@0/25.0.0.0", "red.minions[0].hp must be a whole number"),
    ],
)
def test_a_text_that_is_no_state(ruleset, text, told):
    loaded = load(ruleset)
    with pytest.raises(StateError) as refusal:
        loaded.game.notation.parse_text(loaded.rules, text)
    assert told in str(refusal.value)
