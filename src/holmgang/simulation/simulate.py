"""Plays many games and counts their outcomes.

Games of `random`, weights, policies, and of `perfect` if it plays from a table, run in kernels with
the fast random stream of `engine/stream.py`. Game i of a seed is then the same on every machine,
with any number of threads, compiled or not. Games of other levels, and games with followers, draw
random numbers as duels do (`engine/keys.py`); they are reproducible unless a level has a time limit
or remembers earlier games.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from holmgang.engine.compiled.native import Announce, Kernels, kernels_of, silent, zeros
from holmgang.engine.course import Course, Positions
from holmgang.engine.duel import Duel, Follower
from holmgang.engine.keys import derive, game_seed, parse_seed
from holmgang.engine.progress import Progress
from holmgang.engine.stream import game_key
from holmgang.errors import UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import brief
from holmgang.machine import available_cores
from holmgang.players import Level, find_level
from holmgang.players.player import play_game
from holmgang.simulation.mixes import PlayablePolicy, policy_level
from holmgang.simulation.policy import Policy
from holmgang.simulation.report import Simulation
from holmgang.simulation.tally import SimulationTally

PlayerArgument = str | PlayablePolicy
"""A player: the name of a level, or a policy: weights by choice, mixes by state, a `Policy`, or a
function of a state and a seat that returns weights by choice or one choice."""

RANDOM, PERFECT = "random", "perfect"
CHUNK_SECONDS = 0.1
MOST_GAMES = 10**12
MOST_THREADS = 1024
MOST_ROUNDS = 1_000_000

Play = Callable[[int, int], SimulationTally]
"""Plays games: takes the number of the first one and how many to play."""


def simulate(
    ruleset: str | Ruleset,
    games: int = 1000,
    *,
    seed: int | None = None,
    red: PlayerArgument | Level = RANDOM,
    blue: PlayerArgument | Level = RANDOM,
    threads: int | None = None,
    limit: int | None = None,
    interpret: bool = False,
    followers: Sequence[Follower] = (),
    progress: Progress = lambda done: None,
    announce: Announce = silent,
) -> Simulation:
    """Plays `games` games and summarises them (default seed: random). Each follower receives the
    events of one game, starting with the first game; both players must then be levels.

    >>> simulate("bagh", 100, seed=1).games
    100
    """
    ruleset = as_ruleset(ruleset)
    seed = parse_seed(seed)
    limit = ruleset.entry.round_limit if limit is None else limit
    threads = available_cores() if threads is None else threads
    for name, value, most in (
        ("games", games, MOST_GAMES),
        ("threads", threads, MOST_THREADS),
        ("limit", limit, MOST_ROUNDS),
    ):
        if type(value) is not int or not 1 <= value <= most:
            raise UsageError(f"{name} must be a whole number from 1 to {most}; not {brief(value)}")
    if followers and not (isinstance(red, str) and isinstance(blue, str)):
        raise UsageError("only games of levels can be followed")
    kernels = Kernels(ruleset, interpret=True) if interpret else kernels_of(ruleset)
    play, compiled = player(ruleset, kernels, seed, limit, red, blue, followers, announce)
    runner = Runner(play, games, limit, threads if compiled else 1, progress)
    started = time.perf_counter()
    tally = runner.run()
    seconds = time.perf_counter() - started
    if red == blue == RANDOM:  # kernels have no events, so these games are played again
        for index, follower in enumerate(followers[:games]):
            simulated_duel(ruleset, seed, index, limit=limit, follower=follower)
    return Simulation(
        ruleset=ruleset,
        seed=seed,
        red=described(red),
        blue=described(blue),
        tally=tally,
        compiled=compiled,
        threads=runner.threads,
        compute_seconds=seconds,
    )


def described(player: PlayerArgument | Level) -> str:
    if isinstance(player, str):
        return player
    if isinstance(player, Level):
        return player.name
    if callable(player):
        return str(getattr(player, "__name__", type(player).__name__))
    return "weights" if isinstance(player, Mapping) and is_table(player) else "policy"


# Two ways to play, the faster one first


def player(
    ruleset: Ruleset,
    kernels: Kernels,
    seed: int,
    limit: int,
    red: PlayerArgument | Level,
    blue: PlayerArgument | Level,
    followers: Sequence[Follower],
    announce: Announce,
) -> tuple[Play, bool]:
    """The fastest way to play these two players, and whether it is compiled."""
    if kernels.is_compiled and not followers:
        red, blue = looked_up(ruleset, (red, blue), announce)
    if is_table(red) and is_table(blue):
        is_random = red == blue == RANDOM
        kernel = kernels("playouts" if is_random else "policy_playouts", announce)
        policies = () if is_random else (as_policy(ruleset, red), as_policy(ruleset, blue))
        is_shared = len({id(policy.slots) for policy in policies}) == 1
        tables = [is_shared, *(part for policy in policies for part in policy.arguments)]
        fields = len(kernels.layout.names)

        def play_tables(first: int, count: int) -> SimulationTally:
            tally = SimulationTally(limit, games=count)
            sums = tally.ends, tally.lengths, tally.picks
            more = () if is_random else (zeros(fields), *tables)
            tally.rounds = kernel(seed, first, count, limit, *sums, *more)
            return tally

        return play_tables, kernels.is_compiled
    levels = as_level(ruleset, red), as_level(ruleset, blue)
    for level in levels:
        level.ready(ruleset, announce, wait=True)

    positions = Positions(ruleset)

    def play_levels(first: int, count: int) -> SimulationTally:
        tally = SimulationTally(limit)
        for index in range(first, first + count):
            key = game_seed(seed, index)
            course = played_course(positions, key, levels, limit)
            tally.count(course)
            if index < len(followers):
                retell(
                    course, Duel(ruleset, seed=key, round_limit=limit, follower=followers[index])
                )
        return tally

    return play_levels, False


def looked_up(
    ruleset: Ruleset,
    players: tuple[PlayerArgument | Level, PlayerArgument | Level],
    announce: Announce,
) -> tuple[PlayerArgument | Level, PlayerArgument | Level]:
    """The players, with `perfect` as a policy from its table if kernels can play both seats."""
    if PERFECT not in players or not all(is_table(each) or each == PERFECT for each in players):
        return players
    find_level(PERFECT).ready(ruleset, announce, wait=True)
    from holmgang.simulation.perfect import perfect_policies

    policies = perfect_policies(ruleset)
    if policies is None:
        return players
    red, blue = (
        policy if each == PERFECT else each for policy, each in zip(policies, players, strict=True)
    )
    return red, blue


def is_table(player: object) -> bool:
    """Whether kernels can play this player."""
    if isinstance(player, Mapping):
        return not any(isinstance(mix, str | Mapping) for mix in player.values())
    return isinstance(player, Policy) or (isinstance(player, str) and player == RANDOM)


def as_policy(ruleset: Ruleset, player: object) -> Policy:
    """The policy of a player that kernels can play."""
    if player == RANDOM:
        return Policy(ruleset, {})
    if not isinstance(player, Policy):
        return Policy(ruleset, player)  # type: ignore[arg-type] # checked there
    if player.ruleset != ruleset:
        raise UsageError(f"that policy is for {player.ruleset.text}, not for {ruleset.text}")
    return player


def as_level(ruleset: Ruleset, player: PlayerArgument | Level) -> Level:
    if isinstance(player, Level):
        return player
    if isinstance(player, str):
        return find_level(player)
    return policy_level(ruleset, player, described(player))


def simulated_duel(
    ruleset: Ruleset,
    seed: int,
    index: int,
    red: str | Level = RANDOM,
    blue: str | Level = RANDOM,
    *,
    limit: int | None = None,
    follower: Follower | None = None,
) -> Duel:
    """Game number `index` of a simulation between two levels, as a duel that can be saved and
    replayed.
    """
    levels = [find_level(level) if isinstance(level, str) else level for level in (red, blue)]
    is_random = all(level.name == RANDOM for level in levels)
    key = game_key(seed, index) if is_random else game_seed(seed, index)
    duel = Duel(ruleset, seed=key, round_limit=limit, follower=follower)
    if is_random:
        return play_out(duel)
    positions = Positions(ruleset)
    return retell(played_course(positions, key, levels, duel.round_limit), duel)


def played_course(positions: Positions, seed: int, levels: Sequence[Level], limit: int) -> Course:
    """A game between two levels, identical to a duel with this seed. Raises `UsageError` if one of
    them is a bot that fails.
    """
    course = Course(positions, dice=derive(seed, "dice"), limit=limit)
    players = [level.sit(seat, derive(seed, SEATS[seat])) for seat, level in enumerate(levels)]
    for seat, failure in play_game(course, players).items():
        raise UsageError(
            f"{SEATS[seat]} failed ({failure.status}): {failure}; holmgang check finds out why"
        )
    return course


def retell(course: Course, duel: Duel) -> Duel:
    """Plays the choices and chance of a course in a duel."""
    for step in course.steps:
        play_step(duel, step.red, step.blue, step.face)
    return duel


def play_step(duel: Duel, red: int, blue: int, face: int) -> None:
    ruleset, state = duel.ruleset, duel.state
    for seat, choice in zip(SEATS, (red, blue), strict=True):
        if choice != NO_CHOICE:
            duel.choose(seat, ruleset.word(choice))
    duel.reveal(ruleset.format_chance(state, red, blue, face))


def play_out(duel: Duel) -> Duel:
    """Plays a duel to its end at random, with the kernels' functions and its seed as the key, so
    that it is identical to the game that the kernels play.
    """
    kernels, key = kernels_of(duel.ruleset).bound.kernels, duel.seed
    while not duel.is_over:
        state, n = duel.state, len(duel.rounds)
        red, blue = (kernels["random_choice"](state, key, n, seat) for seat in (RED, BLUE))
        play_step(duel, red, blue, kernels["throw"](state, key, n, red, blue))
    return duel


# Threads


@dataclass
class Runner:
    """Distributes the games over threads in chunks of about a tenth of a second, and adds up the
    results.
    """

    play: Play
    games: int
    limit: int
    threads: int
    progress: Progress

    def __post_init__(self) -> None:
        self.threads = max(1, min(self.threads, self.games))
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._next = 0
        self._total = SimulationTally(self.limit)

    def run(self) -> SimulationTally:
        with ThreadPoolExecutor(self.threads) as pool:
            running = [pool.submit(self._work) for _ in range(self.threads)]
            try:
                while wait(running, timeout=0.2).not_done:
                    self.progress(self._total.games)
            finally:  # also when interrupted
                self._stop.set()
        for worker in running:
            worker.result()
        self.progress(self._total.games)
        return self._total

    def _work(self) -> None:
        size = 1
        while not self._stop.is_set():
            with self._lock:
                first = self._next
                count = min(size, self.games - first)
                self._next += count
            if count <= 0:
                return
            started = time.perf_counter()
            tally = self.play(first, count)
            if time.perf_counter() - started < CHUNK_SECONDS / 2:
                size *= 2
            with self._lock:
                self._total.add(tally)
