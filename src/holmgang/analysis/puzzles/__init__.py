"""Puzzles: positions with a proven answer, and a natural answer that costs a lot.

`make_puzzles` finds them, `verdict_on` judges an answer, `explain` gives the reasons. They are kept
in the store.
"""
