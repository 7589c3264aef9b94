"""Games that were played before, found again in the folder of records: to continue or to watch."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from holmgang.engine import record as records
from holmgang.engine.duel import Duel
from holmgang.engine.frames import names_of, players_of
from holmgang.engine.keeping import game_file, records_folder
from holmgang.engine.match import Match
from holmgang.engine.record import Record
from holmgang.errors import HolmgangError, RecordError, UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject

MOST_LISTED = 50


@dataclass(frozen=True)
class SavedGame:
    """One record, as its file has it; nothing is played again yet."""

    path: Path
    record: Record
    is_open: bool
    """Whether someone is playing it just now."""

    @property
    def ruleset(self) -> Ruleset:
        return self.record.ruleset

    @property
    def names(self) -> dict[str, str]:
        return names_of(self.record)

    @property
    def players(self) -> dict[str, str]:
        return players_of(self.record)

    @property
    def started(self) -> datetime | None:
        """When it began, by the clock of this place."""
        try:
            return datetime.fromisoformat(str(self.record.header.get("started"))).astimezone()
        except (ValueError, OverflowError):
            return None

    @property
    def match(self) -> JsonObject:
        """What the header says of the match; empty for a game that belongs to none."""
        match = self.record.header.get("match")
        is_whole = (
            isinstance(match, dict)
            and isinstance(match.get("name"), str)
            and MATCH_NAME.fullmatch(match["name"]) is not None
            and all(type(match.get(key)) is int and match[key] > 0 for key in GAME_FIELDS)
        )
        return match if is_whole and match is not None else {}

    def result(self) -> str:
        """How it ended, in a few words."""
        if self.record.result is None:
            return "being played" if self.is_open else "unfinished"
        winner = self.record.result["result"]["winner"]
        reason = self.record.result["result"]["reason"]
        if reason == "abandoned":
            return "abandoned"
        return "draw" if winner is None else f"{winner.capitalize()} wins"


GAME_FIELDS = ("game", "wins_needed")
MATCH_NAME = re.compile(r"[A-Za-z0-9._-]{1,200}")
"""Part of a file's name: it leads to no other folder."""


@dataclass(frozen=True)
class SavedMatch:
    """A match as far as it has come, every game of it played again and checked."""

    name: str
    paths: list[Path]
    match: Match
    names: dict[str, str]
    players: dict[str, str]

    @property
    def duel(self) -> Duel:
        """The last game."""
        return self.match.games[-1]

    @property
    def is_unfinished(self) -> bool:
        """Whether something has been played, and something is left to play."""
        has_begun = bool(self.match.outcomes or self.duel.rounds)
        return has_begun and not self.match.is_over


def recent_games(folder: Path | None, most: int = MOST_LISTED) -> list[SavedGame]:
    """The newest records, the newest first. What is not a record is passed over."""
    found: list[SavedGame] = []
    for path in newest_files(folder):
        try:
            record = records.read_so_far(path)
        except RecordError:
            continue
        if record.rounds or record.is_complete:
            found.append(SavedGame(path, record, records.is_locked(path)))
        if len(found) == most:
            break
    return found


def newest_files(folder: Path | None) -> list[Path]:
    """The files that may be records, by the time of their last change; none if it has no folder."""
    try:
        paths = list(records_folder(folder).glob("*.jsonl"))
        return sorted(paths, key=changed_ns, reverse=True)
    except (OSError, UsageError):
        return []


def changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # a link to nowhere, or removed a moment ago
        return 0


def unfinished_match(
    games: list[SavedGame], can_resume: Callable[[SavedMatch], bool] = lambda saved: True
) -> SavedMatch | None:
    """The newest match among these games that can be continued."""
    seen: set[str] = set()
    for game in games:
        name = game.match.get("name")
        if name is None or name in seen:
            continue
        seen.add(name)
        is_single = game.match["wins_needed"] == 1
        if game.is_open or (is_single and game.record.is_complete):
            continue
        try:
            match = read_match(game.path)
        except HolmgangError:
            continue
        if match.is_unfinished and can_resume(match):
            return match
    return None


def read_match(path: Path) -> SavedMatch:
    """The match that the record is a game of. Raises `RecordError` or `ReplayError` unless all its
    games are there and are sound.
    """
    header = SavedGame(path, records.read_so_far(path), is_open=False).match
    if not header:
        raise RecordError(f"{path} does not say which match it belongs to")
    paths: list[Path] = []
    while (here := path.parent / game_file(header["name"], len(paths) + 1)).exists():
        paths.append(here)
    if len(paths) < header["game"]:
        raise RecordError(f"{here}, another game of the same match, is missing")
    read = [records.read_so_far(game) for game in paths]
    seed = header.get("seed")
    match = Match(
        read[0].ruleset,
        seed=seed if type(seed) is int else read[0].header["seed"],
        wins_needed=header["wins_needed"],
    )
    match.games.extend(records.resume(record) for record in read)
    for number, (game, duel) in enumerate(zip(paths, match.games, strict=True), start=1):
        if duel.ruleset != match.games[0].ruleset:
            raise RecordError(f"{game} is played by other rules than the first game of the match")
        if not duel.is_over and number < len(paths):
            raise RecordError(f"{game} is unfinished, although the match has later games")
    return SavedMatch(header["name"], paths, match, names_of(read[-1]), players_of(read[-1]))
