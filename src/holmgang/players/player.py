"""What it takes to sit at the table."""

from typing import Protocol

from holmgang.engine.duel import View


class Player(Protocol):
    """Makes one seat's choices in one duel, from nothing but that seat's view of it."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View) -> str:
        """One of `view.choices`, or another legal choice where the menu is open."""
        ...
