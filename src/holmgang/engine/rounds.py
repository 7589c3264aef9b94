"""One decision round of any ruleset: who may choose what, what can be thrown, what comes of it.

These are the safe ways into a game's rules: they check. States are the game's own; choices are
numbers here and words outside (`holmgang.games.contract`).
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from holmgang.errors import ChoiceError, NothingToChoose
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief


@dataclass(frozen=True)
class Outcome:
    """How a duel ended: `winner` is "red", "blue" or None for a draw."""

    winner: str | None
    reason: str
    points: dict[str, int] | None = None

    def as_json(self) -> dict[str, Any]:
        ended: dict[str, Any] = {"winner": self.winner, "reason": self.reason}
        return ended if self.points is None else {**ended, "points": self.points}


def menu(ruleset: Ruleset, state: Any, seat: int) -> list[int]:
    """The choices on offer to a seat; empty if it has nothing to choose."""
    mask = ruleset.game.rules.choices(ruleset.rules, state, seat)
    return [choice for choice in range(mask.bit_length()) if mask >> choice & 1]


def menu_words(ruleset: Ruleset, state: Any, seat: int) -> list[str]:
    format_choice = ruleset.game.notation.format_choice
    return [format_choice(ruleset.rules, choice) for choice in menu(ruleset, state, seat)]


def is_legal(ruleset: Ruleset, state: Any, seat: int, choice: int) -> bool:
    rules_module = ruleset.game.rules
    own_test = getattr(rules_module, "is_legal", None)
    if own_test is not None:
        return bool(own_test(ruleset.rules, state, seat, choice))
    return choice >= 0 and bool(rules_module.choices(ruleset.rules, state, seat) >> choice & 1)


def parse_choice(ruleset: Ruleset, state: Any, seat: int, word: Any) -> int:
    """The choice that the word names, if that seat may make it in that state."""
    on_menu = ruleset.game.rules.choices(ruleset.rules, state, seat)
    if not on_menu:
        raise NothingToChoose(f"{SEATS[seat]} has nothing to choose now; not {brief(word)}")
    if not isinstance(word, str):
        raise ChoiceError(f"{SEATS[seat]} must choose with a word; not {brief(word)}")
    try:
        choice = ruleset.game.notation.parse_choice(ruleset.rules, word)
    except ChoiceError as error:
        raise ChoiceError(f"{SEATS[seat]}: {error}") from None
    if not on_menu >> choice & 1 and not is_legal(ruleset, state, seat, choice):
        allowed = ", ".join(menu_words(ruleset, state, seat))
        raise ChoiceError(
            f"{SEATS[seat]} may not choose {brief(word)} here; choose one of {allowed}"
        )
    return choice


def outcome(ruleset: Ruleset, state: Any) -> Outcome | None:
    """How the rules say that the duel ended; None while it goes on."""
    game = ruleset.game
    ended = game.rules.outcome(ruleset.rules, state)
    if not ended.reason:
        return None
    return Outcome(**game.notation.format_outcome(ruleset.rules, state, ended))


def disqualification(ruleset: Ruleset, failed: Collection[str], reason: str) -> Outcome:
    """The end of a duel in which these seats did something that is against more than the rules: the
    other wins, or nobody if both did.
    """
    standing = [seat for seat in SEATS if seat not in failed]
    winner = standing[0] if len(standing) == 1 else None
    points_of_side = getattr(ruleset.game.rules, "points_of_side", None)
    if points_of_side is None:
        return Outcome(winner, reason)
    return Outcome(winner, reason, {seat: points_of_side(seat in failed) for seat in SEATS})


def chance_weights(
    ruleset: Ruleset, state: Any, red: int, blue: int
) -> list[tuple[dict[str, Any] | None, int]]:
    """Every chance outcome of these choices with its whole-number weight."""
    game, rules = ruleset.game, ruleset.rules
    weights: dict[str, int] = {}
    for face in range(game.rules.chance(rules, state, red, blue)):
        key = json.dumps(game.notation.format_chance(rules, state, red, blue, face))
        weights[key] = weights.get(key, 0) + 1
    return [(json.loads(key), weight) for key, weight in weights.items()]
