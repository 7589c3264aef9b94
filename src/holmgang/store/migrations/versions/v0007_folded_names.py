"""Names of accounts that read alike are kept apart from now on."""

import sqlalchemy as sa
from alembic import op

from holmgang.store.folding import fold

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("people", sa.Column("folded_name", sa.Text(), nullable=True))
    people = sa.table(
        "people",
        sa.column("id", sa.Integer),
        sa.column("name", sa.Text),
        sa.column("password_hash", sa.Text),
        sa.column("folded_name", sa.Text),
    )
    connection = op.get_bind()
    accounts = connection.execute(
        sa.select(people.c.id, people.c.name)
        .where(people.c.password_hash.is_not(None))
        .order_by(people.c.id)
    ).all()
    taken: set[str] = set()
    for person, name in accounts:
        key = fold(name)
        if key in taken:
            key = f"{key} {person}"  # has no spaces otherwise: the account keeps its name
        taken.add(key)
        connection.execute(sa.update(people).where(people.c.id == person).values(folded_name=key))
    op.create_index("people_folded_name", "people", ["folded_name"], unique=True)
