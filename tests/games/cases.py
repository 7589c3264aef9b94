"""The tables in which the rules tests are written.

A title names the rule, with the ids of its rulings first; under it stand examples, one a line:

    B4 a shield that mends this round guards this round
        3.0.0.3/3.0.0.0: guard, attack (red_mends=true) -> 3.0.1.0/3.0.0.0

Before the colon and after the arrow are states in the game's short text. Between them are red's
choice and blue's, or that of the one seat which is asked, and in brackets what chance does. A
semicolon parts rounds. An ending is told after the state, `-> 0.0.0.0/3.0.0.0, blue wins by hp`; a
choice that the rules do not allow is `-> refused`.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from holmgang.engine import step
from holmgang.engine.duel import Duel
from holmgang.errors import ChoiceError
from holmgang.games.ruleset import load

ROUND = re.compile(r"(?P<choices>[^(]*)(?:\((?P<chance>.*)\))?")


class Case(NamedTuple):
    ruleset: str
    before: str
    rounds: str
    after: str


def cases(table: str, *rulesets: str) -> list[Any]:
    """The examples of a table as pytest parameters, each for every one of the rulesets."""
    return [
        pytest.param(Case(ruleset, *example), id=f"{title} [{ruleset}, line {number}]")
        for number, (title, *example) in enumerate(examples(table), start=1)
        for ruleset in rulesets
    ]


def examples(table: str) -> Iterator[tuple[str, str, str, str]]:
    title = ""
    for line in filter(None, table.splitlines()):
        if line.startswith(" "):
            before, _, rest = line.partition(": ")
            rounds, _, after = rest.partition(" -> ")
            yield title, before.strip(), rounds.strip(), after.strip()
        else:
            title = line


def played(case: Case) -> str:
    """What comes of the case, as its table would tell it.

    A duel is played along with it: what its states hold is all in their JSON.
    """
    ruleset = load(case.ruleset)
    notation, rules = ruleset.game.notation, ruleset.rules
    duel = Duel(ruleset, seed=0, start=case.before)
    state, outcome = duel.state_json, None
    for text in case.rounds.split(";"):
        assert outcome is None, f"the duel is over before {text!r}"
        made = request(case.ruleset, state, text)
        try:
            answer = step.answer(made)
        except ChoiceError:
            return "refused"
        for seat in list(duel.waiting_for):
            duel.choose(seat, made[seat])
        duel.reveal(chance=made["chance"])
        state, outcome = answer["state"], answer["outcome"]
        assert outcome or duel.state == notation.parse_state(rules, state)
    shown = notation.format_text(rules, notation.parse_state(rules, state))
    return shown if outcome is None else f"{shown}, {told(outcome)}"


def request(ruleset: str, state: dict[str, Any], text: str) -> dict[str, Any]:
    match = ROUND.fullmatch(text.strip())
    assert match is not None, f"not a round: {text!r}"
    words = [word.strip() for word in match["choices"].split(",")]
    asked: dict[str, Any] = {"game": ruleset, "state": state}
    if len(words) == 2:
        seats = ["red", "blue"]
    else:
        offered = step.answer({**asked, "ask": "choices"})["choices"]
        seats = [seat for seat in offered if offered[seat]]
    given = dict(zip(seats, words, strict=True))
    thrown = dict(part.split("=") for part in (match["chance"] or "").split())
    return {**asked, **given, "chance": {key: json.loads(thrown[key]) for key in thrown}}


def told(outcome: dict[str, Any]) -> str:
    winner = outcome["winner"]
    ending = f"{winner} wins" if winner else "draw"
    points = outcome.get("points")
    earned = f" {points['red']}:{points['blue']}" if points else ""
    return f"{ending} by {outcome['reason']}{earned}"
