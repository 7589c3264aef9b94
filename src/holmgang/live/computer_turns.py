"""The turns of computer players: asks levels and bots for choices and answers to draw offers."""

import asyncio
import logging

from holmgang.games.contract import SEATS
from holmgang.live.background import BackgroundTasks
from holmgang.live.commits import Commits
from holmgang.live.computers import Computers
from holmgang.live.match import LiveMatch, computers
from holmgang.live.room import Room
from holmgang.players.player import Failed

REMOTE_DELAY = 3.0
"""Seconds before a computer player is asked here in a round that another process has opened; that
process asks it too, unless it has died."""

log = logging.getLogger("holmgang.live")


class ComputerTurns:
    def __init__(self, players: Computers, commits: Commits, background: BackgroundTasks) -> None:
        self._players, self._commits, self._background = players, commits, background

    def get_ready(self, match: LiveMatch) -> None:
        """Starts the preparation of a match's computer players."""
        if match.status == "playing":
            for seat, who in match.players.items():
                if who is not None:
                    self._players.get_ready(match.id, seat, who, match.terms.ruleset)

    def notes(self, match: LiveMatch) -> dict[str, str]:
        """What viewers should know about its levels, by seat."""
        if match.status != "playing" or not match.has_computer:
            return {}
        found = {
            seat: self._players.note(match.id, seat, who, match.terms.ruleset)
            for seat, who in match.players.items()
            if who is not None and who.kind == "level"
        }
        return {seat: note for seat, note in found.items() if note}

    def ask(self, room: Room, *, is_remote: bool) -> None:
        """Asks the computer players that have to choose, or to answer a draw offer."""
        match, duel = room.match, room.match.duel
        if not match.has_computer:
            return
        game = len(match.games)
        for seat in computers(match):
            key = seat, game, duel.round if duel else 0
            if key not in room.thinking:
                room.thinking.add(key)
                self._background.start(self._choose(room, key, REMOTE_DELAY if is_remote else 0.0))
        if duel is None or duel.is_over or not duel.draw_offered_by:
            return
        for seat in SEATS:
            key = seat, game, 0
            is_asked = match.is_computer(seat) and seat not in duel.draw_offered_by
            if is_asked and key not in room.thinking:
                room.thinking.add(key)
                self._background.start(self._answer_draw(room, key))

    async def _choose(self, room: Room, key: tuple[str, int, int], delay: float) -> None:
        """Asks a level or a bot for its choice, and plays it."""
        seat, game, round = key
        try:
            if delay and room.match.terms.visibility != "solo":
                await asyncio.sleep(delay)
            who, duel = room.match.players[seat], room.match.duel
            if who is None or duel is None or (len(room.match.games), duel.round) != key[1:]:
                return
            if seat not in room.match.waiting_for:
                return
            try:
                word = await self._players.choose(
                    room.match.id, seat, who, game, duel, client_of(room)
                )
            except Failed as failed:
                log.warning("match %s: %s: %s", room.match.id, who.name, failed)
                reason = failed.status
                await self._commits.commit(room, lambda live: live.fail(seat, reason))
                return
            await self._commits.commit(room, lambda live: live.choose_for(seat, game, round, word))
        finally:
            room.thinking.discard(key)

    async def _answer_draw(self, room: Room, key: tuple[str, int, int]) -> None:
        seat, game, _ = key
        try:
            who, duel = room.match.players[seat], room.match.duel
            if who is None or duel is None:
                return
            accepts = await self._players.accepts_draw(
                room.match.id, seat, who, game, duel, client_of(room)
            )
            await self._commits.commit(
                room, lambda live: live.answer_draw_for(seat, accepts=accepts)
            )
        finally:
            room.thinking.discard(key)


def client_of(room: Room) -> str:
    """Whom the computer players of a match work for: the address of its player if known, otherwise
    the person.
    """
    people = (who.person for who in room.match.seated if who is not None and who.person is not None)
    return room.client or f"person {next(people, room.match.id)}"
