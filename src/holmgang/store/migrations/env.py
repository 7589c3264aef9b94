"""Runs migrations in the transaction that `migrating.py` has begun. Alembic loads this file."""

from alembic import context

from holmgang.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # also on SQLite: a migration happens as a whole or not at all
    render_as_batch=True,  # SQLite changes columns by copying the table
)
context.run_migrations()
