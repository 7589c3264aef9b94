"""The version of the way in which a puzzle was judged."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("puzzles", sa.Column("judging", sa.Integer(), nullable=False, server_default="1"))
