from holmgang.games.magic_duel import (
    board,
    dominance,
    estimate,
    holding,
    notation,
    picture,
    rules,
    story,
)

__all__ = ["board", "dominance", "estimate", "holding", "notation", "picture", "rules", "story"]
