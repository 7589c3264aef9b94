"""BAGH as a person at a terminal sees it."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import Fighter, Rules, State, mend_sides
from holmgang.games.drawing import COLOURS, field, heading, pips, side_by_side


def draw(rules: Rules, state: State, width: int) -> list[str]:
    return side_by_side(fighter(rules, state.red, 0), fighter(rules, state.blue, 1), width)


def fighter(rules: Rules, me: Fighter, seat: int) -> list[str]:
    shield = "whole"
    if me.shield_damage:
        shield = f"[yellow]broken {me.shield_damage}[/], mends 1 in {mend_sides(me)}"
    return [
        heading(seat),
        field("hp", f"[{COLOURS[seat]}]{pips(me.hp, '♥')}[/]"),
        field("boost", pips(me.boost, "▲")),
        field(fields(rules)[2], pips(me.priority, "◆")),
        field("shield", shield),
    ]
