"""Holmgang: duel games in which both sides choose unseen and at once.

>>> import holmgang
>>> duel = holmgang.Duel("bagh", seed=1)
>>> duel.choose("red", "boost")
>>> duel.choose("blue", "attack")
>>> print(duel.reveal().story[0])
Red boosts to 1; Blue attacks for 1.

Everything here is ready at import; what needs a compiler, a screen or a network is imported when it
is asked for.
"""

from typing import TYPE_CHECKING, Any

from holmgang.engine.duel import Duel, Round, View
from holmgang.engine.match import Match
from holmgang.engine.record import Record, replay, save
from holmgang.engine.record import read as read_record
from holmgang.engine.rounds import Outcome
from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load
from holmgang.version import VERSION

__version__ = VERSION

if TYPE_CHECKING:
    from holmgang.players.levels import find_level
    from holmgang.simulation.batch import Batch, batch
    from holmgang.simulation.policy import Policy
    from holmgang.simulation.simulate import simulate
    from holmgang.solver.exact.solve import solve
    from holmgang.solver.oracle import Oracle

__all__ = [
    "CATALOGUE",
    "Batch",
    "Duel",
    "HolmgangError",
    "Match",
    "Oracle",
    "Outcome",
    "Policy",
    "Record",
    "Round",
    "Ruleset",
    "View",
    "__version__",
    "batch",
    "find_level",
    "load",
    "read_record",
    "replay",
    "save",
    "simulate",
    "solve",
]

LATE = {
    "Batch": "holmgang.simulation.batch",
    "Oracle": "holmgang.solver.oracle",
    "Policy": "holmgang.simulation.policy",
    "batch": "holmgang.simulation.batch",
    "find_level": "holmgang.players.levels",
    "simulate": "holmgang.simulation.simulate",
    "solve": "holmgang.solver.exact.solve",
}
"""What is imported only when it is asked for, and from where."""


def __getattr__(name: str) -> Any:
    if name in LATE:
        from importlib import import_module

        return getattr(import_module(LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
