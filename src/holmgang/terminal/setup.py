"""The settings of a local match before it begins."""

from pathlib import Path
from typing import NamedTuple

from holmgang.engine.archive import SavedGame
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.players import KINDS
from holmgang.players.naming import HUMAN, is_human, parse_player
from holmgang.terminal.local import LocalSession


class Setup(NamedTuple):
    """Players are named as people type them. None stands for settings that are still missing."""

    ruleset: Ruleset | None
    red: str = HUMAN
    blue: str | None = None
    wins: int | None = None
    seed: int | None = None
    records: Path | None = None
    trust: bool = False

    @property
    def is_settled(self) -> bool:
        return self.ruleset is not None and self.blue is not None

    @property
    def is_watched(self) -> bool:
        """Whether no person plays."""
        return self.is_settled and not any(is_human(text) for text in (self.red, self.blue or ""))

    def session(self) -> LocalSession:
        """The match. Raises `UsageError` if the game or the opponent is missing."""
        if self.ruleset is None:
            raise UsageError(f"no game given; the games are {', '.join(CATALOGUE)}")
        if self.blue is None:
            opponents = ", ".join((HUMAN, *KINDS))
            raise UsageError(f"no opponent given; use --vs with one of {opponents}, or a bot")
        return LocalSession(
            self.ruleset,
            parse_player(self.red, self.ruleset),
            parse_player(self.blue, self.ruleset),
            wins=self.wins,
            seed=self.seed,
            records=self.records,
            trust=self.trust,
        )


def last_setup(games: list[SavedGame], records: Path | None) -> Setup | None:
    """The newest of these games as a match to play again; None if none was played by people or
    levels.
    """
    for game in games:
        red, blue = (game.players[seat] for seat in SEATS)
        try:
            players = [parse_player(text, game.ruleset) for text in (red, blue)]
        except UsageError:
            continue
        if any(player.bot is not None for player in players):
            continue  # a record could name any program
        return Setup(game.ruleset, red, blue, game.match.get("wins_needed"), records=records)
    return None
