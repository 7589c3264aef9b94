"""How long people wait while one address attacks the server.

    python -m bench.stalls levels [--cold] [--seconds N] [--matches N]
    python -m bench.stalls reading [--seconds N] [--addresses N]

`levels`: one address plays 40 matches of fencing against `perfect` at once. Measured are the wait
of somebody else for a level that searches and for one that does not, and the time until a choice in
duels between people is acknowledged, each without the attack and during it. `--cold` starts with an
empty cache of compiled code, so that searches are interpreted at first.

`reading`: one address uploads a record of 1,990 rounds, and asks for it as fast as it can: the
view, the game and the record, by HTTP and with `sync` on sockets.

The server runs with its limits; attackers have addresses of their own (127.0.0.2, …).
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import orjson
import uvloop
from tests.live.matches import long_record

from bench.live import our_server
from bench.live_load import Http, Socket, at_rate, connect, open_matches

ATTACKER, SOMEBODY = "127.0.0.2", "127.0.0.1"
DUELS, RATE = 10, 50.0
LONG = 1_990


async def ask(http: Http, method: str, path: str, value: Any = None, secret: str = "") -> Any:
    body = value if isinstance(value, bytes) else b"" if value is None else orjson.dumps(value)
    status, answer = await http.ask(method, path, body, secret)
    if status not in (200, 201):
        raise RuntimeError(f"{method} {path}: {status} {answer.decode()}")
    return orjson.loads(answer)


async def client(port: int, address: str) -> Http:
    loop = asyncio.get_running_loop()
    _, http = await loop.create_connection(
        lambda: Http(f"127.0.0.1:{port}"), "127.0.0.1", port, local_addr=(address, 0)
    )
    return http


class Solo:
    """Somebody who plays against a level, and notes how long it takes to answer."""

    def __init__(self, http: Http, ruleset: str, level: str) -> None:
        self._http, self._ruleset, self._level = http, ruleset, level
        self.name = f"{ruleset} against {level}"
        self._chance = Random(self.name)
        self.waits: list[float] = []

    async def open(self) -> None:
        asked = {"ruleset": self._ruleset, "opponent": {"level": self._level}, "wins_needed": 99}
        opened = await ask(self._http, "POST", "/api/matches", asked)
        self._path, self._secret = f"/api/matches/{opened['match']}", opened["secret"]
        self._view = await self._wait()

    async def _wait(self, query: str = "wait=25") -> Any:
        return await ask(self._http, "GET", f"{self._path}?{query}", None, self._secret)

    async def play(self) -> None:
        """Chooses when the level has chosen, which opens the next round, and waits until the level
        has chosen there.
        """
        view = self._view
        while view["waiting_for"] != [view["you"]]:
            view = await self._wait(f"since={view['version']}&wait=25")
        command = {
            "type": "choose",
            "id": f"c{view['version']}",
            "game": view["game"],
            "round": view["round"],
            "choice": self._chance.choice(words(view["menu"])),
        }
        await ask(self._http, "POST", f"{self._path}/commands", command, self._secret)
        began = time.perf_counter()
        while view["round"] == command["round"] or view["waiting_for"] != [view["you"]]:
            view = await self._wait(f"since={view['version']}&wait=25")
        self.waits.append(time.perf_counter() - began)
        self._view = view

    async def play_on(self, until: float, pause: float = 0.0) -> None:
        while time.perf_counter() < until:
            await self.play()
            await asyncio.sleep(pause)


def words(menu: dict[str, Any]) -> list[str]:
    return [option["word"] for option in menu["options"]]


def shown(seconds: Sequence[float]) -> str:
    if not seconds:
        return "no answer"
    ordered = sorted(seconds)
    middle, last = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"p50 {1000 * middle:.0f} ms, p99 {1000 * last:.0f} ms ({len(ordered)})"


class People:
    """Those who are not attacking."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        self._solos = [
            Solo(await client(self._port, SOMEBODY), "bagh", "random"),
            Solo(await client(self._port, SOMEBODY), "fencing", "search"),
        ]
        for solo in self._solos:
            await solo.open()
        self._seats = await open_matches(self._port, DUELS, "bagh", 99)
        await connect(self._seats, self._port)

    async def measure(self, name: str, seconds: float) -> None:
        """Prints how long they wait."""
        until = time.perf_counter() + seconds
        tasks = [asyncio.create_task(solo.play_on(until, 0.2)) for solo in self._solos]
        people = await at_rate(self._seats, RATE, seconds)
        for solo, task in zip(self._solos, tasks, strict=True):
            await task
            print(f"{name}: {solo.name}: {shown(solo.waits)}")
            solo.waits.clear()
        print(f"{name}: duels: p50 {people.p50_ms:.0f} ms, p99 {people.p99_ms:.0f} ms", flush=True)


async def attack_levels(port: int, matches: int, seconds: float, *, is_cold: bool) -> None:
    people = People(port)
    await people.open()
    if not is_cold:
        await people.measure("warming up", seconds)
        await people.measure("quiet", seconds)
    solos = [Solo(await client(port, ATTACKER), "fencing", "perfect") for _ in range(matches)]
    for solo in solos:
        await solo.open()
    tasks = [asyncio.create_task(solo.play_on(inf)) for solo in solos]
    await people.measure("attacked", seconds)
    for task in tasks:
        task.cancel()
    print(f"attackers: {shown([wait for solo in solos for wait in solo.waits])}")


class Reader:
    """An attacker who reads a long game again and again."""

    def __init__(self, port: int, address: str, match: str) -> None:
        self._port, self._address, self._path = port, address, f"/api/matches/{match}"
        self.statuses: Counter[int] = Counter()
        self.bytes = 0

    async def read(self, path: str) -> None:
        http = await client(self._port, self._address)
        while True:
            status, body = await http.ask("GET", self._path + path)
            self.statuses[status] += 1
            self.bytes += len(body)

    async def sync(self) -> None:
        loop = asyncio.get_running_loop()
        host, again = f"127.0.0.1:{self._port}", asyncio.Event()
        _, socket = await loop.create_connection(
            lambda: Socket(host, f"{self._path}/socket", "", lambda _: again.set()),
            "127.0.0.1",
            self._port,
            local_addr=(self._address, 0),
        )
        while not socket.transport.is_closing():
            again.clear()
            socket.send(b'{"type":"sync","id":"s"}')
            await again.wait()


async def attack_by_reading(port: int, addresses: int, seconds: float) -> None:
    people = People(port)
    await people.open()
    await people.measure("quiet", seconds)
    http = await client(port, ATTACKER)
    match = (await ask(http, "POST", "/api/records", long_record(LONG).encode()))["match"]
    readers = [Reader(port, f"127.0.0.{2 + number}", match) for number in range(addresses)]
    tasks = [
        asyncio.create_task(work)
        for reader in readers
        for _ in range(4)
        for work in (
            reader.read(""),
            reader.read("/games/1"),
            reader.read("/games/1/record"),
            reader.sync(),
        )
    ]
    await people.measure("attacked", seconds)
    for task in tasks:
        task.cancel()
    for reader in readers:
        print(f"attacker: {dict(reader.statuses)}, {reader.bytes / 1e6:.0f} MB by HTTP")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("attack", choices=["levels", "reading"])
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=15.0)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["HOLMGANG_TABLES"] = str(folder / "tables")
        if given.cold:
            os.environ["HOLMGANG_CACHE"] = str(folder / "cache")
        server = stack.enter_context(our_server(folder, "--limits"))
        if given.attack == "levels":
            attack = attack_levels(server.port, given.matches, given.seconds, is_cold=given.cold)
        else:
            attack = attack_by_reading(server.port, given.addresses, given.seconds)
        uvloop.run(attack)


if __name__ == "__main__":
    main()
