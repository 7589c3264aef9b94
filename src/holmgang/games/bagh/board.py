"""BAGH as a person at a terminal sees it."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import Fighter, Rules, State, mend_sides
from holmgang.games.drawing import Comparison, Role, Row, piece, pips, versus

ROOMY = 64


def draw(rules: Rules, state: State, width: int) -> list[Row]:
    red, blue = state
    apart = width >= ROOMY
    compared = [
        Comparison("hp", pips(0, red.hp, "♥", apart=apart), pips(1, blue.hp, "♥", apart=apart)),
        Comparison(
            "boost",
            pips(0, red.boost, "▲", apart=apart),
            pips(1, blue.boost, "▲", apart=apart),
        ),
        Comparison(
            fields(rules)[2],
            pips(0, red.priority, "◆", apart=apart),
            pips(1, blue.priority, "◆", apart=apart),
        ),
        Comparison("shield", shield(red, width), shield(blue, width)),
    ]
    return versus(compared, width)


def shield(me: Fighter, width: int) -> Row:
    if me.shield_damage == 0:
        return piece("whole")
    odds = f", mends 1 in {mend_sides(me)}" if width >= ROOMY else f" (1/{mend_sides(me)})"
    return piece(f"broken {me.shield_damage}", Role.WARNING) + piece(odds)
