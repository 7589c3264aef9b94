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

from holmgang.engine.duel import Duel, Round, View
from holmgang.engine.match import Match
from holmgang.engine.record import Record, replay, save
from holmgang.engine.record import read as read_record
from holmgang.engine.rounds import Outcome
from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load
from holmgang.version import VERSION as __version__

__all__ = [
    "CATALOGUE",
    "Duel",
    "HolmgangError",
    "Match",
    "Outcome",
    "Record",
    "Round",
    "Ruleset",
    "View",
    "__version__",
    "load",
    "read_record",
    "replay",
    "save",
]
