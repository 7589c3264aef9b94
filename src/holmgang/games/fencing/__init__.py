from holmgang.games.assembling import assemble
from holmgang.games.fencing import board, estimate, guide, notation, picture, rules, story

GAME = assemble("fencing", rules, notation, story, board, picture, estimate, guide=guide)
