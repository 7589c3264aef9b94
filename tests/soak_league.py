"""`make soak-league`: a league killed with SIGKILL at 50 random moments, in the sandbox if there is
one. No result is lost or counted twice, and no process is left behind.
"""

import sys
import tempfile
from pathlib import Path

from tests.arena.kills import kill_often

TIMES = 50


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # bots run as users of their own
        games = kill_often(Path(folder), TIMES, seed, trust=False)
    print(f"killed {TIMES} times: {games} games, each of them once, and no process left")


if __name__ == "__main__":
    main()
