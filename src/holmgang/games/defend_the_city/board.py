"""The board of Defend The City in a terminal."""

from holmgang.games.defend_the_city.rules import Fighter, Phase, Rules, State, is_spent
from holmgang.games.drawing import (
    ROOMY,
    Comparison,
    Role,
    Row,
    bar,
    centred,
    mirrored,
    piece,
    versus,
)

MOST_SOLDIERS = 20


def draw_board(rules: Rules, state: State, width: int) -> list[Row]:
    is_roomy = width >= ROOMY
    gauge = 15 if is_roomy else 8
    sides = (state.red, state.blue)
    compared = [
        Comparison("stamina", *(stamina(rules, me, seat, gauge) for seat, me in enumerate(sides))),
        Comparison(
            "offense/defense" if is_roomy else "scores", *(scores(state, me) for me in sides)
        ),
    ]
    if rules.duel:
        return versus(compared, width)
    table = versus(compared, width, ("the defender", "the soldier") if is_roomy else ("", ""))
    return [centred(soldiers(rules, state), width), (), *table]


def soldiers(rules: Rules, state: State) -> Row:
    """All soldiers in a row: the defeated, the current one, and the next ones."""
    number = min(state.defeated + 1, rules.soldiers)
    told = piece(f"soldier {number}", Role.STRONG) + piece(f" of {rules.soldiers}")
    if state.defeated >= rules.soldiers:
        told = piece("the city stands", Role.STRONG)
    if rules.soldiers > MOST_SOLDIERS:
        return told
    here = min(1, rules.soldiers - state.defeated)
    return (
        piece("x " * state.defeated, Role.DIM)
        + piece("◆ " * here, Role.STRONG_BLUE)
        + piece("◇ " * max(0, rules.soldiers - state.defeated - 1), Role.BLUE)
        + piece(" ")
        + told
    )


def stamina(rules: Rules, me: Fighter, seat: int, gauge: int) -> Row:
    left = piece(me.stamina, Role.STRONG)
    return mirrored(seat, bar(seat, me.stamina, rules.stamina, gauge), left)


def scores(state: State, me: Fighter) -> Row:
    """Offense/defense after the reveal; before it, the condition of a side."""
    if state.phase == Phase.REACT:
        return piece(f"{me.offense}/{me.defense}", Role.STRONG)
    if me.wounded:
        return piece("wounded", Role.STRONG_WARNING)
    return piece("spent", Role.WARNING) if is_spent(me) else piece("?/?", Role.DIM)
