"""Exact solution by layers, for a game with a clock: leagues 1 and 2 of Fencing.

Turn and scores only grow, so one pass from the last turn back and from the highest scores down
solves every state, without iteration. Only the states in which each score begins are stored
(`file.py`). To evaluate any other state, its layer is solved again, which takes seconds, and then
kept in memory.

Each value has an error bound: half the gap of its matrix, plus rounding, plus the largest error of
the states that may follow, plus the rounding of stored values. The exploitability from the start is
at most twice the bound.
"""

import random
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import Self

from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Notify, quiet
from holmgang.errors import RecordError, StateError
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.machine import available_cores
from holmgang.solver.checksum import origin
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.layered.file import (
    LAYERS_CODE,
    LayerDraft,
    LayerFile,
    RulesetHeader,
    StartHeader,
)
from holmgang.solver.layered.layer import Arrivals, Crew, Layer, turn_solver
from holmgang.solver.layered.places import Places, Score
from holmgang.solver.summary import Counted, SolveResult

SAMPLE = 3  # layers that `check` solves again, besides the first
FEW_STATES = 1_000_000  # `check` solves all layers of a file with at most this many
ROUNDED = 1e-12  # tolerance for numbers in the header
KEPT_MIB = 512  # of layers in memory
REPORT_SECONDS = 2.0
MANY_PLACES = 50_000  # enumerating this many takes seconds
CHANCE_ERROR = 1e-6  # tolerance for probabilities, far above the rounding in the file


def following(places: Places, known: Callable[[Score], Arrivals], score: Score) -> Arrivals:
    """The arrivals of a score, which may be stored as its mirror image."""
    kept = places.canonical(score)
    arrivals = known(kept)
    return arrivals if kept == score else arrivals.mirrored(places.arrival_mirrors)


# Solving


def solve_layers(
    ruleset: str | Ruleset,
    path: Path,
    *,
    progress: Notify = quiet,
    announce: Announce = silent,
    workers: int | None = None,
) -> SolveResult:
    """Solves the ruleset and writes the file; resumes if it was interrupted.

    Raises `UsageError` if the game has no clock or too many states.
    """
    ruleset = as_ruleset(ruleset)
    progress("enumerating places")
    places = Places(ruleset, announce=announce)
    turn_solver()("solve_turn", announce)
    firsts = places.scores()
    workers = available_cores() if workers is None else workers
    total = sum(places.turns - first for first in firsts.values())
    memory = places.count * places.place_bytes >> 20
    progress(
        f"{places.count:,} places, {len(firsts)} scores, {total * places.count:,} states;"
        f" about {memory:,} MiB of memory"
    )
    with (
        LayerDraft(path, ruleset, places.turns, len(places.arrivals)) as draft,
        Crew(workers) as crew,
    ):
        left = [score for score in reversed(firsts) if score not in draft.done]
        if draft.done:
            progress(f"resuming: {len(draft.done)} of {len(firsts)} scores are done")
        report = ProgressReport(progress, sum(places.turns - firsts[score] for score in left))
        for score in left:
            started = time.perf_counter()
            layer = Layer(places, score, firsts, partial(following, places, draft.arrivals), crew)
            known = solve_arrivals(layer, firsts[score], partial(report, score))
            draft.add(
                score,
                known,
                seconds=time.perf_counter() - started,
                start=describe_start(layer) if score == next(iter(firsts)) else None,
            )
        done = draft.done.values()
        start = next(layer.start for layer in done if layer.start is not None)
        size = draft.finish(path, describe(places), start)
    return SolveResult(
        ruleset,
        total * places.count,
        Counted.ALL_PLACES,
        start["start"]["value"] or 0.0,
        start["exploitability"],
        round(sum(layer.seconds for layer in done), 1),
        path,
        size,
    )


def describe(places: Places) -> RulesetHeader:
    """The part of the header of a file that describes the ruleset."""
    turns = sum(places.turns - first for first in places.scores().values())
    return {
        **origin(places.ruleset, *LAYERS_CODE),
        "states": turns * places.count,
        "places": places.count,
        "arrivals": len(places.arrivals),
        "turns": places.turns,
    }


class ProgressReport:
    """Reports the progress of solving every few seconds."""

    def __init__(self, progress: Notify, turns: int) -> None:
        self._progress, self._turns, self._solved = progress, turns, 0
        self._started = self._reported = time.monotonic()

    def __call__(self, score: Score) -> None:
        """Counts one more solved turn of the score."""
        self._solved += 1
        now = time.monotonic()
        if now - self._reported < REPORT_SECONDS:
            return
        self._reported = now
        left = (now - self._started) * (self._turns / self._solved - 1)
        time_left = f"{left:.0f} seconds" if left < 100 else f"{left / 60:.0f} minutes"
        self._progress(
            f"score {score[0]}-{score[1]}, {self._solved / self._turns:.1%}, about {time_left} left"
        )


def solve_arrivals(layer: Layer, first: int, report: Callable[[], None] = lambda: None) -> Arrivals:
    """Solves the layer back to its first turn, and returns its arrivals."""
    places = layer.places
    values: list[array[float]] = []
    decided: list[array[float]] = []
    for turn in range(layer.turn - 1, first - 1, -1):
        layer.solve_to(turn)
        for rows, numbers in ((values, layer.values), (decided, layer.decided)):
            rows.append(array("d", map(numbers[turn].__getitem__, places.arrivals)))
        report()
    return Arrivals(first, joined(values), joined(decided), layer.errors[first])


def joined(rows: list["array[float]"]) -> "array[float]":
    """The rows in reverse order, as one array."""
    numbers = array("d")
    for row in reversed(rows):
        numbers.extend(row)
    return numbers


def describe_start(layer: Layer) -> StartHeader:
    """The part of the header of a file that describes the start, which is in this layer."""
    found = layer.evaluate(layer.places.ruleset.initial())
    return {
        "start": {"value": found.value, "win": found.win, "draw": found.draw, "loss": found.loss},
        "exploitability": 2 * layer.errors[layer.turn],
    }


# Requests


def places_of(file: LayerFile, progress: Notify = quiet, announce: Announce = silent) -> Places:
    """The places of a file's ruleset. Raises `RecordError` if the file does not have its layers."""
    if file.header["places"] > MANY_PLACES:
        progress(f"enumerating {file.header['places']:,} places")
    places = Places(file.ruleset, announce=announce)
    turn_solver()("solve_turn", announce)
    shape = (places.turns, len(places.arrivals), places.scores())
    if shape != (file.header["turns"], file.header["arrivals"], file.firsts):
        raise RecordError(f"{file.path} does not have the layers of {file.ruleset.text}")
    return places


class Layers:
    """An open file of layers; it may be used as a context manager, and by several threads.

    The first request enumerates the places of the game, and the first one for each score solves its
    layer: both take seconds, or up to a minute for league 2 of Fencing. `ready` does that in
    advance. Further requests for later turns of the score are answered at once.

    Raises as `LayerFile` does, and `RecordError` at the first request if layers are missing.
    """

    def __init__(
        self,
        path: Path,
        *,
        kept_mib: int = KEPT_MIB,
        workers: int | None = None,
    ) -> None:
        """Keeps the most recently used layers in memory: up to `kept_mib`, but at least one."""
        self._file = LayerFile(path)
        self.header, self.ruleset = self._file.header, self._file.ruleset
        self.solving = ""
        """The progress of `ready`; empty when it is not running."""
        self._crew = Crew(available_cores() if workers is None else workers)
        self._kept_bytes = kept_mib << 20
        self._layers: dict[Score, Layer] = {}
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._layers.clear()
        self._crew.__exit__()

    @property
    def exploitability(self) -> float:
        return float(self.header["exploitability"])

    @cached_property
    def _places(self) -> Places:
        return places_of(self._file)

    def ready(self, state: State, progress: Notify = quiet, announce: Announce = silent) -> None:
        """Solves the layer that `evaluate` needs for this state and later ones with its score."""
        with self._lock:

            def tell(said: str) -> None:
                self.solving = said
                progress(said)

            try:
                if "_places" not in self.__dict__:
                    self._places = places_of(self._file, tell, announce)
                self._layer(self._seen(state)[0], tell)
            finally:
                self.solving = ""

    def evaluate(self, state: State) -> Evaluation:
        """The value of an undecided state and both mixes. Raises `StateError` if it is over or
        cannot be reached.
        """
        with self._lock:
            seen, is_mirrored = self._seen(state)
            found = self._layer(seen, quiet).evaluate(seen)
        return found.mirrored() if is_mirrored else found

    def value(self, state: State) -> float:
        """The value of an undecided state. Raises as `evaluate` does."""
        return self.evaluate(state).value

    def pair_value(self, state: State, red: int, blue: int) -> float:
        """The value of two choices in a state."""
        with self._lock:
            seen, is_mirrored = self._seen(state)
            pair = (blue, red) if is_mirrored else (red, blue)
            value = self._layer(seen, quiet).worth(seen, *pair).value
        return -value if is_mirrored else value

    def _seen(self, state: State) -> tuple[State, bool]:
        """The state or its mirror image, whichever has a layer, and whether it is mirrored."""
        self.ruleset.check_undecided(state)
        _, _, score = self._places.find(state)
        if self._places.canonical(score) == score:
            return state, False
        return self.ruleset.mirror(state), True

    def _layer(self, state: State, progress: Notify) -> Layer:
        """The layer of the state, solved back to its turn."""
        _, turn, score = self._places.find(state)
        firsts = self._file.firsts
        if score not in firsts or turn < firsts[score]:
            raise StateError(f"{self.ruleset.text} cannot reach this state")
        layer = self._layers.pop(score, None)
        needed = self._places.layer_bytes(turn)
        while self._layers and needed + self._held_bytes() > self._kept_bytes:
            del self._layers[next(iter(self._layers))]
        if layer is None:
            known_after = partial(following, self._places, self._file.arrivals)
            layer = Layer(self._places, score, firsts, known_after, self._crew, keep=True)
        report = ProgressReport(progress, layer.turn - turn)
        for before in range(layer.turn - 1, turn - 1, -1):
            layer.solve_to(before)
            report(score)
        self._layers[score] = layer
        return layer

    def _held_bytes(self) -> int:
        return sum(self._places.layer_bytes(layer.turn) for layer in self._layers.values())


# Checking


@dataclass(frozen=True)
class Check:
    """The result of `check`."""

    ruleset: Ruleset
    layers: int
    of: int
    largest_difference: float
    """The largest difference between a value in the file and the same value solved again."""
    exploitability: float
    """The exploitability from the start, as proven by the check."""


def largest_difference(numbers: "array[float]", others: "array[float]") -> float:
    return max((abs(a - b) for a, b in zip(numbers, others, strict=True)), default=0.0)


def check(
    path: Path,
    *,
    whole: bool = False,
    seed: int = 0,
    progress: Notify = quiet,
    announce: Announce = silent,
    workers: int | None = None,
) -> Check:
    """Solves layers again, each from the layers in the file that follow it: the first layer and a
    few others. With `whole`, or if the file is small, it solves all of them, and compares each
    round of each state with the rules. Raises `RecordError` if a value is off by more than its
    stated error, a probability is not that of the mixes, or the header is wrong.
    """
    file = LayerFile(path)
    places = places_of(file, progress, announce)
    known, exploitability = describe(places), 0.0
    right: dict[str, object] = {**known}
    workers = available_cores() if workers is None else workers
    first_score, *others = places.scores()
    whole = whole or known["states"] <= FEW_STATES
    if not whole:
        others = random.Random(seed).sample(others, min(SAMPLE, len(others)))
    report = ProgressReport(
        progress, sum(places.turns - file.firsts[s] for s in (*others, first_score))
    )
    largest = 0.0
    with Crew(workers) as crew:
        for score in (*others, first_score):
            known_after = partial(following, places, file.arrivals)
            layer = Layer(places, score, file.firsts, known_after, crew, thorough=whole)
            solved = solve_arrivals(layer, file.firsts[score], partial(report, score))
            stored = file.arrivals(score)
            difference = largest_difference(solved.values, stored.values)
            if not solved.error + difference <= stored.error:
                raise RecordError(f"{path}: the values at {score[0]}-{score[1]} are not proven")
            if largest_difference(solved.decided, stored.decided) > CHANCE_ERROR:
                raise RecordError(
                    f"{path}: the chances at {score[0]}-{score[1]} do not match the mixes"
                )
            largest = max(largest, difference)
            if score == first_score:
                start = describe_start(layer)
                right |= start
                exploitability = start["exploitability"]
    for name, value in right.items():
        said = {**file.header}[name]
        if not is_same(said, value):
            raise RecordError(f"{path}: {name} in its header is {said}, not {value}")
    return Check(file.ruleset, len(others) + 1, len(file.firsts), largest, exploitability)


def is_same(said: object, right: object) -> bool:
    """Whether a value in the header is right, up to the rounding of other processors."""
    if isinstance(right, dict):
        return (
            isinstance(said, dict)
            and said.keys() == right.keys()
            and all(is_same(said[name], value) for name, value in right.items())
        )
    if isinstance(said, float) and isinstance(right, float):
        return abs(said - right) <= ROUNDED
    return type(said) is type(right) and said == right
