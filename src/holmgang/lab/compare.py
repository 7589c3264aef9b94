"""Two rulesets side by side: what a change of the rules does."""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import to_builtins

from holmgang.games.shape import JsonObject
from holmgang.lab.measures import Balance, ChoiceUse
from holmgang.lab.verdict import percent

CLEAR = 0.01  # a smaller difference of shares is not worth a sentence
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
        ("choices really open to Red", [each.red.open_choices for each in both]),
        ("lead changes a game", [each.tension.lead_changes for each in both]),
        ("positions", [float(each.states) for each in both]),
    ):
        texts = [f"{number:,.0f}" if number >= 100 else f"{number:.2f}" for number in numbers]
        yield MeasurePair(name, (texts[0], texts[1]), (numbers[0], numbers[1]))
    for choice, first, second in shared_choices(before, after):
        yield share_pair(f"Red uses {choice}", first.use, second.use)


def share_pair(name: str, before: float, after: float) -> MeasurePair:
    return MeasurePair(name, (percent(before), percent(after)), (before, after), is_share=True)


def shared_choices(before: Balance, after: Balance) -> Iterator[tuple[str, ChoiceUse, ChoiceUse]]:
    """The choices of red that both rulesets have and one of them uses."""
    later = {each.choice: each for each in after.red.choices}
    for each in before.red.choices:
        other = later.get(each.choice)
        if other is not None and max(each.use, other.use) >= CLEAR:
            yield each.choice, each, other


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
        key=lambda found: abs(found[2].use - found[1].use),
        default=None,
    )
    if moved is not None and abs(moved[2].use - moved[1].use) >= CLEAR:
        choice, first, second = moved
        more = "more" if second.use > first.use else "less"
        yield (
            f"{choice.capitalize()} is used {more}: in {percent(second.use)} of the rounds instead"
            f" of {percent(first.use)}."
        )
    useless, later = (
        {
            (each.choice, each.condition_text(symmetric=found.is_symmetric))
            for each in found.red.useless
        }
        for found in (before, after)
    )
    for choice, condition in sorted(later - useless):
        yield f"Newly useless: {choice}{f' when {condition}' if condition else ''}."
    for choice, condition in sorted(useless - later):
        yield f"No longer useless: {choice}{f' when {condition}' if condition else ''}."
