"""The durable log of matches, and people, puzzles and ratings: the only place that knows SQL.

Start with `Store.open`. The store does not know what the events of a match mean.
"""

from holmgang.errors import Conflict, NameTaken, StoreError, UploadsFull
from holmgang.store.discord import Challenge, GuildSettings, ShownDuel, ThreadState
from holmgang.store.log import MatchSummary, RatedResult, StoredEvent
from holmgang.store.matches import MatchRow
from holmgang.store.people import Person
from holmgang.store.puzzles import Attempt, NewPuzzle, PuzzleRow
from holmgang.store.ratings import PuzzleRating, Rating
from holmgang.store.store import Store
from holmgang.store.writer import StoreStats

__all__ = [
    "Attempt",
    "Challenge",
    "Conflict",
    "GuildSettings",
    "MatchRow",
    "MatchSummary",
    "NameTaken",
    "NewPuzzle",
    "Person",
    "PuzzleRating",
    "PuzzleRow",
    "RatedResult",
    "Rating",
    "ShownDuel",
    "Store",
    "StoreError",
    "StoreStats",
    "StoredEvent",
    "ThreadState",
    "UploadsFull",
]
