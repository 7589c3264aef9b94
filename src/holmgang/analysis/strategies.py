"""Policies of any form, as a mix for each seat in every state of a table."""

from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import frexp, ldexp
from pathlib import Path
from typing import Protocol

from holmgang.engine.compiled.native import NumberKernels
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.contract import BLUE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players import graded_kernels as kernels
from holmgang.players.graded import timid
from holmgang.players.ladder import GRADED, LADDER, grade_of
from holmgang.simulation.mixes import PlayablePolicy, Shares, checked, mix_reader, place
from holmgang.simulation.policy import Policy
from holmgang.solver import quantal_kernels
from holmgang.solver.exact import sweep_kernels
from holmgang.solver.exact.table import MOST_STATES, StateTable, floats
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.matrix import LIMIT
from holmgang.solver.summary import SolveResult
from holmgang.solver.tables import build_table, open_table


class WeightArray(Protocol):
    """A NumPy array, or anything that is indexed in the same way."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def tolist(self) -> object: ...


AnyPolicy = str | PlayablePolicy | Tablebase | SolveResult | Path
"""A policy in any form that `exploitability` accepts, besides arrays."""

ALLOWED = (
    "a policy is a level (beginner to perfect, or random), weights by choice, mixes by state, a"
    " Policy, a solved table, an array of states × seats × choices, or a function of a state and a"
    " seat that returns weights by choice"
)

PERFECT = "perfect"
SOLVED = Tablebase, SolveResult, Path

Reader = Callable[[int, State, int, list[int]], Shares]
"""The weights of a seat in a state, by its number in the table, for the choices on its menu."""


def mixes_of(table: StateTable, policy: object, seat: int) -> "array[float]":
    """The weights of a seat's choices in every state, in the order of the table. Raises
    `UsageError` or `ChoiceError` if this is not a policy of the game.
    """
    ruleset = table.ruleset
    if isinstance(policy, str) and policy in GRADED:
        return graded_mixes(table, policy)[seat]
    read = reader(table, policy)
    menus: dict[int, list[int]] = {0: []}
    mixes = array("d")
    for number, state in table:
        mask = ruleset.choice_set(state, seat)
        if mask not in menus:
            menus[mask] = ruleset.choices(state, seat)
        mixes.extend(scaled(read(number, state, seat, menus[mask])) if mask else (1.0,))
    return mixes


def scaled(weights: Shares) -> Iterator[float]:
    """The weights times a power of 2, so that their proportions stay exact and their sum is near
    1.
    """
    exponent = frexp(max(weights))[1]
    return (ldexp(weight, -exponent) for weight in weights)


def reader(table: StateTable, policy: object) -> Reader:
    """How to read a policy of this form."""
    ruleset = table.ruleset
    if isinstance(policy, str):
        return level_reader(ruleset, policy)
    if isinstance(policy, SolveResult):
        policy = policy.path
    if isinstance(policy, Path):
        policy = open_table(policy, ruleset)
    if isinstance(policy, Tablebase):
        return table_reader(ruleset, policy)
    if hasattr(policy, "shape") and hasattr(policy, "tolist"):
        return array_reader(table, policy)
    if not isinstance(policy, Policy | Mapping) and not callable(policy):
        raise UsageError(f"{ALLOWED}; not {brief(policy)}")
    read = mix_reader(ruleset, policy)
    return lambda number, state, seat, menu: read(state, seat, menu)


def level_reader(ruleset: Ruleset, name: str) -> Reader:
    if name == "random":
        return lambda number, state, seat, menu: [1.0] * len(menu)
    check_has_mixes(name)
    return table_reader(ruleset, solved_table(ruleset))


@lru_cache(maxsize=2)
def graded_kernels() -> NumberKernels:
    return NumberKernels("graded", (quantal_kernels, sweep_kernels, kernels))


def graded_mixes(table: StateTable, name: str) -> "tuple[array[float], array[float]]":
    """The mixes of both seats that a graded level draws from by the solved game, before it has
    noticed anything about its opponent.
    """
    return mixes_by_values(table, name, values_of(table))


def mixes_by_values(
    table: StateTable, name: str, values: "array[float]"
) -> "tuple[array[float], array[float]]":
    """The same by these values of the states."""
    numbers, grade, size = table.numbers, grade_of(name, table.ruleset), LIMIT
    red, blue = floats(numbers.red_starts[-1]), floats(numbers.blue_starts[-1])
    graded_kernels()("grade")(
        table.count,
        numbers,
        values,
        array("d", (grade.temperature, grade.slips, 0.0)),
        *(red, blue, floats(len(numbers.option_starts) - 1)),
        *(floats(size * size), floats(size), floats(size), floats(quantal_kernels.WORK_SIZE)),
    )
    if table.ruleset.game.is_timid is not None:
        for number, state in table:
            for seat, mixes, starts in zip(
                (RED, BLUE), (red, blue), (numbers.red_starts, numbers.blue_starts), strict=True
            ):
                if table.ruleset.choice_set(state, seat):
                    place = slice(starts[number], starts[number + 1])
                    mix = timid(table.ruleset, state, seat, list(mixes[place]), grade)
                    mixes[place] = array("d", mix)
    return red, blue


def solved_table(ruleset: Ruleset) -> Tablebase:
    """The table that the level `perfect` plays by, which is solved first if it is missing."""
    table = open_table(build_table(ruleset, most_states=MOST_STATES), ruleset)
    if not isinstance(table, Tablebase):
        raise UsageError(f"{ruleset.text} has no table of all states")
    return table


class NoMixes(UsageError):  # noqa: N818 - it reads as what is wrong
    """A level or a bot whose mixes are not known."""


def check_has_mixes(policy: object) -> None:
    """Raises `NoMixes` for a level or a bot that has no exact mix in every state."""
    if isinstance(policy, str) and policy not in ("random", *LADDER):
        raise NoMixes(
            f"the level {brief(policy)} has no exact mix in every state; levels that have one are"
            f" {', '.join(LADDER)} and random"
        )


def is_solved(policy: object) -> bool:
    """Whether this is the policy of a solved table."""
    return policy == PERFECT if isinstance(policy, str) else isinstance(policy, SOLVED)


def values_of(table: StateTable) -> "array[float]":
    """The values of the solved game, by state."""
    solved = solved_table(table.ruleset)
    return array("d", (solved.value(state) for _, state in table))


def table_reader(ruleset: Ruleset, solved: Tablebase) -> Reader:
    if solved.ruleset != ruleset:
        raise UsageError(f"that table is for {solved.ruleset.text}, not for {ruleset.text}")

    def read(number: int, state: State, seat: int, menu: list[int]) -> Shares:
        evaluation = solved.evaluate(state)
        mix = evaluation.red if seat == RED else evaluation.blue
        return [mix[choice] for choice in menu]

    return read


def array_reader(table: StateTable, weights: WeightArray) -> Reader:
    ruleset = table.ruleset
    shape = table.count, len(SEATS), ruleset.choice_count
    if tuple(weights.shape) != shape:
        raise UsageError(
            f"an array for {ruleset.text} has the shape {shape}: states × seats × choices, with the"
            f" states in the order of holmgang.model; not {tuple(weights.shape)}"
        )
    rows: list[list[list[float]]] = weights.tolist()  # type: ignore[assignment]

    def read(number: int, state: State, seat: int, menu: list[int]) -> Shares:
        row = rows[number][seat]
        if any(weight and choice not in menu for choice, weight in enumerate(row)):
            illegal = next(c for c, weight in enumerate(row) if weight and c not in menu)
            raise ChoiceError(
                f"{place(ruleset, state, seat)}: the choice {illegal} has a weight, but only"
                f" {menu} are legal"
            )
        return checked(ruleset, state, seat, [row[choice] for choice in menu])

    return read
