"""The menu of a page: whatever it lets a person put together is legal, and nothing is left out."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.asked import plain
from tests.strategies import rulesets, states

from holmgang.engine.menu import options
from holmgang.errors import ChoiceError, NothingToChoose
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load
from holmgang.live import menus
from holmgang.live.menus import VerbChoices, verb_keys, verbs_of


def controls(ruleset, state, seat):
    """The menu as a client sees it."""
    return plain(menus.menu_of(ruleset, state, seat))


def menu_of(name, text=None, seat="red"):
    ruleset = load(name)
    return controls(ruleset, ruleset.parse_state(text), seat)


def reachable(menu):
    """Every word that the controls of a menu can put together; of a free number, some."""
    listed = {option["word"] for option in menu["options"]}
    if menu["controls"] == "cards":
        return listed
    if menu["controls"] == "dials":
        assert len(menu["axes"]) == 2
        pairs = {f"{a}/{b}" for a, b in product(menu["rows"], menu["columns"])}
        assert listed <= pairs
        return pairs & listed
    assert menu["controls"] == "parts"
    words = [
        " ".join((verb["word"], *values))
        for verb in menu["verbs"]
        for values in product(*map(values_of, verb["parts"]))
    ]
    assert len(set(words)) == len(words), "two ways to say the same"
    return set(words)


def values_of(part):
    if "values" in part:
        assert all(value["label"] for value in part["values"])
        return [value["value"] for value in part["values"]]
    least, most = part["least"], part["most"]
    return [str(number) for number in {least, (least + most) // 2, most, *part["listed"]}]


@given(st.data())
def test_controls_offer_all_of_the_menu_and_nothing_illegal(data):
    ruleset = data.draw(rulesets())
    state = data.draw(states(ruleset))
    for number, seat in enumerate(SEATS):
        menu = controls(ruleset, state, seat)
        if menu is None:
            assert ruleset.choices(state, number) == []
            continue
        words = reachable(menu)
        assert set(ruleset.words(state, number)) <= words
        for word in words:
            choice = ruleset.parse_choice(state, number, word)  # raises ChoiceError if not legal
            assert ruleset.preview(state, number, choice)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_option_has_a_label_that_nobody_else_has(name):
    menu = menu_of(name)
    labels = [option["label"] for option in menu["options"]]
    assert len(set(labels)) == len(labels)
    assert all(label[0].isupper() for label in labels)


def test_cards():
    menu = menu_of("bagh")
    assert menu["controls"] == "cards"
    assert menu["options"][2] == {
        "word": "guard",
        "label": "Guard",
        "key": "g",
        "note": "Stops an attack and earns priority 1.",
    }
    fencing = [option["label"] for option in menu_of("fencing")["options"]]
    assert fencing[5] == "Double walk"


def test_what_several_cards_share_is_said_once():
    menu = menu_of("fencing")
    assert menu["shared"] == "Energy 20 → 15. 7 more drugs allowed."
    own = {
        option["word"]: option["note"][: option["own"]]
        for option in menu["options"]
        if "own" in option
    }
    assert len(own) == 8
    assert all(word.endswith("_drug") for word in own)
    assert own["lunge_drug"] == "Your lunge then reaches 45, not 40."
    assert "shared" not in menu_of("bagh")


@given(st.data())
def test_a_note_is_its_own_part_and_the_shared_one(data):
    ruleset = data.draw(rulesets())
    state = data.draw(states(ruleset))
    for menu in filter(None, (controls(ruleset, state, seat) for seat in SEATS)):
        grouped = [option for option in menu["options"] if "own" in option]
        assert ("shared" in menu) == bool(grouped)
        for option in grouped:
            assert option["note"] == f"{option['note'][: option['own']]} {menu['shared']}"


def test_dials():
    menu = menu_of("defend-the-city")
    assert menu["controls"] == "dials"
    assert menu["axes"] == ["offense", "defense"]
    assert menu["rows"] == menu["columns"] == list("012345")
    assert menu["options"][0]["label"] == "Offense 0, defense 0"


def test_dials_without_some_pairs_say_which_by_their_options():
    menu = menu_of("defend-the-city:overspend=0", "3/30/0")
    assert menu["controls"] == "dials"
    assert menu["rows"] == list("0123")
    assert "3/0" in reachable(menu)
    assert "3/3" not in reachable(menu)


def test_the_answer_in_defend_the_city_is_two_cards():
    menu = menu_of("defend-the-city", "30.2.4/30.5.0/0")
    assert [option["label"] for option in menu["options"]] == [
        "Keep the offense",
        "Forfeit the offense",
    ]


def test_verbs_with_parts():
    menu = menu_of("magic-duel", "r2/25.9.0.0/25.0.0.0+b6@0+s10x1@1")
    assert menu["controls"] == "parts"
    verbs = {verb["word"]: verb for verb in menu["verbs"]}
    assert {word: verb["label"] for word, verb in verbs.items()} == {
        "magic": "Gather magic",
        "normal": "Normal attack",
        "pierce": "Piercing attack",
        "bubble": "Summon a bubble",
        "specter": "Summon a specter",
        "heal": "Heal",
    }
    assert "".join(verb["key"] for verb in menu["verbs"]) == "mnpbsh"
    assert verbs["magic"]["parts"] == verbs["bubble"]["parts"] == []
    burn, target = verbs["normal"]["parts"]
    assert burn["label"] == "Burn"
    assert [value["label"] for value in burn["values"]] == ["no burn", "burn 1", "burn 2"]
    assert target == {
        "label": "Target",
        "values": [
            {"value": "player", "label": "Blue"},
            {"value": "1", "label": "bubble (6 hp)"},
            {"value": "2", "label": "specter (10 hp, attack 1)"},
        ],
    }


def test_a_full_place_makes_summoning_a_strengthening():
    menu = menu_of("magic-duel", "r2/25.9.0.0+b6@0+b6@1/25.0.0.0")
    (bubble,) = (verb for verb in menu["verbs"] if verb["word"] == "bubble")
    assert bubble["label"] == "Strengthen a bubble"
    assert [value["label"] for value in bubble["parts"][0]["values"]] == [
        "first bubble (6 hp)",
        "second bubble (6 hp)",
    ]


def test_the_target_of_a_specter_is_a_card():
    menu = menu_of("magic-duel", "r0s0/25.0.0.0+s10x1@0/25.0.0.0+b6@0")
    assert menu["controls"] == "cards"
    assert [(option["word"], option["label"]) for option in menu["options"]] == [
        ("player", "Attack Blue"),
        ("1", "Attack the bubble (6 hp)"),
    ]


@pytest.mark.parametrize(
    ("name", "most", "listed"),
    [
        ("magic-duel", 10**15 - 1, [0, 5]),
        ("magic-duel:shield_limit=2", 2, [0, 1, 2]),
        ("magic-duel:shield_limit=100", 100, list(range(35))),
    ],
)
def test_a_free_number_has_its_limits(name, most, listed):
    (heal,) = (verb for verb in menu_of(name)["verbs"] if verb["word"] == "heal")
    assert heal["parts"] == [{"label": "Shield", "least": 0, "most": most, "listed": listed}]
    ruleset = load(name)
    with pytest.raises(ChoiceError):
        ruleset.parse_choice(ruleset.initial(), 0, f"heal {most + 1}")


def test_a_typed_menu_says_that_other_numbers_work():
    def notes(name):
        ruleset = load(name)
        return [option.note for option in options(ruleset, ruleset.initial(), "red")]

    assert notes("magic-duel")[-1].endswith(" Any N works: heal 7.")
    assert notes("magic-duel:shield_limit=35")[-1].endswith(" Any N works: heal 35.")
    assert not any("Any N" in note for note in notes("magic-duel:shield_limit=3"))


def test_nothing_is_asked_of_a_seat_that_has_nothing_to_choose():
    assert menu_of("magic-duel", seat="blue") is None
    ruleset = load("magic-duel")
    with pytest.raises(NothingToChoose):
        ruleset.parse_choice(ruleset.initial(), 1, "magic")


def test_words_that_are_no_full_product_become_several_verbs():
    words = ["go", "go n", "go s", "put a 1", "put a 2", "put b 1"]
    assert verbs_of({word: number for number, word in enumerate(words)}) == [
        VerbChoices("go", {(): 0}),
        VerbChoices("go", {("n",): 1, ("s",): 2}),
        VerbChoices("put a", {("1",): 3, ("2",): 4}),
        VerbChoices("put b", {("1",): 5}),
    ]


def test_verbs_with_the_same_first_letter_get_longer_keys():
    assert verb_keys([["m"], ["p1", "p2"], ["b"], ["b1", "b12"]]) == ["m", "p", "b", "b1"]


@given(st.data())
def test_the_harmless_choice_is_legal(data):
    ruleset = data.draw(rulesets())
    state = data.draw(states(ruleset))
    for number in range(2):
        if ruleset.choices(state, number):
            choice = ruleset.harmless(state, number)
            assert ruleset.is_legal(state, number, choice)
        else:
            with pytest.raises(NothingToChoose):
                ruleset.harmless(state, number)


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("bagh", None, "guard"),
        ("fencing", None, "break"),
        ("defend-the-city", None, "0/0"),
        ("defend-the-city", "30.2.4/30.5.0/0", "keep"),
        ("magic-duel", None, "heal 0"),
        ("magic-duel", "r0s0/25.0.0.0+s10x1@0/25.0.0.0+b6@0", "player"),
    ],
)
def test_the_harmless_choice_of_each_game(name, text, word):
    ruleset = load(name)
    assert ruleset.word(ruleset.harmless(ruleset.parse_state(text), 0)) == word


def test_without_one_the_first_choice_on_offer_is_harmless():
    ruleset = load("bagh")
    entry = ruleset.entry._replace(game=ruleset.game._replace(harmless=None))
    assert type(ruleset)(entry, ruleset.rules).harmless(ruleset.initial(), 0) == 0
