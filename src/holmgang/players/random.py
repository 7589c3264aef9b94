"""The level `random`: every choice on the menu is as likely as any other."""

from holmgang.engine.duel import View, parse_seat
from holmgang.engine.stream import below, draw


class RandomPlayer:
    """Draws from the duel's own seed, so that a duel of such players is a function of it."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, view: View) -> str:
        lane = parse_seat(view.seat or "")
        return view.choices[below(draw(self._seed, view.round - 1, lane), len(view.choices))]
