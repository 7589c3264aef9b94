"""OpenSpiel wholly inside C++: its own loop, its own uniform bots; Python only starts each game."""

import sys
import time

import pyspiel

SECONDS = float(sys.argv[1])
GAME = pyspiel.load_game(sys.argv[2])
BOTS = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in (0, 1)]


def rounds_of(state: pyspiel.State) -> int:
    """The rounds of a finished game: the history has one entry for each player and round."""
    return len(state.history()) // 2


rounds, started, seed = 0, time.process_time(), 0
while time.process_time() - started < SECONDS:
    seed += 1
    state = GAME.new_initial_state()
    pyspiel.evaluate_bots(state, BOTS, seed)
    rounds += rounds_of(state)
print(rounds, time.process_time() - started)
