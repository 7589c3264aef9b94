"""OpenSpiel through its Python bindings: random play of small simultaneous games."""

import random
import sys
import time

import pyspiel

SECONDS = float(sys.argv[1])
GAME = pyspiel.load_game(sys.argv[2])


def playout(draw: random.Random) -> int:
    state, rounds = GAME.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(draw.choices(actions, weights)[0])
        elif state.is_simultaneous_node():
            state.apply_actions([draw.choice(state.legal_actions(p)) for p in (0, 1)])
            rounds += 1
        else:
            state.apply_action(draw.choice(state.legal_actions()))
            rounds += 1
    return rounds


draw = random.Random(1)
playout(draw)
rounds, started = 0, time.process_time()
while time.process_time() - started < SECONDS:
    rounds += playout(draw)
print(rounds, time.process_time() - started)
