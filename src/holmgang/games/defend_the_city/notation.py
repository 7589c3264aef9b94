"""Defend The City's states, choices, chance and outcomes as JSON and as short text, and back.

A state in words does not include wounds: the outcome has them.
"""

from holmgang.errors import ChanceError, ChoiceError, StateError
from holmgang.games.defend_the_city.rules import (
    FORFEIT,
    KEEP,
    Fighter,
    Phase,
    Rules,
    State,
    blue_roll,
    chance,
    defense_of,
    does_hit,
    offense_of,
    pair,
    red_roll,
    scores,
)
from holmgang.games.fields import FLAG, Bounds, of_both
from holmgang.games.shape import LARGEST, JsonObject, brief, read_int, read_object, read_word

PHASES = ("choose", "react")
AXES = ("offense", "defense")


def format_state(rules: Rules, state: State) -> JsonObject:
    red, blue = state.red, state.blue
    reacting = state.phase == Phase.REACT
    return {
        "phase": PHASES[state.phase],
        "red": {"stamina": red.stamina},
        "blue": {"stamina": blue.stamina},
        "defeated": state.defeated,
        "scores": {"red": [red.offense, red.defense], "blue": [blue.offense, blue.defense]}
        if reacting
        else None,
    }


def parse_state(rules: Rules, value: object) -> State:
    value = read_object(value, "state", ("phase", "red", "blue", "defeated", "scores"))
    phase = read_word(value, "phase", PHASES)
    if phase == Phase.CHOOSE:
        if value["scores"] is not None:
            raise StateError("scores must be null in the phase choose")
        shown: JsonObject = {"red": [0, 0], "blue": [0, 0]}
    else:
        shown = read_object(value["scores"], "scores", ("red", "blue"))
    return State(
        phase,
        parse_fighter(rules, value["red"], shown["red"], "red"),
        parse_fighter(rules, value["blue"], shown["blue"], "blue"),
        read_int(value, "defeated", most=rules.soldiers),
    )


def parse_fighter(rules: Rules, value: object, scores: object, seat: str) -> Fighter:
    value = read_object(value, seat, ("stamina",))
    if not isinstance(scores, list) or len(scores) != 2:
        raise StateError(f"scores.{seat} must be [offense, defense]; not {brief(scores)}")
    shown = {"offense": scores[0], "defense": scores[1]}
    return Fighter(
        stamina=read_int(value, "stamina", seat, least=-LARGEST),
        offense=read_int(shown, "offense", f"scores.{seat}", most=rules.max_score),
        defense=read_int(shown, "defense", f"scores.{seat}", most=rules.max_score),
        wounded=False,
    )


def format_text(rules: Rules, state: State) -> str:
    """The state as text: `30/30/0` is the start (stamina of red and blue, soldiers defeated), and
    `30.2.4/30.5.0/0` the same with the scores 2/4 and 5/0 revealed.
    """
    sides = (state.red, state.blue)
    if state.phase == Phase.REACT:
        words = [f"{side.stamina}.{side.offense}.{side.defense}" for side in sides]
    else:
        words = [str(side.stamina) for side in sides]
    return "/".join((*words, str(state.defeated)))


def parse_text(rules: Rules, text: str) -> State:
    try:
        red, blue, defeated = ([int(n) for n in part.split(".")] for part in text.split("/"))
        if len(red) != len(blue) or len(red) not in (1, 3) or len(defeated) != 1:
            raise ValueError
    except ValueError:
        raise StateError(
            "a state as text is stamina/stamina/defeated, such as 30/30/0, or with the revealed "
            f"scores 30.2.4/30.5.0/0; not {brief(text)}"
        ) from None
    return parse_state(
        rules,
        {
            "phase": PHASES[len(red) == 3],
            "red": {"stamina": red[0]},
            "blue": {"stamina": blue[0]},
            "defeated": defeated[0],
            "scores": {"red": red[1:], "blue": blue[1:]} if len(red) == 3 else None,
        },
    )


def format_choice(rules: Rules, choice: int) -> str:
    if choice >= KEEP:
        return "keep" if choice == KEEP else "forfeit"
    return f"{offense_of(rules, choice)}/{defense_of(rules, choice)}"


def parse_choice(rules: Rules, word: str) -> int:
    if word == "keep":
        return KEEP
    if word == "forfeit":
        return FORFEIT
    digits = "0123456"[: rules.max_score + 1]
    if len(word) == 3 and word[1] == "/" and word[0] in digits and word[2] in digits:
        return pair(rules, int(word[0]), int(word[2]))
    raise ChoiceError(
        f"{brief(word)} is not a choice; choose offense/defense, from 0/0 to "
        f"{rules.max_score}/{rules.max_score}, or keep or forfeit where that is asked"
    )


def harmless(rules: Rules, state: State, seat: int) -> int:
    return KEEP if state.phase == Phase.REACT else pair(rules, 0, 0)


def format_short(rules: Rules, choice: int) -> str:
    if choice >= KEEP:
        return "k" if choice == KEEP else "f"
    return f"{offense_of(rules, choice)}{defense_of(rules, choice)}"


def expand_short(rules: Rules, text: str) -> str | None:
    if len(text) == 2 and text.isascii() and text.isdigit():
        return f"{text[0]}/{text[1]}"
    return {"k": "keep", "f": "forfeit"}.get(text)


def format_chance(rules: Rules, state: State, red: int, blue: int, face: int) -> JsonObject | None:
    """Both rolls; null for an attack that was too late to be rolled (D6)."""
    if chance(rules, state, red, blue) == 1:
        return None
    r, b = scores(rules, state, red, blue)
    rolls = red_roll(rules, face), blue_roll(rules, face)
    red_first = r.offense > b.offense and does_hit(r, b, rolls[0])
    blue_first = b.offense > r.offense and does_hit(b, r, rolls[1])
    return {
        "red_roll": None if blue_first else rolls[0],
        "blue_roll": None if red_first else rolls[1],
    }


def parse_chance(rules: Rules, state: State, red: int, blue: int, value: object) -> int:
    if value is None:
        value = {}
    if not isinstance(value, dict) or not value.keys() <= {"red_roll", "blue_roll"}:
        raise ChanceError(f"chance must be red_roll and blue_roll; not {brief(value)}")
    rolls = value.get("red_roll"), value.get("blue_roll")
    if chance(rules, state, red, blue) == 1:
        if rolls != (None, None):
            raise ChanceError("nothing is rolled yet: an offense may still be forfeited")
        return 0
    r, b = scores(rules, state, red, blue)
    red_late = b.offense > r.offense and is_rolled_hit(rules, b, r, rolls[1], "blue_roll")
    blue_late = r.offense > b.offense and is_rolled_hit(rules, r, b, rolls[0], "red_roll")
    return (
        parse_roll(rules, r, b, rolls[0], "red_roll", late=red_late)
        + parse_roll(rules, b, r, rolls[1], "blue_roll", late=blue_late) * rules.die
    )


def is_rolled_hit(
    rules: Rules, striker: Fighter, target: Fighter, value: object, where: str
) -> bool:
    return does_hit(striker, target, parse_roll(rules, striker, target, value, where, late=False))


def parse_roll(
    rules: Rules, striker: Fighter, target: Fighter, value: object, where: str, *, late: bool
) -> int:
    """The roll; 0 for one that was not made because it was too late or could not hit."""
    if late:
        if value is None:
            return 0
        raise ChanceError(
            f"{where} must be null, as the higher offense has hit; not {brief(value)}"
        )
    if value is None and striker.offense <= target.defense:
        return 0
    if type(value) is int and 0 <= value < rules.die:
        return value
    raise ChanceError(
        f"{where} must be a whole number from 0 to {rules.die - 1}; not {brief(value)}"
    )


def is_symmetric(rules: Rules) -> bool:
    return rules.duel == 1


def mirror(rules: Rules, state: State) -> State:
    """The same state with the seats exchanged."""
    return State(state.phase, state.blue, state.red, state.defeated)


def choice_count(rules: Rules) -> int:
    return FORFEIT + 1


def field_bounds(rules: Rules) -> dict[str, Bounds]:
    fighter = {
        "stamina": (1 - 2 * rules.max_score if rules.overspend else 0, rules.stamina),
        "offense": (0, rules.max_score),
        "defense": (0, rules.max_score),
        "wounded": FLAG,
    }
    defeated = (0, 0 if rules.duel else rules.soldiers)
    return {"phase": FLAG, **of_both(fighter), "defeated": defeated}
