"""A kernel that sums up whole games as numbers, to compare compiled with interpreted runs."""

from typing import Any

from holmgang.engine.compiled.kernels import (
    BLUE_LANE,
    RED_LANE,
    WIDTH,
    Array,
    KernelSpec,
    game_key,
    mix,
    number,
    random_choice,
    throw,
    word,
)

game: Any = None  # binding.py replaces these
rules: Any = None
pack: Any = None
FIELDS: int = 0


def digests(seed: int, first: int, count: int, limit: int, out: Array, row: Array) -> int:
    """Writes for each game a number that depends on all its choices, throws, states and outcomes,
    to compare compiled with interpreted runs. Returns the rounds played.
    """
    rounds = 0
    for index in range(first, first + count):
        key = game_key(seed, index)
        state = game.initial(rules)
        n, reason, digest = 0, 0, word(index)
        while reason == 0 and n < limit:
            red = random_choice(state, key, n, RED_LANE)
            blue = random_choice(state, key, n, BLUE_LANE)
            face = throw(state, key, n, red, blue)
            state = game.resolve(rules, state, red, blue, face)
            n += 1
            outcome = game.outcome(rules, state)
            reason = outcome.reason
            pack(state, row, 0)
            digest = mix(digest ^ word(red * WIDTH + blue)) ^ word(face)
            digest = mix(digest ^ word(reason * 3 + outcome.winner))
            for place in range(FIELDS):
                digest = mix(word(digest + word(row[place])))
        out[index - first] = number(digest >> 1)
        rounds += n
    return rounds


SPECS = {"digests": KernelSpec(("out", "row"))}
