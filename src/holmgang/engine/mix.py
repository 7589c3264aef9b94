"""A mix: how likely each choice is to be made, by its word or by its number."""

from collections.abc import Mapping
from typing import TypeVar

Mix = dict[str, float]

Choice = TypeVar("Choice")


def sample(mix: Mapping[Choice, float], bits: int) -> Choice:
    """The choice that 64 random bits pick from a mix, each as often as its weight says.

    >>> sample({"attack": 3, "guard": 1}, 0), sample({"attack": 3, "guard": 1}, 2**64 - 1)
    ('attack', 'guard')
    """
    *others, last = [each for each in mix.items() if each[1] > 0]
    left = (bits >> 11) / (1 << 53) * sum(mix.values())
    for choice, weight in others:
        if left < weight:
            return choice
        left -= weight
    return last[0]
