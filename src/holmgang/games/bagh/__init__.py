from holmgang.games.bagh import board, estimate, notation, picture, rules, story

__all__ = ["board", "estimate", "notation", "picture", "rules", "story"]
