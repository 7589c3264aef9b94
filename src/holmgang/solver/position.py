"""What is known of a state, in words: for people, programs and players."""

from dataclasses import dataclass

from holmgang.engine.mix import Mix
from holmgang.games.ruleset import Ruleset
from holmgang.solver.finding import Finding


@dataclass(frozen=True)
class Position:
    """The value of a state to red, what comes of it, and how each seat should choose.

    A seat with nothing to choose has an empty mix. `low` and `high` are proven bounds of the value;
    it is exact where they meet. `depth` is how many rounds were looked ahead, 0 where the answer
    comes from a table.
    """

    value: float
    win: float
    draw: float
    loss: float
    red: Mix
    blue: Mix
    low: float = -1.0
    high: float = 1.0
    depth: int = 0

    @property
    def is_exact(self) -> bool:
        return self.high - self.low < EXACT


EXACT = 1e-4  # what all tables keep: the loosest is that of Fencing's league 1


def judged(value: float, decided: float) -> tuple[float, float, float]:
    """The chances of a win, a draw and a loss, from the value and the chance that anyone wins."""
    win, loss = (min(1.0, max(0.0, (decided + side * value) / 2)) for side in (1, -1))
    return win, max(0.0, 1 - win - loss), loss


def in_words(ruleset: Ruleset, finding: Finding) -> Position:
    """A finding as a position. It does not say how often a duel is drawn: if it is proven that
    nobody wins, always; otherwise it is taken that someone does.
    """
    decided = abs(finding.value) if finding.low == finding.high else 1.0
    red, blue = (
        {ruleset.game.notation.format_choice(ruleset.rules, c): p for c, p in mix.items()}
        for mix in (finding.red, finding.blue)
    )
    return Position(
        finding.value,
        *judged(finding.value, decided),
        red,
        blue,
        finding.low,
        finding.high,
        finding.depth,
    )
