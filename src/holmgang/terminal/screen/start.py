"""The first screen: which game, against whom, how long; only what the command line left open."""

from contextlib import suppress

from holmgang.engine.compiled.native import silent
from holmgang.engine.menu import Option
from holmgang.errors import HolmgangError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.players import KINDS, find_level
from holmgang.players.ladder import LADDER, ratings
from holmgang.players.naming import HUMAN, is_human
from holmgang.terminal.screen.keys import initials
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.questions import Questions, ruleset_text
from holmgang.terminal.setup import Setup

SWAP, SWAP_SEATS = "x", "swap seats"


class StartScreen(Questions[Setup]):
    """Asks step by step, and gives the setup with everything settled; None to leave."""

    def __init__(self, setup: Setup, *, changes_rules: bool = False) -> None:
        super().__init__(changes_rules=changes_rules)
        self.setup = setup
        if setup.ruleset is None:
            self.asks.append(self.ask_game)
        if setup.blue is None:
            self.asks.append(self.ask_opponent)
        if setup.wins is None:
            self.asks.append(self.ask_length)
        self.is_swapped = False

    # The questions

    def ask_opponent(self) -> None:
        self.pick = self.pick_opponent
        names = [*LADDER, HUMAN, *(name for name in KINDS if name not in LADDER)]
        lines = [level_line(self.ruleset, name) for name in names]
        letters = initials([SWAP, HUMAN, *names])  # these two keep theirs
        keys = [
            letters[1] if name == HUMAN else key
            for name, key in zip(names, letters[2:], strict=True)
        ]
        options = [
            Option(key, name, line) for key, name, line in zip(keys, names, lines, strict=True)
        ]
        self.about = {}
        if is_human(self.setup.red):
            mine, other = ("blue", "red") if self.is_swapped else ("red", "blue")
            options.append(Option(SWAP, SWAP_SEATS, f"you play {mine}; play {other} instead"))
            self.about = prospects(self.ruleset, mine)
        self.ask(
            "Against whom?" if is_human(self.setup.red) else "Who plays blue?",
            options,
            names.index(self.ruleset.entry.opponent),
        )

    def ask_length(self) -> None:
        self.ask_wins(self.ruleset.entry.wins_needed)

    # The answers

    @property
    def ruleset(self) -> Ruleset:
        assert self.setup.ruleset is not None  # noqa: S101 - asked for first
        return self.setup.ruleset

    def take_ruleset(self, ruleset: Ruleset) -> None:
        self.setup = self.setup._replace(ruleset=ruleset)

    def pick_opponent(self, word: str) -> None:
        if word == SWAP_SEATS:
            self.is_swapped = not self.is_swapped
            self.ask_opponent()
            self.query_one(MenuView).point_at(self.query_one(MenuView).options[-1])
            return
        if word != HUMAN:
            with suppress(HolmgangError):  # it will be raised again when the match begins
                find_level(word).ready(self.ruleset, silent, wait=False)
        self.setup = self.setup._replace(blue=word)
        self.go_on()

    def take_wins(self, wins: int) -> None:
        self.setup = self.setup._replace(wins=wins)

    def finish(self) -> None:
        setup = self.setup
        if self.is_swapped and setup.blue is not None:
            setup = setup._replace(red=setup.blue, blue=setup.red)
        self.dismiss(setup)

    def settled(self) -> list[str]:
        parts = []
        asked = self.asks[self.step]
        if self.setup.ruleset is not None and asked != self.ask_game:
            parts.append(ruleset_text(self.ruleset))
        if self.setup.blue is not None and asked == self.ask_length:
            red, blue = self.setup.red, self.setup.blue
            if self.is_swapped:
                red, blue = blue, red
            names = [red, blue]
            if names.count(HUMAN) == 1:
                names[names.index(HUMAN)] = "you"
            parts.append(f"Red ({names[0]}) against Blue ({names[1]})")
        return parts


def level_line(ruleset: Ruleset, name: str) -> str:
    """What to expect of an opponent, with its rating where that was measured."""
    if name == HUMAN:
        return "two at this keyboard, choices hidden"
    rating = ratings(ruleset.text).get(name)  # figures are for the rules of the catalogue
    return KINDS[name].line + (f", about {rating} Elo" if rating else "")


def prospects(ruleset: Ruleset, seat: str) -> dict[str, str]:
    """What a person in that seat can expect against each level, where that is known."""
    if ruleset.text != ruleset.entry.name:  # figures are for the rules of the catalogue
        return {}
    return {
        level: f"As {seat} you score {scores[SEATS.index(seat)]} % against {level} with best play."
        for level, scores in ruleset.entry.prospects.items()
    }
