"""The worth of all pairs of choices in a state, one round ahead, by the game's `estimate`.

Compiled for each ruleset together with the game's `estimate.py`.
"""

from typing import TYPE_CHECKING

from holmgang.engine.compiled.kernels import GameState, KernelSpec, game, rules, unpack, worth
from holmgang.solver.numbers import Floats, Ints

if TYPE_CHECKING:

    def estimate(rules: object, state: GameState) -> float: ...  # the game's own


def fill_pairs(
    reds: int, blues: int, row: Ints, red_menu: Ints, blue_menu: Ints, values: Floats
) -> int:
    """Sets the value to red of each pair of choices in the state of a row."""
    state = unpack(row, 0)
    for red in range(reds):
        for blue in range(blues):
            total, faces = 0.0, 0
            groups = game.face_groups(rules, state, red_menu[red], blue_menu[blue])
            for group in range(groups):
                face, weight = game.face_group(rules, state, red_menu[red], blue_menu[blue], group)
                if weight > 0:
                    after = game.resolve(rules, state, red_menu[red], blue_menu[blue], face)
                    outcome = game.outcome(rules, after)
                    value = worth(outcome) if outcome.reason != 0 else estimate(rules, after)
                    total += weight * value
                    faces += weight
            values[red * blues + blue] = total / faces
    return 0


SPECS = {"fill_pairs": KernelSpec(("row", "red_menu", "blue_menu"), ("values",))}
