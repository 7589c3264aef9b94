"""Random draws in real games: dice, choices of levels, choices drawn from a mix.

No player may predict a draw, even one that knows this code and has seen other draws of the run.
There is one secret, the seed of the run, and everything is derived from it by a one-way function:

    seed of the run -> seed of a game -> key for a purpose -> 64 bits for a round

The purposes in a game are "dice", "red" and "blue". A number in this tree reveals nothing about its
parent or its siblings, except by trying all 2**64 seeds, and a seed reproduces everything below it.
With the seed of a finished game, anyone can check its dice:

>>> draw_below(derive(9, "dice"), 1, 6) == below(derive(derive(9, "dice"), "round 1"), 6)
True

`stream.py` must not be used here: its draws can be inverted, so one of them reveals all others. It
is for compiled playouts, where a draw has to take about a nanosecond and no player could gain by
predicting it.
"""

import secrets
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count

from holmgang.engine.stream import MASK, below
from holmgang.errors import DuelError
from holmgang.games.shape import brief

BYTES = 8
"""The size of a seed, a key and a draw."""
PERSON = b"holmgang"


def new_seed() -> int:
    return secrets.randbits(8 * BYTES)


def parse_seed(seed: int | None) -> int:
    """The seed, or a new random one for None. Raises `DuelError` if it is not a seed."""
    if seed is None:
        return new_seed()
    if type(seed) is int and 0 <= seed <= MASK:
        return seed
    raise DuelError(f"a seed must be a whole number from 0 to {MASK}; not {brief(seed)}")


def derive(secret: int, purpose: str) -> int:
    """64 bits for one purpose: BLAKE2b of its name, with the secret (a seed or a key) as the key.

    >>> f"{derive(0, 'dice'):016x}"
    '7dee795d482e76c8'
    """
    key = secret.to_bytes(BYTES, "big")
    hashed = blake2b(purpose.encode(), digest_size=BYTES, key=key, person=PERSON)
    return int.from_bytes(hashed.digest(), "big")


def game_seed(seed: int, game: int | str) -> int:
    """The seed of one game of a run, by its number or name."""
    return derive(seed, f"game {game}")


def draw(key: int, round_number: int) -> int:
    """64 random bits for a round; rounds are counted from 1."""
    return derive(key, f"round {round_number}")


def draw_below(key: int, round_number: int, n: int) -> int:
    """A number from 0 to n - 1 for a round, each as likely as any other: the face of a die."""
    return below(draw(key, round_number), n)


def steps(key: int) -> Iterator[int]:
    """Endless random numbers from 1 to 256."""
    secret = key.to_bytes(BYTES, "big")
    for block in count():
        for byte in blake2b(b"block %d" % block, key=secret, person=PERSON).digest():
            yield byte + 1
