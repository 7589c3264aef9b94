"""The live service on a real database: durable commands, several processes, lists, records."""

import asyncio
import random
import time
from contextlib import asynccontextmanager
from functools import partial

import orjson
import pytest
from msgspec.structs import replace
from tests.asked import as_command, as_request, plain
from tests.live.matches import Wall
from tests.patience import PATIENCE
from tests.postgres import postgres  # noqa: F401 - a fixture
from tests.store.rows import OPEN

from holmgang.engine.frames import names_of
from holmgang.engine.record import parse, replay
from holmgang.errors import StoreError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.live import service as live_service
from holmgang.live import view as live_view
from holmgang.live.clock import PlayClock
from holmgang.live.events import Joined, as_json, parse_body
from holmgang.live.listing import match_line
from holmgang.live.lobby import MOST_OF_CLIENT, MOST_OF_PERSON
from holmgang.live.match import MOST_RATED
from holmgang.live.presence import LINGER
from holmgang.live.refusal import Refused
from holmgang.live.service import Service, Viewer
from holmgang.live.slow_work import client
from holmgang.live.subscription import MOST_WAITING
from holmgang.live.terms import SeatedPlayer, new_id
from holmgang.store import Store, StoredEvent

MARKED = ["Ann (record)", "Bob (record)"]
pytestmark = pytest.mark.anyio


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/data/holmgang.sqlite3"


@asynccontextmanager
async def serving(url, **options):
    """A service, as a process would run it."""
    with Store.open(url) as store:
        service = Service(store, **options)
        await service.start()
        try:
            yield service
        finally:
            await service.close()


async def guest(service):
    return await asyncio.to_thread(service.store.people.new_guest)


async def opened(service, ruleset="bagh", **asked):
    """A match between two guests: its id."""
    request = as_request({"ruleset": ruleset, "opponent": "link", "seat": "red", **asked})
    grant = await service.open(await guest(service), request)
    await service.join(grant.match, await guest(service))
    return grant.match


async def opened_alone(service, opponent, ruleset="bagh", **asked):
    """A match against a computer: its id."""
    request = as_request({"ruleset": ruleset, "opponent": opponent, "seat": "red", **asked})
    return (await service.open(await guest(service), request)).match


async def choose(service, match, seat, choice, **fields):
    view = await service.view(match, Viewer(seat))
    asked = {"type": "choose", "game": view.game, "round": view.round, "choice": choice}
    name = f"{seat} {view.game} {view.round} {choice}"
    return await service.command(match, seat, as_command({"id": name, **asked, **fields}))


async def until(service, match, seat, is_so):
    """The view of a seat as soon as something is so."""
    view = await service.view(match, Viewer(seat))
    async with asyncio.timeout(PATIENCE):
        while not is_so(view):
            view = await service.wait(match, Viewer(seat), view.version, 10)
    return view


async def play_out(service, match, seed=0, other=None):
    """Plays to the end, blue through another service if there is one."""
    rng = random.Random(seed)
    while True:
        view = await service.view(match, Viewer())
        if view.status != "playing":
            return view
        for seat in view.waiting_for:
            here = service if seat == "red" or other is None else other
            mine = await until(here, match, seat, partial(is_at, view.game, view.round))
            word = rng.choice(mine.menu.options).word
            await choose(here, match, seat, word)
            await until(service, match, seat, partial(is_past, view.game, view.round, seat))


def is_at(game, round, view):
    return (view.game, view.round) == (game, round)


def is_past(game, round, seat, view):
    return not is_at(game, round, view) or seat not in view.waiting_for


async def test_every_game_is_played_to_its_end_and_its_record_verifies(url):
    async with serving(url) as service:
        for game in CATALOGUE:
            match = await opened(service, game)
            view = await play_out(service, match, seed=7)
            assert view.outcome.sentence
            for number in range(1, view.game + 1):
                record = parse((await service.record(match, number)).decode())
                assert replay(record).is_over


async def test_what_was_acknowledged_is_there_after_a_restart(url):
    async with serving(url) as service:
        match = await opened(service)
        await choose(service, match, "red", "boost")
    async with serving(url) as service:
        view = await service.view(match, Viewer("red"))
        assert (view.chosen, view.waiting_for) == ("boost", ["blue"])
        await choose(service, match, "blue", "heal")
        view = await service.view(match, Viewer("red"))
        assert view.rounds[0].story == [
            "Red boosts to 1; Blue heals 1.",
            "Blue rises from 3 to 4 hp.",
        ]


async def test_a_command_can_be_repeated_after_a_restart(url):
    asked = {"id": "k", "type": "choose", "game": 1, "round": 1, "choice": "boost"}
    async with serving(url) as service:
        match = await opened(service)
        first = await service.command(match, "red", as_command(asked))
    async with serving(url) as service:
        assert await service.command(match, "red", as_command(asked)) == first
        assert (await service.view(match, Viewer("red"))).version == 5


async def test_a_seat_belongs_to_its_secret_and_to_its_person(url):
    async with serving(url) as service:
        person = await guest(service)
        grant = await service.open(person, as_request({"opponent": "link", "seat": "blue"}))
        assert await service.seat_of(grant.match, secret=grant.secret) == "blue"
        assert await service.seat_of(grant.match, person=person.id) == "blue"
        assert await service.seat_of(grant.match, secret=grant.secret[1:]) is None
        assert await service.seat_of(grant.match, person=person.id + 1) is None
        again = await service.join(grant.match, person)
        assert (again.seat, again.secret) == ("blue", "")


async def test_of_many_who_join_at_once_one_gets_the_seat(url):
    async with serving(url) as service:
        request = as_request({"opponent": "link", "seat": "red"})
        grant = await service.open(await guest(service), request)
        people = [await guest(service) for _ in range(8)]
        joined = await asyncio.gather(
            *(service.join(grant.match, person) for person in people), return_exceptions=True
        )
        assert sorted(type(each).__name__ for each in joined) == ["Refused"] * 7 + ["SeatGrant"]


async def test_followers_are_sent_changes_that_lead_to_the_view(url):
    async with serving(url) as service:
        match = await opened(service, "bagh:start_hp=2")
        shown = {}
        for viewer in (Viewer("red", picture=True), Viewer("blue"), Viewer(None, picture=True)):
            async with service.follow(match, viewer) as frames:
                shown[viewer] = orjson.loads(await anext(frames))["view"]
        tasks = [asyncio.create_task(follow_to_the_end(service, match, viewer)) for viewer in shown]
        await asyncio.sleep(0)
        await play_out(service, match, seed=1)
        for viewer, folded in zip(shown, await asyncio.gather(*tasks), strict=True):
            view = plain(await service.view(match, viewer))
            for volatile in ("now", "watching"):
                folded.pop(volatile, None)
                view.pop(volatile)
            folded["rounds"] = [each for each in folded["rounds"] if each["game"] == view["game"]]
            if "previous" in folded and folded["previous"] is None:
                del folded["previous"]
            assert folded == view


async def follow_to_the_end(service, match, viewer):
    """The view that a client has at the end, having applied every change."""
    async with service.follow(match, viewer) as frames:
        view = orjson.loads(await anext(frames))["view"]
        async for frame in frames:
            change = orjson.loads(frame)
            assert change["since"] == view["version"]
            view.update(change["patch"], version=change["version"])
            view["rounds"] += change["rounds"]
            if view["status"] == "over":
                return view
    raise AssertionError("the frames have ended too early")


async def test_each_round_is_put_into_words_once(url, monkeypatch):
    """Whoever asks for a long game again and again would hold up everyone."""
    told, put = [], live_view.round_line

    def round_line(match, game, revealed):
        told.append((game, revealed.number))
        return put(match, game, revealed)

    for module in (live_view, live_service):
        monkeypatch.setattr(module, "round_line", round_line)
    async with serving(url) as service:
        match = await opened(service, "bagh:start_hp=2", wins_needed=2)
        await play_out(service, match, seed=1)
        view = await service.view(match, Viewer())
        for line in view.games:
            logs = [(await service.game(match, line.number)).log for _ in range(3)]
            assert [len(log) for log in logs] == [line.rounds] * 3
    assert len(told) == len(set(told))


async def test_a_slow_follower_is_given_the_whole_view(url):
    async with serving(url) as service:
        match = await opened(service)
        async with service.follow(match, Viewer("red")) as frames:
            await anext(frames)
            for _ in range(MOST_WAITING + 5):
                for kind in ("offer draw", "decline draw"):
                    asked = {"id": str(random.random()), "type": kind, "game": 1, "round": 1}
                    await service.command(match, "red", as_command(asked))
            frame = orjson.loads(await anext(frames))
            assert frame["type"] == "view"
            assert frame["view"]["version"] == (await service.view(match, Viewer("red"))).version


async def test_waiting_ends_with_the_next_change(url):
    async with serving(url) as service:
        match = await opened(service)
        version = (await service.view(match, Viewer("blue"))).version
        waiting = asyncio.create_task(service.wait(match, Viewer("blue"), version, PATIENCE))
        await choose(service, match, "red", "heal")
        assert (await waiting).waiting_for == ["blue"]
        same = await service.wait(match, Viewer("blue"), 10**6, 0.01)
        assert same.waiting_for == ["blue"]


async def test_ids_that_are_none_are_not_found(url):
    async with serving(url) as service:
        for wrong in ("", "x", "../../etc", "1" * 10, "0OIl000000", "é" * 10):
            with pytest.raises(Refused) as refused:
                await service.view(wrong, Viewer())
            assert refused.value.code == "not found"


# Several processes


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_two_processes_serve_one_match(kind, url, request):
    if kind == "postgresql":
        url = request.getfixturevalue("postgres").new_database()
    async with serving(url) as here, serving(url) as there:
        match = await opened(here, "bagh-advantage:start_hp=1")
        async with there.follow(match, Viewer()) as frames:
            await anext(frames)
            view = await play_out(here, match, seed=2, other=there)
            async with asyncio.timeout(PATIENCE):
                async for frame in frames:
                    if orjson.loads(frame)["patch"].get("status") == "over":
                        break
        again = await there.view(match, Viewer())
        assert replace(again, now=0, watching=0) == replace(view, now=0, watching=0)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_both_processes_at_once(kind, url, request):
    """Both seats choose at the same moment, each through a process of its own."""
    if kind == "postgresql":
        url = request.getfixturevalue("postgres").new_database()
    async with serving(url) as here, serving(url) as there:
        match = await opened(here, "bagh:start_hp=9")
        for number in range(1, 16):
            asked = {"type": "choose", "game": 1, "round": number, "choice": "boost"}
            await asyncio.gather(
                here.command(match, "red", as_command({"id": f"r{number}", **asked})),
                there.command(match, "blue", as_command({"id": f"b{number}", **asked})),
            )
        view = await until(here, match, "red", lambda view: view.round == 16)
        assert len(view.rounds) == 15


async def test_a_seat_taken_in_another_process_counts_at_once(postgres, monkeypatch):  # noqa: F811
    url = postgres.new_database()
    async with serving(url) as here, serving(url) as there:
        opener, guest = here.store.people.new_guest(), here.store.people.new_guest()
        asked = as_request({"ruleset": "bagh", "opponent": "link", "seat": "red"})
        match = (await here.open(opener, asked)).match
        assert await there.seat_of(match, person=guest.id) is None
        monkeypatch.setattr(there.rooms, "on_append", lambda *_: None)  # the news is on its way
        await here.join(match, guest)
        assert await there.seat_of(match, person=guest.id) == "blue"


async def test_a_record_is_there_as_soon_as_another_process_shows_the_end(postgres, monkeypatch):  # noqa: F811
    url = postgres.new_database()
    async with serving(url) as here, serving(url) as there:
        match = await opened(here, "bagh-advantage:start_hp=1")
        await there.view(match, Viewer())
        monkeypatch.setattr(there.rooms, "on_append", lambda *_: None)  # the news is on its way
        await play_out(here, match, seed=2)
        assert await there.record(match, 1) == await here.record(match, 1)


async def test_an_append_elsewhere_is_not_missed_while_the_match_is_read(url, monkeypatch):
    async with serving(url) as here, serving(url) as there:
        match, loop, read = await opened(here), asyncio.get_running_loop(), there.store.read

        def read_slowly(*asked):
            """Reads; before anything is done with that, the other process goes on and says so."""
            monkeypatch.undo()
            events = read(*asked)
            work = asyncio.run_coroutine_threadsafe(choose(here, match, "red", "boost"), loop)
            work.result(PATIENCE)
            loop.call_soon_threadsafe(there._on_append, match, events[-1].seq + 1)
            return events

        monkeypatch.setattr(there.store, "read", read_slowly)
        view = await there.view(match, Viewer("red"))
        assert view.chosen == "boost"


async def test_followers_are_told_what_a_repeated_command_brings_to_light(url):
    """The command was carried out by another process, of which this one has not heard yet."""
    async with serving(url) as here, serving(url) as there:
        match = await opened(here)
        async with there.follow(match, Viewer("red")) as frames:
            await anext(frames)
            await choose(here, match, "red", "boost", id="r1")
            await choose(there, match, "red", "boost", id="r1")
            async with asyncio.timeout(PATIENCE):
                assert orjson.loads(await anext(frames))["patch"]["chosen"] == "boost"


# Time


async def pass_time(wall, seconds, *services):
    """Lets time pass for servers that are well: a beat every second."""
    for _ in range(seconds):
        wall.at += 1
        for service in services:
            await service._timeouts.heartbeat.beat()


async def test_the_clock_runs_out_without_anyone_asking(url):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as service:
        match = await opened(service, seconds=15)
        await choose(service, match, "red", "heal")
        waiting = asyncio.create_task(
            until(service, match, "red", lambda view: view.status == "over")
        )
        await pass_time(wall, 20, service)
        service._look_after(service.rooms.loaded[match])  # as the timer was set by the clock before
        view = await waiting
        assert (view.outcome.winner, view.outcome.reason) == ("red", "timeout")


# Rematches, the lobby, records


async def test_a_rematch_exchanges_the_seats(url):
    async with serving(url) as service:
        person, friend = await guest(service), await guest(service)
        grant = await service.open(person, as_request({"opponent": "link", "seat": "red"}))
        await service.join(grant.match, friend)
        await service.command(grant.match, "red", as_command({"id": "f", "type": "forfeit"}))
        for seat in ("red", "blue"):
            await service.command(grant.match, seat, as_command({"id": "r", "type": "rematch"}))
        view = await until(service, grant.match, "red", lambda view: view.rematch.match)
        new = view.rematch.match
        assert await service.seat_of(new, person=person.id) == "blue"
        assert await service.seat_of(new, secret=grant.secret) == "blue"
        assert (await service.view(new, Viewer())).status == "playing"


async def finished(service, wall, **asked):
    """A match that is over and whose red player offered a rematch and left: its id."""
    match = await opened(service, **asked)
    await service.command(match, "red", as_command({"id": "f", "type": "forfeit"}))
    await service.command(match, "red", as_command({"id": "r", "type": "rematch"}))
    wall.at += LINGER + 1
    await service.command(match, "blue", as_command({"id": "r", "type": "rematch"}))
    view = await until(service, match, "blue", lambda view: view.rematch.match)
    return view.rematch.match


async def test_a_rematch_waits_for_a_player_who_has_left(url):
    wall = Wall()
    async with serving(url, clock=PlayClock(wall=wall)) as service:
        new = await finished(service, wall, seconds=60)
        view = await service.view(new, Viewer("red"))  # the one who stayed
        assert (view.status, view.deadline) == ("open", None)
        wall.at += 1
        await service.view(new, Viewer("blue"))  # the other one is back
        view = await until(service, new, "red", lambda view: view.status == "playing")
        assert view.deadline == round((wall.at + 60) * 1000)


async def test_nobody_waits_where_a_choice_may_take_a_day(url):
    wall = Wall()
    async with serving(url, clock=PlayClock(wall=wall)) as service:
        new = await finished(service, wall, seconds=86_400)
        assert (await service.view(new, Viewer("red"))).status == "playing"


async def test_a_waiting_match_can_be_cancelled(url):
    wall = Wall()
    async with serving(url, clock=PlayClock(wall=wall)) as service:
        new = await finished(service, wall, seconds=60)
        await service.command(new, "red", as_command({"id": "c", "type": "cancel"}))
        assert (await service.view(new, Viewer("blue"))).status == "cancelled"


async def test_a_match_between_two_people_of_discord_begins_at_once(url):
    wall = Wall()
    async with serving(url, clock=PlayClock(wall=wall)) as service:
        people = {seat: await guest(service) for seat in SEATS}
        match = new_id()
        request = as_request({"opponent": "link", "seconds": 60})
        await service.open_between(match, request, people)
        assert (await service.view(match, Viewer())).status == "playing"
        await service.command(match, "red", as_command({"id": "f", "type": "forfeit"}))
        for seat in SEATS:
            wall.at += LINGER + 1
            await service.command(match, seat, as_command({"id": "r", "type": "rematch"}))
        view = await until(service, match, "red", lambda view: view.rematch.match)
        assert (await service.view(view.rematch.match, Viewer())).status == "playing"


async def test_the_lobby_is_shown_while_the_database_cannot_be_written(url, monkeypatch):
    def fail(*_):
        raise StoreError("cannot write the database: database or disk is full")

    async with serving(url) as service:
        request = as_request({"opponent": "lobby", "seat": "red"})
        match = (await service.open(await guest(service), request)).match
        monkeypatch.setattr(service.store.presence, "note", fail)
        async with service.follow(match, Viewer("red")):  # which has to be noted
            assert (await service.lobby()).live == []
        monkeypatch.undo()


async def rated_match(service, people, opponent="link"):
    """A rated match of two accounts, of which one round is played: its id."""
    request = as_request({"opponent": opponent, "seat": "red", "seconds": 60})
    grant = await service.open(people[0], request)
    await service.join(grant.match, people[1])
    return grant.match


async def accounts(service, *names):
    return [service.store.people.claim((await guest(service)).id, name, "hash") for name in names]


async def test_a_pair_plays_a_limited_number_of_rated_matches_a_day(url):
    wall = Wall(time.time())
    async with serving(url, clock=PlayClock(wall=wall)) as service:
        people = await accounts(service, "Ann", "Bob")
        for _ in range(MOST_RATED):
            match = await rated_match(service, people)
            assert (await service.view(match, Viewer())).rated
            for seat in SEATS:
                await choose(service, match, seat, "boost")
            await service.command(match, "blue", as_command({"id": "f", "type": "forfeit"}))
            people.reverse()
        ratings = service.store.ratings.of_person(people[0].id)["bagh"]
        assert ratings.matches == MOST_RATED
        asked = as_request({"opponent": "link", "seat": "red", "seconds": 60})
        invitation = (await service.open(people[0], asked)).match
        is_rated, reason = await service.rated_if_joined(invitation, people[1])
        assert not is_rated
        assert f"{MOST_RATED} rated matches" in reason
        further = await rated_match(service, people, "lobby")
        view = await service.view(further, Viewer())
        assert (view.status, view.rated) == ("playing", False)
        assert f"{MOST_RATED} rated matches" in view.unrated  # before the first choice
        for seat in SEATS:
            await choose(service, further, seat, "boost")
        await service.command(further, "blue", as_command({"id": "f", "type": "forfeit"}))
        for seat in SEATS:
            await service.command(further, seat, as_command({"id": "r", "type": "rematch"}))
        view = await until(service, further, "red", lambda view: view.rematch.match)
        rematch = await service.view(view.rematch.match, Viewer())
        assert (rematch.status, rematch.rated) == ("playing", False)
        assert service.store.ratings.of_person(people[0].id)["bagh"][:4] == pytest.approx(
            ratings[:4]
        )
        other = [*people[:1], *await accounts(service, "Cid")]
        assert (await service.view(await rated_match(service, other), Viewer())).rated
        wall.at += 86_400
        assert (await service.view(await rated_match(service, people), Viewer())).rated


@pytest.mark.parametrize(
    ("asked", "host", "visitor", "rated", "told"),
    [
        ({"seconds": 60}, "Ann", "Bob", True, ""),
        ({"seconds": 60}, "Ann", None, False, "unless you sign in"),
        ({"seconds": 60}, None, "Bob", False, "the other player has no account"),
        ({}, "Ann", "Bob", False, "a time limit"),
        ({"seconds": 60, "ruleset": "bagh:start_hp=2"}, "Ann", "Bob", False, "default rules"),
    ],
)
@pytest.mark.parametrize("opponent", ["link", "lobby"])
async def test_an_invitation_says_whether_the_match_will_be_rated(
    asked, host, visitor, rated, told, opponent, url
):
    async with serving(url) as service:
        [one] = await accounts(service, host) if host else [await guest(service)]
        [two] = await accounts(service, visitor) if visitor else [await guest(service)]
        request = as_request({"opponent": opponent, "seat": "red", **asked})
        match = (await service.open(one, request)).match
        depends = host is not None and "ruleset" not in asked and "seconds" in asked
        expected = None if depends else False  # to those of whom nothing is known
        assert (await service.view(match, Viewer("red"))).rated is expected
        assert (await service.view(match, Viewer())).rated is expected
        [line] = (await service.lobby(one.id)).yours
        assert line.rated is expected
        if opponent == "lobby":
            [line] = (await service.lobby()).open
            assert line.rated is expected
        is_rated, reason = await service.rated_if_joined(match, two)
        assert is_rated is rated
        assert told in reason
        assert bool(told) == bool(reason)
        if depends:
            assert await service.rated_if_joined(match, one) == (None, "")
            assert (await service.rated_if_joined(match, None))[0] is False
        await service.join(match, two)
        assert (await service.view(match, Viewer())).rated is rated
        assert (await service.rated_if_joined(match, None))[0] is rated


async def test_the_lobby_shows_open_matches_until_someone_joins(url):
    async with serving(url) as service:
        request = as_request({"opponent": "lobby", "seconds": 60})
        person = await guest(service)
        grant = await service.open(person, request)
        assert [row.match for row in (await service.lobby()).open] == [grant.match]
        assert (await service.lobby(person.id)).yours[0].match == grant.match
        await service.join(grant.match, await guest(service))
        lists = await service.lobby()
        assert (lists.open, len(lists.live)) == ([], 1)


async def test_one_person_does_not_fill_the_lobby(url):
    async with serving(url) as service:
        first, second = await guest(service), await guest(service)
        request = as_request({"opponent": "lobby"})
        own = await service.open(first, request)
        tried = await asyncio.gather(
            *(service.open(second, request) for _ in range(25)), return_exceptions=True
        )
        grants = [each for each in tried if not isinstance(each, Refused)]
        assert len(grants) == MOST_OF_PERSON
        refused = [each for each in tried if isinstance(each, Refused)]
        assert {each.code for each in refused} == {"too many"}
        shown = [row.match for row in (await service.lobby()).open]
        assert len(shown) == 1 + MOST_OF_PERSON
        assert own.match in shown[:2]  # in turn, although it is the oldest
        await service.command(
            grants[0].match, grants[0].seat, as_command({"id": "c", "type": "cancel"})
        )
        await service.open(second, request)


async def test_one_address_does_not_fill_the_lobby(url):
    """Guests are made at will, so an address has a limit too, and its matches have one turn."""
    async with serving(url) as service:
        request = as_request({"opponent": "lobby"})
        own = await service.open(await guest(service), request)
        client.set("203.0.113.9")
        grants = [await service.open(await guest(service), request) for _ in range(MOST_OF_CLIENT)]
        with pytest.raises(Refused, match="from your address"):
            await service.open(await guest(service), request)
        shown = [row.match for row in (await service.lobby()).open]
        assert own.match in shown[:2]
        cancel = as_command({"id": "c", "type": "cancel"})
        await service.command(grants[0].match, grants[0].seat, cancel)
        await service.open(await guest(service), request)
        with pytest.raises(Refused, match="from your address"):
            await service.open(await guest(service), request)
        client.set("203.0.113.10")
        await service.open(await guest(service), request)


async def test_limits_of_the_lobby_count_all_matches_however_many_there_are(url):
    async with serving(url) as service:
        client.set("203.0.113.9")
        person, request = await guest(service), as_request({"opponent": "lobby"})
        for _ in range(MOST_OF_PERSON):
            await service.open(person, request)
        for _ in range(MOST_OF_CLIENT - MOST_OF_PERSON):
            await service.open(await guest(service), request)
        newer = StoredEvent(1, service.now() + 1, {"event": "opened"})
        crowd = [service.store.append(f"m{n}", 0, [newer], OPEN) for n in range(1001)]
        await asyncio.gather(*map(asyncio.wrap_future, crowd))
        with pytest.raises(Refused, match="you already have"):
            await service.open(person, request)
        with pytest.raises(Refused, match="from your address"):
            await service.open(await guest(service), request)


async def test_the_lobby_does_not_tell_that_a_choice_was_changed(url):
    async with serving(url) as service:
        grant = await service.open(await guest(service), as_request({"opponent": "lobby"}))
        await service.join(grant.match, await guest(service))
        await choose(service, grant.match, grant.seat, "boost")
        lists = await service.lobby()
        await choose(service, grant.match, grant.seat, "guard")
        assert await service.lobby() == lists


async def test_a_link_is_not_listed(url):
    async with serving(url) as service:
        await opened(service)
        lists = await service.lobby()
        assert (lists.open, lists.live) == ([], [])


async def test_an_uploaded_record_can_be_watched(url):
    async with serving(url) as service:
        match = await opened(service, "defend-the-city")
        await play_out(service, match, seed=4)
        text = (await service.record(match, 1)).decode()
        again = await service.upload(text)
        view = await service.view(again, Viewer())
        assert (view.status, view.visibility) == ("over", "uploaded")
        assert view.rounds == (await service.view(match, Viewer())).rounds
        frame = await service.frame(again, 1, len(view.rounds))
        assert frame.picture.startswith("<svg")
        assert (await service.record(again, 1)).count(b"\n") == text.count("\n")


async def test_names_in_an_uploaded_record_are_marked(url):
    """So that nobody is shown as having lost a duel that they never played."""
    async with serving(url) as service:
        people = await accounts(service, "Ann", "Bob")
        match = await rated_match(service, people)
        for seat in SEATS:
            await choose(service, match, seat, "boost")
        await service.command(match, "red", as_command({"id": "f", "type": "forfeit"}))
        text = (await service.record(match, 1)).decode()
        for _ in range(2):  # the record of an uploaded record has the mark already
            again = await service.upload(text)
            shown = await service.view(again, Viewer(picture=True))
            assert [who.name for who in shown.players.values()] == MARKED
            assert (
                list(names_of(parse((await service.record(again, 1)).decode())).values()) == MARKED
            )
            text = (await service.record(again, 1)).decode()
        row = service.store.matches.row(again)
        row = row._replace(summary=row.summary._replace(red_name="Ann"))  # as it was once stored
        assert match_line(row).players["red"].name == MARKED[0]
        stored = as_json(Joined("blue", SeatedPlayer("Bob", "record")))
        assert parse_body(stored).player.name == MARKED[1]


@pytest.mark.parametrize("text", ["", "x", "{}\n", '{"holmgang":1}\n', "\x00\n", "[" * 10_000])
async def test_what_is_no_record_is_refused(url, text):
    async with serving(url) as service:
        with pytest.raises(Refused) as refused:
            await service.upload(text)
        assert refused.value.code == "bad"


async def test_a_record_with_a_number_that_no_store_takes_is_refused(url):
    async with serving(url) as service:
        match = await opened(service)
        await play_out(service, match)
        header, rest = (await service.record(match, 1)).decode().split("\n", 1)
        huge = orjson.loads(header) | {"round_limit": 0}
        text = orjson.dumps(huge).decode().replace('"round_limit":0', f'"round_limit":{10**400}')
        with pytest.raises(Refused, match="round limit") as refused:
            await service.upload(f"{text}\n{rest}")
        assert refused.value.code == "bad"


async def test_a_record_of_an_open_game_is_refused(url):
    async with serving(url) as service:
        match = await opened(service)
        with pytest.raises(Refused, match="not over"):
            await service.record(match, 1)


async def test_a_forecast_tells_what_a_choice_would_do(url):
    async with serving(url) as service:
        match = await opened(service)
        seen = await service.study.forecast(match, "red", "boost")
        (line,) = (line for line in seen.lines if line.replies == ["attack"])
        assert (line.against, line.odds, line.result) == ("against attack", "", "red hp 3 → 2")
        for wrong in ("fly", "", "boost boost"):
            with pytest.raises(Refused):
                await service.study.forecast(match, "red", wrong)
        with pytest.raises(Refused):
            await service.study.forecast(match, None, "boost")


async def test_a_service_that_closes_refuses_and_tells_its_followers(url):
    async with serving(url) as service:
        match = await opened(service)
        async with service.follow(match, Viewer("red")) as frames:
            await anext(frames)
            closing = asyncio.create_task(service.close())
            with pytest.raises(StopAsyncIteration):
                await anext(frames)
            with pytest.raises(Refused) as refused:
                await choose(service, match, "red", "boost")
            assert refused.value.code == "stopping"
            await closing
