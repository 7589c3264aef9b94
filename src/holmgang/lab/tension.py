"""How games go: who leads, how often that changes, and when it is decided."""

from dataclasses import dataclass

import numpy as np

from holmgang.lab.chain import Chain
from holmgang.lab.solved import Floats, Ints, added

LEADS = 1e-6  # a smaller value is level
FAR_BEHIND = 0.5  # a value of -0.5: a quarter of the points


@dataclass(frozen=True)
class Tension:
    """The course of games between perfect players, by the value of the states they pass."""

    lead_changes: float
    """Per game: how often the seat with the better prospects changes."""
    behind: float
    """The expected number of seats that are far behind at some time in a game."""
    comeback: float
    """The chance to win of a seat that was far behind at some time."""
    decided_after: float
    """The share of a game until one side is far ahead and stays so to the end."""
    drama: float
    """How far the winner was behind, on average over the rounds, as a value."""


def tension(chain: Chain, values: Floats) -> Tension:
    sums = chain.sums
    changes = lead_changes(chain, leaders(values, LEADS))
    behind, won = comebacks(chain, values)
    decided = float(sums.visits @ chance_to_stay(chain, leaders(values, FAR_BEHIND)))
    return Tension(
        changes,
        behind,
        won / behind if behind > 0 else 0.0,
        1 - decided / sums.rounds,
        drama(chain, values),
    )


def leaders(values: Floats, least: float) -> Ints:
    """By state: 1 if red leads by this much, 2 if blue does, 0 if neither."""
    return np.where(values > least, 1, np.where(values < -least, 2, 0))


def lead_changes(chain: Chain, leader: Ints) -> float:
    """The expected number of times that another seat leads than the one that led last."""
    relabel = np.stack([np.where(leader > 0, leader, last) for last in range(3)])
    is_change = np.stack([(leader > 0) & (leader != last) & (last > 0) for last in range(3)])
    return sum(float(arrived[is_change].sum()) for arrived, _ in chain.labelled(relabel, 0))


def comebacks(chain: Chain, values: Floats) -> tuple[float, float]:
    """The expected number of seats that were far behind, and of those among them that won."""
    far = np.where(values <= -FAR_BEHIND, 1, 0) | np.where(values >= FAR_BEHIND, 2, 0)
    relabel = np.stack([far | before for before in range(4)])
    ended = sum(
        (chances @ chain.results.T for _, chances in chain.labelled(relabel, 0)),
        start=np.zeros((4, 3)),
    )
    red, blue = ended[[1, 3]], ended[[2, 3]]  # games in which red, or blue, was far behind
    return float(red.sum() + blue.sum()), float(red[:, 0].sum() + blue[:, 1].sum())


def chance_to_stay(chain: Chain, leader: Ints) -> Floats:
    """By state with a leader: the chance that it is the same in all later states."""
    ends = chain.results.sum(axis=0)
    stays = (leader[chain.sources] == leader[chain.targets]) & (leader[chain.sources] > 0)
    sources, targets, chances = chain.sources[stays], chain.targets[stays], chain.chances[stays]
    found = np.where(leader > 0, ends, 0.0)
    for _ in chain.sums.lengths:
        later = added(sources, chances * found[targets], chain.count)
        found = np.where(leader > 0, ends + later, 0.0)
    return found


def drama(chain: Chain, values: Floats) -> float:
    """The mean over all rounds of how far the later winner is behind."""
    wins = np.zeros((2, chain.count))
    for _ in chain.sums.lengths:
        later = (
            added(chain.sources, chain.chances * won[chain.targets], chain.count) for won in wins
        )
        wins = chain.results[:2] + np.stack(list(later))
    behind = wins[0] * np.maximum(0, -values) + wins[1] * np.maximum(0, values)
    return float(chain.sums.visits @ behind) / chain.sums.rounds
