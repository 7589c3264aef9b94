"""Learning algorithms on small rulesets, by exact exploitability: writes docs/benchmark.md.

python -m bench.learning            all of it: some minutes
python -m bench.learning --quick    a few iterations each; prints the page
"""

import argparse
import platform
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from math import log10
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms import cfr

import holmgang
from holmgang.envs.openspiel import load_game
from holmgang.simulation.batch import unpacked
from holmgang.solver.matrix import solve_matrix

ROOT = Path(__file__).parents[1]
PAGE, PICTURE = ROOT / "docs" / "benchmark.md", ROOT / "docs" / "pictures" / "benchmark.svg"
SEED = 1
HORIZON = 10  # rounds; how fast values change
Floats = NDArray[np.float64]

GAMES = {
    "Oshi-Zumo, 6 coins": "./examples/oshi_zumo.py:coins=6,size=1",
    "Goofspiel, 3 cards": "./examples/goofspiel.py:cards=3,first_prize=1",
    "BAGH, 2 HP": "bagh:start_hp=2,max_boost=1,heal_limit=1",
    "BAGH, boost to 1": "bagh:max_boost=1",
}
ENDLESS = ("BAGH, 2 HP", "BAGH, boost to 1")  # CFR needs games that end


class Compact:
    """A model with choices numbered by their places on the menus, so that arrays are small."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = holmgang.load(ruleset)
        self.model = model = holmgang.model(self.ruleset)
        self.count, self.width = len(model.states), int(model.shapes.max())
        self.legal = np.arange(self.width) < model.shapes[:, :, None]  # states × seats × places
        place = np.arange(len(model.constants)) - model.pair_starts[model.pair_states]
        self._red, self._blue = np.divmod(place, model.shapes[model.pair_states, 1])
        self._choices = np.argsort(~model.masks, axis=2, kind="stable")[:, :, : self.width]

    def matrices(self, values: Floats) -> Floats:
        """The pay-off matrix of each state, 0 outside of the menus."""
        found = np.zeros((self.count, self.width, self.width))
        found[self.model.pair_states, self._red, self._blue] = self.model.payoffs(values)
        return found

    def policy(self, mixes: Floats) -> Floats:
        """Mixes by place (states × seats × places) as a policy by choice."""
        found = np.zeros(self.model.masks.shape)
        np.put_along_axis(found, self._choices, mixes * self.legal, axis=2)
        return np.where(self.model.masks, found, 0)

    def uniform(self) -> Floats:
        return self.legal / self.legal.sum(axis=2, keepdims=True)


Learner = Callable[[Compact], Iterator[Floats]]
"""Yields a policy after each iteration."""


def step_of(sweep: int) -> float:
    """The weight of the newest result in the value of a state. A plain mean, 2 / (sweep + 1), would
    hold on to early results: news from the end of a long game would hardly reach its start.
    """
    return (HORIZON + 1) / (HORIZON + sweep)


def is_power(sweep: int) -> bool:
    return sweep & (sweep - 1) == 0


def regret_matching(game: Compact) -> Iterator[Floats]:
    """Every state plays in proportion to positive regrets. Regrets and averages start again after
    1, 2, 4 … sweeps, because they belong to values that have changed since; the average leaves out
    the first eighth of the sweeps after that, when everything is still tried.
    """
    values, sweep, started = np.zeros(game.count), 0, 0
    while True:
        if is_power(sweep):
            regrets, average = np.zeros((2, *game.legal.shape))
            started = sweep
        sweep += 1
        positive = np.maximum(regrets, 0) * game.legal
        total = positive.sum(axis=2, keepdims=True)
        mixes = np.where(total > 0, positive / np.where(total > 0, total, 1), game.uniform())
        matrices = game.matrices(values)
        by_red = np.einsum("sij,sj->si", matrices, mixes[:, 1])
        by_blue = np.einsum("sij,si->sj", matrices, mixes[:, 0])
        worth = (by_red * mixes[:, 0]).sum(axis=1)
        regrets[:, 0] += by_red - worth[:, None]
        regrets[:, 1] += worth[:, None] - by_blue
        if sweep - started > started // 8:
            average += mixes
        values += (worth - values) * step_of(sweep)
        yield average


def fictitious_play(game: Compact) -> Iterator[Floats]:
    """Every state plays the best response to the average of what the other seat has played since
    the last start, which is after 1, 2, 4 … sweeps.
    """
    values, sweep, started = np.zeros(game.count), 0, 0
    states = np.arange(game.count)
    while True:
        if is_power(sweep):
            average, started = game.uniform(), sweep
        sweep += 1
        matrices = game.matrices(values)
        by_red = np.einsum("sij,sj->si", matrices, average[:, 1])
        by_blue = np.einsum("sij,si->sj", matrices, average[:, 0])
        best = np.zeros(game.legal.shape)
        best[states, 0, np.where(game.legal[:, 0], by_red, -np.inf).argmax(axis=1)] = 1
        best[states, 1, np.where(game.legal[:, 1], by_blue, np.inf).argmin(axis=1)] = 1
        average = average + (best - average) / (sweep - started)
        worth = np.einsum("si,sij,sj->s", average[:, 0], matrices, average[:, 1])
        values += (worth - values) * step_of(sweep)
        yield average


def openspiel_cfr(game: Compact) -> Iterator[Floats]:
    """OpenSpiel's CFR on the conversion to turns; its average policy."""
    solver = cfr.CFRSolver(pyspiel.convert_to_turn_based(load_game(game.ruleset, limit=0)))
    texts = [game.ruleset.format_text(unpacked(game.ruleset, row)) for row in game.model.states]
    while True:
        solver.evaluate_and_update_policy()
        average = solver.average_policy()
        found = game.uniform()
        for number, text in enumerate(texts):
            for seat in (0, 1):
                key = f"Current player: {seat}\n{text}"
                if key in average.state_lookup:
                    menu = np.flatnonzero(game.model.masks[number, seat])
                    found[number, seat, : len(menu)] = average.policy_for_key(key)[menu]
        yield found


class Sampled:
    """Games that are played by ε-greedy mixes, and the rates of updates."""

    def __init__(self, game: Compact) -> None:
        self.game, self.random = game, np.random.default_rng(SEED)
        self.visits = np.zeros((game.count, game.width, game.width))
        self.state = game.model.start

    def play(self, mixes: Floats, exploring: float) -> tuple[int, int, int, float, int]:
        """A round: the state, both places, the result if the game ends, and the next state; -1 if
        there is none.
        """
        game, model, state = self.game, self.game.model, self.state
        red, blue = (
            int(self.random.integers(model.shapes[state, seat]))
            if self.random.random() < exploring
            else int(self.random.choice(game.width, p=mixes[state, seat]))
            for seat in (0, 1)
        )
        pair = int(model.pair_starts[state]) + red * int(model.shapes[state, 1]) + blue
        first, end = model.entry_starts[pair : pair + 2]
        chances = model.chances[first:end]
        place = int(np.searchsorted(np.cumsum(chances), self.random.random(), side="right"))
        if place < len(chances):
            result, after = 0.0, int(model.successors[first + place])
        else:  # of the games that end here, the mean result: `constants` has no other
            result, after = float(model.constants[pair] / (1 - chances.sum())), -1
        self.visits[state, red, blue] += 1
        self.state = model.start if after < 0 else after
        return state, red, blue, result, after


ROUNDS = 1000
"""Sampled rounds in an iteration."""
EXPLORING = 0.2


def independent_q(game: Compact) -> Iterator[Floats]:
    """Each seat learns the worth of its own choices as if the other were part of the game; it plays
    the greedy choice, except when it explores.
    """
    sampled, worths = Sampled(game), np.zeros(game.legal.shape)
    seen = np.zeros(game.legal.shape)
    while True:
        for _ in range(ROUNDS):
            state, *places, result, after = sampled.play(greedy(worths, game.legal), EXPLORING)
            for seat, place in enumerate(places):
                side = 1 if seat == 0 else -1
                later = np.where(game.legal[after, seat], worths[after, seat], -np.inf).max()
                target = side * result if after < 0 else later
                seen[state, seat, place] += 1
                rate = max(0.02, 1 / seen[state, seat, place])
                worths[state, seat, place] += (target - worths[state, seat, place]) * rate
        yield greedy(worths, game.legal)


def greedy(worths: Floats, legal: NDArray[np.bool_]) -> Floats:
    best = np.where(legal, worths, -np.inf).argmax(axis=2)
    return np.eye(worths.shape[2])[best]


def minimax_q(game: Compact) -> Iterator[Floats]:
    """Learns the worth of every pair of choices from play, and solves the matrix of each state that
    it visits.
    """
    sampled = Sampled(game)
    pairs = np.zeros((game.count, game.width, game.width))
    mixes, values = game.uniform(), np.zeros(game.count)
    while True:
        for _ in range(ROUNDS):
            state, red, blue, result, after = sampled.play(mixes, EXPLORING)
            target = result if after < 0 else values[after]
            rate = sampled.visits[state, red, blue] ** -0.7
            pairs[state, red, blue] += (target - pairs[state, red, blue]) * rate
            rows, columns = game.model.shapes[state]
            solved = solve_matrix(pairs[state, :rows, :columns].tolist())
            values[state] = solved.value
            for seat, mix in enumerate((solved.row_mix, solved.column_mix)):
                mixes[state, seat] = np.clip(np.pad(mix, (0, game.width - len(mix))), 0, 1)
                mixes[state, seat] /= mixes[state, seat].sum()
        yield mixes


class Method(NamedTuple):
    name: str
    learner: Learner
    colour: str
    iterations: int
    needs_an_end: bool = False


METHODS = (
    Method("regret matching", regret_matching, "#1b6ca8", 4096),
    Method("fictitious play", fictitious_play, "#c2571a", 4096),
    Method("CFR (OpenSpiel)", openspiel_cfr, "#2c7d4f", 64, needs_an_end=True),
    Method("minimax-Q", minimax_q, "#7a3e9d", 64),
    Method("independent Q-learning", independent_q, "#777777", 64),
)


class Point(NamedTuple):
    iterations: int
    seconds: float
    """Processor time of learning, without scoring."""
    score: float
    low: float
    high: float
    """The proven bounds of the score."""

    @property
    def is_known(self) -> bool:
        """Whether the bounds agree in the two figures that the page prints."""
        return self.high - self.low <= max(0.02 * self.score, 1e-9)

    def __str__(self) -> str:
        return f"{self.score:.2g}" if self.is_known else f"{self.low:.2g} to {self.high:.2g}"


def run(game: Compact, method: Method, most: int, limit: float) -> list[Point]:
    """The exploitability after 1, 2, 4 … iterations, at most `most` of them or about `limit`
    seconds.
    """
    points, seconds, wanted = [], 0.0, 1
    started = time.process_time()
    for done, mixes in enumerate(method.learner(game), start=1):
        seconds += time.process_time() - started
        if done == wanted:
            score = holmgang.exploitability(game.ruleset, game.policy(mixes))
            points.append(Point(done, seconds, score.value, score.low, score.high))
            wanted *= 2
            if wanted > most or seconds > limit:
                break
        started = time.process_time()
    return points


# What mistakes cost


class Mistakes(NamedTuple):
    """Exploitability of optimal mixes and of others near them."""

    optimal: float
    varied: float
    """With every weight changed by up to 1%, at random; no other choice is made."""
    slipping: float
    """With any legal choice instead, in one of 10,000 rounds."""


def mistakes(game: Compact) -> Mistakes:
    optimal = game.model.solution.mixes
    uniform = game.model.masks / np.maximum(game.model.masks.sum(axis=2, keepdims=True), 1)
    changes = np.random.default_rng(SEED).uniform(-0.01, 0.01, optimal.shape)
    scores = (
        holmgang.exploitability(game.ruleset, mixes).value
        for mixes in (optimal, optimal * (1 + changes), 0.9999 * optimal + 0.0001 * uniform)
    )
    return Mistakes(*scores)


# The page


def plot(results: dict[str, dict[str, list[Point]]]) -> str:
    """Exploitability over processor time, both on logarithmic scales, one panel for each game."""
    wide, high, left, top = 400, 300, 54, 34
    inner_wide, inner_high = wide - left - 16, high - top - 44
    (x0, x1), (y0, y1) = (-4, 2), (-5, 0.5)

    def x(seconds: float) -> float:
        return left + inner_wide * (min(max(log10(max(seconds, 1e-9)), x0), x1) - x0) / (x1 - x0)

    def y(score: float) -> float:
        return top + inner_high * (y1 - min(max(log10(max(score, 1e-9)), y0), y1)) / (y1 - y0)

    parts = []
    for number, (name, by_method) in enumerate(results.items()):
        parts.append(f'<g transform="translate({number % 2 * wide} {number // 2 * high})">')
        parts.append(f'<text x="{left}" y="22" font-weight="bold">{name}</text>')
        for power in range(x0, x1 + 1, 2):
            at = x(10.0**power)
            parts.append(f'<path d="M{at:.1f} {top}V{top + inner_high}" stroke="#ddd"/>')
            parts.append(
                f'<text x="{at:.1f}" y="{top + inner_high + 16}" text-anchor="middle">'
                f"{10.0**power:g} s</text>"
            )
        for power in range(y0, 1):
            at = y(10.0**power)
            parts.append(f'<path d="M{left} {at:.1f}H{left + inner_wide}" stroke="#ddd"/>')
            parts.append(
                f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
            )
        for method in METHODS:
            points = by_method.get(method.name, [])
            spots = [f"{x(each.seconds):.1f} {y(each.score):.1f}" for each in points]
            if spots:
                line = "M" + "L".join(spots)
                parts.append(
                    f'<path d="{line}" fill="none" stroke="{method.colour}" stroke-width="2"/>'
                )
        parts.append("</g>")
    rows = -(-len(results) // 2)
    at = 54
    for method in METHODS:
        parts.append(
            f'<path d="M{at} {rows * high + 12}h18" stroke="{method.colour}" stroke-width="3"/>'
            f'<text x="{at + 24}" y="{rows * high + 16}">{method.name}</text>'
        )
        at += 44 + 7 * len(method.name)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * wide} {rows * high + 30}"'
        ' font-family="sans-serif" font-size="12" role="img">'
        "<title>Exploitability over processor time</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def page(
    results: dict[str, dict[str, list[Point]]],
    sizes: dict[str, int],
    costs: dict[str, Mistakes],
) -> str:
    python = platform.python_version()
    lines = [
        "# Benchmark: learning algorithms by exact exploitability",
        "",
        "Written by `python -m bench.learning`, with the picture. Standard algorithms",
        "learn four small rulesets. After 1, 2, 4 … iterations the policy is scored by",
        "`holmgang.exploitability`: 0 is an equilibrium, and 2 is the worst. A score whose proven",
        "bounds are more than 2% apart is printed as its bounds.",
        "",
        f"- {datetime.now(UTC):%Y-%m-%d}, Holmgang {holmgang.__version__}, Python {python}",
        f"- one run, random seed {SEED}; time is processor time of learning on a shared machine",
        "- an algorithm stops after 4,096 sweeps, 64 other iterations, or about 3 seconds, so rows",
        "  with few iterations were stopped early",
        "- H, see below, was chosen from 1, 10, 30 and 100; no other step size is tuned",
        "- the rulesets were chosen after a first run: Oshi-Zumo with 5 coins and Goofspiel with",
        "  the first prize 3 were replaced, because Q-learning solved both; so this is no ranking",
        "- the picture ends at 1e-05; lower scores are drawn there",
        "",
        "![Exploitability over processor time, for each game](pictures/benchmark.svg)",
    ]
    for name, by_method in results.items():
        lines += [
            "",
            f"## {name}",
            "",
            f"`{GAMES[name]}`, {sizes[name]:,} states.",
            "",
            "| algorithm | iterations | seconds | exploitability | after a quarter of them |",
            "|---|---|---|---|---|",
        ]
        for method, points in by_method.items():
            last, earlier = points[-1], points[max(0, len(points) - 3)]
            lines.append(
                f"| {method} | {last.iterations:,} | {last.seconds:.2f} | {last} | {earlier} |"
            )
    lines += [
        "",
        "## The algorithms",
        "",
        "- **Regret matching** and **fictitious play** run in every state at once, on the pay-off",
        "  matrices of `holmgang.model`, with values of later states that follow with the step",
        f"  (H + 1) / (H + sweep), where H is {HORIZON}. Both start again after 1, 2, 4 … sweeps",
        "  but keep the values. An iteration is a sweep over all states. The score is that of the",
        "  average policy since the last start; for regret matching, without its first eighth.",
        "- **CFR** is OpenSpiel's, in Python, on the game converted to turns. It walks through all",
        "  histories, so it runs only where games end after a few rounds.",
        f"- **Minimax-Q** and **independent Q-learning** learn from sampled play, {ROUNDS:,}",
        f"  rounds in an iteration, and explore in {EXPLORING:.0%} of them. Minimax-Q learns the",
        "  worth of pairs of choices and solves the matrix of each state. Independent Q-learning",
        "  learns the worth of each seat's own choices and plays the best one, so its policy is",
        "  pure.",
        "",
        "## Games without end",
        "",
        "In BAGH a game can go on for ever, and there exploitability is not continuous: a mistake",
        "that is made at all is made at some time, however small its probability. The table has",
        "the exploitability of optimal mixes; of the same with every weight changed by up to 1%,",
        "which makes no other choice; and of the same with any legal choice in one of 10,000",
        "rounds.",
        "",
        "| game | optimal | weights changed by 1% | 0.01% any choice |",
        "|---|---|---|---|",
        *(
            f"| {name} | {each.optimal:.1g} | {each.varied:.2g} | {each.slipping:.2g} |"
            for name, each in costs.items()
        ),
        "",
        "An average keeps a trace of every choice that was ever tried, so averages over all",
        "sweeps, which this page had before, did not converge in BAGH: 1.3 after 4,096 sweeps with",
        "2 HP, and 1.6 after 2,048 with boost to 1. Regret matching gives a choice with a negative",
        "regret the probability 0, so an average that starts again can lose the traces; fictitious",
        "play tries choices again and again. No proof is known to us that either converges in such",
        "games, and why the sampling methods stay near 2 was not examined.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few iterations; prints the page")
    parser.add_argument("--seconds", type=float, default=3.0, help="limit for each algorithm")
    options = parser.parse_args()
    results: dict[str, dict[str, list[Point]]] = {}
    sizes, costs = {}, {}
    for name, text in GAMES.items():
        game = Compact(text)
        sizes[name], costs[name], results[name] = game.count, mistakes(game), {}
        for method in METHODS:
            if method.needs_an_end and name in ENDLESS:
                continue
            most = 4 if options.quick else method.iterations
            results[name][method.name] = points = run(game, method, most, options.seconds)
            told = f"{points[-1].iterations} iterations, {points[-1].seconds:.1f} s"
            print(f"{name}: {method.name}: {points[-1]} after {told}", flush=True)
    if options.quick:
        print(page(results, sizes, costs))
    else:
        PAGE.write_text(page(results, sizes, costs), encoding="utf-8")
        PICTURE.write_text(plot(results), encoding="utf-8")
        print(f"Wrote {PAGE.relative_to(ROOT)} and {PICTURE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
