"""The tools of `holmgang mcp`."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from holmgang.analysis.position import assess
from holmgang.errors import HolmgangError, UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.describe import rules_markdown
from holmgang.games.ruleset import load
from holmgang.games.shape import JsonObject, brief
from holmgang.mcp.duels import MOST_WAIT, AgentDuel, LocalDuel, OnlineDuel
from holmgang.players.levels import find_level
from holmgang.terminal.online.address import parse_address, parse_match
from holmgang.terminal.online.client import Client, connect
from holmgang.version import VERSION

INSTRUCTIONS = (
    "Duel games in which both sides choose in secret and at the same time. Start or join a duel,"
    " look at the view, choose among the choices that it lists, and read what happened. The rules"
    " of each game are in the tool rules."
)
MOST_DUELS = 100
BUDGET_MS = 2000.0

P = ParamSpec("P")
T = TypeVar("T")


class Tools:
    """The duels of one agent, and what it can do with them."""

    def __init__(self, address: str | None) -> None:
        self._address = None if address is None else parse_address(address)
        self._client: Client | None = None
        self._duels: dict[str, AgentDuel] = {}

    def client(self) -> Client:
        """The connection to the live server. Raises `UsageError` if there is none."""
        if self._address is None:
            raise UsageError("this needs a live server: start holmgang mcp with --server URL")
        if self._client is None:
            self._client = connect(self._address)
        return self._client

    def duel(self, name: str) -> AgentDuel:
        found = self._duels.get(name)
        if found is None:
            known = ", ".join(self._duels) or "none"
            raise UsageError(f"there is no duel {brief(name)}; yours are: {known}")
        return found

    def add(self, duel: AgentDuel) -> JsonObject:
        if len(self._duels) >= MOST_DUELS:
            self._duels.pop(next(iter(self._duels))).close()
        self._duels[duel.id] = duel
        return duel.view()

    def start(self, game: str, opponent: str, seat: str, on_server: bool) -> JsonObject:
        ruleset = load(game)  # never a path: an agent may not load code
        if on_server:
            return self.add(OnlineDuel.open(self.client(), ruleset, opponent, seat))
        find_level(opponent)
        return self.add(LocalDuel(ruleset, opponent, seat))

    def join(self, link: str) -> JsonObject:
        client = self.client()
        address, match = parse_match(link, client.address)
        if address != client.address:
            raise UsageError(f"that match is at {address}; this agent plays at {client.address}")
        return self.add(OnlineDuel.join(client, match))

    def close(self) -> None:
        for duel in self._duels.values():
            duel.close()
        if self._client is not None:
            self._client.close()


async def in_thread(call: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Calls in another thread, and refuses as tools do."""
    try:
        return await anyio.to_thread.run_sync(lambda: call(*arguments, **options))
    except HolmgangError as error:
        raise ToolError(str(error)) from None


def make_server(address: str | None = None) -> MCPServer[Any]:
    """The server, with the tools of one agent. `address` is that of a live server, if any."""
    tools = Tools(address)
    server: MCPServer[Any] = MCPServer(
        "holmgang", instructions=INSTRUCTIONS, version=VERSION, log_level="WARNING"
    )

    @server.tool()
    async def games() -> JsonObject:
        """The games and rulesets that can be played, each with a line about it."""
        return {name: entry.title for name, entry in CATALOGUE.items()}

    @server.tool()
    async def rules(game: str) -> str:
        """The rules of a game, as Markdown. A ruleset such as `bagh:max_boost=2` works too."""
        return await in_thread(lambda: rules_markdown(load(game)))

    @server.tool()
    async def start_duel(
        game: str = "bagh", opponent: str = "medium", seat: str = "red", on_server: bool = False
    ) -> JsonObject:
        """Start a duel and see it. The opponent is a level: beginner, easy, medium, hard, perfect,
        random, greedy, search or exploiter. On a live server it may also be `link` (anyone who has
        the link) or `anyone` (the next person in the lobby).
        """
        return await in_thread(tools.start, game, opponent, seat, on_server)

    @server.tool()
    async def join_duel(link: str) -> JsonObject:
        """Join a duel on the live server, by its link or id."""
        return await in_thread(tools.join, link)

    @server.tool()
    async def view(duel: str) -> JsonObject:
        """A duel as your seat sees it: state, your choices, the rounds so far, the outcome."""
        return await in_thread(lambda: tools.duel(duel).view())

    @server.tool()
    async def forecast(duel: str, choice: str) -> JsonObject:
        """What one of your choices would do, against every choice of the opponent."""
        return await in_thread(lambda: tools.duel(duel).forecast(choice))

    @server.tool()
    async def choose(duel: str, choice: str, seconds: int = MOST_WAIT) -> JsonObject:
        """Make your choice in the open round, and see the duel after it. Against a person it waits
        for their choice, up to this many seconds; use `wait` to wait longer.
        """
        return await in_thread(lambda: tools.duel(duel).choose(choice, seconds))

    @server.tool()
    async def wait(duel: str, seconds: int = MOST_WAIT) -> JsonObject:
        """Wait until you may choose, up to this many seconds, and see the duel."""
        return await in_thread(lambda: tools.duel(duel).wait(seconds))

    @server.tool()
    async def value(game: str, state: str | None = None) -> JsonObject:
        """The value of a state to red (1 wins, -1 loses), the best mixes of both sides, and the
        worth of each choice. A state is short text or JSON, as in views (default: the start).
        """

        def found() -> JsonObject:
            ruleset = load(game)
            assessed = assess(ruleset, ruleset.parse_state(state), budget_ms=BUDGET_MS)
            return assessed.as_json(with_matrix=False)

        return await in_thread(found)

    @server.tool()
    async def analyse(duel: str) -> JsonObject:
        """A finished duel, round by round: the errors of both sides, and luck."""
        return await in_thread(lambda: tools.duel(duel).analyse())

    return server


def run(address: str | None) -> None:
    """Serves an agent over standard input and output until it disconnects."""
    make_server(address).run("stdio")
