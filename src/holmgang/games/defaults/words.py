"""Default words and keys of choices, from the names of `Choice`; numbers where there is none."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

from holmgang.errors import ChoiceError
from holmgang.games.shape import brief

MOST_CHOICES = 63
"""As many as fit into a set."""


class Words:
    """`DOUBLE_WALK` has the word `double_walk`, and the shortest key that no other choice has. A
    game without `Choice` has the words `0`, `1`, `2`, ….
    """

    def __init__(
        self,
        choice: type[IntEnum] | None,
        keys: Sequence[str] | None,
        count: Callable[[Any], int] | None,
    ) -> None:
        """`keys` are the game's own, by choice; `count` is its own `choice_count`."""
        numbers = range(MOST_CHOICES)
        self.words = (
            {number: str(number) for number in numbers}
            if choice is None
            else {int(member): member.name.lower() for member in choice}
        )
        self.choices = {word: number for number, word in self.words.items()}
        shorts = keys or short_forms(list(self.words.values()))
        self.shorts = dict(zip(self.words, shorts, strict=True))
        self.count = count or self.choice_count
        self.expanded = {short: self.words[number] for number, short in self.shorts.items()}

    def format_choice(self, rules: Any, choice: int) -> str:
        return self.words[choice]

    def parse_choice(self, rules: Any, word: str) -> int:
        if word in self.choices:
            return self.choices[word]
        words = [each for number, each in self.words.items() if number < self.count(rules)]
        listed = "a number from 0 up" if words[0] == "0" else ", ".join(words)
        raise ChoiceError(f"{brief(word)} is not a choice; choose {listed}")

    def format_short(self, rules: Any, choice: int) -> str:
        return self.shorts[choice]

    def expand_short(self, rules: Any, text: str) -> str | None:
        return self.expanded.get(text)

    def choice_count(self, rules: Any) -> int:
        return max(self.words, default=-1) + 1


def short_forms(words: list[str]) -> list[str]:
    """A unique key for each word: its number, if it ends in one; otherwise its first letter that is
    free, or the shortest beginning that is.

    >>> short_forms(["shield", "shoot", "reload", "bid_1", "bid_12", "sos"])
    ['s', 'h', 'r', '1', '12', 'o']
    """
    taken = set(words)
    found = []
    for word in words:
        number = word[len(word.rstrip("0123456789")) :]
        letters = [] if number else [sign for sign in word if sign.isalnum()]
        beginnings = (word[:length] for length in range(2, len(word)))
        free = (key for key in (number, *letters, *beginnings) if key and key not in taken)
        short = next(free, word)
        taken.add(short)
        found.append(short)
    return found
