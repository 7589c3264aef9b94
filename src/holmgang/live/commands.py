"""The commands of the live protocol, and parsing them."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from holmgang.games.shape import brief
from holmgang.live.refusal import Refused

LONGEST_ID = 64
LONGEST_CHOICE = 100
LARGEST_NUMBER = 10**9

IN_ROUND = ("choose", "withdraw", "offer draw", "decline draw")
"""Commands that belong to one round."""
KINDS = (*IN_ROUND, "forfeit", "rematch", "cancel")
FIELDS = ("id", "type", "game", "round", "choice")


@dataclass(frozen=True)
class Command:
    id: str
    kind: str
    game: int = 0
    round: int = 0
    choice: str = ""

    @property
    def digest(self) -> str:
        """A hash of everything but the id, stored with it: an id stands for one command."""
        content = f"{self.kind}/{self.game}/{self.round}/{self.choice}"
        return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def parse_command(value: Any) -> Command:
    """The command in a JSON object. Raises `Refused`.

    >>> parse_command({"id": "a", "type": "forfeit"})
    Command(id='a', kind='forfeit', game=0, round=0, choice='')
    """
    if not isinstance(value, dict):
        raise Refused("bad", f"a command is a JSON object; not {brief(value)}")
    kind, id = value.get("type"), value.get("id")  # noqa: A001 - the protocol's word
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused("bad", f"type is one of {', '.join(KINDS)}; not {brief(kind)}")
    if not isinstance(id, str) or not 0 < len(id) <= LONGEST_ID:
        raise Refused("bad", f"id is a text of 1 to {LONGEST_ID} characters; not {brief(id)}")
    unknown = [key for key in value if key not in FIELDS]
    if unknown:
        raise Refused(
            "bad", f"unknown field {brief(unknown[0])}; the fields are {', '.join(FIELDS)}"
        )
    if kind not in IN_ROUND:
        return Command(id, kind)
    choice = value.get("choice", "")
    if not isinstance(choice, str) or len(choice) > LONGEST_CHOICE:
        raise Refused("bad", f"choice is a text of at most {LONGEST_CHOICE} characters")
    return Command(id, kind, number(value, "game"), number(value, "round"), choice)


def number(value: dict[str, Any], key: str) -> int:
    found = value.get(key)
    if type(found) is int and 1 <= found <= LARGEST_NUMBER:
        return found
    raise Refused("bad", f"{key} is a whole number from 1 up; not {brief(found)}")
