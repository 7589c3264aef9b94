"""Bots: their protocols, the judge and its sandbox, contests, and ratings."""
