"""Holmgang: duel games in which both sides choose in secret and at the same time.

>>> import holmgang
>>> duel = holmgang.Duel("bagh", seed=1)
>>> duel.choose("red", "boost")
>>> duel.choose("blue", "attack")
>>> print(duel.reveal().story[0])
Red boosts to 1; Blue attacks for 1.

Each name is imported when it is first used, so that `import holmgang` is fast, and commands can
handle Ctrl-C before they load the rest.
"""

from typing import TYPE_CHECKING, Any

from holmgang.version import VERSION

__version__ = VERSION

if TYPE_CHECKING:
    from holmgang.analysis.analyse import Analysis, analyse
    from holmgang.analysis.dataset import Dataset, dataset, read_dataset
    from holmgang.analysis.environment import Environment, make
    from holmgang.analysis.model import Model, model
    from holmgang.analysis.position import assess
    from holmgang.analysis.scores import best_response, exploitability, value_against
    from holmgang.analysis.simulating import simulate
    from holmgang.engine.duel import Duel, Round
    from holmgang.engine.match import Match
    from holmgang.engine.record import Record, replay, save
    from holmgang.engine.record import read as read_record
    from holmgang.errors import HolmgangError
    from holmgang.games.catalogue import CATALOGUE
    from holmgang.games.finding import load
    from holmgang.games.outcome import Outcome
    from holmgang.games.ruleset import Ruleset
    from holmgang.lab.aims import AimSearch, find_settings
    from holmgang.lab.balance import balance
    from holmgang.lab.measures import Balance
    from holmgang.lab.sweep import Sweep, sweep
    from holmgang.players.levels import find_level
    from holmgang.simulation.batch import Batch, batch
    from holmgang.simulation.policy import Policy
    from holmgang.solver.evaluation import Evaluation
    from holmgang.solver.oracle import Oracle
    from holmgang.solver.tables import solve

__all__ = [
    "CATALOGUE",
    "AimSearch",
    "Analysis",
    "Balance",
    "Batch",
    "Dataset",
    "Duel",
    "Environment",
    "Evaluation",
    "HolmgangError",
    "Match",
    "Model",
    "Oracle",
    "Outcome",
    "Policy",
    "Record",
    "Round",
    "Ruleset",
    "Sweep",
    "__version__",
    "analyse",
    "assess",
    "balance",
    "batch",
    "best_response",
    "dataset",
    "exploitability",
    "find_level",
    "find_settings",
    "load",
    "make",
    "model",
    "read_dataset",
    "read_record",
    "replay",
    "save",
    "simulate",
    "solve",
    "sweep",
    "value_against",
]

SOURCES = {
    "CATALOGUE": "holmgang.games.catalogue",
    "AimSearch": "holmgang.lab.aims",
    "Analysis": "holmgang.analysis.analyse",
    "Balance": "holmgang.lab.measures",
    "Batch": "holmgang.simulation.batch",
    "Dataset": "holmgang.analysis.dataset",
    "Duel": "holmgang.engine.duel",
    "Environment": "holmgang.analysis.environment",
    "Evaluation": "holmgang.solver.evaluation",
    "HolmgangError": "holmgang.errors",
    "Match": "holmgang.engine.match",
    "Model": "holmgang.analysis.model",
    "Oracle": "holmgang.solver.oracle",
    "Outcome": "holmgang.games.outcome",
    "Policy": "holmgang.simulation.policy",
    "Record": "holmgang.engine.record",
    "Round": "holmgang.engine.duel",
    "Ruleset": "holmgang.games.ruleset",
    "Sweep": "holmgang.lab.sweep",
    "analyse": "holmgang.analysis.analyse",
    "assess": "holmgang.analysis.position",
    "balance": "holmgang.lab.balance",
    "batch": "holmgang.simulation.batch",
    "best_response": "holmgang.analysis.scores",
    "dataset": "holmgang.analysis.dataset",
    "exploitability": "holmgang.analysis.scores",
    "find_level": "holmgang.players.levels",
    "find_settings": "holmgang.lab.aims",
    "load": "holmgang.games.finding",
    "make": "holmgang.analysis.environment",
    "model": "holmgang.analysis.model",
    "read_dataset": "holmgang.analysis.dataset",
    "read_record": "holmgang.engine.record",
    "replay": "holmgang.engine.record",
    "save": "holmgang.engine.record",
    "simulate": "holmgang.analysis.simulating",
    "solve": "holmgang.solver.tables",
    "sweep": "holmgang.lab.sweep",
    "value_against": "holmgang.analysis.scores",
}
"""The module of each name."""
NEED_NUMPY = (
    "holmgang.analysis.dataset",
    "holmgang.analysis.model",
    "holmgang.lab.",
    "holmgang.simulation.batch",
)


def __getattr__(name: str) -> Any:
    if name in SOURCES:
        from importlib import import_module

        try:
            module = import_module(SOURCES[name])
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            text = f"holmgang.{name} needs NumPy: pip install 'holmgang[fast]'"
            raise ModuleNotFoundError(text, name="numpy") from None
        return getattr(module, "read" if name == "read_record" else name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The names that can be imported: `help` imports each, and shows nothing if one fails."""
    from importlib.util import find_spec

    has_numpy = find_spec("numpy") is not None
    usable = (name for name, at in SOURCES.items() if has_numpy or not at.startswith(NEED_NUMPY))
    return [*globals(), *usable]
