"""States as rows of numbers and back."""

from typing import NamedTuple

import pytest

from holmgang.engine.compiled.native import Kernels, zeros
from holmgang.engine.compiled.packing import layout
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.simulation.simulate import simulated_duel


@pytest.mark.parametrize("text", CATALOGUE)
def test_every_state_of_a_game_comes_back(text):
    ruleset = load(text)
    kernels = Kernels(ruleset, interpret=True)
    pack, unpack = kernels.bound.kernels["pack"], kernels.bound.kernels["unpack"]
    row = zeros(len(kernels.layout.names))
    for index in range(20):
        state = simulated_duel(ruleset, 3, index).state
        pack(state, row, 0)
        assert unpack(row, 0) == state


def test_the_places_have_names():
    names = Kernels(load("magic-duel"), interpret=True).layout.names
    assert names[:5] == ("to_move", "phase", "moves_left", "specter", "red.hp")
    assert "blue.minions[1].age" in names


def test_a_state_of_anything_else_is_refused():
    class State(NamedTuple):
        name: str

    with pytest.raises(TypeError, match="ints, bools"):
        layout(State)
