"""Fencing for newcomers."""

from collections.abc import Sequence

from holmgang.games.fencing.rules import Rules
from holmgang.games.guide import LessonStep, Preset, Summary

PRESETS = (
    Preset("League 1", "five actions: break, walk, retreat, lunge, parry", {"league": 1}),
    Preset("League 2", "adds double walk and double retreat", {"league": 2}),
    Preset("League 3", "adds eight drugs, of which 7 may be taken", {"league": 3}),
    Preset("Quick", "league 1, to 5 points", {"league": 1, "points_to_win": 5}),
    Preset("No drugs", "all moves, but no drugs, to 10 points", {"league": 2, "points_to_win": 10}),
)
MOVES = ("break", "walk", "retreat", "lunge", "parry", "double_walk", "double_retreat")
GROUPS = (
    ("The bout", ("league", "points_to_win", "lead_to_win", "turns")),
    ("The piste", ("piste", "red_start", "blue_start", "level_collides")),
    (
        "Energy",
        ("start_energy", "max_energy", "energy_transfer", *(f"{move}_energy" for move in MOVES)),
    ),
    (
        "Distances",
        (
            *("walk_move", "retreat_move", "double_walk_move", "double_retreat_move"),
            *("lunge_distance", "parry_distance"),
        ),
    ),
    (
        "Drugs",
        (
            *("max_drugs", "parry_drug_works", "scoreless_doping_fails_both"),
            *(
                f"{what}_drug_{number}"
                for what in (*MOVES, "energy_max")
                for number in ("energy", "skill")
            ),
        ),
    ),
)

MEETINGS = {
    ("break", "break"): "Both gain energy.",
    ("break", "walk"): "You gain energy, and Blue comes closer.",
    ("break", "retreat"): "You gain energy, and Blue is out of reach.",
    ("break", "lunge"): "You are touched.",
    ("break", "parry"): "You gain energy, and Blue's parry is wasted.",
    ("walk", "break"): "You come closer, and Blue gains energy.",
    ("walk", "walk"): "Both come closer.",
    ("walk", "retreat"): "The distance stays.",
    ("walk", "lunge"): "You are touched.",
    ("walk", "parry"): "You come closer, and Blue's parry is wasted.",
    ("retreat", "break"): "You are out of reach, and Blue gains energy.",
    ("retreat", "walk"): "The distance stays.",
    ("retreat", "retreat"): "Both are out of reach.",
    ("retreat", "lunge"): "Blue's lunge falls short and costs much energy.",
    ("retreat", "parry"): "You are out of reach, and Blue's parry is wasted.",
    ("lunge", "break"): "You touch: a point.",
    ("lunge", "walk"): "You touch: a point.",
    ("lunge", "retreat"): "Your lunge falls short and costs much energy.",
    ("lunge", "lunge"): "Both touch: a point each.",
    ("lunge", "parry"): "Blue stops it and takes energy from you.",
    ("parry", "break"): "Your parry is wasted, and Blue gains energy.",
    ("parry", "walk"): "Your parry is wasted, and Blue comes closer.",
    ("parry", "retreat"): "Your parry is wasted.",
    ("parry", "lunge"): "You stop it and take energy from Blue.",
    ("parry", "parry"): "Both parries are wasted.",
}


def summary(rules: Rules) -> Summary:
    gap = max(rules.lunge_distance, 1)
    red = max((rules.piste - gap) // 2, 0)
    choices = [
        ("break", f"Rest: {rules.break_energy} energy more."),
        ("walk", f"{rules.walk_move} forward."),
        ("retreat", f"{-rules.retreat_move} back."),
        (
            "lunge",
            f"Touches up to {rules.lunge_distance} away. Costs {-rules.lunge_energy} energy.",
        ),
        ("parry", f"Stops a lunge and takes {rules.energy_transfer} energy from Blue."),
    ]
    if rules.league > 1:
        choices.append(("double_walk", f"{rules.double_walk_move} forward."))
        choices.append(("double_retreat", f"{-rules.double_retreat_move} back."))
    drugs = (
        f" League 3 has eight drugs, each of which changes one number for good: taking more than"
        f" {rules.max_drugs} loses at once."
        if rules.league > 2
        else ""
    )
    return Summary(
        aim=f"Touch Blue. The first with {rules.points_to_win} points and a lead of"
        f" {rules.lead_to_win} wins the bout.",
        choices=tuple(choices),
        ending=f"By points, or after {rules.turns} turns for the one who leads. Whoever falls below"
        " 0 energy loses at once.",
        note="Every choice but a break costs energy. After a touch both go back to their lines. The"
        " table is for two fencers who can just reach each other." + drugs,
        state=f"10/{red}.{rules.max_energy // 2}/{red + gap}.{rules.max_energy // 2}",
        meetings=MEETINGS,
    )


def lesson(rules: Rules) -> Sequence[LessonStep]:
    """Walk, lunge, parry: what all leagues have in common."""
    usual = Rules()
    common = usual._replace(
        league=rules.league,
        points_to_win=rules.points_to_win,
        lead_to_win=rules.lead_to_win,
        turns=max(rules.turns, 10),
        level_collides=rules.level_collides,
        parry_drug_works=rules.parry_drug_works,
        scoreless_doping_fails_both=rules.scoreless_doping_fails_both,
    )
    if common != rules or rules.points_to_win < 2:
        return ()
    return (
        LessonStep(
            "Come within reach",
            "You are 60 apart, and a lunge reaches 40. Blue will rest to get energy. Come closer.",
            "break",
            ("walk",),
            "Now you are 40 apart: a lunge touches. But Blue's lunge would touch you, too.",
            "A lunge does not reach that far yet: try Walk.",
            "4/200.18/260.16",
        ),
        LessonStep(
            "Touch",
            "You are 40 apart. Blue will take a step forward. Touch Blue now.",
            "walk",
            ("lunge",),
            "A touch is one point. A lunge costs 5 energy, hit or not, so lunge only when Blue is"
            " not expected to parry or to step back.",
            "Blue comes closer and does not parry: try Lunge.",
            "5/220.17/260.18",
        ),
        LessonStep(
            "Parry, and watch the energy",
            "Blue will lunge with the last 6 energy. A lunge costs 5. Stop it and take the rest.",
            "lunge",
            ("parry",),
            "A parry stops a lunge and takes 2 energy. Whoever falls below 0 energy loses at"
            " once, so rest in time: a break gives 2.",
            "Blue lunges, and you are within reach: try Parry.",
            "20/220.12.1/260.6.1",
        ),
    )
