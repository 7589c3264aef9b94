"""Whether a server wants pings, and of which round its players have been reminded."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column(
        "discord_guilds",
        sa.Column("pings", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.add_column(
        "discord_duels", sa.Column("reminded", sa.Text(), nullable=False, server_default="")
    )
