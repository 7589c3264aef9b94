"""Slow work (up to seconds), in its own threads: few of them, so that nobody can keep all cores
busy, and separate from those that read the database, on which every request depends. Clients are
served by turns.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar, TypeVarTuple

from holmgang.live.refusal import Refused
from holmgang.live.turns import TurnThreads
from holmgang.machine import NICE
from holmgang.solver.search.dispatch import Interpret, interpreted_by

THREADS = {
    "reading": 2,
    "rules": 1,
    "forecast": 1,
    "coach": 1,
    "upload": 1,
    "record": 1,
    "page": 1,
    "position": 1,
    "lesson": 1,
    "worth": 1,
    "analysis": 1,
}
"""Threads for each kind of work: matches read from their logs, facts about a ruleset, forecasts,
the coach, uploads, records, replay pages, positions to explore, lessons to derive, evaluations of
positions, and analyses of finished games. Work for matches has its own threads, so that nobody can
delay a match by exploring."""
MOST_WAITING = 50
"""Maximum queue of one kind of work, except for reading, which everything else needs."""
MOST_OF_ONE_CLIENT = 25
"""Maximum share of that queue for one client, so that others get their turn."""
client: ContextVar[str | None] = ContextVar("client", default=None)
"""The address that the current task works for; None if it is unknown."""

Given = TypeVarTuple("Given")
Result = TypeVar("Result")


class SlowWork:
    """The threads of one process."""

    def __init__(self, interpret: Interpret) -> None:
        """`interpret` does searches that are not compiled, in another process."""
        self._interpret = interpret
        self._threads = {
            kind: TurnThreads(most, kind, nice=0 if kind == "reading" else NICE)
            for kind, most in THREADS.items()
        }
        self._waiting = dict.fromkeys(THREADS, 0)
        self._of_client: Counter[tuple[str, str | None]] = Counter()

    async def run(self, kind: str, work: Callable[[*Given], Result], *given: *Given) -> Result:
        """Runs work of this kind when it is its turn, and returns the result. Raises `Refused` if
        too much work is waiting.
        """
        key = kind, client.get()
        is_full = self._waiting[kind] >= MOST_WAITING
        is_share_used = key[1] is not None and self._of_client[key] >= MOST_OF_ONE_CLIENT
        if (is_full or is_share_used) and kind != "reading":
            raise Refused("too many", "the server is busy with requests like this; try again")

        def run() -> Result:
            with interpreted_by(self._interpret):
                return work(*given)

        self._waiting[kind] += 1
        self._of_client[key] += 1
        try:
            return await asyncio.wrap_future(self._threads[kind].submit(key[1], run))
        finally:
            self._waiting[kind] -= 1
            self._of_client[key] -= 1
            if not self._of_client[key]:
                del self._of_client[key]

    def close(self) -> None:
        """Cancels work that has not started."""
        for threads in self._threads.values():
            threads.close()
