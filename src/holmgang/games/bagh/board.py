"""BAGH as a person at a terminal sees it."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import Fighter, Rules, State, mend_sides
from holmgang.games.drawing import Row, pips, versus

ROOMY = 64


def draw(rules: Rules, state: State, width: int) -> list[str]:
    red, blue = state
    rows = [
        Row("hp", pips(0, red.hp, "♥"), pips(1, blue.hp, "♥")),
        Row("boost", pips(0, red.boost, "▲"), pips(1, blue.boost, "▲")),
        Row(fields(rules)[2], pips(0, red.priority, "◆"), pips(1, blue.priority, "◆")),
        Row("shield", shield(red, width), shield(blue, width)),
    ]
    return versus(rows, width)


def shield(me: Fighter, width: int) -> str:
    if me.shield_damage == 0:
        return "whole"
    odds = f", mends 1 in {mend_sides(me)}" if width >= ROOMY else f" (1/{mend_sides(me)})"
    return f"[yellow]broken {me.shield_damage}[/]{odds}"
