"""Learning aids for players: forecasts, the coach, positions to explore, analyses of games."""

import asyncio

from holmgang.engine.duel import Duel
from holmgang.engine.forecast import forecast, forecast_rows
from holmgang.errors import HolmgangError
from holmgang.games.contract import SEATS, State, other_seat
from holmgang.games.ruleset import Ruleset
from holmgang.live import coach, exploring
from holmgang.live.analysing import Analyses, AnalysisJob, describe_analysis, describe_tendencies
from holmgang.live.exploring import Walk, walk_of
from holmgang.live.match import LiveMatch, find_finished_game, find_game
from holmgang.live.refusal import Refused, refusal_of
from holmgang.live.rooms import Rooms
from holmgang.live.slow_work import SlowWork
from holmgang.wire.match import Advice, Explanation, ForecastTable
from holmgang.wire.study import PositionWorth

MOST_THROWS = 5_000
WORTH_PATIENCE = 1.0
COACH_PATIENCE = 5.0
"""Seconds to wait for a search to be compiled."""
LOOK_EVERY = 0.1
WHOLE_MATCH = 0
"""The number of the game in the key of an analysis of all games."""


class Study:
    """Read-only access to the matches of this process."""

    def __init__(self, rooms: Rooms, slow_work: SlowWork) -> None:
        self._rooms, self._slow_work = rooms, slow_work
        self._analyses = Analyses(slow_work, self._prepared)

    def close(self) -> None:
        self._analyses.close()

    async def forecast(self, match: str, seat: str | None, choice: str) -> ForecastTable:
        """What a choice of the seat would do in the open round, against every reply."""
        room = await self._rooms.find(match)
        duel = room.match.duel
        if seat is None:
            raise Refused("not yours", "you are watching; only the players can ask for forecasts")
        if duel is None or duel.is_over or room.match.status != "playing":
            raise Refused("closed", "there is nothing to choose now")
        return await self.forecast_of(duel.ruleset, duel.state, seat, choice)

    async def forecast_of(
        self, ruleset: Ruleset, state: State, seat: str, choice: str
    ) -> ForecastTable:
        """What a choice of the seat would do in any undecided state."""
        try:
            return await self._slow_work.run(
                "forecast", forecast_table, ruleset, state, seat, choice
            )
        except HolmgangError as error:
            raise refusal_of(error) from None

    async def advise(self, match: str, seat: str | None, choice: str) -> Advice:
        """The coach's advice on a choice in the open round, before it is made."""
        duel, seat = await self._coached(match, seat)
        if duel.is_over:
            raise Refused("closed", "there is nothing to choose now")
        await self._coach_is_ready(duel)
        return await self._slow_work.run(
            "coach", coach.advise, duel.ruleset, duel.state, seat, choice
        )

    async def explain(self, match: str, seat: str | None, game: int, round: int) -> Explanation:
        """The coach's comment on a round of the open game after its reveal."""
        await self._coached(match, seat)
        room = await self._rooms.find(match)
        duel, names = find_game(room.match, game), player_names(room.match)
        steps = duel.course.steps
        if seat is None or not 1 <= round <= len(steps):
            raise Refused("not found", f"game {game} has {len(steps)} rounds")
        step = steps[round - 1]
        await self._coach_is_ready(duel)
        return await self._slow_work.run("coach", coach.explain, duel.ruleset, step, seat, names)

    async def _coached(self, match: str, seat: str | None) -> tuple[Duel, str]:
        """The open game of a match in which the seat may have a coach: against levels only."""
        live = (await self._rooms.find(match)).match
        if seat is None:
            raise Refused("not yours", "you are watching; only the players can have a coach")
        opponent = live.players[other_seat(seat)]
        if opponent is None or not opponent.is_level:
            raise Refused("closed", "the coach is for matches against levels only")
        if live.duel is None or live.status != "playing":
            raise Refused("closed", "the match is over; see its analysis instead")
        return live.duel, seat

    async def _coach_is_ready(self, duel: Duel) -> None:
        if not await self._prepared(duel.ruleset, COACH_PATIENCE):
            raise Refused("stopping", "the coach is still getting ready; try again")

    async def _prepared(self, ruleset: Ruleset, seconds: float) -> bool:
        """Waits for the ruleset's search to be compiled, if there is no table. Returns whether it
        is ready.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        await self._slow_work.run("rules", exploring.prepare, ruleset)
        while exploring.is_preparing(ruleset):
            if loop.time() >= until:
                return False
            await asyncio.sleep(LOOK_EVERY)
        return True

    async def worth(self, walk: Walk) -> PositionWorth | None:
        """The evaluation of an undecided position; None if the search is still being compiled."""
        try:
            walk.ruleset.check_undecided(walk.state)
        except HolmgangError as error:
            raise Refused("bad", str(error)) from None
        if not await self._prepared(walk.ruleset, WORTH_PATIENCE):
            return None
        return await self._slow_work.run("worth", exploring.describe_worth, walk)

    async def analysis(self, match: str, number: int) -> bytes | AnalysisJob:
        """The analysis of a finished game as JSON, or its progress if it takes long."""
        room = await self._rooms.find_current(match)
        duel, names = find_finished_game(room.match, number), player_names(room.match)
        key = await self._analysis_key(match, number, duel)
        return await self._analyses.get(key, [duel], names, describe_analysis)

    async def tendencies(self, match: str) -> bytes | AnalysisJob:
        """The tendencies of both players of a finished match as JSON, or the progress if it takes
        long. They are compared with exact mixes, so there has to be a table.
        """
        live = (await self._rooms.find_current(match)).match
        if not live.is_over:
            raise Refused("closed", "tendencies are shown when the match is over")
        duels, names = [game for game in live.games if game.rounds], player_names(live)
        if not duels:
            raise Refused("closed", "no round was played")
        key = await self._analysis_key(match, WHOLE_MATCH, duels[0])
        if not key[-1]:
            raise Refused("closed", "tendencies need an exact table for this game")
        return await self._analyses.get(key, duels, names, describe_tendencies)

    async def ruleset_of(self, match: str) -> Ruleset:
        return (await self._rooms.find(match)).match.terms.ruleset

    async def is_analysed(self, match: str, number: int = WHOLE_MATCH) -> bool:
        """Whether the analysis of a finished game, or of the whole match, is cached or in
        progress.
        """
        live = (await self._rooms.find_current(match)).match
        duel = live.duel if number == WHOLE_MATCH else find_finished_game(live, number)
        return duel is not None and self._analyses.has(
            await self._analysis_key(match, number, duel)
        )

    async def _analysis_key(self, match: str, number: int, duel: Duel) -> tuple[str, int, bool]:
        """The cache key: a table that has been built since then gives another analysis."""
        has_table = await self._slow_work.run("rules", exploring.has_table, duel.ruleset)
        return match, number, has_table

    async def walk(self, match: str, number: int, at: int | None = None) -> Walk:
        """A finished game as a walk to explore."""
        duel = find_finished_game((await self._rooms.find_current(match)).match, number)
        steps = duel.course.steps
        return await self._slow_work.run("position", walk_of, duel.ruleset, steps, duel.start, at)


def forecast_table(ruleset: Ruleset, state: State, seat: str, word: str) -> ForecastTable:
    """A forecast in words. Raises as `forecast` does."""
    number = SEATS.index(seat)
    note = ruleset.preview(state, number, ruleset.parse_choice(state, number, word))
    rows = forecast_rows(forecast(ruleset, state, seat, word, MOST_THROWS))
    return ForecastTable(choice=word, note=note, lines=rows)


def player_names(match: LiveMatch) -> dict[str, str]:
    """The names of the players for sentences."""
    return {
        seat: seat.capitalize()
        if who is None
        else who.name.capitalize()
        if who.is_level
        else who.name
        for seat, who in match.players.items()
    }
