"""Tools for authors of bots: starter programs, and the checks of `holmgang check`."""
