"""Messages of the live protocol from JSON, as clients send them, and answers as they see them."""

from typing import Any, TypeVar

import msgspec

from holmgang.live.round_log import fragment
from holmgang.live.terms import MatchRequest, parse_opening
from holmgang.wire.match import Command, Opening
from holmgang.wire.reading import convert

Kind = TypeVar("Kind")


def as_request(value: dict[str, Any]) -> MatchRequest:
    return parse_opening(convert(value, Opening))


def as_command(value: dict[str, Any]) -> Command:
    return convert(value, Command)


def plain(value: Any) -> Any:
    """The answer as a client sees it."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=fragment))


def checked(value: Any, kind: type[Kind]) -> Kind:
    """The value as a message of that type. Fields that the type does not have are errors."""
    message = msgspec.convert(value, kind)
    assert plain(message) == value, f"not only the fields of {kind.__name__}"
    return message
