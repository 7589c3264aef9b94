"""The MCP server with the SDK's own client: in this process, over stdio, and on a live server."""

import json
import re

import anyio
import pytest
from mcp import Client, StdioServerParameters
from tests.games.one_file import STANDOFF, standoff  # noqa: F401
from tests.terminal.serving import Server, wish
from tests.terminal.shell import PROGRAM, environment

from holmgang.mcp.server import make_server
from holmgang.terminal.online.connection import ANSWER_SECONDS, ServerConnection

TOOLS = {
    "games", "rules", "start_duel", "join_duel", "view", "forecast", "choose", "wait", "value",
    "analyse",
}  # fmt: skip


async def call(client, name, **arguments):
    """The answer of a tool, which must not refuse."""
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, answer.content
    return read(answer)


def read(answer):
    text = answer.content[0].text
    try:
        return json.loads(text)
    except ValueError:
        return text


async def refused(client, name, **arguments):
    answer = await client.call_tool(name, arguments)
    assert answer.is_error
    return answer.content[0].text


def run(play, server):
    async def connected():
        async with Client(server) as client:
            await play(client)

    anyio.run(connected)


def test_a_whole_duel():
    async def play(client):
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        assert "bagh" in await call(client, "games")
        assert "Boost" in await call(client, "rules", game="bagh")
        seen = await call(client, "start_duel", game="bagh:max_boost=1", opponent="random")
        duel = seen["duel"]
        assert set(seen["choices"]) == {"boost", "attack", "guard", "heal"}
        told = await call(client, "forecast", duel=duel, choice="attack")
        assert told["results"]
        assert "over" in await refused(client, "analyse", duel=duel)
        while not seen["is_over"]:
            before = len(seen["rounds"])
            seen = await call(client, "choose", duel=duel, choice="attack")
            assert len(seen["rounds"]) == before + 1
            assert seen["rounds"][-1]["red"] == "attack"
        assert seen["outcome"]["reason"]
        assert await call(client, "view", duel=duel) == seen
        assert len((await call(client, "analyse", duel=duel))["rounds"]) == len(seen["rounds"])

    run(play, make_server())


@pytest.mark.parametrize("game", ["magic-duel", "defend-the-city", "fencing"])
def test_games_with_turns_and_dice(game):
    async def play(client):
        seen = await call(client, "start_duel", game=game, opponent="random", seat="blue")
        for _ in range(5):
            if seen["is_over"]:
                break
            choice = next(iter(seen["choices"]))
            seen = await call(client, "choose", duel=seen["duel"], choice=choice)
        assert seen["rounds"]

    run(play, make_server())


def test_values():
    async def play(client):
        small = "bagh:start_hp=1,max_boost=0,heal_limit=1"
        found = await call(client, "value", game=small)
        assert -1 <= found["value"] <= 1
        assert found["red_mix"]
        assert "state" in await refused(client, "value", game=small, state="nonsense")

    run(play, make_server())


def test_refusals():
    async def play(client):
        assert "no game" in await refused(client, "start_duel", game="chess")
        assert "no game" in await refused(client, "start_duel", game="./examples/goofspiel.py")
        assert "unknown level" in await refused(client, "start_duel", opponent="python3 -c 1")
        assert "a seat is red or blue" in await refused(client, "start_duel", seat="green")
        assert "there is no duel" in await refused(client, "view", duel="x")
        assert "--server" in await refused(client, "join_duel", link="x")
        seen = await call(client, "start_duel", opponent="random")
        assert "choose" in await refused(client, "choose", duel=seen["duel"], choice="fly")
        assert (await call(client, "view", duel=seen["duel"]))["round"] == 1

    run(play, make_server())


def test_views_do_not_tell_what_the_opponent_will_choose():
    """Before the reveal, the seed is nowhere and the opponent has not chosen."""

    async def play(client):
        seen = await call(client, "start_duel", opponent="random")
        assert "seed" not in json.dumps(seen)
        assert not seen["rounds"]

    run(play, make_server())


def test_over_stdio(tmp_path):
    async def play(client):
        seen = await call(client, "start_duel", opponent="random")
        seen = await call(client, "choose", duel=seen["duel"], choice="guard")
        assert seen["rounds"][0]["red"] == "guard"

    program, *arguments = PROGRAM
    run(
        play,
        StdioServerParameters(command=program, args=[*arguments, "mcp"], env=environment(tmp_path)),
    )


def test_a_game_in_one_file(standoff, tmp_path):  # noqa: F811
    """The operator names it with --games; the agent cannot load one by its path."""

    async def play(client):
        assert (await call(client, "games"))["standoff"] == "Standoff"
        seen = await call(client, "start_duel", game="standoff", opponent="random")
        assert set(seen["choices"]) == {"reload", "shield"}
        seen = await call(client, "choose", duel=seen["duel"], choice="reload")
        assert seen["state"]["red"]["ammo"] == 1
        worth = await call(client, "value", game="standoff", state="1.1/1.0")
        assert worth["value"] > 0
        for name in ("start_duel", "rules", "value"):
            for game in (str(trap), f"{trap}:lives=1", "trap"):
                assert "no game" in await refused(client, name, game=game)

    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n" + STANDOFF)
    program, *arguments = PROGRAM
    arguments += ["mcp", "--games", str(standoff)]
    run(
        play,
        StdioServerParameters(command=program, args=arguments, env=environment(tmp_path)),
    )
    assert not (tmp_path / "sprung").exists()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


def choose(person, match, choice):
    """A person chooses in the open round."""
    path = f"/api/matches/{match}"
    view = json.loads(person.connection.fetch(path, match))
    command = {
        "id": f"p{view['version']}",
        "type": "choose",
        "game": view["game"],
        "round": view["round"],
        "choice": choice,
    }
    person.connection.fetch(f"{path}/commands", match, json.dumps(command).encode())


def test_no_tool_tells_what_a_person_has_chosen(server, tmp_path, monkeypatch):
    """All that an agent can get before the reveal is the same, whatever the person chose."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    told = []

    def attack(choice):
        with server.client() as person:
            match = person.open(wish(seat="red", wins=1)).match

            async def play(client):
                duel = (await call(client, "join_duel", link=match))["duel"]
                await anyio.to_thread.run_sync(choose, person, match, choice)
                answers = [
                    await client.call_tool(name, {"duel": duel, **more})
                    for name, more in (
                        ("view", {}),
                        ("wait", {"seconds": 0}),
                        ("forecast", {"choice": "attack"}),
                        ("forecast", {"choice": "nonsense"}),
                        ("choose", {"choice": "nonsense"}),
                        ("analyse", {}),
                        ("view", {}),
                    )
                ]
                text = json.dumps([answer.content[0].text for answer in answers])
                told.append(text.replace(match, "MATCH"))

            run(play, make_server(server.url))

    for choice in ("boost", "attack", "guard"):
        attack(choice)
    # Names of guests, the commitment to the dice, and times
    changing = r"guest \d+|[0-9a-f]{64}|\d{6,}(\.\d+)?"
    assert len({re.sub(changing, "…", text) for text in told}) == 1


def test_against_a_person_on_a_live_server(server, tmp_path):
    """A person opens a match by link; the agent joins it over stdio and cannot see their choice."""
    program, *arguments = PROGRAM
    with server.client() as person:
        session = person.open(wish(seat="red", wins=1))

        def chosen(choice):
            choose(person, session.match, choice)

        async def play(client):
            seen = await call(client, "join_duel", link=f"{server.url}/match/{session.match}")
            assert seen["you"] == "blue"
            await anyio.to_thread.run_sync(chosen, "boost")
            seen = await call(client, "view", duel=seen["duel"])
            assert "boost" not in json.dumps(
                {key: value for key, value in seen.items() if key not in ("menu", "state")}
            ).replace('"boost": 0', "")
            assert seen["waiting_for"] == ["blue"]
            assert seen["chosen"] is None
            seen = await call(client, "choose", duel=seen["duel"], choice="attack")
            assert seen["rounds"][0]["red"] == "boost"
            assert seen["rounds"][0]["blue"] == "attack"
            assert seen["round"] == 2
            told = await call(client, "forecast", duel=seen["duel"], choice="guard")
            assert told["lines"]

        parameters = StdioServerParameters(
            command=program,
            args=[*arguments, "mcp", "--server", server.url],
            env=environment(tmp_path),
        )
        run(play, parameters)
        session.leave()


def test_no_request_waits_longer_than_its_client(server, tmp_path, monkeypatch):
    """However long an agent wants to wait, it is answered before the connection gives up."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked = []

    def noted(connection, path, match="", body=None):
        asked.append(path)
        return fetch(connection, path.partition("?wait=")[0], match, body)

    fetch = ServerConnection.fetch
    monkeypatch.setattr(ServerConnection, "fetch", noted)

    async def play(client):
        seen = await call(client, "start_duel", opponent="link", on_server=True)
        await call(client, "wait", duel=seen["duel"], seconds=10**6)

    run(play, make_server(server.url))
    assert 0 < float(asked[-1].partition("?wait=")[2]) < ANSWER_SECONDS


def test_the_agent_opens_a_match_on_the_server(server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    async def play(client):
        seen = await call(
            client, "start_duel", game="bagh", opponent="link", seat="red", on_server=True
        )
        assert seen["status"] == "open"

        def join():
            with server.client() as person:
                return person.join(seen["duel"]).match

        assert await anyio.to_thread.run_sync(join) == seen["duel"]
        seen = await call(client, "wait", duel=seen["duel"])
        assert seen["status"] == "playing"

    run(play, make_server(server.url))
