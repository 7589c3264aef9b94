"""Analyses of duels and positions: values, errors, skill and luck, round by round."""
