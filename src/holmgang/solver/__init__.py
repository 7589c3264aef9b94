"""Optimal play, computed: single matrix games, and whole duels, which are made of them."""
