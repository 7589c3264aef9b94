from holmgang.games.fencing import board, estimate, notation, rules, story

__all__ = ["board", "estimate", "notation", "rules", "story"]
