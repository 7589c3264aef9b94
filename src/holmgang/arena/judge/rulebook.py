"""A ruleset with what has been worked out kept: games of the same bots meet the same states again.

The rules are pure functions, so a result can be looked up instead; the interpreted rules are most
of what a round costs the judge.
"""

import hashlib
from typing import Any, NamedTuple

import orjson

from holmgang.engine.keys import draw_below
from holmgang.games.contract import BLUE, RED
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset

KEPT = 1 << 16  # rounds


class Menu(NamedTuple):
    """What there is to choose from."""

    choices: dict[str, int]
    json: bytes
    """The words as JSON."""


class Step(NamedTuple):
    """A round that was played."""

    after: "Position"
    public: bytes
    """Both choices and what chance brought, as JSON."""


class Position:
    """A state with what the judge asks of it, each worked out once."""

    __slots__ = ("choices", "forks", "hash", "json", "menus", "outcome", "ruleset", "state")

    def __init__(self, book: "Rulebook", state: Any) -> None:
        self.ruleset = ruleset = book.ruleset
        self.state = state
        self.outcome: Outcome | None = ruleset.outcome(state)
        """How the rules say that the duel has ended; None if it goes on."""
        self.choices = ruleset.choice_set(state, RED), ruleset.choice_set(state, BLUE)
        """The sets of choices of both seats."""
        self.menus = book.menu(self.choices[RED]), book.menu(self.choices[BLUE])
        self.json = orjson.dumps(ruleset.format_state(state), option=orjson.OPT_SORT_KEYS)
        """The state with its keys in order: what bots are shown, and what records hash."""
        self.hash = hashlib.sha256(self.json).hexdigest()[:16].encode()
        """The hash of the state in records."""
        self.forks: dict[tuple[int, int], tuple[int, dict[int, Step]]] = {}
        """For both choices, in how many ways chance can go, and what came of those it went."""


class Rulebook:
    """The rules of one ruleset, and its words."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._menus: dict[int, Menu] = {}
        self._positions: dict[Any, Position] = {}
        self._kept = 0
        self.start = self.position(ruleset.initial())

    def start_at(self, text: str | None) -> Position:
        """The position that a text of the game's notation names; the rules' own start for None."""
        return self.start if text is None else self.position(self.ruleset.parse_state(text))

    def menu(self, choices: int) -> Menu:
        """A set of choices by their words."""
        found = self._menus.get(choices)
        if found is None:
            words = {
                self.ruleset.word(choice): choice
                for choice in range(choices.bit_length())
                if choices >> choice & 1
            }
            found = self._menus[choices] = Menu(words, orjson.dumps(list(words)))
        return found

    def position(self, state: Any) -> Position:
        found = self._positions.get(state)
        if found is None:
            found = self._positions[state] = Position(self, state)
        return found

    def play(self, position: Position, red: int, blue: int, dice: int, round: int) -> Step:
        """The position after these choices in that round, and what is made public of it. `dice` is
        the key that the game's dice are drawn from.
        """
        fork = position.forks.get((red, blue))
        if fork is None:
            faces = self.ruleset.chance(position.state, red, blue)
            fork = position.forks[red, blue] = faces, {}
        faces, steps = fork
        face = draw_below(dice, round, faces) if faces > 1 else 0
        step = steps.get(face)
        if step is None:
            self._forget()
            step = steps[face] = self._resolve(position, red, blue, face)
        return step

    def parse(self, position: Position, seat: int, word: str) -> int:
        """The choice that a word means here. Raises `ChoiceError` if it is not legal."""
        choice = position.menus[seat].choices.get(word)
        if choice is None:  # one that is not on the menu may still be legal
            return self.ruleset.parse_choice(position.state, seat, word)
        return choice

    def _resolve(self, position: Position, red: int, blue: int, face: int) -> Step:
        state = position.state
        after = self.ruleset.resolve_unchecked(state, red, blue, face)
        public = {
            "red": self.ruleset.word_or_none(red),
            "blue": self.ruleset.word_or_none(blue),
            "chance": self.ruleset.format_chance(state, red, blue, face),
        }
        return Step(self.position(after), orjson.dumps(public))

    def _forget(self) -> None:
        """Begins anew when there is too much: what is met often is soon there again."""
        self._kept += 1
        if self._kept > KEPT:
            for position in self._positions.values():
                position.forks.clear()
            self._positions = {self.start.state: self.start}
            self._menus.clear()
            self._kept = 1
