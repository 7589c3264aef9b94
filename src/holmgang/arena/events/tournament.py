"""Contests: a match, a tournament or a sequential test. Those in a folder can be resumed."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from holmgang.arena.counting.results import Log, ResultLog, Results, read_results
from holmgang.arena.counting.sprt import Hypotheses
from holmgang.arena.counting.standings import Merit, Standings, standings
from holmgang.arena.events.entrant import Entrant, parse_entrants
from holmgang.arena.events.executor import Workers
from holmgang.arena.events.knockout import Knockout
from holmgang.arena.events.page import format_page
from holmgang.arena.events.paired_test import PairedTest
from holmgang.arena.events.run import Run
from holmgang.arena.events.schedule import Gauntlet, RoundRobin, Schedule, Series
from holmgang.arena.events.starts import read_starts
from holmgang.arena.events.swiss import Swiss
from holmgang.arena.fixture import Fixture
from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine.keys import parse_seed
from holmgang.engine.progress import Progress
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.games.shape import JsonObject
from holmgang.machine import write_whole

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")
TEST = "better"
"""The format of a sequential test of two bots."""
MATCH = "match"
"""The format of a match: two bots and any number of games."""
EXTENSIBLE = ("round-robin", "gauntlet", TEST, MATCH)
"""Formats that can be extended with more games later, because the first ones stay the same."""


class ContestPlan(msgspec.Struct, frozen=True):
    """Everything that determines the games of a contest. Raises UsageError."""

    ruleset: str
    format: str
    entrants: tuple[Entrant, ...]
    games: int
    """Games in each encounter: an even number, so that each bot has each seat equally often. In
    a match any number, and in a sequential test the limit."""
    seed: int | None
    """None: the seed of the games in the folder, or a random one for new games."""
    settings: JudgeSettings
    rounds: int | None = None
    """Rounds of a Swiss tournament (default: as many as needed)."""
    hypotheses: Hypotheses | None = None
    """The hypotheses of a sequential test."""
    swap: bool = True
    """Whether seats are swapped. If not, which only a match allows, the first bot is always red."""
    starts: tuple[str, ...] = ()
    """Starting positions as text (default: that of the rules). Each is used for one pair of games
    in turn, or without `swap` for one game."""

    def __post_init__(self) -> None:
        if self.format not in (*FORMATS, TEST, MATCH):
            raise UsageError(f"no format {self.format!r}; there are {', '.join(FORMATS)}")
        if len(self.entrants) < 2:
            raise UsageError("a tournament needs at least two bots")
        if self.format in (TEST, MATCH) and len(self.entrants) > 2:
            raise UsageError(f"the format {self.format} is for two bots")
        if self.format != MATCH and (self.games < 2 or self.games % 2):
            raise UsageError(
                f"--games must be even, so that both bots play each seat equally often; not"
                f" {self.games}"
            )
        if self.rounds is not None and self.format != "swiss":
            raise UsageError("--rounds is for the format swiss only")
        if self.rounds is not None and self.rounds >= len(self.entrants) + len(self.entrants) % 2:
            raise UsageError(
                f"{len(self.entrants)} bots cannot play {self.rounds} Swiss rounds without meeting"
                " twice"
            )

    @property
    def bots(self) -> list[str]:
        return [entrant.name for entrant in self.entrants]

    @property
    def title(self) -> str:
        if self.format == TEST:
            return "Is {} better than {}?".format(*self.bots)
        if self.format == MATCH:
            return "{} against {}".format(*self.bots)
        return f"{self.format.capitalize()} of {len(self.entrants)} bots"

    def schedule(self) -> Schedule:
        pairs = self.games // 2
        match self.format:
            case "gauntlet":
                return Gauntlet(self.bots, pairs)
            case "swiss":
                return Swiss(self.bots, pairs, self.rounds)
            case "knockout":
                return Knockout(self.bots, pairs)
            case "match":
                first, second = self.bots
                return Series(first, second, self.games, swap=self.swap)
            case "better":
                new, old = self.bots
                return PairedTest(new, old, self.hypotheses or Hypotheses(), pairs)
            case _:
                return RoundRobin(self.bots, pairs)

    def start(self, fixture: Fixture) -> str | None:
        """The starting position of a game (None: that of the rules)."""
        return self.starts[fixture.number % len(self.starts)] if self.starts else None

    def as_json(self) -> JsonObject:
        return {
            "holmgang_tournament": 1,
            "ruleset": self.ruleset,
            "format": self.format,
            "games": self.games,
            "rounds": self.rounds,
            "seed": self.seed,
            "entrants": {each.name: [each.text, each.fingerprint] for each in self.entrants},
            "settings": msgspec.to_builtins(replace(self.settings, records=None, log=None)),
            "hypotheses": None if self.hypotheses is None else asdict(self.hypotheses),
            "swap": self.swap,
            "starts": list(self.starts),
        }

    @property
    def hash(self) -> str:
        """8 hex digits that identify this plan. They do not depend on the number of games if it can
        be extended, nor on a seed that is drawn later, so that a repeated command finds its folder.
        """
        plan = self.as_json() | ({"games": 0} if self.format in EXTENSIBLE else {})
        return hashlib.sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()[:8]


def make_plan(
    form: str,
    game: str,
    bots: Sequence[str],
    games: int,
    seed: int | None,
    settings: JudgeSettings,
    starts: Path | None = None,
    **more: Any,
) -> ContestPlan:
    """A plan from command-line arguments. `form` is its format, `starts` a file of starting
    positions, and `more` has other fields of `ContestPlan`. Raises HolmgangError.
    """
    ruleset = load(game)
    entrants = parse_entrants(bots, ruleset, rename=form == MATCH)
    states = read_starts(starts, ruleset)
    return ContestPlan(
        ruleset.text, form, tuple(entrants), games, seed, settings, starts=states, **more
    )


class Contest:
    """The games of a plan, with results in memory only."""

    def __init__(self, plan: ContestPlan) -> None:
        self.seed = parse_seed(plan.seed)
        self.plan = replace(plan, seed=self.seed)
        self.schedule = plan.schedule()
        self._memory = Log()

    @property
    def settings(self) -> JudgeSettings:
        return self.plan.settings

    def task(self, fixture: Fixture) -> GameTask:
        texts = {each.name: each.text for each in self.plan.entrants}
        return GameTask(
            id=fixture.id,
            ruleset=self.plan.ruleset,
            red=texts[fixture.red],
            blue=texts[fixture.blue],
            seed=fixture.seed(self.seed),
            settings=self.settings,
            names=(fixture.red, fixture.blue),
            start=self.plan.start(fixture),
        )

    def play(
        self, open_workers: Callable[[], Workers], progress: Progress = lambda played: None
    ) -> int:
        """Plays the missing games and returns their number."""
        with self._open_log() as log:
            if not self.schedule.due(log.results):
                return 0
            with closing(open_workers()) as workers:
                return Run(self.schedule, self.task, log, workers).play(progress)

    def _open_log(self) -> AbstractContextManager[Log]:
        return nullcontext(self._memory)

    def results(self) -> Results:
        """All results so far, including during play."""
        return self._memory.results

    def standings(self) -> Standings:
        results = self.results()
        games = self.schedule.games
        due = len(self.schedule.due(results))
        return standings(
            self.plan.bots,
            results.values(),
            title=self.plan.title,
            ruleset=self.plan.ruleset,
            missing=due if games is None or due == 0 else games - len(results),
            merit=merit_of(self.schedule, results),
            answer=answer_of(self.schedule, results),
            damage=results.damage,
        )


class Tournament(Contest):
    """A contest in a folder."""

    def __init__(self, plan: ContestPlan, folder: Path) -> None:
        """Raises UsageError if the folder has other games."""
        self.folder = folder
        super().__init__(self._begin(plan))
        self._log: ResultLog | None = None

    @property
    def log_path(self) -> Path:
        return self.folder / "results.jsonl"

    @property
    def settings(self) -> JudgeSettings:
        return replace(self.plan.settings, records=str(self.folder.resolve() / "records"))

    def task(self, fixture: Fixture) -> GameTask:
        return replace(super().task(fixture), folder=str(self.folder))

    def _begin(self, plan: ContestPlan) -> ContestPlan:
        """Writes the plan to the folder and returns it with its seed."""
        path = self.folder / "tournament.json"
        if (self.folder / "league.json").exists():
            raise UsageError(f"{self.folder} holds a league; choose another --out")
        try:
            before = msgspec.json.decode(path.read_bytes(), type=JsonObject)
        except FileNotFoundError:
            if self.log_path.exists():
                raise UsageError(f"{self.folder} has results, but no tournament.json") from None
            before = None
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise UsageError(f"{path} is damaged; choose another --out") from None
        if plan.seed is None and before is not None:
            seed = parse_seed(before.get("seed"))
        else:
            seed = parse_seed(plan.seed)
        plan = replace(plan, seed=seed)
        if before is not None:
            now = json.loads(json.dumps(plan.as_json()))
            difference = first_difference(before, now, extensible=plan.format in EXTENSIBLE)
            if difference:
                raise UsageError(
                    f"{self.folder} holds other games: {difference}; choose another --out"
                )
        write_whole(path, json.dumps(plan.as_json(), indent=2) + "\n")
        return plan

    @contextmanager
    def _open_log(self) -> Iterator[Log]:
        with ResultLog(self.log_path, with_times=self.plan.format == MATCH) as log:
            self._log = log
            try:
                yield log
            finally:
                self._log = None

    def results(self) -> Results:
        return read_results(self.log_path) if self._log is None else self._log.results


def merit_of(schedule: Schedule, results: Results) -> Merit | None:
    if isinstance(schedule, Swiss):
        return Merit("points", {bot: points for bot, points, _ in schedule.standings(results)})
    if isinstance(schedule, Knockout):
        return Merit("survived", {bot: float(n) for bot, n in schedule.standings(results)})
    return None


def answer_of(schedule: Schedule, results: Results) -> str | None:
    return schedule.answer(results) if isinstance(schedule, PairedTest) else None


def export(table: Standings, folder: Path, results: Results) -> None:
    """Writes the table in all formats next to the log in the folder."""
    write_whole(folder / "table.json", json.dumps(table.as_json(), indent=2) + "\n")
    write_whole(folder / "table.csv", table.as_csv())
    write_whole(folder / "payoffs.csv", table.payoffs_csv())
    write_whole(folder / "index.html", format_page(table, results))


def first_difference(before: JsonObject, now: JsonObject, *, extensible: bool) -> str | None:
    """The first difference between the plan in a folder and the requested one, as a sentence."""
    for key, asked in now.items():
        was = before.get(key)
        is_longer = key == "games" and extensible and isinstance(was, int) and was < asked
        if was == asked or is_longer:
            continue
        if isinstance(was, dict) and isinstance(asked, dict):
            return difference_within(key, was, asked)
        if key == "starts":
            return "the starting positions of --starts are not the same"
        return f"{key} was {was} and is now {asked}"
    return None


def difference_within(key: str, was: JsonObject, asked: JsonObject) -> str:
    if list(was) != list(asked):
        return f"{key} were {', '.join(was)} and are now {', '.join(asked)}"
    changed = next(name for name in asked if was[name] != asked[name])
    if key == "entrants":
        return f"the bot {changed} has changed since; a league keeps versions"
    return f"{changed} was {was[changed]} and is now {asked[changed]}"
