"""The settings of a Discord server, and when a challenge was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("discord_guilds", sa.Column("channel", sa.BigInteger()))
    op.add_column(
        "discord_guilds",
        sa.Column("private_threads", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("discord_guilds", sa.Column("challenge_hours", sa.Integer()))
    op.add_column("discord_challenges", sa.Column("settled_at", sa.Double()))
