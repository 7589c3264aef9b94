"""Measures of a ruleset that is too large to be solved, from games between players of one level.

The level knows what each pair of choices is worth by a short look ahead (`players/graded.py`), so
that a round tells how often each choice is made and what it would cost, not only what was chosen.
Choices of one verb, such as `heal 0` and `heal 5`, are measured together.

Besides, players who never make a choice, and players who always make it, meet the level.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import exp, inf, log, sqrt

from holmgang.engine.progress import Notify
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State, Transition
from holmgang.games.ruleset import Ruleset
from holmgang.lab.chain import Endings
from holmgang.lab.lines import MOST_RECORDED, line_of_rounds, record_of_line
from holmgang.lab.measures import (
    SELDOM,
    SITUATIONS,
    Balance,
    ChoiceUse,
    Length,
    LuckSplit,
    Plan,
    PlanAnswer,
    SeatMeasures,
    Suspect,
    situation,
)
from holmgang.lab.tension import FAR_BEHIND, Tension
from holmgang.players.graded import PairValues, pair_values
from holmgang.players.ladder import grade_of
from holmgang.solver.exact.scores import Enclosure
from holmgang.solver.oracle import oracle_of

LEVEL = "hard"
GAMES = 200
TRIALS = 40  # games of a player who never, or always, makes a choice
FEWEST_POSITIONS = 50  # fewer are a coincidence
DECIDED = 0.9  # a higher value is as good as won
STAKE = 0.1  # between the best and the worst choice
CLEAR = 0.01  # a smaller cost may be an error of the look ahead
MOST_SAID = 20  # lines of progress
SEARCH_MS = 1000.0
SURE = 1.96  # standard errors of an interval that is right 19 times in 20
LEAD = 0.02  # a smaller value is level

Mix = list[float]
Habit = Callable[[Sequence[str], Mix], Mix]
"""Changes a mix; the kinds of the choices are given."""


Menus = Sequence[Sequence[int]]
Kinds = Sequence[Sequence[str]]


def kind_of(ruleset: Ruleset, choice: int) -> str:
    """The verb of a choice: `heal` of `heal 5`."""
    return ruleset.word(choice).split()[0]


def never(kind: str) -> Habit:
    def changed(kinds: Sequence[str], mix: Mix) -> Mix:
        if all(each == kind for each in kinds):
            return mix
        kept = [share if each != kind else 0.0 for each, share in zip(kinds, mix, strict=True)]
        if sum(kept) > 0:
            return kept
        return [float(each != kind) for each in kinds]

    return changed


def always(kind: str) -> Habit:
    def changed(kinds: Sequence[str], mix: Mix) -> Mix:
        if kind not in kinds:
            return mix
        kept = [share if each == kind else 0.0 for each, share in zip(kinds, mix, strict=True)]
        return kept if sum(kept) > 0 else [float(each == kind) for each in kinds]

    return changed


def at_random(kinds: Sequence[str], mix: Mix) -> Mix:
    """Makes every choice equally often."""
    return [1.0] * len(kinds)


@dataclass
class KindTally:
    """What was seen of the choices of one kind."""

    positions: int = 0
    used: float = 0.0
    cost: float = 0.0
    undecided: int = 0
    """Positions in which something is at stake."""
    least_cost: float = inf
    """In those positions."""
    by_lead: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0] for _ in SITUATIONS])
    """For each situation, how often it was used and how often it could be."""

    @property
    def use_by_lead(self) -> tuple[float | None, ...]:
        return tuple(used / times if times else None for used, times in self.by_lead)


@dataclass
class SeatTally:
    """What was seen of a seat's choices."""

    rounds: int = 0
    """With more than one choice."""
    open_choices: float = 0.0
    forced: int = 0
    kinds: dict[str, KindTally] = field(default_factory=dict)

    def add(
        self,
        kinds: Sequence[str],
        mix: Mix,
        costs: Sequence[float],
        value: float,
        *,
        is_undecided: bool,
    ) -> None:
        """Adds a position, of which `value` is the value to this seat."""
        for kind in dict.fromkeys(kinds):
            of_kind = [place for place, each in enumerate(kinds) if each == kind]
            cost = min(costs[place] for place in of_kind)
            tally = self.kinds.setdefault(kind, KindTally())
            tally.positions += 1
            used = sum(mix[place] for place in of_kind)
            tally.used += used
            lead = tally.by_lead[situation(value)]
            lead[0] += used
            lead[1] += 1
            tally.cost += cost
            if is_undecided:
                tally.undecided += 1
                tally.least_cost = min(tally.least_cost, cost)
        if len(kinds) > 1:
            self.rounds += 1
            self.open_choices += exp(-sum(share * log(share) for share in mix if share > 0))
            self.forced += sum(cost <= CLEAR for cost in costs) == 1


@dataclass
class PlayedGame:
    """A game, with what the level thought of each of its positions."""

    result: float
    is_finished: bool
    values: list[float]
    course: list[Transition] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        return len(self.values)


class Look:
    """What the level knows of a position, and how it plays there."""

    def __init__(
        self, values: PairValues, menus: Menus, kinds: Kinds, mixes: Sequence[Mix]
    ) -> None:
        self.menus, self.kinds, self.mixes = menus, kinds, mixes
        self.matrix = values.matrix
        self.worths = tuple(
            [
                sum(share * worth for share, worth in zip(mixes[1 - seat], row, strict=True))
                for row in values.of_seat(seat)
            ]
            for seat in (RED, BLUE)
        )
        """By seat: the worth of each choice to it, against the mix of the other."""

    @property
    def value(self) -> float:
        """To red."""
        return sum(
            share * worth for share, worth in zip(self.mixes[RED], self.worths[RED], strict=True)
        )

    def costs(self, seat: int) -> list[float]:
        best = max(self.worths[seat])
        return [best - worth for worth in self.worths[seat]]


class Sampler:
    """Plays games between players of one level, who may have habits."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.ruleset = ruleset
        self.seats = SeatTally(), SeatTally()
        self.matchups, self.dice = 0.0, 0.0
        self._oracle, self._grade = oracle_of(ruleset), grade_of(LEVEL, ruleset)
        self._random = random.Random(seed)
        self._kinds: dict[int, str] = {NO_CHOICE: ""}

    def play(
        self, habits: Sequence[Habit | None] = (None, None), *, counts: bool = False
    ) -> PlayedGame:
        """Plays a game. `counts` is whether its rounds are added to the tallies."""
        ruleset, limit = self.ruleset, self.ruleset.entry.round_limit
        state, values, course = ruleset.initial(), list[float](), list[Transition]()
        expected: float | None = None  # after both choices, before the dice
        while (result := ruleset.utility(state)) is None and len(values) < limit:
            look = self._look(state, len(values))
            values.append(look.value)
            if counts and expected is not None:
                self.dice += (look.value - expected) ** 2
            if counts:
                self._count(look)
            picked = [self._pick(look, seat, habits[seat]) for seat in (RED, BLUE)]
            red, blue = (look.menus[seat][picked[seat]] for seat in (RED, BLUE))
            worth = look.matrix[picked[RED]][picked[BLUE]]
            if counts:
                self.matchups += (worth - look.value) ** 2
            throws = ruleset.throws(state, red, blue)
            expected = worth if len(throws) > 1 else None
            (face, _), *_ = self._random.choices(throws, [float(each[1]) for each in throws])
            course.append(Transition(state, red, blue, face))
            state = ruleset.resolve(state, red, blue, face)
        if result is None:
            return PlayedGame(ruleset.endless_utility, False, values, course)
        if counts and expected is not None:
            self.dice += (result - expected) ** 2
        return PlayedGame(result, True, values)

    def _look(self, state: State, rounds: int) -> Look:
        worths = pair_values(self._oracle, state)
        grade = self._grade.after(rounds, self.ruleset.entry.round_limit)
        mixes = worths.mixes(grade).both
        menus = [self.ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE)]
        kinds = [[self._kind(choice) for choice in menu] for menu in menus]
        return Look(worths, menus, kinds, [list(mix) for mix in mixes])

    def _kind(self, choice: int) -> str:
        if choice not in self._kinds:
            self._kinds[choice] = kind_of(self.ruleset, choice)
        return self._kinds[choice]

    def _pick(self, look: Look, seat: int, habit: Habit | None) -> int:
        """The place of a choice in the menu."""
        mix = look.mixes[seat]
        if habit is not None and len(mix) > 1:
            mix = habit(look.kinds[seat], mix)
        return self._random.choices(range(len(mix)), mix)[0]

    def _count(self, look: Look) -> None:
        for seat in (RED, BLUE):
            if look.menus[seat][0] != NO_CHOICE:
                costs = look.costs(seat)
                is_undecided = abs(look.value) < DECIDED and max(costs) > STAKE
                self.seats[seat].add(
                    look.kinds[seat],
                    look.mixes[seat],
                    costs,
                    look.value if seat == RED else -look.value,
                    is_undecided=is_undecided,
                )


def sampled_balance(
    ruleset: Ruleset,
    *,
    games: int = GAMES,
    trials: int | None = None,
    seed: int = 0,
    progress: Notify = lambda said: None,
) -> Balance:
    """The measures of a ruleset, from this number of games, and this number of each habit (default:
    `TRIALS`; none with 0).
    """
    trials = TRIALS if trials is None else trials
    sampler = Sampler(ruleset, seed)
    played = []
    for number in range(games):
        if number % max(1, games // MOST_SAID) == 0 or number == games - 1:
            progress(f'game {number + 1} of {games} between two "{LEVEL}" players')
        played.append(sampler.play(counts=True))
    results = [game.result for game in played]
    is_symmetric = ruleset.is_symmetric and ruleset.mirror(ruleset.initial()) == ruleset.initial()
    seats = (RED,) if is_symmetric else (RED, BLUE)
    value = Enclosure(0.0, 0.0) if is_symmetric else interval(results)
    red, *rest = (seat_measures(sampler, seat, value.value, trials, progress) for seat in seats)
    spread = sampler.matchups + sampler.dice
    return Balance(
        ruleset.text,
        ruleset.entry.title,
        games,
        f'"{LEVEL}" players',
        sum(game.rounds for game in played),
        value,
        is_symmetric,
        endings_of(played),
        length_of([game.rounds for game in played if game.is_finished]),
        red,
        rest[0] if rest else red,
        LuckSplit(sampler.matchups / spread, sampler.dice / spread) if spread else LuckSplit(0, 0),
        tension_of(played),
        (),
        proven_draw=not is_symmetric and is_proven_draw(ruleset, progress),
    )


def is_proven_draw(ruleset: Ruleset, progress: Notify) -> bool:
    """Whether a search of a second proves that perfect play is drawn or endless."""
    progress("searching for a proof of the value")
    found = oracle_of(ruleset).evaluate(budget_ms=SEARCH_MS, with_chances=False)
    return found.is_exact and abs(found.value) < CLEAR


def interval(numbers: Sequence[float]) -> Enclosure:
    """An interval of values from -1 to 1 that contains the mean of many games 19 times in 20."""
    count, mean = len(numbers), sum(numbers) / len(numbers)
    # As if there were a win, a loss and two draws more, so that a few equal games prove little.
    spread = (sum((number - mean) ** 2 for number in numbers) + 2) / (count + 4)
    error = SURE * sqrt(spread / count)
    return Enclosure(max(-1.0, mean - error), min(1.0, mean + error))


def endings_of(played: Sequence[PlayedGame]) -> Endings:
    ended = Counter("endless" if not game.is_finished else sign(game.result) for game in played)
    red, blue, draw, endless = (ended[end] / len(played) for end in (1, -1, 0, "endless"))
    return Endings(red, blue, draw, endless)


def sign(number: float, least: float = 0.0) -> int:
    return 1 if number > least else -1 if number < -least else 0


def length_of(lengths: Sequence[int]) -> Length | None:
    if not lengths:
        return None
    ordered, counts = sorted(lengths), Counter(lengths)
    mean = sum(lengths) / len(lengths)
    return Length(
        mean,
        sqrt(sum((length - mean) ** 2 for length in lengths) / len(lengths)),
        ordered[(len(ordered) - 1) // 2],
        ordered[-(-19 * len(ordered) // 20) - 1],
        tuple(counts[rounds] / len(lengths) for rounds in range(1, ordered[-1] + 1)),
    )


def tension_of(played: Sequence[PlayedGame]) -> Tension:
    """The course of games by the estimates of their positions."""
    behind, won = 0, 0
    changes, decided, drama, rounds = 0, 0, 0.0, 0
    for game in played:
        winner = sign(game.result)
        for side in (1, -1):
            if any(side * value <= -FAR_BEHIND for value in game.values):
                behind += 1
                won += winner == side
        leads = [lead for value in game.values if (lead := sign(value, LEAD))]
        changes += sum(old != new for old, new in pairwise(leads))
        decided += decided_rounds(game.values)
        drama += sum(max(0.0, -winner * value) for value in game.values)
        rounds += game.rounds
    return Tension(
        changes / len(played),
        behind / len(played),
        won / behind if behind else 0.0,
        1 - decided / rounds,
        drama / rounds,
    )


def decided_rounds(values: Sequence[float]) -> int:
    """How many rounds at the end of a game one side is far ahead in."""
    count = 0
    for value in reversed(values):
        if abs(value) < FAR_BEHIND or value * values[-1] < 0:
            break
        count += 1
    return count


# One seat


def seat_measures(
    sampler: Sampler, seat: int, usual: float, number: int, progress: Notify
) -> SeatMeasures:
    """The measures of a seat. `usual` is the value to red of games without habits, and `number` how
    many are played with each.
    """
    tally = sampler.seats[seat]
    rounds = max(1, tally.rounds)
    positions = max((kind.positions for kind in tally.kinds.values()), default=1)

    side = 1 if seat == RED else -1
    trial, fewer = Trials(sampler, number, progress), Trials(sampler, number // 2, progress)
    choices, plans = [], []
    for kind, seen in tally.kinds.items():
        cost = None
        if number and seen.positions >= SELDOM * positions:
            without = trial.games(seat, never(kind), f"without {kind}")
            score = interval([side * game.result for game in without])
            cost = Enclosure(side * usual - score.high, side * usual - score.low)
            only = trial.games(seat, always(kind), f"with {kind} whenever possible")
            plan = plan_of(sampler.ruleset, kind, only, side)
            if plan.stalls:
                plan = replace(plan, answers=tuple(answers_to(fewer, seat, kind)))
            plans.append(plan)
        choices.append(
            ChoiceUse(
                kind,
                seen.positions / positions,
                seen.used / seen.positions,
                seen.cost / seen.positions,
                cost,
                seen.use_by_lead,
            )
        )
    against = trial.games(seat, None, "against random choices", at_random)
    random = sum(side * game.result for game in against) / number if number else None
    return SeatMeasures(
        tuple(choices),
        (),
        tally.open_choices / rounds,
        tally.forced / rounds,
        None,
        random,
        tuple(suspects(tally)),
        tuple(plans),
    )


class Trials:
    """Games of players with habits against players of the level."""

    def __init__(self, sampler: Sampler, number: int, progress: Notify) -> None:
        self.sampler, self.number, self._progress = sampler, number, progress

    def games(
        self, seat: int, mine: Habit | None, said: str, theirs: Habit | None = None
    ) -> list[PlayedGame]:
        if self.number:
            self._progress(f"playing {self.number} games {said}")
        habits = (mine, theirs) if seat == RED else (theirs, mine)
        return [self.sampler.play(habits) for _ in range(self.number)]


def answers_to(trial: Trials, seat: int, kind: str) -> Iterator[PlanAnswer]:
    """What each choice of the other seat is good for against a plan of this one."""
    other, side = (BLUE, -1) if seat == RED else (RED, 1)
    for answer, seen in trial.sampler.seats[other].kinds.items():
        if seen.positions < FEWEST_POSITIONS:
            continue
        scores = [
            interval([side * game.result for game in games])
            for said, habit in (("without", never(answer)), ("with only", always(answer)))
            for games in [
                trial.games(other, habit, f"{said} {answer}, against {kind} alone", always(kind))
            ]
        ]
        yield PlanAnswer(answer, *scores)


def plan_of(ruleset: Ruleset, kind: str, played: Sequence[PlayedGame], side: int) -> Plan:
    """What a habit is worth, with the beginning of a game that it does not end."""
    endless = [game for game in played if not game.is_finished]
    course = endless[0].course[:MOST_RECORDED] if endless else []
    line = line_of_rounds(ruleset, course)
    return Plan(
        kind,
        interval([side * game.result for game in played]),
        len(endless) / len(played),
        line,
        record_of_line(ruleset, line.split()) if course else "",
    )


def suspects(tally: SeatTally) -> Iterator[Suspect]:
    for kind, seen in tally.kinds.items():
        if seen.undecided >= FEWEST_POSITIONS and seen.least_cost > CLEAR:
            yield Suspect(kind, seen.undecided, seen.least_cost)
