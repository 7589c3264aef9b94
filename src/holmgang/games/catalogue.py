"""The list of all games. To add one, add its folder and its lines here."""

from collections.abc import Mapping
from typing import NamedTuple

from holmgang.games import bagh, defend_the_city, fencing, magic_duel
from holmgang.games.contract import AnyGame, Game

BAGH = Game(
    "bagh",
    bagh.rules,
    bagh.notation,
    bagh.story,
    bagh.board,
    bagh.picture,
    bagh.estimate,
    harmless=bagh.notation.harmless,
)
FENCING = Game(
    "fencing",
    fencing.rules,
    fencing.notation,
    fencing.story,
    fencing.board,
    fencing.picture,
    fencing.estimate,
    impossible=fencing.rules.impossible,
    points_of_side=fencing.rules.points_of_side,
    harmless=fencing.notation.harmless,
)
CITY = Game(
    "defend_the_city",
    defend_the_city.rules,
    defend_the_city.notation,
    defend_the_city.story,
    defend_the_city.board,
    defend_the_city.picture,
    defend_the_city.estimate,
    axes=("offense", "defense"),
    harmless=defend_the_city.notation.harmless,
    label=defend_the_city.story.label,
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
    is_legal=magic_duel.rules.is_legal,
    harmless=magic_duel.notation.harmless,
    label=magic_duel.story.label,
    amounts=magic_duel.notation.amounts,
)


class Entry(NamedTuple):
    """A game under the name that people use: a folder, and the rules that differ from it."""

    name: str
    title: str
    line: str
    game: AnyGame
    preset: Mapping[str, int] = {}
    wins_needed: int = 1
    round_limit: int = 1000
    """Decision rounds after which a game ends; see `Ruleset.endless`."""
    earlier: Mapping[str, int] = {}
    """Rules that this name set differently in earlier versions, with the earlier values: the rules
    of older records and logs."""
    opponent: str = "beginner"
    """The level suggested to a person who plays alone for the first time."""
    prospects: Mapping[str, tuple[int, int]] = {}
    """The score of best play against a level, as red and as blue, in percent; a draw counts half.

    Exact, from `python -m bench.exact_levels --best-replies`; for solved games only.
    """


CATALOGUE: Mapping[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "bagh",
            "BAGH",
            "boost, attack, guard or heal; first to 3 games",
            BAGH,
            wins_needed=3,
            prospects={"random": (100, 100), "perfect": (50, 50)},
        ),
        Entry(
            "bagh-advantage",
            "BAGH with advantage",
            "earlier rules: advantage instead of priority",
            BAGH,
            {"heal_limit": 4, "heal_limit_per_boost": 1, "advantage": 1},
        ),
        Entry(
            "fencing",
            "Fencing Esport",
            "lunge and parry for 20 points; leagues 1 to 3",
            FENCING,
            round_limit=10_000,  # the rules end the game earlier
        ),
        Entry(
            "fencing-codingame",
            "Fencing Esport (CodinGame)",
            "the rules of CodinGame's published referee",
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
            "red holds off five soldiers; one wound loses",
            CITY,
            {"endless_loses": 1},
            earlier={"endless_loses": 0},
            prospects={"random": (75, 100), "perfect": (3, 97)},
        ),
        Entry(
            "defend-the-city-duel",
            "Defend The City, the duel",
            "one symmetric encounter; the first wound wins",
            CITY,
            {"duel": 1},
            prospects={"random": (94, 94), "perfect": (50, 50)},
        ),
        Entry(
            "magic-duel",
            "MagicDuel",
            "strike, heal, shield, summon; two moves a turn",
            MAGIC,
        ),
    )
}
