"""`make bench`: measures everything and writes bench/RESULTS.md.

Every figure is a median of interleaved runs, and what counts is the ratio: the machines are shared
and noisy. `--quick` takes fewer and shorter runs; `--no-peers` leaves out the other libraries.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench import judge
from bench.contenders import (
    HERE,
    PEER_PYTHON,
    Contender,
    build_yardstick,
    by_peer,
    by_yardstick,
    by_yardsticks,
    check_tallies,
    games_for,
    interleave,
    on_one_thread,
    on_threads,
)
from bench.page import made_of, table
from holmgang.engine.compiled.native import Kernels
from holmgang.games.ruleset import load

GAMES = {"bagh": 0.87, "fencing": 0.82, "defend-the-city": 0.75, "magic-duel": 0.75}
"""What is measured against C, and the ratio it must reach on one thread."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    repeats, rounds = (5, 1_000_000) if options.quick else (15, 4_000_000)
    lines = header()
    lines += against_c(repeats, rounds)
    if options.no_peers:
        lines += ["## Peers", "", "Not measured in this run.", ""]
    else:
        lines += against_peers(max(3, repeats // 3))
    lines += starts(repeats)
    lines += memory()
    lines += judge.section(max(3, repeats // 3))
    (HERE / "RESULTS.md").write_text("\n".join(lines))
    sys.stdout.write("\n".join(lines))


def header() -> list[str]:
    return [
        "# Benchmarks",
        "",
        "Written by `make bench`; not by hand. Medians of interleaved runs in one go, as ratios,",
        "because the machines are shared and noisy. Absolute rates are there to give an idea.",
        "",
        *made_of(),
        "",
    ]


def millions(rate: float) -> str:
    return f"{rate / 1e6:.2f}" if rate >= 1e5 else f"{rate / 1e6:.3f}"


# Random playouts against C


def against_c(repeats: int, rounds: int) -> list[str]:
    program = build_yardstick()
    rates, ratios, scaling = [], [], []
    for game, wanted in GAMES.items():
        sys.stderr.write(f"{game}: plain Python, compiled, C\n")
        kernels = Kernels(load(game))
        plain = Kernels(load(game), interpret=True)
        games = games_for(kernels, rounds)
        check_tallies(program, game, games)
        python = Contender("plain Python", on_one_thread(plain, games_for(kernels, 20_000)))
        one = Contender("compiled", on_one_thread(kernels, games))
        c_one = Contender("C", by_yardstick(program, game, games))
        one_wall = Contender("1 thread, wall", on_threads(game, 4 * games, 1))
        two_wall = Contender("2 threads, wall", on_threads(game, 8 * games, 2))
        c_wall = Contender("C, 1 process, wall", by_yardsticks(program, game, 4 * games, 1))
        c_two = Contender("C, 2 processes, wall", by_yardsticks(program, game, 4 * games, 2))
        interleave([python, one, c_one], repeats)
        interleave([one_wall, c_wall, two_wall, c_two], max(5, repeats // 2))
        rates.append([game, *(millions(each.rate) for each in (python, one, c_one))])
        best = max(one.rates) / max(c_one.rates)
        ratios.append(
            [
                game,
                f"{one.rate / c_one.rate:.2f}",
                f"{best:.2f}",
                f"{wanted:.2f}",
                f"{one.rate / python.rate:.0f}",
            ]
        )
        ours, theirs = two_wall.rate / one_wall.rate, c_two.rate / c_wall.rate
        scaling.append([game, f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}"])
    return [
        "## Random playouts",
        "",
        "One thread, CPU time. The yardstick is `bench/yardstick.c`, by hand, `-O3 -march=native`,",
        "on the same stream of chance; its tallies must be ours before anything is timed.",
        "",
        *table(["", "ours : C", "in the best runs", "wanted", "ours : plain Python"], ratios),
        *table(["M rounds a CPU second", "plain Python", "compiled", "C"], rates),
        "Two threads against two processes of the yardstick, wall time, each against itself alone:",
        "",
        *table(["", "ours, 2 : 1", "C, 2 : 1", "ours : C (wanted 0.90)"], scaling),
    ]


# Peers on their nearest games


def against_peers(repeats: int) -> list[str]:
    if not PEER_PYTHON.exists():
        sys.exit("the peers are not installed: run `make bench`, or leave them out with --no-peers")
    sys.stderr.write("peers\n")
    kernels = Kernels(load("bagh"))
    ours = Contender("Holmgang, bagh", on_one_thread(kernels, games_for(kernels, 4_000_000)))
    oshi, goof = "oshi_zumo", "goofspiel(num_cards=4,players=2,points_order=descending)"
    groups = {
        "OpenSpiel through Python": (
            70,
            [
                Contender("oshi_zumo", by_peer("open_spiel_python.py", oshi)),
                Contender("goofspiel, 4 cards", by_peer("open_spiel_python.py", goof)),
            ],
        ),
        "OpenSpiel inside C++": (
            10,
            [
                Contender("oshi_zumo", by_peer("open_spiel_cpp.py", oshi)),
                Contender("goofspiel, 4 cards", by_peer("open_spiel_cpp.py", goof)),
                Contender("markov_soccer", by_peer("open_spiel_cpp.py", "markov_soccer")),
            ],
        ),
        "Pgx on this CPU": (
            10,
            [
                Contender("tic_tac_toe", by_peer("pgx_steps.py", "tic_tac_toe")),
                Contender("kuhn_poker", by_peer("pgx_steps.py", "kuhn_poker")),
            ],
        ),
        "PettingZoo": (1000, [Contender("rps_v2", by_peer("pettingzoo_steps.py"))]),
    }
    peers = [contender for _, group in groups.values() for contender in group]
    interleave([ours, *peers], repeats)
    rows = [
        [peer, each.name, millions(each.rate), f"{ours.rate / each.rate:,.0f}", f"{wanted:,}"]
        for peer, (wanted, group) in groups.items()
        for each in group
    ]
    return [
        "## Peers",
        "",
        f"Random play, rounds a CPU second; ours is BAGH on one thread, {millions(ours.rate)} M.",
        "",
        *table(["", "its game", "M rounds", "ours : theirs", "wanted"], rows),
    ]


# Start-up and memory


def seconds_of(*command: str, **environment: str) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    return time.perf_counter() - started


def starts(repeats: int) -> list[str]:
    sys.stderr.write("start-up\n")
    program = str(Path(sys.executable).parent / "holmgang")
    simulation = (program, "simulate", "bagh", "--games", "1000")
    seconds_of(*simulation)
    helps, warm = [], []
    for _ in range(repeats):
        helps.append(seconds_of(program, "--help"))
        warm.append(seconds_of(*simulation))
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds_of(*simulation, HOLMGANG_CACHE=folder)
    rows = [
        ["holmgang --help", f"{median(helps):.2f}"],
        ["holmgang simulate bagh --games 1000, warm", f"{median(warm):.2f}"],
        ["the same, compiling first", f"{cold:.2f}"],
    ]
    added = median(warm) - median(helps)
    return [
        "## Start-up",
        "",
        f"Warm, a simulation takes {added:.2f} s more than `--help` (wanted: less than 1).",
        "",
        *table(["", "seconds, whole process"], rows),
    ]


def memory() -> list[str]:
    """The highest resident memory of a simulation, few games and many."""
    code = (
        "import resource, sys, holmgang;"
        "holmgang.simulate('bagh', int(sys.argv[1]));"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for games in ("1000", "3000000"):
        out = subprocess.run(
            [sys.executable, "-c", code, games], check=True, capture_output=True, text=True
        ).stdout
        peaks.append(int(out) / 1024)
    told = f"{peaks[0]:.0f} MiB for 1,000 games, {peaks[1]:.0f} MiB for 3,000,000"
    return ["## Memory", "", f"Peak of `simulate('bagh', n)`: {told}.", ""]


if __name__ == "__main__":
    main()
