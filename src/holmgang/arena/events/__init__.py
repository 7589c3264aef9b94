"""Matches, tournaments and leagues: which games are played next, where, and what is shown."""
