"""`make soak-discord`: kills the Discord bot at random moments of a match.

No choice that a user was told of is lost, every round is posted once, every match is finished.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.discord.kills import KillsAtRandom, play_with_kills


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()

    def tell(done: int) -> None:
        end = "\r" if sys.stdout.isatty() else "\n"
        if sys.stdout.isatty() or done % 10 == 0:
            print(f"{done} of {given.kills} kills", end=end, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        killer = KillsAtRandom(given.kills, longest=4.0, tell=tell)
        choices = asyncio.run(play_with_kills(Path(folder), killer, given.seed))
    seconds = time.monotonic() - began
    print(f"{given.kills} kills, {choices} acknowledged choices, none lost, in {seconds:.0f} s")


if __name__ == "__main__":
    main()
