from holmgang.games.contract import Game
from holmgang.games.defend_the_city import board, estimate, notation, picture, rules, story

GAME = Game(
    *("defend_the_city", rules, notation, story, board, picture, estimate),
    axes=("offense", "defense"),
    harmless=notation.harmless,
    label=story.label,
)
