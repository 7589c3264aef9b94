"""What happened in a round of Standoff, and what a choice is for, in words."""

from tests.games.standoff.notation import WORDS
from tests.games.standoff.rules import Outcome, Rules, State

NAMES = ("Red", "Blue")
PREVIEWS = ("one bullet more", "a shot does not hit", "hits whoever reloads")


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[str]:
    return [f"Red: {WORDS[red]}; Blue: {WORDS[blue]}."]


def preview(rules: Rules, state: State, seat: int, choice: int) -> str:
    return PREVIEWS[choice]


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    return f"{NAMES[outcome.winner]} wins by a hit."
