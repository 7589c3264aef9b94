"""A mix: how likely each choice is to be made, by its word."""

from collections.abc import Mapping
from typing import TypeVar

Mix = dict[str, float]
K = TypeVar("K")


def sample(mix: Mapping[K, float], bits: int) -> K:
    """The choice that 64 random bits pick from a mix, each as often as its weight says.

    >>> sample({"attack": 3, "guard": 1}, 0), sample({"attack": 3, "guard": 1}, 2**64 - 1)
    ('attack', 'guard')
    """
    *others, last = [each for each in mix.items() if each[1] > 0]
    left = (bits >> 11) / (1 << 53) * sum(mix.values())
    for word, weight in others:
        if left < weight:
            return word
        left -= weight
    return last[0]
