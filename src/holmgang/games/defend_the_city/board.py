"""Defend The City as a person at a terminal sees it."""

from holmgang.games.defend_the_city.rules import Fighter, Phase, Rules, State, is_spent
from holmgang.games.drawing import COLOURS, bar, field, heading, side_by_side


def draw(rules: Rules, state: State, width: int) -> list[str]:
    sides = side_by_side(
        fighter(rules, state, state.red, 0), fighter(rules, state, state.blue, 1), width
    )
    if rules.duel:
        return sides
    left = max(0, rules.soldiers - state.defeated)
    return [f"soldiers  {'■' * state.defeated}{'□' * left}  {state.defeated} of {rules.soldiers}", "", *sides]


def fighter(rules: Rules, state: State, me: Fighter, seat: int) -> list[str]:
    role = "" if rules.duel else ("  the defender", "  the soldier")[seat]
    lines = [
        heading(seat) + role,
        field(
            "stamina", f"[{COLOURS[seat]}]{bar(me.stamina, rules.stamina, 15)}[/] {me.stamina}"
        ),
    ]
    if state.phase == Phase.REACT:
        lines.append(field("scores", f"[bold]{me.offense}/{me.defense}[/] offense/defense"))
    elif me.wounded:
        lines.append(field("", "[bold]wounded[/]"))
    elif is_spent(me):
        lines.append(field("", "[yellow]spent[/]"))
    return lines
