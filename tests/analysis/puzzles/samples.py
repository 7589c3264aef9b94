"""A few puzzles for tests that need some and do not make them. `test_make.py` proves them."""

import json
from pathlib import Path

from holmgang.analysis.puzzles.keeping import new_row
from holmgang.analysis.puzzles.puzzle import Puzzle

SAMPLES = {
    puzzle.question.id: puzzle
    for puzzle in map(
        Puzzle.from_json, json.loads(Path(__file__).with_name("samples.json").read_text("utf-8"))
    )
}
CHOICE = SAMPLES["3d02cfbcf557"]
"""BAGH, red with 2 hp and blue with boost 1: attack or guard; heal is the natural choice."""
MIX = SAMPLES["c980272b0411"]
"""BAGH at its start."""
DIALS = SAMPLES["ae10290b52ee"]
"""An encounter of Defend The City: 0/5 or 5/0 of 36 choices."""
MENDING = SAMPLES["5187a1f142d2"]
"""BAGH, with a broken shield of red: attack or guard; heal is the natural choice."""
EQUILIBRIUM = {"boost": 0.27, "attack": 0.43, "guard": 0.3, "heal": 0.0}
"""An answer to MIX."""


def fill(store):
    """Puts the samples into a store."""
    return store.puzzles.add([new_row(puzzle) for puzzle in SAMPLES.values()])
