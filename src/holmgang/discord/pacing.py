"""Keeps below Discord's global limit of 50 requests a second, of which discord.py learns only by
exceeding it. Answers to interactions do not count, and do not wait.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

PER_SECOND = 35.0
BURST = 5.0
"""Requests that may follow each other at once. In any second there are at most both together."""


class Pace:
    """Lets requests through one after the other, no faster than they may be."""

    def __init__(self, per_second: float = PER_SECOND, burst: float = BURST) -> None:
        self._interval, self._burst = 1 / per_second, burst / per_second
        self._due = 0.0
        """When the request after those so far would be due if all were evenly spaced."""

    async def wait(self) -> None:
        now = asyncio.get_running_loop().time()
        self._due = max(self._due, now) + self._interval
        early = self._due - now - self._burst
        if early > 0:
            await asyncio.sleep(early)

    def applied(
        self, request: Callable[Given, Coroutine[Any, Any, Result]]
    ) -> Callable[Given, Coroutine[Any, Any, Result]]:
        """The function, which waits for its turn first."""

        async def paced(*given: Given.args, **named: Given.kwargs) -> Result:
            await self.wait()
            return await request(*given, **named)

        return paced
