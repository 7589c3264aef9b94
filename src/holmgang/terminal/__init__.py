"""Playing, watching and reading in a terminal: what `holmgang` shows and what it asks.

Nothing here knows a rule. `session.py` is a match, on this machine (`local.py`) or on a server
(`online/`). The two front ends, line mode (`plain.py`) and the full screen (`screen/`), show it and
read keys. `play.py` and `replay.py` decide between the two.
"""
