"""The command `holmgang`: `main.py` and a module for each command, with its options and help.

What a command needs is imported when it runs, so that `holmgang --help` answers at once. Options
that several commands have are in `options.py`.
"""
