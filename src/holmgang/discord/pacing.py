"""Keeps below Discord's global limit of 50 requests a second, which discord.py notices only after
exceeding it. Answers to interactions do not count, and do not wait.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

PER_SECOND = 35.0
BURST = 5.0
"""Size of a burst. At most the rate plus one burst is sent in any second."""


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
