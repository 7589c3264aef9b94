"""Players that ask for the best mix and draw from it."""

from collections.abc import Callable
from typing import Any

from holmgang.engine.duel import View, parse_seat
from holmgang.engine.stream import draw
from holmgang.games.contract import RED
from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.position import Mix, Position

Ask = Callable[[Ruleset, Any], Position]
"""Tells what is known of a state."""


class MixingPlayer:
    """Draws from the duel's own seed, so that with the same mixes it makes the same choices."""

    def __init__(self, name: str, ask: Ask, seed: int, note: Callable[[], str] = str) -> None:
        """`note` tells what people at the table may want to know of it now."""
        self.name = name
        self._ask = ask
        self._seed = seed
        self._note = note

    @property
    def note(self) -> str:
        return self._note()

    def choose(self, view: View) -> str:
        ruleset = load(view.ruleset)
        position = self._ask(ruleset, ruleset.game.notation.parse_state(ruleset.rules, view.state))
        seat = parse_seat(view.seat or "")
        mix = position.red if seat == RED else position.blue
        return pick(mix, self._seed, view.round - 1, seat)


def pick(mix: Mix, seed: int, n: int, lane: int) -> str:
    """One of the choices, each as likely as the mix has it."""
    point = (draw(seed, n, lane) >> 11) / 2**53 * sum(mix.values())
    chosen = ""
    for word, chance in mix.items():
        if chance > 0:
            chosen = word
            point -= chance
            if point < 0:
                break
    return chosen
