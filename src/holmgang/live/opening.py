"""New matches: who sits down, whether the match is rated, and rematches."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from holmgang.games.contract import SEATS
from holmgang.live.commits import Commits
from holmgang.live.computers import Computers
from holmgang.live.match import MOST_RATED, LiveMatch
from holmgang.live.presence import Presence
from holmgang.live.refusal import Refused
from holmgang.live.room import Room
from holmgang.live.rooms import Rooms
from holmgang.live.terms import DAY, MatchRequest, SeatedPlayer, Terms, derived_id, secret_hash
from holmgang.store import Conflict, Person

MOST_SOLO = 10
"""Maximum number of matches against computer players that a person plays at the same time."""
SOLO_SECONDS = 600.0
"""Seconds after its last event for which such a match counts."""


class MatchOpener:
    """Opens matches."""

    def __init__(
        self, rooms: Rooms, commits: Commits, presence: Presence, computers: Computers
    ) -> None:
        self._store, self._clock = rooms.store, rooms.clock
        self._commits, self._presence, self._computers = commits, presence, computers

    async def open(
        self,
        id: str,  # noqa: A002
        terms: Terms,
        seats: Mapping[str, SeatedPlayer],
        *,
        begins: bool = True,
    ) -> None:
        """Stores a new match with these players. Raises `Refused`, and `Conflict` if its id is
        already in use.
        """
        unrated = await self.why_unrated(terms, list(seats.values()))
        match = LiveMatch(id, self._clock)
        match.open(terms)
        for seat in SEATS:
            if seat in seats:
                match.join(seat, seats[seat], begins=begins, unrated=unrated)
        for seat, who in seats.items():
            self._computers.get_ready(id, seat, who, terms.ruleset)
        await self._commits.commit_new(match)

    async def open_rematch(self, room: Room) -> None:
        """Opens the rematch, with the seats exchanged and the same secrets, and announces it."""
        match, terms = room.match, room.match.terms
        id = derived_id(b"rematch %d " % terms.seed + (terms.salt or b""))  # noqa: A001
        request = MatchRequest(
            terms.ruleset,
            terms.visibility,
            "",
            "random",
            terms.seconds,
            terms.on_timeout,
            terms.wins_needed,
            terms.start,
        )
        old_red, old_blue = match.seated
        if old_red is None or old_blue is None:
            return
        seats = {"red": old_blue, "blue": old_red}
        begins = not terms.waits or await self._presence.are_there(match.id, match.people)
        try:
            if not await asyncio.to_thread(self._store.read, id):
                agreed = replace(Terms.agreed(request), waits=terms.waits)
                await self.open(id, agreed, seats, begins=begins)
        except Conflict:
            pass  # another process has opened it at the same time
        await self._commits.commit(room, lambda live: live.agree_rematch(id))

    async def seat(self, person: Person, terms: Terms, secret: str) -> SeatedPlayer:
        """The person as a player of a match on these terms."""
        rating = None
        if not person.is_guest:
            ratings = await asyncio.to_thread(self._store.ratings.of_person, person.id)
            rating = ratings.get(terms.ruleset.entry.name)
        return SeatedPlayer(
            person.name,
            "guest" if person.is_guest else "account",
            person.id,
            None if rating is None else round(rating.rating),
            rating is not None and rating.is_provisional,
            secret_hash(secret),
        )

    async def why_unrated(self, terms: Terms, players: Sequence[SeatedPlayer]) -> str | None:
        """Why a match of these players is not rated although its terms would allow it."""
        people = [who.person for who in players if who.kind == "account"]
        if len(people) < len(SEATS) or not terms.can_be_rated:
            return None
        rated = (people, terms.ruleset.entry.name, self._clock.wall() - DAY)
        count = await asyncio.to_thread(self._store.matches.count_rated, *rated)
        return "limit" if count >= MOST_RATED else None

    async def check_solo(self, person: Person) -> None:
        """Raises `Refused` if the person plays too many matches against computer players."""
        solo = (person.id, "playing", "solo", self._clock.wall() - SOLO_SECONDS)
        if await asyncio.to_thread(self._store.matches.count, *solo) >= MOST_SOLO:
            raise Refused(
                "too many",
                f"you are playing {MOST_SOLO} matches against computer players; finish or forfeit "
                f"one of them, or pause them for {SOLO_SECONDS / 60:.0f} minutes",
            )
