"""`Puzzle`: a position, the seat to choose for, and the proven solution.

A choice puzzle asks for a choice that loses nothing against any optimal mix of the other side. A
mix puzzle asks for a mix that loses little against the best reply. All values are those of the seat
that is asked.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from holmgang.engine.mix import Mix
from holmgang.games.contract import BLUE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import JsonObject
from holmgang.store.puzzles import JUDGING

ID_LENGTH = 12

Kind = Literal["choice", "mix"]


class PuzzleSolution(NamedTuple):
    """The proven solution of a puzzle, keyed by the words of choices."""

    value: float
    mine: Mix
    """The equilibrium mix of the seat that is asked, with every choice on its menu."""
    theirs: Mix
    """The same of the other seat; empty if it has nothing to choose."""
    worth: dict[str, float]
    """What each choice is worth against the optimal mix of the other side that favours it most."""
    payoffs: dict[str, dict[str, float]]
    """What each choice is worth against each reply; in a choice puzzle, against those in the mix.
    The reply of a seat with nothing to choose is the empty word.
    """
    natural: str
    """The natural choice, which is wrong; empty in a mix puzzle."""

    def cost(self, word: str) -> float:
        """The least that a choice loses against any optimal mix of the other side."""
        return max(0.0, self.value - self.worth[word])


class PuzzleQuestion(NamedTuple):
    """The part of a puzzle that may be shown before the answer; nothing of the solution."""

    id: str
    ruleset: str
    kind: Kind
    seat: str
    state: JsonObject
    right_count: int
    """Number of right choices; 0 in a mix puzzle."""
    tolerance: float
    """What a mix may lose; 0 in a choice puzzle."""
    source: str
    """Where the position is from: `table` or `duel`."""
    rating: float
    """How difficult it looks; people's attempts change it."""


@dataclass(frozen=True)
class Puzzle:
    question: PuzzleQuestion
    solution: PuzzleSolution

    @cached_property
    def ruleset(self) -> Ruleset:
        return load(self.question.ruleset)

    @cached_property
    def state(self) -> State:
        return self.ruleset.parse_json(self.question.state)

    @property
    def seat(self) -> int:
        return SEATS.index(self.question.seat)

    @property
    def right(self) -> list[str]:
        """The right choices of a choice puzzle: those that lose nothing."""
        costs = {word: self.solution.cost(word) for word in self.solution.worth}
        return [word for word, cost in costs.items() if cost < NO_COST]

    def as_json(self) -> JsonObject:
        return {**self.question._asdict(), "solution": self.solution._asdict()}

    @classmethod
    def from_json(cls, value: JsonObject) -> "Puzzle":
        """The puzzle that `as_json` wrote."""
        fields = dict(value)
        solution = PuzzleSolution(**fields.pop("solution"))
        return cls(PuzzleQuestion(**fields), solution)


NO_COST = 1e-5  # a cost that is rounding: proven bounds are closer together than 1e-6


def puzzle_id(ruleset: Ruleset, state: State, seat: int) -> str:
    """The same for a position and for its mirror image with the seats exchanged.

    >>> bagh = load("bagh")
    >>> puzzle_id(bagh, bagh.initial(), RED) == puzzle_id(bagh, bagh.initial(), BLUE)
    True
    """
    if seat == BLUE and ruleset.is_symmetric:
        state, seat = ruleset.mirror(state), RED
    told = f"{JUDGING} {ruleset.hash} {ruleset.format_text(state)} {SEATS[seat]}"
    return hashlib.sha256(told.encode()).hexdigest()[:ID_LENGTH]
