"""Search in any game: looks ahead from a state as far as a depth or a time allows."""

from typing import Any

from holmgang.engine.compiled.native import Announce, silent
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.search.alternating import search_alternating
from holmgang.solver.search.preparing import is_preparing
from holmgang.solver.search.simultaneous import search_simultaneous


def takes_turns(ruleset: Ruleset) -> bool:
    """Whether the game brings what it takes to search it choice by choice."""
    return ruleset.game.dominance is not None


def search(
    ruleset: Ruleset,
    state: Any,
    *,
    budget_ms: float | None = None,
    depth: int | None = None,
    announce: Announce = silent,
) -> Evaluation:
    """The best choices in a state, as far as can be seen; at least one limit is needed.

    While `prepare` compiles this search in the background, it runs interpreted: it keeps to its
    limits, and sees less in the same time. Otherwise the first search by a ruleset compiles.

    Raises `StateError` if the duel is over.
    """
    look = search_alternating if takes_turns(ruleset) else search_simultaneous
    return look(
        ruleset,
        state,
        budget_ms=budget_ms,
        depth=depth,
        interpret=is_preparing(ruleset),
        announce=announce,
    )
