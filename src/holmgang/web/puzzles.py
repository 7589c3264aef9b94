"""The first puzzles of a server, made once its tables are built, while it is idle."""

import json
import logging
import tempfile
import threading

from holmgang.analysis.puzzles.keeping import new_row
from holmgang.analysis.puzzles.puzzle import Puzzle
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load
from holmgang.machine import start_module
from holmgang.solver.tables import find_table
from holmgang.store import Store, StoreError
from holmgang.web.tables import CHECK_EVERY, make_idle

FIRST_BATCH = 30  # of each game
SEED = 1  # the same each time, so that a batch that was interrupted is completed

log = logging.getLogger(__name__)


class PuzzleMaker:
    """Makes puzzles in processes that run only when a core is idle."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def make_all(self, stopping: threading.Event) -> None:
        """Makes the first batch of every game that has a table and no puzzles yet."""
        for name in CATALOGUE:
            ruleset = load(name)
            try:
                if name not in self._store.puzzles.counts() and find_table(ruleset) is not None:
                    self._make(ruleset, stopping)
            except StoreError as error:
                log.warning("no puzzles of %s were kept: %s", name, error)
            if stopping.is_set():
                return

    def _make(self, ruleset: Ruleset, stopping: threading.Event) -> None:
        with tempfile.TemporaryFile() as out:
            words = ruleset.text, str(FIRST_BATCH), str(SEED)
            process = start_module("holmgang.analysis.puzzles", *words, stdout=out)
            make_idle(process.pid)
            while process.poll() is None:
                if stopping.wait(CHECK_EVERY):
                    process.terminate()
                    process.wait()
                    return
            out.seek(0)
            found = [Puzzle.from_json(json.loads(line)) for line in out]
        added = self._store.puzzles.add([new_row(puzzle) for puzzle in found])
        log.info("puzzles made", extra={"event": {"ruleset": ruleset.text, "puzzles": added}})
