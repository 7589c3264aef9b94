"""Players that ask for the best mix and draw from it."""

from collections.abc import Callable
from typing import Any

from holmgang.engine.duel import View, parse_seat
from holmgang.engine.keys import draw
from holmgang.engine.mix import sample
from holmgang.games.contract import RED
from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.evaluation import Evaluation

Ask = Callable[[Ruleset, Any], Evaluation]
"""Tells what is known of a state."""


class MixingPlayer:
    """Draws from the key of its seat, so with the same mixes it makes the same choices."""

    def __init__(self, name: str, ask: Ask, key: int) -> None:
        self.name = name
        self._ask = ask
        self._key = key

    def choose(self, view: View) -> str:
        ruleset = load(view.ruleset)
        evaluation = self._ask(ruleset, ruleset.parse_state(view.state))
        seat = parse_seat(view.seat or "")
        mix = evaluation.red if seat == RED else evaluation.blue
        return ruleset.word(sample(mix, draw(self._key, view.round)))
