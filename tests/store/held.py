"""A writer that is kept busy."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.patience import PATIENCE

from holmgang.store import Store


@contextmanager
def held(store: Store) -> Iterator[None]:
    """What is submitted inside waits, and shares one commit afterwards."""
    inside, leave = threading.Event(), threading.Event()

    def wait(_connection: object) -> None:
        inside.set()
        assert leave.wait(PATIENCE)

    done = store._writer.submit(wait)
    assert inside.wait(PATIENCE)
    try:
        yield
    finally:
        leave.set()
        done.result()
