"""A ruleset with what has been worked out kept: games of the same bots meet the same states again.

The rules are pure functions, so a result can be looked up instead; the interpreted rules are most
of what a round costs the judge.
"""

import hashlib
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import orjson

from holmgang.engine import rounds
from holmgang.engine.rounds import Outcome
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import Ruleset

KEPT = 1 << 15


class Menu(NamedTuple):
    """What there is to choose from."""

    choices: dict[str, int]
    json: bytes
    """The words as JSON."""


class Position:
    """A state with what the judge asks of it, each worked out once. Rulebooks look it up as itself,
    which saves comparing states.
    """

    def __init__(self, book: "Rulebook", state: Any) -> None:
        self.ruleset = ruleset = book.ruleset
        self.state = state
        self.outcome: Outcome | None = rounds.outcome(ruleset, state)
        """How the rules say that the duel has ended; None if it goes on."""
        choices, rules = ruleset.game.rules.choices, ruleset.rules
        self.choices = choices(rules, state, RED), choices(rules, state, BLUE)
        """The sets of choices of both seats."""
        self.menus = book.menu(self.choices[RED]), book.menu(self.choices[BLUE])

    @cached_property
    def json(self) -> bytes:
        """The state with its keys in order: what bots are shown, and what records hash."""
        value = self.ruleset.game.notation.format_state(self.ruleset.rules, self.state)
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)

    @cached_property
    def hash(self) -> bytes:
        """The hash of the state in records."""
        return hashlib.sha256(self.json).hexdigest()[:16].encode()


class Step(NamedTuple):
    """A round that was played."""

    after: Position
    public: bytes
    """Both choices and what chance brought, as JSON."""


class Rulebook:
    """The rules of one ruleset, and its words."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.menu = lru_cache(KEPT)(self._menu)
        self.faces = lru_cache(KEPT)(self._faces)
        self.play = lru_cache(KEPT)(self._play)
        self.position = lru_cache(KEPT)(self._position)
        self.start = self.position(ruleset.game.rules.initial(ruleset.rules))

    def parse(self, position: Position, seat: int, word: str) -> int:
        """The choice that a word means here. Raises `ChoiceError` if it is not legal."""
        choice = position.menus[seat].choices.get(word)
        if choice is None:  # one that is not on the menu may still be legal
            return rounds.parse_choice(self.ruleset, position.state, seat, word)
        return choice

    # Worked out once

    def _menu(self, choices: int) -> Menu:
        """A set of choices by their words."""
        word, rules = self.ruleset.game.notation.format_choice, self.ruleset.rules
        words = {
            word(rules, choice): choice
            for choice in range(choices.bit_length())
            if choices >> choice & 1
        }
        return Menu(words, orjson.dumps(list(words)))

    def _faces(self, position: Position, red: int, blue: int) -> int:
        """How many ways chance can go if these choices are made."""
        return self.ruleset.game.rules.chance(self.ruleset.rules, position.state, red, blue)

    def _play(self, position: Position, red: int, blue: int, face: int) -> Step:
        """What becomes of a position by these choices and this throw."""
        game, rules, state = self.ruleset.game, self.ruleset.rules, position.state
        after = game.rules.resolve(rules, state, red, blue, face)
        word = game.notation.format_choice
        public = {
            "red": None if red == NO_CHOICE else word(rules, red),
            "blue": None if blue == NO_CHOICE else word(rules, blue),
            "chance": game.notation.format_chance(rules, state, red, blue, face),
        }
        return Step(self.position(after), orjson.dumps(public))

    def _position(self, state: Any) -> Position:
        return Position(self, state)
