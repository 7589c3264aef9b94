from holmgang.games.contract import Game
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

GAME = Game(
    *("magic_duel", rules, notation, story, board, picture, estimate, dominance, holding),
    is_legal=rules.is_legal,
    harmless=notation.harmless,
    label=story.label,
    amounts=notation.amounts,
)
