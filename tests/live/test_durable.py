"""Nothing is shown that is not durable, whatever the store does: commits that take long, come too
late, fail, or fail although they took place.
"""

import asyncio
import random
import sqlite3
from concurrent.futures import Future
from contextlib import asynccontextmanager

import orjson
import pytest
from tests.asked import as_command, as_request
from tests.live.matches import logged_fields
from tests.patience import PATIENCE
from tests.postgres import postgres  # noqa: F401 - a fixture

from holmgang.live.clock import PlayClock
from holmgang.live.commands import digest
from holmgang.live.match import LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.room import read_match
from holmgang.live.round_log import encode
from holmgang.live.service import Service, Viewer
from holmgang.live.study import forecast_table
from holmgang.live.terms import Terms
from holmgang.live.view import MatchViews
from holmgang.store import Store, StoreError, database

VIEWERS = ("red", "blue", None)
LOGGED_FIELDS = logged_fields()
pytestmark = pytest.mark.anyio


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/data/holmgang.sqlite3"


class SlowStore:
    """A store whose appends wait, once `holds` is set, until `release` decides what becomes of
    them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.holds = False
        self.held: list[tuple[Future, tuple]] = []
        self.is_held = asyncio.Event()

    def __getattr__(self, name):
        return getattr(self._store, name)

    def append(self, *asked):
        if not self.holds:
            return self._store.append(*asked)
        future: Future = Future()
        self.held.append((future, asked))
        self.is_held.set()
        return future

    def release(self, fate="stored") -> None:
        """Carries out the oldest append; or fails, without effect or after all."""
        future, asked = self.held.pop(0)
        error = StoreError("the disk is full")
        if fate == "lost":
            future.set_exception(error)
            return
        done = self._store.append(*asked)
        failed = done.exception(PATIENCE)
        if failed is None and fate == "unsure":
            failed = error
        if failed is None:
            future.set_result(done.result())
        else:
            future.set_exception(failed)


@asynccontextmanager
async def serving(url):
    """A service on a slow store."""
    with Store.open(url) as store:
        service = Service(SlowStore(store))
        await service.start()
        try:
            yield service
        finally:
            service.store.holds = False
            while service.store.held:
                service.store.release()
            await service.close()


async def opened(service, ruleset="bagh", opponent="link", **asked):
    """A match between two guests, or of one against a level: its id."""
    request = as_request({"ruleset": ruleset, "opponent": opponent, "seat": "red", **asked})
    grant = await service.open(await asyncio.to_thread(service.store.people.new_guest), request)
    if opponent == "link":
        await service.join(grant.match, await asyncio.to_thread(service.store.people.new_guest))
    return grant.match


def choice(word, name):
    return {"id": name, "type": "choose", "game": 1, "round": 1, "choice": word}


async def begin(service, match, seat, asked):
    """Sends a command whose append is held."""
    service.store.holds = True
    sent = asyncio.create_task(service.command(match, seat, as_command(asked)))
    async with asyncio.timeout(PATIENCE):
        await service.store.is_held.wait()
    return sent


async def synced(service, match, seat="red"):
    """What a player is shown who asks for the whole view."""
    room = await service.rooms.find(match)
    follower = room.follow(seat, picture=True)
    follower.refresh()
    return orjson.loads(follower.take())["view"]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_an_id_used_in_two_processes_reveals_nothing(kind, url, request):
    """The choice is tried in one process and refused, as its id stands for another command."""
    if kind == "postgresql":
        url = request.getfixturevalue("postgres").new_database()
    async with serving(url) as here, serving(url) as there:
        match = await opened(here)
        await here.command(match, "blue", as_command(choice("heal", "b")))
        assert (await there.view(match, Viewer("red"))).waiting_for == ["red"]
        sent = await begin(there, match, "red", choice("attack", "X"))
        view = await synced(there, match)
        assert (view["rounds"], view["round"], view["chosen"]) == ([], 1, None)
        declined = {"id": "X", "type": "decline draw", "game": 1, "round": 1}
        await here.command(match, "red", as_command(declined))
        there.store.release()
        with pytest.raises(Refused, match="another command") as refused:
            await sent
        assert refused.value.code == "bad"
        for service in (here, there):
            assert (await synced(service, match))["rounds"] == []


async def test_a_forfeit_that_is_not_stored_opens_no_seal(url):
    async with serving(url) as here, serving(url) as there:
        match = await opened(here)
        await there.view(match, Viewer("red"))
        sent = await begin(there, match, "red", {"id": "X", "type": "forfeit"})
        view = await synced(there, match)
        assert (view["status"], view["seal"]["seed"], view["seal"]["salt"]) == (
            "playing",
            None,
            None,
        )
        with pytest.raises(Refused, match="not over"):
            await there.record(match, 1)
        await here.command(match, "red", as_command(choice("attack", "X")))
        there.store.release()
        with pytest.raises(Refused, match="another command"):
            await sent
        assert (await synced(there, match))["status"] == "playing"


@pytest.mark.parametrize("fate", ["lost", "unsure"])
async def test_a_commit_that_fails_has_shown_nothing(url, fate):
    async with serving(url) as service:
        match = await opened(service)
        await service.command(match, "blue", as_command(choice("heal", "b")))
        sent = await begin(service, match, "red", choice("attack", "r"))
        assert (await synced(service, match))["rounds"] == []
        service.store.release(fate)
        with pytest.raises(Refused) as refused:
            await sent
        assert refused.value.code == "stopping"
        service.store.holds = False
        rounds = (await service.view(match, Viewer("red"))).rounds
        assert len(rounds) == (fate == "unsure")
        await service.command(match, "red", as_command(choice("attack", "r")))
        assert len((await synced(service, match))["rounds"]) == 1


async def test_a_locked_database_has_shown_nothing(url, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.5)
    async with serving(url) as service:
        match = await opened(service)
        await service.command(match, "blue", as_command(choice("heal", "b")))
        lock = sqlite3.connect(service.store.path, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        sent = asyncio.create_task(service.command(match, "red", as_command(choice("attack", "r"))))
        shown = []
        while not sent.done():
            shown.append((await synced(service, match))["round"])
            await asyncio.sleep(0.01)
        assert sent.exception().code == "stopping"
        lock.execute("ROLLBACK")
        lock.close()
        assert {*shown, (await service.view(match, Viewer("red"))).round} == {1}


async def test_no_aid_knows_of_a_round_that_is_not_stored(url):
    async with serving(url) as service:
        match = await opened(service, opponent={"level": "random"})
        async with asyncio.timeout(PATIENCE):
            view = await service.view(match, Viewer("red"))
            while "blue" in view.waiting_for:
                view = await service.wait(match, Viewer("red"), view.version, PATIENCE)
        before = {
            "forecast": await service.study.forecast(match, "red", "boost"),
            "advice": await service.study.advise(match, "red", "boost"),
            "game": await service.game(match, 1),
            "frame": await service.frame(match, 1, 0),
        }
        sent = await begin(service, match, "red", choice("attack", "r"))
        assert before == {
            "forecast": await service.study.forecast(match, "red", "boost"),
            "advice": await service.study.advise(match, "red", "boost"),
            "game": await service.game(match, 1),
            "frame": await service.frame(match, 1, 0),
        }
        with pytest.raises(Refused, match="has 0 rounds"):
            await service.study.explain(match, "red", 1, 1)
        with pytest.raises(Refused, match="has 0 rounds"):
            await service.frame(match, 1, 1)
        service.store.holds = False
        service.store.release()
        await sent
        assert (await service.study.explain(match, "red", 1, 1)).sentence


def test_a_view_of_events_that_are_not_stored_is_refused():
    match = LiveMatch("7Fq2mZk9Rw", PlayClock())
    match.open(Terms.agreed(as_request({"opponent": "link"})))
    with pytest.raises(AssertionError, match="stored_seq"):
        MatchViews(match)


# Random stores


class Witness:
    """Compares what is shown with the views of the log so far."""

    def __init__(self, store: Store, match: str) -> None:
        self.store, self.match = store, match
        self.events = []
        self.views: dict = {seat: [] for seat in VIEWERS}
        self.states: list = []
        self.compared = 0

    def _read(self) -> None:
        """Adds the views after every event that is durable by now."""
        new = self.store.read(self.match, len(self.events))
        for event in new:
            self.events.append(event)
            match = read_match(self.match, self.events, PlayClock())
            shown = MatchViews(match)
            for seat in VIEWERS:
                view = orjson.loads(encode(shown.view(seat, picture=True)))
                self.views[seat].append(sorted_json(in_the_log(view)))
            if match.duel is not None:
                self.states.append((match.duel.ruleset, match.duel.state))

    def check_view(self, seat, view) -> None:
        self._read()
        shown = sorted_json(in_the_log(view))
        is_logged = shown in self.views[seat]
        assert is_logged, f"{seat} was shown what is not in the log: version {view['version']}"
        self.compared += 1

    def check_forecast(self, seat, word, shown) -> None:
        self._read()
        known = (forecast_table(*at, seat, word) for at in reversed(self.states))
        assert any(shown == each for each in known)
        self.compared += 1


def sorted_json(view):
    return orjson.dumps(orjson.loads(encode(view)), option=orjson.OPT_SORT_KEYS)


def in_the_log(view):
    """The fields that follow from the log; a patch says null where a whole view omits."""
    omitted = ("draw_declined_by", "picture", "previous")
    return {
        key: value
        for key, value in view.items()
        if key in LOGGED_FIELDS and (value is not None or key not in omitted)
    }


class Client:
    """A follower that keeps its own view from the frames, and asks for the whole at random."""

    def __init__(self, room, seat) -> None:
        self.seat, self.view = seat, {}
        self.frames = room.follow(seat, picture=True)

    def read(self, witness) -> None:
        while (text := self.frames.take()) is not None:
            frame = orjson.loads(text)
            if frame["type"] == "view":
                self.view = frame["view"]
            else:
                assert frame["since"] == self.view["version"]
                rounds = self.view["rounds"] + frame["rounds"]
                self.view = {**self.view, **frame["patch"], "version": frame["version"]}
                self.view["rounds"] = [each for each in rounds if each["game"] == self.view["game"]]
            witness.check_view(self.seat, self.view)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("services", [1, 2])
async def test_nothing_is_shown_that_is_not_in_the_log(url, seed, services):
    """Commands, some with ids that were used before, while appends are delayed, conflict and fail
    at random: every frame, view, forecast and record is one of the log at that time.
    """
    rng = random.Random(seed)
    async with serving(url) as here, serving(url) as there:
        all_services = [here, there][:services]
        match = await opened(here, "bagh-advantage", wins_needed=3)
        rooms = [await service.rooms.find(match) for service in all_services]
        witness = Witness(here.store, match)
        clients = [Client(room, seat) for room in rooms for seat in VIEWERS]
        sent: list[asyncio.Task] = []
        used: list[dict] = []
        for service in all_services:
            service.store.holds = True
        for step in range(150):
            service = rng.choice(all_services)
            if rng.random() < 0.5:
                asked = {"id": f"c{step}", **some_command(rng, witness)}
                if used and rng.random() < 0.2:
                    asked["id"] = rng.choice(used)["id"]
                used.append(asked)
                seat = rng.choice(VIEWERS[:2])
                sent.append(asyncio.create_task(service.command(match, seat, as_command(asked))))
            if service.store.held and rng.random() < 0.6:
                fate = rng.choices(["stored", "lost", "unsure"], [8, 1, 1])[0]
                await asyncio.to_thread(service.store.release, fate)
            for _ in range(rng.randrange(4)):
                await asyncio.sleep(0)
            for client in clients:
                if rng.random() < 0.2:
                    client.frames.refresh()
                client.read(witness)
            await look(rng, service, match, witness)
        await let_all_end(all_services, sent)
        for client in clients:
            client.read(witness)
        for answer in sent:
            assert answer.exception() is None or isinstance(answer.exception(), Refused)
        assert any(answer.exception() is None for answer in sent)
        assert witness.compared > 100
        check_acknowledged(sent, used, witness)


def some_command(rng, witness):
    """A command, mostly for the open round."""
    kind = rng.choices(
        ["choose", "withdraw", "offer draw", "decline draw", "forfeit"], [80, 5, 5, 9, 1]
    )[0]
    witness._read()
    view = orjson.loads(witness.views[None][-1])
    asked = {"type": kind}
    if kind != "forfeit":
        asked |= {"game": view["game"], "round": max(1, view["round"])}
    if kind == "choose":
        asked["choice"] = rng.choice(["attack", "boost", "guard", "heal"])
    return asked


async def look(rng, service, match, witness):
    """Asks for something that does not wait for commands in progress."""
    kind, seat = rng.choice(["forecast", "wait", "record", "game", "none"]), rng.choice(VIEWERS[:2])
    try:
        if kind == "forecast":
            shown = await service.study.forecast(match, seat, "attack")
            witness.check_forecast(seat, "attack", shown)
        elif kind == "record":
            await service.record(match, 1)
            witness._read()
            assert orjson.loads(witness.views[None][-1])["games"]
        elif kind == "game":
            shown = await service.game(match, 1)
            witness._read()
            assert shown.rounds <= sum(e.body["event"] == "revealed" for e in witness.events)
    except Refused:
        pass


async def let_all_end(services, sent):
    for service in services:
        service.store.holds = False
    async with asyncio.timeout(PATIENCE):
        while not all(answer.done() for answer in sent):
            for service in services:
                if service.store.held:
                    await asyncio.to_thread(service.store.release)
            await asyncio.sleep(0.001)


def check_acknowledged(sent, used, witness):
    """A command that was acknowledged is in the log, or had no effect, under its own id."""
    digests = {
        (event.body["command"], event.body["digest"])
        for event in witness.events
        if "command" in event.body
    }
    ids = {command for command, _ in digests}
    for answer, asked in zip(sent, used, strict=True):
        if answer.exception() is None and asked["id"] in ids:
            assert (asked["id"], digest(as_command(asked))) in digests or asked["type"] != "choose"
