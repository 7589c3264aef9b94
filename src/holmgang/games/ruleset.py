"""Rulesets: a game with the values of its rules, written `bagh` or `bagh:max_boost=4,start_hp=5`.

All code above this folder uses a game through a `Ruleset`: it has the game's functions, bound to
its rules. Choices are numbers, with words at the edges; seats are 0 (red) and 1 (blue).

A ruleset has one canonical text, and a hash that depends only on the rules, so two ways of writing
the same rules are the same ruleset.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from holmgang.errors import ChanceError, ChoiceError, NothingToChoose, RulesetError, StateError
from holmgang.games.catalogue import CATALOGUE, Entry
from holmgang.games.code import game_digest
from holmgang.games.contract import (
    NO_CHOICE,
    RED,
    SEATS,
    UTILITY,
    AnyGame,
    ChoiceLabel,
    Clause,
    Ending,
    Scene,
    State,
    note_text,
    sentences,
)
from holmgang.games.defaults import rules as optional
from holmgang.games.drawing import Row
from holmgang.games.fields import Bounds
from holmgang.games.guide import Preset
from holmgang.games.outcome import Outcome
from holmgang.games.settings import differences, find_entry, parse_setting
from holmgang.games.shape import JsonObject, brief

LONGEST_TEXT = 4000


@dataclass(frozen=True)
class Ruleset:
    """A game with the values of its rules. Make one with `load`.

    >>> ruleset = load("bagh")
    >>> [ruleset.word(choice) for choice in ruleset.choices(ruleset.initial(), 0)]
    ['boost', 'attack', 'guard', 'heal']
    """

    entry: Entry
    rules: Any
    """The value of each rule: the game's own `Rules`."""

    @property
    def game(self) -> AnyGame:
        return self.entry.game

    @cached_property
    def text(self) -> str:
        """The canonical text: the closest catalogue name, and the rules that differ from it."""
        changes = differences(self.entry, self.rules)
        settings = ",".join(f"{rule}={value}" for rule, value in changes.items())
        return f"{self.entry.name}:{settings}" if settings else self.entry.name

    @cached_property
    def hash(self) -> str:
        """A hash of the game and every rule that differs from the default in `rules.py`, as 16 hex
        digits. Adding a rule whose default changes nothing in play does not change hashes.
        For a game outside of Holmgang it covers the code of its rules too.
        """
        defaults = self.game.rules.Rules()._asdict()
        changes = sorted(set(self.rules._asdict().items()) - set(defaults.items()))
        values = ",".join(f"{name}={value}" for name, value in changes)
        return hashlib.sha256(f"{self.game.key}:{values}".encode()).hexdigest()[:16]

    @property
    def code(self) -> str:
        """A digest of the code of the rules; `hash` covers it only for outside games."""
        return game_digest(self.game)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Ruleset {self.text}>"

    def __reduce__(self) -> "tuple[Callable[[str], Ruleset], tuple[str]]":
        """Pickled as text: another process needs the same games."""
        return load, (self.text,)

    def __deepcopy__(self, memo: object) -> "Ruleset":
        return self  # it is immutable, and games are modules, which cannot be copied

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and other.hash == self.hash

    def __hash__(self) -> int:
        return int(self.hash, 16)

    # The rules

    def initial(self) -> State:
        state: State = self.game.rules.initial(self.rules)
        return state

    def choice_set(self, state: State, seat: int) -> int:
        """The choices of a seat as a bit mask; 0 if it has nothing to choose."""
        return self.game.rules.choices(self.rules, state, seat)

    def choices(self, state: State, seat: int) -> list[int]:
        """The choices on a seat's menu; empty if it has nothing to choose."""
        mask = self.game.rules.choices(self.rules, state, seat)
        return [choice for choice in range(mask.bit_length()) if mask >> choice & 1]

    def words(self, state: State, seat: int) -> list[str]:
        """The menu in words."""
        format_choice, rules = self.game.notation.format_choice, self.rules
        return [format_choice(rules, choice) for choice in self.choices(state, seat)]

    def is_legal(self, state: State, seat: int, choice: int) -> bool:
        """Whether a seat may make a choice; some games have more choices than their menus list."""
        if self.game.is_legal is not None:
            return self.game.is_legal(self.rules, state, seat, choice)
        return choice >= 0 and self.choice_set(state, seat) >> choice & 1 == 1

    @property
    def choice_count(self) -> int:
        """Every choice that can be on a menu is a number below this."""
        return self.game.notation.choice_count(self.rules)

    @property
    def field_bounds(self) -> dict[str, Bounds]:
        """The least and greatest value of each number of a state in a game from the start, by its
        path, such as `red.hp`; None for no limit.
        """
        return self.game.notation.field_bounds(self.rules)

    def chance(self, state: State, red: int, blue: int) -> int:
        """The number of faces of the die after these choices; 1 if none is thrown."""
        return self._chance(self.rules, state, red, blue)

    @cached_property
    def _chance(self) -> Callable[..., int]:
        own: Callable[..., int] | None = getattr(self.game.rules, "chance", None)
        return own or optional.chance

    def throws(self, state: State, red: int, blue: int) -> list[tuple[int, int]]:
        """One face for each possible result of the die, and the number of faces with that result.
        Faces with the same result may be listed separately.
        """
        rules = self.game.rules
        groups = getattr(rules, "face_groups", None)
        if groups is None:
            return [(face, 1) for face in range(self.chance(state, red, blue))]
        found = (
            rules.face_group(self.rules, state, red, blue, group)  # type: ignore[attr-defined]
            for group in range(groups(self.rules, state, red, blue))
        )
        return [(face, faces) for face, faces in found if faces]

    def resolve(self, state: State, red: int, blue: int, face: int = 0) -> State:
        """The state after a round. Raises `StateError`, `ChoiceError` or `ChanceError` if the duel
        is over, a choice is not legal, or there is no such face.
        """
        self.check_undecided(state)
        for seat, choice in enumerate((red, blue)):
            is_asked = self.choice_set(state, seat) != 0
            if not self.is_legal(state, seat, choice) if is_asked else choice != NO_CHOICE:
                raise ChoiceError(f"{SEATS[seat]} may not make the choice {choice} here")
        if not 0 <= face < self.chance(state, red, blue):
            raise ChanceError(f"the die has no face {face} here")
        return self.resolve_unchecked(state, red, blue, face)

    def resolve_unchecked(self, state: State, red: int, blue: int, face: int) -> State:
        """The state after a round, for arguments that are known to be valid."""
        after: State = self.game.rules.resolve(self.rules, state, red, blue, face)
        return after

    def ending(self, state: State) -> Ending:
        """The outcome in numbers; `reason` is 0 while the duel goes on."""
        return self.game.rules.outcome(self.rules, state)

    def outcome(self, state: State) -> Outcome | None:
        """The outcome by the rules; None while the duel goes on."""
        ended = self.ending(state)
        if not ended.reason:
            return None
        return Outcome(**self.game.notation.format_outcome(self.rules, state, ended))

    def utility(self, state: State) -> float | None:
        """The value of the outcome to red: 1, 0 or -1; None while the duel goes on."""
        ended = self.ending(state)
        return UTILITY[ended.winner] if ended.reason else None

    @property
    def endless_ending(self) -> Ending:
        """The outcome of a duel that never ends, in numbers; `reason` is 0 for a draw."""
        endless = getattr(self.game.rules, "endless", None)
        ended: Ending = self.ending(self.initial()) if endless is None else endless(self.rules)
        return ended

    def endless(self) -> Outcome:
        """The outcome of a duel that never ends or reaches the round limit."""
        ended = self.endless_ending
        if not ended.reason:
            return Outcome(None, "limit")
        return Outcome(**self.game.notation.format_outcome(self.rules, self.initial(), ended))

    @property
    def endless_utility(self) -> float:
        """The value of endless play to red: 1, 0 or -1."""
        return UTILITY[self.endless_ending.winner]

    def check_undecided(self, state: State) -> None:
        """Raises `StateError` if the duel is over."""
        ended = self.outcome(state)
        if ended is not None:
            raise StateError(f"the duel is over in this state ({ended.reason})")

    def disqualification(self, failed: Collection[str], reason: str) -> Outcome:
        """The outcome if these seats failed to play: the other wins, or nobody if both failed."""
        standing = [seat for seat in SEATS if seat not in failed]
        winner = standing[0] if len(standing) == 1 else None
        points_of_side = self.game.points_of_side
        if points_of_side is None:
            return Outcome(winner, reason)
        return Outcome(winner, reason, {seat: points_of_side(seat in failed) for seat in SEATS})

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether the rules are the same for both seats."""
        return self.game.notation.is_symmetric(self.rules)

    def mirror(self, state: State) -> State:
        """The state with the seats exchanged."""
        mirrored: State = self.game.notation.mirror(self.rules, state)
        return mirrored

    # Words

    def format_state(self, state: State) -> JsonObject:
        return self.game.notation.format_state(self.rules, state)

    def format_text(self, state: State) -> str:
        return self.game.notation.format_text(self.rules, state)

    def parse_state(self, value: object) -> State:
        """The state given as the game's own type, JSON, short text or JSON text; None is the start
        of the rules.
        """
        if value is None:
            return self.initial()
        if isinstance(value, str) and value.lstrip().startswith(("{", '"')):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                raise StateError("the state is neither JSON nor short text") from None
        if isinstance(value, str):
            state: State = self.game.notation.parse_text(self.rules, value)
            return state
        return value if isinstance(value, self.game.rules.State) else self.parse_json(value)

    def parse_json(self, value: object) -> State:
        """The state given as JSON only."""
        state: State = self.game.notation.parse_state(self.rules, value)
        return state

    def word(self, choice: int) -> str:
        return self.game.notation.format_choice(self.rules, choice)

    def word_or_none(self, choice: int) -> str | None:
        """The word of a choice; None for a seat that had nothing to choose."""
        return None if choice == NO_CHOICE else self.game.notation.format_choice(self.rules, choice)

    def short(self, choice: int) -> str:
        """The key or keys for a choice."""
        return self.game.notation.format_short(self.rules, choice)

    def expand_short(self, text: str) -> str | None:
        """The word for a short form, in upper or lower case; None if it is not a short form."""
        expand, rules = self.game.notation.expand_short, self.rules
        return expand(rules, text) or expand(rules, text.lower())

    def parse_word(self, word: str) -> int:
        """The choice for a word, legal or not. Raises `ChoiceError`."""
        return self.game.notation.parse_choice(self.rules, word)

    def parse_choice(self, state: State, seat: int, word: object) -> int:
        """The choice for a word. Raises `ChoiceError` if the seat may not make it in this state."""
        on_offer = self.choice_set(state, seat)
        if not on_offer:
            raise NothingToChoose(f"{SEATS[seat]} has nothing to choose now; not {brief(word)}")
        if not isinstance(word, str):
            raise ChoiceError(f"{SEATS[seat]} must choose with a word; not {brief(word)}")
        try:
            choice = self.parse_word(word)
        except ChoiceError as error:
            raise ChoiceError(f"{SEATS[seat]}: {error}") from None
        if not on_offer >> choice & 1 and not self.is_legal(state, seat, choice):
            allowed = ", ".join(self.words(state, seat))
            raise ChoiceError(
                f"{SEATS[seat]} may not choose {brief(word)} here; choose one of {allowed}"
            )
        return choice

    def harmless(self, state: State, seat: int) -> int:
        """The choice made for a seat that has run out of time. Raises `NothingToChoose`."""
        on_offer = self.choice_set(state, seat)
        if not on_offer:
            raise NothingToChoose(f"{SEATS[seat]} has nothing to choose now")
        if self.game.harmless is not None:
            return self.game.harmless(self.rules, state, seat)
        return (on_offer & -on_offer).bit_length() - 1

    def amounts(self, state: State, seat: int) -> Mapping[str, tuple[int, int]]:
        """The words that accept any number from least to most, on the menu or not."""
        if self.game.amounts is None:
            return {}
        return self.game.amounts(self.rules, state, seat)

    def format_chance(self, state: State, red: int, blue: int, face: int) -> JsonObject | None:
        return self.game.notation.format_chance(self.rules, state, red, blue, face)

    def parse_chance(self, state: State, red: int, blue: int, value: object) -> int:
        """A face of the die with the given chance outcome."""
        return self.game.notation.parse_chance(self.rules, state, red, blue, value)

    def chance_weights(
        self, state: State, red: int, blue: int
    ) -> list[tuple[JsonObject | None, int]]:
        """Every chance outcome of these choices, with its number of faces."""
        weights: dict[str, int] = {}
        for face in range(self.chance(state, red, blue)):
            key = json.dumps(self.format_chance(state, red, blue, face))
            weights[key] = weights.get(key, 0) + 1
        return [(json.loads(key), weight) for key, weight in weights.items()]

    # For people

    def clauses(self, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
        """The story of a round, in clauses."""
        return self.game.story.tell(self.rules, before, red, blue, face, after)

    def tell(self, before: State, red: int, blue: int, face: int, after: State) -> list[str]:
        """The story of a round, in sentences."""
        return sentences(self.clauses(before, red, blue, face, after))

    def notes(self, state: State, seat: int, choice: int) -> list[str]:
        """The effects of a choice."""
        return self.game.story.preview(self.rules, state, seat, choice)

    def preview(self, state: State, seat: int, choice: int) -> str:
        """The effects of a choice, in sentences."""
        return note_text(self.notes(state, seat, choice))

    def is_fatal(self, state: State, seat: int, choice: int) -> bool:
        """Whether a choice loses at once, whatever the other seat chooses and the dice show. Some
        of the results may be draws in which both lose, as when both run out of energy.

        >>> fencing = load("fencing")
        >>> tired = fencing.parse_state("0/200.4/300")
        >>> fencing.is_fatal(tired, 0, fencing.parse_word("lunge"))
        True
        """

        def ending(reply: int, face: int) -> Ending:
            red, blue = (choice, reply) if seat == RED else (reply, choice)
            return self.ending(self.resolve_unchecked(state, red, blue, face))

        others = self.choice_set(state, 1 - seat)
        first = (others & -others).bit_length() - 1  # NO_CHOICE if there is none
        ended = ending(first, 0)
        if not ended.reason or ended.winner == seat:  # nearly always, so look at one result first
            return False
        can_lose = False
        for reply in self.choices(state, 1 - seat) or [NO_CHOICE]:
            red, blue = (choice, reply) if seat == RED else (reply, choice)
            for face, _ in self.throws(state, red, blue):
                ended = ending(reply, face)
                if not ended.reason or ended.winner == seat:
                    return False
                can_lose = can_lose or ended.winner == 1 - seat
        return can_lose

    def label(self, state: State, seat: int, choice: int) -> ChoiceLabel:
        """A choice as people read it; its word in a game without labels.

        >>> fencing = load("fencing")
        >>> fencing.label(fencing.initial(), 0, fencing.parse_word("double_walk")).verb
        'Double walk'
        """
        if self.game.label is not None:
            return self.game.label(self.rules, state, seat, choice)
        return plain_label(self.word(choice))

    def tell_ending(self, state: State) -> str:
        """The outcome by the rules in a sentence; in an undecided state, that of endless play."""
        ended = self.ending(state)
        if not ended.reason:
            ended = self.endless_ending
        return self.game.story.ending(self.rules, state, ended)

    def board(self, state: State, width: int) -> list[Row]:
        """The state as rows of text with roles."""
        return self.game.board.draw(self.rules, state, width)

    def picture(self, state: State, scene: Scene = Scene()) -> str:  # noqa: B008 - immutable
        """The state as SVG text."""
        return self.game.picture.draw(self.rules, state, scene)


@lru_cache(maxsize=1024)
def plain_label(word: str) -> ChoiceLabel:
    """The label of a choice in a game without labels."""
    verb, *arguments = word.split(" ")
    return ChoiceLabel(
        verb.replace("_", " ").capitalize(), tuple(("", argument) for argument in arguments)
    )


def load_stored(text: object, stored_hash: object) -> Ruleset:
    """The ruleset of a record or log, by its text and hash. The name may have meant other rules
    when it was written (`Entry.earlier`). Raises `RulesetError`, also for rules that are no longer
    known. It never loads the code of a game.
    """
    ruleset = load(text)
    older = canonical(Ruleset(ruleset.entry, ruleset.rules._replace(**ruleset.entry.earlier)))
    for found in (ruleset, older):
        if found.hash == stored_hash:
            return found
    raise RulesetError(
        f"uses different rules for {ruleset.text} (hash {brief(stored_hash)}, here {ruleset.hash})"
    )


def as_ruleset(ruleset: object) -> Ruleset:
    """The ruleset, given as a `Ruleset` or as its text."""
    return ruleset if isinstance(ruleset, Ruleset) else load(ruleset)


def load(text: object) -> Ruleset:
    """The ruleset with this text.

    >>> load("bagh:start_hp=5,max_boost=6").text
    'bagh:start_hp=5'
    >>> load("bagh:max_bost=4")
    Traceback (most recent call last):
    holmgang.errors.RulesetError: bagh has no rule 'max_bost'; did you mean max_boost?
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise RulesetError(
            f"a ruleset must be a short text such as bagh:max_boost=4; not {brief(text)}"
        )
    return _load(text)


@lru_cache(maxsize=256)
def _load(text: str) -> Ruleset:
    name, colon, settings = text.strip().partition(":")
    entry = find_entry(name)
    changes = dict(entry.preset)
    seen: set[str] = set()
    for setting in settings.split(",") if colon else ():
        rule, value = parse_setting(entry, setting.strip())
        if rule in seen:
            raise RulesetError(f"{brief(text)} sets {rule} twice")
        seen.add(rule)
        changes[rule] = value
    rules = entry.game.rules.Rules(**changes)
    why = "" if entry.game.impossible is None else entry.game.impossible(rules)
    if why:
        raise RulesetError(f"{brief(text)} cannot be played: {why}")
    return canonical(Ruleset(entry, rules))


def preset_text(entry: Entry, preset: Preset) -> str:
    """The text of a game with the rules of a preset."""
    settings = ",".join(f"{rule}={value}" for rule, value in preset.rules.items())
    return load(f"{entry.name}:{settings}" if settings else entry.name).text


def forget() -> None:
    """Forgets which rulesets were loaded, after a change of the catalogue."""
    _load.cache_clear()


def canonical(ruleset: Ruleset) -> Ruleset:
    """The same rules under the closest catalogue name; the first if there are several."""
    siblings = (entry for entry in CATALOGUE.values() if entry.game is ruleset.game)
    closest = min(
        siblings, key=lambda entry: len(differences(entry, ruleset.rules)), default=ruleset.entry
    )
    return Ruleset(closest, ruleset.rules)
