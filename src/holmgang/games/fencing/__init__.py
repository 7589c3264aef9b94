from holmgang.games.contract import Game
from holmgang.games.fencing import board, estimate, notation, picture, rules, story

GAME = Game(
    *("fencing", rules, notation, story, board, picture, estimate),
    impossible=rules.impossible,
    points_of_side=rules.points_of_side,
    harmless=notation.harmless,
)
