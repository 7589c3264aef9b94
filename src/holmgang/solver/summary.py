"""The result of solving a ruleset."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject


class Counted(Enum):
    """Which states of a ruleset were solved and counted."""

    REACHABLE = "reachable"
    """Those that the game can reach."""
    ALL_PLACES = "all places"
    """By layers: every place at every score and turn, including some that cannot be reached."""


@dataclass(frozen=True)
class SolveResult:
    """The result of `solve`. Values are to red, from the start of the game."""

    ruleset: Ruleset
    states: int
    counted: Counted
    value: float
    exploitability: float
    """The most that both sides together can gain by leaving their mixes."""
    compute_seconds: float
    path: Path
    bytes: int
    sweeps: int = 1
    worst_exploitability: float | None = None
    """The largest exploitability of any state; None for a game that is solved by layers."""

    def as_json(self) -> JsonObject:
        """As `holmgang solve --json` prints it."""
        worst = self.worst_exploitability
        return {
            "ruleset": self.ruleset.text,
            "states": self.states,
            "counted": self.counted.value,
            "value": self.value,
            "exploitability": self.exploitability,
            **({} if worst is None else {"worst_exploitability": worst}),
            "sweeps": self.sweeps,
            "compute_seconds": self.compute_seconds,
            "file": str(self.path),
            "bytes": self.bytes,
        }
