"""BAGH's states, choices, chance and outcomes as JSON and as short text, and back."""

from holmgang.errors import ChanceError
from holmgang.games.bagh.rules import (
    Action,
    Fighter,
    Rules,
    State,
    chance,
    does_blue_mend,
    does_red_mend,
    mend_sides,
)
from holmgang.games.fields import Bounds, of_both
from holmgang.games.shape import LARGEST, JsonObject, brief, read_int, read_object

Choice = Action
WORDS = tuple(action.name.lower() for action in Action)
MOST_BOOST = MOST_SHIELD_DAMAGE = 9_999  # so that both mend rolls fit one throw of 32 bits


def fields(rules: Rules) -> tuple[str, ...]:
    return ("hp", "boost", "advantage" if rules.advantage else "priority", "shield_damage")


def format_state(rules: Rules, state: State) -> JsonObject:
    keys = fields(rules)
    return {
        "red": dict(zip(keys, state.red, strict=True)),
        "blue": dict(zip(keys, state.blue, strict=True)),
    }


def parse_state(rules: Rules, value: object) -> State:
    value = read_object(value, "state", ("red", "blue"))
    return State(
        parse_fighter(rules, value["red"], "red"), parse_fighter(rules, value["blue"], "blue")
    )


def parse_fighter(rules: Rules, value: object, where: str) -> Fighter:
    keys = fields(rules)
    value = read_object(value, where, keys)
    return Fighter(
        read_int(value, "hp", where, least=-LARGEST),
        read_int(value, "boost", where, most=MOST_BOOST),
        read_int(value, keys[2], where),
        read_int(value, "shield_damage", where, most=MOST_SHIELD_DAMAGE),
    )


def harmless(rules: Rules, state: State, seat: int) -> int:
    return Action.GUARD


def format_chance(rules: Rules, state: State, red: int, blue: int, face: int) -> JsonObject | None:
    """Which broken shields mend; null for a whole shield, None if both are whole."""
    if chance(rules, state, red, blue) == 1:
        return None
    return {
        "red_mends": does_red_mend(state, face) if state.red.shield_damage else None,
        "blue_mends": does_blue_mend(state, face) if state.blue.shield_damage else None,
    }


def parse_chance(rules: Rules, state: State, red: int, blue: int, value: object) -> int:
    if value is None:
        value = {}
    if not isinstance(value, dict) or not value.keys() <= {"red_mends", "blue_mends"}:
        raise ChanceError(f"chance must be red_mends and blue_mends; not {brief(value)}")
    red_face = parse_mend(value.get("red_mends"), state.red, "red_mends")
    blue_face = parse_mend(value.get("blue_mends"), state.blue, "blue_mends")
    return red_face + mend_sides(state.red) * blue_face


def parse_mend(value: object, fighter: Fighter, where: str) -> int:
    if fighter.shield_damage == 0:
        if value is None:
            return 0
        raise ChanceError(f"{where} must be null, as that shield is whole; not {brief(value)}")
    if type(value) is not bool:
        raise ChanceError(f"{where} must be true or false, as that shield is broken")
    return 0 if value else 1


def is_symmetric(rules: Rules) -> bool:
    return True


def field_bounds(rules: Rules) -> dict[str, Bounds]:
    most_hp = max(rules.start_hp, rules.heal_limit + rules.heal_limit_per_boost * rules.max_boost)
    # A guard adds at most its boost. If collecting that boost costs as much priority, or if
    # advantage does not add up, the maximum is what a single guard can reach.
    is_limited = rules.advantage == 1 or rules.boost_gain <= rules.priority_fall
    return of_both(
        {
            "hp": (0, most_hp),
            "boost": (0, rules.max_boost),
            "priority": (0, rules.guard_gain + rules.max_boost if is_limited else None),
            "shield_damage": (0, rules.max_boost),
        }
    )
