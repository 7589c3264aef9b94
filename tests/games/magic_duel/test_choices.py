"""The menus: what is on offer in which state."""

import pytest

from holmgang.games.magic_duel.rules import HEAL
from holmgang.games.ruleset import load


def menu(text: str, seat: int, ruleset: str = "magic-duel") -> list[str]:
    magic = load(ruleset)
    return magic.words(magic.game.notation.parse_text(magic.rules, text), seat)


PLAYER = ["normal 0 player", "normal 1 player", "normal 2 player", "pierce player"]
HEALS = ["heal 0", "heal 5"]


def targets(*words: str) -> list[str]:
    return [f"normal {burn} {word}" for burn in (0, 1, 2) for word in words] + [
        f"pierce {word}" for word in words
    ]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        pytest.param("r2/25.0.0.0/25.0.0.0", ["magic", *PLAYER, *HEALS], id="M13 the start"),
        pytest.param(
            "r2/25.2.0.0/25.0.0.0", ["magic", *PLAYER, "bubble", *HEALS], id="M10 2 magic: a bubble"
        ),
        pytest.param(
            "r2/25.5.0.0/25.0.0.0",
            ["magic", *PLAYER, "bubble", "specter", *HEALS],
            id="M10 5 magic: a specter too",
        ),
        pytest.param(
            "r2/25.5.0.0+b6@0+b6@0/25.0.0.0",
            ["magic", *PLAYER, "bubble 1", "bubble 2", *HEALS],
            id="M10 two bubbles: one of them to buff",
        ),
        pytest.param(
            "r2/25.5.0.0+b6@0+s10x1@0/25.0.0.0",
            ["magic", *PLAYER, "bubble 1", "specter 2", *HEALS],
            id="M10 one of each: the one to buff",
        ),
        pytest.param(
            "r2/25.0.0.0/25.0.0.0+b6@0+s10x1@0",
            ["magic", *targets("player", "1", "2"), *HEALS],
            id="M8 the enemy's minions are targets",
        ),
        pytest.param("r0s0/25.9.0.0+s10x1@0/25.0.0.0", ["player"], id="M11 a specter: the player"),
        pytest.param(
            "r0s0/25.9.0.0+s10x1@0/25.0.0.0+b6@0+b6@0",
            ["player", "1", "2"],
            id="M11 a specter: or the enemy's minions",
        ),
    ],
)
def test_menu(state, words):
    assert menu(state, 0) == words
    assert menu(state, 1) == []
    red_and_blue = state.split("/")[1:]
    mirrored = "/".join((f"b{state.split('/')[0][1:]}", *reversed(red_and_blue)))
    assert menu(mirrored, 1) == words
    assert menu(mirrored, 0) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("r2/25.9.0.0+b6@0+s10x1@0/25.0.0.0+b6@0", id="M10 a move"),
        pytest.param("r0s1/25.9.0.0+b6@0+s10x1@0/25.0.0.0+b6@0", id="M11 a specter's attack"),
    ],
)
def test_legal_is_what_is_on_the_menu(text):
    magic = load("magic-duel:shield_limit=5")
    rules = magic.game.rules
    state = magic.game.notation.parse_text(magic.rules, text)
    for seat in (0, 1):
        offered = magic.choices(state, seat)
        legal = [n for n in range(-1, 64) if rules.is_legal(magic.rules, state, seat, n)]
        assert legal == offered


def test_m6_a_heal_with_any_shield_is_legal_in_ones_own_move():
    magic = load("magic-duel")
    for text, seat, legal in (
        ("r2/25.0.0.0/25.0.0.0", 0, True),
        ("r2/25.0.0.0/25.0.0.0", 1, False),
        ("r0s0/25.0.0.0+s10x1@0/25.0.0.0", 0, False),
    ):
        state = magic.game.notation.parse_text(magic.rules, text)
        assert magic.game.rules.is_legal(magic.rules, state, seat, HEAL + 1_000_000) is legal


def test_nothing_is_thrown():
    magic = load("magic-duel")
    start = magic.game.rules.initial(magic.rules)
    assert magic.game.rules.chance(magic.rules, start, HEAL, -1) == 1


@pytest.mark.parametrize(
    ("rules", "amounts"),
    [
        pytest.param("shield_limit=0", [0], id="M6 no shield at all"),
        pytest.param("shield_limit=3", [0, 1, 2, 3], id="M6 every amount up to the limit"),
        pytest.param("shield_limit=99", range(35), id="M6 as many as a menu holds"),
        pytest.param("heal=9", [0, 9], id="M6 without a limit: none, or as much as is healed"),
        pytest.param("heal=99", [0, 34], id="M6 without a limit: or as much as a menu holds"),
    ],
)
def test_shields_on_the_menu(rules, amounts):
    words = menu("r2/25.0.0.0/25.0.0.0", 0, f"magic-duel:{rules}")
    assert words == ["magic", *PLAYER, *(f"heal {amount}" for amount in amounts)]
