"""Search where both choose at once: `python -m bench.simultaneous`.

For each ruleset: which level beats which, each pair of games from one seed with the seats
exchanged; how deep a search looks within a budget; what looking at whole matrices costs instead, in
cells, nodes and time, interleaved; and how late an answer is, on a machine that is as busy as it
happens to be.
"""

import argparse
import random
import time
from collections.abc import Callable
from statistics import mean, median, stdev
from typing import Any

from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.search.simultaneous import search_simultaneous, searcher_of
from holmgang.solver.search.simultaneous_kernels import CELLS, NODES
from holmgang.stats import Z

RULESETS = ("fencing:league=1", "fencing:league=2", "fencing", "bagh", "defend-the-city")
RALLY = "60/220.14.4/280.11.4"  # fencers two steps apart, in the middle of a duel
BUDGETS = (50, 100, 1000)
ROUND_LIMIT = 300

Choose = Callable[[Any, int, random.Random], int]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.simultaneous")
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--match-seconds", type=float, default=60, help="0: no matches")
    parser.add_argument("--budget-ms", type=float, default=20, help="of a search in the matches")
    parser.add_argument(
        "--depth", type=int, help="of a search in the matches, in place of a budget"
    )
    parser.add_argument("--only-matches", action="store_true")
    options = parser.parse_args()
    for text in options.rulesets:
        ruleset = load(text)
        print(f"\n{text}")
        if options.depth is None:
            name, limits = f"search, {options.budget_ms:g} ms", {"budget_ms": options.budget_ms}
        else:
            name, limits = f"search, depth {options.depth}", {"depth": options.depth}
        if options.match_seconds:
            matches(ruleset, options.match_seconds, name, searching(ruleset, **limits))
        if options.only_matches:
            continue
        for name, state in positions(ruleset).items():
            search_simultaneous(ruleset, state, depth=1)
            depths_reached(ruleset, name, state)
            against_whole_matrices(ruleset, name, state)
        lateness(ruleset)


def positions(ruleset: Ruleset) -> dict[str, Any]:
    found = {"start": ruleset.initial()}
    if ruleset.game.folder == "fencing":
        found["rally"] = ruleset.parse_state(RALLY)
    return found


# How deep, and what pruning saves


def depths_reached(ruleset: Ruleset, name: str, state: Any) -> None:
    depths = [search_simultaneous(ruleset, state, budget_ms=ms).depth for ms in BUDGETS]
    reached = ", ".join(f"{depth} in {ms} ms" for depth, ms in zip(depths, BUDGETS, strict=True))
    print(f"  {name}: depth {reached}")


def against_whole_matrices(
    ruleset: Ruleset, name: str, state: Any, most_seconds: float = 1.0, repeats: int = 3
) -> None:
    for depth in range(2, 7):
        runs: dict[bool, list[tuple[float, int, int, float]]] = {False: [], True: []}
        for _ in range(repeats):
            for is_full in (False, True):
                runs[is_full].append(measured(ruleset, state, depth, is_full))
        pruned, full = (sorted(runs[is_full])[repeats // 2] for is_full in (False, True))
        print(
            f"  {name}, depth {depth}: {1000 * pruned[0]:.2f} ms, {pruned[1]:,} cells,"
            f" {pruned[2]:,} nodes; whole matrices {1000 * full[0]:.2f} ms, {full[1]:,} cells,"
            f" {full[2]:,} nodes; {full[0] / pruned[0]:.1f} times as long;"
            f" values differ by {abs(full[3] - pruned[3]):.0e}"
        )
        if full[0] > most_seconds:
            break


def measured(
    ruleset: Ruleset, state: Any, depth: int, is_full: bool
) -> tuple[float, int, int, float]:
    """CPU seconds, cells, nodes, value."""
    searcher = searcher_of(ruleset, False)
    with searcher.board() as board:  # the one that is kept, and taken next
        before = board.control[NODES]
    started = time.process_time()
    value = search_simultaneous(ruleset, state, depth=depth, is_full=is_full).value
    seconds = time.process_time() - started
    return seconds, board.control[CELLS], board.control[NODES] - before, value


def lateness(ruleset: Ruleset, budget_ms: float = 50, count: int = 40) -> None:
    state = ruleset.initial()
    late = []
    for _ in range(count):
        started = time.perf_counter()
        search_simultaneous(ruleset, state, budget_ms=budget_ms)
        late.append(1000 * (time.perf_counter() - started) - budget_ms)
    print(
        f"  answers to a budget of {budget_ms:.0f} ms come {median(late):+.1f} ms late in the"
        f" median, {sorted(late)[-2]:+.1f} and {max(late):+.1f} at worst, of {count}"
    )


# Who beats whom


def at_random(ruleset: Ruleset) -> Choose:
    return lambda state, seat, dice: dice.choice(ruleset.choices(state, seat))


def searching(ruleset: Ruleset, **limits: Any) -> Choose:
    def choose(state: Any, seat: int, dice: random.Random) -> int:
        found = search_simultaneous(ruleset, state, **limits)
        mix = (found.red, found.blue)[seat]
        return dice.choices(list(mix), list(mix.values()))[0]

    return choose


def matches(ruleset: Ruleset, seconds: float, name: str, search: Choose) -> None:
    """A seat of a lopsided game is to be compared with the same seat in the hands of another."""
    by_chance, greedy = at_random(ruleset), searching(ruleset, depth=1)
    greedy(ruleset.initial(), 0, random.Random(0))  # compiled by now
    if not ruleset.is_symmetric:
        match(ruleset, "random v random", by_chance, by_chance, seconds / 8)
        match(ruleset, "greedy v greedy", greedy, greedy, seconds / 4)
        match(ruleset, f"{name}, v random", search, by_chance, seconds / 2)
    match(ruleset, "greedy v random", greedy, by_chance, seconds / 4)
    match(ruleset, f"{name}, v greedy", search, greedy, seconds)


def match(ruleset: Ruleset, name: str, first: Choose, second: Choose, seconds: float) -> None:
    as_red, as_blue = [], []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(as_red) < 2:  # an interval needs two
        seed = len(as_red)
        as_red.append(played(ruleset, first, second, seed))
        as_blue.append(-played(ruleset, second, first, seed))
    both = [(red + blue) / 2 for red, blue in zip(as_red, as_blue, strict=True)]
    print(
        f"  {name}: {interval(both)} in {2 * len(both)} games;"
        f" as red {interval(as_red)}, as blue {interval(as_blue)}",
        flush=True,
    )


def played(ruleset: Ruleset, red: Choose, blue: Choose, seed: int) -> float:
    """A game's result to red; a draw if it takes too long."""
    game, rules = ruleset.game.rules, ruleset.rules
    dice = [random.Random(f"{seed} {lane}") for lane in ("red", "blue", "chance")]
    state = game.initial(rules)
    for _ in range(ROUND_LIMIT):
        mine = red(state, 0, dice[0]) if game.choices(rules, state, 0) else -1
        theirs = blue(state, 1, dice[1]) if game.choices(rules, state, 1) else -1
        face = dice[2].randrange(game.chance(rules, state, mine, theirs))
        state = game.resolve(rules, state, mine, theirs, face)
        ended = ruleset.outcome(state)
        if ended is not None:
            return {"red": 1.0, "blue": -1.0, None: 0.0}[ended.winner]
    return 0.0


def interval(results: list[float]) -> str:
    """The mean, with 95 % confidence."""
    return f"{mean(results):+.3f} ± {Z * stdev(results) / len(results) ** 0.5:.3f}"


if __name__ == "__main__":
    main()
