"""Agents of any form as players: levels, bots, policies, and functions of a state and a seat."""

from types import TracebackType
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.keys import derive
from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.players.levels import Level
from holmgang.players.naming import HUMAN, Bot, parse_player
from holmgang.players.player import Player
from holmgang.simulation.mixes import PlayablePolicy, policy_level
from holmgang.simulation.simulate import described

if TYPE_CHECKING:
    from holmgang.arena.judge.bots import FailedBot, RunningBot
    from holmgang.arena.judge.host import BotHost

Agent = str | PlayablePolicy
"""A level or bot by its name, as in `holmgang match`, or a policy: weights by choice, mixes by
state, a `Policy`, or a function of a state and a seat that returns weights by choice or one
choice."""

LIMITS = JudgeSettings(first_ms=10_000, turn_ms=10_000, hard_ms=60_000)


class Seated:
    """An agent that plays one seat in game after game. Closing it ends the process of a bot."""

    def __init__(
        self,
        ruleset: Ruleset,
        agent: Agent,
        *,
        trust: bool = False,
        announce: Announce = silent,
    ) -> None:
        """`trust` runs a bot without the sandbox. Raises `UsageError`."""
        self._ruleset = ruleset
        self._settings = replace(LIMITS, trust=trust)
        self._host: BotHost | None = None
        self._running: RunningBot | FailedBot | None = None
        if isinstance(agent, str):
            named = parse_player(agent, ruleset)
            if named.player is None:
                raise UsageError(f"{HUMAN} cannot play here; people play with holmgang play")
            self.name, self.text = named.name, named.text
            self._player: Level | Bot = named.player
        else:
            self._player = policy_level(ruleset, agent, described(agent))
            self.name = self.text = self._player.name
        if isinstance(self._player, Level):
            self._player.ready(ruleset, announce, wait=True)

    def sit(self, seat: int, seed: int) -> Player:
        """The player of a seat in a game with this seed. A bot is started if needed."""
        if isinstance(self._player, Level):
            return self._player.sit(seat, derive(seed, SEATS[seat]))
        if self._running is None or not self._running.plays_on:
            from holmgang.arena.judge.host import BotHost

            self._host = self._host or BotHost()
            self._running = self._host.start(self._player, self._settings)
        task = GameTask("env", self._ruleset.text, "", "", seed, self._settings)
        return self._running.sit(seat, task)

    def close(self) -> None:
        if self._host is not None:
            self._host.kill()
            self._host.close()
            self._host = self._running = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
