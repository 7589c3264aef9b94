"""The games there are. Adding one means adding its folder and its lines here."""

from collections.abc import Mapping
from typing import NamedTuple

from holmgang.games import bagh, defend_the_city, fencing, magic_duel
from holmgang.games.contract import Game

BAGH = Game("bagh", bagh.rules, bagh.notation, bagh.story, bagh.board, bagh.picture, bagh.estimate)
FENCING = Game(
    "fencing",
    fencing.rules,
    fencing.notation,
    fencing.story,
    fencing.board,
    fencing.picture,
    fencing.estimate,
)
CITY = Game(
    "defend_the_city",
    defend_the_city.rules,
    defend_the_city.notation,
    defend_the_city.story,
    defend_the_city.board,
    defend_the_city.picture,
    defend_the_city.estimate,
)
MAGIC = Game(
    "magic_duel",
    magic_duel.rules,
    magic_duel.notation,
    magic_duel.story,
    magic_duel.board,
    magic_duel.picture,
    magic_duel.estimate,
    magic_duel.dominance,
    magic_duel.holding,
)


class Entry(NamedTuple):
    """A game under the name that people use: a folder, and where its rules depart from it."""

    name: str
    title: str
    line: str
    game: Game
    preset: Mapping[str, int] = {}
    wins_needed: int = 1
    round_limit: int = 1000
    """The match layer stops a game after so many decision rounds, as a draw."""


CATALOGUE: Mapping[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "bagh",
            "BAGH",
            "boost, attack, guard or heal; earn priority, break shields; first to 3 games",
            BAGH,
            wins_needed=3,
        ),
        Entry(
            "bagh-advantage",
            "BAGH with advantage",
            "the earlier BAGH: advantage instead of priority, little overhealing; one game",
            BAGH,
            {"heal_limit": 4, "heal_limit_per_boost": 1, "advantage": 1},
        ),
        Entry(
            "fencing",
            "Fencing Esport",
            "lunge and parry for 20 points on a 500-wide piste; leagues 1 to 3 (fencing:league=1)",
            FENCING,
            round_limit=10_000,  # more than the rules allow turns: they end the game themselves
        ),
        Entry(
            "fencing-codingame",
            "Fencing Esport, CodinGame's referee",
            "the same as the published referee plays it, for those who tune bots against it",
            FENCING,
            {
                "lead_to_win": 1,
                "level_collides": 1,
                "parry_drug_works": 0,
                "scoreless_doping_fails_both": 1,
            },
            round_limit=10_000,
        ),
        Entry(
            "defend-the-city",
            "Defend The City",
            "red defends against five soldiers, played by blue, on 30 stamina; one wound loses",
            CITY,
        ),
        Entry(
            "defend-the-city-duel",
            "Defend The City, the duel",
            "a single symmetric encounter: the first wound wins, both spent is a draw",
            CITY,
            {"duel": 1},
        ),
        Entry(
            "magic-duel",
            "MagicDuel",
            "two moves a turn: strike, pierce, heal and shield, summon bubbles and specters",
            MAGIC,
        ),
    )
}
