"""`make bench-solving`: measures the solver and writes bench/SOLVING.md.

Matrix games (`bench.matrix`, `bench.matrix_sweep`), whole rulesets, looking up, and OpenSpiel's
value iteration. What is compared is interleaved. Sections that are not measured are kept as they
are and marked.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.contenders import HERE, PEER_PYTHON, Contender, interleave
from bench.page import made_of, table
from holmgang.engine.compiled.native import NumberKernels
from holmgang.games.ruleset import load
from holmgang.solver.exact.solve import IMPATIENCE, TableSolver, sweeping
from holmgang.solver.exact.table import make_ready, tabulate
from holmgang.solver.exact.tablebase import Tablebase

RULESETS = ("bagh", "bagh-advantage", "defend-the-city", "defend-the-city-duel")
LOOKED_UP = "bagh"
MOST_MICROSECONDS = 20  # for a look-up
SMALL = "bagh:max_boost=1,heal_limit=5"  # for those who take long
ROOT = HERE.parent
AGAINST = "Against an earlier version"
EARLIER = "*Measured earlier:"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.solving")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter runs")
    parser.add_argument(
        "--without-peers", action="store_true", help="keep the sections that need other libraries"
    )
    parser.add_argument(
        "--before", type=Path, metavar="FOLDER", help="compare with the sources in this folder"
    )
    options = parser.parse_args()
    if not options.without_peers and not PEER_PYTHON.exists():
        sys.exit("the peers are not installed: run `make bench-solving`, or add --without-peers")
    repeats, each, seconds = (2, 20, 3.0) if options.quick else (5, 1000, 10.0)
    head = header()  # of what is measured, not of what it has become by the end
    sections = earlier_sections((HERE / "SOLVING.md").read_text())
    if options.before is not None:
        sections[AGAINST] = against_earlier(options.before, repeats)
    with tempfile.TemporaryDirectory() as folder:
        # First, while this process is small: a child's peak is never below its parent's.
        sections["Whole rulesets"] = whole_rulesets(Path(folder), repeats)
        sections["Looking up"] = look_ups(Path(folder) / f"{LOOKED_UP}.table", repeats)
    failures: list[str] = []
    if not options.without_peers:
        sections["OpenSpiel's value iteration"] = value_iterations(repeats // 2, seconds)
        for name, *run in (
            ("Matrix games", "bench.matrix", "--repeats", str(repeats)),
            ("Matrix games, all sizes", "bench.matrix_sweep", "--each", str(each)),
        ):
            sections[name] = by_peers(failures, *run)
    lines = [*head, f"- load average {os.getloadavg()[0]:.1f} after", ""]
    lines += (line for each in sections.items() for line in section(*each))
    (HERE / "SOLVING.md").write_text("\n".join(lines))
    sys.stdout.write("\n".join(lines))
    if failures:
        sys.exit("\n".join(failures))


def header() -> list[str]:
    return [
        "# Benchmarks of the solver",
        "",
        "Written by `make bench-solving`; not by hand. Medians of interleaved runs in one go, in",
        "CPU time where nothing else is said, because the machines are shared and noisy.",
        "",
        *made_of(),
        f"- load average {os.getloadavg()[0]:.1f} before",
    ]


def earlier_sections(page: str) -> dict[str, list[str]]:
    """The sections of the page as it is, each marked with what it was measured with."""
    head, *parts = page.split("\n## ")
    told = next(line for line in head.splitlines() if " at commit " in line)
    sections = {}
    for part in parts:
        name, text = part.split("\n", 1)
        lines = text.strip().splitlines()
        if not lines[0].startswith(EARLIER):
            lines = [f"{EARLIER} {told.removeprefix('- ')}.*", "", *lines]
        sections[name] = [*lines, ""]
    return sections


def section(name: str, lines: list[str]) -> list[str]:
    return [f"## {name}", "", *lines]


# In the environment of the peers


def peer_run(*command: str) -> "subprocess.CompletedProcess[str]":
    """With our package at hand, and one thread for each library; its progress is shown."""
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return subprocess.run(
        [str(PEER_PYTHON), *command],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **single, "PYTHONPATH": str(ROOT / "src")},
    )


def by_peers(failures: list[str], module: str, *arguments: str) -> list[str]:
    done = peer_run("-W", "ignore", "-m", module, *arguments)
    if done.returncode:
        failures.append(f"{module} failed")
    return [*done.stdout.rstrip("\n").splitlines(), ""]


# Against an earlier version


def against_earlier(before: Path, repeats: int) -> list[str]:
    """CPU times of `holmgang solve`, the whole process, of both versions in turn."""
    times: dict[str, tuple[list[float], list[float]]] = {text: ([], []) for text in RULESETS}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(repeats + 1):  # the first compiles, if need be, and does not count
            for text, (old, new) in times.items():
                for source, taken in ((before, old), (ROOT, new)):
                    sys.stderr.write(f"{text}, run {number} of {repeats}: {source}\n")
                    cpu = solve_from(source, text, Path(folder))
                    if number:
                        taken.append(cpu)
    rows = []
    for text, (old, new) in times.items():
        ratio = median(b / a for a, b in zip(new, old, strict=True))
        rows.append([text, f"{median(old):.2f}", f"{median(new):.2f}", f"{ratio:.1f}"])
    commit = subprocess.run(
        ["git", "-C", str(before), "describe", "--always", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return [
        f"CPU seconds of `holmgang solve`, the whole process, at commit {commit or 'unknown'} and",
        "now, in turn, with compiled code in the cache.",
        "",
        *table(["", "before", "now", "times faster"], rows),
    ]


def plain_environment() -> dict[str, str]:
    """Ours, in which Python may keep the bytecode of what it imports, as it does for users."""
    return {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def solve_from(source: Path, ruleset: str, folder: Path) -> float:
    command = [sys.executable, "-m", "holmgang", "solve", ruleset, "--out", str(folder / "a.table")]
    environment = {**plain_environment(), "PYTHONPATH": str(source / "src")}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"holmgang solve {ruleset} failed in {source}")
    return used.ru_utime + used.ru_stime


# Whole rulesets


@dataclass(frozen=True)
class Run:
    """One `holmgang solve`, the whole process."""

    cpu: float
    wall: float
    peak_mib: float
    summary: dict[str, Any]


def solve_once(ruleset: str, folder: Path) -> Run:
    program, out = Path(sys.executable).parent / "holmgang", folder / f"{ruleset}.json"
    command = [str(program), "solve", ruleset, "--json", "--out", str(folder / f"{ruleset}.table")]
    started = time.perf_counter()
    with (
        out.open("wb") as file,
        subprocess.Popen(command, stdout=file, env=plain_environment()) as process,
    ):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"holmgang solve {ruleset} failed")
    summary = json.loads(out.read_bytes())
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, summary)


def whole_rulesets(folder: Path, repeats: int) -> list[str]:
    runs: dict[str, list[Run]] = {ruleset: [] for ruleset in RULESETS}
    for number in range(repeats + 1):  # the first compiles, if need be, and does not count
        for ruleset in RULESETS:
            sys.stderr.write(f"solving {ruleset}, run {number} of {repeats}\n")
            done = solve_once(ruleset, folder)
            if number:
                runs[ruleset].append(done)
    costs, results = [], []
    for ruleset, measured in runs.items():
        summary = measured[0].summary
        matrices = matrices_solved(ruleset)
        whole = median(run.cpu for run in measured)
        costs.append(
            [
                ruleset,
                f"{whole:.2f}",
                f"{median(run.wall for run in measured):.2f}",
                f"{max(run.peak_mib for run in measured):.0f}",
                f"{matrices:,}",
                f"{matrices / whole / 1e3:,.1f}",
                f"{sweep_rate(ruleset, 3) / 1e3:,.1f}",
            ]
        )
        results.append(
            [
                ruleset,
                f"{summary['states']:,}",
                f"{summary['sweeps']}",
                f"{summary['exploitability']:.1e}",
                f"{summary['worst_exploitability']:.1e}",
                f"{summary['bytes']:,}",
            ]
        )
    head = ["", "CPU s", "wall s", "peak MiB", "matrices", "k a CPU s", "k a CPU s, sweeps alone"]
    return [
        "`holmgang solve`, the whole process, with compiled code in the cache: it lists the",
        "states, solves them, proves the solution and writes the table. *Matrices* is how often a",
        "state was updated by solving its matrix. Of two states that mirror each other only one is",
        "solved, and one that can follow itself counts once a sweep, however often it is solved.",
        "",
        *table(head, costs),
        *table(["", "states", "sweeps", "exploitability", "from any state", "bytes"], results),
    ]


# Sweeps alone


class Counted:
    """The solver's kernels; counts the states whose matrices are solved."""

    def __init__(self, kernels: NumberKernels) -> None:
        self.matrices = 0
        self._kernels = kernels

    def __call__(self, name: str) -> Callable[..., Any]:
        kernel = self._kernels(name)
        if name != "improve":
            return kernel

        def improve(first: int, end: int, *arguments: Any) -> Any:
            self.matrices += end - first
            return kernel(first, end, *arguments)

        return improve


def sweeper_of(text: str) -> tuple[TableSolver, Counted]:
    ruleset = load(text)
    make_ready(ruleset)
    listed = tabulate(ruleset)
    counted: Any = Counted(sweeping())
    return TableSolver(listed, counted, lambda said: None), counted


def matrices_solved(text: str) -> int:
    """In all, by the time the solution is proven."""
    sweeper, counted = sweeper_of(text)
    sweeper.solve()
    return counted.matrices


def sweep_rate(text: str, repeats: int) -> float:
    """The matrices solved a CPU second until all values stand, without listing or proving."""
    matrices, seconds = 0, 0.0
    for _ in range(repeats):
        sweeper, counted = sweeper_of(text)
        attempt, started = sweeper.start(), time.process_time()
        sweeper.settle(attempt, IMPATIENCE[0])
        seconds += time.process_time() - started
        matrices += counted.matrices
    return matrices / seconds


# Looking up


def look_ups(path: Path, repeats: int) -> list[str]:
    sys.stderr.write("look-ups\n")
    listed = tabulate(load(LOOKED_UP))
    dice = random.Random(1)
    mirror = listed.ruleset.game.notation.mirror
    states = [listed.state(dice.randrange(listed.count)) for _ in range(5000)]
    states = [mirror(listed.ruleset.rules, s) if dice.random() < 0.5 else s for s in states]
    with Tablebase(path) as stored:
        ways: dict[str, Callable[[Any], Any]] = {"evaluate": stored.evaluate, "value": stored.value}
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(repeats + 1):  # the first brings the file to memory
            for name, look_up in ways.items():
                started = time.process_time()
                for state in states:
                    look_up(state)
                if number:
                    taken[name].append(1e6 * (time.process_time() - started) / len(states))
    rows = [
        [f"`Tablebase.{name}(state)`", f"{median(times):.1f}", f"{MOST_MICROSECONDS}"]
        for name, times in taken.items()
    ]
    return [
        f"From Python, {len(states):,} random states of `{LOOKED_UP}`, the file in memory.",
        "",
        *table(["", "µs", "wanted, at most"], rows),
    ]


# OpenSpiel's value iteration


def value_iterations(repeats: int, seconds: float) -> list[str]:
    sys.stderr.write("value iteration\n")
    script = str(HERE / "peers" / "open_spiel_values.py")

    def theirs() -> float:
        updates, taken = peer_run(script, str(seconds), SMALL).stdout.split()[-2:]
        return int(updates) / float(taken)

    us, them = Contender("Holmgang", lambda: sweep_rate(SMALL, 20)), Contender("OpenSpiel", theirs)
    interleave([us, them], repeats)
    states = tabulate(load(SMALL)).states
    return [
        f"**Ours : theirs {us.rate / them.rate:,.0f}**, in states updated a CPU second. Both solve",
        f"`{SMALL}`, {states} states, by the same rules: OpenSpiel's",
        "`value_iteration` through a game that asks `rules.py`, stopped after",
        f"{seconds:.0f} s, without the time to list the states; ours by its sweeps alone, of which",
        "only the matrices that were solved are counted.",
        "",
        *table(
            ["", "states updated a CPU second"],
            [[each.name, f"{each.rate:,.0f}"] for each in (us, them)],
        ),
    ]


if __name__ == "__main__":
    main()
