"""BAGH's states, choices, chance and outcomes as JSON and as short text, and back."""

from holmgang.errors import ChanceError, ChoiceError, StateError
from holmgang.games.bagh.rules import (
    Action,
    Fighter,
    Outcome,
    Rules,
    State,
    chance,
    does_blue_mend,
    does_red_mend,
    mend_sides,
)
from holmgang.games.fields import Bounds, of_both
from holmgang.games.shape import LARGEST, JsonObject, brief, read_int, read_object

WORDS = tuple(action.name.lower() for action in Action)
MOST_BOOST = MOST_SHIELD_DAMAGE = 9_999  # so that both mend rolls fit one throw of 32 bits
SHORT = tuple(word[0] for word in WORDS)


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


def format_text(rules: Rules, state: State) -> str:
    """The state as text: `3.0.0.0/3.0.0.0` is the start (hp, boost, priority, shield damage)."""
    return "/".join(".".join(map(str, fighter)) for fighter in state)


def parse_text(rules: Rules, text: str) -> State:
    try:
        numbers = [[int(number) for number in side.split(".")] for side in text.split("/")]
        keys = fields(rules)
        sides = (dict(zip(keys, side, strict=True)) for side in numbers)
        return parse_state(rules, dict(zip(("red", "blue"), sides, strict=True)))
    except ValueError:
        raise StateError(
            f"a state as text is hp.boost.{fields(rules)[2]}.shield_damage of red, a slash and "
            f"the same of blue, such as 3.0.0.0/3.0.0.0; not {brief(text)}"
        ) from None


def format_choice(rules: Rules, choice: int) -> str:
    return WORDS[choice]


def parse_choice(rules: Rules, word: str) -> int:
    if word in WORDS:
        return WORDS.index(word)
    raise ChoiceError(f"{brief(word)} is not a choice; choose {', '.join(WORDS)}")


def harmless(rules: Rules, state: State, seat: int) -> int:
    return Action.GUARD


def format_short(rules: Rules, choice: int) -> str:
    return SHORT[choice]


def expand_short(rules: Rules, text: str) -> str | None:
    return WORDS[SHORT.index(text)] if text in SHORT else None


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


def format_outcome(rules: Rules, state: State, outcome: Outcome) -> JsonObject:
    return {"winner": ("red", "blue", None)[outcome.winner], "reason": "hp"}


def is_symmetric(rules: Rules) -> bool:
    return True


def mirror(rules: Rules, state: State) -> State:
    """The same state with the seats exchanged."""
    return State(state.blue, state.red)


def choice_count(rules: Rules) -> int:
    return len(Action)


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
