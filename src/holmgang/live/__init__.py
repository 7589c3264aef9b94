"""Live matches between people, levels and bots: the service that every shell uses.

A match is a log of events in the store: `match.py` folds it, `view.py` builds the views of it, and
`service.py` carries out commands. Nothing here knows SQL, HTTP or a screen.
"""
