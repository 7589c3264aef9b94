from holmgang.games.defend_the_city import board, estimate, notation, picture, rules, story

__all__ = ["board", "estimate", "notation", "picture", "rules", "story"]
