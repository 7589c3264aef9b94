"""`python -m holmgang.analysis.puzzles RULESET COUNT SEED`: puzzles as JSON lines, for a server."""

import json
import signal
import sys

from holmgang.analysis.puzzles.make import make_puzzles
from holmgang.games.finding import load_environment
from holmgang.solver.oracle import oracle_of

if __name__ == "__main__":
    load_environment()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    text, count, seed = sys.argv[1:]
    for puzzle in make_puzzles(oracle_of(text, build=False), int(count), int(seed)):
        sys.stdout.write(json.dumps(puzzle.as_json()) + "\n")
