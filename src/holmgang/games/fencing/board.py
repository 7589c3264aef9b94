"""Fencing as a person at a terminal sees it: the piste, and both fencers with their blades.

A blade is drawn as long as its lunge reaches: whose blade meets the other fencer is in reach.
"""

from holmgang.games.drawing import COLOURS, Row, bar, centred, mirrored, versus
from holmgang.games.fencing.rules import (
    Action,
    Fencer,
    Rules,
    State,
    action_energy,
    action_move,
    reach,
)

SKILLS = (
    ("lunge", "lunge_distance_skill"),
    ("parry", "parry_distance_skill"),
    ("walk", "walk_skill"),
    ("retreat", "retreat_skill"),
    ("2×walk", "double_walk_skill"),
    ("2×retreat", "double_retreat_skill"),
    ("break", "break_skill"),
)
ROOMY = 64
LONGEST_PISTE = 100


def draw(rules: Rules, state: State, width: int) -> list[str]:
    length = max(20, min(width - 2, LONGEST_PISTE))
    sides = (state.red, state.blue)
    gap = abs(state.blue.position - state.red.position)
    reaches = (
        reach(rules, state.red, state.blue, Action.BREAK),
        reach(rules, state.blue, state.red, Action.BREAK),
    )
    gauge = 10 if width >= ROOMY else 6
    rows = [
        Row("score", *(f"[bold {COLOURS[seat]}]{me.score}[/]" for seat, me in enumerate(sides))),
        Row("energy", *(energy(me, seat, gauge) for seat, me in enumerate(sides))),
        Row("reach", *(f"[bold yellow]{far}[/]" if gap <= far else str(far) for far in reaches)),
    ]
    if rules.league >= 3:
        rows.append(Row("drugs", *(f"{me.drug_count} of {rules.max_drugs}" for me in sides)))
        rows.extend(skill_rows(rules, state, width))
    return [
        centred(f"turn [bold]{state.turn}[/] of {rules.turns}, distance [bold]{gap}[/]", width),
        *(centred(line, width) for line in piste(rules, state, reaches, length)),
        *versus(rows, width),
    ]


def energy(me: Fencer, seat: int, gauge: int) -> str:
    left = f"[bold]{me.energy}[/]/{me.energy_max}"
    return mirrored(seat, bar(seat, me.energy, me.energy_max, gauge), left)


def skill_rows(rules: Rules, state: State, width: int) -> list[Row]:
    """What drugs have changed, as many to a line as fit."""
    room = max(14, (width - 10) // 2 - 2)
    red, blue = (packed(skills(rules, me), room) for me in (state.red, state.blue))
    count = max(len(red), len(blue))
    red += [""] * (count - len(red))
    blue += [""] * (count - len(blue))
    return [Row("" if i else "skills", *pair) for i, pair in enumerate(zip(red, blue, strict=True))]


def skills(rules: Rules, me: Fencer) -> list[str]:
    """The actions that drugs have changed, with the numbers that they have now (F4)."""
    numbers = {
        "lunge_distance_skill": rules.lunge_distance + me.lunge_distance_skill,
        "parry_distance_skill": rules.parry_distance + me.parry_distance_skill,
        "walk_skill": action_move(rules, me, Action.WALK),
        "retreat_skill": action_move(rules, me, Action.RETREAT),
        "double_walk_skill": action_move(rules, me, Action.DOUBLE_WALK),
        "double_retreat_skill": action_move(rules, me, Action.DOUBLE_RETREAT),
        "break_skill": action_energy(rules, me, Action.BREAK),
    }
    return [f"{name} {numbers[key]:+}" for name, key in SKILLS if getattr(me, key)]


def packed(words: list[str], room: int) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 2 + len(word) <= room:
            lines[-1] += ", " + word
        else:
            lines.append(word)
    return lines


def piste(rules: Rules, state: State, reaches: tuple[int, int], length: int) -> list[str]:
    """The piste from end to end, with the fencers where they stand."""

    def column(position: int) -> int:
        return max(0, min(length - 1, position * (length - 1) // rules.piste))

    red_at, blue_at = column(state.red.position), column(state.blue.position)
    air = [" "] * length
    for x in range(red_at + 1, column(state.red.position + reaches[0]) + 1):
        air[x] = "[red]─[/]"
    for x in range(column(state.blue.position - reaches[1]), blue_at):
        air[x] = "[blue]─[/]" if air[x] == " " else "[magenta]═[/]"
    air[red_at] = "[bold red]●[/]"
    air[blue_at] = "[bold magenta]●[/]" if blue_at == red_at else "[bold blue]●[/]"
    ground = ["─"] * length
    for start in (rules.red_start, rules.blue_start):
        ground[column(start)] = "┴"
    ground[0], ground[-1] = "└", "┘"
    return ["".join(air), f"[dim]{''.join(ground)}[/]"]
