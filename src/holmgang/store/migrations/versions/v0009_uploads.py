"""The size of uploads, and when somebody last looked at them."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "uploads",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="uploads_match_of_matches"),
        sa.PrimaryKeyConstraint("match", name="uploads_key"),
    )
    op.create_index("uploads_seen_at", "uploads", ["seen_at"], unique=False)
    op.execute(
        sa.text(
            "INSERT INTO uploads (match, size, seen_at) "
            "SELECT matches.id, SUM(LENGTH(events.body)), CAST(:now AS DOUBLE PRECISION) "
            "FROM matches JOIN events ON events.match = matches.id "
            "WHERE matches.visibility = 'uploaded' GROUP BY matches.id"
        ).bindparams(now=time.time())
    )
