"""The games that this process knows: those of Holmgang, and those that were loaded by path."""

from collections.abc import Mapping
from typing import NamedTuple

from holmgang.games import bagh, defend_the_city, fencing, magic_duel
from holmgang.games.contract import AnyGame


class Entry(NamedTuple):
    """A game under the name that people use: a folder, and its rules that are not the defaults."""

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
    variant: str = "Standard rules"
    """The name of this variant of its game. The first variant in the catalogue is the main one."""


_entries: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "bagh",
            "BAGH",
            "boost, attack, guard or heal; first to 3 games",
            bagh.GAME,
            wins_needed=3,
            prospects={"random": (100, 100), "perfect": (50, 50)},
        ),
        Entry(
            "bagh-advantage",
            "BAGH with advantage",
            "earlier rules: advantage instead of priority",
            bagh.GAME,
            {"heal_limit": 4, "heal_limit_per_boost": 1, "advantage": 1},
            variant="With advantage",
        ),
        Entry(
            "fencing",
            "Fencing Esport",
            "lunge and parry for 20 points; leagues 1 to 3",
            fencing.GAME,
            round_limit=10_000,  # the rules end the game earlier
        ),
        Entry(
            "fencing-codingame",
            "Fencing Esport (CodinGame)",
            "the rules of CodinGame's published referee",
            fencing.GAME,
            {
                "lead_to_win": 1,
                "level_collides": 1,
                "parry_drug_works": 0,
                "scoreless_doping_fails_both": 1,
            },
            round_limit=10_000,
            variant="CodinGame",
        ),
        Entry(
            "defend-the-city",
            "Defend The City",
            "red holds off five soldiers; one wound loses",
            defend_the_city.GAME,
            {"endless_loses": 1},
            earlier={"endless_loses": 0},
            prospects={"random": (75, 100), "perfect": (3, 97)},
        ),
        Entry(
            "defend-the-city-duel",
            "Defend The City, the duel",
            "one symmetric encounter; the first wound wins",
            defend_the_city.GAME,
            {"duel": 1},
            prospects={"random": (94, 94), "perfect": (50, 50)},
            variant="The duel",
        ),
        Entry(
            "magic-duel",
            "MagicDuel",
            "strike, heal, shield, summon; two moves a turn",
            magic_duel.GAME,
        ),
    )
}

CATALOGUE: Mapping[str, Entry] = _entries


def main_entry(entry: Entry) -> Entry:
    """The first entry of the same game; the others are its variants."""
    return next(each for each in _entries.values() if each.game is entry.game)


def register(entry: Entry) -> None:
    """Adds a game, or replaces it after its code has changed. Only `finding.py` calls this, for
    games that the operator has named.
    """
    _entries[entry.name] = entry
