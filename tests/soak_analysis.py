"""`make soak-analysis`: analyses of 10,000 random duels of every tabled game. The parts must add up
to 1e-9, and no error may be below -1e-9.

Then duels of BAGH with perfect play on one side or both: perfect play must make no error above
1e-8. What random play loses against the mixes of perfect play must be what its exact value says,
and its errors, which count the least loss against any optimal mix, must be less.
"""

import argparse
import math
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from bench.exact_levels import Chain, States
from tests.analysis.duels import EXACT, check, left_over, lost_to_mixes, mixed_duel, random_duel

from holmgang.analysis.analyse import analyse
from holmgang.games.contract import BLUE
from holmgang.games.ruleset import load
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.tables import build_by_the_way

TABLED = ("bagh", "bagh-advantage", "defend-the-city", "defend-the-city-duel")
CHUNK = 50


def analyse_some(text: str, first: int, count: int) -> tuple[int, float, float]:
    """The rounds of some duels, the largest difference of a sum, and the least error."""
    rounds, largest, least = 0, 0.0, 0.0
    for seed in range(first, first + count):
        analysis = analyse(random_duel(load(text), seed))
        check(analysis)
        rounds += len(analysis.rounds)
        largest = max(largest, left_over(analysis))
        errors = (min(graded.red_error, graded.blue_error) for graded in analysis.rounds)
        least = min(least, *errors, 0.0)
    return rounds, largest, least


def perfect_errors(seed: int) -> float:
    """The largest error of a duel of perfect play on both sides."""
    rounds = analyse(mixed_duel("bagh", seed, "red", "blue")).rounds
    return max((max(graded.red_error, graded.blue_error) for graded in rounds), default=0.0)


def random_losses(seed: int) -> tuple[float, float]:
    """What random play lost in a duel against the mixes of perfect play, and by errors."""
    analysis = analyse(mixed_duel("bagh", seed, "red"))
    return lost_to_mixes(analysis, BLUE), analysis.totals["blue_error"]


def check_levels(duels: int) -> bool:
    """Whether perfect and random play make the errors that they should."""
    with ProcessPoolExecutor() as pool:
        largest = max(pool.map(perfect_errors, range(duels), chunksize=CHUNK))
        losses = list(pool.map(random_losses, range(duels), chunksize=CHUNK))
    lost, errors = zip(*losses, strict=True)
    states = States(solve_whole(load("bagh"), mirror=False))
    values = Chain(states, states.perfect, states.at_random).values()
    implied = float(values[states.table.start])  # the game itself is worth 0
    mean, near = statistics.mean(lost), 1.96 * statistics.stdev(lost) / math.sqrt(duels)
    print(
        f"bagh, perfect against perfect: {duels:,} duels, largest error {largest:.1e}\n"
        f"bagh, perfect against random: {duels:,} duels, random loses {mean:.4f} ± {near:.4f} to"
        f" the mixes; its exact value says {implied:.4f}; by errors {statistics.mean(errors):.4f}",
        flush=True,
    )
    is_less = all(error <= loss + EXACT for loss, error in losses)
    return largest <= 1e-8 and is_less and abs(mean - implied) <= 1.5 * near


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--duels", type=int, default=10_000)
    parser.add_argument("--games", nargs="*", default=TABLED)
    options = parser.parse_args()
    failed = False
    for text in options.games:
        build_by_the_way(load(text))
        started = time.monotonic()
        firsts = range(0, options.duels, CHUNK)
        counts = [min(CHUNK, options.duels - first) for first in firsts]
        with ProcessPoolExecutor() as pool:
            found = list(pool.map(analyse_some, repeat(text), firsts, counts))
        rounds = sum(part[0] for part in found)
        largest, least = max(part[1] for part in found), min(part[2] for part in found)
        took = time.monotonic() - started
        print(
            f"{text}: {sum(counts):,} duels, {rounds:,} rounds in {took:.0f} s;"
            f" sums off by at most {largest:.1e}, least error {least:.1e}",
            flush=True,
        )
        failed = failed or largest > EXACT or least < -EXACT
    build_by_the_way(load("bagh"))
    failed = not check_levels(max(100, options.duels // 5)) or failed
    sys.exit(failed)


if __name__ == "__main__":
    main()
