"""Defend The City for newcomers."""

from collections.abc import Sequence

from holmgang.games.defend_the_city.rules import (
    BLUE,
    FORFEIT,
    Phase,
    Rules,
    State,
    chance,
    defense_of,
    initial,
    offense_of,
    pair,
    resolve,
)
from holmgang.games.guide import LessonStep, Preset, Summary, SummaryTable

PRESETS = (
    Preset("Standard", "the rules of the rulebook"),
    Preset("Quick", "10 stamina each, so that an encounter is short", {"stamina": 10}),
    Preset("Long", "first to 3 games", wins=3),
    Preset("Careful", "nobody may spend more stamina than is left", {"overspend": 0}),
)


def is_timid(rules: Rules, state: State, seat: int, choice: int) -> bool:
    """Whether a soldier holds back. Against good soldiers red saves the city in 3 games of 100."""
    if rules.duel or seat != BLUE:
        return False
    if state.phase == Phase.REACT:
        return choice == FORFEIT
    return offense_of(rules, choice) + defense_of(rules, choice) <= rules.max_score // 2


def summary(rules: Rules) -> Summary:
    scores = range(rules.max_score + 1)
    aim = (
        "Wound Blue before Blue wounds you. The first wound decides."
        if rules.duel
        else f"You are Red and defend the city. Defeat {rules.soldiers} soldiers, one after the"
        " other, without a wound."
    )
    return Summary(
        aim=aim,
        choices=(
            ("0/0", f"Set an offense and a defense, from 0 to {rules.max_score} each."),
            ("keep", "After the reveal, whoever has the lower offense may keep it,"),
            ("forfeit", "or forfeit it and save its stamina."),
        ),
        ending="One wound decides an encounter, and a wound of yours loses the game.",
        note=f"Both numbers cost stamina, of which each has {rules.stamina}. Without any you can"
        " neither attack nor defend. The higher offense attacks first; the other attacks only if"
        " that misses.",
        table=SummaryTable(
            "Your offense ↓ Blue's defense →",
            tuple(map(str, scores)),
            tuple(
                (str(offense), tuple(odds(rules, offense, defense) for defense in scores))
                for offense in scores
            ),
        ),
    )


def odds(rules: Rules, offense: int, defense: int) -> str:
    """How often an offense of red hits against a defense of blue, who does not attack."""
    start, red, blue = initial(rules), pair(rules, offense, 0), pair(rules, 0, defense)
    faces = chance(rules, start, red, blue)
    after = [resolve(rules, start, red, blue, face) for face in range(faces)]
    hits = sum(each.blue.wounded or each.defeated > 0 for each in after)
    return f"{hits * rules.die // faces} in {rules.die}" if hits else "never"


def lesson(rules: Rules) -> Sequence[LessonStep]:
    """Defend, hit back, and use a spent opponent. It fits the campaign and the duel."""
    usual = Rules()
    if rules._replace(duel=usual.duel, endless_loses=usual.endless_loses) != usual:
        return ()
    return (
        LessonStep(
            "Defend and hit back",
            "Blue will put everything into attack: offense 5, defense 0. Choose a defense of 5,"
            " and some offense to hit back.",
            "5/0",
            ("1/5", "2/5", "3/5", "4/5", "5/5"),
            "An attack hits only if its offense is higher than the defense: 5 against 5 cannot"
            " hit you. Both numbers cost stamina, and Blue's defense of 0 stops nothing.",
            "Blue's offense is 5: set defense to 5, and offense to 1 or more.",
        ),
        LessonStep(
            "Keep your attack",
            "You chose 2/5, Blue 5/0. The lower offense is asked: keep the attack, or forfeit it"
            " and save its stamina? Blue cannot hit you.",
            "",
            ("keep",),
            "Each point of offense above the other's defense is one chance in five: 2 against 0"
            " hits in 2 of 5 cases. This time it did. One wound decides an encounter.",
            "Blue has no defense at all: try Keep.",
            "30.2.5/30.5.0/0",
        ),
        LessonStep(
            "Strike when Blue is spent",
            "Blue has used up all stamina and can neither attack nor defend. You need no defense"
            " now. Attack so that you cannot miss.",
            "",
            ("5/0",),
            "5 against 0 hits in 5 of 5 cases. So mind your stamina: do not be the one who is"
            " spent first.",
            "Blue cannot attack, so defense is wasted: set offense to 5 and defense to 0.",
            "12/-1/0" if rules.duel else "12/-1/3",
        ),
    )
