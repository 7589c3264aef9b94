"""Puzzles: positions with a proven answer, and a natural one that costs a lot.

`make_puzzles` finds them, `verdict_on` says whether an answer is right, `explain` says why. They
are kept in the store.
"""
