"""The board of BAGH in a terminal."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import Fighter, Rules, State, mend_sides
from holmgang.games.drawing import ROOMY, Comparison, Role, Row, piece, pips, versus


def draw_board(rules: Rules, state: State, width: int) -> list[Row]:
    red, blue = state
    apart = width >= ROOMY
    counted = (
        ("hp", "♥", red.hp, blue.hp),
        ("boost", "▲", red.boost, blue.boost),
        (fields(rules)[2], "◆", red.priority, blue.priority),
    )
    compared = [
        Comparison(label, *(pips(seat, n, sign, apart=apart) for seat, n in enumerate(values)))
        for label, sign, *values in counted
    ]
    compared.append(Comparison("shield", shield(red, width), shield(blue, width)))
    return versus(compared, width)


def shield(me: Fighter, width: int) -> Row:
    if me.shield_damage == 0:
        return piece("whole")
    odds = f", mends 1 in {mend_sides(me)}" if width >= ROOMY else f" (1/{mend_sides(me)})"
    return piece(f"broken {me.shield_damage}", Role.WARNING) + piece(odds)
