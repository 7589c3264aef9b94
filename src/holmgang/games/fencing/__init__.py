from holmgang.games.fencing import board, estimate, notation, picture, rules, story

__all__ = ["board", "estimate", "notation", "picture", "rules", "story"]
