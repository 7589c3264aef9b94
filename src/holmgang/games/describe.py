"""Descriptions of games and their rules: JSON for programs; the rulebook and values for people."""

from typing import NamedTuple

from holmgang.games.catalogue import Entry
from holmgang.games.defaults.page import rules_page
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.settings import rule_defaults, rule_ranges
from holmgang.games.shape import JsonObject


def describe_game(entry: Entry) -> JsonObject:
    """A game of the catalogue as JSON, as `holmgang games --json` prints it."""
    defaults = rule_defaults(entry)
    return {
        "name": entry.name,
        "title": entry.title,
        "line": entry.line,
        "ruleset_hash": load(entry.name).hash,
        "wins_needed": entry.wins_needed,
        "round_limit": entry.round_limit,
        "endless": load(entry.name).endless().as_json(),
        "rules": {
            rule: {"default": defaults[rule], "range": [allowed[0], allowed[-1]]}
            for rule, allowed in rule_ranges(entry).items()
        },
    }


class RuleValue(NamedTuple):
    name: str
    value: int
    default: int
    allowed: range

    @property
    def is_changed(self) -> bool:
        return self.value != self.default


def rules_markdown(ruleset: Ruleset) -> str:
    """The rules for people: RULES.md, or a page made from the docstring of the rules."""
    game, title = ruleset.game, ruleset.entry.title
    if game.page is not None and game.page.is_file():
        return game.page.read_text("utf-8")
    return rules_page(title, game.rules.__doc__ or "", game_words(ruleset), game.rules.Rules)


def game_words(ruleset: Ruleset) -> list[str]:
    """The words of all choices, if they are few."""
    choices = getattr(ruleset.game.rules, "Choice", None)
    return [] if choices is None else [ruleset.word(int(choice)) for choice in choices]


def rule_values(ruleset: Ruleset) -> list[RuleValue]:
    """Every rule, with its default in the catalogue."""
    defaults, ranges = rule_defaults(ruleset.entry), rule_ranges(ruleset.entry)
    return [
        RuleValue(name, value, defaults[name], ranges[name])
        for name, value in ruleset.rules._asdict().items()
    ]
