"""Keeps below two limits of Discord's, which discord.py notices only after exceeding them: 50
requests a second, for which answers to interactions do not count; and 1,000 Identifies a day, after
which Discord resets the token.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from discord import SessionStartLimits

Given = ParamSpec("Given")
Result = TypeVar("Result")

PER_SECOND = 35.0
BURST = 5.0
"""Size of a burst. At most the rate plus one burst is sent in any second."""
SPARE = 0.5
"""Share of the day's Identifies that is kept for the rest of the day."""


class IdentifyTooSoonError(Exception):
    """Ends a client that would use up the Identifies of the day."""


def identify_pause(limits: SessionStartLimits) -> float:
    """Seconds to wait before the next Identify. There is no pause while the day's Identifies are
    plentiful; the last ones are spread evenly over the rest of the day, whichever process used the
    others.
    """
    if limits.remaining > SPARE * limits.total:
        return 0.0
    return limits.reset_after / 1000 / max(limits.remaining, 1)


class RequestPace:
    """Lets requests through one by one, no faster than allowed."""

    def __init__(self, per_second: float = PER_SECOND, burst: float = BURST) -> None:
        self._interval, self._burst = 1 / per_second, burst / per_second
        self._due = 0.0
        """When the next request would be due if all were evenly spaced."""

    async def wait(self) -> None:
        now = asyncio.get_running_loop().time()
        self._due = max(self._due, now) + self._interval
        early = self._due - now - self._burst
        if early > 0:
            await asyncio.sleep(early)

    def applied(
        self, request: Callable[Given, Coroutine[Any, Any, Result]]
    ) -> Callable[Given, Coroutine[Any, Any, Result]]:
        """The function, made to wait for its turn first."""

        async def paced(*given: Given.args, **named: Given.kwargs) -> Result:
            await self.wait()
            return await request(*given, **named)

        return paced
