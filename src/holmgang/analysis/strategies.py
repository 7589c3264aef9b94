"""Policies of any form, as a mix for each seat in every state of a table."""

from array import array
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import frexp, inf, ldexp
from pathlib import Path
from typing import Protocol

from holmgang.engine.compiled.kernels import WIDTH
from holmgang.errors import ChoiceError, StateError, UsageError
from holmgang.games.contract import RED, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players.graded import pair_values
from holmgang.players.ladder import GRADED, LADDER, grade_of
from holmgang.simulation.policy import Policy, Weights
from holmgang.simulation.simulate import as_policy
from holmgang.solver.exact.table import MOST_STATES, StateTable
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.oracle import oracle_of
from holmgang.solver.summary import Summary
from holmgang.solver.tables import build_table, open_table

Mix = str | Mapping[str, int | float | Fraction]
"""Weights by choice, or the word of the only choice that is made."""
MixOf = Callable[[State, str], Mix]
"""The mix of a seat, `red` or `blue`, in a state."""


class WeightArray(Protocol):
    """A NumPy array, or anything that is indexed in the same way."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def tolist(self) -> object: ...


AnyPolicy = str | Weights | Mapping[object, Mix] | Policy | MixOf | Tablebase | Summary | Path
"""A policy in any form that `exploitability` accepts, besides arrays."""

ALLOWED = (
    "a policy is a level (beginner to perfect, or random), weights by choice, mixes by state, a"
    " Policy, a solved table, an array of states × seats × choices, or a function of a state and a"
    " seat that returns weights by choice"
)

PERFECT = "perfect"
SOLVED = Tablebase, Summary, Path

Shares = list[float]
"""A weight for each choice on a menu."""
Reader = Callable[[int, State, int, list[int]], Shares]
"""The weights of a seat in a state, by its number in the table, for the choices on its menu."""


def mixes_of(table: StateTable, policy: object, seat: int) -> "array[float]":
    """The weights of a seat's choices in every state, in the order of the table. Raises
    `UsageError` or `ChoiceError` if this is not a policy of the game.
    """
    ruleset = table.ruleset
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
    if isinstance(policy, Summary):
        policy = policy.path
    if isinstance(policy, Path):
        policy = open_table(policy, ruleset)
    if isinstance(policy, Tablebase):
        return table_reader(ruleset, policy)
    if isinstance(policy, Policy):
        return weights_reader(table, as_policy(ruleset, policy))
    if isinstance(policy, Mapping):
        if any(isinstance(mix, str | Mapping) for mix in policy.values()):
            return states_reader(ruleset, policy)
        return weights_reader(table, as_policy(ruleset, policy))
    if hasattr(policy, "shape") and hasattr(policy, "tolist"):
        return array_reader(table, policy)
    if callable(policy):
        return function_reader(ruleset, policy)
    raise UsageError(f"{ALLOWED}; not {brief(policy)}")


def level_reader(ruleset: Ruleset, name: str) -> Reader:
    if name == "random":
        return lambda number, state, seat, menu: [1.0] * len(menu)
    if name == PERFECT:
        return table_reader(ruleset, solved_table(ruleset))
    if name in GRADED:
        return graded_reader(ruleset, name)
    raise UsageError(
        f"the level {brief(name)} has no exact mix in every state; levels that have one are"
        f" {', '.join(LADDER)} and random"
    )


def graded_reader(ruleset: Ruleset, name: str) -> Reader:
    """The mixes that a graded level draws from, by the solved game."""
    solved_table(ruleset)
    oracle, grade = oracle_of(ruleset, build=False), grade_of(name, ruleset)

    def read(number: int, state: State, seat: int, menu: list[int]) -> Shares:
        mixes = pair_values(oracle, state).mixes(grade)
        return list(mixes.row if seat == RED else mixes.column)

    return read


def solved_table(ruleset: Ruleset) -> Tablebase:
    """The table that the level `perfect` plays by, which is solved first if it is missing."""
    table = open_table(build_table(ruleset, most_states=MOST_STATES), ruleset)
    if not isinstance(table, Tablebase):
        raise UsageError(f"{ruleset.text} has no table of all states")
    return table


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


def weights_reader(table: StateTable, policy: Policy) -> Reader:
    """As the policy plays in simulations: where no legal choice has a weight, all are equal."""
    fields = table.fields
    places = {
        tuple(policy.states[row * fields : (row + 1) * fields]): row for row in range(policy.rows)
    }

    def read(number: int, state: State, seat: int, menu: list[int]) -> Shares:
        row = places.get(tuple(table.row(number)), policy.rows) if places else policy.rows
        weights = [float(policy.weights[row * WIDTH + choice]) for choice in menu]
        return weights if any(weights) else [1.0] * len(menu)

    return read


def states_reader(ruleset: Ruleset, mixes: Mapping[object, Mix]) -> Reader:
    by_state = {ruleset.parse_state(state): mix for state, mix in mixes.items()}

    def read(number: int, state: State, seat: int, menu: list[int]) -> Shares:
        if state not in by_state:
            raise StateError(
                f"the policy has no mix for {ruleset.format_text(state)}, which the game can reach"
            )
        return shares_of(ruleset, state, seat, menu, by_state[state])

    return read


def function_reader(ruleset: Ruleset, mix_of: MixOf) -> Reader:
    def read(number: int, state: State, seat: int, menu: list[int]) -> Shares:
        return shares_of(ruleset, state, seat, menu, mix_of(state, SEATS[seat]))

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


def shares_of(ruleset: Ruleset, state: State, seat: int, menu: list[int], mix: object) -> Shares:
    """The weights of a mix in words."""
    if isinstance(mix, str):
        mix = {mix: 1}
    if not isinstance(mix, Mapping):
        raise UsageError(
            f"{place(ruleset, state, seat)}: a mix is weights by choice, such as"
            f" {{{ruleset.word(menu[0])!r}: 1}}, or one word; not {brief(mix)}"
        )
    weights = [0.0] * len(menu)
    for word, weight in mix.items():
        if weight == 0:
            continue
        choice = ruleset.parse_choice(state, seat, word)
        if choice not in menu:
            raise ChoiceError(
                f"{place(ruleset, state, seat)}: {brief(word)} is legal, but not on the menu that"
                " the table has"
            )
        weights[menu.index(choice)] = weight
    return checked(ruleset, state, seat, weights)


def checked(ruleset: Ruleset, state: State, seat: int, weights: list[float]) -> Shares:
    try:
        numbers = [float(weight) for weight in weights]
    except (TypeError, ValueError, OverflowError):
        numbers = [-1.0]
    if not all(0 <= weight < inf for weight in numbers):
        raise ChoiceError(
            f"{place(ruleset, state, seat)}: weights must be numbers from 0 up; not"
            f" {brief(weights)}"
        )
    if not any(numbers):
        allowed = ", ".join(ruleset.words(state, seat))
        raise ChoiceError(
            f"{place(ruleset, state, seat)}: no choice has a weight; the choices are {allowed}"
        )
    return numbers


def place(ruleset: Ruleset, state: State, seat: int) -> str:
    return f"{SEATS[seat]} in {ruleset.format_text(state)}"
