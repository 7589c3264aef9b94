"""The folder of the records of matches, and writing them without ever interrupting play."""

import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from holmgang.engine.duel import Duel
from holmgang.engine.events import Created, Event
from holmgang.engine.record import RecordWriter
from holmgang.errors import HolmgangError, RecordError, UsageError
from holmgang.games.shape import JsonObject
from holmgang.machine import data_folder

MOST_TRIES = 20


def match_name(game: str) -> str:
    """A name that sorts by time and is unique even within a second."""
    now = datetime.now(UTC).astimezone()
    return f"{game}-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def records_folder(given: Path | None) -> Path:
    """The given folder, or holmgang/records in the user's data folder."""
    return data_folder() / "records" if given is None else given


def game_file(match: str, number: int) -> str:
    """The file of one game of a match."""
    return f"{match}-{number}.jsonl"


def check_room(folder: Path, names: list[str]) -> None:
    """Raises `UsageError` if the records cannot be written or would overwrite a file."""
    check_folder(folder, "records")
    taken = [name for name in names if (folder / name).exists()]
    if taken:
        raise UsageError(f"{folder / taken[0]} already exists: choose another folder for records")


def check_folder(folder: Path, what: str) -> None:
    """Creates the folder if needed. Raises `UsageError` if it is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {what} to {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise UsageError(f"cannot write {what} to {folder}: Permission denied")


class Recording:
    """Writes the record of a duel. If that fails, the record stops, not the duel."""

    def __init__(self, writer: RecordWriter) -> None:
        self.path = writer.path
        self.trouble: str | None = None
        self._writer = writer

    def on_event(self, duel: Duel, event: Event) -> None:
        if self.trouble is None:
            try:
                self._writer.on_event(duel, event)
            except RecordError as error:
                self.trouble = str(error)


class RecordKeeper:
    """Writes the records of the games of a match.

    If the folder cannot be written, the match goes on without records, and `trouble` says why.
    """

    def __init__(
        self,
        folder: Path | None,
        game: str,
        seats: Mapping[str, JsonObject],
        wins_needed: int,
        seed: int | None = None,
    ) -> None:
        """`seed` is that of the match, from which the seeds of its games are derived."""
        self.folder = folder
        self.paths: list[Path] = []
        self.trouble: str | None = None
        self._game = game
        self.name = match_name(game)
        self._seats = seats
        self._wins_needed = wins_needed
        self._seed = seed
        self._writer: RecordWriter | None = None

    def on_event(self, duel: Duel, event: Event) -> None:
        if self.trouble is not None:
            return
        try:
            if isinstance(event, Created):
                self._writer = self._start(duel)
            elif self._writer is not None:
                self._writer.on_event(duel, event)
        except (HolmgangError, OSError) as error:
            reason = str(error) or type(error).__name__
            self.trouble = f"This match is not recorded any further: {reason}."

    def resume(self, name: str, paths: list[Path], duel: Duel) -> None:
        """Continues the records of a match whose last game is `duel`. Raises `RecordError` if its
        record cannot be written.
        """
        self.name, self.paths = name, list(paths)
        if not duel.is_over:
            self._writer = RecordWriter(paths[-1])
            self._writer.reopen(duel)

    def close(self) -> None:
        """Closes the open record, so that it can be continued later."""
        if self._writer is not None:
            self._writer.close()

    def next_writer(self) -> RecordWriter:
        """A writer for the next game of the match."""
        number = len(self.paths) + 1
        match = {"name": self.name, "game": number, "wins_needed": self._wins_needed}
        if self._seed is not None:
            match["seed"] = self._seed
        path = records_folder(self.folder) / game_file(self.name, number)
        return RecordWriter(path, seats=self._seats, match=match)

    def _start(self, duel: Duel) -> RecordWriter:
        """A writer that has created its file, under a free name."""
        for _ in range(MOST_TRIES):
            writer = self.next_writer()
            try:
                writer.start(duel)
            except RecordError:
                if not writer.path.exists():
                    raise
                self.name = match_name(self._game)
            else:
                self.paths.append(writer.path)
                return writer
        raise RecordError("every name tried is taken")
