from holmgang.games.bagh import board, notation, rules, story

__all__ = ["board", "notation", "rules", "story"]
