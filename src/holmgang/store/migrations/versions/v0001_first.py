"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "alive",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.CheckConstraint("id = 1", name="alive_one_row"),
        sa.PrimaryKeyConstraint("id", name="alive_key"),
    )
    op.create_table(
        "outages",
        sa.Column("began", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("began", name="outages_key"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("is_guest", sa.Boolean(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="people_key"),
        sa.UniqueConstraint("name_key", name="people_name_key_unique"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("wins_needed", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=True),
        sa.Column("red_person", sa.Integer(), nullable=True),
        sa.Column("blue_person", sa.Integer(), nullable=True),
        sa.Column("red_name", sa.Text(), nullable=True),
        sa.Column("blue_name", sa.Text(), nullable=True),
        sa.Column("red_kind", sa.Text(), nullable=True),
        sa.Column("blue_kind", sa.Text(), nullable=True),
        sa.Column("red_wins", sa.Integer(), nullable=False),
        sa.Column("blue_wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("deadline", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["blue_person"], ["people.id"], name="matches_blue_person_of_people"
        ),
        sa.ForeignKeyConstraint(["red_person"], ["people.id"], name="matches_red_person_of_people"),
        sa.PrimaryKeyConstraint("id", name="matches_key"),
    )
    op.create_index(
        "matches_blue_person_created_at", "matches", ["blue_person", "created_at"], unique=False
    )
    op.create_index("matches_created_at", "matches", ["created_at"], unique=False)
    op.create_index(
        "matches_red_person_created_at", "matches", ["red_person", "created_at"], unique=False
    )
    op.create_index("matches_status_created_at", "matches", ["status", "created_at"], unique=False)
    op.create_table(
        "ratings",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="ratings_person_of_people"),
        sa.PrimaryKeyConstraint("person", "game", name="ratings_key"),
    )
    op.create_index("ratings_game_rating", "ratings", ["game", "rating"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="sessions_person_of_people"),
        sa.PrimaryKeyConstraint("token_hash", name="sessions_key"),
    )
    op.create_index("sessions_expires", "sessions", ["expires"], unique=False)
    op.create_index("sessions_person", "sessions", ["person"], unique=False)
    op.create_table(
        "events",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="events_match_of_matches"),
        sa.PrimaryKeyConstraint("match", "seq", name="events_key"),
    )
    op.create_table(
        "rating_changes",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("before", sa.Double(), nullable=False),
        sa.Column("after", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="rating_changes_match_of_matches"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="rating_changes_person_of_people"),
        sa.PrimaryKeyConstraint("match", "seat", name="rating_changes_key"),
    )
    op.create_index(
        "rating_changes_person_game_at", "rating_changes", ["person", "game", "at"], unique=False
    )
    op.execute("INSERT INTO alive (id, at) VALUES (1, 0)")
