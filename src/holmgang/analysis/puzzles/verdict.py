"""Whether an answer to a puzzle is right, and what it loses."""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

from holmgang.analysis.puzzles.puzzle import NO_COST, Puzzle, PuzzleQuestion
from holmgang.engine.mix import Mix
from holmgang.errors import ChoiceError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load
from holmgang.games.shape import brief

ROUNDING = 1e-6  # by which the shares of a mix may miss 1

Answer = str | Mix
"""A choice, or a mix with every choice of the menu."""


class PuzzleVerdict(NamedTuple):
    is_solved: bool
    cost: float
    """Of a choice, the least against any optimal mix; of a mix, against the best reply to it."""
    reply: str
    """The best reply to a mix; empty in a choice puzzle."""


def parse_answer(question: PuzzleQuestion, given: object) -> Answer:
    """The answer in the form the puzzle asks for: a word, or shares by word that sum to 1. A choice
    that a mix leaves out has the share 0. Raises `ChoiceError`.
    """
    ruleset, seat = load(question.ruleset), SEATS.index(question.seat)
    state = ruleset.parse_json(question.state)
    if question.kind == "choice":
        return ruleset.word(ruleset.parse_choice(state, seat, given))
    if not isinstance(given, Mapping):
        raise ChoiceError(f"a mix has a share for each choice; not {brief(given)}")
    mix = dict.fromkeys(ruleset.words(state, seat), 0.0)
    for word, share in given.items():
        if word not in mix:
            raise ChoiceError(
                f"{question.seat} may not choose {brief(word)} here; choose from {', '.join(mix)}"
            )
        is_number = isinstance(share, int | float) and not isinstance(share, bool)
        if not is_number or not isfinite(share) or not 0 <= share <= 1:
            raise ChoiceError(f"the share of {word} must be between 0 and 1; not {brief(share)}")
        mix[word] = float(share)
    total = sum(mix.values())
    if abs(total - 1) > ROUNDING:
        raise ChoiceError(f"the shares of a mix sum to 1; these sum to {total:g}")
    return mix


def verdict_on(puzzle: Puzzle, answer: Answer) -> PuzzleVerdict:
    """Judges an answer that `parse_answer` has read."""
    solution = puzzle.solution
    if isinstance(answer, str):
        cost = solution.cost(answer)
        return PuzzleVerdict(cost < NO_COST, cost, "")
    replies = list(next(iter(solution.payoffs.values())))
    against = {
        reply: sum(share * solution.payoffs[word][reply] for word, share in answer.items())
        for reply in replies
    }
    reply = min(against, key=lambda each: against[each])
    cost = max(0.0, solution.value - against[reply])
    return PuzzleVerdict(cost <= puzzle.question.tolerance, cost, reply)
