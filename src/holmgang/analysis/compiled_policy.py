"""Policies of any form, as tables of whole weights that kernels play."""

from collections.abc import Iterator
from typing import cast

from holmgang.analysis.scores import tabled
from holmgang.analysis.strategies import SOLVED, mixes_of
from holmgang.arena.seating import Agent
from holmgang.games.ruleset import Ruleset
from holmgang.simulation.policy import Policy
from holmgang.simulation.simulate import as_policy, is_table
from holmgang.solver.exact.table import MOST_MIB, MOST_STATES


def agent_of(ruleset: Ruleset, agent: object, seat: int) -> Agent:
    """The agent of a seat in a form that `Seated` knows: arrays and solved tables become policies.
    Everything else is checked there.
    """
    if isinstance(agent, SOLVED) or hasattr(agent, "tolist"):
        return compiled_policy(ruleset, agent, seat)
    return cast("Agent", agent)


def compiled_policy(ruleset: Ruleset, policy: object, seat: int) -> Policy:
    """The policy of a seat in a form that kernels play. Weights, `random` and a `Policy` always
    have one; others need a table of all states. Raises `UsageError`.

    >>> from holmgang.games.ruleset import load
    >>> small = load("bagh:start_hp=1,max_boost=0,heal_limit=1")
    >>> compiled_policy(small, lambda state, seat: "attack", 1).rows > 0
    True
    """
    if is_table(policy):
        return as_policy(ruleset, policy)
    table = tabled(ruleset, MOST_STATES, MOST_MIB)
    weights = mixes_of(table, policy, seat)
    starts = (table.numbers.red_starts, table.numbers.blue_starts)[seat]

    def mixes() -> Iterator[dict[int, float]]:
        for number, state in table:
            menu = ruleset.choices(state, seat)
            part = weights[starts[number] : starts[number + 1]]
            yield dict(zip(menu, part, strict=True)) if menu else {}

    return Policy.from_rows(ruleset, table.rows, mixes())
