"""Many games of one seat at once, in arrays, on the compiled batch stepper.

Its speed is that of `holmgang.batch`: millions of rounds a second.
"""

from typing import Any

from holmgang.analysis.compiled_policy import compiled_policy
from holmgang.engine.keys import derive, new_seed, parse_seed
from holmgang.envs.layout import Layout, Observation
from holmgang.envs.parallel import METADATA
from holmgang.envs.single import parse_seat
from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.finding import load
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.simulation.batch import Batch, unpacked

try:
    import numpy as np
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import ArrayLike, NDArray
except ImportError:
    raise UsageError("this needs Gymnasium: pip install 'holmgang[envs]'") from None

Flags = NDArray[np.bool_]
Stepped = tuple[Observation, NDArray[np.float64], Flags, Flags, JsonObject]


class DuelVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games of one seat against a policy, with the spaces of `DuelEnv`.

    The opponent is `random`, weights by choice or a `Policy`; where all states fit into a table
    also a level that has exact mixes (`beginner` to `perfect`) or any other policy that
    `holmgang.exploitability` accepts.

    >>> env = DuelVectorEnv(3, "bagh")
    >>> observations, infos = env.reset(seed=1)
    >>> observations["observation"].shape
    (3, 8)
    """

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str | Ruleset = "bagh",
        *,
        opponent: object = "random",
        seat: str = "red",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        limit: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise UsageError("many games at once have no picture; render_mode must be None")
        self.seat = parse_seat(seat)
        self.num_envs = num_envs
        self.autoreset_mode = parse_mode(autoreset_mode)
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self.ruleset = load(ruleset) if isinstance(ruleset, str) else ruleset
        self._first, self._resets = new_seed(), 0
        self._batch = Batch(self.ruleset, num_envs, seed=self._first, limit=limit)
        self.layout = Layout(self.ruleset)
        self.single_observation_space = self.layout.observation_space()
        self.single_action_space = self.layout.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._policy = compiled_policy(self.ruleset, opponent, 1 - self.seat)
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: JsonObject | None = None,
    ) -> tuple[Observation, JsonObject]:
        """Starts new games: in all places, or where `options["reset_mask"]` is true, which is for
        `AutoresetMode.DISABLED`. One seed determines the games of all places.
        """
        options = options or {}
        if options.keys() - {"reset_mask"}:
            raise UsageError(f"the only option of many games is reset_mask; not {list(options)}")
        mask = options.get("reset_mask")
        if isinstance(seed, list):
            raise UsageError("one seed determines the games of all places; pass a whole number")
        if mask is not None:
            return self._reset_some(np.asarray(mask, np.bool_)), {}
        if seed is not None:
            self._first = parse_seed(seed)
            self._resets = 0
        else:
            self._resets += 1
        again = derive(self._first, f"reset {self._resets}") if self._resets else self._first
        self._batch.reset(again)
        self._ended[:] = False
        return self._observe(), {}

    def _reset_some(self, mask: Flags) -> Observation:
        if mask.shape != (self.num_envs,) or (mask & ~self._ended).any():
            raise UsageError(
                f"reset_mask must be {self.num_envs} truth values, and only games that have ended"
                " can be reset"
            )
        self._ended &= ~mask
        return self._observe(self._ended)

    def step(self, actions: ArrayLike) -> Stepped:
        held = self._ended
        if self.autoreset_mode is AutoresetMode.DISABLED and held.any():
            raise UsageError("some games have ended; reset them first, with reset_mask")
        mine, illegal = self._legal(np.asarray(actions))
        theirs = self._batch.draw(self._policy, SEATS[1 - self.seat])
        both = (mine, theirs) if self.seat == 0 else (theirs, mine)
        rewards, ended = self._batch.step(*both, paused=held if held.any() else None)
        truncated = self._is_truncated(ended)
        infos: JsonObject = {}
        if illegal is not None:
            infos["illegal_action"] = illegal & ~held
            infos["_illegal_action"] = infos["illegal_action"]
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._ended = np.zeros(self.num_envs, np.bool_)
            if ended.any():
                infos["final_obs"], infos["_final_obs"] = self._observe(ended), ended
        else:
            self._ended = ended
        signed = rewards if self.seat == 0 else -rewards
        return (
            self._observe(self._ended),
            signed.astype(np.float64),
            ended & ~truncated,
            truncated,
            infos,
        )

    def _is_truncated(self, ended: Flags) -> Flags:
        """Where the round limit has ended a game, and not its rules."""
        truncated: Flags = self._batch.ends < 0
        if self.ruleset.endless_ending.reason:  # the limit has a winner, so look at the state
            for place in np.flatnonzero(ended):
                last = unpacked(self.ruleset, self._batch.final_states[place])
                truncated[place] = not self.ruleset.ending(last).reason
        return truncated

    def _legal(self, actions: NDArray[Any]) -> tuple[NDArray[np.int64], Flags | None]:
        """The choices, and which actions were illegal and have been replaced; None if none was."""
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise UsageError(f"actions must be {self.num_envs} whole numbers")
        chosen = actions.astype(np.int64)
        menus = self._batch.menus[:, self.seat]
        in_range = (chosen >= 0) & (chosen < self.layout.passing)
        wrong = ~(in_range & (menus >> np.where(in_range, chosen, 0) & 1 == 1))
        has_none = menus == 0
        wrong &= ~has_none | (chosen != self.layout.passing)
        if not wrong.any():
            return chosen, None
        for place in np.flatnonzero(wrong & ~has_none):
            state = unpacked(self.ruleset, self._batch.states[place])
            chosen[place] = self.ruleset.harmless(state, self.seat)
        return chosen, wrong

    def _observe(self, ended: Flags | None = None) -> Observation:
        """Observations of the open games, or of the final states where games have `ended`."""
        batch = self._batch
        if ended is None or not ended.any():
            numbers, menus = batch.states.copy(), batch.menus[:, self.seat]
        else:
            numbers = np.where(ended[:, None], batch.final_states, batch.states)
            menus = np.where(ended, 0, batch.menus[:, self.seat])
        return {"action_mask": self.layout.masks(menus), "observation": numbers}

    @property
    def words(self) -> tuple[str, ...]:
        """The word of each action."""
        return self.layout.words


def parse_mode(mode: object) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(each.value for each in AutoresetMode)
        raise UsageError(f"autoreset_mode is one of {modes}; not {brief(mode)}") from None
