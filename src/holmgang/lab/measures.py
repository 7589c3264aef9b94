"""What a report says of a ruleset, as typed numbers."""

from dataclasses import dataclass

from msgspec import to_builtins

from holmgang.games.shape import JsonObject
from holmgang.lab.chain import Endings
from holmgang.lab.depth import Depth
from holmgang.lab.dominance import Useless, told_to, words
from holmgang.lab.lines import EndlessLine
from holmgang.lab.look_ahead import LookAhead
from holmgang.lab.plans import PlanScores
from holmgang.lab.restrictions import Restriction
from holmgang.lab.skill import LevelScores
from holmgang.lab.tension import Tension
from holmgang.solver.exact.scores import Enclosure

AHEAD = 0.2  # a value from which a player is ahead: 60 points of 100
SITUATIONS = ("behind", "about even", "ahead")
SELDOM = 0.02  # of the positions: a choice that is offered less often is not tried apart
HARDLY_USED = 0.005  # people read less as 0 %
STALLED = 0.5  # of the games at the round limit: a plan that stalls


@dataclass(frozen=True)
class Length:
    """Rounds of a game."""

    mean: float
    deviation: float
    median: int
    most: int
    """19 of 20 games are not longer."""
    chances: tuple[float, ...]
    """By number of rounds, from 1 on."""


@dataclass(frozen=True)
class UseWhen:
    """How often a choice is made under a condition: one value of one number of the state."""

    field: str
    """Such as `red.hp`."""
    number: int
    use: float

    def text(self, seat: str, *, symmetric: bool) -> str:
        """The condition in words, told to the player where both seats are alike.

        >>> UseWhen("red.hp", 1, 0.4).text("red", symmetric=True)
        'your hp is 1'
        """
        field = told_to(seat, self.field) if symmetric else self.field
        return words(field, self.number, self.number).replace("-", "−")


@dataclass(frozen=True)
class ChoiceUse:
    """What a choice is good for."""

    choice: str
    offered: float
    """The share of a game's rounds in which it can be chosen."""
    use: float
    """How often the players make it where it can be chosen."""
    mean_cost: float
    """What it costs on average, where it can be chosen."""
    cost_of_never: Enclosure | None
    """What a seat loses by never choosing it; None if that was not measured."""
    by_lead: tuple[float | None, ...] = (None, None, None)
    """The use in positions in which the player is behind, about even, and ahead; None where it
    cannot be chosen."""
    most_used: UseWhen | None = None
    """The condition under which it is used most; None if no condition makes much difference."""


def situation(value: float) -> int:
    """The place in `SITUATIONS` of a player for whom a position has this value."""
    return 0 if value <= -AHEAD else 2 if value >= AHEAD else 1


@dataclass(frozen=True)
class Suspect:
    """A choice that seems useless: it cost something in every position that was looked at. That is
    an estimate, not a proof.
    """

    choice: str
    positions: int
    least_cost: float
    """The least of the costs in these positions."""


@dataclass(frozen=True)
class PlanAnswer:
    """What a choice of the other seat is good for against a plan."""

    choice: str
    without: Enclosure
    """The value to the other seat, if it never makes this choice."""
    alone: Enclosure
    """The same if it makes it whenever possible."""


@dataclass(frozen=True)
class Plan:
    """A player who makes one choice whenever it is possible, against one who does not."""

    choice: str
    score: Enclosure
    """The value of the plan to its seat."""
    unfinished: float
    """The share of the games that reach the round limit."""
    line: str = ""
    """The first rounds of one of those games, as a line of play."""
    record: str = ""
    """The same as a record of a duel."""
    answers: tuple[PlanAnswer, ...] = ()
    """What the other seat can do about a plan that stalls."""

    @property
    def others_score(self) -> Enclosure:
        """The value of a game against the plan to the other seat."""
        return Enclosure(-self.score.high, -self.score.low)

    @property
    def stalls(self) -> bool:
        return self.unfinished > STALLED

    @property
    def worthless_answers(self) -> list[PlanAnswer]:
        """Those that never win alone, and without which the other seat does no worse."""
        usual = self.others_score.value
        return [
            each for each in self.answers if each.alone.value <= 0 and each.without.value >= usual
        ]


@dataclass(frozen=True)
class SeatMeasures:
    """The choices of one seat."""

    choices: tuple[ChoiceUse, ...]
    useless: tuple[Useless, ...]
    open_choices: float
    """How many choices are really open, on average: e to the entropy of the mix."""
    forced: float
    """The share of rounds with a choice in which only one is right."""
    seen: Enclosure | None
    """The value to red if the other seat sees each choice of this seat before its own."""
    against_random: float | None
    """The value to this seat of its play against random choices."""
    suspects: tuple[Suspect, ...] = ()
    plans: tuple[Plan, ...] = ()
    restricted: tuple[Restriction, ...] = ()
    """What simpler ways to play lose."""

    @property
    def used(self) -> list[ChoiceUse]:
        """The choices that are used at all, as people see it, and not only seldom on offer."""
        seldom = self.seldom
        return [each for each in self.choices if each.use >= HARDLY_USED and each not in seldom]

    @property
    def seldom(self) -> list[ChoiceUse]:
        """The choices that were not measured because they are hardly ever on offer."""
        return [
            each for each in self.choices if each.cost_of_never is None and each.offered < SELDOM
        ]


@dataclass(frozen=True)
class LuckSplit:
    """What decides a game between these players: shares of the variance of the result."""

    matchups: float
    """Both choices together: who guessed right."""
    dice: float


@dataclass(frozen=True)
class Balance:
    """The measures of a ruleset. Those of a solved one are exact; what depends on the mixes
    (endings, length, use) is for those of the solution, and others may be optimal too. Those of
    another one are from games of a level, and an enclosure is an interval that contains the true
    number 19 times in 20.
    """

    ruleset: str
    title: str
    games: int
    """How many were played; 0 if everything is exact."""
    players: str
    """Whose games are measured: `perfect players`, or those of a level."""
    states: int
    """Positions that were solved, or looked at in the games."""
    value: Enclosure
    is_symmetric: bool
    endings: Endings
    length: Length | None
    """Of the games that end; None if none does."""
    red: SeatMeasures
    blue: SeatMeasures
    luck: LuckSplit
    tension: Tension
    endless_lines: tuple[EndlessLine, ...]
    levels: LevelScores | None = None
    depth: Depth | None = None
    look_ahead: tuple[LookAhead, ...] = ()
    """What it pays to look further ahead."""
    simple_plans: PlanScores | None = None
    """What simple plans score against each other and against perfect play."""
    proven_draw: bool = False
    """Whether a search proved, for a game that is not solved, that neither seat can force a win."""

    @property
    def is_exact(self) -> bool:
        return self.games == 0

    @property
    def seats(self) -> tuple[SeatMeasures, ...]:
        """The seats that differ."""
        return (self.red,) if self.is_symmetric else (self.red, self.blue)

    def as_json(self) -> JsonObject:
        """As `holmgang balance --json` prints it."""
        found: JsonObject = to_builtins(self)
        return found
