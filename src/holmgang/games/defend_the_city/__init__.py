from holmgang.games.assembling import assemble
from holmgang.games.defend_the_city import board, estimate, guide, notation, picture, rules, story

GAME = assemble("defend_the_city", rules, notation, story, board, picture, estimate, guide=guide)
