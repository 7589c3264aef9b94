"""Defend The City as a person at a terminal sees it."""

from holmgang.games.defend_the_city.rules import Fighter, Phase, Rules, State, is_spent
from holmgang.games.drawing import Row, bar, centred, mirrored, versus

ROOMY = 64
MOST_SOLDIERS = 20


def draw(rules: Rules, state: State, width: int) -> list[str]:
    is_roomy = width >= ROOMY
    gauge = 15 if is_roomy else 8
    sides = (state.red, state.blue)
    rows = [
        Row("stamina", *(stamina(rules, me, seat, gauge) for seat, me in enumerate(sides))),
        Row("offense/defense" if is_roomy else "scores", *(scores(state, me) for me in sides)),
    ]
    if rules.duel:
        return versus(rows, width)
    table = versus(rows, width, ("the defender", "the soldier") if is_roomy else ("", ""))
    return [centred(soldiers(rules, state), width), "", *table]


def soldiers(rules: Rules, state: State) -> str:
    """The soldiers in a row: those that fell, the one that fights, those to come."""
    number = min(state.defeated + 1, rules.soldiers)
    told = f"[bold]soldier {number}[/] of {rules.soldiers}"
    if state.defeated >= rules.soldiers:
        told = "[bold]the city stands[/]"
    if rules.soldiers > MOST_SOLDIERS:
        return told
    here = min(1, rules.soldiers - state.defeated)
    signs = (
        f"[dim]{'x ' * state.defeated}[/]"
        f"[bold blue]{'◆ ' * here}[/]"
        f"[blue]{'◇ ' * max(0, rules.soldiers - state.defeated - 1)}[/]"
    )
    return f"{signs} {told}"


def stamina(rules: Rules, me: Fighter, seat: int, gauge: int) -> str:
    return mirrored(seat, bar(seat, me.stamina, rules.stamina, gauge), f"[bold]{me.stamina}[/]")


def scores(state: State, me: Fighter) -> str:
    """Offense/defense once they are revealed; before that, what else there is to say of a side."""
    if state.phase == Phase.REACT:
        return f"[bold]{me.offense}/{me.defense}[/]"
    if me.wounded:
        return "[bold yellow]wounded[/]"
    return "[yellow]spent[/]" if is_spent(me) else "[dim]?/?[/]"
