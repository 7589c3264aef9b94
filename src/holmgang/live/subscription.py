"""Followers of a match or of the lobby: a queue of frames for each, with a bound."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

MOST_WAITING = 64
"""Maximum number of queued frames. A slower follower gets the whole view instead."""


class Subscription:
    """A queue of frames, which ends when it is closed. It is either iterated over, or read with
    `take` whenever `on_change` is called.
    """

    def __init__(self, whole: Callable[[], bytes]) -> None:
        """`whole` makes a frame that replaces all earlier ones."""
        self._whole = whole
        self._frames: deque[bytes] = deque()
        self._changed = asyncio.Event()
        self._is_behind = False
        self.is_closed = False
        self.on_change: Callable[[], None] = self._changed.set
        """Called when there is a frame to take, and when it is closed. It must not raise."""

    def put(self, frame: bytes) -> None:
        if len(self._frames) >= MOST_WAITING:
            self._frames.clear()
            self._is_behind = True
        if not self._is_behind:
            self._frames.append(frame)
        self.on_change()

    def refresh(self) -> None:
        """Sends the whole view next."""
        self._frames.clear()
        self._is_behind = True
        self.on_change()

    def close(self) -> None:
        self.is_closed = True
        self.on_change()

    def take(self) -> bytes | None:
        """The next frame, or None if there is none yet."""
        if self._is_behind:
            self._is_behind = False
            return self._whole()
        return self._frames.popleft() if self._frames else None

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while True:
            frame = self.take()
            if frame is not None:
                return frame
            if self.is_closed:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
