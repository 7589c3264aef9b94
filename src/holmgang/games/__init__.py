"""The rules: one folder per game, the catalogue of them, and rulesets.

`contract.py` says what a folder must have. Nothing here knows of players, files or screens.
"""
