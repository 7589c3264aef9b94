from holmgang.games.defend_the_city import board, notation, rules, story

__all__ = ["board", "notation", "rules", "story"]
