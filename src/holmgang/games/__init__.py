"""The rules: one folder per game, the catalogue of games, and rulesets.

`contract.py` says what a folder must contain. Nothing here depends on players, records or screens.
"""
