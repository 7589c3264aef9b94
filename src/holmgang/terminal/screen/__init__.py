"""The full screen, with Textual. Imported only when it is shown: it takes a moment to load.

`app.py` is what both applications share, `palette.py` how things are coloured; `start.py` asks what
to play, `duel.py` plays it in a `MatchSession`, `replay.py` shows a record. The rest are pieces of
those.
"""
