"""Matches that go on between people, levels and bots: the service that every shell talks to.

A match is a log of events in the store: `match.py` folds it, `view.py` says what a viewer may see
of it, `service.py` carries out commands. Nothing here knows SQL, HTTP or a screen.
"""
