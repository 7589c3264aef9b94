"""The full screen, with Textual. Imported only when it is shown: it takes a moment to load.

`play.py` and `online.py` are the applications, and `app.py` their base. `start.py` and
`online_start.py` ask what to play, `duel.py` plays a `MatchSession`, `replay.py` shows a record.
The other modules have parts of these screens.
"""
