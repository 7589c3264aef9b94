"""Finds recorded games in the folder of records, to continue or to watch them."""

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
    """One record as read from its file; it has not been replayed yet."""

    path: Path
    record: Record
    is_open: bool
    """Whether it is being played now."""

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
        """When it began, in local time."""
        try:
            return datetime.fromisoformat(str(self.record.header.get("started"))).astimezone()
        except (ValueError, OverflowError):
            return None

    @property
    def match(self) -> JsonObject:
        """The match in the header; empty if the game is not part of one."""
        match = self.record.header.get("match")
        is_whole = (
            isinstance(match, dict)
            and isinstance(match.get("name"), str)
            and MATCH_NAME.fullmatch(match["name"]) is not None
            and all(type(match.get(key)) is int and match[key] > 0 for key in GAME_FIELDS)
        )
        return match if is_whole and match is not None else {}

    def result(self) -> str:
        """The result in a few words."""
        if self.record.result is None:
            return "being played" if self.is_open else "unfinished"
        winner = self.record.result["result"]["winner"]
        reason = self.record.result["result"]["reason"]
        if reason == "abandoned":
            return "abandoned"
        return "draw" if winner is None else f"{winner.capitalize()} wins"


GAME_FIELDS = ("game", "wins_needed")
MATCH_NAME = re.compile(r"[A-Za-z0-9._-]{1,200}")
"""Part of a file name, so it must not lead to another folder."""


@dataclass(frozen=True)
class SavedMatch:
    """A match so far, with every game replayed and checked."""

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
        """Whether it has begun and is not over."""
        has_begun = bool(self.match.outcomes or self.duel.rounds)
        return has_begun and not self.match.is_over


def recent_games(folder: Path | None, most: int = MOST_LISTED) -> list[SavedGame]:
    """The newest records, newest first. Files that are not records are skipped."""
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
    """The files that may be records, last changed first; none without a folder."""
    try:
        paths = list(records_folder(folder).glob("*.jsonl"))
        return sorted(paths, key=changed_ns, reverse=True)
    except (OSError, UsageError):
        return []


def changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # a broken link, or just removed
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
    """The match to which the record belongs. Raises `RecordError` or `ReplayError` if one of its
    games is missing or invalid.
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
            raise RecordError(f"{game} uses different rules from the first game of the match")
        if not duel.is_over and number < len(paths):
            raise RecordError(f"{game} is unfinished, although the match has later games")
    return SavedMatch(header["name"], paths, match, names_of(read[-1]), players_of(read[-1]))
