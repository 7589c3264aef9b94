"""Which players are connected, noted by each server process."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "presence_notes",
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("process", name="presence_notes_key"),
    )
    op.create_table(
        "presence",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["process"], ["presence_notes.process"], name="presence_process_of_presence_notes"
        ),
        sa.PrimaryKeyConstraint("match", "seat", "process", name="presence_key"),
    )
    op.create_index("presence_process", "presence", ["process"], unique=False)
