"""`python -m holmgang.solver RULESET` builds the ruleset's table, unless it would be too large."""

import sys

from holmgang.games.finding import load_environment
from holmgang.games.ruleset import load
from holmgang.solver.tables import MOST_BY_THE_WAY, build_table

if __name__ == "__main__":
    load_environment()
    build_table(load(sys.argv[1]), most_states=MOST_BY_THE_WAY)
