"""The course of one game in numbers: the only loop over rounds outside the compiled kernels.

`Course` plays any ruleset: states, choices, dice, the round limit. A duel adds words and hidden
choice, the arena adds bots and clocks. A `Position` computes each property of a state once;
`Positions` caches positions, because games of the same players reach the same states again.
"""

import hashlib
import json
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from holmgang.engine.history import History
from holmgang.engine.keys import draw_below
from holmgang.games.contract import BLUE, RED, State
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset

Forked = TypeVar("Forked")

KEPT = 1 << 16  # rounds in the cache
ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)
SORTING_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def fork_of(original: Forked) -> Forked:
    """A copy with the same attributes. Each must be immutable, or replaced instead of changed, or
    forked by the caller.
    """
    fork = object.__new__(type(original))
    fork.__dict__ = original.__dict__.copy()
    return fork


class WordedChoices(NamedTuple):
    """A set of choices by their words."""

    choices: dict[str, int]
    json: bytes
    """The words as JSON."""


class Step:
    """A round that was played: both choices, the face of the die, and the position after it."""

    __slots__ = ("_public", "after", "before", "blue", "face", "red")

    def __init__(
        self, before: "Position", red: int, blue: int, face: int, after: "Position"
    ) -> None:
        self.before, self.after = before, after
        self.red, self.blue, self.face = red, blue, face
        self._public = b""

    @property
    def public(self) -> bytes:
        """Both choices and the chance outcome, as JSON."""
        if not self._public:
            self._public = self.before.encode_round(self.red, self.blue, self.face)
        return self._public

    def choice(self, seat: int) -> int:
        return self.blue if seat else self.red


class Position:
    """A state with its derived values, each computed once."""

    __slots__ = ("_hash", "_json", "_menus", "_positions", "choices", "forks", "outcome", "state")

    def __init__(self, positions: "Positions", state: State) -> None:
        ruleset = positions.ruleset
        self._positions = positions
        self.state = state
        self.outcome: Outcome | None = ruleset.outcome(state)
        """The outcome by the rules; None while the duel goes on."""
        self.choices = ruleset.choice_set(state, RED), ruleset.choice_set(state, BLUE)
        """The sets of choices of both seats."""
        self.forks: dict[tuple[int, int], tuple[int, dict[int, Step]]] = {}
        """By both choices: the number of faces, and the steps of the faces thrown so far."""
        self._menus: tuple[WordedChoices, WordedChoices] | None = None
        self._json = self._hash = b""

    @property
    def ruleset(self) -> Ruleset:
        return self._positions.ruleset

    @property
    def menus(self) -> tuple[WordedChoices, WordedChoices]:
        """The choices of each seat, in words."""
        if self._menus is None:
            red, blue = self.choices
            self._menus = self._positions.menu(red), self._positions.menu(blue)
        return self._menus

    @property
    def json(self) -> bytes:
        """The state as JSON with sorted keys, as bots see it and as records hash it."""
        if not self._json:
            self._json = self._positions.encode.sorted(self.ruleset.format_state(self.state))
        return self._json

    @property
    def hash(self) -> bytes:
        """The hash of the state in records."""
        if not self._hash:
            self._hash = hash_state(self.json).encode()
        return self._hash

    def encode_round(self, red: int, blue: int, face: int) -> bytes:
        """A round from here as JSON: both choices and the chance outcome."""
        ruleset, encode = self.ruleset, self._positions.encode.plain
        words = [encode(ruleset.word_or_none(choice)) for choice in (red, blue)]
        chance = encode(ruleset.format_chance(self.state, red, blue, face))
        return b'{"red":%b,"blue":%b,"chance":%b}' % (*words, chance)

    def parse(self, seat: int, word: object) -> int:
        """The choice that a word means here. Raises `ChoiceError` if it is not legal."""
        # A damaged record may have anything here.
        choice = self.menus[seat].choices.get(word) if isinstance(word, str) else None
        if choice is None:  # a choice that is not on the menu may still be legal
            return self.ruleset.parse_choice(self.state, seat, word)
        return choice


class Encoder(NamedTuple):
    """Two functions that encode compact JSON: with keys in their own order, and sorted."""

    plain: Callable[[object], bytes]
    sorted: Callable[[object], bytes]


def encode_plain(value: object) -> bytes:
    return ENCODER.encode(value).encode()


def encode_state(value: object) -> bytes:
    return SORTING_ENCODER.encode(value).encode()


def hash_state(encoded: bytes) -> str:
    """A hash of a state as 16 hex digits, the same on every machine."""
    return hashlib.sha256(encoded).hexdigest()[:16]


class Positions:
    """The positions of one ruleset."""

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        keep: int = KEPT,
        encode: Encoder = Encoder(encode_plain, encode_state),  # noqa: B008 - immutable
    ) -> None:
        """`keep` is the number of rounds whose results are cached. `encode` can be faster than the
        default, with the same results.
        """
        self.ruleset, self.encode = ruleset, encode
        self._keep, self._kept = keep, 0
        self._menus: dict[int, WordedChoices] = {}
        self._positions: dict[State, Position] = {}
        self.start = self.at(ruleset.initial())

    def at(self, state: State) -> Position:
        found = self._positions.get(state)
        if found is None:
            found = Position(self, state)
            if self._keep:
                self._positions[state] = found
        return found

    def menu(self, choices: int) -> WordedChoices:
        """A set of choices by their words."""
        found = self._menus.get(choices)
        if found is None:
            words = {
                self.ruleset.word(choice): choice
                for choice in range(choices.bit_length())
                if choices >> choice & 1
            }
            found = self._menus[choices] = WordedChoices(words, self.encode.plain(list(words)))
        return found

    def fork(self, before: Position, red: int, blue: int) -> tuple[int, dict[int, Step]]:
        """For legal choices: the number of faces, and the steps known so far."""
        fork: tuple[int, dict[int, Step]] = self.ruleset.chance(before.state, red, blue), {}
        if self._keep:
            before.forks[red, blue] = fork
        return fork

    def resolve(self, before: Position, red: int, blue: int, face: int) -> Step:
        """The round with these choices and this face."""
        self._forget()
        ruleset, state = self.ruleset, before.state
        after = ruleset.resolve_unchecked(state, red, blue, face)
        return Step(before, red, blue, face, self.at(after))

    def _forget(self) -> None:
        """Empties the cache when it is full. Frequent positions soon return to it."""
        self._kept += 1
        if self._kept > self._keep > 0:
            for position in list(self._positions.values()):  # other threads may add to it meanwhile
                position.forks.clear()
            self._positions = {self.start.state: self.start}
            self._menus.clear()
            self._kept = 1


class Course:
    """One game in progress. It learns of choices only when both are made.

    >>> from holmgang.games.ruleset import load
    >>> course = Course(Positions(load("bagh")), dice=7)
    >>> _ = course.play(0, 1)
    >>> course.round, course.position.ruleset.format_text(course.position.state)
    (2, '2.1.0.0/3.0.0.0')
    """

    def __init__(
        self, positions: Positions, *, dice: int, start: object = None, limit: int | None = None
    ) -> None:
        """Dice are drawn from the key `dice`. `start` is a state (as the game's own type, JSON or
        text; default: the start of the rules). After `limit` rounds the game ends like endless play
        (default: the catalogue's limit; 0: no limit).
        """
        self.positions = positions
        self.position = positions.start
        if start is not None:
            self.position = positions.at(positions.ruleset.parse_state(start))
        self.outcome = self.position.outcome
        """How the game has ended; None while it goes on."""
        self.steps: History[Step] = History()
        self.round = 1
        """The number of the open round, or of the one that would be next."""
        self.limit = positions.ruleset.entry.round_limit if limit is None else limit
        self._dice = dice

    def fork(self) -> "Course":
        """A copy that can be played on; this course stays as it is."""
        return fork_of(self)

    @property
    def ruleset(self) -> Ruleset:
        return self.positions.ruleset

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    def play(self, red: int, blue: int, face: int | None = None) -> Step:
        """Plays a round with these choices, which must be legal. Throws the die unless its face is
        given.
        """
        step = self.prepare(red, blue, face)
        self.apply(step)
        return step

    def prepare(self, red: int, blue: int, face: int | None = None) -> Step:
        """The same round without playing it."""
        before = self.position
        fork = before.forks.get((red, blue)) or self.positions.fork(before, red, blue)
        faces, steps = fork
        if face is None:
            face = draw_below(self._dice, self.round, faces) if faces > 1 else 0
        step = steps.get(face)
        if step is None:
            step = steps[face] = self.positions.resolve(before, red, blue, face)
        return step

    def apply(self, step: Step) -> None:
        """Plays a round that was prepared."""
        self.steps = self.steps.plus(step)
        self.position = step.after
        self.outcome = self.position.outcome
        if self.outcome is None and self.round == self.limit:
            self.outcome = self.ruleset.endless()
        self.round += 1

    def end(self, outcome: Outcome) -> None:
        """Ends the game for a reason outside the rules, such as a forfeit."""
        self.outcome = outcome
