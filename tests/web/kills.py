"""Servers that are killed at random moments while people play: what must hold after each kill, and
at the end.

Everyone notes what was acknowledged, and sends a command that was not answered again, with the same
id, after connecting again. Then

- a round shows the last choice that was acknowledged for it, and nothing that was refused;
- no round is played twice or changes, and no command is carried out twice;
- versions never go back, unless two servers share an SQLite file;
- every view that anyone was shown is one of the log, also if it was asked for amid a command;
- every record verifies, its seal included;
- every match ends, and not because of a clock.
"""

import asyncio
import hashlib
import json
import os
import signal
import socket as sockets
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import orjson
from tests import forked
from tests.live.matches import logged_fields
from tests.patience import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from holmgang.engine import record as records
from holmgang.engine.seal import check_seal
from holmgang.games.contract import SEATS
from holmgang.live.clock import PlayClock
from holmgang.live.match import LiveMatch
from holmgang.live.round_log import encode
from holmgang.live.view import MatchViews
from holmgang.store import Store, StoredEvent

RULESETS = ("bagh", "fencing", "defend-the-city", "magic-duel")
LEVELS = ("random", "greedy")
REMATCHES = 2
LAG = 3.0  # seconds after which a server has surely heard of the other's events on SQLite
RETRY = 0.02
"""Seconds between attempts to reach a server."""
LONGEST_LIFE = 0.5
"""Seconds until a kill, from the start of a server or from its first acknowledgement."""
MAY_BE_REFUSED = ("late", "closed")
LOST = (OSError, WebSocketException, httpx.TransportError)
"""What happens to a client whose server is killed."""

SYNC = "sync"
"""The id of all requests for the whole view."""
LOGGED_FIELDS = logged_fields()

Progress = Callable[[int], None]
Rounds = dict[tuple[int, int], dict[str, Any]]
"""By game and round: what each seat has chosen."""


@dataclass
class Command:
    """A command that was sent, perhaps several times."""

    id: str
    type: str
    game: int
    round: int
    choice: str = ""
    answer: str = ""
    """`done`, the code of a refusal, or empty as long as there was none."""

    def as_json(self) -> str:
        fields: dict[str, Any] = {"id": self.id, "type": self.type}
        if self.type not in ("forfeit", "rematch"):
            fields |= {"game": self.game, "round": self.round}
        if self.type == "choose":
            fields["choice"] = self.choice
        return json.dumps(fields)


@dataclass
class Figures:
    """What has happened so far."""

    kills: int = 0
    commands: int = 0
    """Acknowledged."""
    repeated: int = 0
    """Sent again after a connection was lost."""
    matches: int = 0
    records: int = 0
    views: int = 0
    """Views that were shown, each compared with the log."""
    downtimes: list[float] = field(default_factory=list)
    """Seconds from each kill to the next acknowledgement of the same server."""


class Server:
    """One server process after another, on one port."""

    def __init__(self, port: int, database: str, log: Path, tables: Path) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.log = log
        self.acknowledged = asyncio.Event()
        """Set by the first acknowledgement since the last start."""
        self.killed_at: float | None = None
        self._arguments = ["serve", "--port", str(port), "--no-open", "--no-limits"]
        self._arguments += ["--database", database]
        self._environment = {**os.environ, "HOLMGANG_TABLES": str(tables)}
        self._process: forked.Popen | None = None

    async def start(self) -> None:
        self.acknowledged.clear()
        self._process = await asyncio.to_thread(self._start)

    def _start(self) -> forked.Popen:
        with self.log.open("ab") as log:
            return forked.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,  # Ctrl-C is for the tests
            )

    async def end(self, by: signal.Signals) -> int:
        """The exit code after this signal, -9 after SIGKILL."""
        process, self._process = self._process, None
        process.send_signal(by)
        return await asyncio.to_thread(process.wait)

    async def close(self) -> None:
        """Kills what still runs."""
        if self._process is not None:
            await self.end(signal.SIGKILL)

    async def kill(self) -> None:
        self.killed_at = time.monotonic()
        code = await self.end(signal.SIGKILL)
        assert code == -signal.SIGKILL, f"the server had ended by itself: {code}\n{self.tail}"

    async def stop(self) -> None:
        """Asks it to end, which it does in order."""
        code = await self.end(signal.SIGTERM)
        assert code == 0, f"the server ended with {code}\n{self.tail}"

    @property
    def tail(self) -> str:
        return "\n".join(self.log.read_text().splitlines()[-30:])

    def check_log(self) -> None:
        """Nothing that is worth a warning has happened."""
        lines = self.log.read_text().splitlines()
        bad = [line for line in lines if "warning:" in line or "error:" in line or "Trace" in line]
        assert not bad, "\n".join(bad[:10])


class World:
    """The servers, those who play on them, and what has happened."""

    def __init__(self, servers: list[Server], seed: int, *, may_lag: bool = False) -> None:
        """`may_lag` is whether a server may hear of the other's events a second later."""
        self.servers = servers
        self.may_lag = may_lag
        self.chance = Random(seed)
        self.figures = Figures()
        self.is_ending = False
        self.rounds: dict[str, Rounds] = {}
        """Of every match that is over."""
        self.shown: dict[tuple[str, str], set[bytes]] = {}
        """Hashes of the views that each seat of each match was shown."""
        self.playing: set[SeatPlayer] = set()
        self.heard_at = time.monotonic()

    def acknowledge(self, server: Server) -> None:
        self.figures.commands += 1
        self.heard_at = time.monotonic()
        server.acknowledged.set()
        if server.killed_at is not None:
            self.figures.downtimes.append(self.heard_at - server.killed_at)
            server.killed_at = None

    async def kill_once(self) -> None:
        """Kills a server amid its work, or while it starts, and starts it again at once."""
        server = self.chance.choice(self.servers)
        if self.chance.random() < 0.85:
            await server.acknowledged.wait()
        await asyncio.sleep(self.chance.uniform(0, LONGEST_LIFE))
        await server.kill()
        await server.start()
        self.figures.kills += 1

    async def watch(self) -> None:
        """Fails if nothing is acknowledged any more."""
        while True:
            await asyncio.sleep(1)
            quiet = time.monotonic() - self.heard_at
            waiting = "\n".join(str(player) for player in self.playing)
            assert quiet < PATIENCE, f"nothing was acknowledged for {quiet:.0f} s\n{waiting}"


class Person:
    """Somebody with a browser, who turns to any of the servers."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.chance = Random(seed)
        self._browser = httpx.AsyncClient(timeout=PATIENCE)

    async def close(self) -> None:
        await self._browser.aclose()

    async def request(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """The answer; asks again until there is one."""
        while True:
            server = self.chance.choice(self.world.servers)
            headers = {"Origin": server.address}
            try:
                answer = await self._browser.request(
                    method, server.address + path, json=body, headers=headers
                )
            except LOST:
                await asyncio.sleep(RETRY)
                continue
            if answer.status_code != 503:
                assert answer.is_success, answer.text
                return answer

    async def open(self, **asked: Any) -> tuple[str, str]:
        """The match and the seat."""
        grant = (await self.request("POST", "/api/matches", asked)).json()
        return grant["match"], grant["seat"]

    async def join(self, match: str) -> str:
        return (await self.request("POST", f"/api/matches/{match}/join", {})).json()["seat"]

    @asynccontextmanager
    async def connect(self, match: str) -> AsyncIterator[tuple[Server, ClientConnection]]:
        server = self.chance.choice(self.world.servers)
        cookie = f"holmgang={self._browser.cookies['holmgang']}"
        address = server.address.replace("http://", "ws://")
        async with connect(
            f"{address}/api/matches/{match}/socket",
            additional_headers={"Cookie": cookie, "Origin": server.address},
            compression=None,
            proxy=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            close_timeout=1,
        ) as socket:
            yield server, socket

    async def play(self, match: str, seat: str, *, wants_rematch: bool = False) -> "SeatPlayer":
        """Plays the match to its end, and until the rematch is agreed if one is wanted."""
        player = SeatPlayer(self, match, seat, wants_rematch=wants_rematch)
        self.world.playing.add(player)
        await player.play()
        self.world.playing.discard(player)
        return player

    async def check_match(self, match: str, *players: "SeatPlayer") -> None:
        """The match has ended by its rules, its records verify, and they show what the players have
        chosen and seen.
        """
        path = f"/api/matches/{match}"
        if self.world.may_lag:
            await asyncio.sleep(LAG)
        view = (await self.request("GET", path)).json()
        assert view["status"] == "over", view["status"]
        assert view["outcome"]["reason"] != "timeout", "the outage was charged to a player"
        rounds: Rounds = {}
        for line in view["games"]:
            number = line["number"]
            text = (await self.request("GET", f"{path}/games/{number}/record")).text
            record = records.parse(text, f"{match}-{number}")
            duel = records.replay(record)
            assert duel.outcome is not None
            seal = check_seal(record, duel)
            assert seal is not None
            assert seal.commitment == view["seal"]["commitment"]
            rounds |= {
                (number, each.number): {"red": each.red, "blue": each.blue} for each in duel.rounds
            }
            self.world.figures.records += 1
        for player in players:
            player.check(rounds)
        self.world.rounds[match] = rounds
        self.world.figures.matches += 1


class SeatPlayer:
    """A person in one seat of one match, through all the connections that it takes."""

    def __init__(self, person: Person, match: str, seat: str, *, wants_rematch: bool) -> None:
        self.match, self.seat = match, seat
        self.view: dict[str, Any] = {"version": 0}
        self.seen: Rounds = {}
        """What was revealed here; no rounds of a game that ended while there was no connection."""
        self.sent: list[Command] = []
        self._person, self._chance = person, person.chance
        self._other = SEATS[1 - SEATS.index(seat)]
        self._wants_rematch = wants_rematch
        self._open: Command | None = None
        self._decided_at: tuple[int, int, int] | None = None

    def __str__(self) -> str:
        seen = {key: self.view.get(key) for key in ("version", "status", "game", "waiting_for")}
        return f"{self.match} {self.seat} has seen {seen} and waits for {self._open}"

    async def play(self) -> None:
        while True:
            try:
                async with self._person.connect(self.match) as (server, socket):
                    if await self._exchange(server, socket):
                        return
            except LOST:
                pass
            await asyncio.sleep(RETRY)

    async def _exchange(self, server: Server, socket: ClientConnection) -> bool:
        """Plays until the end, or until the connection is lost."""
        world = self._person.world
        on_its_way: Command | None = None
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "stopping" or self._is_busy(frame):
                return False
            if frame.get("id") == SYNC:
                continue
            if world.may_lag and frame["type"] == "view" and frame["view"]["you"] != self.seat:
                return False  # this server has not heard yet who joined
            self._hear(frame)
            if frame["type"] == "done":
                world.acknowledge(server)
            if self._is_finished:
                return True
            if self._open is None:
                self._open = self._decide()
                if self._open is not None:
                    self.sent.append(self._open)
            elif self._open is not on_its_way:
                world.figures.repeated += 1
            if self._open is not None and self._open is not on_its_way:
                on_its_way = self._open
                await socket.send(self._open.as_json())
                if self._chance.random() < 0.3:  # while the command is being stored
                    await socket.send(json.dumps({"type": "sync", "id": SYNC}))
        return False

    @staticmethod
    def _is_busy(frame: dict[str, Any]) -> bool:
        return frame["type"] == "refused" and frame["error"]["code"] == "stopping"

    def _hear(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "view":
                view = frame["view"]
                assert view["you"] == self.seat
                is_older = view["version"] < self.view["version"]
                assert not is_older or self._person.world.may_lag, "the version went back"
                self.view = view
                self._note_rounds(view["rounds"])
                self._note_view()
            case "change":
                assert frame["since"] == self.view["version"] < frame["version"]
                rounds = self.view["rounds"] + frame["rounds"]
                self.view = {**self.view, **frame["patch"], "version": frame["version"]}
                self.view["rounds"] = [each for each in rounds if each["game"] == self.view["game"]]
                self._note_rounds(frame["rounds"])
                self._note_view()
            case "done" | "refused":
                command = self._open
                assert command is not None, frame
                assert frame["id"] == command.id, frame
                command.answer = frame["type"]
                if frame["type"] == "refused":
                    command.answer = frame["error"]["code"]
                    assert command.answer in MAY_BE_REFUSED, (frame, command)
                self._open = None
            case other:
                raise AssertionError(other)

    def _note_rounds(self, rounds: list[dict[str, Any]]) -> None:
        for line in rounds:
            key = line["game"], line["round"]
            assert self.seen.setdefault(key, line) == line, f"{self.match}: {key} has changed"

    def _note_view(self) -> None:
        world = self._person.world
        world.shown.setdefault((self.match, self.seat), set()).add(hash_of(self.view))
        world.figures.views += 1

    @property
    def _is_finished(self) -> bool:
        if self._open is not None or self.view["status"] != "over":
            return False
        return not self._wants_rematch or self.view["rematch"]["match"] is not None

    def _decide(self) -> Command | None:
        """What to do next; None to wait."""
        view, chance = self.view, self._chance
        if view["status"] == "over":
            is_offered = self.seat in view["rematch"]["offered_by"]
            return self._command("rematch") if self._wants_rematch and not is_offered else None
        if view["status"] != "playing" or view["menu"] is None:
            return None
        if view["chosen"] is None:
            return self._choose()
        at = view["version"], view["game"], view["round"]
        if at == self._decided_at:  # one change of mind for each thing that happens
            return None
        self._decided_at = at
        if self._other in view["draw_offered_by"]:
            return self._command("offer draw" if chance.random() < 0.1 else "decline draw")
        dice = chance.random()
        if dice < 0.3:
            return self._choose()
        if dice < 0.35:
            return self._command("withdraw")
        if dice < 0.36 and self.seat not in view["draw_offered_by"]:
            return self._command("offer draw")
        if dice < 0.361 + 0.1 * self._person.world.is_ending:
            return self._command("forfeit")
        return None

    def _choose(self) -> Command:
        option = self._chance.choice(self.view["menu"]["options"])
        return self._command("choose", option["word"])

    def _command(self, kind: str, choice: str = "") -> Command:
        view = self.view
        number = f"{self.seat}-{len(self.sent) + 1}"
        return Command(number, kind, view["game"], view["round"], choice)

    def check(self, rounds: Rounds) -> None:
        """Every round shows the last choice that was acknowledged."""
        acknowledged: dict[tuple[int, int], str | None] = {}
        for command in self.sent:
            assert command.answer, f"never answered: {command}"
            if command.answer == "done" and command.type in ("choose", "withdraw"):
                acknowledged[command.game, command.round] = command.choice or None
        for key, revealed in rounds.items():
            chosen = acknowledged.get(key)
            assert revealed[self.seat] == chosen, (
                f"{self.match} {key}: {revealed}; {self.seat} was told that {chosen} is stored"
            )
        for key, line in self.seen.items():
            shown = {seat: line[seat] for seat in SEATS}
            assert rounds[key] == shown, f"{self.match} {key}: shown as {shown}, now {rounds[key]}"


async def play_in_pairs(world: World, number: int) -> None:
    """Two people who play against levels and each other until it is enough."""
    red, blue = people = Person(world, 2 * number), Person(world, 2 * number + 1)
    try:
        while not world.is_ending:
            await asyncio.gather(*(play_alone(each) for each in people))
            await play_together(red, blue)
    finally:
        for each in people:
            await each.close()


async def play_alone(person: Person) -> None:
    level = person.chance.choice(LEVELS)
    match, seat = await person.open(ruleset="bagh", opponent={"level": level}, wins_needed=1)
    await person.check_match(match, await person.play(match, seat))


async def play_together(first: Person, second: Person) -> None:
    """A match and its rematches."""
    ruleset = first.chance.choice(RULESETS)
    seconds = first.chance.choice((None, 60))
    match, seat = await first.open(
        ruleset=ruleset, opponent="link", wins_needed=2, seconds=seconds, on_timeout="lose"
    )
    seats = [seat, await second.join(match)]
    for left in reversed(range(REMATCHES + 1)):
        wants_rematch = left > 0 and not first.world.is_ending
        players = await asyncio.gather(
            *(
                person.play(match, sits, wants_rematch=wants_rematch)
                for person, sits in zip((first, second), seats, strict=True)
            )
        )
        await first.check_match(match, *players)
        if not wants_rematch:
            return
        rematches = {player.view["rematch"]["match"] for player in players}
        assert len(rematches) == 1
        match = rematches.pop()
        seats.reverse()


def hash_of(view: dict[str, Any]) -> bytes:
    """A hash of what follows from the log in a view."""
    told = {key: value for key, value in view.items() if key in LOGGED_FIELDS}
    return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).digest()


def logged_views(match: str, events: list[StoredEvent], seat: str) -> Iterator[bytes]:
    """The hashes of a seat's views after each event of the log."""
    live = LiveMatch(match, PlayClock())
    for place, event in enumerate(events):
        # The end of a game follows from the event before and is stored with it.
        if event.body["event"] != "ended":
            end = place + 1
            while end < len(events) and events[end].body["event"] == "ended":
                end += 1
            live.apply(events[place:end])
            view = MatchViews(live).view(seat, picture=False)
            yield hash_of(orjson.loads(encode(view)))


def check_shown(match: str, events: list[StoredEvent], world: World) -> None:
    """Nobody was shown anything that is not in the log."""
    for seat in SEATS:
        shown = world.shown.get((match, seat), set())
        alien = shown - set(logged_views(match, events, seat)) if shown else set()
        assert not alien, f"{match}: {seat} was shown {len(alien)} views that are not in the log"


def check_logs(world: World, database: str) -> None:
    """The log of every match has each event, each round and each command once, and everything that
    was shown.
    """
    with Store.open(database) as store:
        for match, rounds in world.rounds.items():
            events = store.read(match)
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            check_shown(match, events, world)
            bodies = [event.body for event in events]
            revealed = [
                (body["game"], body["round"]) for body in bodies if body["event"] == "revealed"
            ]
            assert sorted(revealed) == sorted(rounds), f"{match}: a round was played twice"
            done = Counter((body["by"], body["command"]) for body in bodies if "command" in body)
            assert not [key for key, times in done.items() if times > 1], match
            assert sum(body["event"] == "over" for body in bodies) == 1, match


def free_ports(count: int) -> list[int]:
    """Ports that are not among those which the system gives to outgoing connections: a client that
    tries a port of a server that has just been killed would be connected with itself.
    """
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    found: list[int] = []
    chance = Random()
    while len(found) < count:
        port = chance.randrange(10_000, lowest)
        with sockets.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
    return found


async def kill_often(
    folder: Path,
    database: str,
    kills: int,
    *,
    servers: int = 1,
    pairs: int = 16,
    seed: int = 1,
    progress: Progress = lambda kills: None,
) -> Figures:
    """Kills servers on the database so many times while pairs of people play, and checks
    everything. The folder is for logs and tables.
    """
    running = [
        Server(port, database, folder / f"{port}.log", folder / "tables")
        for port in free_ports(servers)
    ]
    try:
        world = World(running, seed, may_lag=servers > 1 and database.startswith("sqlite"))
        for server in running:
            await server.start()
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(world.watch())
            playing = [
                group.create_task(play_in_pairs(world, seed * pairs + number))
                for number in range(pairs)
            ]
            while world.figures.kills < kills:
                await world.kill_once()
                progress(world.figures.kills)
            world.is_ending = True
            await asyncio.wait(playing)
            watching.cancel()
        for server in running:
            await server.stop()
            server.check_log()
    finally:
        for server in running:
            await server.close()
    check_logs(world, database)
    return world.figures
