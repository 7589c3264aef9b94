"""The habits of an opponent, as the level `exploiter` and the better graded levels notice them."""

from collections.abc import Sequence
from math import exp, log

from holmgang.games.contract import NO_CHOICE
from holmgang.solver.evaluation import ByChoice

SLIP = 0.05  # how often an opponent who plays the best mix chooses at random
PRIOR = (0.6, 0.2, 0.2)  # prior probability of each kind: best mix, random, own habits
PSEUDO_COUNT = 0.5  # of each choice in the habits
REPETITIONS = 1.0  # pseudo-counts of all choices together, so that one repetition is noticed


class Habits:
    """Predicts an opponent's choices from its earlier ones.

    There are several kinds of opponent: one plays the best mix with slips, one chooses at random,
    one makes each choice as often as it did so far, and one as often as it did so far after its
    previous choice. Their predictions are weighted by how well each has predicted so far.
    """

    def __init__(self, prior: Sequence[float] = PRIOR) -> None:
        """`prior` is the probability of each kind; the last kinds may be omitted."""
        self._seen: ByChoice = {}
        self._last = NO_CHOICE
        self._followed: dict[int, ByChoice] = {}
        """For each choice, how often each choice followed it."""
        self._scores = [log(share) for share in prior]

    def _kinds(self, slipping: ByChoice) -> list[ByChoice]:
        """The prediction of each kind, given the prediction of the first."""
        even = dict.fromkeys(slipping, 1 / len(slipping))
        kinds = [slipping, even]
        unseen = self._unseen(slipping)
        for seen in (self._seen, self._followed.get(self._last, {})):
            counts = {choice: seen.get(choice, 0.0) + count for choice, count in unseen.items()}
            total = sum(counts.values())
            kinds.append({choice: count / total for choice, count in counts.items()})
        return kinds[: len(self._scores)]

    def _unseen(self, slipping: ByChoice) -> ByChoice:
        """The pseudo-counts of the habits."""
        return dict.fromkeys(slipping, PSEUDO_COUNT)

    def note(self, choice: int, best: ByChoice) -> None:
        """Learns from a choice of the opponent in a state with this best mix."""
        if choice in best:
            for kind, mix in enumerate(self._kinds(with_slips(best))):
                self._scores[kind] += log(mix[choice])
        for seen in (self._seen, self._followed.setdefault(self._last, {})):
            seen[choice] = seen.get(choice, 0.0) + 1
        self._last = choice

    def guess(self, best: ByChoice) -> ByChoice:
        """The opponent's next mix, in a state with this best mix."""
        return self._weigh(self._kinds(with_slips(best)))

    def _weigh(self, kinds: Sequence[ByChoice]) -> ByChoice:
        weights = [exp(score - max(self._scores)) for score in self._scores]
        return {
            choice: sum(w * mix[choice] for w, mix in zip(weights, kinds, strict=True))
            / sum(weights)
            for choice in kinds[0]
        }


class Repetitions(Habits):
    """Notices only repetitions: without them the opponent is expected to play the best mix, even if
    it seems to choose at random.
    """

    def _unseen(self, slipping: ByChoice) -> ByChoice:
        return {choice: REPETITIONS * share for choice, share in slipping.items()}

    def guess(self, best: ByChoice) -> ByChoice:
        return self._weigh([best, best, *self._kinds(best)[2:]])


def with_slips(best: ByChoice) -> ByChoice:
    return {choice: (1 - SLIP) * share + SLIP / len(best) for choice, share in best.items()}
