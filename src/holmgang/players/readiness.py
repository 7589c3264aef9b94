"""Preparation of levels: the slow work that a level needs before it plays at full strength.

The solver is imported only when needed.
"""

from threading import Event

from holmgang.engine.compiled.native import Announce
from holmgang.games.ruleset import Ruleset


class Ready:
    """Prepares a level. This base class has nothing to do."""

    def __call__(self, ruleset: Ruleset, announce: Announce, *, wait: bool) -> None:
        """Prepares the level; without `wait`, only starts to prepare it in the background."""

    def note(self, ruleset: Ruleset) -> str:
        """How the level plays during preparation in the background; empty afterwards."""
        return ""

    def hold(self, ruleset: Ruleset, hurry: Event) -> None:
        """Waits until the level can play at full strength, or until `hurry` is set."""


class ReadyToLookOneAhead(Ready):
    """Compiles the search, which until then makes the same choices more slowly."""

    def __call__(self, ruleset: Ruleset, announce: Announce, *, wait: bool) -> None:
        from holmgang.solver.search.dispatch import search
        from holmgang.solver.search.preparing import prepare

        if wait:
            search(ruleset, ruleset.initial(), depth=1, announce=announce)
        else:
            prepare(ruleset)

    def hold(self, ruleset: Ruleset, hurry: Event) -> None:
        from holmgang.solver.search.preparing import wait_until_prepared

        wait_until_prepared(ruleset, hurry)


class ReadyToSearch(ReadyToLookOneAhead):
    """Compiles the search, which until then looks less far ahead in the same time."""

    def note(self, ruleset: Ruleset) -> str:
        from holmgang.solver.search.preparing import is_preparing

        return "compiling; short look-ahead until then" if is_preparing(ruleset) else ""


class ReadyToLookUp(ReadyToSearch):
    """Solves the ruleset if that is quick, and compiles the search for use until then."""

    def __init__(self, *, build: bool = True) -> None:
        """Without `build`, only existing tables are used."""
        self._build = build

    def __call__(self, ruleset: Ruleset, announce: Announce, *, wait: bool) -> None:
        from holmgang.solver.oracle import oracle_of
        from holmgang.solver.tables import build_by_the_way

        if wait and self._build:
            build_by_the_way(ruleset, announce=announce)
        if not oracle_of(ruleset, build=self._build and not wait).has_table:
            super().__call__(ruleset, announce, wait=wait)

    def note(self, ruleset: Ruleset) -> str:
        from holmgang.solver.background import seconds_of_building
        from holmgang.solver.tables import solving

        seconds = seconds_of_building(ruleset)
        if seconds is None:
            return solving(ruleset) or super().note(ruleset)
        return f"searching; building exact table, {seconds:.0f} s"


class ReadyToGrade(ReadyToLookUp):
    """Does the same, and compiles the mixes of graded levels, which choose slowly until then."""

    def __call__(self, ruleset: Ruleset, announce: Announce, *, wait: bool) -> None:
        from holmgang.solver.search.preparing import compile_levels, prepare

        super().__call__(ruleset, announce, wait=wait)
        if wait:
            compile_levels(announce)
        else:
            prepare(ruleset)

    def note(self, ruleset: Ruleset) -> str:
        return "warming up" if super().note(ruleset) else ""
