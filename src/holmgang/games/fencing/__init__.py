from holmgang.games.fencing import board, notation, rules, story

__all__ = ["board", "notation", "rules", "story"]
