"""Default JSON of chance and of outcomes."""

from enum import IntEnum

from holmgang.errors import ChanceError
from holmgang.games.contract import SEATS, AnyRules, Ending, State
from holmgang.games.defaults import rules as optional
from holmgang.games.shape import JsonObject, brief


class Chance:
    """`{"face": 3}`, with faces counted from 0; None if no die is thrown."""

    def __init__(self, rules_module: AnyRules) -> None:
        self.faces = getattr(rules_module, "chance", optional.chance)
        self.reason: type[IntEnum] = rules_module.Reason

    def format_chance(
        self, rules: object, state: State, red: int, blue: int, face: int
    ) -> JsonObject | None:
        return None if self.faces(rules, state, red, blue) == 1 else {"face": face}

    def parse_chance(self, rules: object, state: State, red: int, blue: int, value: object) -> int:
        faces = self.faces(rules, state, red, blue)
        if faces == 1:
            if value is None or value == {}:
                return 0
            raise ChanceError(f"nothing is thrown here: chance must be null; not {brief(value)}")
        face = value["face"] if isinstance(value, dict) and list(value) == ["face"] else None
        if type(face) is int and 0 <= face < faces:
            return face
        raise ChanceError(
            f'chance must be {{"face": n}} with n from 0 to {faces - 1}; not {brief(value)}'
        )

    def format_outcome(self, rules: object, state: State, outcome: Ending) -> JsonObject:
        return {
            "winner": (*SEATS, None)[outcome.winner],
            "reason": self.reason(outcome.reason).name.lower(),
        }
