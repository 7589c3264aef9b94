"""What is best in a state: its value, both mixes, and what every single choice is worth."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from holmgang.engine.mix import Mix
from holmgang.games.contract import NO_CHOICE, RED, SEATS
from holmgang.solver.oracle import LOOK_ON, Oracle
from holmgang.solver.position import Position


@dataclass(frozen=True)
class Advice:
    """A position, and for each seat what each choice is worth to red against the other's mix."""

    position: Position
    worth: dict[str, Mix]

    def as_json(self) -> dict[str, Any]:
        position = self.position
        return {
            "value": position.value,
            "win": position.win,
            "draw": position.draw,
            "loss": position.loss,
            "exact": position.is_exact,
            "low": position.low,
            "high": position.high,
            "depth": position.depth,
            "red": position.red,
            "blue": position.blue,
            "worth": self.worth,
        }


def advise(oracle: Oracle, state: Any) -> Advice:
    """Raises `StateError` if the duel is over in the state."""
    ruleset = oracle.ruleset
    ruleset.check_undecided(state)
    position = oracle.position(state)
    mixes = [
        {ruleset.parse_word(word): chance for word, chance in mix.items()}
        for mix in (position.red, position.blue)
    ]
    # What was proven by looking so far ahead is not told of single choices by a shorter look.
    look_on = max(LOOK_ON, position.depth - 1) if position.is_exact else LOOK_ON
    pair_value = cache(lambda red, blue: oracle.pair_value(state, red, blue, look_on=look_on))
    worth: dict[str, Mix] = {name: {} for name in SEATS}
    for seat, name in enumerate(SEATS):
        others = mixes[1 - seat] or {NO_CHOICE: 1.0}
        for choice in {**mixes[seat], **dict.fromkeys(ruleset.choices(state, seat))}:
            worth[name][ruleset.word(choice)] = sum(
                chance * pair_value(*((choice, other) if seat == RED else (other, choice)))
                for other, chance in others.items()
                if chance > 0
            )
    return Advice(position, worth)
