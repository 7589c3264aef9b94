"""Observations and actions: the layout that all environments share.

An observation is a dictionary: `observation` has the numbers of the state, in the order of
`Layout.fields`, and `action_mask` has 1 for each legal action. Action n is choice n of the ruleset;
the last action is to pass, which is legal only for a seat that has nothing to choose.
"""

from operator import index
from typing import TYPE_CHECKING

from holmgang.errors import UsageError
from holmgang.games.contract import NO_CHOICE, State
from holmgang.games.fields import numbers_of
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise UsageError("this needs NumPy: pip install 'holmgang[envs]'") from None

if TYPE_CHECKING:
    from gymnasium import spaces

Observation = dict[str, NDArray[np.integer]]
LIMITS = np.iinfo(np.int64)


class Layout:
    """How states and choices of a ruleset become arrays.

    >>> from holmgang.games.ruleset import load
    >>> bagh = Layout(load("bagh"))
    >>> bagh.fields[:2], bagh.words
    (('red.hp', 'red.boost'), ('boost', 'attack', 'guard', 'heal', 'pass'))
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        bounds = ruleset.field_bounds
        self.fields = tuple(bounds)
        """The names of the numbers of a state."""
        self.passing = ruleset.choice_count
        """The action of a seat that has nothing to choose."""
        self._low = np.array([LIMITS.min if low is None else low for low, _ in bounds.values()])
        self._high = np.array([LIMITS.max if high is None else high for _, high in bounds.values()])
        self._high += self._low == self._high  # Gymnasium warns of a number that cannot change
        self._actions = np.arange(self.passing + 1)

    @property
    def words(self) -> tuple[str, ...]:
        """The word of each action."""
        return (*(self.ruleset.word(choice) for choice in range(self.passing)), "pass")

    def observation_space(self) -> "spaces.Dict":
        from gymnasium import spaces

        return spaces.Dict(
            {
                "action_mask": spaces.Box(0, 1, (self.passing + 1,), np.int8),
                "observation": spaces.Box(self._low, self._high, dtype=np.int64),
            }
        )

    def action_space(self) -> "spaces.Discrete":
        from gymnasium import spaces

        return spaces.Discrete(self.passing + 1)

    def observe(self, state: State, menu: int) -> Observation:
        """The observation of a seat with this set of choices."""
        numbers = np.fromiter(numbers_of(state), np.int64, len(self.fields))
        return {"action_mask": self.mask(menu), "observation": numbers}

    def mask(self, menu: int) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self.masks(np.array([menu]))[0]
        return mask

    def masks(self, menus: NDArray[np.int64]) -> NDArray[np.int8]:
        """The action masks for many sets of choices."""
        masks: NDArray[np.int8] = (menus[:, None] >> self._actions & 1).astype(np.int8)
        masks[:, self.passing] = menus == 0
        return masks

    def choice(self, state: State, seat: int, action: object) -> tuple[int, bool]:
        """The choice that an action means, and whether the action was legal. An illegal action is
        replaced by the choice of a seat that has run out of time, because learning libraries sample
        actions without looking at masks. Raises `UsageError` for what is no whole number.
        """
        number = whole(action, self.passing)
        menu = self.ruleset.choice_set(state, seat)
        if not menu:
            return NO_CHOICE, number == self.passing
        if 0 <= number < self.passing and menu >> number & 1:
            return number, True
        return self.ruleset.harmless(state, seat), False


def whole(action: object, last: int) -> int:
    """The number of an action, which may also be a NumPy array of one. Raises `UsageError`."""
    try:
        return index(action.item() if isinstance(action, np.ndarray) else action)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise UsageError(
            f"an action is a whole number from 0 to {last}; not {brief(action)}"
        ) from None
