"""Measures of a ruleset for its designer: is it fair, does it end, is every choice needed."""
