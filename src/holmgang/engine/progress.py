"""How long work reports what it is doing."""

from collections.abc import Callable

Progress = Callable[[int], None]
"""Told from time to time how many games are done."""

Notify = Callable[[str], None]
"""Told from time to time what is being done."""
