"""Compares rules with their compiled form, round by round."""

import re
from array import array
from collections.abc import Sequence

from holmgang.engine.compiled.native import Announce, Kernels, silent, zeros
from holmgang.errors import CompileError
from holmgang.games.checking import Finding, Played
from holmgang.games.fields import numbers_of
from holmgang.games.ruleset import Ruleset

PLACE = re.compile(r"(.*) \(File \"(.*)\", line (\d+)\)$", re.DOTALL)


def compare(
    ruleset: Ruleset, rounds: Sequence[Played], where: str, announce: Announce = silent
) -> Finding | None:
    """A finding if the rules do not compile, or if the compiled rules give another result in one of
    these rounds; otherwise None. `where` is the place of `resolve`.
    """
    kernels = Kernels(ruleset)
    if not kernels.is_compiled:
        return None
    try:
        step = kernels("step_rows", announce)
    except CompileError as error:
        return refused(error, where)
    fields, count = len(kernels.layout.names), len(rounds)
    rows = array("q", [int(number) for played in rounds for number in numbers_of(played.before)])
    columns = [array("q", column) for column in zip(*(each[1:4] for each in rounds), strict=True)]
    after, ends = zeros(fields * count), zeros(count)
    step(count, rows, *columns, after, ends)
    for index, played in enumerate(rounds):
        expected = [int(number) for number in numbers_of(played.after)]
        found = list(after[index * fields : (index + 1) * fields])
        is_over = bool(ruleset.ending(played.after).reason)
        if found != expected or bool(ends[index]) != is_over:
            return Finding(where, describe(ruleset, played, expected, found))
    return None


def describe(ruleset: Ruleset, played: Played, expected: list[int], found: list[int]) -> str:
    words = [ruleset.word_or_none(each) for each in (played.red, played.blue)]
    return (
        f"compiled, {words[0]} against {words[1]} in {ruleset.format_text(played.before)} gives"
        f" {found}, not {expected}"
    )


def refused(error: CompileError, where: str) -> Finding:
    """The compiler's message, at the line that it names."""
    told = str(error).removeprefix("the rules do not compile: ")
    named = PLACE.match(told)
    if named is None:
        return Finding(where, f"it does not compile: {told}")
    return Finding(f"{named[2]}:{named[3]}", f"it does not compile: {named[1]}")
