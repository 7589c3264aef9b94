"""Simulations between players of any form: levels, bots, and all policies that can be scored.

>>> small = "bagh:start_hp=1,max_boost=0,heal_limit=1"
>>> simulate(small, 100, seed=1, red=lambda state, seat: "attack", blue="easy").games
100
"""

from collections.abc import Sequence
from contextlib import ExitStack

from holmgang.analysis.compiled_policy import agent_of
from holmgang.analysis.strategies import AnyPolicy, WeightArray
from holmgang.arena.seating import Seated
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.duel import Follower
from holmgang.engine.progress import Progress
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.players.levels import KINDS, Level
from holmgang.players.readiness import Ready
from holmgang.simulation import simulate as games_of
from holmgang.simulation.report import Simulation
from holmgang.simulation.simulate import PlayerArgument

AnyPlayer = AnyPolicy | WeightArray
"""A level or a bot by its name, or a policy in any form that `exploitability` accepts."""


def simulate(
    ruleset: str | Ruleset,
    games: int = 1000,
    *,
    seed: int | None = None,
    red: AnyPlayer = "random",
    blue: AnyPlayer = "random",
    threads: int | None = None,
    limit: int | None = None,
    trust: bool = False,
    interpret: bool = False,
    followers: Sequence[Follower] = (),
    progress: Progress = lambda done: None,
    announce: Announce = silent,
) -> Simulation:
    """Plays `games` games and sums them up (default seed: random). A player is a level or a bot by
    its name, or a policy as in `holmgang.exploitability`. `limit` is the round limit, and `trust`
    runs bots without the sandbox. Each follower receives the events of one game, in order from the
    first; both players must be levels then. Raises `UsageError` if a bot fails.

    >>> simulate("bagh", 100, seed=1, red={"attack": 2, "guard": 1}).games
    100
    """
    ruleset = as_ruleset(ruleset)
    with ExitStack() as stack:
        players = [
            playable(ruleset, player, seat, stack, trust=trust)
            for seat, player in enumerate((red, blue))
        ]
        return games_of.simulate(
            ruleset,
            games,
            seed=seed,
            red=players[0],
            blue=players[1],
            threads=threads,
            limit=limit,
            interpret=interpret,
            followers=followers,
            progress=progress,
            announce=announce,
        )


def playable(
    ruleset: Ruleset, player: object, seat: int, stack: ExitStack, *, trust: bool
) -> PlayerArgument | Level:
    """The player in a form that simulations know. The process of a bot ends with the stack."""
    if isinstance(player, str) and player.partition(":")[0] not in KINDS:
        seated = stack.enter_context(Seated(ruleset, player, trust=trust))
        return Level(seated.name, "a bot", seated.sit, Ready())
    return agent_of(ruleset, player, seat)
