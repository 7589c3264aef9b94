from holmgang.games.assembling import assemble
from holmgang.games.bagh import board, estimate, guide, notation, picture, rules, story

GAME = assemble("bagh", rules, notation, story, board, picture, estimate, guide=guide)
