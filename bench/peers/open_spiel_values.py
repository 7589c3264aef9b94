"""OpenSpiel's value iteration on a small ruleset of ours, which plays by Holmgang's own rules.

To be run with `src` on PYTHONPATH. Prints how many states it updated, and in what CPU time; the
listing of the states before is not counted.
"""

import itertools
import sys
import time
from typing import Any

import pyspiel
from open_spiel.python.algorithms import lp_solver, value_iteration

from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import load

SECONDS = float(sys.argv[1])
RULESET = load(sys.argv[2])
MOST_FACES = 100

KIND = pyspiel.GameType(
    short_name="holmgang",
    long_name=RULESET.text,
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    provides_factored_observation_string=False,
)
SIZES = pyspiel.GameInfo(
    num_distinct_actions=64,
    max_chance_outcomes=MOST_FACES,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=10_000,
)


class Game(pyspiel.Game):
    def __init__(self, params: Any = None) -> None:
        super().__init__(KIND, SIZES, params or {})

    def new_initial_state(self) -> "State":
        return State(self)


class State(pyspiel.State):
    """A state of ours, or one with both choices made and chance to come."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.ours = RULESET.game.rules.initial(RULESET.rules)
        self.pair: tuple[int, int] | None = None

    def current_player(self) -> int:
        if self.pair is not None:
            return pyspiel.PlayerId.CHANCE
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.SIMULTANEOUS

    def is_terminal(self) -> bool:
        return RULESET.outcome(self.ours) is not None

    def returns(self) -> list[float]:
        ended = RULESET.outcome(self.ours)
        worth = {"red": 1.0, "blue": -1.0}.get(ended.winner or "", 0.0) if ended else 0.0
        return [worth, -worth]

    def _legal_actions(self, player: int) -> list[int]:
        return list(RULESET.choices(self.ours, (RED, BLUE)[player]))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        faces = RULESET.game.rules.chance(RULESET.rules, self.ours, *self.pair)
        return [(face, 1 / faces) for face in range(faces)]

    def _apply_actions(self, actions: list[int]) -> None:
        self.pair = (actions[0], actions[1])

    def _apply_action(self, action: int) -> None:
        self.ours = RULESET.game.rules.resolve(RULESET.rules, self.ours, *self.pair, action)
        self.pair = None

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        return f"{RULESET.game.notation.format_text(RULESET.rules, self.ours)} {self.pair}"


class EnoughError(Exception):
    """The time is up."""


updates, started = itertools.count(), 0.0
solve_once = lp_solver.solve_zero_sum_matrix_game


def counted(stage: Any) -> Any:
    global started  # noqa: PLW0603 - the clock of the whole program
    number = next(updates)
    if number == 0:
        started = time.process_time()
    elif time.process_time() - started >= SECONDS:
        print(number, time.process_time() - started)
        raise EnoughError
    return solve_once(stage)


pyspiel.register_game(KIND, Game)
lp_solver.solve_zero_sum_matrix_game = counted
try:
    value_iteration.value_iteration(Game(), depth_limit=-1, threshold=1e-9, cyclic_game=True)
except EnoughError:
    sys.exit()
