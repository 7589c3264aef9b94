"""Sweeps: the measures of many rulesets of one game, as one or more of its rules change.

Rulesets are measured in threads, as compiled code does most of the work, or on a Dask cluster.
Every result is kept in a file of its own, so that a sweep that was interrupted, or another one with
the same rulesets, continues with what is known.

>>> found = sweep("bagh:max_boost=1,heal_limit=2", {"start_hp": range(1, 3)}, measures=["value"])
>>> [round(cell.measures["value"], 6) for cell in found.cells]
[0.0, 0.0]
"""

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from pathlib import Path
from threading import Event
from typing import Self

from msgspec import to_builtins

from holmgang.arena.events.executor import ClusterWorkers
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Progress
from holmgang.errors import RulesetError, UsageError
from holmgang.games.finding import ENVIRONMENT, add_all
from holmgang.games.ruleset import Ruleset, as_ruleset, load
from holmgang.games.settings import parse_setting
from holmgang.games.shape import JsonObject, brief
from holmgang.lab import balance, chain, solved, sweep_measures, tension
from holmgang.lab.sweep_measures import Measures, check_uses, measure_kind, measured, prepare
from holmgang.machine import available_cores, write_whole
from holmgang.solver.checksum import origin
from holmgang.solver.exact.tablebase import TABLE_CODE
from holmgang.solver.tables import table_path

MOST_STATES = 200_000
MOST_RULESETS = 10_000
USUAL = ("value", "red", "draws", "length", "dice", "open")
CODE = (*TABLE_CODE, balance, chain, solved, sweep_measures, tension)
"""The modules that decide the measures."""

Values = Mapping[str, Sequence[int]]
"""The values of each rule that is varied."""


@dataclass(frozen=True)
class MeasuredRuleset:
    """One ruleset of a sweep."""

    ruleset: str
    settings: Mapping[str, int]
    """The values of the rules that are varied."""
    measures: Mapping[str, float]
    """What was measured; empty if the ruleset cannot be solved."""
    trouble: str = ""
    """Why it cannot be solved."""

    def text_of(self, name: str) -> str:
        """A measure for people."""
        return measure_kind(name).text(self.measures[name]) if name in self.measures else "–"


@dataclass(frozen=True)
class Sweep:
    """The measures of a game under different rules."""

    ruleset: str
    title: str
    values: Mapping[str, tuple[int, ...]]
    """The values of each rule that was varied, in ascending order."""
    measures: tuple[str, ...]
    """Those that were asked for."""
    cells: tuple[MeasuredRuleset, ...]
    """A ruleset for each combination of values; the last rule changes fastest."""
    today: Mapping[str, int]
    """The values of the same rules in the ruleset that the sweep started from."""

    @property
    def solved(self) -> int:
        """The number of rulesets that could be solved."""
        return sum(not cell.trouble for cell in self.cells)

    @property
    def has_today(self) -> bool:
        """Whether the ruleset that the sweep started from is one of them."""
        return any(cell.settings == self.today for cell in self.cells)

    @property
    def troubles(self) -> list[str]:
        """Why the others could not be."""
        return sorted({cell.trouble for cell in self.cells if cell.trouble})

    def as_json(self) -> JsonObject:
        """As `holmgang balance --sweep … --json` prints it."""
        found: JsonObject = to_builtins(self)
        return found


def sweep(
    ruleset: str | Ruleset,
    values: Values,
    *,
    measures: Sequence[str] = USUAL,
    most_states: int = MOST_STATES,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress = lambda done: None,
    announce: Announce = silent,
) -> Sweep:
    """Measures a game with every combination of these values of its rules. Raises `UsageError` or
    `RulesetError` if a rule, a value or a measure does not exist.
    """
    ruleset = as_ruleset(ruleset)
    count = prod(map(len, values.values()))
    if not values or not 1 <= count <= MOST_RULESETS:
        raise UsageError(f"a sweep has from 1 to {MOST_RULESETS:,} rulesets; these are {count:,}")
    check_uses(measures, extremes(ruleset, values))
    settings = [dict(zip(values, each, strict=True)) for each in product(*values.values())]
    with Evaluator(
        ruleset,
        measures,
        most_states=most_states,
        workers=workers,
        cluster=cluster,
        announce=announce,
    ) as evaluator:
        cells = evaluator.measure(settings, progress)
    own = ruleset.rules._asdict()
    return Sweep(
        ruleset.text,
        ruleset.entry.title,
        {rule: tuple(each) for rule, each in values.items()},
        tuple(measures),
        tuple(cells),
        {rule: own[rule] for rule in values},
    )


def parse_sweep(ruleset: Ruleset, text: str) -> tuple[str, list[int]]:
    """A rule and its values, written `max_boost=2..6` or `max_boost=1,2,5`. Raises `UsageError` or
    `RulesetError`.

    >>> parse_sweep(load("bagh"), "max_boost=2..4")
    ('max_boost', [2, 3, 4])
    >>> parse_sweep(load("fencing"), "walk_energy=-3..-1")
    ('walk_energy', [-3, -2, -1])
    """
    rule, equals, given = (part.strip() for part in text.partition("="))
    ends = re.fullmatch(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})", given)
    if not equals or not (ends or re.fullmatch(r"-?[0-9]{1,9}(,-?[0-9]{1,9})*", given)):
        raise UsageError(f"{brief(text)} is not a rule with values; write RULE=2..6 or RULE=1,2,5")
    if ends:
        first, last = map(int, ends.groups())
        if last < first:
            raise UsageError(f"{brief(text)}: a range goes from a lower to a higher value")
        if last - first >= MOST_RULESETS:
            raise UsageError(f"{brief(text)}: a range has at most {MOST_RULESETS:,} values")
        found = list(range(first, last + 1))
    else:
        found = sorted(set(map(int, given.split(","))))
    for value in (found[0], found[-1]):
        parse_setting(ruleset.entry, f"{rule}={value}")  # raises if it is not allowed
    return rule, found


class Evaluator:
    """Measures rulesets of one game, and keeps what it finds."""

    def __init__(
        self,
        ruleset: Ruleset,
        wanted: Sequence[str],
        *,
        most_states: int = MOST_STATES,
        workers: int | None = None,
        cluster: str | None = None,
        announce: Announce = silent,
    ) -> None:
        for name in wanted:
            measure_kind(name)
        self.ruleset, self.wanted, self.most_states = ruleset, tuple(wanted), most_states
        prepare(ruleset, announce)
        self._stop = Event()
        self._cluster = None if cluster is None else ClusterWorkers(cluster)
        self._threads = ThreadPoolExecutor(workers or available_cores())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stops at once: work that has begun ends with its next report."""
        self._stop.set()
        self._threads.shutdown(wait=True, cancel_futures=True)
        if self._cluster is not None:
            self._cluster.close()

    def measure(
        self, settings: Sequence[Mapping[str, int]], progress: Progress = lambda done: None
    ) -> list[MeasuredRuleset]:
        """The measures with each of these settings, in the same order."""
        found: dict[int, MeasuredRuleset] = {}
        running: dict[Future[Measures], int] = {}
        rulesets: list[Ruleset | None] = []
        for place, each in enumerate(settings):
            try:
                ruleset = with_settings(self.ruleset, each)
            except RulesetError as error:
                found[place] = MeasuredRuleset("", each, {}, str(error))
                rulesets.append(None)
                continue
            rulesets.append(ruleset)
            kept = read_kept(ruleset, self.wanted)
            if kept is not None:
                found[place] = MeasuredRuleset(ruleset.text, each, kept)
            else:
                running[self._submit(ruleset)] = place
        while running:
            progress(len(found))
            done, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in done:
                place = running.pop(future)
                ruleset = rulesets[place] or self.ruleset
                try:
                    numbers: Measures = future.result()
                except UsageError as error:
                    found[place] = MeasuredRuleset(ruleset.text, settings[place], {}, str(error))
                else:
                    keep(ruleset, self.wanted, numbers)
                    found[place] = MeasuredRuleset(ruleset.text, settings[place], numbers)
        progress(len(found))
        return [found[place] for place in range(len(settings))]

    def _submit(self, ruleset: Ruleset) -> "Future[Measures]":
        if self._cluster is not None:
            games = os.environ.get(ENVIRONMENT, "")
            return self._cluster.call(
                measured_there, games, ruleset.text, self.wanted, self.most_states
            )
        return self._threads.submit(
            measured,
            ruleset,
            self.wanted,
            most_states=self.most_states,
            progress=partial(check_stop, self._stop),
        )


class SweepStopped(Exception):  # noqa: N818 - not an error
    """The sweep was interrupted."""


def check_stop(stop: Event, said: str) -> None:
    if stop.is_set():
        raise SweepStopped


def measured_there(games: str, text: str, wanted: Collection[str], most_states: int) -> Measures:
    """Measures a ruleset in a process that does not have our environment; `games` is from it."""
    for source in filter(None, games.split(os.pathsep)):
        add_all(source)
    ruleset = load(text)
    prepare(ruleset)
    return measured(ruleset, wanted, most_states=most_states)


def with_settings(ruleset: Ruleset, settings: Mapping[str, int]) -> Ruleset:
    """The ruleset with other values of some rules. Raises `RulesetError`."""
    rules = {**ruleset.rules._asdict(), **settings}
    text = ",".join(f"{rule}={value}" for rule, value in rules.items())
    return load(f"{ruleset.entry.name}:{text}")


def extremes(ruleset: Ruleset, values: Values) -> Iterator[Ruleset]:
    """The ruleset, and the same with the first and the last of the values of all rules."""
    yield ruleset
    for place in (0, -1):
        with suppress(RulesetError):
            yield with_settings(ruleset, {rule: each[place] for rule, each in values.items()})


# Keeping results


def kept_path(ruleset: Ruleset) -> Path:
    return table_path(ruleset).with_suffix(".measures")


def read_kept(ruleset: Ruleset, wanted: Collection[str]) -> Measures | None:
    """What was found about a ruleset by the same code, if it has all that is wanted."""
    try:
        kept = json.loads(kept_path(ruleset).read_bytes())
        numbers = {str(name): float(number) for name, number in kept["measures"].items()}
        if kept["origin"] != origin(ruleset, *CODE) or not set(wanted) <= {*kept["wanted"]}:
            return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return numbers


def keep(ruleset: Ruleset, wanted: Collection[str], numbers: Measures) -> None:
    """Keeps what was found; a folder that cannot be written to only costs time later."""
    content = {
        "origin": origin(ruleset, *CODE),
        "wanted": sorted({*wanted, *numbers}),
        "measures": numbers,
    }
    with suppress(UsageError):
        write_whole(kept_path(ruleset), json.dumps(content), sync=False)
