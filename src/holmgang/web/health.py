"""The health of a server: whether its database can be read and written."""

import asyncio
import logging
import time

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holmgang.errors import HolmgangError
from holmgang.store import Store
from holmgang.version import VERSION
from holmgang.web.parts import answer_json

PATIENCE = 5.0
"""Seconds for the database to answer."""
KEPT = 1.0
"""Seconds for which a result is cached, so that nobody can keep the database busy with checks."""

log = logging.getLogger(__name__)


class HealthReport(msgspec.Struct, omit_defaults=True):
    """The answer of /health."""

    status: str
    reason: str = ""
    version: str = msgspec.field(default_factory=lambda: VERSION)


class Health:
    """Answers /health. All requests that come during a check share it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._check: asyncio.Task[str] | None = None
        self._checked_at = 0.0

    async def answer(self, _: Request) -> Response:
        check = self._check
        is_old = check is None or (check.done() and time.monotonic() - self._checked_at > KEPT)
        if check is None or is_old:
            check = self._check = asyncio.create_task(self._find_problem())
        problem = await asyncio.shield(check)
        if problem:
            return answer_json(HealthReport(status="failing", reason=problem), status=503)
        return answer_json(HealthReport(status="ok"))

    async def _find_problem(self) -> str:
        """What is wrong, in words that tell strangers nothing of the machine; empty if nothing."""
        problem = "the database cannot be read"
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.to_thread(self._store.matches.row, "health")
                problem = "the database cannot be written"
                # A beat is a real write, through the queue that every command goes through.
                await asyncio.wrap_future(self._store.outages.beat())
                problem = ""
        except TimeoutError:
            problem += f": no answer in {PATIENCE:.0f} s"
        except HolmgangError as error:
            log.warning("%s: %s", problem, error)
        self._checked_at = time.monotonic()
        return problem
