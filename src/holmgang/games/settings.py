"""The rules of a catalogue entry: their names, ranges and defaults, and parsing their values."""

import re
from difflib import get_close_matches
from typing import Any, get_type_hints

from holmgang.errors import RulesetError, UnknownGame
from holmgang.games.catalogue import CATALOGUE, Entry
from holmgang.games.shape import brief


def find_entry(name: str) -> Entry:
    if name in CATALOGUE:
        return CATALOGUE[name]
    close = get_close_matches(name.lower().replace("_", "-").replace(" ", "-"), CATALOGUE, 1)
    known = f"there are {', '.join(CATALOGUE)}; others are loaded with --games"
    hint = f"did you mean {close[0]}?" if close else known
    raise UnknownGame(f"no game {brief(name)}; {hint}")


def rule_ranges(entry: Entry) -> dict[str, range]:
    """The allowed values of each rule, in the order of the rulebook."""
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
    """The rules that differ from the catalogue entry."""
    defaults = rule_defaults(entry)
    return {rule: value for rule, value in rules._asdict().items() if value != defaults[rule]}
