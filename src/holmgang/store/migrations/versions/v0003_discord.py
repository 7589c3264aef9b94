"""What the Discord bot remembers."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "discord_users",
        sa.Column("user", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="discord_users_person_of_people"),
        sa.PrimaryKeyConstraint("user", name="discord_users_key"),
        sa.UniqueConstraint("person", name="discord_users_person_unique"),
    )
    op.create_table(
        "discord_guilds",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild", name="discord_guilds_key"),
    )
    op.create_table(
        "discord_challenges",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("match", name="discord_challenges_key"),
    )
    op.create_index("discord_challenges_status", "discord_challenges", ["status"], unique=False)
    op.create_table(
        "discord_duels",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("starter", sa.BigInteger(), nullable=True),
        sa.Column("thread", sa.BigInteger(), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("red", sa.BigInteger(), nullable=True),
        sa.Column("blue", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("is_lost", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="discord_duels_match_of_matches"),
        sa.PrimaryKeyConstraint("match", name="discord_duels_key"),
    )
    op.create_index("discord_duels_stage_guild", "discord_duels", ["stage", "guild"], unique=False)
    op.create_index("discord_duels_thread", "discord_duels", ["thread"], unique=False)
