from holmgang.games.assembling import assemble
from holmgang.games.bagh import board, estimate, notation, picture, rules, story

GAME = assemble("bagh", rules, notation, story, board, picture, estimate)
