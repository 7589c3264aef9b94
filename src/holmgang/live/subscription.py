"""Followers of a match or of the lobby: a queue of frames for each, with a bound."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

MOST_WAITING = 64
"""Maximum number of queued frames. A slower follower gets the whole view instead."""


class Subscription:
    """An asynchronous iterator of frames. It ends when it is closed."""

    def __init__(self, whole: Callable[[], bytes]) -> None:
        """`whole` makes a frame that replaces all earlier ones."""
        self._whole = whole
        self._frames: deque[bytes] = deque()
        self._waiting = asyncio.Event()
        self._is_behind = self._is_closed = False

    def put(self, frame: bytes) -> None:
        if len(self._frames) >= MOST_WAITING:
            self._frames.clear()
            self._is_behind = True
        if not self._is_behind:
            self._frames.append(frame)
        self._waiting.set()

    def refresh(self) -> None:
        """Sends the whole view next."""
        self._frames.clear()
        self._is_behind = True
        self._waiting.set()

    def close(self) -> None:
        self._is_closed = True
        self._waiting.set()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while not self._frames and not self._is_behind:
            if self._is_closed:
                raise StopAsyncIteration
            self._waiting.clear()
            await self._waiting.wait()
        if self._is_behind:
            self._is_behind = False
            return self._whole()
        return self._frames.popleft()
