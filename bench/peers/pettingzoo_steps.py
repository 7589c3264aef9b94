"""PettingZoo's simultaneous classic, rock paper scissors: random actions; two steps are a round."""

import random
import sys
import time

from pettingzoo.classic import rps_v2

SECONDS = float(sys.argv[1])
env = rps_v2.env(num_actions=3, max_cycles=100)
draw = random.Random(1)


def playout() -> int:
    env.reset(seed=draw.randrange(1 << 30))
    steps = 0
    for _agent in env.agent_iter():
        *_, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else draw.randrange(3))
        steps += 1
    return steps // 2


playout()
rounds, started = 0, time.process_time()
while time.process_time() - started < SECONDS:
    rounds += playout()
print(rounds, time.process_time() - started)
