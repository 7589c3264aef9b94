"""Chance from a seed: every draw is a function of (key, round, lane) and of nothing else.

SplitMix64's finaliser is applied to a counter, so no state is carried from draw to draw: games can be
played in any order, on any number of threads, compiled or not, and give the same duel. All functions
here are written so that they also compile; arithmetic is that of unsigned 64-bit numbers.
"""

MASK = 0xFFFF_FFFF_FFFF_FFFF
GAMMA = 0x9E37_79B9_7F4A_7C15
LANES = 4
RED_LANE, BLUE_LANE, CHANCE_LANE = 0, 1, 2


def mix(x: int) -> int:
    """A bijection of 64-bit numbers that leaves no visible pattern (Stafford's variant 13)."""
    x = ((x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return x ^ (x >> 31)


def game_key(seed: int, index: int) -> int:
    """The key of game number `index` of whatever the seed names: a match, a simulation."""
    return mix((mix((seed + GAMMA) & MASK) + index * GAMMA) & MASK)


def draw(key: int, round_number: int, lane: int) -> int:
    """64 random bits for this lane of this round."""
    return mix((key + (round_number * LANES + lane + 1) * GAMMA) & MASK)


def below(bits: int, n: int) -> int:
    """A number from 0 to n - 1, each exactly as likely as any other, for n up to 2**32.

    Multiply and shift; the few values of `bits` that would make some numbers likelier are mixed again.
    """
    while True:
        product = (bits >> 32) * n
        low = product & 0xFFFF_FFFF
        if low >= n or low >= 0x1_0000_0000 % n:
            return product >> 32
        bits = mix(bits)


def pick(bits: int, choices: int) -> int:
    """One of the choices in a set, each as likely as any other."""
    place = below(bits, choices.bit_count())
    for _ in range(place):
        choices &= choices - 1
    return (choices & -choices).bit_length() - 1
