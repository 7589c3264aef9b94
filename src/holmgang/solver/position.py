"""What is known of a state, in words: for people, programs and players."""

from dataclasses import dataclass

from holmgang.engine.mix import Mix
from holmgang.games.ruleset import Ruleset
from holmgang.solver.finding import Finding, is_exact


@dataclass(frozen=True)
class Position:
    """The value of a state to red, and how each seat should choose.

    `win`, `draw` and `loss` are red's chances if both seats play their mixes, here and in every
    later state; None where they are not known. A seat with nothing to choose has an empty mix.
    `low` and `high` are proven bounds of the value. `depth` is the number of rounds that were
    looked ahead, 0 where the answer comes from a table.
    """

    value: float
    win: float | None
    draw: float | None
    loss: float | None
    red: Mix
    blue: Mix
    low: float = -1.0
    high: float = 1.0
    depth: int = 0

    @property
    def is_exact(self) -> bool:
        return is_exact(self.low, self.high)


def judged(value: float, decided: float) -> tuple[float, float, float]:
    """The chances of a win, a draw and a loss, from the value and the chance that anyone wins."""
    win, loss = (min(1.0, max(0.0, (decided + side * value) / 2)) for side in (1, -1))
    return win, max(0.0, 1 - win - loss), loss


def in_words(ruleset: Ruleset, finding: Finding) -> Position:
    """A finding as a position."""
    red, blue = (
        {ruleset.word(c): p for c, p in mix.items()} for mix in (finding.red, finding.blue)
    )
    win = draw = loss = None
    if finding.decided is not None:
        win, draw, loss = judged(finding.value, finding.decided)
    return Position(
        finding.value, win, draw, loss, red, blue, finding.low, finding.high, finding.depth
    )
