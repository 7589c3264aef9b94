"""Callbacks by which long work reports its progress."""

from collections.abc import Callable

Progress = Callable[[int], None]
"""Called from time to time with the number of games done."""

Notify = Callable[[str], None]
"""Called from time to time with a description of the current work."""


def quiet(said: str) -> None:
    """Ignores progress."""
