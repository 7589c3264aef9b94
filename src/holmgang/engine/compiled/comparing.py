"""Compares rules with their compiled form, round by round."""

from array import array
from collections.abc import Sequence

from holmgang.engine.compiled.native import Announce, Kernels, silent, zeros
from holmgang.errors import CompileError
from holmgang.games.checking import Finding, Played
from holmgang.games.fields import numbers_of
from holmgang.games.ruleset import Ruleset


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
        return Finding(error.place or where, f"it does not compile: {error.why}")
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
