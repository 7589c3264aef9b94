"""The default story: both choices, then every field that changed."""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from holmgang.game import BLUE, NO_CHOICE, NOBODY, RED
from holmgang.games.contract import SEAT_NAMES, AnyNotation, AnyRules, Clause, Ending, State
from holmgang.games.defaults.exploring import faces, menu, pairs, results
from holmgang.games.defaults.shown import Fields, Shown, shown, word

MOST_RESULTS = 3_000
"""If the rounds of a state have more possible results than this, previews list no effects."""
MOST_NOTES = 3
MOST_VALUES = 2
"""The most values of a field that are listed one by one."""
SHORTEST_RUN = 3
"""The least number of consecutive numbers that are written as a range."""


class Effect(NamedTuple):
    """What a round does to a field. Effects are sorted in the order in which they are told."""

    rank: int
    """0 for the end of the duel, 1 for the seat's own fields, 2 for shared fields, 3 for those of
    the opponent."""
    place: int
    """The index of the field."""
    said: str
    """What changes: `Blue's lives 2`."""
    values: tuple[object, ...] = ()
    """The new value, or several numbers if the dice decide."""

    @property
    def text(self) -> str:
        return f"{self.said} → {span(self.values)}" if self.values else self.said


Effects = dict[int, dict[int, frozenset[Effect]]]
"""The effects of each choice against each answer."""


class Story:
    """The functions of `StoryModule` for a game with this notation."""

    def __init__(self, rules_module: AnyRules, notation: AnyNotation) -> None:
        self.rules_module = rules_module
        self.notation = notation
        self.effects = lru_cache(maxsize=16)(self._effects)

    def shown(self, rules: object, state: State) -> Shown:
        return shown(self.notation.format_state(rules, state))

    def tell(
        self, rules: object, before: State, red: int, blue: int, face: int, after: State
    ) -> list[Clause]:
        made = [(seat, choice) for seat, choice in enumerate((red, blue)) if choice != NO_CHOICE]
        told = [
            Clause(seat, f"chooses {self.phrase(rules, choice)}", continues=place > 0)
            for place, (seat, choice) in enumerate(made)
        ]
        were, are = self.shown(rules, before), self.shown(rules, after)
        for seat in (RED, BLUE):
            told += changes(seat, were.sides[seat], are.sides[seat])
        return [*told, *changes(NOBODY, were.shared, are.shared)]

    def phrase(self, rules: object, choice: int) -> str:
        said: str = self.notation.format_choice(rules, choice)
        return said.replace("_", " ")

    def preview(self, rules: object, state: State, seat: int, choice: int) -> list[str]:
        """The effects against every answer, and those against only some. Effects that a choice has
        in common with all others are left out: those on the opponent's fields and on shared fields.
        """
        every = self.effects(rules, state, seat)
        if not every:
            return [f"you choose {self.phrase(rules, choice)}"]
        found = every[choice]
        for answer in found if len(every) > 1 else ():
            common = frozenset.intersection(*(against[answer] for against in every.values()))
            own = frozenset(each for each in common if each.rank <= 1)
            found = {**found, answer: found[answer] - common | own}
        told: dict[tuple[int, ...], list[str]] = {}
        # the end of the duel first, then what happens against every answer
        effects = sorted(
            gathered(found), key=lambda each: each[0].rank and len(each[1]) < len(found)
        )
        for effect, answers in effects:
            told.setdefault(answers, []).append(effect.text)
        notes = []
        for answers, texts in told.items():
            notes.append(", ".join(texts))
            if len(answers) < len(found):
                words = [self.phrase(rules, answer) for answer in answers]
                notes[-1] += f" against {listed(runs(words), 'or')}"
        return notes[:MOST_NOTES] or ["changes nothing by itself"]

    def _effects(self, rules: object, state: State, seat: int) -> Effects:
        """The effects of all choices of a seat; empty if there are too many."""
        mine, theirs = (menu(self.rules_module, rules, state, each) for each in (seat, 1 - seat))
        every = pairs(self.rules_module, rules, state)
        if sum(faces(self.rules_module, rules, state, *made) for made in every) > MOST_RESULTS:
            return {}
        return {
            choice: {
                answer: frozenset(self.effects_of(rules, state, seat, choice, answer))
                for answer in theirs
            }
            for choice in mine
        }

    def effects_of(
        self, rules: object, state: State, seat: int, choice: int, answer: int
    ) -> Iterator[Effect]:
        """The effects of a round, seen from a seat."""
        module, were = self.rules_module, self.shown(rules, state)
        pair = (choice, answer) if seat == RED else (answer, choice)
        after = list(results(module, rules, state, *pair))
        ended = [module.outcome(rules, each) for each in after]
        winners = {each.winner for each in ended} if all(each.reason for each in ended) else set()
        if len(winners) == 1:
            verdicts = {seat: "you win", 1 - seat: "you lose", NOBODY: "a draw"}
            yield Effect(0, 0, verdicts[winners.pop()])
        are = [self.shown(rules, each) for each in after]
        parts = (
            ("", were.sides[seat], [each.sides[seat] for each in are]),
            ("", were.shared, [each.shared for each in are]),
            (owner_of(1 - seat), were.sides[1 - seat], [each.sides[1 - seat] for each in are]),
        )
        for rank, (owner, before, later) in enumerate(parts, start=1):
            for place, (label, old) in enumerate(before.items()):
                new = tuple({word(each.get(label)): each.get(label) for each in later}.values())
                if len(new) > 1 and not all(type(each) is int for each in new):
                    continue  # the dice decide
                if span(new) != word(old):
                    said = f"{owner}{label} {word(old)}".replace("  ", " ").strip()
                    yield Effect(rank, place, said, new)

    def ending(self, rules: object, state: State, outcome: Ending) -> str:
        reasons: type[IntEnum] = self.rules_module.Reason
        reason = (
            reasons(outcome.reason).name.lower().replace("_", " ") if outcome.reason else "limit"
        )
        if outcome.winner == NOBODY:
            return f"Draw: {reason}."
        return f"{SEAT_NAMES[outcome.winner]} wins: {reason}."


def changes(seat: int, were: Fields, are: Fields) -> Iterator[Clause]:
    """The changed fields of a side, or the changed shared fields, as one clause.

    >>> [each.text for each in changes(RED, {"lives": 2, "ammo": 0}, {"lives": 1, "ammo": 1})]
    ["Red's lives 2 → 1, ammo 0 → 1"]
    """
    labels = dict.fromkeys((*were, *are))
    moved = {label: (were.get(label), are.get(label)) for label in labels}
    told = [
        (label, f"{word(old)} → {word(new)}") for label, (old, new) in moved.items() if old != new
    ]
    if not told:
        return
    thing, change = told[0]
    rest = ", ".join([change, *(" ".join(filter(None, each)) for each in told[1:])])
    if seat == NOBODY:
        yield Clause(NOBODY, f"{thing[:1].upper()}{thing[1:]} {rest}".strip())
    else:
        amounts = [new for old, new in moved.values() if old != new]
        amount = amounts[0] if len(amounts) == 1 and type(amounts[0]) is int else None
        yield Clause(seat, rest, amount, thing=thing)  # State(red: int, blue: int) names none


def owner_of(seat: int) -> str:
    return f"{SEAT_NAMES[seat]}'s "


def span(values: tuple[object, ...]) -> str:
    """One value in words, or the least and the greatest of several numbers."""
    if len(values) == 1:
        return word(values[0])
    numbers = [each for each in values if isinstance(each, int)]
    return f"{min(numbers)} to {max(numbers)}"


def gathered(found: dict[int, frozenset[Effect]]) -> Iterator[tuple[Effect, tuple[int, ...]]]:
    """Each effect with the answers against which it happens. Numbers that differ from answer to
    answer are one effect with a span.
    """
    against: dict[Effect, list[int]] = {}
    for answer, effects in found.items():
        for effect in effects:
            against.setdefault(effect, []).append(answer)
    order = sorted(against, key=lambda each: (each[:3], against[each]))
    for _, same in groupby(order, lambda each: each[:3]):
        group = list(same)
        values = tuple(value for each in group for value in each.values)
        if len(group) > MOST_VALUES and all(type(value) is int for value in values):
            answers = sorted(answer for each in group for answer in against[each])
            group = [group[0]._replace(values=values)]
            against[group[0]] = answers
        for effect in group:
            yield effect, tuple(against[effect])


def runs(words: list[str]) -> list[str]:
    """The words, with consecutive numbers as a range.

    >>> runs(["pass", "1", "2", "3", "5"])
    ['pass', '1 to 3', '5']
    """
    found: list[str] = []
    for _, run in groupby(
        enumerate(words), lambda each: int(each[1]) - each[0] if each[1].isdigit() else each[1]
    ):
        row = [word for _, word in run]
        found += [f"{row[0]} to {row[-1]}"] if len(row) >= SHORTEST_RUN else row
    return found


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as a list in a sentence.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final
