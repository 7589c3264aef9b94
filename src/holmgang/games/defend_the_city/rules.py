"""Defend The City as pure functions, in the order of the rulebook.

Red defends; blue plays every soldier. A turn is chosen in one round (`Phase.CHOOSE`) and, where the
lower offense may be forfeited, finished in a second one (`Phase.REACT`). Ids such as D6 are the
rulings of RULES.md. Words, JSON and drawings are in `notation.py`, `story.py` and `board.py`.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

RED, BLUE, NOBODY = 0, 1, -1


class Rules(NamedTuple):
    """Every number of the rulebook, with the values it may take."""

    soldiers: Annotated[int, range(1, 100)] = 5
    stamina: Annotated[int, range(1, 1000)] = 30
    max_score: Annotated[int, range(1, 7)] = 5  # HIGHEST_SCORE at most
    die: Annotated[int, range(1, 101)] = 5  # a hit has (offense - defense) chances in this many
    overspend: Annotated[int, range(2)] = 1  # D2; 0: a pair may not cost more than the stamina left
    duel: Annotated[int, range(2)] = 0  # 1: one symmetric encounter, first wound wins
    endless_loses: Annotated[int, range(2)] = 0  # D9; 1: a campaign that never ends is lost


class Fighter(NamedTuple):
    stamina: int
    offense: int  # scores are 0 until they are chosen
    defense: int
    wounded: bool


class State(NamedTuple):
    phase: int
    red: Fighter
    blue: Fighter
    defeated: int


class Phase(IntEnum):
    CHOOSE = 0
    REACT = 1


class Reason(IntEnum):
    ON = 0
    DEFENDED = 1
    WOUNDED = 2
    SPENT = 3
    BESIEGED = 4


class Outcome(NamedTuple):
    reason: int
    winner: int


# Choices: a pair of scores is one number, and so is the answer in step 2

HIGHEST_SCORE = 6  # under any rules
KEEP = (HIGHEST_SCORE + 1) * (HIGHEST_SCORE + 1)
FORFEIT = KEEP + 1


def pair(rules: Rules, offense: int, defense: int) -> int:
    return offense * (rules.max_score + 1) + defense


def offense_of(rules: Rules, choice: int) -> int:
    return choice // (rules.max_score + 1) if choice >= 0 else 0  # a spent fighter: 0/0 (D3)


def defense_of(rules: Rules, choice: int) -> int:
    return choice % (rules.max_score + 1) if choice >= 0 else 0


def initial(rules: Rules) -> State:
    fighter = fresh(rules)
    return State(Phase.CHOOSE, fighter, fighter, 0)


def fresh(rules: Rules) -> Fighter:
    return Fighter(stamina=rules.stamina, offense=0, defense=0, wounded=False)


def choices(rules: Rules, state: State, seat: int) -> int:
    fighter = state.red if seat == RED else state.blue
    if state.phase == Phase.REACT:
        if seat == asked(state.red, state.blue):
            return 1 << KEEP | 1 << FORFEIT
        return 0
    if is_spent(fighter):
        return 0
    return pairs(rules, fighter)


def pairs(rules: Rules, fighter: Fighter) -> int:
    """All pairs of scores (D7), or only those that the stamina pays for (D2)."""
    if rules.overspend == 1:
        return (1 << pair(rules, rules.max_score + 1, 0)) - 1
    mask = 0
    for offense in range(rules.max_score + 1):
        most = min(rules.max_score, fighter.stamina - offense)
        if most >= 0:
            mask |= ((2 << most) - 1) << pair(rules, offense, 0)
    return mask


# Stamina


def is_spent(fighter: Fighter) -> bool:
    return fighter.stamina <= 0  # D3


# Turn structure, steps 1 and 2


def asked(red: Fighter, blue: Fighter) -> int:
    """The seat that may forfeit its offense: the lower one, unless it is 0 (D1)."""
    if red.offense < blue.offense and red.offense > 0 and not is_spent(red):
        return RED
    if blue.offense < red.offense and blue.offense > 0 and not is_spent(blue):
        return BLUE
    return NOBODY


def scored(rules: Rules, fighter: Fighter, choice: int) -> Fighter:
    offense, defense = offense_of(rules, choice), defense_of(rules, choice)
    return Fighter(fighter.stamina, offense, defense, fighter.wounded)


def reacted(fighter: Fighter, answer: int) -> Fighter:
    if answer == FORFEIT:
        return Fighter(fighter.stamina, 0, fighter.defense, fighter.wounded)
    return fighter


def scores(rules: Rules, state: State, red: int, blue: int) -> tuple[Fighter, Fighter]:
    """Both fighters with the scores of these choices."""
    if state.phase == Phase.CHOOSE:
        return scored(rules, state.red, red), scored(rules, state.blue, blue)
    return reacted(state.red, red), reacted(state.blue, blue)


def is_clash(state: State, red: Fighter, blue: Fighter) -> bool:
    """Whether the turn is played with these scores. Otherwise step 2 comes first."""
    return state.phase == Phase.REACT or asked(red, blue) == NOBODY


# Steps 3 to 5


def paid(fighter: Fighter) -> int:
    return fighter.stamina - fighter.offense - fighter.defense


def does_hit(striker: Fighter, target: Fighter, roll: int) -> bool:
    """To hit: (offense - target's defense) chances in 5; none below 0."""
    return roll < striker.offense - target.defense


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    """The number of equally likely faces of the one throw that decides both attack rolls."""
    r, b = scores(rules, state, red, blue)
    return rules.die * rules.die if is_clash(state, r, b) else 1


def face_groups(rules: Rules, state: State, red: int, blue: int) -> int:
    """Faces differ only in who hits: both, one of them, or nobody."""
    r, b = scores(rules, state, red, blue)
    return 4 if is_clash(state, r, b) else 1


def face_group(rules: Rules, state: State, red: int, blue: int, group: int) -> tuple[int, int]:
    """A face of the group, and how many faces have the same result; 0 if there are none."""
    r, b = scores(rules, state, red, blue)
    if not is_clash(state, r, b):
        return 0, 1
    red_hits = max(0, min(r.offense - b.defense, rules.die))  # this many: the lowest rolls hit
    blue_hits = max(0, min(b.offense - r.defense, rules.die))
    red_first, red_rolls = (0, red_hits) if group % 2 == 0 else (red_hits, rules.die - red_hits)
    blue_first, blue_rolls = (0, blue_hits) if group < 2 else (blue_hits, rules.die - blue_hits)
    return blue_first * rules.die + red_first, red_rolls * blue_rolls


def red_roll(rules: Rules, face: int) -> int:
    return face % rules.die


def blue_roll(rules: Rules, face: int) -> int:
    return face // rules.die


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    r, b = scores(rules, state, red, blue)
    if not is_clash(state, r, b):
        return State(Phase.REACT, r, b, state.defeated)
    red_aims = does_hit(r, b, red_roll(rules, face))
    blue_aims = does_hit(b, r, blue_roll(rules, face))
    red_hits = red_aims and not (blue_aims and b.offense > r.offense)  # D6: the higher goes first
    blue_hits = blue_aims and not (red_aims and r.offense > b.offense)
    return aftermath(rules, state.defeated, paid(r), paid(b), red_hits, blue_hits)


def aftermath(
    rules: Rules, defeated: int, red_left: int, blue_left: int, red_hits: bool, blue_hits: bool
) -> State:
    """The turn is over; and the encounter too, if someone fell or both are spent."""
    red = Fighter(red_left, 0, 0, blue_hits)
    blue = Fighter(blue_left, 0, 0, red_hits)
    if rules.duel == 1 or blue_hits:  # red's wound ends the duel, even if blue fell (D5)
        return State(Phase.CHOOSE, red, blue, defeated)
    if red_hits:  # D8
        return State(Phase.CHOOSE, fresh(rules), fresh(rules), defeated + 1)
    if is_spent(red) and is_spent(blue):  # D4
        return State(Phase.CHOOSE, fresh(rules), fresh(rules), defeated)
    return State(Phase.CHOOSE, red, blue, defeated)


# Win and lose states


def outcome(rules: Rules, state: State) -> Outcome:
    if state.red.wounded and state.blue.wounded and rules.duel == 1:
        return Outcome(Reason.WOUNDED, NOBODY)
    if state.red.wounded:
        return Outcome(Reason.WOUNDED, BLUE)
    if rules.duel == 1:
        if state.blue.wounded:
            return Outcome(Reason.WOUNDED, RED)
        if is_spent(state.red) and is_spent(state.blue):
            return Outcome(Reason.SPENT, NOBODY)
    elif state.defeated >= rules.soldiers:
        return Outcome(Reason.DEFENDED, RED)
    return Outcome(Reason.ON, NOBODY)


def endless(rules: Rules) -> Outcome:
    """The city is held only by defeating all soldiers (D9); an endless duel is a draw."""
    if rules.endless_loses == 1 and rules.duel == 0:
        return Outcome(Reason.BESIEGED, BLUE)
    return Outcome(Reason.ON, NOBODY)
