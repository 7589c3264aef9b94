"""`make soak`: a million random rounds of every game, compiled against interpreted."""

import sys
from concurrent.futures import ProcessPoolExecutor

from tests.engine.compiled import digests

from holmgang.engine.compiled.native import Kernels, zeros
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load

LIMIT = 1000
CHUNK = 200
SEED = 11


def first_difference(ruleset: Ruleset, *, rounds: int) -> int | None:
    """The first game that the two do not play alike, among games of so many rounds in all."""
    compiled, interpreted = (Kernels(ruleset, (digests,), interpret=it) for it in (False, True))
    assert compiled.is_compiled
    row = zeros(len(compiled.layout.names))
    first = played = 0
    while played < rounds:
        ours, theirs = zeros(CHUNK), zeros(CHUNK)
        played += compiled("digests")(SEED, first, CHUNK, LIMIT, ours, row)
        interpreted("digests")(SEED, first, CHUNK, LIMIT, theirs, row)
        for index, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            if mine != other:
                return first + index
        first += CHUNK
    return None


def soak(text: str) -> tuple[str, int | None]:
    return text, first_difference(load(text), rounds=1_000_000)


def main() -> None:
    failed = False
    with ProcessPoolExecutor() as pool:
        for text, game in pool.map(soak, CATALOGUE):
            print(f"{text}: {'agrees' if game is None else f'game {game} differs'}", flush=True)
            failed = failed or game is not None
    sys.exit(failed)


if __name__ == "__main__":
    main()
