"""Playing, watching and reading in a terminal: what `holmgang` shows and what it asks.

Nothing here knows a rule. `session.py` seats the players of a match; the two front ends, lines of
text (`plain.py`) and the full screen (`screen/`), only show it and read keys. `play.py` and
`replay.py` decide between the two.
"""
