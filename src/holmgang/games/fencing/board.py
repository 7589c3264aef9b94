"""The board of Fencing in a terminal: the piste, and both fencers with their blades.

A blade is as long as the reach of a lunge: if it meets the other fencer, a lunge touches.
"""

from itertools import zip_longest

from holmgang.games.drawing import (
    ROOMY,
    STRONG_SEAT_ROLES,
    Comparison,
    Role,
    Row,
    Span,
    bar,
    centred,
    joined,
    mirrored,
    piece,
    versus,
)
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
LONGEST_PISTE = 100


def draw_board(rules: Rules, state: State, width: int) -> list[Row]:
    length = max(20, min(width - 2, LONGEST_PISTE))
    sides = (state.red, state.blue)
    gap = abs(state.blue.position - state.red.position)
    reaches = (
        reach(rules, state.red, state.blue, Action.BREAK),
        reach(rules, state.blue, state.red, Action.BREAK),
    )
    gauge = 10 if width >= ROOMY else 6
    compared = [
        Comparison("score", *map(piece, (me.score for me in sides), STRONG_SEAT_ROLES)),
        Comparison("energy", *(energy(me, seat, gauge) for seat, me in enumerate(sides))),
        Comparison(
            "reach",
            *(piece(far, Role.STRONG_WARNING if gap <= far else Role.PLAIN) for far in reaches),
        ),
    ]
    if rules.league >= 3:
        drugs = (piece(f"{me.drug_count} of {rules.max_drugs}") for me in sides)
        compared.append(Comparison("drugs", *drugs))
        compared.extend(compared_skills(rules, state, width))
    turn = piece("turn ") + piece(state.turn, Role.STRONG) + piece(f" of {rules.turns}")
    distance = piece(", distance ") + piece(gap, Role.STRONG)
    return [
        centred(joined(turn + distance), width),
        *(centred(row, width) for row in piste(rules, state, reaches, length)),
        *versus(compared, width),
    ]


def energy(me: Fencer, seat: int, gauge: int) -> Row:
    left = piece(me.energy, Role.STRONG) + piece(f"/{me.energy_max}")
    return mirrored(seat, bar(seat, me.energy, me.energy_max, gauge), left)


def compared_skills(rules: Rules, state: State, width: int) -> list[Comparison]:
    """The skills that drugs have changed, in as few lines as possible."""
    room = max(14, (width - 10) // 2 - 2)
    red, blue = (packed(skills(rules, me), room) for me in (state.red, state.blue))
    pairs = zip_longest(red, blue, fillvalue="")
    return [Comparison("" if i else "skills", *map(piece, pair)) for i, pair in enumerate(pairs)]


def skills(rules: Rules, me: Fencer) -> list[str]:
    """The actions that drugs have changed, with their current numbers (F4)."""
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


def piste(rules: Rules, state: State, reaches: tuple[int, int], length: int) -> list[Row]:
    """The whole piste with both fencers."""

    def column(position: int) -> int:
        return max(0, min(length - 1, position * (length - 1) // rules.piste))

    red_at, blue_at = column(state.red.position), column(state.blue.position)
    air = [Span(" ")] * length
    for x in range(red_at + 1, column(state.red.position + reaches[0]) + 1):
        air[x] = Span("─", Role.RED)
    for x in range(column(state.blue.position - reaches[1]), blue_at):
        air[x] = Span("═", Role.BOTH) if air[x].role == Role.RED else Span("─", Role.BLUE)
    air[red_at] = Span("●", Role.STRONG_RED)
    air[blue_at] = Span("●", Role.STRONG_BOTH if blue_at == red_at else Role.STRONG_BLUE)
    ground = ["─"] * length
    for start in (rules.red_start, rules.blue_start):
        ground[column(start)] = "┴"
    ground[0], ground[-1] = "└", "┘"
    return [joined(tuple(air)), piece("".join(ground), Role.DIM)]
