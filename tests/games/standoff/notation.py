"""Standoff's states, choices and outcomes as JSON and as short text, and back."""

from typing import Any

from tests.games.standoff.rules import Act, Outcome, Rules, State

from holmgang.errors import ChanceError, ChoiceError, StateError
from holmgang.games.fields import Bounds
from holmgang.games.shape import brief, read_int, read_object

WORDS = tuple(act.name.lower() for act in Act)
SHORT = ("r", "s", "x")


def format_state(rules: Rules, state: State) -> dict[str, Any]:
    return {"red": {"bullets": state.red}, "blue": {"bullets": state.blue}}


def parse_state(rules: Rules, value: Any) -> State:
    value = read_object(value, "state", ("red", "blue"))
    red, blue = (
        read_int(read_object(value[seat], seat, ("bullets",)), "bullets", seat)
        for seat in ("red", "blue")
    )
    return State(red, blue)


def format_text(rules: Rules, state: State) -> str:
    return f"{state.red}:{state.blue}"


def parse_text(rules: Rules, text: str) -> State:
    try:
        red, blue = (int(loaded) for loaded in text.split(":"))
    except ValueError:
        raise StateError(f"a state as text is two numbers, as in 0:0; not {brief(text)}") from None
    return parse_state(rules, {"red": {"bullets": red}, "blue": {"bullets": blue}})


def format_choice(rules: Rules, choice: int) -> str:
    return WORDS[choice]


def parse_choice(rules: Rules, word: str) -> int:
    if word in WORDS:
        return WORDS.index(word)
    raise ChoiceError(f"{brief(word)} is not a choice; choose {', '.join(WORDS)}")


def format_short(rules: Rules, choice: int) -> str:
    return SHORT[choice]


def expand_short(rules: Rules, text: str) -> str | None:
    return WORDS[SHORT.index(text)] if text in SHORT else None


def format_chance(rules: Rules, state: State, red: int, blue: int, face: int) -> None:
    return None


def parse_chance(rules: Rules, state: State, red: int, blue: int, value: Any) -> int:
    if value is None or value == {}:
        return 0
    raise ChanceError(f"nothing is thrown here: chance must be null; not {brief(value)}")


def format_outcome(rules: Rules, state: State, outcome: Outcome) -> dict[str, Any]:
    return {"winner": ("red", "blue", None)[outcome.winner], "reason": "hit"}


def is_symmetric(rules: Rules) -> bool:
    return True


def mirror(rules: Rules, state: State) -> State:
    return State(state.blue, state.red)


def choice_count(rules: Rules) -> int:
    return len(Act)


def field_bounds(rules: Rules) -> dict[str, Bounds]:
    return {"red": (-1, rules.bullets), "blue": (-1, rules.bullets)}
