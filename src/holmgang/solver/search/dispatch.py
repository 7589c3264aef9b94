"""Search in any game: looks ahead from a state to a depth or within a time limit.

A server can forbid slow searches (`instantly`) and run uncompiled ones, which hold Python's lock,
in other processes (`interpreted_by`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from holmgang.engine.compiled.native import Announce, silent
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.search.alternating import search_alternating
from holmgang.solver.search.preparing import is_native, is_preparing
from holmgang.solver.search.simultaneous import search_simultaneous

Interpret = Callable[[Ruleset, State, float | None, int | None], Evaluation]
"""Searches a state with a budget in milliseconds and a depth, without compiling."""

_is_instant: ContextVar[bool] = ContextVar("is_instant", default=False)
_interpret: ContextVar[Interpret | None] = ContextVar("interpret", default=None)


class SearchNeededError(Exception):
    """The answer takes longer than a table look-up or a search of one round."""


@contextmanager
def instantly() -> Iterator[None]:
    """Inside this context, anything slow raises `SearchNeededError`."""
    before = _is_instant.set(True)
    try:
        yield
    finally:
        _is_instant.reset(before)


def check_has_time() -> None:
    """Raises `SearchNeededError` if an instant answer is needed."""
    if _is_instant.get():
        raise SearchNeededError


@contextmanager
def interpreted_by(interpret: Interpret) -> Iterator[None]:
    """Inside this context, `interpret` runs all searches that are not compiled."""
    before = _interpret.set(interpret)
    try:
        yield
    finally:
        _interpret.reset(before)


def takes_turns(ruleset: Ruleset) -> bool:
    """Whether the game can be searched by alpha-beta."""
    return ruleset.game.dominance is not None


def search(
    ruleset: Ruleset,
    state: State,
    *,
    budget_ms: float | None = None,
    depth: int | None = None,
    announce: Announce = silent,
) -> Evaluation:
    """The best choices in a state; at least one limit is needed.

    While `prepare` compiles this search in the background, it runs interpreted and looks less far
    ahead in the same time. Otherwise the first search of a ruleset compiles it.

    Raises `StateError` if the duel is over.
    """
    if _is_instant.get() and (depth != 1 or not is_native(ruleset)):
        raise SearchNeededError
    interpret = _interpret.get()
    if interpret is not None and not is_native(ruleset):
        return interpret(ruleset, state, budget_ms, depth)
    return search_here(
        ruleset,
        state,
        budget_ms=budget_ms,
        depth=depth,
        interpret=is_preparing(ruleset),
        announce=announce,
    )


def search_here(
    ruleset: Ruleset,
    state: State,
    *,
    budget_ms: float | None,
    depth: int | None,
    interpret: bool,
    announce: Announce = silent,
) -> Evaluation:
    """The same as `search`, but always in this process, compiled or interpreted."""
    look = search_alternating if takes_turns(ruleset) else search_simultaneous
    return look(
        ruleset, state, budget_ms=budget_ms, depth=depth, interpret=interpret, announce=announce
    )
