from holmgang.games.defend_the_city import board, estimate, notation, rules, story

__all__ = ["board", "estimate", "notation", "rules", "story"]
