"""Fencing as a person at a terminal sees it: the piste and both fencers."""

from holmgang.games.drawing import COLOURS, bar, field, heading, side_by_side
from holmgang.games.fencing.rules import Fencer, Rules, State

SKILLS = (
    ("lunge", "lunge_distance_skill"),
    ("parry", "parry_distance_skill"),
    ("walk", "walk_skill"),
    ("retreat", "retreat_skill"),
    ("double walk", "double_walk_skill"),
    ("double retreat", "double_retreat_skill"),
    ("break", "break_skill"),
)


def draw(rules: Rules, state: State, width: int) -> list[str]:
    fencers = side_by_side(fencer(rules, state.red, 0), fencer(rules, state.blue, 1), width)
    gap = abs(state.blue.position - state.red.position)
    return [
        f"turn {state.turn} of {rules.turns}, distance {gap}",
        *piste(rules, state, max(20, min(width, 72))),
        "",
        *fencers,
    ]


def piste(rules: Rules, state: State, width: int) -> list[str]:
    """The piste from 0 to its end, with the fencers where they stand."""
    red_at = state.red.position * (width - 1) // rules.piste
    blue_at = state.blue.position * (width - 1) // rules.piste
    figures = [" "] * width
    figures[red_at] = "[bold red]R[/]"
    figures[blue_at] = "[bold magenta]X[/]" if blue_at == red_at else "[bold blue]B[/]"
    ground = ["─"] * width
    for start in (rules.red_start, rules.blue_start):
        ground[start * (width - 1) // rules.piste] = "┴"
    ground[0], ground[-1] = "╘", "╛"
    return ["".join(figures).rstrip(), "".join(ground)]


def fencer(rules: Rules, me: Fencer, seat: int) -> list[str]:
    lines = [
        heading(seat),
        field("score", f"[bold]{me.score}[/]"),
        field("at", str(me.position)),
        field(
            "energy", f"[{COLOURS[seat]}]{bar(me.energy, me.energy_max, 10)}[/] "
            f"{me.energy}/{me.energy_max}"
        ),
    ]
    if rules.league >= 3:
        lines.append(field("drugs", f"{me.drug_count} of {rules.max_drugs}"))
        skills = [f"{name} {getattr(me, key):+}" for name, key in SKILLS if getattr(me, key)]
        lines.extend(field("skill" if not i else "", skill) for i, skill in enumerate(skills))
    return lines
