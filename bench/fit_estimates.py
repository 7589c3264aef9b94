"""Where the numbers of the estimates come from: `python -m bench.fit_estimates`.

Fits each estimate to exact values by least squares and prints the numbers beside those in use, with
the errors that both leave. BAGH and Defend The City are solved for it, which takes a minute. For
Fencing, `--layers` names the file of league 1 (docs/fencing-league-1.md); a sample of its states is
asked for, some minutes.
"""

import argparse
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.exact_levels import Chain, Numbers, States, Strategy
from holmgang.games.bagh import estimate as bagh
from holmgang.games.defend_the_city import estimate as city
from holmgang.games.fencing import estimate as fencing
from holmgang.games.ruleset import load
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.layered.layers import Layers
from holmgang.solver.search.dispatch import search

STEPS = 60
CAREFUL = 0.5  # of a step that looks best
EVERYWHERE = 0.2  # of the weight is spread over all states, the rest goes where duels go
SCORES = ((0, 0), (1, 0), (1, 1), (2, 0), (5, 4), (8, 8), (10, 8), (13, 12), (18, 18), (19, 18))
SAMPLES = 500  # states of each score

Model = Callable[[Numbers], Numbers]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.fit_estimates")
    parser.add_argument("--layers", type=Path, help="the file of Fencing's league 1")
    options = parser.parse_args()
    for text in ("bagh", "bagh-advantage"):
        fit_bagh(text)
    fit_city("defend-the-city-duel")
    if options.layers:
        fit_fencing(options.layers)


def fitted(model: Model, start: Numbers, values: Numbers, weights: Numbers) -> Numbers:
    """The parameters with the least weighted squares of errors, by Gauss's and Newton's method."""
    parameters, roots = start.copy(), np.sqrt(weights)
    for _ in range(STEPS):
        now = model(parameters)
        nudges = 1e-5 * np.eye(len(parameters))
        slopes = np.stack([(model(parameters + nudge) - now) / 1e-5 for nudge in nudges], axis=1)
        step = np.linalg.lstsq(slopes * roots[:, None], (values - now) * roots, rcond=None)[0]
        parameters = parameters + CAREFUL * step
    return parameters


def tell(
    text: str, names: list[str], model: Model, used: Any, values: Numbers, weights: Numbers
) -> None:
    start = np.array([getattr(used, name) for name in names])
    best = fitted(model, start, values, weights)
    print(f"\n{text}")
    for name, now, found in zip(names, start, best, strict=True):
        print(f"  {name}: {now:g} in use, {found:.3f} fitted")
    for said, parameters in (("in use", start), ("fitted", best)):
        error = np.sqrt(np.average((model(parameters) - values) ** 2, weights=weights))
        print(f"  error {said}: {error:.4f}", flush=True)


def weights_of(states: States) -> Numbers:
    """Where duels go in which half the choices are perfect and half at random, and a little all
    over.
    """
    by_chance, best = states.at_random, states.perfect
    half = Strategy((best.red + by_chance.red) / 2, (best.blue + by_chance.blue) / 2, best.picked)
    visits = Chain(states, half, half).visits(states.table.start)
    return visits / visits.sum() + EVERYWHERE / len(visits)


def columns(states: States) -> dict[str, Numbers]:
    rows = np.array(states.table.rows, dtype=float).reshape(states.table.count, -1)
    return dict(zip(states.table.kernels.layout.names, rows.T, strict=True))


def fit_bagh(text: str) -> None:
    states = States(solve_whole(load(text), mirror=False))
    of = columns(states)

    def strengths(me: str, foe: str) -> Numbers:
        boost = np.minimum(of[f"{me}.boost"], of[f"{foe}.hp"])
        return np.stack([boost, of[f"{me}.priority"], -of[f"{me}.shield_damage"]])

    lead, total = of["red.hp"] - of["blue.hp"], of["red.hp"] + of["blue.hp"]
    terms = strengths("red", "blue") - strengths("blue", "red")

    def model(numbers: Numbers) -> Numbers:
        ahead, doubt = lead + numbers[:3] @ terms, numbers[3] + numbers[4] * total
        return ahead / np.sqrt(ahead**2 + doubt**2)

    names = ["BOOST", "PRIORITY", "SHIELD_DAMAGE", "DOUBT", "DOUBT_PER_HP"]
    tell(text, names, model, bagh, states.values, weights_of(states))


def fit_city(text: str) -> None:
    states = States(solve_whole(load(text), mirror=False))
    of = columns(states)
    red, blue = (np.maximum(0, of[f"{seat}.stamina"]) for seat in ("red", "blue"))
    is_open = (red > 0) & (blue > 0)
    lead, total = (red - blue)[is_open], (red + blue)[is_open]

    def model(numbers: Numbers) -> Numbers:
        return lead / np.sqrt(lead**2 + numbers[0] ** 2 * total + 1)

    tell(text, ["DOUBT"], model, city, states.values[is_open], np.ones(len(lead)))


def fit_fencing(path: Path) -> None:
    with Layers(path) as layers:
        ruleset = layers.ruleset
        sample = fencing_sample(ruleset, random.Random(5))
        values = np.array([layers.evaluate(state).value for state in sample])
    rules = ruleset.rules
    turn, red_at, red_energy, red_score, blue_at, blue_energy, blue_score = np.array(
        [(state.turn, *state.red[:3], *state.blue[:3]) for state in sample],
        dtype=float,
    ).T
    left = rules.turns - turn
    steps = np.maximum(0, (abs(red_at - blue_at) - rules.lunge_distance) / rules.walk_move)
    near = 1 / (1 + steps) ** 2
    rooms = red_at / rules.walk_move, (rules.piste - blue_at) / rules.walk_move
    lunges = [energy / -rules.lunge_energy for energy in (red_energy, blue_energy)]

    def gap(pair: Any, most: float) -> Numbers:
        return (np.minimum(pair[0], most) - np.minimum(pair[1], most)) / most

    terms = np.stack([gap(lunges, 1), gap(lunges, fencing.LUNGES), gap(rooms, 2)]) * near

    def model(numbers: Numbers) -> Numbers:
        lead = red_score - blue_score + numbers[:3] @ terms
        doubt = numbers[3] + (numbers[4] + numbers[5] * near) * left / (left + fencing.HALF_TIME)
        return lead / (lead**4 + doubt**4) ** 0.25

    names = ["LUNGE", "RALLY", "EDGE", "DOUBT", "MORE_DOUBT", "NEAR_DOUBT"]
    tell(f"{ruleset.text}, without GROUND", names, model, fencing, values, np.ones(len(values)))


def fencing_sample(ruleset: Any, dice: random.Random) -> list[Any]:
    """Places and energies as searches come to them, at all turns of some scores."""
    game, rules = ruleset.game.rules, ruleset.rules
    met = []
    for _ in range(60):
        state = game.initial(rules)
        while not game.outcome(rules, state).reason:
            met.append(state)
            found = search(ruleset, state, depth=dice.choice((1, 2, 3)))
            red, blue = (
                dice.choice(list(mix))
                if dice.random() < 0.15
                else dice.choices(list(mix), list(mix.values()))[0]
                for mix in (found.red, found.blue)
            )
            state = game.resolve(rules, state, red, blue, 0)
    sample = []
    for red_score, blue_score in SCORES:
        for _ in range(SAMPLES):
            state = dice.choice(met)
            sample.append(
                state._replace(
                    turn=dice.randrange(2 * (red_score + blue_score), rules.turns - 1),
                    red=state.red._replace(score=red_score),
                    blue=state.blue._replace(score=blue_score),
                )
            )
    return sample


if __name__ == "__main__":
    main()
