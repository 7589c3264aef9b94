"""Devices on which people have signed in."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "devices",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="devices_person_of_people"),
        sa.PrimaryKeyConstraint("token_hash", "person", name="devices_key"),
    )
    op.create_index("devices_person", "devices", ["person"], unique=False)
    op.create_index("devices_created_at", "devices", ["created_at"], unique=False)
