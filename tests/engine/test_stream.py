from collections import Counter

import pytest

from holmgang.engine import stream
from holmgang.engine.stream import below, draw, game_key, mix, nth_bit, pick


def splitmix64(seed: int, count: int) -> list[int]:
    """The published generator, which carries a state from draw to draw."""
    numbers = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) % 2**64
        z = seed
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        numbers.append(z ^ (z >> 31))
    return numbers


def test_known_values_of_splitmix64():
    assert [draw(0, 0, lane) for lane in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    drawn = [draw(1234567, number // 4, number % 4) for number in range(5)]
    assert drawn == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_draws_are_splitmix64_at_any_place(seed):
    published = splitmix64(seed, 400)
    for number in reversed(range(400)):
        assert draw(seed, number // 4, number % 4) == published[number]


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_a_game_has_a_key_of_its_own(seed):
    published = splitmix64(splitmix64(seed, 1)[0], 100)
    assert [game_key(seed, number) for number in range(1, 101)] == published


def test_mix_is_a_bijection_as_far_as_one_can_try():
    assert len({mix(x) for x in range(100_000)}) == 100_000
    assert all(0 <= mix(x) < 2**64 for x in (0, 1, 2**63, 2**64 - 1))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 25, 49, 100, 1000, 65537, 2**31 + 1, 2**32 - 1])
def test_below_is_exactly_uniform(n, monkeypatch):
    """Of the 2**32 values of the upper bits each result gets as many; the rest are thrown again.

    As results rise with the bits, it is enough to look at both ends of each one's share.
    """

    class ThrownAgainError(Exception):
        pass

    def throw_again(bits):
        raise ThrownAgainError

    monkeypatch.setattr(stream, "mix", throw_again)

    def result(top):
        try:
            return below(top << 32, n)
        except ThrownAgainError:
            return None

    share = 2**32 // n
    for wanted in {*range(min(n, 300)), *range(max(0, n - 300), n)}:
        first = -(-wanted * 2**32 // n)
        last = -(-(wanted + 1) * 2**32 // n) - 1
        assert result(last) == wanted
        if result(first) is None:
            first += 1
        assert result(first) == wanted
        assert last - first + 1 == share


def test_below_uses_the_upper_bits_only():
    assert below(5 << 61 | 1, 10) == below(5 << 61 | 0xFFFF_FFFF, 10)


@pytest.mark.parametrize("n", [2, 3, 6, 25])
def test_draws_below_are_even(n):
    drawn = Counter(below(draw(99, number, 2), n) for number in range(20_000))
    expected = 20_000 / n
    chi_square = sum((drawn[value] - expected) ** 2 / expected for value in range(n))
    assert drawn.keys() == set(range(n))
    assert chi_square < n + 6 * n**0.5  # the draws are fixed: a quality of the stream, not of luck


@pytest.mark.parametrize(
    "mask", [0b1, 0b1000, 0b1111, 0b101100, 1 << 62, (1 << 62) - 1, 0b11 << 49]
)
def test_pick_gives_each_of_a_set_alike(mask):
    members = [place for place in range(64) if mask >> place & 1]
    assert [nth_bit(mask, place) for place in range(len(members))] == members
    drawn = Counter(pick(draw(5, number, 0), mask) for number in range(200 * len(members)))
    assert sorted(drawn) == members
    assert all(120 < times < 300 for times in drawn.values())


def test_lanes_do_not_share_draws():
    lanes = {stream.RED_LANE, stream.BLUE_LANE, stream.CHANCE_LANE}
    drawn = {draw(3, number, lane) for number in range(1000) for lane in lanes}
    assert len(drawn) == 3000
