"""@NAME@, a fencer for CodinGame's Fencing Esport and for Holmgang."""

import random
import sys
from typing import NamedTuple

WORDS = ["@WORDS@"]  # README.md has more of them


class Fencer(NamedTuple):
    position: int
    energy: int
    score: int
    drug_count: int
    energy_max: int
    break_skill: int
    walk_skill: int
    double_walk_skill: int
    retreat_skill: int
    double_retreat_skill: int
    lunge_skill: int
    parry_skill: int


def think(me: Fencer, other: Fencer) -> str:
    """The word of this turn. Think here: you are always at the left."""
    return random.choice(WORDS)


def read_fencer(line: str) -> Fencer:
    return Fencer(*map(int, line.split()))


for line in sys.stdin:
    me, other = read_fencer(line), read_fencer(sys.stdin.readline())
    print(think(me, other), flush=True)
