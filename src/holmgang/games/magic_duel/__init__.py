from holmgang.games.magic_duel import board, notation, rules, story

__all__ = ["board", "notation", "rules", "story"]
