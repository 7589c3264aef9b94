"""BAGH for newcomers."""

from collections.abc import Sequence

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import Rules
from holmgang.games.guide import LessonStep, Preset, Summary

PRESETS = (
    Preset("Standard", "the rules of the rulebook"),
    Preset("Quick", "one game decides the match", wins=1),
    Preset("Long", "5 hp each, first to 5 games", {"start_hp": 5}, wins=5),
    Preset("No heal", "heals give nothing", {"heal_amount": 0}),
)
GROUPS = (
    ("Hit points and heal", ("start_hp", "heal_amount", "heal_limit", "heal_limit_per_boost")),
    ("Boost and attack", ("max_boost", "boost_gain", "attack_damage")),
    (
        "Guard",
        ("guard_gain", "priority_damping", "priority_fall", "advantage", "shield_repair"),
    ),
)
MEETINGS = {
    ("boost", "boost"): "Both are stronger next time.",
    ("boost", "attack"): "You are hit, but your boost rises.",
    ("boost", "guard"): "Your boost rises, and Blue's guard does nothing.",
    ("boost", "heal"): "Your boost rises, and Blue heals.",
    ("attack", "boost"): "You hit, but Blue's boost rises.",
    ("attack", "attack"): "Both hit. With unequal {priority} only the higher one hits.",
    ("attack", "guard"): "Blue stops it. If your boost is higher, Blue's shield breaks.",
    ("attack", "heal"): "You hit, and Blue's heal is lost.",
    ("guard", "boost"): "Your guard does nothing, and Blue's boost rises.",
    ("guard", "attack"): "You stop it and earn {priority}. A higher boost breaks your shield.",
    ("guard", "guard"): "Nothing happens.",
    ("guard", "heal"): "Your guard does nothing, and Blue heals.",
    ("heal", "boost"): "You heal, and Blue's boost rises.",
    ("heal", "attack"): "You are hit and the heal is lost, unless your {priority} is higher.",
    ("heal", "guard"): "You heal, and Blue's guard does nothing.",
    ("heal", "heal"): "Both heal.",
}


def summary(rules: Rules) -> Summary:
    priority = fields(rules)[2]
    return Summary(
        aim=f"You and Blue start with {rules.start_hp} hp. Bring Blue down to 0 before Blue does"
        " it to you.",
        choices=(
            ("boost", f"Makes your next other choice {rules.boost_gain} stronger."),
            ("attack", f"Does {rules.attack_damage} damage, plus your boost."),
            ("guard", f"Stops an attack. If it works, you earn {priority}."),
            ("heal", f"Gives {rules.heal_amount} hp, plus your boost."),
        ),
        ending="Whoever has 0 hp has lost the game. If both fall at once, nobody wins it.",
        note=f"Your boost is used up by your next other choice. {priority.capitalize()} decides"
        " when both attack, or when an attack meets a heal; it falls each round. A broken shield"
        " stops nothing, and mends by itself in a few rounds.",
        meetings={pair: text.format(priority=priority) for pair, text in MEETINGS.items()},
    )


def lesson(rules: Rules) -> Sequence[LessonStep]:
    """Guard, boost, attack. It fits both rulebooks."""
    usual = Rules()
    common = rules._replace(
        heal_limit=usual.heal_limit,
        heal_limit_per_boost=usual.heal_limit_per_boost,
        advantage=usual.advantage,
    )
    if common != usual:
        return ()
    priority = fields(rules)[2]
    return (
        LessonStep(
            "Stop an attack",
            "Blue will attack now. You know it only because this is a lesson. Which choice"
            " lifts your shield?",
            "attack",
            ("guard",),
            f"A guard stops an attack and earns {priority}. The higher {priority} decides when"
            " both attack, or when an attack meets a heal. It falls by 1 each round.",
            "Blue attacks: try Guard.",
        ),
        LessonStep(
            "Use a quiet round",
            "Blue will guard: your attack would be stopped. Prepare a stronger one instead.",
            "guard",
            ("boost",),
            "Each boost adds 1 to your next attack or heal, up to 6. Any other choice uses it up.",
            "Blue guards, so nothing can hurt you: try Boost.",
            "3.0.1.0/3.0.0.0",
        ),
        LessonStep(
            "Strike at the right moment",
            "You have boosted: your attack does 2. Blue has 2 hp left and will heal. Finish it.",
            "heal",
            ("attack",),
            f"An attack makes a heal fail, unless the healer's {priority} is higher. So attack"
            " beats heal, guard beats attack, and boost or heal beats guard.",
            "Blue heals and does not guard: try Attack.",
            "3.1.0.0/2.0.0.0",
        ),
    )
