"""How a duel ended, in words."""

from dataclasses import dataclass

from holmgang.games.shape import JsonObject


@dataclass(frozen=True)
class Outcome:
    """`winner` is "red", "blue" or None for a draw."""

    winner: str | None
    reason: str
    points: dict[str, int] | None = None

    def as_json(self) -> JsonObject:
        ended: JsonObject = {"winner": self.winner, "reason": self.reason}
        return ended if self.points is None else {**ended, "points": self.points}
