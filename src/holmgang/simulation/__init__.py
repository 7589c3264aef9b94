"""Games in bulk: simulations with confidence intervals, and batches for learning and analysis.

`simulate.py` plays, `policy.py` decides how a seat chooses, `tally.py` counts, and `report.py`
summarises; `batch.py` steps many games at once. `holmgang.model` has every state of a game.
"""
