"""MagicDuel for newcomers."""

from collections.abc import Sequence

from holmgang.games.guide import LessonStep, Preset, Summary
from holmgang.games.magic_duel.rules import Rules

PRESETS = (
    Preset("Standard", "the rules of the rulebook"),
    Preset("Quick", "12 hp each", {"max_hp": 12}),
    Preset("Long", "first to 3 games", wins=3),
    Preset("No minions", "without bubbles and specters", {"minions": 0}),
)
GROUPS = (
    ("Players and turns", ("max_hp", "moves", "minions")),
    ("Attacks", ("normal_damage", "pierce_damage", "max_burn")),
    ("Heal, shield and magic", ("heal", "shield_decay", "shield_limit", "magic_gain")),
    (
        "Bubbles",
        ("bubble_cost", "bubble_hp", "bubble_magic", "bubble_fuse", "bubble_buff_hp"),
    ),
    (
        "Specters",
        (
            "specter_cost",
            "specter_hp",
            "specter_attack",
            "specter_burn",
            "specter_buff_hp",
            "specter_buff_attack",
        ),
    ),
)


def summary(rules: Rules) -> Summary:
    return Summary(
        aim=f"You and Blue start with {rules.max_hp} hp and take turns, with {rules.moves} moves"
        " each. Bring Blue down to 0.",
        choices=(
            ("magic", f"Gather {rules.magic_gain} magic."),
            (
                "normal",
                f"{rules.normal_damage} damage plus all your magic. A shield takes it first.",
            ),
            ("pierce", f"{rules.pierce_damage} damage, and no shield stops it."),
            ("heal", f"{rules.heal} hp, stops your burn, and can add a shield."),
            ("bubble", f"Costs {rules.bubble_cost} magic, and gives magic every turn."),
            ("specter", f"Costs {rules.specter_cost} magic, and attacks every turn."),
        ),
        ending="Whoever has 0 hp has lost.",
        note="A burn takes hp at the start of each of your turns until you heal. A shield loses"
        f" {rules.shield_decay} each turn. Attacks may also hit a minion.",
        state="r2/20.6.0.0+b6@1/22.2.2.5",
    )


def lesson(rules: Rules) -> Sequence[LessonStep]:
    """Pierce a shield, heal a burn, finish with magic."""
    if rules != Rules():
        return ()
    return (
        LessonStep(
            "Get past a shield",
            "The players take turns, with two moves each. Blue has 8 shield, which takes the"
            " damage of normal attacks. Hurt Blue all the same.",
            "",
            ("pierce",),
            "Pierce always does 5 damage and ignores shields. Against the shield, a normal attack"
            " of 3 would have cost Blue no hp.",
            "Blue's shield takes a normal attack: try Pierce.",
            "r2/20.0.0.0/14.0.0.8",
        ),
        LessonStep(
            "Stop a burn",
            "You have 6 hp and burn: you would lose 3 hp at the start of each of your turns."
            " Put the fire out.",
            "",
            ("heal",),
            "A heal gives 5 hp and stops the burn. The shield that it may add takes damage first,"
            " but loses 1 each turn.",
            "Only a heal stops a burn: try Heal.",
            "r1/6.0.3.0/14.0.0.0",
        ),
        LessonStep(
            "Spend your magic",
            "You have gathered 8 magic. A normal attack does 3 damage plus all your magic. Blue"
            " has 11 hp and no shield. Finish it.",
            "",
            ("normal",),
            "3 + 8 = 11 damage, and the magic is used up. So gather while it is quiet, and strike"
            " when the sum is enough.",
            "A normal attack spends your 8 magic as damage: try Normal attack, on Blue.",
            "r2/20.8.0.0/11.0.0.0",
        ),
    )
