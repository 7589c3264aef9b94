"""PettingZoo environments of any ruleset: both seats at once, or one after the other.

>>> from holmgang.envs.parallel import DuelParallelEnv
>>> env = DuelParallelEnv("bagh")
>>> observations, infos = env.reset(seed=1)
>>> _, rewards, *_ = env.step({"red": 0, "blue": 1})  # boost against attack
>>> rewards
{'red': 0.0, 'blue': 0.0}
"""

from typing import TYPE_CHECKING, ClassVar

from holmgang.engine.course import Course, Positions
from holmgang.engine.keys import derive
from holmgang.envs.layout import Layout, Observation
from holmgang.envs.rendering import MODES, check_mode, render
from holmgang.errors import UsageError
from holmgang.games.contract import NO_CHOICE, SEATS, UTILITY
from holmgang.games.finding import load
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.simulation.simulate import MOST_ROUNDS

try:
    import numpy as np
    from gymnasium.utils import seeding
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise UsageError("this needs PettingZoo and Gymnasium: pip install 'holmgang[envs]'") from None

if TYPE_CHECKING:
    from gymnasium import spaces

Infos = dict[str, JsonObject]
METADATA = {"render_modes": MODES, "render_fps": 2, "is_parallelizable": True}


class Table:
    """One game at a time of a ruleset, as environments see it: seeds, observations, rewards."""

    def __init__(self, ruleset: str | Ruleset, limit: int | None) -> None:
        self.ruleset = load(ruleset) if isinstance(ruleset, str) else ruleset
        self.layout = Layout(self.ruleset)
        self.positions, self.limit = Positions(self.ruleset), checked_limit(limit)
        self.random, _ = seeding.np_random(None)
        self.course: Course
        self.seed = 0

    @property
    def open_course(self) -> Course:
        """The game that is going on. Raises `UsageError` if there is none."""
        if self.shown_course.is_over:
            raise UsageError("no game is going on: call reset() first")
        return self.course

    @property
    def shown_course(self) -> Course:
        """The last game. Raises `UsageError` if there is none."""
        if not hasattr(self, "course"):
            raise UsageError("no game is going on: call reset() first")
        return self.course

    def reset(self, seed: int | None, options: JsonObject | None) -> None:
        """Starts the next game. A seed starts the series of games anew."""
        if seed is not None:
            self.random, _ = seeding.np_random(seed)
        self.seed = int(self.random.integers(1 << 63))
        self.course = Course(
            self.positions,
            dice=derive(self.seed, "dice"),
            start=(options or {}).get("start"),
            limit=self.limit,
        )

    def observe(self, seat: int) -> Observation:
        position = self.course.position
        menu = 0 if self.course.is_over else position.choices[seat]
        return self.layout.observe(position.state, menu)

    def info(self, seat: int, illegal: bool = False) -> JsonObject:
        """What is known beside the observation: the mask again, where some libraries look for it,
        and the outcome.
        """
        course = self.course
        menu = 0 if course.is_over else course.position.choices[seat]
        found: JsonObject = {"action_mask": self.layout.mask(menu), "round": course.round}
        if illegal:
            found["illegal_action"] = True
        if course.outcome is not None:
            found["outcome"] = course.outcome.as_json()
        return found

    def reward(self, seat: int) -> float:
        """1, 0 or -1 at the end of a game, and 0 before."""
        outcome = self.course.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        return UTILITY[
            SEATS.index(outcome.winner) if seat == 0 else 1 - SEATS.index(outcome.winner)
        ]

    @property
    def is_truncated(self) -> bool:
        """Whether the round limit has ended the game, and not its rules."""
        return self.course.is_over and self.course.position.outcome is None

    @property
    def is_terminated(self) -> bool:
        return self.course.is_over and not self.is_truncated


def checked_limit(limit: int | None) -> int | None:
    if limit is not None and (type(limit) is not int or not 1 <= limit <= MOST_ROUNDS):
        raise UsageError(
            f"limit must be a whole number from 1 to {MOST_ROUNDS}; not {brief(limit)}"
        )
    return limit


class PairOfSeats:
    """What both kinds of PettingZoo environments share."""

    def __init__(
        self,
        ruleset: str | Ruleset = "bagh",
        *,
        render_mode: str | None = None,
        limit: int | None = None,
    ) -> None:
        """`ruleset` may name a game file. `limit` is the round limit (default: the game's)."""
        super().__init__()
        self._table = Table(ruleset, limit)
        self.ruleset, self.layout = self._table.ruleset, self._table.layout
        self.render_mode = check_mode(render_mode)
        self.possible_agents = list(SEATS)
        self.agents: list[str] = []
        self.observation_spaces = {seat: self.layout.observation_space() for seat in SEATS}
        self.action_spaces = {seat: self.layout.action_space() for seat in SEATS}

    def observation_space(self, agent: str) -> "spaces.Dict":
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete":
        return self.action_spaces[agent]

    def state(self) -> NDArray[np.int64]:
        """The numbers of the state, which both seats see."""
        return self._table.observe(0)["observation"].astype(np.int64, copy=False)

    def render(self) -> str | NDArray[np.uint8] | None:
        return render(self._table.shown_course, self.render_mode)

    def close(self) -> None:
        pass


class DuelParallelEnv(PairOfSeats, ParallelEnv):  # type: ignore[misc] # PettingZoo has no types
    """Both seats act in every step. `holmgang.envs.layout` describes observations and actions. An
    illegal action is replaced by a harmless choice, and `infos[agent]["illegal_action"]` is set.

    The reward is 1 for a win, -1 for a loss, 0 for a draw and before the end. A game that reaches
    the round limit is truncated. `reset(options={"start": state})` starts from any state.
    """

    metadata: ClassVar[JsonObject] = {"name": "holmgang_parallel_v0", **METADATA}

    def reset(
        self, seed: int | None = None, options: JsonObject | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        self._table.reset(seed, options)
        self.agents = [] if self._table.course.is_over else list(SEATS)
        seats = tuple(enumerate(SEATS))
        return (
            {name: self._table.observe(seat) for seat, name in seats},
            {name: self._table.info(seat) for seat, name in seats},
        )

    def step(
        self, actions: dict[str, object]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        if not all(name in actions for name in SEATS):
            raise UsageError(f"actions has an action of red and of blue; not {brief(actions)}")
        table, course = self._table, self._table.course
        chosen = [
            table.layout.choice(course.position.state, seat, actions[name])
            for seat, name in enumerate(SEATS)
        ]
        course.play(chosen[0][0], chosen[1][0])
        if course.is_over:
            self.agents = []
        seats = tuple(enumerate(SEATS))
        if self.render_mode == "human":
            self.render()
        return (
            {name: table.observe(seat) for seat, name in seats},
            {name: table.reward(seat) for seat, name in seats},
            dict.fromkeys(SEATS, table.is_terminated),
            dict.fromkeys(SEATS, table.is_truncated),
            {name: table.info(seat, not chosen[seat][1]) for seat, name in seats},
        )


class DuelAECEnv(PairOfSeats, AECEnv):  # type: ignore[misc]
    """The same games with one seat at a time, for libraries that know only turns. In each round the
    seats that have a choice are asked, red first; the other learns of a choice when both are made.
    Where seats take turns, as in MagicDuel, this is the order of play.
    """

    metadata: ClassVar[JsonObject] = {"name": "holmgang_aec_v0", **METADATA}

    def reset(self, seed: int | None = None, options: JsonObject | None = None) -> None:
        self._table.reset(seed, options)
        self.agents = list(SEATS)
        self.rewards = dict.fromkeys(SEATS, 0.0)
        self._cumulative_rewards = dict.fromkeys(SEATS, 0.0)
        self.terminations = dict.fromkeys(SEATS, self._table.is_terminated)
        self.truncations = dict.fromkeys(SEATS, False)
        self.infos = {name: self._table.info(seat) for seat, name in enumerate(SEATS)}
        self._chosen: dict[int, int] = {}
        self._illegal: set[str] = set()
        self._select()

    def _select(self) -> None:
        """Turns to the next seat that has to choose."""
        choices = self._table.course.position.choices
        waiting = [seat for seat in (0, 1) if choices[seat] and seat not in self._chosen]
        self.agent_selection = SEATS[waiting[0]] if waiting else self.agents[0]

    def observe(self, agent: str) -> Observation:
        return self._table.observe(SEATS.index(agent))

    def step(self, action: object) -> None:
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        table, course, seat = self._table, self._table.course, SEATS.index(name)
        self._cumulative_rewards[name] = 0.0
        self.rewards = dict.fromkeys(SEATS, 0.0)
        choice, was_legal = table.layout.choice(course.position.state, seat, action)
        self._chosen[seat] = choice
        if not was_legal:
            self._illegal.add(name)
        self.infos[name] = table.info(seat, not was_legal)
        choices = course.position.choices
        if all(not choices[each] or each in self._chosen for each in (0, 1)):
            course.play(*(self._chosen.get(each, NO_CHOICE) for each in (0, 1)))
            self._chosen = {}
            for each, other in enumerate(SEATS):
                self.rewards[other] = table.reward(each)
                self.infos[other] = table.info(each, other in self._illegal)
            self._illegal = set()
            self.terminations = dict.fromkeys(SEATS, table.is_terminated)
            self.truncations = dict.fromkeys(SEATS, table.is_truncated)
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()
