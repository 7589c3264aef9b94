"""A ruleset with what has been worked out kept: games of the same bots meet the same states again.

The rules are pure functions, so a result can be looked up instead; the interpreted rules are most
of what a round costs the judge.
"""

import hashlib
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from holmgang.engine import rounds
from holmgang.engine.rounds import Outcome
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import Ruleset

KEPT = 1 << 15


class Position:
    """A state with what the judge asks of it."""

    __slots__ = ("_hash", "_json", "choices", "outcome", "ruleset", "state")

    def __init__(self, ruleset: Ruleset, state: Any) -> None:
        self.ruleset = ruleset
        self.state = state
        self.outcome: Outcome | None = rounds.outcome(ruleset, state)
        """How the rules say that the duel has ended; None if it goes on."""
        choices, rules = ruleset.game.rules.choices, ruleset.rules
        self.choices = choices(rules, state, RED), choices(rules, state, BLUE)
        """The sets of choices of both seats."""
        self._json = b""
        self._hash = b""

    @property
    def json(self) -> bytes:
        """The state with its keys in order: what bots are shown, and what records hash."""
        if not self._json:
            value = self.ruleset.game.notation.format_state(self.ruleset.rules, self.state)
            self._json = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        return self._json

    @property
    def hash(self) -> bytes:
        """The hash of the state in records."""
        if not self._hash:
            self._hash = hashlib.sha256(self.json).hexdigest()[:16].encode()
        return self._hash


class Step(NamedTuple):
    """A round that was played."""

    after: Position
    public: bytes
    """Both choices and what chance brought, as JSON."""


class Rulebook:
    """The rules of one ruleset, and its words."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.text = orjson.dumps(ruleset.text)
        self.start = Position(ruleset, ruleset.game.rules.initial(ruleset.rules))
        self.play = lru_cache(KEPT)(self._play)
        self.menu = lru_cache(KEPT)(self._menu)

    def _play(self, state: Any, red: int, blue: int, face: int) -> Step:
        """What becomes of a state by these choices and this throw."""
        game, rules = self.ruleset.game, self.ruleset.rules
        after = game.rules.resolve(rules, state, red, blue, face)
        word = game.notation.format_choice
        public = {
            "red": None if red == NO_CHOICE else word(rules, red),
            "blue": None if blue == NO_CHOICE else word(rules, blue),
            "chance": game.notation.format_chance(rules, state, red, blue, face),
        }
        return Step(Position(self.ruleset, after), orjson.dumps(public))

    def _menu(self, choices: int) -> tuple[dict[str, int], bytes]:
        """A set of choices by their words, and the words as JSON."""
        word, rules = self.ruleset.game.notation.format_choice, self.ruleset.rules
        words = {
            word(rules, choice): choice
            for choice in range(choices.bit_length())
            if choices >> choice & 1
        }
        return words, orjson.dumps(list(words))

    def parse(self, position: Position, seat: int, word: str) -> int:
        """The choice that a word means here. Raises `ChoiceError` if it is not legal."""
        choice = self.menu(position.choices[seat])[0].get(word)
        if choice is None:  # one that is not on the menu may still be legal
            return rounds.parse_choice(self.ruleset, position.state, seat, word)
        return choice
