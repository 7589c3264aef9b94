"""A match as it is asked for, before anyone sits down."""

from pathlib import Path
from typing import NamedTuple

from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.players import KINDS
from holmgang.terminal.saved import SavedGame
from holmgang.terminal.sitters import HUMAN, Sitter, parse_sitter
from holmgang.terminal.table import Table


class Setup(NamedTuple):
    """None stands for what is still to be asked."""

    ruleset: Ruleset | None
    red: Sitter
    blue: Sitter | None
    wins: int | None = None
    seed: int | None = None
    records: Path | None = None

    @property
    def is_settled(self) -> bool:
        return self.ruleset is not None and self.blue is not None

    def table(self) -> Table:
        """The table, if it is known what is played and by whom."""
        if self.ruleset is None:
            raise UsageError(f"which game? There are {', '.join(CATALOGUE)}")
        if self.blue is None:
            opponents = ", ".join((HUMAN, *KINDS))
            raise UsageError(f"against whom? Say --vs and one of {opponents}")
        return Table(
            self.ruleset,
            self.red,
            self.blue,
            wins=self.wins,
            seed=self.seed,
            records=self.records,
        )


def last_setup(games: list[SavedGame], records: Path | None) -> Setup | None:
    """The newest of these games as a match to play again; None if none was played by people or
    levels.
    """
    for game in games:
        try:
            red, blue = (parse_sitter(game.names[seat]) for seat in SEATS)
        except UsageError:
            continue
        return Setup(game.ruleset, red, blue, game.match.get("wins_needed"), records=records)
    return None
