"""The level `random`: every choice on the menu is as likely as any other."""

from holmgang.engine.duel import View
from holmgang.engine.keys import draw_below


class RandomPlayer:
    """Draws from the key of its seat, so a duel of such players is a function of its seed."""

    name = "random"

    def __init__(self, key: int) -> None:
        self._key = key

    def choose(self, view: View) -> str:
        return view.choices[draw_below(self._key, view.round, len(view.choices))]
