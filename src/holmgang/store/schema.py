"""The tables, for SQLite and PostgreSQL alike.

A match is its rows in `events`; its row in `matches` is derived from them, for lists. A change here
needs a migration in `migrations/versions/`; a test compares the two.
"""

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
)

metadata = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "uq": "%(table_name)s_%(column_0_N_name)s_unique",
        "ck": "%(table_name)s_%(constraint_name)s",
        "fk": "%(table_name)s_%(column_0_N_name)s_of_%(referred_table_name)s",
        "pk": "%(table_name)s_key",
    }
)

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
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    # log.Summary, in its order.
    Column("status", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("wins_needed", Integer, nullable=False),
    Column("seconds", Integer),
    Column("red_person", ForeignKey("people.id")),
    Column("blue_person", ForeignKey("people.id")),
    Column("red_name", Text),
    Column("blue_name", Text),
    Column("red_kind", Text),
    Column("blue_kind", Text),
    Column("red_wins", Integer, nullable=False),
    Column("blue_wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("winner", Text),
    Column("reason", Text),
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
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
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
    Column("before", Double, nullable=False),
    Column("after", Double, nullable=False),
    Column("at", Double, nullable=False),
    Index(None, "person", "game", "at"),
)

puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("state", Text, nullable=False),  # JSON
    Column("right_count", Integer, nullable=False),
    Column("tolerance", Double, nullable=False),
    Column("source", Text, nullable=False),
    Column("solution", Text, nullable=False),  # JSON
    Column("judging", Integer, nullable=False, server_default="1"),  # see `puzzles.JUDGING`
    Column("rules_code", Text, nullable=False, server_default=""),  # `Ruleset.code`
    Column("created_at", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
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
    # The person's rating and the puzzle's; none of a guest, whose attempts are not rated.
    Column("before", Double),
    Column("after", Double),
    Column("puzzle_before", Double),
    Column("puzzle_after", Double),
    Index(None, "person", "at"),
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
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
    CheckConstraint("id = 1", name="one_row"),
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
    Column("role", BigInteger),
)

discord_challenges = Table(
    "discord_challenges",
    metadata,
    # discord.Challenge, in its order.
    Column("match", Text, primary_key=True),  # which is opened when it is accepted
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger),
    Column("challenger", BigInteger, nullable=False),
    Column("opponent", BigInteger, nullable=False),
    Column("terms", Text, nullable=False),  # JSON
    Column("status", Text, nullable=False, index=True),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)

discord_duels = Table(
    "discord_duels",
    metadata,
    # discord.ShownDuel, in its order.
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("starter", BigInteger),
    Column("thread", BigInteger, index=True),
    Column("message", BigInteger),
    Column("red", BigInteger),
    Column("blue", BigInteger),
    Column("game", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("stage", Text, nullable=False),
    Column("is_lost", Boolean, nullable=False),
    Index(None, "stage", "guild"),
)
