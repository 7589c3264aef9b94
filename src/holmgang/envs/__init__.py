"""Environments for learning, for every game: PettingZoo, Gymnasium and OpenSpiel.

>>> import holmgang.envs
>>> env = holmgang.envs.parallel_env("bagh")
>>> observations, infos = env.reset(seed=1)
>>> observations["red"]["action_mask"].tolist()
[1, 1, 1, 1, 0]

Importing this package registers every ruleset of the catalogue with Gymnasium, if it is installed:
`gymnasium.make("holmgang/bagh-v0")`. The other libraries are imported when they are used.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset

if TYPE_CHECKING:
    from holmgang.envs.parallel import DuelAECEnv, DuelParallelEnv
    from holmgang.envs.single import DuelEnv
    from holmgang.envs.vector import DuelVectorEnv

__all__ = ["aec_env", "gym_env", "parallel_env", "register", "vector_env"]

VERSION = 0
"""Of the observations, actions and rewards: a change that alters results raises it."""
NAMES = {"gymnasium": "Gymnasium", "pettingzoo": "PettingZoo", "pyspiel": "OpenSpiel"}


def need(module: str, extra: str = "envs") -> None:
    """Raises `UsageError`, which names the extra, if a library is missing."""
    if find_spec(module) is None:
        raise UsageError(f"this needs {NAMES[module]}: pip install 'holmgang[{extra}]'")


def parallel_env(ruleset: str | Ruleset = "bagh", **options: Any) -> "DuelParallelEnv":
    """A PettingZoo environment in which both seats act in every step; options as in
    `holmgang.envs.parallel.DuelParallelEnv`.
    """
    need("pettingzoo")
    from holmgang.envs.parallel import DuelParallelEnv

    return DuelParallelEnv(ruleset, **options)


def aec_env(ruleset: str | Ruleset = "bagh", **options: Any) -> "DuelAECEnv":
    """A PettingZoo environment in which one seat acts at a time; options as in
    `holmgang.envs.parallel.DuelAECEnv`.
    """
    need("pettingzoo")
    from holmgang.envs.parallel import DuelAECEnv

    return DuelAECEnv(ruleset, **options)


def gym_env(ruleset: str | Ruleset = "bagh", **options: Any) -> "DuelEnv":
    """A Gymnasium environment of one seat against a level, a bot or a policy; options as in
    `holmgang.envs.single.DuelEnv`.
    """
    need("gymnasium")
    need("pettingzoo")
    from holmgang.envs.single import DuelEnv

    return DuelEnv(ruleset, **options)


def vector_env(num_envs: int, ruleset: str | Ruleset = "bagh", **options: Any) -> "DuelVectorEnv":
    """A vector environment of many games of one seat, on the compiled stepper; options as in
    `holmgang.envs.vector.DuelVectorEnv`.
    """
    need("gymnasium")
    need("pettingzoo")
    from holmgang.envs.vector import DuelVectorEnv

    return DuelVectorEnv(num_envs, ruleset, **options)


def register() -> None:
    """Registers every ruleset of the catalogue with Gymnasium, as `holmgang/NAME-v0`. Call it again
    after loading a game. `holmgang/duel-v0` takes any `ruleset`.
    """
    need("gymnasium")
    from gymnasium.envs import registration

    for name in (*CATALOGUE, "duel"):
        if f"holmgang/{name}-v{VERSION}" not in registration.registry:
            registration.register(
                f"holmgang/{name}-v{VERSION}",
                entry_point="holmgang.envs.single:DuelEnv",
                vector_entry_point="holmgang.envs.vector:DuelVectorEnv",
                kwargs={} if name == "duel" else {"ruleset": name},
            )


if find_spec("gymnasium") is not None:
    register()
