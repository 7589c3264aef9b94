"""Work in threads: what waits for its turn is bounded."""

import asyncio
import threading

import pytest

from holmgang.live.refusal import Refused
from holmgang.live.slow_work import MOST_OF_ONE_CLIENT, MOST_WAITING, SlowWork, client

pytestmark = pytest.mark.anyio


def no_search(*_):
    raise AssertionError("nothing here searches")


async def test_only_so_much_waits_and_the_rest_is_refused():
    work, gate = SlowWork(no_search), threading.Event()
    try:
        waiting = [asyncio.ensure_future(work.run("worth", gate.wait)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await work.run("worth", gate.wait)
        assert refused.value.code == "too many"
        assert await work.run("position", lambda: "served") == "served"  # another kind of work
        gate.set()
        assert all(await asyncio.gather(*waiting))
        assert await work.run("worth", lambda: "served") == "served"
    finally:
        gate.set()
        work.close()


async def test_one_client_leaves_room_for_others():
    work, gate = SlowWork(no_search), threading.Event()

    async def run_for(address, kind="worth"):
        client.set(address)
        return await work.run(kind, gate.wait)

    try:
        waiting = [asyncio.ensure_future(run_for("a")) for _ in range(MOST_OF_ONE_CLIENT)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await run_for("a")
        assert refused.value.code == "too many"
        waiting += [
            asyncio.ensure_future(run_for("b")),
            asyncio.ensure_future(run_for("a", "page")),
        ]
        await asyncio.sleep(0)
        gate.set()
        assert all(await asyncio.gather(*waiting))
        assert await run_for("a")
    finally:
        gate.set()
        work.close()
