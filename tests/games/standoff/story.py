"""What happened in a round of Standoff, and what a choice is for, in words."""

from tests.games.standoff.notation import WORDS
from tests.games.standoff.rules import BLUE, RED, Outcome, Rules, State

from holmgang.games.contract import SEAT_NAMES, Clause

PREVIEWS = ("one bullet more", "a shot does not hit", "hits whoever reloads")


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    return [
        Clause(RED, f"chose {WORDS[red]}"),
        Clause(BLUE, f"chose {WORDS[blue]}", continues=True),
    ]


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    return [PREVIEWS[choice]]


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    return f"{SEAT_NAMES[outcome.winner]} wins by a hit."
