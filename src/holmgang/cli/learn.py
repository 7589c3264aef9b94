"""The command `holmgang learn`."""

from holmgang.cli.options import GameText

EPILOG = "Example: holmgang learn bagh"


def learn(game: GameText) -> None:
    """Learn a game in a few guided rounds."""
    from holmgang.terminal import lesson

    lesson.learn(game)
