"""Steps per second of the vector environment and of the PettingZoo one, in turn.

python -m bench.environments
"""

import time
from collections.abc import Callable

import numpy as np

from holmgang import envs

PLACES = 4096
SECONDS = 0.7
REPEATS = 3


def measure(step: Callable[[], int]) -> float:
    """Steps per second of processor time."""
    started, steps = time.process_time(), 0
    while time.process_time() - started < SECONDS:
        steps += step()
    return steps / (time.process_time() - started)


def main() -> None:
    print(f"{'game':12} {'PettingZoo':>12} {'vector':>12} {'ratio':>7}")
    for game in ("bagh", "fencing", "magic-duel"):
        pair = envs.parallel_env(game)
        many = envs.vector_env(PLACES, game, autoreset_mode="SameStep")
        seen = {"pair": pair.reset(seed=1)[0], "many": many.reset(seed=1)[0]}

        def step_pair(pair=pair, seen=seen) -> int:  # type: ignore[no-untyped-def]
            if not pair.agents:
                seen["pair"], _ = pair.reset()
            actions = {
                seat: np.flatnonzero(seen["pair"][seat]["action_mask"])[0] for seat in pair.agents
            }
            seen["pair"], *_ = pair.step(actions)
            return 1

        def step_many(many=many, seen=seen) -> int:  # type: ignore[no-untyped-def]
            seen["many"], *_ = many.step(seen["many"]["action_mask"].argmax(axis=1))
            return PLACES

        step_many()  # compiles
        for _ in range(REPEATS):
            slow, fast = measure(step_pair), measure(step_many)
            print(f"{game:12} {slow:12,.0f} {fast:12,.0f} {fast / slow:7.0f}")


if __name__ == "__main__":
    main()
