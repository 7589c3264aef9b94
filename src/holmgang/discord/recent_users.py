"""Which users are here: those who pressed or typed something a short while ago need no ping."""

import time

AWAY = 300.0
"""Seconds without a press after which a user counts as away."""


class RecentUsers:
    """When each user was last active, as far as this process knows, the longest ago first."""

    def __init__(self) -> None:
        self._last: dict[int, float] = {}

    def note(self, user: int) -> None:
        self._last.pop(user, None)
        self._last[user] = time.monotonic()
        while self.is_away(longest := next(iter(self._last))):
            del self._last[longest]

    def is_away(self, user: int) -> bool:
        last = self._last.get(user)
        return last is None or time.monotonic() - last > AWAY
