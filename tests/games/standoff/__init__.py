"""Standoff, a small game as a new user would write it after docs/add-a-game.md: reload, shield or
shoot. It can go on for ever, and best play from the start is worth a draw.
"""

from tests.games.standoff import board, notation, rules, story

from holmgang.games.assembling import assemble
from holmgang.games.catalogue import Entry

STANDOFF = Entry(
    "standoff",
    "Standoff",
    "reload, shield or shoot; the first hit wins",
    assemble("standoff", rules, notation, story, board),
    round_limit=100,
)
