"""Levels against each other, and against simple plans, in games that are played one by one.

Luck is taken out of the scores where it can be: the value of the pair of choices that was drawn,
minus its mean over both mixes, has a mean of 0 and is subtracted, whether the values are exact or
estimates. With exact values the luck of the dice is subtracted, too. So fewer games are enough.
Where estimates are so poor that this adds to the spread of the scores, they are left as they are.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np

from bench.ladder_results import Contender, Result
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.players.graded import GradedMind, PairValues, pair_values
from holmgang.players.ladder import Grade
from holmgang.solver.evaluation import ByChoice
from holmgang.solver.oracle import Oracle
from holmgang.solver.quantal import QuantalMixes, kernels_of_quantal
from holmgang.solver.search.dispatch import search

BATCH = 20  # games between two looks at the standard error
KEPT = 100_000  # states
DISQUALIFIED = {"energy", "doping"}
CERTAIN = 1 - 1e-6

Mixes = tuple[ByChoice, ByChoice]


class Effort(NamedTuple):
    """How many games are played: until the standard error of the score is small enough."""

    error: float
    most_games: int
    most_rounds: int = 100_000
    """Of all games together."""


class Source(Protocol):
    """What the players of a game know."""

    @property
    def ruleset(self) -> Ruleset: ...

    def values(self, state: State) -> PairValues: ...

    def value(self, state: State) -> float | None:
        """The exact value of an undecided state, if it is known."""

    def graded(self, grade: Grade, state: State) -> QuantalMixes: ...

    def named(self, name: str, state: State) -> Mixes:
        """The mixes of a level that is not graded."""


class SampledGame:
    is_exact = False

    def __init__(self, ruleset: Ruleset, effort: Effort, perfect_ms: float) -> None:
        self.ruleset, self.effort, self.perfect_ms = ruleset, effort, perfect_ms
        self.oracle = Oracle(ruleset, build=False)
        self._values: dict[State, PairValues] = {}
        self._graded: dict[tuple[Grade, State], QuantalMixes] = {}
        search(ruleset, ruleset.initial(), depth=1)
        kernels_of_quantal()("quantal")

    def values(self, state: State) -> PairValues:
        return kept(self._values, state, lambda: pair_values(self.oracle, state))

    def value(self, state: State) -> float | None:
        return None

    def graded(self, grade: Grade, state: State) -> QuantalMixes:
        return kept(self._graded, (grade, state), lambda: self.values(state).mixes(grade))

    def named(self, name: str, state: State) -> Mixes:
        if name == "random":
            return even(self.ruleset, state)
        depth = 1 if name == "greedy" else None
        found = search(self.ruleset, state, depth=depth, budget_ms=self.perfect_ms)
        return found.red, found.blue

    def play(self, red: Contender, blue: Contender) -> Result:
        return play_levels(self, red, blue, self.effort)


def kept(known: dict[Any, Any], key: object, find: Callable[[], Any]) -> Any:
    found = known.get(key)
    if found is None:
        if len(known) >= KEPT:
            known.clear()
        found = known[key] = find()
    return found


def even(ruleset: Ruleset, state: State) -> Mixes:
    red, blue = (ruleset.choices(state, seat) for seat in (RED, BLUE))
    return dict.fromkeys(red, 1 / max(1, len(red))), dict.fromkeys(blue, 1 / max(1, len(blue)))


# Players


class Level:
    """A contender in one seat. Its mix is known."""

    def __init__(self, source: Source, contender: Contender, seat: int, random: Random) -> None:
        self.source, self.contender, self.seat, self.random = source, contender, seat, random
        self.begin()

    def begin(self) -> None:
        """Begins a game."""
        self.mind = (
            GradedMind(self.source.ruleset, self.contender, self.seat, self._mixes_of)
            if isinstance(self.contender, Grade)
            else None
        )

    def _mixes_of(self, state: State, grade: Grade) -> tuple[PairValues, QuantalMixes]:
        return self.source.values(state), self.source.graded(grade, state)

    def mix(self, state: State, rounds: int) -> ByChoice:
        if self.mind is None:
            return self.source.named(str(self.contender), state)[self.seat]
        return self.mind.mix(state, rounds)

    def choose(self, state: State, rounds: int) -> tuple[int, ByChoice]:
        mix = self.mix(state, rounds)
        return self.random.choices(list(mix), list(mix.values()))[0], mix

    def note(self, state: State, choices: Sequence[int]) -> None:
        """Sees a round in which both chose."""
        if self.mind is not None:
            self.mind.note(state, choices[1 - self.seat])


class Plan:
    """Follows a simple plan, given the number of the round and the opponent's last choice."""

    def __init__(self, ruleset: Ruleset, seat: int, pick: "Pick") -> None:
        self.ruleset, self.seat, self.pick = ruleset, seat, pick
        self.begin()

    def begin(self) -> None:
        self.made, self.last = 0, NO_CHOICE

    def choose(self, state: State, rounds: int) -> tuple[int, ByChoice]:
        choice = self.pick(state, self.seat, self.made, self.last)
        self.made += 1
        return choice, {choice: 1.0}

    def note(self, state: State, choices: Sequence[int]) -> None:
        self.last = choices[1 - self.seat]


Pick = Callable[[State, int, int, int], int]
"""The choice in a state for a seat, by the number of its earlier ones and the opponent's last."""
Contestant = Level | Plan


def play_levels(source: Source, red: Contender, blue: Contender, effort: Effort) -> Result:
    random = Random(f"{red} {blue}")
    players = Level(source, red, RED, random), Level(source, blue, BLUE, random)
    return play_games(source, players, effort, random)


def play_games(
    source: Source, players: Sequence[Contestant], effort: Effort, random: Random
) -> Result:
    """Plays games between red and blue until the score is known well enough."""
    ruleset = source.ruleset
    ends: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    picks: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    raw: list[float] = []
    adjusted: list[float] = []
    scores, rounds = raw, 0
    while len(raw) < BATCH or (
        len(raw) < effort.most_games and standard_error(scores) > effort.error
    ):
        if rounds > effort.most_rounds:
            break
        for _ in range(BATCH):
            if rounds > effort.most_rounds:
                break
            state, number, luck = ruleset.initial(), 0, 0.0
            for player in players:
                player.begin()
            while not ruleset.ending(state).reason and number < ruleset.entry.round_limit:
                chosen, mixes = [NO_CHOICE, NO_CHOICE], [{}, {}]
                for seat, player in enumerate(players):
                    if ruleset.choice_set(state, seat):
                        chosen[seat], mixes[seat] = player.choose(state, number)
                        picks[seat][chosen[seat]] += 1
                if NO_CHOICE not in chosen:
                    for player in players:
                        player.note(state, chosen)
                face = random.randrange(ruleset.chance(state, *chosen))
                after = ruleset.resolve_unchecked(state, *chosen, face)
                luck += luck_of_round(source, state, mixes, chosen, after)
                state, number = after, number + 1
            rounds += number
            outcome = ruleset.outcome(state) or ruleset.endless()
            ends[outcome.winner or "nobody"] += 1
            reasons["limit" if ruleset.outcome(state) is None else outcome.reason] += 1
            result = (outcome.winner == SEATS[RED]) - (outcome.winner == SEATS[BLUE])
            raw.append((1 + result) / 2)
            adjusted.append((1 + result - luck) / 2)
        scores = min(raw, adjusted, key=standard_error)
    games = len(raw)
    words = [
        {ruleset.word(choice): times / each.total() for choice, times in each.items()}
        for each in picks
    ]
    return Result(
        min(1.0, max(0.0, float(np.mean(scores)))),
        rounds / games,
        reasons["limit"] / games,
        sum(reasons[reason] for reason in DISQUALIFIED) / games,
        (words[RED], words[BLUE]),
        games,
        standard_error(scores),
    )


def standard_error(scores: Sequence[float]) -> float:
    """Of the mean; never 0, since a single other result was possible."""
    found = float(np.std(scores)) / sqrt(len(scores))
    return max(found, 0.5 / len(scores))


def luck_of_round(
    source: Source, state: State, mixes: Sequence[ByChoice], chosen: Sequence[int], after: State
) -> float:
    """How much more the round gave to red than it could expect; 0 if that is not known."""
    values = source.values(state)
    shares, places = [], []
    for seat in (RED, BLUE):
        menu = source.ruleset.choices(state, seat)
        if not menu:
            shares.append([1.0])
            places.append(0)
            continue
        mix = mixes[seat]
        shares.append([mix.get(choice, 0.0) for choice in menu])
        if sum(shares[seat]) < CERTAIN:  # some choices are not on the menu
            return 0.0
        places.append(menu.index(chosen[seat]))
    matrix = np.array(values.matrix)
    mean = float(np.array(shares[RED]) @ matrix @ np.array(shares[BLUE]))
    drawn = float(matrix[places[RED], places[BLUE]])
    if values.is_exact:
        utility = source.ruleset.utility(after)
        known = source.value(after) if utility is None else utility
        drawn = drawn if known is None else known
    return drawn - mean


# Simple plans


def plans(ruleset: Ruleset) -> dict[str, Pick]:
    """Plans that a newcomer may follow."""
    folder = ruleset.game.folder
    found: dict[str, Pick] = {}
    if folder == "fencing":
        found["walk, lunge in reach, rest"] = fencing_plan(ruleset)
    else:
        words = {"bagh": ["attack"], "defend_the_city": ["5/0", "5/5", "3/3"]}.get(folder)
        for word in words or ruleset.words(ruleset.initial(), RED):
            found[f"always {word}"] = cycle(ruleset, [word])
    if folder == "bagh":
        found["boost, boost, attack"] = cycle(ruleset, ["boost", "boost", "attack"])
    found["copy the last choice"] = copy(ruleset)
    return found


def cycle(ruleset: Ruleset, words: Sequence[str]) -> Pick:
    """Makes these choices in turn; where one is not on the menu, the first that is."""

    def pick(state: State, seat: int, number: int, last: int) -> int:
        menu = {ruleset.word(choice): choice for choice in ruleset.choices(state, seat)}
        return menu.get(words[number % len(words)], next(iter(menu.values())))

    return pick


def copy(ruleset: Ruleset) -> Pick:
    def pick(state: State, seat: int, number: int, last: int) -> int:
        menu = ruleset.choices(state, seat)
        return last if last in menu else menu[0]

    return pick


def fencing_plan(ruleset: Ruleset) -> Pick:
    """Lunges in reach, otherwise walks, and takes a break when low on energy."""

    def pick(state: State, seat: int, number: int, last: int) -> int:
        value = ruleset.format_state(state)
        distance = abs(value["red"]["position"] - value["blue"]["position"])
        word = "walk" if distance > 40 else "lunge"
        if value[SEATS[seat]]["energy"] < 6:
            word = "break"
        return ruleset.parse_choice(state, seat, word)

    return pick
