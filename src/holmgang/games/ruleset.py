"""Rulesets: a game with its rules settled, written `bagh` or `bagh:max_boost=4,start_hp=5`.

A ruleset has one canonical text and a hash that depends on nothing but the rules themselves, so two
ways of writing the same rules are the same ruleset.
"""

import hashlib
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any, get_type_hints

from holmgang.errors import RulesetError
from holmgang.games.catalogue import CATALOGUE, Entry
from holmgang.games.contract import Game
from holmgang.games.shape import brief

LONGEST_TEXT = 4000


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game. Make one with `load`."""

    entry: Entry
    rules: Any

    @property
    def game(self) -> Game:
        return self.entry.game

    @cached_property
    def text(self) -> str:
        """The canonical text: the catalogue name with the fewest rules to add to it."""
        return format_ruleset(self)

    @cached_property
    def hash(self) -> str:
        """16 hex digits over the game and every rule that is not as its `rules.py` has it, so that
        a rule which is added later, and changes nothing by default, changes no hash.
        """
        defaults = self.game.rules.Rules()._asdict()
        changes = sorted(set(self.rules._asdict().items()) - set(defaults.items()))
        values = ",".join(f"{name}={value}" for name, value in changes)
        return hashlib.sha256(f"{self.game.folder}:{values}".encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and other.hash == self.hash

    def __hash__(self) -> int:
        return int(self.hash, 16)


def as_ruleset(ruleset: object) -> Ruleset:
    """A ruleset, given as one or as its text."""
    return ruleset if isinstance(ruleset, Ruleset) else load(ruleset)


def load(text: object) -> Ruleset:
    """The ruleset that the text names.

    >>> load("bagh:start_hp=5,max_boost=6").text
    'bagh:start_hp=5'
    >>> load("bagh:max_bost=4")
    Traceback (most recent call last):
    holmgang.errors.RulesetError: bagh has no rule 'max_bost'; did you mean max_boost?
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise RulesetError(f"a ruleset is a short text such as bagh:max_boost=4; not {brief(text)}")
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
    impossible = getattr(entry.game.rules, "impossible", None)
    if impossible is not None and (why := impossible(rules)):
        raise RulesetError(f"{brief(text)} cannot be played: {why}")
    return canonical(Ruleset(entry, rules))


def find_entry(name: str) -> Entry:
    if name in CATALOGUE:
        return CATALOGUE[name]
    close = get_close_matches(name.lower().replace("_", "-").replace(" ", "-"), CATALOGUE, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(CATALOGUE)}"
    raise RulesetError(f"no game {brief(name)}; {hint}")


def rule_ranges(entry: Entry) -> dict[str, range]:
    """The rules of a game in the order of its rulebook, with the values each may take."""
    hints = get_type_hints(entry.game.rules.Rules, include_extras=True)
    return {rule: hint.__metadata__[0] for rule, hint in hints.items()}


def rule_defaults(entry: Entry) -> dict[str, int]:
    return {**entry.game.rules.Rules()._asdict(), **entry.preset}


def parse_setting(entry: Entry, setting: str) -> tuple[str, int]:
    rule, equals, value = (part.strip() for part in setting.partition("="))
    ranges = rule_ranges(entry)
    if not equals or not rule:
        raise RulesetError(
            f"{brief(setting)} is not a rule with a value; write {entry.name}:rule=value,… "
            f"with rules such as {', '.join(list(ranges)[:3])}"
        )
    if rule not in ranges:
        close = get_close_matches(rule, ranges, 1)
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(ranges)}"
        raise RulesetError(f"{entry.name} has no rule {brief(rule)}; {hint}")
    allowed = ranges[rule]
    span = f"a whole number from {allowed[0]} to {allowed[-1]}"
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", value):
        raise RulesetError(f"{rule} must be {span}; not {brief(value)}")
    if int(value) not in allowed:
        raise RulesetError(f"{rule} must be {span}; not {int(value)}")
    return rule, int(value)


def differences(entry: Entry, rules: Any) -> dict[str, int]:
    """The rules in which these depart from the catalogue entry."""
    defaults = rule_defaults(entry)
    return {rule: value for rule, value in rules._asdict().items() if value != defaults[rule]}


def canonical(ruleset: Ruleset) -> Ruleset:
    """The same rules under the catalogue name that is closest to them; the first, of several."""
    siblings = (entry for entry in CATALOGUE.values() if entry.game is ruleset.game)
    closest = min(siblings, key=lambda entry: len(differences(entry, ruleset.rules)))
    return Ruleset(closest, ruleset.rules)


def format_ruleset(ruleset: Ruleset) -> str:
    changes = differences(ruleset.entry, ruleset.rules)
    settings = ",".join(f"{rule}={value}" for rule, value in changes.items())
    return f"{ruleset.entry.name}:{settings}" if settings else ruleset.entry.name
