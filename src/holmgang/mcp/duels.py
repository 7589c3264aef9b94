"""Duels that an agent plays: in this process against a level, or on a live server.

A view has only what the agent's seat may know. In this process the opponent chooses when the agent
has chosen; on a server, the server decides what each seat sees.
"""

import json
from threading import RLock
from typing import Protocol
from uuid import uuid4

import msgspec

from holmgang.analysis.analyse import analyse
from holmgang.arena.seating import Seated
from holmgang.engine.duel import Duel
from holmgang.engine.forecast import forecast, forecast_rows
from holmgang.engine.menu import options
from holmgang.errors import DuelError, UsageError
from holmgang.games.contract import NO_CHOICE, SEATS, other_seat
from holmgang.games.drawing import row_text
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.players.player import Failed, ask, judged
from holmgang.terminal.online.address import match_path
from holmgang.terminal.online.client import Client, MatchWish
from holmgang.terminal.online.connection import ANSWER_SECONDS
from holmgang.wire.match import ChoiceRequest, Command, DoneFrame, ForecastTable, MatchView

COLUMNS = 72
MOST_WAIT = round(ANSWER_SECONDS) - 5
"""Seconds for which a request waits: less than the client waits for its answer."""


class AgentDuel(Protocol):
    """What tools need of a duel."""

    id: str

    def view(self) -> JsonObject: ...
    def forecast(self, choice: str) -> JsonObject: ...
    def choose(self, choice: str, seconds: int) -> JsonObject: ...
    def wait(self, seconds: int) -> JsonObject: ...
    def analyse(self) -> JsonObject: ...
    def close(self) -> None: ...


class LocalDuel:
    """A duel in this process against a level. Bots are not run for agents."""

    def __init__(self, ruleset: Ruleset, opponent: str, seat: str) -> None:
        if seat not in SEATS:
            raise UsageError(f"a seat is red or blue; not {brief(seat)}")
        self.id = f"local-{uuid4().hex[:8]}"
        self.seat, self.opponent = seat, opponent
        self._other = other_seat(seat)
        self._lock = RLock()  # clients may call several tools at once
        self._duel = Duel(ruleset)
        self._seated = Seated(ruleset, opponent)
        self._player = self._seated.sit(SEATS.index(self._other), self._duel.seed)
        self._go_on()

    def _go_on(self) -> None:
        """Plays rounds in which only the opponent has a choice."""
        while not self._duel.is_over and not self._duel.choices(self.seat):
            self._reveal()

    def _reveal(self) -> None:
        duel, number = self._duel, SEATS.index(self._other)
        failures: dict[int, Failed] = {}
        chosen = ask(self._player, number, duel.course, failures)
        if failures:
            duel.disqualify([self._other], judged(duel.course, failures).reason)
            return
        if chosen != NO_CHOICE:
            duel.choose(self._other, duel.ruleset.word(chosen))
        duel.reveal()

    def view(self) -> JsonObject:
        with self._lock:
            return self._view()

    def _view(self) -> JsonObject:
        duel = self._duel
        shown: JsonObject = {
            "duel": self.id,
            "ruleset": duel.ruleset.text,
            "you": self.seat,
            "opponent": self.opponent,
            "round": duel.round,
            "state": duel.state_json,
            "state_text": duel.ruleset.format_text(duel.state),
            "board": [row_text(row).rstrip() for row in duel.ruleset.board(duel.state, COLUMNS)],
            "choices": {} if duel.is_over else self._menu(),
            "rounds": [
                {"round": each.number, "red": each.red, "blue": each.blue, "story": each.story}
                for each in duel.rounds
            ],
            "is_over": duel.is_over,
        }
        if duel.outcome is not None:
            shown["outcome"] = duel.outcome.as_json()
            shown["ending"] = duel.ending()
        return shown

    def _menu(self) -> dict[str, str]:
        """The choices with their effects."""
        return {
            option.word: option.note + (" Loses at once." if option.is_fatal else "")
            for option in options(self._duel.ruleset, self._duel.state, self.seat)
        }

    def forecast(self, choice: str) -> JsonObject:
        duel = self._duel
        if duel.is_over:
            raise DuelError("the duel is over")
        found = forecast_rows(forecast(duel.ruleset, duel.state, self.seat, choice))
        results = [
            {"against": row.against, "odds": row.odds, "result": row.result} for row in found
        ]
        return {"choice": choice, "results": results}

    def choose(self, choice: str, seconds: int = 0) -> JsonObject:
        with self._lock:
            self._duel.choose(self.seat, choice)
            self._reveal()
            self._go_on()
            return self.view()

    def wait(self, seconds: int) -> JsonObject:
        return self.view()

    def analyse(self) -> JsonObject:
        if not self._duel.is_over:
            raise DuelError("a duel is analysed when it is over")
        return analyse(self._duel).as_json()

    def close(self) -> None:
        self._seated.close()


class OnlineDuel:
    """A match on a live server, in the agent's seat, through the live protocol."""

    def __init__(self, client: Client, match: str) -> None:
        self.id, self._client, self._path = match, client, match_path(match)

    @classmethod
    def open(cls, client: Client, ruleset: Ruleset, opponent: str, seat: str) -> "OnlineDuel":
        wish = MatchWish(ruleset, opponent, seat)
        return cls(client, client.open(wish).match)

    @classmethod
    def join(cls, client: Client, match: str) -> "OnlineDuel":
        return cls(client, client.join(match).match)

    def _view(self, query: str = "") -> MatchView:
        return self._client.connection.get(self._path + query, MatchView, self.id)

    def _shown(self, view: MatchView) -> JsonObject:
        fields: JsonObject = msgspec.to_builtins(view)
        return {"duel": self.id, "link": self._client.address.link(self.id), **fields}

    def view(self) -> JsonObject:
        return self._shown(self._view())

    def forecast(self, choice: str) -> JsonObject:
        path, asked = f"{self._path}/forecast", ChoiceRequest(choice=choice)
        found = self._client.connection.post(path, asked, ForecastTable, self.id)
        shown: JsonObject = msgspec.to_builtins(found)
        return shown

    def choose(self, choice: str, seconds: int = MOST_WAIT) -> JsonObject:
        """Chooses in the open round, and waits for the other player to choose."""
        view = self._view()
        command = Command(
            id=uuid4().hex, type="choose", game=view.game, round=view.round, choice=choice
        )
        self._client.connection.post(f"{self._path}/commands", command, DoneFrame, self.id)
        return self.wait(seconds)

    def wait(self, seconds: int) -> JsonObject:
        return self._shown(self._view(f"?wait={max(0, min(seconds, MOST_WAIT))}"))

    def analyse(self) -> JsonObject:
        """The analysis, or how far it is: both are shown as the server sends them."""
        path = f"{self._path}/games/{self._view().game}/analysis"
        found: JsonObject = json.loads(self._client.connection.fetch(path, self.id))
        return found

    def close(self) -> None:
        pass
