"""Picking from a mix."""

from hypothesis import given
from hypothesis import strategies as st

from holmgang.engine.mix import sample


@given(
    mix=st.dictionaries(st.text(max_size=3), st.floats(0, 1e6), min_size=1, max_size=5).filter(
        lambda mix: sum(mix.values()) > 0
    ),
    bits=st.integers(0, 2**64 - 1),
)
def test_a_sample_has_weight(mix, bits):
    assert mix[sample(mix, bits)] > 0


def test_samples_are_as_frequent_as_their_weights():
    step = 2**64 // 4096
    picked = [sample({"a": 1, "b": 0, "c": 3}, n * step) for n in range(4096)]
    assert (picked.count("a"), picked.count("b"), picked.count("c")) == (1024, 0, 3072)
