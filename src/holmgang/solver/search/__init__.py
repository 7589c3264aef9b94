"""Duels too large for any table: what can be seen from a state in the time that there is."""
