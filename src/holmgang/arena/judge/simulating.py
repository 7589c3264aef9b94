"""Simulations between any two players: levels in bulk, bots through the referee."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from msgspec import structs

from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.duel import Duel, Follower
from holmgang.engine.keys import game_seed, parse_seed
from holmgang.engine.progress import Progress
from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset, load
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
        return replace(simulation, red=red.name, blue=blue.name)
    seed, started, settings = parse_seed(seed), time.perf_counter(), JudgeSettings(trust=trust)
    task = GameTask("", ruleset.text, red.text, blue.text, seed, settings, folder=folder)
    tally = play_judged(task, games, followers, progress)
    took = time.perf_counter() - started
    return Simulation(
        ruleset,
        seed,
        red.name,
        blue.name,
        tally,
        compiled=False,
        threads=1,
        compute_seconds=took,
    )


def play_judged(
    task: GameTask,
    games: int,
    followers: Sequence[Follower] = (),
    progress: Progress = lambda done: None,
) -> SimulationTally:
    """Plays games like the task one after the other, with seeds derived from its seed. Raises
    `UsageError` if a bot fails in one of them.
    """
    from holmgang.arena.judge.referee import Referee

    ruleset = load(task.ruleset)
    tally = SimulationTally(ruleset.entry.round_limit)
    with ExitStack() as stack:
        referee = Referee(stack)
        for index in range(games):
            key = game_seed(task.seed, index)
            game = referee.play(structs.replace(task, id=str(index), seed=key))
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
    return tally
