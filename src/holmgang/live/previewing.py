"""What changed rules do, measured before a duel: `lab/preview.py` in another process.

Nobody can ask for unbounded work: one ruleset is measured at a time, with a limit of states, memory
and time; few may wait, and still fewer of one client, and clients take turns. What was measured is
kept.
"""

import asyncio
import os
import sys
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec

from holmgang.games.ruleset import Ruleset
from holmgang.live.refusal import Refused
from holmgang.live.slow_work import client
from holmgang.solver.layered.places import has_clock
from holmgang.solver.search.dispatch import takes_turns
from holmgang.wire.study import RulesetPreview, RulesMeasures

MOST_STATES = 80_000
MOST_MIB = 1024
MOST_SECONDS = 60
"""Time limit, also on a busy machine; a quiet one needs up to ten seconds."""
MOST_WAITING = 12
MOST_OF_ONE_CLIENT = 3
KEPT = 500
"""Number of rulesets whose measures are kept."""
NICE = 15


class ClientTurns:
    """A lock for which clients take turns: next is the one whose last turn is longest ago."""

    def __init__(self) -> None:
        self._queue: list[tuple[str | None, asyncio.Future[None]]] = []
        self._last: dict[str | None, int] = {}
        """The number of the last turn of each client that is waiting."""
        self._number = 0
        self._is_taken = False

    @asynccontextmanager
    async def of(self, client: str | None) -> AsyncIterator[None]:
        if self._is_taken:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._queue.append((client, turn))
            try:
                await turn
            except asyncio.CancelledError:
                if (client, turn) in self._queue:
                    self._queue.remove((client, turn))
                else:
                    self._pass_on()
                raise
        self._is_taken = True
        self._number += 1
        self._last[client] = self._number
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        queue = [each for each in self._queue if not each[1].cancelled()]
        waiting = {client for client, _ in queue}
        self._last = {client: last for client, last in self._last.items() if client in waiting}
        self._is_taken = bool(queue)
        if queue:
            found = min(queue, key=lambda each: self._last.get(each[0], 0))
            self._queue.remove(found)
            found[1].set_result(None)


class Previews:
    """Measures rulesets for the setup form."""

    def __init__(self) -> None:
        self._turns = ClientTurns()
        self._waiting: Counter[str | None] = Counter()
        self._known: OrderedDict[str, RulesetPreview] = OrderedDict()
        self._process: asyncio.subprocess.Process | None = None
        self._is_closed = False

    async def preview(self, ruleset: Ruleset) -> RulesetPreview:
        """The measures of a ruleset, or none if it cannot be solved in seconds. Raises `Refused` if
        too many are waiting.
        """
        if has_clock(ruleset) or takes_turns(ruleset):
            return RulesetPreview(ruleset=ruleset.text, measures=None)
        if ruleset.hash not in self._known:
            asker = client.get()
            is_full = self._waiting.total() >= MOST_WAITING
            if is_full or self._waiting[asker] >= MOST_OF_ONE_CLIENT:
                raise Refused("too many", "the server is busy with requests like this; try again")
            self._waiting[asker] += 1
            try:
                async with self._turns.of(asker):
                    if ruleset.hash not in self._known:  # somebody else may have asked, too
                        self._keep(ruleset, await self._measured(ruleset))
            finally:
                self._waiting[asker] -= 1
                if not self._waiting[asker]:
                    del self._waiting[asker]
        self._known.move_to_end(ruleset.hash)
        return self._known[ruleset.hash]

    def _keep(self, ruleset: Ruleset, measures: RulesMeasures | None) -> None:
        self._known[ruleset.hash] = RulesetPreview(ruleset=ruleset.text, measures=measures)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    async def _measured(self, ruleset: Ruleset) -> RulesMeasures | None:
        self._refuse_if_closed()
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "holmgang.lab.preview", ruleset.text),
            *(str(MOST_STATES), str(MOST_MIB), str(MOST_SECONDS)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C must not stop it before the server
        )
        try:
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            self._refuse_if_closed()  # meanwhile
            async with asyncio.timeout(MOST_SECONDS):
                answer, _ = await process.communicate()
        except TimeoutError:
            return None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            self._process = None
        self._refuse_if_closed()
        if process.returncode != 0:
            return None
        return msgspec.json.decode(answer, type=RulesMeasures)

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise Refused("stopping", "the server is stopping")

    async def close(self) -> None:
        """Stops the work that is being done, and waits for its end."""
        self._is_closed = True
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
        async with self._turns.of(None):
            pass
