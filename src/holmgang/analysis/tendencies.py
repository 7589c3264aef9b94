"""The tendencies of a player over several duels, compared with best play, and their possible cost.

A single round does not show whether a player is predictable. So rounds are grouped by kind of
situation: those in which the best mix consists of the same choices. In each kind the player's
frequencies are compared with those of the best mixes. An opponent who knew the frequencies could
play the best response to them in each position. The gain of that per round is an estimate, because
it is computed from the same rounds; so the gain that chance alone would show against a perfect
player, in as many rounds of the same positions, is given with it.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from holmgang.analysis.analyse import Analysis
from holmgang.analysis.grade import RoundGrade
from holmgang.engine.mix import Mix
from holmgang.errors import UsageError
from holmgang.games.contract import NO_CHOICE, RED, SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.solver.evaluation import ByChoice

RARE = 0.05  # a share that does not make another kind of situation
MOST_NAMED = 10  # players in a message
FEWEST = 5  # rounds of a kind that is shown by itself
REPEATS = 200  # perfect players that are imagined
SEED = 1

Seen = tuple[int, RoundGrade]
"""A round and the seat of the player in it."""


@dataclass
class SituationRounds:
    """The rounds of one kind of situation."""

    situation: str
    choices: list[str]
    """Those of the best mixes; empty where these differ from round to round."""
    rounds: list[Seen]
    frequencies: Mix = field(default_factory=dict)
    equilibrium: Mix = field(default_factory=dict)
    """The mean of the best mixes."""
    error: float = 0.0
    """Lost by errors, per round."""
    gain: float | None = None
    """Gain per round of an opponent who knew the frequencies; None where the right choices differ
    from round to round, so that frequencies alone say nothing."""
    gain_by_chance: float | None = None
    """The same against a perfect player, on average."""
    gain_limit: float | None = None
    """The 95th percentile of the same against perfect players."""

    def as_json(self) -> JsonObject:
        return {
            "situation": self.situation,
            "choices": self.choices,
            "rounds": len(self.rounds),
            "frequencies": self.frequencies,
            "equilibrium": self.equilibrium,
            "error": self.error,
            "gain": self.gain,
            "gain_by_chance": self.gain_by_chance,
            "gain_limit": self.gain_limit,
        }


@dataclass(frozen=True)
class Tendencies:
    """A player over several duels."""

    player: str
    ruleset: Ruleset
    duels: int
    rounds: int
    is_exact: bool
    accuracy: float | None
    """None where worths of choices are estimates."""
    error: float
    """Lost by errors in all duels together."""
    opponent_error: float
    """Lost by errors of the opponents."""
    luck: float
    """What the player gained by luck in all duels together."""
    score: float
    """Of the duels that have a result, from −1 to 1 each, together."""
    kinds: list[SituationRounds]

    @property
    def gain(self) -> float | None:
        """Gain of an opponent who knew the frequencies, per round of the situations for which it is
        known; None without any.
        """
        known = [kind for kind in self.kinds if kind.gain is not None]
        rounds = sum(len(kind.rounds) for kind in known)
        total = sum((kind.gain or 0.0) * len(kind.rounds) for kind in known)
        return total / rounds if rounds else None

    def as_json(self) -> JsonObject:
        return {
            "player": self.player,
            "ruleset": self.ruleset.text,
            "duels": self.duels,
            "rounds": self.rounds,
            "exact": self.is_exact,
            "accuracy": self.accuracy,
            "error": self.error,
            "opponent_error": self.opponent_error,
            "luck": self.luck,
            "score": self.score,
            "gain": self.gain,
            "kinds": [kind.as_json() for kind in self.kinds],
        }


def tendencies_of(player: str, analyses: Iterable[Analysis]) -> Tendencies:
    """The tendencies of a player, by name in any case. Duels without the player are ignored.

    Raises `UsageError` if the player is in none, or the duels are not all of one ruleset.
    """
    everyone = [
        (analysis.players[name], seat, analysis)
        for analysis in analyses
        for seat, name in enumerate(SEATS)
    ]
    found = [
        (seat, analysis)
        for name, seat, analysis in everyone
        if name.casefold() == player.casefold()
    ]
    if not found:
        there = ", ".join(sorted({name for name, _, _ in everyone})[:MOST_NAMED])
        raise UsageError(f"no record has a player called {brief(player)}; the players are {there}")
    rulesets = list(dict.fromkeys(analysis.ruleset.text for _, analysis in found))
    if len(rulesets) > 1:
        raise UsageError(f"the records must be of one ruleset; these are of {', '.join(rulesets)}")
    return tendencies_in(player, found)


def tendencies_in(player: str, found: Sequence[tuple[int, Analysis]]) -> Tendencies:
    """The tendencies of a player whose seat in each duel is known. All are of one ruleset."""
    seen = [
        (seat, graded)
        for seat, analysis in found
        for graded in analysis.rounds
        if graded.choice(seat) != NO_CHOICE
    ]
    is_exact = all(analysis.has_exact_worths for _, analysis in found)
    stake = sum(graded.stake(seat) for seat, graded in seen)
    lost = sum(graded.error(seat) for seat, graded in seen)
    return Tendencies(
        player,
        found[0][1].ruleset,
        duels=len(found),
        rounds=len(seen),
        is_exact=is_exact,
        accuracy=None if not is_exact else 100 * (1 - lost / stake) if stake > 1e-6 else 100.0,
        error=lost,
        opponent_error=sum(
            graded.error(1 - seat) for seat, analysis in found for graded in analysis.rounds
        ),
        luck=sum(
            side_of(seat) * (analysis.totals["meeting_luck"] + analysis.totals["dice_luck"])
            for seat, analysis in found
        ),
        score=sum(side_of(seat) * (analysis.result or 0.0) for seat, analysis in found),
        kinds=kinds_of(seen),
    )


def kinds_of(seen: list[Seen]) -> list[SituationRounds]:
    """The rounds by kind of situation, the most frequent first."""
    by_choices: dict[tuple[str, ...], list[Seen]] = defaultdict(list)
    for seat, graded in seen:
        by_choices[right_choices(seat, graded)].append((seat, graded))
    kinds = [
        SituationRounds(f"mixes of {named(choices)}", list(choices), rounds)
        for choices, rounds in by_choices.items()
        if len(choices) > 1 and len(rounds) >= FEWEST
    ]
    left = {choices: rounds for choices, rounds in by_choices.items() if len(rounds) < FEWEST}
    single = [
        each for choices, rounds in by_choices.items() if len(choices) == 1 for each in rounds
    ]
    others = [each for choices, rounds in left.items() if len(choices) > 1 for each in rounds]
    kinds += [SituationRounds("one right choice", [], single)] if single else []
    kinds.sort(key=lambda kind: -len(kind.rounds))
    kinds += [SituationRounds("other mixes", [], others)] if others else []
    for kind in kinds:
        describe(kind)
    return kinds


def right_choices(seat: int, graded: RoundGrade) -> tuple[str, ...]:
    """The choices of the best mix by their words."""
    mix, ruleset = mix_of(seat, graded), graded.before.ruleset
    return tuple(ruleset.word(choice) for choice, share in mix.items() if share >= RARE)


def mix_of(seat: int, graded: RoundGrade) -> ByChoice:
    return (graded.before.solution.red, graded.before.solution.blue)[seat]


def describe(kind: SituationRounds) -> None:
    """Fills in the figures."""
    rounds = kind.rounds
    made = Counter(graded.before.ruleset.word(graded.choice(seat)) for seat, graded in rounds)
    should: Counter[str] = Counter()
    for seat, graded in rounds:
        for choice, share in mix_of(seat, graded).items():
            should[graded.before.ruleset.word(choice)] += share  # type: ignore[assignment]
    count = len(rounds)
    words = [word for word in should if made[word] or should[word] > 0.005 * count]
    words += [word for word in made if word not in words]
    kind.frequencies = {word: made[word] / count for word in words}
    kind.equilibrium = {word: should[word] / count for word in words}
    kind.error = sum(graded.error(seat) for seat, graded in rounds) / count
    if kind.choices:
        rows = [payoff_rows(seat, graded) for seat, graded in rounds]
        values = [side_of(seat) * graded.value_before for seat, graded in rounds]
        kind.gain = mean_gain(rows, values, [graded.choice(seat) for seat, graded in rounds])
        rng = random.Random(SEED)
        mixes = [mix_of(seat, graded) for seat, graded in rounds]
        imagined = sorted(
            mean_gain(rows, values, [rng.choices([*mix], [*mix.values()])[0] for mix in mixes])
            for _ in range(REPEATS)
        )
        kind.gain_by_chance = sum(imagined) / REPEATS
        kind.gain_limit = imagined[round(0.95 * (REPEATS - 1))]


# What an opponent could gain

Rows = Callable[[int], list[float] | None]
"""The worth of a choice to the player against each reply; None if it is not legal."""


def payoff_rows(seat: int, graded: RoundGrade) -> Rows:
    game, side = graded.before.game, side_of(seat)

    @cache
    def row(choice: int) -> list[float] | None:
        if choice not in game.menus[seat]:
            return None
        replies = game.menus[1 - seat]
        if seat == RED:
            return [side * game.entry(choice, reply) for reply in replies]
        return [side * game.entry(reply, choice) for reply in replies]

    return row


def mean_gain(rows: list[Rows], values: list[float], made: list[int]) -> float:
    """The mean gain of the best responses to the frequencies of these choices, over positions with
    these values to the player.
    """
    counted = Counter(made)
    total = 0.0
    for row, value in zip(rows, values, strict=True):
        legal = [(each, n) for choice, n in counted.items() if (each := row(choice)) is not None]
        count = sum(n for _, n in legal)
        worths = (sum(n * worth for n, worth in column) for column in columns(legal))
        total += max(0.0, value - min(worths) / count)
    return total / len(rows)


def columns(legal: list[tuple[list[float], int]]) -> Iterator[list[tuple[int, float]]]:
    """For each reply, how often each choice was made and what it is worth against that reply."""
    counts = [n for _, n in legal]
    for worths in zip(*(row for row, _ in legal), strict=True):
        yield list(zip(counts, worths, strict=True))


def side_of(seat: int) -> int:
    """The factor that turns a value to red into a value to that seat."""
    return 1 if seat == RED else -1


def named(choices: Iterable[str]) -> str:
    return ", ".join(word.replace("_", " ") for word in choices)
