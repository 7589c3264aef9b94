"""Random draws of simulated playouts: pure functions of (key, round, lane).

SplitMix64's finaliser is applied to a counter, so draws share no state: playouts can run in any
order, on any number of threads, compiled or not, and give the same games. These functions are
compiled as they are; `word`, `number` and `count_bits` become single machine instructions.

Anyone who sees a draw can compute the next ones. Games with players use `keys.py` instead.
"""

MASK = 0xFFFF_FFFF_FFFF_FFFF
GAMMA = 0x9E37_79B9_7F4A_7C15
LANES = 4
RED_LANE, BLUE_LANE, CHANCE_LANE = 0, 1, 2


def word(x: int) -> int:
    """The number as an unsigned 64-bit integer."""
    return x & MASK


def number(x: int) -> int:
    """An unsigned 64-bit integer below 2**63 as an ordinary number."""
    return x


def count_bits(x: int) -> int:
    return x.bit_count()


def mix(x: int) -> int:
    """A bijection of 64-bit numbers that leaves no visible pattern (Stafford's variant 13)."""
    x = word((x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9)
    x = word((x ^ (x >> 27)) * 0x94D0_49BB_1331_11EB)
    return x ^ (x >> 31)


def game_key(seed: int, index: int) -> int:
    """The key of game number `index` of a simulation."""
    return mix(word(mix(word(word(seed) + GAMMA)) + word(index) * GAMMA))


def draw(key: int, round_number: int, lane: int) -> int:
    """64 random bits for this lane of this round."""
    return mix(word(word(key) + word(round_number * LANES + lane + 1) * GAMMA))


def below(bits: int, n: int) -> int:
    """A number from 0 to n - 1, all exactly equally likely, for n from 1 to 2**32 - 1.

    It multiplies and shifts; the few values of `bits` that would cause a bias are mixed again.
    """
    n = word(n)
    while True:
        product = (bits >> 32) * n
        low = product & 0xFFFF_FFFF
        if low >= n or low >= word(0x1_0000_0000) % n:
            return number(product >> 32)
        bits = mix(bits)


def below_often_power(bits: int, n: int) -> int:
    """The same number as `below`, for a large n that is often a power of two. Then no value of
    `bits` causes a bias, which saves a division. For small n, `below` is faster.
    """
    if n & (n - 1) == 0:
        return number((bits >> 32) * word(n) >> 32)
    return below(bits, n)


def pick(bits: int, choices: int) -> int:
    """One of the choices in a set, all equally likely."""
    place = below(bits, count_bits(choices))
    if choices & (choices + 1) == 0:  # all choices from 0 up
        return place
    return nth_bit(choices, place)


def nth_bit(x: int, n: int) -> int:
    """The index of the n-th set bit, both counted from 0, by binary search.

    >>> nth_bit(0b101100, 2)
    5
    """
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        half = count_bits(x & ((1 << width) - 1))
        if n >= half:
            n -= half
            x >>= width
            place += width
    return place
