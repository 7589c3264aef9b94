"""Whole duels, solved: states in a table, sweeps over it, and a certificate of the result."""
