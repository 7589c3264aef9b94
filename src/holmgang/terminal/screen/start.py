"""The questions before a local match: those that the command line has not answered."""

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
from holmgang.terminal.screen.questions import Questions
from holmgang.terminal.setup import Setup

SWAP, SWAP_SEATS = "x", "swap seats"


class StartScreen(Questions[Setup]):
    """The questions before a local match."""

    def __init__(self, setup: Setup, *, changes_rules: bool = False) -> None:
        super().__init__(setup, changes_rules=changes_rules)
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
        letters = initials(
            [SWAP, HUMAN, *names]
        )  # these two come first, so their letters stay the same
        keys = [
            letters[1] if name == HUMAN else key
            for name, key in zip(names, letters[2:], strict=True)
        ]
        options = [
            Option(key, name, line) for key, name, line in zip(keys, names, lines, strict=True)
        ]
        self.about = {}
        if is_human(self.wanted.red):
            mine, other = ("blue", "red") if self.is_swapped else ("red", "blue")
            options.append(Option(SWAP, SWAP_SEATS, f"you play {mine}; play {other} instead"))
            self.about = prospects(self.ruleset, mine)
        self.ask(
            "Against whom?" if is_human(self.wanted.red) else "Who plays blue?",
            options,
            names.index(self.ruleset.entry.opponent),
        )

    # The answers

    def pick_opponent(self, word: str) -> None:
        if word == SWAP_SEATS:
            self.is_swapped = not self.is_swapped
            self.ask_opponent()
            self.query_one(MenuView).point_at(self.query_one(MenuView).options[-1])
            return
        if word != HUMAN:
            with suppress(HolmgangError):  # it will be raised again when the match begins
                find_level(word).ready(self.ruleset, silent, wait=False)
        self.wanted = self.wanted._replace(blue=word)
        self.go_on()

    def finish(self) -> None:
        setup = self.wanted
        if self.is_swapped and setup.blue is not None:
            setup = setup._replace(red=setup.blue, blue=setup.red)
        self.dismiss(setup)

    def settled(self) -> list[str]:
        parts = super().settled()
        if self.wanted.blue is not None and self.asks[self.step] == self.ask_length:
            red, blue = self.wanted.red, self.wanted.blue
            names = [blue, red] if self.is_swapped else [red, blue]
            if names.count(HUMAN) == 1:
                names[names.index(HUMAN)] = "you"
            parts.append(f"Red ({names[0]}) against Blue ({names[1]})")
        return parts


def level_line(ruleset: Ruleset, name: str) -> str:
    """The description of an opponent, with its rating if that was measured."""
    if name == HUMAN:
        return "two at this keyboard, choices hidden"
    rating = ratings(ruleset.text).get(name)  # figures are for the rules of the catalogue
    if rating is None:
        return KINDS[name].line
    red, blue = rating["red"], rating["blue"]
    shown = f"{red} Elo" if red == blue else f"{red} Elo as red, {blue} as blue"
    return f"{KINDS[name].line}, about {shown}"


def prospects(ruleset: Ruleset, seat: str) -> dict[str, str]:
    """The score of best play in that seat against each level, if it is known."""
    if ruleset.text != ruleset.entry.name:  # figures are for the rules of the catalogue
        return {}
    return {
        level: f"As {seat} you score {scores[SEATS.index(seat)]} % against {level} with best play."
        for level, scores in ruleset.entry.prospects.items()
    }
