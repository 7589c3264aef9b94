"""The default story: both choices, then every field that changed."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

from holmgang.game import BLUE, NO_CHOICE, NOBODY, RED
from holmgang.games.contract import SEAT_NAMES, Clause, Ending, State
from holmgang.games.defaults.exploring import menu, results
from holmgang.games.defaults.shown import Fields, Shown, shown, word

FEW_ANSWERS = 8
"""The most answers for which a preview looks at each."""
MOST_NOTES = 3


class Story:
    """The functions of `StoryModule` for a game with this notation."""

    def __init__(self, rules_module: Any, notation: Any) -> None:
        self.rules_module = rules_module
        self.notation = notation

    def shown(self, rules: Any, state: State) -> Shown:
        return shown(self.notation.format_state(rules, state))

    def tell(
        self, rules: Any, before: State, red: int, blue: int, face: int, after: State
    ) -> list[Clause]:
        made = [(seat, choice) for seat, choice in enumerate((red, blue)) if choice != NO_CHOICE]
        told = [
            Clause(seat, f"chooses {self.phrase(rules, choice)}", continues=place > 0)
            for place, (seat, choice) in enumerate(made)
        ]
        were, are = self.shown(rules, before), self.shown(rules, after)
        for seat in (RED, BLUE):
            told += self.changes(seat, were.sides[seat], are.sides[seat])
        for label, (old, new) in changed(were.shared, are.shared).items():
            told.append(
                Clause(NOBODY, f"{label.capitalize()} goes from {word(old)} to {word(new)}")
            )
        return told

    def phrase(self, rules: Any, choice: int) -> str:
        said: str = self.notation.format_choice(rules, choice)
        return said.replace("_", " ")

    def changes(self, seat: int, were: Fields, are: Fields) -> Iterator[Clause]:
        found = changed(were, are)
        moved = [
            way(label, old, new) for label, (old, new) in found.items() if not isinstance(new, bool)
        ]
        if moved:
            amounts = [new for _, new in found.values() if type(new) is int]
            amount = amounts[0] if len(moved) == len(amounts) == 1 else None
            yield Clause(seat, f"goes {listed(moved)}", amount)
        for label, (_, new) in found.items():
            if isinstance(new, bool):
                yield Clause(seat, f"is {'now' if new else 'no longer'} {label}")

    def preview(self, rules: Any, state: State, seat: int, choice: int) -> list[str]:
        """What changes against every answer, and what only against some."""
        answers = menu(self.rules_module, rules, state, 1 - seat)
        if len(answers) > FEW_ANSWERS:
            return [f"you choose {self.phrase(rules, choice)}"]
        mine = menu(self.rules_module, rules, state, seat)
        owner = owner_of(1 - seat)
        effects: dict[int, set[str]] = {}
        for answer in answers:
            against = {each: self.effects(rules, state, seat, each, answer) for each in mine}
            theirs = [
                {each for each in found if each.startswith(owner)} for found in against.values()
            ]
            regardless = set.intersection(*theirs) if len(mine) > 1 else set()
            effects[answer] = against[choice] - regardless
        always = set.intersection(*effects.values())
        notes = sorted(always)
        for effect in sorted(set.union(*effects.values()) - always):
            words = [self.phrase(rules, each) for each in answers if effect in effects[each]]
            notes.append(f"{effect} against {listed(words, 'or')}")
        return notes[:MOST_NOTES] or ["changes nothing by itself"]

    def effects(self, rules: Any, state: State, seat: int, choice: int, answer: int) -> set[str]:
        """The certain effects of a round, seen from a seat."""
        module, were = self.rules_module, self.shown(rules, state)
        pair = (choice, answer) if seat == RED else (answer, choice)
        after = list(results(module, rules, state, *pair))
        ended = [module.outcome(rules, each) for each in after]
        winners = {each.winner for each in ended} if all(each.reason for each in ended) else set()
        verdicts = {seat: "you win", 1 - seat: "you lose", NOBODY: "a draw"}
        found = {verdicts[winner] for winner in winners} if len(winners) == 1 else set()
        fields = [self.shown(rules, each) for each in after]
        for side, whose in ((seat, ""), (1 - seat, owner_of(1 - seat))):
            for label, old in were.sides[side].items():
                new = {word(each.sides[side].get(label)) for each in fields}
                if len(new) == 1 and word(old) not in new:
                    found.add(f"{whose}{label} {word(old)} → {next(iter(new))}")
        return found

    def ending(self, rules: Any, state: State, outcome: Ending) -> str:
        reasons: type[IntEnum] = self.rules_module.Reason
        reason = (
            reasons(outcome.reason).name.lower().replace("_", " ") if outcome.reason else "limit"
        )
        if outcome.winner == NOBODY:
            return f"Draw: {reason}."
        return f"{SEAT_NAMES[outcome.winner]} wins: {reason}."


def way(label: str, old: object, new: object) -> str:
    """A change in words. The label, which may be a plural, does not follow a 1.

    >>> way("lives", 2, 1), way("lives", 1, 0)
    ('from 2 lives to 1', 'from 1 to 0 lives')
    """
    if new == 1:
        return " ".join(filter(None, ("from", word(old), label, "to", word(new))))
    return f"from {word(old)} to {word(new)} {label}".rstrip()


def owner_of(seat: int) -> str:
    return f"{SEAT_NAMES[seat]}'s "


def changed(were: Fields, are: Fields) -> dict[str, tuple[object, object]]:
    labels = dict.fromkeys((*were, *are))
    both = {label: (were.get(label), are.get(label)) for label in labels}
    return {label: (old, new) for label, (old, new) in both.items() if old != new}


def listed(words: list[str], last: str = "and") -> str:
    """Words as a list in a sentence.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
