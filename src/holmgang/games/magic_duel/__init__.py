from holmgang.games.assembling import assemble
from holmgang.games.magic_duel import (
    board,
    dominance,
    estimate,
    guide,
    holding,
    notation,
    picture,
    rules,
    story,
)

GAME = assemble(
    "magic_duel",
    rules,
    notation,
    story,
    board,
    picture,
    estimate,
    dominance,
    holding,
    guide,
)
