"""Every ruleset as a simultaneous-move game of OpenSpiel.

>>> game = load_game("bagh", limit=3)
>>> state = game.new_initial_state()
>>> state.apply_actions([0, 1])
>>> state.legal_actions(0), state.is_terminal()
([0, 1, 2, 3], False)

Importing this module registers the rulesets of the catalogue as `holmgang_bagh` and so on, and
`holmgang`, which takes any ruleset as a parameter. Where only one seat has a choice, the node is
that player's; dice are chance nodes. Utilities are 1, 0 and -1 at the end.

A state names its round, because the round limit ends the game. With `limit=0` there is no limit,
and equal states have equal names. OpenSpiel's exact algorithms walk through all histories, so they
need games that end after a few rounds.
"""

from typing import Any

from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import NO_CHOICE, SEATS, UTILITY, State
from holmgang.games.fields import numbers_of
from holmgang.games.finding import load
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.simulation.mixes import MixOf, mix_reader

try:
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray
    from open_spiel.python import policy as openspiel_policy
except ImportError:
    raise UsageError("this needs OpenSpiel: pip install 'holmgang[openspiel]'") from None

MOST_THROWS = 1 << 12
"""Results of the dice after one round."""
LONGEST = 1_000_000
"""Rounds of a game without limit, as OpenSpiel wants a number."""
GAME_LIMIT = -1
"""The round limit of the ruleset."""


def game_type(name: str, ruleset: str) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=name,
        long_name=f"Holmgang: {ruleset}",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"ruleset": ruleset, "limit": GAME_LIMIT},
    )


class DuelGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """A ruleset as a game of OpenSpiel."""

    def __init__(self, kind: pyspiel.GameType, params: JsonObject) -> None:
        self.ruleset: Ruleset = load(params.get("ruleset", "bagh"))
        limit = params.get("limit", GAME_LIMIT)
        self.limit: int = self.ruleset.entry.round_limit if limit == GAME_LIMIT else limit
        if type(self.limit) is not int or self.limit < 0:
            raise UsageError(
                f"the round limit is a whole number from 0 up; not {brief(self.limit)}"
            )
        info = pyspiel.GameInfo(
            num_distinct_actions=self.ruleset.choice_count,
            max_chance_outcomes=MOST_THROWS,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.limit or LONGEST,
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> "DuelState":
        return DuelState(self, self.ruleset.initial(), 0)

    def new_state_at(self, state: object) -> "DuelState":
        """A node in any state (the game's own type, JSON or text), at the start of a game."""
        return DuelState(self, self.ruleset.parse_state(state), 0)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType = None, params: JsonObject | None = None
    ) -> "DuelObserver":
        return DuelObserver(
            iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params
        )


class DuelState(pyspiel.State):  # type: ignore[misc]
    """A node: a state of the ruleset, or the dice after two choices."""

    def __init__(self, game: DuelGame, state: State, played: int) -> None:
        super().__init__(game)
        self.ruleset, self.limit = game.ruleset, game.limit
        self.state, self.played = state, played
        self._chosen: tuple[int, int] | None = None
        self._throws: list[tuple[int, int]] = []

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self._chosen is not None:
            return int(pyspiel.PlayerId.CHANCE)
        asked = [seat for seat in (0, 1) if self.ruleset.choice_set(self.state, seat)]
        return asked[0] if len(asked) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        return self.ruleset.choices(self.state, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        total = sum(faces for _, faces in self._throws)
        return [(number, faces / total) for number, (_, faces) in enumerate(self._throws)]

    def _apply_action(self, action: int) -> None:
        if self._chosen is not None:
            self._resolve(self._throws[action][0])
        elif self.ruleset.choice_set(self.state, 0):
            self._choose(action, NO_CHOICE)
        else:
            self._choose(NO_CHOICE, action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._choose(*actions)

    def _choose(self, red: int, blue: int) -> None:
        self._chosen = red, blue
        self._throws = self.ruleset.throws(self.state, red, blue)
        if len(self._throws) > MOST_THROWS:
            raise UsageError(f"OpenSpiel games have at most {MOST_THROWS} results of the dice")
        if len(self._throws) == 1:
            self._resolve(self._throws[0][0])

    def _resolve(self, face: int) -> None:
        assert self._chosen is not None  # noqa: S101 - both have chosen
        self.state = self.ruleset.resolve_unchecked(self.state, *self._chosen, face)
        self.played += 1
        self._chosen, self._throws = None, []

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"throw {action}"
        return self.ruleset.word(action)

    def is_terminal(self) -> bool:
        if self._chosen is not None:
            return False
        return bool(self.ruleset.ending(self.state).reason) or 0 < self.limit <= self.played

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        ended = self.ruleset.ending(self.state)
        value = UTILITY[ended.winner] if ended.reason else self.ruleset.endless_utility
        return [value, -value]

    def __str__(self) -> str:
        text = self.ruleset.format_text(self.state)
        if self.limit:
            text = f"round {self.played + 1}: {text}"
        if self._chosen is not None:
            text += "; " + " ".join(str(self.ruleset.word_or_none(each)) for each in self._chosen)
        return text


class DuelObserver:
    """What both seats see: the state and the round. It determines all that may follow, so it is
    the information state too.
    """

    def __init__(self, iig_obs_type: pyspiel.IIGObservationType, params: JsonObject | None) -> None:
        if params:
            raise UsageError(f"observations take no parameters; not {params}")
        self.iig_obs_type = iig_obs_type
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}

    def set_from(self, state: DuelState, player: int) -> None:
        numbers = np.fromiter(numbers_of(state.state), np.float32)
        self.tensor = np.append(numbers, np.float32(state.played))
        self.dict = {"state": self.tensor[:-1], "round": self.tensor[-1:]}

    def string_from(self, state: DuelState, player: int) -> str | None:
        return str(state) if self.iig_obs_type.public_info else None


class DuelPolicy(openspiel_policy.Policy):  # type: ignore[misc]
    """One of our policies, as OpenSpiel knows them: weights by choice, mixes by state, a `Policy`,
    or a function of a state and a seat.
    """

    def __init__(self, game: DuelGame, policy: object) -> None:
        super().__init__(game, [0, 1])
        self._read = mix_reader(game.ruleset, policy)

    def action_probabilities(
        self, state: DuelState, player_id: int | None = None
    ) -> dict[int, float]:
        seat = state.current_player() if player_id is None else player_id
        menu = state.legal_actions(seat)
        shares = self._read(state.state, seat, menu)
        return {choice: share / sum(shares) for choice, share in zip(menu, shares, strict=True)}


def policy_of(game: DuelGame, policy: Any) -> MixOf:
    """A policy of OpenSpiel as one of ours, to play and to score with `holmgang.exploitability`. It
    is asked in the first round.
    """

    def mix(state: State, seat: str) -> dict[str, float]:
        chances = policy.action_probabilities(game.new_state_at(state), SEATS.index(seat))
        return {game.ruleset.word(choice): chance for choice, chance in chances.items()}

    return mix


def load_game(ruleset: str | Ruleset, *, limit: int | None = None) -> DuelGame:
    """The ruleset as a game of OpenSpiel; it may name a game file. `limit` is the round limit
    (default: the game's; 0: none).
    """
    text = (load(ruleset) if isinstance(ruleset, str) else ruleset).text
    params = {"ruleset": text, "limit": GAME_LIMIT if limit is None else limit}
    return DuelGame(ANY, params)


def name_of(ruleset: str) -> str:
    """The name of a ruleset of the catalogue in OpenSpiel.

    >>> name_of("magic-duel")
    'holmgang_magic_duel'
    """
    return f"holmgang_{ruleset.replace('-', '_')}"


def register_as(name: str, ruleset: str) -> pyspiel.GameType:
    kind = game_type(name, ruleset)

    class Named(DuelGame):
        def __init__(self, params: JsonObject | None = None) -> None:
            super().__init__(kind, {"ruleset": ruleset, "limit": GAME_LIMIT, **(params or {})})

    pyspiel.register_game(kind, Named)
    return kind


ANY = register_as("holmgang", "bagh")
for each in CATALOGUE:
    register_as(name_of(each), each)
