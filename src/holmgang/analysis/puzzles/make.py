"""Makes puzzles: goes through positions, keeps those that make an interesting question, and makes
sure that they differ.

Everything a puzzle claims is proven. A right choice loses nothing against any optimal mix of the
other side, so it is part of an optimal mix. A wrong choice loses at least `CLEAR` against each of
them. Positions with a choice that is neither, and those whose value the table does not prove, are
left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from math import log2

from holmgang.analysis.puzzles.natural import best_against_random, natural_choices
from holmgang.analysis.puzzles.positions import positions
from holmgang.analysis.puzzles.puzzle import (
    NO_COST,
    Kind,
    Puzzle,
    PuzzleQuestion,
    PuzzleSolution,
    puzzle_id,
)
from holmgang.analysis.puzzles.situation import Situation
from holmgang.engine.progress import Progress
from holmgang.games.contract import NO_CHOICE, SEATS, State
from holmgang.solver.evaluation import EXACT, ByChoice
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import find_table

CLEAR = 0.02  # the least cost of a wrong choice
COSTLY = 0.1  # the least cost of the natural choice
DECIDED = 0.95  # a value beyond which nothing is worth asking
MOST_RIGHT = 2  # right choices,
RIGHT_SHARE = 9  # or one of this many choices, on a large menu
MOST_EASY_PAIRS = 36  # of choices in an easy puzzle, which a beginner can look through
OBVIOUS = 0.8  # the least share that `greedy` gives the answer of an easy puzzle
PLAIN = 0.5  # the cost of every wrong choice in the easiest puzzles
EASIEST, HARDEST = 600, 1000  # ratings of easy puzzles
MOST_SLIDERS = 6  # choices of a mix puzzle, and replies to it
TOLERANCE = 0.05  # what a mix may lose
EVEN_COST = 0.1  # the least cost of choosing at random in a mix puzzle,
PURE_COST = 0.15  # and of every single choice
SAME_ANSWER = 1, 1 / 6  # of all puzzles, how many may have one answer: a few, and a part;
MIXES = 1, 2 / 5  # how many may be mix puzzles,
AS_DIFFICULT = 8, 1 / 3  # and how many about as difficult
SAME_EASY_ANSWER = 5, 0.0  # how many easy ones may have one answer
EASY_FIRST = 8  # easy puzzles, which are looked for first,
EASY_POSITIONS = 2000  # the most positions searched for them
SIMILAR = 0.05  # difference of costs, or pay-offs, up to which two puzzles are alike

REPORT_EVERY = 100  # positions


def make_puzzles(
    oracle: Oracle,
    count: int,
    seed: int,
    *,
    played: Iterable[State] = (),
    looked: Progress = lambda positions: None,
) -> Iterator[Puzzle]:
    """Up to `count` puzzles of a ruleset that has a table, from `played` states and from the table.
    The same seed and played states give the same puzzles; a larger count only adds to them.
    `looked` is called from time to time with the number of positions examined.
    """
    if not has_exact_table(oracle):
        return
    variety = Variety()
    found = positions(oracle, seed, played)
    first = list(islice(found, EASY_POSITIONS))
    for number, (ask, (state, source)) in enumerate(
        chain(
            ((easy_puzzles, position) for position in first),
            ((puzzles_of, position) for position in chain(first, found)),
        )
    ):
        if variety.count >= count:
            return
        if number % REPORT_EVERY == 0:
            looked(number)
        if ask is easy_puzzles and variety.count >= EASY_FIRST:
            continue
        for puzzle in ask(oracle, state, source):
            if variety.count < count and variety.accepts(puzzle):
                yield puzzle


def has_exact_table(oracle: Oracle) -> bool:
    """Whether there is a table that proves the value of every state."""
    table = find_table(oracle.ruleset)
    if isinstance(table, Tablebase):
        worst: float = table.header["worst_exploitability"]
        return worst < EXACT
    return table is not None and table.exploitability < EXACT


def easy_puzzles(oracle: Oracle, state: State, source: str) -> Iterator[Puzzle]:
    """The easy puzzles that a state gives: at most one for each seat."""
    for situation in situations(oracle, state):
        puzzle = easy_puzzle(situation, source)
        if puzzle is not None:
            yield puzzle


def puzzles_of(oracle: Oracle, state: State, source: str) -> Iterator[Puzzle]:
    """The other puzzles that a state gives: at most one for each seat and kind."""
    for situation in situations(oracle, state):
        if abs(situation.value) <= DECIDED:
            for ask in (choice_puzzle, mix_puzzle):
                puzzle = ask(situation, source)
                if puzzle is not None:
                    yield puzzle


def situations(oracle: Oracle, state: State) -> Iterator[Situation]:
    """The state as each seat sees it that has something to choose, if its value is proven."""
    ruleset = oracle.ruleset
    evaluation = oracle.evaluate(state, with_chances=False)
    if not evaluation.is_exact:
        return
    for seat in range(len(SEATS)):
        # Where any amount may follow a word, the menu does not list all choices.
        if len(ruleset.choices(state, seat)) > 1 and not ruleset.amounts(state, seat):
            yield Situation(oracle, state, seat, evaluation)


# Choice puzzles


def easy_puzzle(situation: Situation, source: str) -> Puzzle | None:
    """A choice puzzle for beginners; None unless the round can end the game, a look one round
    ahead finds the only right choice, and every other one costs a lot. Its natural choice is the
    best-looking wrong one.
    """
    ruleset, state, seat = situation.ruleset, situation.state, situation.seat
    replies = list(situation.theirs)
    if len(situation.mine) * len(replies) > MOST_EASY_PAIRS:
        return None
    found = max(situation.mine, key=lambda choice: situation.mine[choice])
    others = [choice for choice in situation.mine if choice != found]
    if situation.greedy.get(found, 0.0) < OBVIOUS:
        return None
    if any(situation.cost_against_mix(choice) < COSTLY for choice in others):
        return None  # much quicker than the least cost
    if not any(situation.can_end(choice) for choice in situation.mine):
        return None
    least = min(situation.cost(choice) for choice in others)
    if least < COSTLY:
        return None
    natural = best_against_random(ruleset, state, seat, others)
    rating = round(HARDEST - (HARDEST - EASIEST) * min(1.0, least / PLAIN))
    solution = solution_of(situation, replies, natural)
    return Puzzle(question_of(situation, "choice", source, 1, rating), solution)


def choice_puzzle(situation: Situation, source: str) -> Puzzle | None:
    """The choice puzzle of a situation; None unless the natural choice is wrong and costs a lot,
    and few others are right.
    """
    ruleset, state, seat = situation.ruleset, situation.state, situation.seat
    natural = max(
        (
            choice
            for choice in natural_choices(ruleset, state, seat, situation.greedy)
            if situation.cost_against_mix(choice) >= COSTLY  # much quicker than the least cost
        ),
        key=situation.cost,
        default=NO_CHOICE,
    )
    if natural == NO_CHOICE or situation.cost(natural) < COSTLY:
        return None
    costs = {choice: situation.cost(choice) for choice in situation.mine}
    right = [choice for choice in costs if situation.most_cost(choice) < NO_COST]
    wrong = [choice for choice, cost in costs.items() if cost >= CLEAR]
    most = max(MOST_RIGHT, len(costs) // RIGHT_SHARE)
    if not 1 <= len(right) <= most or len(right) + len(wrong) < len(costs):
        return None
    chance = sum(situation.greedy.get(choice, 0.0) for choice in right)
    rating = first_rating(chance, len(right) / len(costs))
    replies = [other for other, share in situation.theirs.items() if share > 0]
    solution = solution_of(situation, replies, natural)
    return Puzzle(question_of(situation, "choice", source, len(right), rating), solution)


# Mix puzzles


def mix_puzzle(situation: Situation, source: str) -> Puzzle | None:
    """The mix puzzle of a situation; None if a single choice or choosing at random is enough."""
    menu, replies = list(situation.mine), list(situation.theirs)
    if len(menu) > MOST_SLIDERS or not 1 < len(replies) <= MOST_SLIDERS:
        return None
    even = dict.fromkeys(menu, 1 / len(menu))
    if situation.cost_of_mix(even) < EVEN_COST:
        return None
    if min(situation.cost_of_mix({choice: 1.0}) for choice in menu) < PURE_COST:
        return None
    if situation.cost_of_mix(in_percent(situation.mine)) > TOLERANCE / 2:
        return None
    cost = max(0.0, situation.cost_of_mix(situation.greedy))
    rating = first_rating(max(0.0, 1 - cost / (3 * TOLERANCE)), 1 / len(menu))
    solution = solution_of(situation, replies, NO_CHOICE)
    return Puzzle(question_of(situation, "mix", source, 0, rating), solution)


def in_percent(mix: ByChoice) -> ByChoice:
    """The mix in whole percent, as sliders have it."""
    shares = {choice: round(100 * share) for choice, share in mix.items()}
    largest = max(shares, key=lambda choice: shares[choice])
    shares[largest] += 100 - sum(shares.values())
    return {choice: share / 100 for choice, share in shares.items()}


# Both


def question_of(
    situation: Situation, kind: Kind, source: str, right_count: int, rating: float
) -> PuzzleQuestion:
    ruleset, state, seat = situation.ruleset, situation.state, situation.seat
    return PuzzleQuestion(
        puzzle_id(ruleset, state, seat),
        ruleset.text,
        kind,
        SEATS[seat],
        ruleset.format_state(state),
        right_count,
        TOLERANCE if kind == "mix" else 0.0,
        source,
        rating,
    )


def solution_of(situation: Situation, replies: list[int], natural: int) -> PuzzleSolution:
    word = situation.word
    theirs = {word(other): share for other, share in situation.theirs.items() if other != NO_CHOICE}
    return PuzzleSolution(
        situation.value,
        {word(choice): share for choice, share in situation.mine.items()},
        theirs,
        {word(choice): situation.value - situation.cost(choice) for choice in situation.mine},
        {
            word(choice): {word(other): situation.pair(choice, other) for other in replies}
            for choice in situation.mine
        },
        word(natural),
    )


def first_rating(greedy: float, guess: float) -> float:
    """The estimated difficulty, from the chances that `greedy` and a random guess solve it."""
    return round(1500 + 250 * (1 - 2 * greedy) + 50 * log2(0.5 / guess))


class Variety:
    """Makes sure that puzzles differ: no position twice, nor its mirror image, nor one that is
    nearly the same for the seat that is asked; and only a limited share of similar puzzles.
    """

    def __init__(self) -> None:
        self.count = 0
        self._ids: set[str] = set()
        self._figures: dict[tuple[object, ...], list[list[float]]] = defaultdict(list)
        self._shares: Counter[object] = Counter()

    def accepts(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle adds something; if so, it is counted."""
        question, solution = puzzle.question, puzzle.solution
        if question.kind == "choice":
            answer = "easy" if question.rating <= HARDEST else "choice", *puzzle.right
            asked: tuple[object, ...] = (*answer, solution.natural, *solution.worth)
            figures = [solution.cost(word) for word in solution.worth]
        else:
            answer = question.kind, *played(solution)
            asked = question.kind, *((word, *row) for word, row in solution.payoffs.items())
            figures = [value for row in solution.payoffs.values() for value in row.values()]
        if question.id in self._ids or any(
            is_similar(figures, others) for others in self._figures[asked]
        ):
            return False
        limits: dict[tuple[object, ...], tuple[int, float]] = {
            ("rating", round(question.rating / 200)): AS_DIFFICULT,
            answer: SAME_EASY_ANSWER if answer[0] == "easy" else SAME_ANSWER,
        }
        if question.kind == "mix":
            limits[("mixes",)] = MIXES
        if any(
            self._shares[what] + 1 > few + part * (self.count + 1)
            for what, (few, part) in limits.items()
        ):
            return False
        self.count += 1
        self._ids.add(question.id)
        self._figures[asked].append(figures)
        self._shares.update(limits.keys())
        return True


def is_similar(one: list[float], other: list[float]) -> bool:
    return all(abs(mine - its) <= SIMILAR for mine, its in zip(one, other, strict=True))


def played(solution: PuzzleSolution) -> tuple[str, ...]:
    """The choices in the mix, the likeliest first."""
    mix = solution.mine
    return tuple(sorted((word for word in mix if mix[word] > 0), key=lambda word: -mix[word]))
