"""Standoff, a small game as a new user would write it after docs/add-a-game.md: reload, shield or
shoot. It can go on for ever, and best play from the start is worth a draw.
"""

from tests.games.standoff import board, notation, rules, story

from holmgang.games.catalogue import Entry
from holmgang.games.contract import Game

STANDOFF = Entry(
    "standoff",
    "Standoff",
    "reload, shield or shoot; the first hit wins",
    Game("standoff", rules, notation, story, board),
    round_limit=100,
)
