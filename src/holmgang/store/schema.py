"""The tables, for SQLite and PostgreSQL alike.

A match is its rows in `events`; its row in `matches` is derived from them, for lists. A change here
needs a migration in `migrations/versions/`; a test compares the two. New databases are made from
this, old ones are migrated.
"""

from typing import TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    true,
)
from sqlalchemy.types import TypeEngine

T = TypeVar("T")
metadata = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "uq": "%(table_name)s_%(column_0_N_name)s_unique",
        "ck": "%(table_name)s_%(constraint_name)s",
        "fk": "%(table_name)s_%(column_0_N_name)s_of_%(referred_table_name)s",
        "pk": "%(table_name)s_key",
    }
)


def required(kind: type[TypeEngine[T]], *names: str) -> list[Column[T]]:
    return [Column(name, kind, nullable=False) for name in names]


def optional(kind: type[TypeEngine[T]], *names: str) -> list[Column[T]]:
    return [Column(name, kind) for name in names]


people = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # see people.name_key
    Column("is_guest", Boolean, nullable=False),
    Column("password_hash", Text),
    Column("created_at", Double, nullable=False),
    Column("folded_name", Text),  # of an account, see folding.fold
    Index(None, "folded_name", unique=True),
    sqlite_autoincrement=True,  # the number of a guest is its name, so it is never used again
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
    Column("expires", Double, nullable=False, index=True),
)

devices = Table(
    "devices",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True, index=True),
    Column("created_at", Double, nullable=False, index=True),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("last_seq", Integer, nullable=False),
    *required(Double, "created_at", "updated_at"),
    # log.MatchSummary, in its order.
    *required(Text, "status", "visibility", "ruleset", "game"),
    Column("wins_needed", Integer, nullable=False),
    Column("seconds", Integer),
    Column("red_person", ForeignKey("people.id")),
    Column("blue_person", ForeignKey("people.id")),
    *optional(Text, "red_name", "blue_name", "red_kind", "blue_kind"),
    *required(Integer, "red_wins", "blue_wins", "draws", "games", "rounds"),
    *optional(Text, "winner", "reason"),
    Column("rated", Boolean, nullable=False),
    Column("deadline", Double),
    Index(None, "status", "created_at"),
    Index(None, "red_person", "created_at"),
    Index(None, "blue_person", "created_at"),
    Index(None, "created_at"),
)

events = Table(
    "events",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("body", Text, nullable=False),  # JSON
)

uploads = Table(
    "uploads",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("size", Integer, nullable=False),  # bytes
    Column("seen_at", Double, nullable=False, index=True),
)

ratings = Table(
    "ratings",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    *required(Double, "rating", "deviation", "volatility"),
    Column("matches", Integer, nullable=False),
    Column("at", Double, nullable=False),  # of the last rated match
    Index(None, "game", "rating"),
)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("game", Text, nullable=False),
    *required(Double, "before", "after", "at"),
    Index(None, "person", "game", "at"),
)

puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Text, primary_key=True),
    *required(Text, "game", "ruleset", "kind", "seat"),
    Column("state", Text, nullable=False),  # JSON
    Column("right_count", Integer, nullable=False),
    Column("tolerance", Double, nullable=False),
    Column("source", Text, nullable=False),
    Column("solution", Text, nullable=False),  # JSON
    Column("judging", Integer, nullable=False, server_default="1"),  # see `puzzles.JUDGING`
    Column("rules_code", Text, nullable=False, server_default=""),  # `Ruleset.code`
    *required(Double, "created_at", "rating", "deviation", "volatility"),
    *required(Integer, "attempts", "solved"),
    Index(None, "game", "rating"),
    Index(None, "rating"),
)

puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("puzzle", ForeignKey("puzzles.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("at", Double, nullable=False),
    Column("answer", Text, nullable=False),  # JSON
    Column("solved", Boolean, nullable=False),
    # The person's rating and the puzzle's; none for a guest, whose attempts are not rated.
    *optional(Double, "before", "after", "puzzle_before", "puzzle_after"),
    Index(None, "person", "at"),
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    *required(Double, "rating", "deviation", "volatility"),
    *required(Integer, "attempts", "solved"),
    Column("at", Double, nullable=False),  # of the last rated attempt
)

outages = Table(
    "outages",
    metadata,
    Column("began", Double, primary_key=True),
    Column("ended", Double, nullable=False),
)

alive = Table(
    "alive",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    CheckConstraint("id = 1", name="alive_one_row"),  # the convention adds the table once more
)

# See presence.py. A note of a process, and the seats it named.
presence_notes = Table(
    "presence_notes",
    metadata,
    Column("process", Text, primary_key=True),
    Column("at", Double, nullable=False),
)

presence = Table(
    "presence",
    metadata,
    Column("match", Text, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("process", ForeignKey("presence_notes.process"), primary_key=True, index=True),
)

discord_users = Table(
    "discord_users",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("person", ForeignKey("people.id"), nullable=False, unique=True),
)

discord_guilds = Table(
    "discord_guilds",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    # discord.GuildSettings, in its order.
    Column("role", BigInteger),
    Column("pings", Boolean, nullable=False, server_default=true()),
    Column("channel", BigInteger),
    Column("private_threads", Boolean, nullable=False, server_default=false()),
    Column("challenge_hours", Integer),
)

discord_challenges = Table(
    "discord_challenges",
    metadata,
    # discord.Challenge, in its order.
    Column("match", Text, primary_key=True),  # which is opened when it is accepted
    *required(BigInteger, "guild", "channel"),
    Column("message", BigInteger),
    *required(BigInteger, "challenger", "opponent"),
    Column("terms", Text, nullable=False),  # JSON
    Column("status", Text, nullable=False, index=True),
    *required(Double, "created_at", "expires_at"),
    Column("settled_at", Double),
)

discord_duels = Table(
    "discord_duels",
    metadata,
    # discord.ShownDuel, in its order.
    Column("match", ForeignKey("matches.id"), primary_key=True),
    *required(BigInteger, "guild", "channel"),
    Column("starter", BigInteger),
    Column("thread", BigInteger, index=True),
    *optional(BigInteger, "message", "red", "blue"),
    *required(Integer, "game", "round"),
    Column("stage", Text, nullable=False),
    Column("thread_state", Text, nullable=False, server_default="open"),
    Column("reminded", Text, nullable=False, server_default=""),
    Index(None, "stage", "guild"),
)
