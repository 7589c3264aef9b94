"""How a duel ended, in words."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """`winner` is "red", "blue" or None for a draw."""

    winner: str | None
    reason: str
    points: dict[str, int] | None = None

    def as_json(self) -> dict[str, Any]:
        ended: dict[str, Any] = {"winner": self.winner, "reason": self.reason}
        return ended if self.points is None else {**ended, "points": self.points}
