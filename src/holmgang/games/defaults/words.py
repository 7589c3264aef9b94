"""Default words and keys of choices, from the names of `Choice`; numbers if there are none."""

from collections.abc import Callable, Sequence
from enum import IntEnum

from holmgang.errors import ChoiceError
from holmgang.games.shape import brief

MOST_CHOICES = 63
"""The number of choices that fit into a set."""


class Words:
    """`DOUBLE_WALK` has the word `double_walk`, and the shortest key that no other choice has. A
    game without `Choice` has the words `0`, `1`, `2`, ….
    """

    def __init__(
        self,
        choice: type[IntEnum] | None,
        keys: Sequence[str] | None,
        count: Callable[[object], int] | None,
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

    def format_choice(self, rules: object, choice: int) -> str:
        return self.words[choice]

    def parse_choice(self, rules: object, word: str) -> int:
        if word in self.choices:
            return self.choices[word]
        words = [each for number, each in self.words.items() if number < self.count(rules)]
        listed = "a number from 0 up" if words[0] == "0" else ", ".join(words)
        raise ChoiceError(f"{brief(word)} is not a choice; choose {listed}")

    def format_short(self, rules: object, choice: int) -> str:
        return self.shorts[choice]

    def expand_short(self, rules: object, text: str) -> str | None:
        return self.expanded.get(text)

    def choice_count(self, rules: object) -> int:
        return max(self.words, default=-1) + 1


def short_forms(words: list[str]) -> list[str]:
    """A unique key for each word: the number that it ends in, after its first letter if several
    words end in the same number. For other words, the first of their letters that is not used yet,
    or the shortest beginning that is not.

    >>> short_forms(["shield", "shoot", "reload", "bid_1", "bid_12", "sos"])
    ['s', 'h', 'r', '1', '12', 'o']
    >>> short_forms(["left_1", "left_2", "right_1", "right_2", "pass"])
    ['l1', 'l2', 'r1', 'r2', 'p']
    """
    numbers = [word[len(word.rstrip("0123456789")) :] for word in words]
    is_clear = all(not number or numbers.count(number) == 1 for number in numbers)
    taken = set(words)
    found = []
    for word, number in zip(words, numbers, strict=True):
        numbered = [number, *(word[:length] + number for length in range(1, len(word)))]
        letters = [] if number else [sign for sign in word if sign.isalnum()]
        beginnings = (word[:length] for length in range(2, len(word)))
        tried = (*(numbered[not is_clear :] if number else letters), *beginnings)
        short = next((key for key in tried if key == word or key not in taken), word)
        taken.add(short)
        found.append(short)
    return found
