"""The digest of the rules that a puzzle was made from."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("puzzles", sa.Column("rules_code", sa.Text(), nullable=False, server_default=""))
