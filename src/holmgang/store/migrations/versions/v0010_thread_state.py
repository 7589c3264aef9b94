"""Why the thread of a duel is closed to the Discord bot, instead of only that it is."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column(
        "discord_duels", sa.Column("thread_state", sa.Text(), nullable=False, server_default="open")
    )
    # The reason was not stored. The bot tries these again, and learns which of them are deleted.
    op.execute("UPDATE discord_duels SET thread_state = 'forbidden' WHERE is_lost")
    op.drop_column("discord_duels", "is_lost")
