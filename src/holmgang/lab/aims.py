"""Aims: the settings of a game's rules that come nearest to what its designer wants.

An aim is a range of a measure, such as `draws<=0.1`. If there are few combinations of the rules
that may vary, all are measured. Otherwise a search goes on from the nearest settings found so far,
by changing one or two rules, until it has measured as many rulesets as it may.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from math import hypot, inf, prod

from msgspec import to_builtins

from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Progress
from holmgang.errors import RulesetError, UsageError
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.settings import rule_ranges
from holmgang.games.shape import JsonObject, brief
from holmgang.lab.sweep import MOST_STATES, Evaluator, MeasuredRuleset, extremes, parse_sweep
from holmgang.lab.sweep_measures import check_uses, measure_kind
from holmgang.machine import available_cores

TRIES = 100
STEPS = (1, 2, 4, 8)  # by which one rule changes in a search; two rules change by 1 each
EXPANDED = 2  # settings from which a search goes on at once
FORM = re.compile(r"\s*([^<>=]+?)\s*(<=|>=|=)\s*(\S+)\s*")


@dataclass(frozen=True)
class Aim:
    """A range that a measure should be in."""

    measure: str
    low: float
    high: float

    def distance(self, measures: Mapping[str, float]) -> float:
        """How far a ruleset is from the range, 0 inside. Shares and values count as they are, other
        measures as a part of the nearest bound. Infinite if it was not measured.
        """
        if self.measure not in measures:
            return inf
        number = measures[self.measure]
        bound = min(max(number, self.low), self.high)
        kind = measure_kind(self.measure)
        scale = 1.0 if kind.is_share or self.measure == "value" else max(1.0, abs(bound))
        distance = abs(number - bound) / scale
        return round(distance, DIGITS)

    @property
    def text(self) -> str:
        kind = measure_kind(self.measure)
        if self.low == self.high:
            return f"{kind.title}: {kind.text(self.low)}"
        if self.low == -inf or self.high == inf:
            bound, word = (self.high, "at most") if self.low == -inf else (self.low, "at least")
            return f"{kind.title}: {word} {kind.text(bound)}"
        return f"{kind.title}: {kind.text(self.low)} to {kind.text(self.high)}"


DIGITS = 6  # of a distance; values are proven to about 1e-9


def parse_aim(text: str) -> Aim:
    """An aim written `value=0`, `length=10..20`, `draws<=0.1` or `draws>=5%`. Raises `UsageError`.

    >>> parse_aim("length=10..20")
    Aim(measure='length', low=10.0, high=20.0)
    """
    found = FORM.fullmatch(text)
    numbers = [] if found is None else [parse_number(part) for part in found[3].split("..")]
    if found is None or None in numbers or len(numbers) > (2 if found[2] == "=" else 1):
        raise UsageError(
            f"{brief(text)} is not an aim; write MEASURE=NUMBER, MEASURE=LOW..HIGH, MEASURE<=NUMBER"
            " or MEASURE>=NUMBER"
        )
    measure_kind(found[1])
    low, high = (number for number in (numbers[0], numbers[-1]) if number is not None)
    if low > high:
        raise UsageError(f"{brief(text)}: a range goes from a lower to a higher number")
    return Aim(found[1], -inf if found[2] == "<=" else low, inf if found[2] == ">=" else high)


def parse_wanted(text: str) -> list[Aim]:
    r"""The aims of a table of who should beat whom, as CSV: a level in front of each row and above
    each column; in a cell the points of 100 that the row should score against the column, such as
    `80..90`, `>=60` or nothing. Raises `UsageError`.

    >>> parse_wanted(",random,easy\nhard,80..90,>=60")[1]
    Aim(measure='score.hard.easy', low=0.6, high=inf)
    """
    try:
        first, *rows = csv.reader(text.splitlines() or [""])
    except csv.Error as error:
        raise UsageError(f"the table of wanted scores is not CSV: {error}") from None
    found = []
    for row in rows:
        for level, cell in zip(first[1:], row[1:], strict=False):
            if cell.strip():
                sign = "" if cell.strip()[0] in "<>" else "="
                aim = parse_aim(f"score.{row[0].strip()}.{level.strip()}{sign}{cell.strip()}")
                found.append(Aim(aim.measure, aim.low / 100, aim.high / 100))
    if not found:
        raise UsageError("the table of wanted scores is empty; see docs/balance.md")
    return found


def parse_number(text: str) -> float | None:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}(\.[0-9]{1,12})?%?", text):
        return None
    return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


def parse_vary(ruleset: Ruleset, texts: Iterable[str]) -> dict[str, Sequence[int]]:
    """The values that rules may take, from `stamina,soldiers` (all that are allowed) or
    `stamina=2..10,soldiers=1`. Raises `UsageError` or `RulesetError`.
    """
    ranges: Mapping[str, Sequence[int]] = rule_ranges(ruleset.entry)
    found: dict[str, Sequence[int]] = {}
    values: Sequence[int]
    for text in texts:
        for part in map(str.strip, re.split(r",(?=\s*[A-Za-z_])", text)):
            if "=" in part:
                rule, values = parse_sweep(ruleset, part)
            elif part in ranges:
                rule, values = part, ranges[part]
            else:
                raise RulesetError(
                    f"{ruleset.entry.name} has no rule {brief(part)}; it has {', '.join(ranges)}"
                )
            if rule in found:
                raise UsageError(f"--vary has {rule} twice")
            found[rule] = values
    return found


@dataclass(frozen=True)
class AimedRuleset:
    """A ruleset, and how far it is from each aim."""

    found: MeasuredRuleset
    distances: tuple[float, ...]

    @property
    def distance(self) -> float:
        return hypot(*self.distances)

    def is_beaten_by(self, other: "AimedRuleset") -> bool:
        """Whether the other is at least as near to every aim, and nearer to one."""
        pairs = list(zip(other.distances, self.distances, strict=True))
        return all(one <= two for one, two in pairs) and any(one < two for one, two in pairs)


@dataclass(frozen=True)
class AimSearch:
    """What a search for settings found."""

    ruleset: str
    title: str
    aims: tuple[Aim, ...]
    rules: tuple[str, ...]
    """The rules that were varied."""
    tried: tuple[AimedRuleset, ...]
    """All rulesets that could be measured, the nearest first."""
    combinations: int
    """The number of combinations that the rules allow."""
    today: AimedRuleset
    """The ruleset that the search started from."""

    @property
    def front(self) -> list[AimedRuleset]:
        """The trade-offs: rulesets than which no other is nearer to one aim and as near to all. Of
        several at the same distances, the first.
        """
        seen: set[tuple[float, ...]] = set()
        found = []
        for each in self.tried:
            if each.distances not in seen and not any(map(each.is_beaten_by, self.tried)):
                seen.add(each.distances)
                found.append(each)
        return found

    @property
    def met(self) -> list[AimedRuleset]:
        """The rulesets that meet all aims."""
        return [each for each in self.tried if each.distance == 0]

    def as_json(self) -> JsonObject:
        """As `holmgang balance --aim … --json` prints it."""
        found: JsonObject = to_builtins(self)
        found["front"] = to_builtins(self.front)
        for aim in found["aims"]:  # JSON has no infinity
            aim.update((name, None) for name in ("low", "high") if abs(aim[name]) == inf)
        return found


def find_settings(
    ruleset: str | Ruleset,
    aims: Sequence[Aim | str],
    values: Mapping[str, Sequence[int]],
    *,
    tries: int = TRIES,
    most_states: int = MOST_STATES,
    cluster: str | None = None,
    progress: Progress = lambda done: None,
    announce: Announce = silent,
) -> AimSearch:
    """Measures up to `tries` rulesets whose rules have some of these values, and sorts them by
    their distance from the aims, such as `"length=10..20"`. Raises `UsageError` or `RulesetError`.
    """
    ruleset = as_ruleset(ruleset)
    parsed = [parse_aim(aim) if isinstance(aim, str) else aim for aim in aims]
    if not parsed or not values:
        raise UsageError("a search needs at least one aim and one rule that may vary")
    check_uses([aim.measure for aim in parsed], extremes(ruleset, values))
    own = ruleset.rules._asdict()
    today = {rule: own[rule] for rule in values}
    with Evaluator(
        ruleset,
        [aim.measure for aim in parsed],
        most_states=most_states,
        cluster=cluster,
        announce=announce,
    ) as evaluator:
        search = Searcher(evaluator, parsed, values, today, tries, progress)
        search.run()
    tried = [
        each
        for key, each in search.found.items()
        if each.found.measures and search.is_allowed(key)  # today's rules need not be
    ]
    return AimSearch(
        ruleset.text,
        ruleset.entry.title,
        tuple(parsed),
        tuple(values),
        tuple(sorted(tried, key=search.rank)),
        search.combinations,
        search.found[tuple(today.values())],
    )


Setting = tuple[int, ...]


class Searcher:
    """Goes from the nearest settings to others close by."""

    def __init__(
        self,
        evaluator: Evaluator,
        aims: Sequence[Aim],
        values: Mapping[str, Sequence[int]],
        today: Mapping[str, int],
        tries: int,
        progress: Progress,
    ) -> None:
        self.evaluator, self.aims, self.values = evaluator, aims, values
        self.today, self.tries, self.progress = tuple(today.values()), tries, progress
        self.combinations = prod(len(each) for each in values.values())
        self.found: dict[Setting, AimedRuleset] = {}

    def run(self) -> None:
        self.measure([self.today])
        if self.combinations <= self.tries:
            self.measure(product(*self.values.values()))
            return
        expanded: set[Setting] = set()
        while len(self.found) < self.tries:
            waiting = [key for key in self.found if key not in expanded]
            nearest = sorted(waiting, key=lambda key: self.rank(self.found[key]))[:EXPANDED]
            if not nearest:
                break
            expanded.update(nearest)
            self.measure(key for setting in nearest for key in self.neighbours(setting))

    def neighbours(self, setting: Setting) -> Iterator[Setting]:
        """Settings that differ a little, the most similar first."""
        allowed = list(self.values.values())
        single = [
            {place: setting[place] + side * step}
            for step in STEPS
            for place in range(len(setting))
            for side in (1, -1)
        ]
        double = [
            {one: setting[one] + first, two: setting[two] + second}
            for one, two in combinations(range(len(setting)), 2)
            for first, second in product((1, -1), repeat=2)
        ]
        for changes in single[: 2 * len(setting)] + double + single[2 * len(setting) :]:
            if all(value in allowed[place] for place, value in changes.items()):
                yield tuple(changes.get(place, value) for place, value in enumerate(setting))

    def measure(self, settings: Iterable[Setting]) -> None:
        """Measures settings that are new, in batches, until there were enough."""
        new = [key for key in dict.fromkeys(settings) if key not in self.found]
        new = new[: max(0, self.tries - len(self.found))]
        size = 4 * available_cores()
        for first in range(0, len(new), size):
            batch, before = new[first : first + size], len(self.found)
            asked = [dict(zip(self.values, key, strict=True)) for key in batch]
            cells = self.evaluator.measure(asked, partial(self.report, before))
            for key, cell in zip(batch, cells, strict=True):
                distances = tuple(aim.distance(cell.measures) for aim in self.aims)
                self.found[key] = AimedRuleset(cell, distances)

    def is_allowed(self, setting: Setting) -> bool:
        return all(
            value in allowed for value, allowed in zip(setting, self.values.values(), strict=True)
        )

    def report(self, before: int, done: int) -> None:
        self.progress(before + done)

    def rank(self, each: AimedRuleset) -> tuple[float, int, Setting]:
        """Nearest first; of equals, the one with the fewest changes."""
        key = tuple(each.found.settings[rule] for rule in self.values)
        return each.distance, sum(abs(a - b) for a, b in zip(key, self.today, strict=True)), key
