"""Finds the kernel module that contains the estimate of a game."""

from types import ModuleType

from holmgang.games.ruleset import Ruleset
from holmgang.solver.search import no_estimate, own_estimate


def estimate_of(ruleset: Ruleset) -> ModuleType:
    game = ruleset.game
    if game.estimate is None:
        return no_estimate
    return own_estimate if game.estimate is game.rules else game.estimate
