"""A Gymnasium environment: one seat of any ruleset against a level, a bot or a policy."""

from typing import Any

from holmgang.analysis.compiled_policy import agent_of
from holmgang.analysis.simulating import AnyPlayer
from holmgang.arena.seating import Seated
from holmgang.envs.layout import Observation
from holmgang.envs.parallel import METADATA, Table
from holmgang.envs.rendering import check_mode, render
from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.players.player import Failed, Player, ask, judged

try:
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise UsageError("this needs Gymnasium: pip install 'holmgang[envs]'") from None


class DuelEnv(gymnasium.Env[Observation, Any]):
    """One seat against an opponent. Observations, actions, rewards and round limits are those of
    the PettingZoo environments: `holmgang.envs.layout` describes them.

    >>> env = DuelEnv("bagh", opponent="random")
    >>> observation, info = env.reset(seed=1)
    >>> observation["action_mask"].tolist()
    [1, 1, 1, 1, 0]
    """

    metadata = METADATA

    def __init__(
        self,
        ruleset: str | Ruleset = "bagh",
        *,
        opponent: AnyPlayer = "random",
        seat: str = "red",
        render_mode: str | None = None,
        limit: int | None = None,
        trust: bool = False,
    ) -> None:
        """`opponent` is a level, a bot, or a policy as in `holmgang.exploitability`; `trust` runs a
        bot without the sandbox.
        """
        self.seat = parse_seat(seat)
        self._table = Table(ruleset, limit)
        self.ruleset, self.layout = self._table.ruleset, self._table.layout
        self.render_mode = check_mode(render_mode)
        self.observation_space: gymnasium.spaces.Space[Any] = self.layout.observation_space()
        self.action_space = self.layout.action_space()
        agent = agent_of(self.ruleset, opponent, 1 - self.seat)
        self._opponent = Seated(self.ruleset, agent, trust=trust)
        self._player: Player

    def reset(
        self, *, seed: int | None = None, options: JsonObject | None = None
    ) -> tuple[Observation, JsonObject]:
        super().reset(seed=seed)
        self._table.reset(seed, options)
        self._table.course.position.ruleset.check_undecided(self._table.course.position.state)
        self._player = self._opponent.sit(1 - self.seat, self._table.seed)
        return self._table.observe(self.seat), self._table.info(self.seat)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, JsonObject]:
        table, course, failures = self._table, self._table.open_course, dict[int, Failed]()
        mine, was_legal = table.layout.choice(course.position.state, self.seat, action)
        theirs = ask(self._player, 1 - self.seat, course, failures)
        if failures:
            course.end(judged(course, failures))
        else:
            course.play(*((mine, theirs) if self.seat == 0 else (theirs, mine)))
        info = table.info(self.seat, not was_legal)
        if failures:
            info["failure"] = str(failures[1 - self.seat])
        if self.render_mode == "human":
            self.render()
        is_over = bool(failures) or table.is_terminated
        return (
            table.observe(self.seat),
            table.reward(self.seat),
            is_over,
            table.is_truncated and not failures,
            info,
        )

    def render(self) -> str | NDArray[np.uint8] | None:
        return render(self._table.shown_course, self.render_mode)

    def close(self) -> None:
        self._opponent.close()


def parse_seat(seat: object) -> int:
    if seat not in SEATS:
        raise UsageError(f"a seat is red or blue; not {brief(seat)}")
    return SEATS.index(str(seat))
