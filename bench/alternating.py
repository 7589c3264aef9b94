"""Alpha-beta for MagicDuel, with its table and without: `python -m bench.alternating`.

Both search the same quiet positions to the same depth in one run, in turns; without the table it is
alpha-beta with killers and history only. What is counted is CPU time, medians; the last column is
how far the search with the table sees in a second of wall time.
"""

import argparse
import time
from statistics import median
from typing import Any, NamedTuple

from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.search.alternating import MOST_BUCKETS, Search, search_alternating, searcher_of

QUIET = (
    ("magic-duel", "r2/25.0.0.0/25.0.0.0"),
    ("magic-duel", "r2/20.4.0.900+b6@1/20.4.0.900+b6@1"),
    ("magic-duel:shield_limit=5", "r2/25.0.0.0/25.0.0.0"),
)


class Run(NamedTuple):
    seconds: float
    nodes: int
    score: int


def run(ruleset: Ruleset, state: Any, depth: int, buckets: int) -> Run:
    started = time.process_time()
    search = Search(searcher_of(ruleset), state, buckets)
    for each in range(1, depth + 1):
        search.deepen(each)
    return Run(time.process_time() - started, search.nodes, search.score)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.alternating")
    parser.add_argument("--depth", type=int, default=16, help="rounds; 16 are 8 turns of two moves")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(
        f"| position | to depth {options.depth} | without table | ratio | nodes | M nodes/s | 1 s |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    for text, words in QUIET:
        ruleset = load(text)
        state = ruleset.parse_state(words)
        searcher_of(ruleset)("search")
        pairs = [
            [run(ruleset, state, options.depth, buckets) for buckets in (MOST_BUCKETS, 0)]
            for _ in range(options.repeats)
        ]
        if len({each.score for pair in pairs for each in pair}) != 1:
            raise SystemExit(f"{text} {words}: the table changed a score")
        ours = median(with_table.seconds for with_table, _ in pairs)
        plain = median(without.seconds for _, without in pairs)
        nodes = pairs[0][0].nodes
        seen = search_alternating(ruleset, state, budget_ms=1000).depth
        print(
            f"| `{text}` `{words}` | {ours:.2f} s | {plain:.2f} s | {plain / ours:.1f} "
            f"| {nodes:,} | {nodes / ours / 1e6:.1f} | {seen} rounds |",
            flush=True,
        )


if __name__ == "__main__":
    main()
