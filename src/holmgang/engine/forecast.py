"""The effects of a choice, against every choice of the opponent and for every throw of the die.

It works for any game: each pair of choices is resolved by the rules, and the states before and
after are compared. Choices of the opponent with the same results share a line. On a large menu, so
do choices that change the same fields and differ only in the opponent's own numbers.
"""

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import NamedTuple

from holmgang.errors import UsageError
from holmgang.games.contract import NO_CHOICE, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.wire.match import ForecastRow

MOST_THROWS = 100_000
SMALL_MENU = 8
LONGEST_LIST = 40
UNCHANGED = "nothing else changes"

Path = tuple[str, ...]
"""The keys that lead to a value of a state: `("blue", "shield damage")`."""
ShownValues = dict[Path, str]


class Change(NamedTuple):
    path: Path
    before: str
    after: tuple[str, ...]
    """One value, or several if choices of the opponent that differ in it share a line."""

    def __str__(self) -> str:
        return f"{' '.join(self.path)} {self.happens}"

    @property
    def seat(self) -> str | None:
        """The seat that the value belongs to; None if it belongs to neither."""
        return next((key for key in self.path if key in SEATS), None)

    @property
    def text(self) -> str:
        """The change in words, without the seat: `hp 3 → 2`."""
        return " ".join([*(key for key in self.path if key not in SEATS), self.happens])

    @property
    def happens(self) -> str:
        if len(self.after) == 1:
            return f"{self.before} → {self.after[0]}"
        try:
            span = sorted(map(int, self.after))
        except ValueError:
            return "changes"
        return f"{self.before} → {span[0]} to {span[-1]}"


class Result(NamedTuple):
    odds: Fraction
    changes: tuple[Change, ...]
    ending: str


class ForecastCase(NamedTuple):
    """The results against any of these choices."""

    against: list[str]
    results: list[Result]


class Forecast(NamedTuple):
    seat: str
    word: str
    always: list[Change]
    lines: list[ForecastCase]


def forecast(
    ruleset: Ruleset, state: State, seat: str, word: str, most_throws: int = MOST_THROWS
) -> Forecast:
    """The forecast of a choice, given as a word. Raises `ChoiceError` for an illegal choice, and
    `UsageError` if there are too many results.
    """
    number = SEATS.index(seat)
    mine = ruleset.parse_choice(state, number, word)
    theirs = ruleset.choices(state, 1 - number) or [NO_CHOICE]
    pairs = [(mine, other) if number == 0 else (other, mine) for other in theirs]
    throws = sum(ruleset.chance(state, *pair) for pair in pairs)
    if throws > most_throws:
        raise UsageError(f"There are too many possible results to list: {throws}.")
    lines = [
        ForecastCase([ruleset.word_or_none(other) or ""], results(ruleset, state, *pair))
        for other, pair in zip(theirs, pairs, strict=True)
    ]
    vague = SEATS[1 - number] if len(theirs) > SMALL_MENU else None
    lines = merged(lines, vague)
    is_certain = len(lines) == 1 and len(lines[0].results) == 1
    always = [] if is_certain else common(lines)
    return Forecast(seat, word, always, [without(line, set(always)) for line in lines])


# Results


def results(ruleset: Ruleset, state: State, red: int, blue: int) -> list[Result]:
    """The possible results of two choices, most likely first."""
    before = named_values(ruleset, state)
    faces = ruleset.chance(state, red, blue)
    weights: dict[tuple[tuple[Change, ...], str], int] = {}
    for face in range(faces):
        after = ruleset.resolve_unchecked(state, red, blue, face)
        ending = ruleset.tell_ending(after) if ruleset.ending(after).reason else ""
        key = (changes(before, named_values(ruleset, after)), ending)
        weights[key] = weights.get(key, 0) + 1
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    return [Result(Fraction(weight, faces), *key) for key, weight in ranked]


def named_values(ruleset: Ruleset, state: State) -> ShownValues:
    """All values of a state, in words."""
    return dict(flattened(ruleset.format_state(state), ()))


def flattened(value: object, path: Path) -> Iterable[tuple[Path, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flattened(inner, (*path, key.replace("_", " ")))
    elif isinstance(value, list) and value and not isinstance(value[0], dict):
        yield path, ", ".join(map(phrase, value))
    elif isinstance(value, list):
        for place, inner in enumerate(value, start=1):
            yield (*path[:-1], f"{path[-1].removesuffix('s')} {place}"), phrase(inner)
    else:
        yield path, phrase(value)


def phrase(value: object) -> str:
    """A value in words.

    >>> phrase({"kind": "bubble", "hp": 6, "age": 0})
    'bubble (hp 6, age 0)'
    """
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, dict):
        words = [inner for inner in value.values() if isinstance(inner, str)]
        rest = [f"{key} {inner}" for key, inner in value.items() if not isinstance(inner, str)]
        return f"{' '.join(words)} ({', '.join(rest)})"
    return str(value)


def changes(before: ShownValues, after: ShownValues) -> tuple[Change, ...]:
    paths = [*before, *(path for path in after if path not in before)]
    pairs = ((path, before.get(path, "none"), after.get(path, "none")) for path in paths)
    return tuple(Change(path, was, (now,)) for path, was, now in pairs if was != now)


# Lines


def merged(lines: list[ForecastCase], vague: str | None) -> list[ForecastCase]:
    """Merges lines with the same results. Values of the seat `vague` may differ."""
    groups: dict[Hashable, ForecastCase] = {}
    for line in lines:
        key = tuple(blurred(result, vague) for result in line.results)
        there = groups.get(key)
        if there is None:
            groups[key] = line
        else:
            both = zip(there.results, line.results, strict=True)
            joined = [joined_result(one, other) for one, other in both]
            groups[key] = ForecastCase(there.against + line.against, joined)
    return list(groups.values())


def blurred(result: Result, vague: str | None) -> Hashable:
    seen = tuple(
        (change.path,) if vague in change.path else (change.path, change.after)
        for change in result.changes
    )
    return result.odds, seen, result.ending


def joined_result(one: Result, other: Result) -> Result:
    pairs = zip(one.changes, other.changes, strict=True)
    joined = (
        mine._replace(after=tuple(dict.fromkeys(mine.after + theirs.after)))
        for mine, theirs in pairs
    )
    return one._replace(changes=tuple(joined))


def common(lines: list[ForecastCase]) -> list[Change]:
    """The changes that happen in every case."""
    every = [result.changes for line in lines for result in line.results]
    return [change for change in every[0] if all(change in others for others in every)]


def without(line: ForecastCase, always: set[Change]) -> ForecastCase:
    return line._replace(
        results=[
            result._replace(changes=tuple(c for c in result.changes if c not in always))
            for result in line.results
        ]
    )


# In words


def forecast_rows(seen: Forecast) -> list[ForecastRow]:
    rows = []
    if seen.always:
        rows.append(row("always", [], Result(Fraction(1), tuple(seen.always), "")))
    largest = max(seen.lines, key=lambda line: len(line.against))
    is_rest = len(seen.lines) > 1 and len(", ".join(spanned(largest.against))) > LONGEST_LIST
    for line in sorted(seen.lines, key=lambda line: is_rest and line is largest):
        replies = spanned(line.against) if line.against != [""] else []
        against = f"against {', '.join(replies)}" if replies else "then"
        if is_rest and line is largest:
            against, replies = "against all others", []
        for result in line.results:
            rows.append(row(against, replies, result))
            against, replies = "", []
    return rows


def row(against: str, replies: list[str], result: Result) -> ForecastRow:
    happens = ", ".join(map(str, result.changes))
    return ForecastRow(
        against=against,
        odds=odds_text(result.odds),
        result=". ".join(filter(None, (happens, result.ending))) or UNCHANGED,
        replies=replies,
        changes=[(change.seat, change.text) for change in result.changes],
        ending=result.ending,
    )


def odds_text(odds: Fraction) -> str:
    return "" if odds == 1 else f"{odds.numerator} in {odds.denominator}"


def spanned(words: list[str]) -> list[str]:
    """The words, with pairs in their shortest form.

    >>> spanned(["1/0", "1/1", "2/0", "2/1"])
    ['1–2/0–1']
    """
    pairs = [word.split("/") for word in words]
    if len(pairs) > 1 and all(len(pair) == 2 for pair in pairs):
        firsts = list(dict.fromkeys(pair[0] for pair in pairs))
        seconds = list(dict.fromkeys(pair[1] for pair in pairs))
        if len(firsts) * len(seconds) == len(pairs):
            return [f"{span(firsts)}/{span(seconds)}"]
    return words


def span(values: list[str]) -> str:
    is_run = all(value.isdecimal() for value in values) and len(values) > 1
    if is_run and [int(value) for value in values] == list(
        range(int(values[0]), int(values[0]) + len(values))
    ):
        return f"{values[0]}–{values[-1]}"
    return "|".join(values)
