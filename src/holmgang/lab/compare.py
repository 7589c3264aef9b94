"""Two rulesets side by side: what a change of the rules does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import to_builtins

from holmgang.games.shape import JsonObject
from holmgang.lab.dominance import Useless, widest_first
from holmgang.lab.measures import Balance, ChoiceUse, SeatMeasures
from holmgang.lab.verdict import percent

CLEAR = 0.01  # a smaller difference of shares is not worth a sentence
MOST_USELESS = 5  # sentences about choices
LONGER = 0.05  # the same for lengths, as a share of the shorter


@dataclass(frozen=True)
class MeasurePair:
    """A measure of both rulesets, as text for people and as numbers."""

    name: str
    texts: tuple[str, str]
    numbers: tuple[float, float]
    is_share: bool = False
    """Whether the numbers are from 0 to 1."""


@dataclass(frozen=True)
class RulesComparison:
    """What differs between two rulesets."""

    before: Balance
    after: Balance
    rows: tuple[MeasurePair, ...]
    sentences: tuple[str, ...]
    """The largest differences, in words."""

    def as_json(self) -> JsonObject:
        """As `holmgang compare --json` prints it."""
        found: JsonObject = to_builtins(self)
        return found


def compare(before: Balance, after: Balance) -> RulesComparison:
    return RulesComparison(
        before, after, tuple(rows(before, after)), tuple(sentences(before, after)) or (SAME,)
    )


SAME = "The two are alike in everything that is measured here."


def rows(before: Balance, after: Balance) -> Iterator[MeasurePair]:
    both = before, after
    for name, numbers in (
        ("Red wins", [each.endings.red for each in both]),
        ("Blue wins", [each.endings.blue for each in both]),
        ("drawn", [each.endings.draw for each in both]),
        ("endless", [each.endings.endless for each in both]),
        ("decided by dice", [each.luck.dice for each in both]),
        ("comebacks", [each.tension.comeback for each in both]),
    ):
        yield share_pair(name, numbers[0], numbers[1])
    for name, numbers in (
        ("value to Red", [each.value.value for each in both]),
        ("rounds", [mean_length(each) for each in both]),
        ("rounds, 19 of 20 games", [long_game(each) for each in both]),
        *seat_numbers(before, after),
        ("lead changes a game", [each.tension.lead_changes for each in both]),
        ("positions", [float(each.states) for each in both]),
    ):
        is_count = all(number.is_integer() and number > 1 for number in numbers)
        texts = [
            f"{number:,.0f}" if is_count or number >= 100 else f"{number:.2f}" for number in numbers
        ]
        yield MeasurePair(name, (texts[0], texts[1]), (numbers[0], numbers[1]))
    for seat, choice, first, second in shared_choices(before, after):
        yield share_pair(f"{seat} uses {choice}", first.use, second.use)


def share_pair(name: str, before: float, after: float) -> MeasurePair:
    return MeasurePair(name, (percent(before), percent(after)), (before, after), is_share=True)


def seats_that_differ(before: Balance, after: Balance) -> tuple[str, ...]:
    return ("Red",) if before.is_symmetric and after.is_symmetric else ("Red", "Blue")


def seat_numbers(before: Balance, after: Balance) -> Iterator[tuple[str, list[float]]]:
    """The measures of each seat that both rulesets have."""
    for name in seats_that_differ(before, after):
        both = [seat_of(each, name) for each in (before, after)]
        yield f"choices really open to {name}", [each.open_choices for each in both]
        against_random = [each.against_random for each in both]
        scores = [50 + 50 * value for value in against_random if value is not None]
        if len(scores) == len(both):
            yield f"{name}'s score against random", scores


def seat_of(found: Balance, name: str) -> SeatMeasures:
    return found.red if name == "Red" else found.blue


def shared_choices(
    before: Balance, after: Balance
) -> Iterator[tuple[str, str, ChoiceUse, ChoiceUse]]:
    """The choices of a seat that both rulesets have and one of them uses."""
    for name in seats_that_differ(before, after):
        later = {each.choice: each for each in seat_of(after, name).choices}
        for each in seat_of(before, name).choices:
            other = later.get(each.choice)
            if other is not None and max(each.use, other.use) >= CLEAR:
                yield name, each.choice, each, other


def mean_length(found: Balance) -> float:
    return found.length.mean if found.length else 0.0


def long_game(found: Balance) -> float:
    return float(found.length.most) if found.length else 0.0


def sentences(before: Balance, after: Balance) -> Iterator[str]:
    """What changes, in the order of importance to a designer."""
    for who, old, new in (
        ("Red wins", before.endings.red, after.endings.red),
        ("Blue wins", before.endings.blue, after.endings.blue),
    ):
        if abs(new - old) >= CLEAR:
            yield f"{who} {percent(new)} of the games instead of {percent(old)}."
    for what, old, new in (
        ("drawn", before.endings.draw, after.endings.draw),
        ("endless", before.endings.endless, after.endings.endless),
    ):
        if abs(new - old) >= CLEAR:
            yield f"{percent(new)} of the games are {what} instead of {percent(old)}."
    lengths = mean_length(before), mean_length(after)
    if abs(lengths[1] - lengths[0]) > LONGER * max(min(lengths), 1.0):
        longer = "longer" if lengths[1] > lengths[0] else "shorter"
        yield f"Games are {longer}: {lengths[1]:.1f} rounds instead of {lengths[0]:.1f}."
    if abs(after.luck.dice - before.luck.dice) >= CLEAR:
        yield f"The dice decide {percent(after.luck.dice)} instead of {percent(before.luck.dice)}."
    moved = max(
        shared_choices(before, after),
        key=lambda found: abs(found[3].use - found[2].use),
        default=None,
    )
    if moved is not None and abs(moved[3].use - moved[2].use) >= CLEAR:
        seat, choice, first, second = moved
        more = "more" if second.use > first.use else "less"
        who = "" if seats_that_differ(before, after) == ("Red",) else f" by {seat}"
        yield (
            f"{choice.capitalize()} is used {more}{who}: in {percent(second.use)} of the rounds"
            f" instead of {percent(first.use)}."
        )
    for name in seats_that_differ(before, after):
        who = "" if seats_that_differ(before, after) == ("Red",) else f" to {name}"
        earlier, later = (seat_of(found, name).useless for found in (before, after))
        symmetric = before.is_symmetric and after.is_symmetric
        for title, found in (
            (f"Newly useless{who}", only_in(later, earlier)),
            (f"No longer useless{who}", only_in(earlier, later)),
        ):
            told = {(each.choice, each.condition_text(symmetric=symmetric)) for each in found}
            yield from listed_useless(title, told)


def only_in(found: Sequence[Useless], other: Sequence[Useless]) -> list[Useless]:
    """The choices that are useless in one ruleset and not in the other, where neighbouring
    conditions are told as one.

    >>> from holmgang.lab.dominance import Proof
    >>> guard = Useless("red", "guard", "", 5, Proof.COSTLY, 0.1)
    >>> found = [guard.when("red.priority", each, each) for each in (4, 5, 6)]
    >>> [each.condition for each in only_in(found, found[2:])]
    ['red.priority is 4 to 5']
    """
    known = {(each.choice, each.field, each.least, each.most) for each in other}
    return widest_first(
        [each for each in found if (each.choice, each.field, each.least, each.most) not in known]
    )


def listed_useless(title: str, found: set[tuple[str, str]]) -> Iterator[str]:
    """A sentence for each choice, and how many there are if they are too many to read."""
    for choice, condition in sorted(found)[:MOST_USELESS]:
        yield f"{title}: {choice}{f' when {condition}' if condition else ''}."
    if len(found) > MOST_USELESS:
        yield f"{title}: {len(found) - MOST_USELESS} more."
