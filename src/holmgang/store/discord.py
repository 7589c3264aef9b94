"""The stored data of the Discord bot: users, servers, challenges, and the threads of matches.

Discord's ids are whole numbers of up to 63 bits. Discord calls a server a guild.
"""

import time
from typing import Literal, NamedTuple

import orjson
from sqlalchemy import ColumnElement, Connection, and_, func, insert, or_, select, update

from holmgang.games.shape import JsonObject
from holmgang.store.people import PERSON, Person, name_key
from holmgang.store.schema import (
    discord_challenges,
    discord_duels,
    discord_guilds,
    discord_users,
    matches,
    people,
)
from holmgang.store.substore import AnySelect, Substore


class GuildSettings(NamedTuple):
    """What those who manage a server have set."""

    role: int | None = None
    """The players' role."""
    pings: bool = True
    """Whether the bot may notify users."""
    channel: int | None = None
    """Where challenges are posted; None for the channel in which they are typed."""
    private_threads: bool = False
    challenge_hours: int | None = None
    """Time to answer a challenge; None for the default."""


class Challenge(NamedTuple):
    """A challenge, and the id of the match that it leads to when it is accepted."""

    match: str
    guild: int
    channel: int
    message: int | None
    """Where it is shown; None before that."""
    challenger: int
    """A Discord user."""
    opponent: int
    terms: JsonObject
    """The request that opens the match: a JSON object, not interpreted here."""
    status: str
    """open, accepted, refused, rescinded or expired."""
    created_at: float
    expires_at: float
    settled_at: float | None = None
    """When it was answered."""


ThreadState = Literal["open", "archived", "locked", "forbidden", "deleted"]
"""Whether the bot can post in a thread. The bot opens an archived one again; a locked one is left
to those who manage threads; in a forbidden one the bot lacks a permission.
"""


class ShownDuel(NamedTuple):
    """The thread that shows a match, and how much of it has been posted."""

    match: str
    guild: int
    channel: int
    starter: int | None
    """The message that its thread is attached to."""
    thread: int | None
    message: int | None
    """The newest board, with the buttons."""
    red: int | None
    """The Discord user in the seat, if any."""
    blue: int | None
    game: int
    """The game and the number of its rounds that have been shown; game 0 before the first board."""
    round: int
    stage: str
    """playing, over (the result is shown, the analysis is not) or done."""
    thread_state: ThreadState
    """What the bot last learned of its thread."""
    reminded: str = ""
    """The game and round of which its players have been reminded."""


class DiscordStore(Substore):
    # Users and servers

    def person(self, user: int, name: str) -> Person:
        """The person who is that user, created or renamed as needed.

        The name has an `@` before it, which no other person's has. If another user had the name
        before, the number of the user follows it.
        """
        known = self.known_person(user)
        if known is not None and known.name in _names(user, name):
            return known
        return self._write(lambda connection: _set_person(connection, user, name))

    def known_person(self, user: int) -> Person | None:
        """The person who is that user, if they have been seen before."""
        row = self._first(_person_of(user))
        return None if row is None else Person._make(row)

    def guild(self, guild: int) -> GuildSettings:
        """The settings of a server."""
        columns = [discord_guilds.c[name] for name in GuildSettings._fields]
        row = self._first(select(*columns).where(discord_guilds.c.guild == guild))
        return GuildSettings() if row is None else GuildSettings._make(row)

    def set_guild(self, guild: int, **changed: int | None) -> None:
        """Changes settings of a server, by their names."""

        def change(connection: Connection) -> None:
            statement = update(discord_guilds).where(discord_guilds.c.guild == guild)
            if not connection.execute(statement.values(changed)).rowcount:
                row = {"guild": guild, **GuildSettings()._asdict(), **changed}
                connection.execute(insert(discord_guilds).values(row))

        self._write(change)

    # Challenges

    def add_challenge(self, challenge: Challenge) -> None:
        row = challenge._asdict() | {"terms": orjson.dumps(challenge.terms).decode()}
        self._write(lambda c: c.execute(insert(discord_challenges).values(row)))

    def challenge(self, match: str) -> Challenge | None:
        found = self._challenges(discord_challenges.c.match == match)
        return found[0] if found else None

    def open_challenges(self, guild: int | None = None) -> list[Challenge]:
        """Unanswered challenges, in a server or in all, oldest first."""
        is_open = discord_challenges.c.status == "open"
        in_guild = discord_challenges.c.guild == guild
        return self._challenges(is_open if guild is None else and_(is_open, in_guild))

    def unopened_challenges(self) -> list[Challenge]:
        """Accepted challenges whose match is not shown yet."""
        shown = select(discord_duels.c.match)
        is_accepted = discord_challenges.c.status == "accepted"
        return self._challenges(and_(is_accepted, discord_challenges.c.match.not_in(shown)))

    def _challenges(self, condition: ColumnElement[bool]) -> list[Challenge]:
        query = (
            select(discord_challenges)
            .where(condition)
            .order_by(discord_challenges.c.created_at, discord_challenges.c.match)
        )
        found = (Challenge._make(row) for row in self._rows(query))
        return [each._replace(terms=orjson.loads(str(each.terms))) for each in found]

    def set_challenge_message(self, match: str, message: int) -> None:
        changed = update(discord_challenges).where(discord_challenges.c.match == match)
        self._write(lambda c: c.execute(changed.values(message=message)))

    def settle(self, match: str, status: str, now: float, was: str = "open") -> bool:
        """Changes the status of a challenge from `was`, and returns whether it did. After its
        expiry a challenge can only become `expired`.
        """
        changed = update(discord_challenges).where(
            discord_challenges.c.match == match, discord_challenges.c.status == was
        )
        if status != "expired":
            changed = changed.where(discord_challenges.c.expires_at > now)
        values = changed.values(status=status, settled_at=now)
        return self._write(lambda c: c.execute(values).rowcount == 1)

    def settled_at(self, guild: int, challenger: int, opponent: int, status: str) -> float | None:
        """When a challenge between the two that was posted last ended with that status; None if
        none did.
        """
        row = self._first(
            select(func.max(discord_challenges.c.settled_at)).where(
                discord_challenges.c.guild == guild,
                discord_challenges.c.challenger == challenger,
                discord_challenges.c.opponent == opponent,
                discord_challenges.c.status == status,
                discord_challenges.c.message.is_not(None),
            )
        )
        return None if row is None else row[0]

    # Duels

    def add_duel(self, duel: ShownDuel) -> bool:
        """Adds the duel unless its match is shown already; returns whether it was added."""

        def change(connection: Connection) -> bool:
            known = select(discord_duels.c.match).where(discord_duels.c.match == duel.match)
            if connection.scalar(known) is not None:
                return False
            connection.execute(insert(discord_duels).values(duel._asdict()))
            return True

        return self._write(change)

    def duel(self, match: str) -> ShownDuel | None:
        found = self._duels(discord_duels.c.match == match)
        return found[0] if found else None

    def duels_of(self, guild: int, user: int) -> list[ShownDuel]:
        """The unfinished matches of a user in a server."""
        is_theirs = or_(discord_duels.c.red == user, discord_duels.c.blue == user)
        return self._duels(
            and_(discord_duels.c.guild == guild, discord_duels.c.stage == "playing", is_theirs)
        )

    def unfinished_duels(
        self, guild: int | None = None, since: float | None = None
    ) -> list[ShownDuel]:
        """The matches whose end has not been posted, in a server or in all; with `since` also those
        with later events.
        """
        wanted: ColumnElement[bool] = discord_duels.c.stage != "done"
        if since is not None:
            wanted = or_(wanted, matches.c.updated_at >= since)
        return self._duels(
            wanted if guild is None else and_(discord_duels.c.guild == guild, wanted)
        )

    def _duels(self, condition: ColumnElement[bool]) -> list[ShownDuel]:
        query = (
            select(discord_duels)
            .join(matches, matches.c.id == discord_duels.c.match)
            .where(condition)
            .order_by(matches.c.created_at, matches.c.id)
        )
        return [ShownDuel._make(row) for row in self._rows(query)]

    def update_duel(self, match: str, **changed: int | str | None) -> None:
        statement = update(discord_duels).where(discord_duels.c.match == match)
        self._write(lambda c: c.execute(statement.values(changed)))


def _names(user: int, name: str) -> tuple[str, str]:
    return f"@{name}", f"@{name} {user}"


def _person_of(user: int) -> AnySelect:
    joined = select(*PERSON).join(discord_users, discord_users.c.person == people.c.id)
    return joined.where(discord_users.c.user == user)


def _set_person(connection: Connection, user: int, name: str) -> Person:
    found = connection.execute(_person_of(user)).first()
    known = None if found is None else Person._make(found)
    if known is not None and known.name in _names(user, name):
        return known  # another process was faster
    for wanted in _names(user, name):
        key = name_key(wanted)
        taken = select(people.c.id).where(people.c.name_key == key)
        if connection.scalar(taken) is not None:
            continue
        if known is not None:
            changed = update(people).where(people.c.id == known.id)
            connection.execute(changed.values(name=wanted, name_key=key))
            return known._replace(name=wanted)
        now = time.time()
        row = {"name": wanted, "name_key": key, "is_guest": False, "created_at": now}
        number = connection.scalar(insert(people).values(row).returning(people.c.id))
        connection.execute(insert(discord_users).values(user=user, person=number))
        return Person(number or 0, wanted, is_guest=False, created_at=now)
    raise AssertionError("the number of a user belongs to nobody else")
