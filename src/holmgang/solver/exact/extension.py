"""Solves states outside a table on request.

The game is solved from such a state; it ends where it reaches a state of the table. The solution is
proven like a table, and kept in memory with it. The value of a state of the table is known up to an
error, so the bounds are widened by the largest error of the states reached.
"""

from holmgang.engine.compiled.native import Announce, NumberKernels, can_compile, silent
from holmgang.errors import UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.exact import order_kernels, sharpen_kernels, sweep_kernels
from holmgang.solver.exact.solve import solve_table, sweeping
from holmgang.solver.exact.table import (
    CannotFold,
    KnownStates,
    StateTable,
    sorting,
    tabulate_beyond,
    writing,
)
from holmgang.solver.exact.tablebase import Tablebase, encode

MOST_STATES = 5_000  # solved for one request, in about a second
MOST_WHILE_WAITING = 50_000  # the same if the caller can wait
MOST_KEPT = 200_000  # states in all extensions of a table; above this they are dropped
MOST_REFUSED = 10_000


def extend(
    table: Tablebase, state: State, *, can_wait: bool = False, announce: Announce = silent
) -> bool:
    """Adds an undecided state to a table, with all states that can follow it. Returns False if that
    takes too long, or if it needs compiling and the caller cannot wait.
    """
    with table.extending:
        if table.has(state):
            return True
        most = MOST_WHILE_WAITING if can_wait else MOST_STATES
        if table.refused.get(state, 0) >= most or not can_compile():
            return False
        kernels = kernels_needed(table.ruleset)
        if not can_wait and not all(home.is_cached(name) for home, name in kernels):
            return False
        for home, name in kernels:
            home(name, announce)
        if sum(extension.count for extension in table.extensions) > MOST_KEPT:
            table.extensions.clear()
        try:
            table.extensions.append(solved_beyond(table, state, most))
        except UsageError:
            if len(table.refused) >= MOST_REFUSED:
                table.refused.clear()
            table.refused[state] = most
            return False
        return True


def kernels_needed(ruleset: Ruleset) -> list[tuple[NumberKernels, str]]:
    return [
        *((writing(ruleset), name) for name in ("fill_slots", "write_table")),
        *((sorting(), name) for name in order_kernels.SPECS),
        *((sweeping(), name) for name in (*sweep_kernels.SPECS, *sharpen_kernels.SPECS)),
    ]


def solved_beyond(table: Tablebase, state: State, most_states: int) -> Tablebase:
    """Solves a state outside a table. Raises `UsageError` if it leads to too many states."""
    known = KnownStates.joined([part.known_states for part in table.parts])

    def beyond(starts: list[State], *, folds: bool) -> tuple[StateTable, float]:
        return tabulate_beyond(
            table.ruleset,
            [start for start in starts if not table.has(start)],
            known,
            mirror=table.header["symmetric"],
            folds=folds,
            most_states=most_states,
        )

    try:
        states, error = beyond(starting_states(table.ruleset, state), folds=True)
    except CannotFold:
        states, error = beyond([state], folds=False)
    solution = solve_table(states, sweeping())
    for bounds, widened in ((solution.lows, -error), (solution.highs, error)):
        for place, bound in enumerate(bounds):
            bounds[place] = bound + widened
    return Tablebase(table.path, encode(solution))


def starting_states(ruleset: Ruleset, state: State) -> list[State]:
    """The state itself, or its successors if a seat answers a reveal in it: such states are not
    stored.
    """
    if not writing(ruleset).bound.kernels["is_answer"](ruleset.rules, state):
        return [state]
    found: dict[State, None] = {}
    for seat in (RED, BLUE):
        for choice in ruleset.choices(state, seat):
            pair = (choice, NO_CHOICE) if seat == RED else (NO_CHOICE, choice)
            for face, _ in ruleset.throws(state, *pair):
                after = ruleset.resolve_unchecked(state, *pair, face)
                if ruleset.utility(after) is None:
                    found[after] = None
    return list(found)
