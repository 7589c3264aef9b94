"""Solvers for optimal play: for single matrix games, and for whole duels."""
