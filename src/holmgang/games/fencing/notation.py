"""Fencing's states, choices and outcomes as JSON and as short text, and back."""

from holmgang.errors import StateError
from holmgang.games.fencing.rules import (
    Action,
    Fencer,
    Outcome,
    Reason,
    Rules,
    State,
    changed,
    choices,
    initial,
)
from holmgang.games.fields import FLAG, Bounds, of_both
from holmgang.games.shape import (
    LARGEST,
    JsonObject,
    brief,
    check_ints,
    read_bool,
    read_int,
    read_object,
)

Choice = Action
WORDS = tuple(action.name.lower() for action in Action)
KEYS = ("b", "w", "r", "l", "p", "W", "R", "1", "2", "3", "4", "5", "6", "7", "8")
NUMBERS = Fencer._fields[:-1]
BALANCES = ("energy", *(name for name in NUMBERS if name.endswith("skill")))  # may be negative
SKILL_DRUGS = {
    name: name.removesuffix("_skill").removesuffix("_distance")
    for name in NUMBERS
    if name.endswith("skill")
}
COUNTS = tuple(name for name in NUMBERS if name not in BALANCES)


def parse_state(rules: Rules, value: object) -> State:
    value = read_object(value, "state", State._fields)
    return State(
        read_int(value, "turn", most=rules.turns),
        parse_fencer(rules, value["red"], "red"),
        parse_fencer(rules, value["blue"], "blue"),
    )


def parse_fencer(rules: Rules, value: object, where: str) -> Fencer:
    value = read_object(value, where, Fencer._fields)
    read_int(value, "position", where, most=rules.piste)
    check_ints(value, COUNTS, where, 0)
    check_ints(value, BALANCES, where, -LARGEST)
    read_bool(value, "doped", where)
    return Fencer(**value)


def format_text(rules: Rules, state: State) -> str:
    """The state as text: the turn, then each fencer's 12 numbers without trailing ones that have
    their initial value. `0/200/300` is the start; a doped fencer ends in `!`.
    """
    start = initial(rules)
    return "/".join(
        (str(state.turn), short_fencer(state.red, start.red), short_fencer(state.blue, start.blue))
    )


def short_fencer(fencer: Fencer, fresh: Fencer) -> str:
    used = max((i for i, name in enumerate(NUMBERS) if fencer[i] != fresh[i]), default=0)
    return ".".join(map(str, fencer[: used + 1])) + ("!" if fencer.doped else "")


def parse_text(rules: Rules, text: str) -> State:
    start = initial(rules)
    try:
        turn, red, blue = text.split("/")
        value = {
            "turn": int(turn),
            "red": long_fencer(red, start.red),
            "blue": long_fencer(blue, start.blue),
        }
    except ValueError:
        raise StateError(
            "a state as text is turn/red/blue, each fencer as position.energy.score… in the order "
            f"of the protocol, such as 0/200/300 or 12/180.9.2/300.14.3; not {brief(text)}"
        ) from None
    return parse_state(rules, value)


def long_fencer(text: str, fresh: Fencer) -> JsonObject:
    given = [int(number) for number in text.removesuffix("!").split(".")]
    if len(given) > len(NUMBERS):
        raise ValueError
    numbers = (*given, *fresh[len(given) : len(NUMBERS)])
    return {**dict(zip(NUMBERS, numbers, strict=True)), "doped": text.endswith("!")}


def words_of_league(rules: Rules) -> tuple[str, ...]:
    return WORDS[: choice_count(rules)]


def harmless(rules: Rules, state: State, seat: int) -> int:
    return Action.BREAK


def format_outcome(rules: Rules, state: State, outcome: Outcome) -> JsonObject:
    return {
        "winner": ("red", "blue", None)[outcome.winner],
        "reason": Reason(outcome.reason).name.lower(),
        "points": {"red": outcome.red_points, "blue": outcome.blue_points},
    }


def is_symmetric(rules: Rules) -> bool:
    return rules.red_start + rules.blue_start == rules.piste


def mirror(rules: Rules, state: State) -> State:
    """The state with the seats exchanged, and positions counted from the other end."""
    red, blue = state.blue, state.red
    return State(
        state.turn,
        changed(red, rules.piste - red.position, red.energy, 0),
        changed(blue, rules.piste - blue.position, blue.energy, 0),
    )


def choice_count(rules: Rules) -> int:
    return choices(rules, initial(rules), 0).bit_length()


def field_bounds(rules: Rules) -> dict[str, Bounds]:
    drugs = rules.max_drugs if rules.league == 3 else 0

    def skill_bounds(drug: str) -> tuple[int, int]:
        each: int = getattr(rules, f"{drug}_drug_skill")
        return drugs * min(0, each), drugs * max(0, each)

    skills = {name: skill_bounds(SKILL_DRUGS[name]) for name in SKILL_DRUGS}
    least_max, most_max = (rules.max_energy + added for added in skill_bounds("energy_max"))
    spent = [getattr(rules, f"{word}_energy") for word in words_of_league(rules)]
    spent += [rules.break_energy + skills["break_skill"][0], -rules.energy_transfer]
    fencer: dict[str, Bounds] = {
        "position": (0, rules.piste),
        "energy": (min(0, least_max, *spent), max(rules.start_energy, most_max)),
        "score": (0, (rules.turns + 1) // 2),  # a point takes two turns, except the last
        "drug_count": (0, drugs),
        "energy_max": (least_max, most_max),
        **skills,
        "doped": FLAG,
    }
    return {"turn": (0, rules.turns), **of_both(fencer)}
