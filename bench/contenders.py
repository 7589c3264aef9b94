"""Ways to play many random games, each measured in rounds a second."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from holmgang.engine.compiled.native import Kernels
from holmgang.games.ruleset import load
from holmgang.simulation.simulate import simulate
from holmgang.simulation.tally import SimulationTally

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "bench"
PEER_PYTHON = HERE.parent / ".venv-bench" / "bin" / "python"
LIMIT = 1000
SEED = 5

Measure = Callable[[], float]
"""One run: rounds a second."""


@dataclass
class Contender:
    name: str
    measure: Measure
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return median(self.rates)


def interleave(contenders: list[Contender], repeats: int) -> None:
    """Measures all of them in turn, repeatedly, so that a busy moment hits them alike."""
    for number in range(repeats):
        for contender in contenders:
            contender.rates.append(contender.measure())
        sys.stderr.write(f"  run {number + 1} of {repeats}\n")


# Ours


def kernel_tally(kernels: Kernels, games: int) -> tuple[SimulationTally, float]:
    """The tally of the first games, and the CPU seconds they took on one thread."""
    tally = SimulationTally(LIMIT, games=games)
    kernel = kernels("playouts")
    started = time.process_time()
    tally.rounds = kernel(SEED, 0, games, LIMIT, tally.ends, tally.lengths, tally.picks)
    return tally, time.process_time() - started


def games_for(kernels: Kernels, rounds: int) -> int:
    """How many games have about so many rounds."""
    sample, _ = kernel_tally(kernels, 100)
    return max(1, rounds * 100 // sample.rounds)


def on_one_thread(kernels: Kernels, games: int) -> Measure:
    def measure() -> float:
        tally, seconds = kernel_tally(kernels, games)
        return tally.rounds / seconds

    return measure


def on_threads(game: str, games: int, threads: int) -> Measure:
    def measure() -> float:
        done = simulate(game, games, seed=SEED, threads=threads)
        return done.rounds / done.compute_seconds

    return measure


# The yardstick


def build_yardstick() -> Path:
    program = BUILD / "yardstick"
    BUILD.mkdir(parents=True, exist_ok=True)
    source = HERE / "yardstick.c"
    subprocess.run(["cc", "-O3", "-march=native", "-o", str(program), str(source)], check=True)
    return program


def yardstick_run(program: Path, game: str, games: int) -> "subprocess.Popen[str]":
    command = [str(program), game, str(SEED), "0", str(games)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def yardstick_result(process: "subprocess.Popen[str]") -> tuple[int, float, list[list[int]]]:
    """Rounds, CPU seconds, and the tallies: ends, lengths, picks."""
    out, _ = process.communicate()
    first, *tallies = out.splitlines()
    rounds, seconds = first.split()
    return int(rounds), float(seconds), [[int(n) for n in line.split()] for line in tallies]


def by_yardstick(program: Path, game: str, games: int) -> Measure:
    def measure() -> float:
        rounds, seconds, _ = yardstick_result(yardstick_run(program, game, games))
        return rounds / seconds

    return measure


def by_yardsticks(program: Path, game: str, games: int, processes: int) -> Measure:
    """Several processes at once, in wall time."""

    def measure() -> float:
        started = time.perf_counter()
        running = [yardstick_run(program, game, games) for _ in range(processes)]
        rounds = sum(yardstick_result(process)[0] for process in running)
        return rounds / (time.perf_counter() - started)

    return measure


def check_tallies(program: Path, game: str, games: int) -> None:
    """The yardstick and the compiled rules must agree on every count, or nothing is measured."""
    theirs = yardstick_result(yardstick_run(program, game, games))
    ours, _ = kernel_tally(Kernels(load(game)), games)
    ends, lengths, picks = theirs[2]
    same = (
        ends == list(ours.ends)[: len(ends)]
        and lengths == list(ours.lengths)
        and picks == list(ours.picks)
        and theirs[0] == ours.rounds
    )
    if not same:
        sys.exit(f"{game}: the yardstick's tallies are not ours; one of them plays by other rules")


# Peers


def by_peer(script: str, *arguments: str, seconds: float = 0.5) -> Measure:
    command = [str(PEER_PYTHON), str(HERE / "peers" / script), str(seconds), *arguments]

    def measure() -> float:
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rounds, taken = out.split()[-2:]
        return int(rounds) / float(taken)

    return measure
