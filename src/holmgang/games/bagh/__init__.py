from holmgang.games.bagh import board, estimate, notation, picture, rules, story
from holmgang.games.contract import Game

GAME = Game("bagh", rules, notation, story, board, picture, estimate, harmless=notation.harmless)
