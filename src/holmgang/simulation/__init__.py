"""Games in bulk: simulations with honest intervals, and batches of games for learning and analysis.

`tally.py` counts, `policy.py` says how a seat chooses, `simulate.py` plays, `report.py` sums up,
`batch.py` steps many games at once, and `states.py` finds every state there is.
"""
