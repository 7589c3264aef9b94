"""Bounds of scores from games that are played, for rulesets without a table of all states.

A best response gains at least what some response gains. Here that is a local best response: it
knows the policy, looks one round ahead, and takes the game's own estimate for what follows
(compare Lisý and Bowling, "Equilibrium approximation quality of current no-limit poker bots",
2017). Against a level whose mixes are not known it is the level `greedy`.

Means of games become bounds by Hoeffding's inequality, which holds for any number of games. All
bounds of a score hold together with the probability `CONFIDENCE`. A game that reaches the round
limit counts as the worse result for the bound.
"""

from collections.abc import Callable
from math import log, sqrt
from typing import cast

from holmgang.analysis.simulating import AnyPlayer, simulate
from holmgang.engine.keys import derive, parse_seed
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.simulation.mixes import MixReader, mix_reader
from holmgang.solver.exact.scores import Enclosure

CONFIDENCE = 0.999
Response = Callable[[State, str], str]


def played_value(
    ruleset: Ruleset, red: object, blue: object, games: int, seed: int | None, wrong: float
) -> Enclosure:
    """The value of two policies against each other. Each bound is wrong with the probability
    `wrong` at most.
    """
    done = simulate(
        ruleset, games, seed=seed, red=cast("AnyPlayer", red), blue=cast("AnyPlayer", blue)
    )
    cut = done.reasons().get("limit", 0)
    mean, spread = (done.red_wins - done.blue_wins) / games, sqrt(2 * log(1 / wrong) / games)
    low, high = mean - cut / games - spread, mean + cut / games + spread
    return Enclosure(max(-1.0, low), min(1.0, high), confidence=CONFIDENCE)


def value_by_games(
    ruleset: Ruleset, red: object, blue: object, games: int, seed: int | None
) -> Enclosure:
    return played_value(ruleset, red, blue, games, seed, (1 - CONFIDENCE) / 2)


def responses_by_games(
    ruleset: Ruleset, red: object, blue: object, games: int, seed: int | None
) -> tuple[Enclosure, Enclosure]:
    """Bounds of the values of red's best response to `blue` and of blue's to `red`."""
    seed, wrong = parse_seed(seed), (1 - CONFIDENCE) / 2
    first = played_value(
        ruleset, response(ruleset, blue, RED), blue, games, derive(seed, "red"), wrong
    )
    second = played_value(
        ruleset, red, response(ruleset, red, BLUE), games, derive(seed, "blue"), wrong
    )
    return (
        Enclosure(first.low, 1.0, confidence=CONFIDENCE),
        Enclosure(-1.0, second.high, confidence=CONFIDENCE),
    )


def response(ruleset: Ruleset, policy: object, seat: int) -> Response | str:
    """A response of a seat to a policy in the other one."""
    if policy == "random":
        policy = {}
    if isinstance(policy, str):
        return "greedy"
    return local_response(ruleset, mix_reader(ruleset, policy), seat)


def local_response(ruleset: Ruleset, read: MixReader, seat: int) -> Response:
    """A policy that takes the choice with the best estimate after one round against these mixes."""
    side, other = (1, -1)[seat], 1 - seat
    guess = getattr(ruleset.game.estimate, "estimate", None)

    def worth(state: State) -> float:
        known = ruleset.utility(state)
        if known is not None:
            return known
        return 0.0 if guess is None else float(guess(ruleset.rules, state))

    def after(state: State, mine: int, theirs: int) -> float:
        both = (mine, theirs) if seat == RED else (theirs, mine)
        throws = ruleset.throws(state, *both)
        total = sum(faces for _, faces in throws)
        return sum(
            faces / total * worth(ruleset.resolve_unchecked(state, *both, face))
            for face, faces in throws
        )

    def respond(state: State, name: str) -> str:
        menu = ruleset.choices(state, other)
        shares = read(state, other, menu) if menu else [1.0]
        answers = [
            (choice, share)
            for choice, share in zip(menu or [NO_CHOICE], shares, strict=True)
            if share
        ]

        def score(mine: int) -> float:
            return side * sum(share * after(state, mine, theirs) for theirs, share in answers)

        return ruleset.word(max(ruleset.choices(state, seat), key=score))

    respond.__name__ = f"response of {SEATS[seat]}"
    return respond
