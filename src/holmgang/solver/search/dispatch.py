"""Search in any game: looks ahead from a state as far as a depth or a time allows.

A program that has to answer others meanwhile can forbid searches that take long (`instantly`), and
have uncompiled ones run by other processes (`interpreted_by`), since these hold Python's lock.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from holmgang.engine.compiled.native import Announce, silent
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.search.alternating import search_alternating
from holmgang.solver.search.preparing import is_native, is_preparing
from holmgang.solver.search.simultaneous import search_simultaneous

Interpret = Callable[[Ruleset, Any, float | None, int | None], Evaluation]
"""Searches a state of a ruleset with this budget and to this depth, without compiling."""

_is_instant: ContextVar[bool] = ContextVar("is_instant", default=False)
_interpret: ContextVar[Interpret | None] = ContextVar("interpret", default=None)


class SearchNeededError(Exception):
    """An answer takes longer than a look into a table or one round ahead."""


@contextmanager
def instantly() -> Iterator[None]:
    """Inside, whatever takes longer than an instant raises `SearchNeededError`."""
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
    """Inside, `interpret` does all searches that are not compiled."""
    before = _interpret.set(interpret)
    try:
        yield
    finally:
        _interpret.reset(before)


def takes_turns(ruleset: Ruleset) -> bool:
    """Whether the game brings what it takes to search it choice by choice."""
    return ruleset.game.dominance is not None


def search(
    ruleset: Ruleset,
    state: Any,
    *,
    budget_ms: float | None = None,
    depth: int | None = None,
    announce: Announce = silent,
) -> Evaluation:
    """The best choices in a state, as far as can be seen; at least one limit is needed.

    While `prepare` compiles this search in the background, it runs interpreted: it keeps to its
    limits, and sees less in the same time. Otherwise the first search by a ruleset compiles.

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
    state: Any,
    *,
    budget_ms: float | None,
    depth: int | None,
    interpret: bool,
    announce: Announce = silent,
) -> Evaluation:
    """The same in this process, compiled or interpreted."""
    look = search_alternating if takes_turns(ruleset) else search_simultaneous
    return look(
        ruleset, state, budget_ms=budget_ms, depth=depth, interpret=interpret, announce=announce
    )
