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
from functools import cache

from holmgang.analysis.analyse import Analysis
from holmgang.analysis.grade import RoundGrade
from holmgang.errors import UsageError
from holmgang.games.contract import NO_CHOICE, RED, SEATS
from holmgang.games.shape import brief
from holmgang.solver.evaluation import ByChoice
from holmgang.wire.study import PlayerTendencies, SituationLine

RARE = 0.05  # a share that does not make another kind of situation
MOST_NAMED = 10  # players in a message
FEWEST = 5  # rounds of a kind that is shown by itself
REPEATS = 200  # perfect players that are imagined
SEED = 1

Seen = tuple[int, RoundGrade]
"""A round and the seat of the player in it."""


def tendencies_of(player: str, analyses: Iterable[Analysis]) -> PlayerTendencies:
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


def tendencies_in(player: str, found: Sequence[tuple[int, Analysis]]) -> PlayerTendencies:
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
    kinds = kinds_of(seen)
    return PlayerTendencies(
        player=player,
        ruleset=found[0][1].ruleset.text,
        duels=len(found),
        rounds=len(seen),
        exact=is_exact,
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
        gain=gain_per_round(kinds),
        kinds=kinds,
    )


def gain_per_round(kinds: list[SituationLine]) -> float | None:
    """Gain of an opponent who knew the frequencies, per round of the situations for which it is
    known; None without any.
    """
    known = [kind for kind in kinds if kind.gain is not None]
    rounds = sum(kind.rounds for kind in known)
    total = sum((kind.gain or 0.0) * kind.rounds for kind in known)
    return total / rounds if rounds else None


def kinds_of(seen: list[Seen]) -> list[SituationLine]:
    """The rounds by kind of situation, the most frequent first."""
    by_choices: dict[tuple[str, ...], list[Seen]] = defaultdict(list)
    for seat, graded in seen:
        by_choices[right_choices(seat, graded)].append((seat, graded))
    kinds = [
        described(f"mixes of {named(choices)}", list(choices), rounds)
        for choices, rounds in by_choices.items()
        if len(choices) > 1 and len(rounds) >= FEWEST
    ]
    left = {choices: rounds for choices, rounds in by_choices.items() if len(rounds) < FEWEST}
    single = [
        each for choices, rounds in by_choices.items() if len(choices) == 1 for each in rounds
    ]
    others = [each for choices, rounds in left.items() if len(choices) > 1 for each in rounds]
    kinds += [described("one right choice", [], single)] if single else []
    kinds.sort(key=lambda kind: -kind.rounds)
    return [*kinds, described("other mixes", [], others)] if others else kinds


def right_choices(seat: int, graded: RoundGrade) -> tuple[str, ...]:
    """The choices of the best mix by their words."""
    mix, ruleset = mix_of(seat, graded), graded.before.ruleset
    return tuple(ruleset.word(choice) for choice, share in mix.items() if share >= RARE)


def mix_of(seat: int, graded: RoundGrade) -> ByChoice:
    return (graded.before.solution.red, graded.before.solution.blue)[seat]


def described(situation: str, choices: list[str], rounds: list[Seen]) -> SituationLine:
    """The rounds of one kind of situation. What an opponent gains is known only where the `choices`
    of the best mixes are the same in every round: otherwise, frequencies alone say nothing.
    """
    made = Counter(graded.before.ruleset.word(graded.choice(seat)) for seat, graded in rounds)
    should: Counter[str] = Counter()
    for seat, graded in rounds:
        for choice, share in mix_of(seat, graded).items():
            should[graded.before.ruleset.word(choice)] += share  # type: ignore[assignment]
    count = len(rounds)
    words = [word for word in should if made[word] or should[word] > 0.005 * count]
    words += [word for word in made if word not in words]
    found = SituationLine(
        situation=situation,
        choices=choices,
        rounds=count,
        frequencies={word: made[word] / count for word in words},
        equilibrium={word: should[word] / count for word in words},
        error=sum(graded.error(seat) for seat, graded in rounds) / count,
        gain=None,
        gain_by_chance=None,
        gain_limit=None,
    )
    if choices:
        rows = [payoff_rows(seat, graded) for seat, graded in rounds]
        values = [side_of(seat) * graded.value_before for seat, graded in rounds]
        found.gain = mean_gain(rows, values, [graded.choice(seat) for seat, graded in rounds])
        rng = random.Random(SEED)
        mixes = [mix_of(seat, graded) for seat, graded in rounds]
        imagined = sorted(
            mean_gain(rows, values, [rng.choices([*mix], [*mix.values()])[0] for mix in mixes])
            for _ in range(REPEATS)
        )
        found.gain_by_chance = sum(imagined) / REPEATS
        found.gain_limit = imagined[round(0.95 * (REPEATS - 1))]
    return found


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
