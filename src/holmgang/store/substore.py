"""The base of the parts of a store, such as `store.people`: reads and writes of one subject."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeAlias, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Row, Select

from holmgang.store.database import Database

Result = TypeVar("Result")
Columns = TypeVarTuple("Columns")
# In quotes here and below, for SQLAlchemy 2.0.
AnySelect: TypeAlias = "Select[*tuple[Any, ...]]"
AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"


class Submit(Protocol):
    """Queues a change for the writer; the future resolves when it is durable."""

    def __call__(self, change: Callable[[Connection], Result], /) -> Future[Result]: ...


class Substore:
    """One subject of a store. Calls block until they are done, come from any thread, and raise
    StoreError if the database fails.
    """

    def __init__(self, database: Database, submit: Submit) -> None:
        self._database = database
        self._submit = submit

    def _write(self, change: Callable[[Connection], Result]) -> Result:
        """Runs the change in a transaction, and returns its result."""
        return self._submit(change).result()

    def _rows(self, query: "Select[*Columns]") -> "Sequence[Row[*Columns]]":
        with self._database.reading() as connection:
            return connection.execute(query).all()

    def _first(self, query: "Select[*Columns]") -> "Row[*Columns] | None":
        with self._database.reading() as connection:
            return connection.execute(query).first()

    def _count(self, query: Select[int]) -> int:
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()
