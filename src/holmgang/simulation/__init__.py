"""Games in bulk: simulations with confidence intervals, and batches for learning and analysis.

`simulate.py` plays, `policy.py` decides how a seat chooses, `tally.py` counts, and `report.py` sums
up; `batch.py` steps many games at once, and `states.py` lists all reachable states.
"""
