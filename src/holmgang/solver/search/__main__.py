"""`python -m holmgang.solver.search RULESET` compiles the ruleset's search into the cache."""

import sys

from holmgang.games.finding import load_environment
from holmgang.games.ruleset import load
from holmgang.solver.search.dispatch import search
from holmgang.solver.search.preparing import compile_levels

if __name__ == "__main__":
    load_environment()
    ruleset = load(sys.argv[1])
    search(ruleset, ruleset.initial(), depth=1)
    compile_levels()
