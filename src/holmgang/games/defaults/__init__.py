"""The parts of a game that its author left out, derived from the types and names of its rules.

Each module has the functions of one part, with the signatures of `games/contract.py`, as methods of
a class that is made for a game. `games/assembling.py` uses the game's own function if there is one,
and otherwise the one from here.
"""
