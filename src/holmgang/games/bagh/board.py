"""BAGH as a person at a terminal sees it."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import Fighter, Rules, State, mend_sides
from holmgang.games.drawing import Row, pips, versus

ROOMY = 64


def draw(rules: Rules, state: State, width: int) -> list[str]:
    red, blue = state
    apart = width >= ROOMY
    rows = [
        Row("hp", pips(0, red.hp, "♥", apart=apart), pips(1, blue.hp, "♥", apart=apart)),
        Row("boost", pips(0, red.boost, "▲", apart=apart), pips(1, blue.boost, "▲", apart=apart)),
        Row(
            fields(rules)[2],
            pips(0, red.priority, "◆", apart=apart),
            pips(1, blue.priority, "◆", apart=apart),
        ),
        Row("shield", shield(red, width), shield(blue, width)),
    ]
    return versus(rows, width)


def shield(me: Fighter, width: int) -> str:
    if me.shield_damage == 0:
        return "whole"
    odds = f", mends 1 in {mend_sides(me)}" if width >= ROOMY else f" (1/{mend_sides(me)})"
    return f"[yellow]broken {me.shield_damage}[/]{odds}"
