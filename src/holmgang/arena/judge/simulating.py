"""Simulations between any two players: levels in bulk, bots through the referee."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.duel import Duel, Follower
from holmgang.engine.keys import game_seed, parse_seed
from holmgang.engine.progress import Progress
from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.players.naming import NamedPlayer
from holmgang.simulation.report import Simulation
from holmgang.simulation.simulate import retell, simulate
from holmgang.simulation.tally import SimulationTally


def simulate_players(
    ruleset: Ruleset,
    games: int,
    *,
    red: NamedPlayer,
    blue: NamedPlayer,
    seed: int,
    threads: int | None = None,
    trust: bool = False,
    folder: str | None = None,
    followers: Sequence[Follower] = (),
    progress: Progress = lambda done: None,
    announce: Announce = silent,
) -> Simulation:
    """Plays games between levels or bots. `trust` runs bots without the sandbox, which otherwise
    hides `folder`, where the followers write the games. Raises `UsageError`.
    """
    if red.is_human or blue.is_human:
        raise UsageError("simulate takes levels and bots; people play with holmgang play")
    if red.bot is None and blue.bot is None:
        simulation = simulate(
            ruleset,
            games,
            red=red.text,
            blue=blue.text,
            seed=seed,
            threads=threads,
            followers=followers,
            progress=progress,
            announce=announce,
        )
    else:
        simulation = simulate_bots(
            ruleset,
            games,
            red=red.text,
            blue=blue.text,
            seed=seed,
            settings=JudgeSettings(trust=trust),
            folder=folder,
            followers=followers,
            progress=progress,
        )
    return replace(simulation, red=red.name, blue=blue.name)


def simulate_bots(
    ruleset: Ruleset,
    games: int,
    *,
    red: str,
    blue: str,
    seed: int | None = None,
    settings: JudgeSettings,
    folder: str | None = None,
    followers: Sequence[Follower] = (),
    progress: Progress = lambda done: None,
) -> Simulation:
    """Plays the games one after the other. The sandbox hides `folder`, where the followers write
    them. Raises `UsageError` if a bot fails in one of them.
    """
    from holmgang.arena.judge.referee import Referee

    seed, limit = parse_seed(seed), ruleset.entry.round_limit
    tally = SimulationTally(limit)
    started = time.perf_counter()
    with ExitStack() as stack:
        referee = Referee(stack)
        for index in range(games):
            key = game_seed(seed, index)
            task = GameTask(str(index), ruleset.text, red, blue, key, settings, folder=folder)
            game = referee.play(task)
            for seat, report in zip(SEATS, (game.result.red, game.result.blue), strict=True):
                if report.status != "ok":
                    raise UsageError(
                        f"{seat} failed in game {index + 1} ({report.status}): {report.detail};"
                        " holmgang check finds out why"
                    )
            tally.count(game.course)
            if index < len(followers):
                retell(game.course, Duel(ruleset, seed=key, follower=followers[index]))
            progress(index + 1)
    return Simulation(
        ruleset=ruleset,
        seed=seed,
        red=red,
        blue=blue,
        tally=tally,
        compiled=False,
        threads=1,
        compute_seconds=time.perf_counter() - started,
    )
