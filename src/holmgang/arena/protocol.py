"""The JSON line protocol for bots in all games. docs/bot-protocol.md describes it.

The judge sends a hello, and the bot answers with its name. Then come games, each with a line at its
start and its end, and requests in between, each answered with a choice or a mix. This module only
formats and parses lines; `schemas/` has their JSON Schema.
"""

import re
from math import isfinite
from typing import Any, NamedTuple

import orjson

from holmgang.engine.mix import Mix
from holmgang.errors import HolmgangError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.version import VERSION

VERSION_OF_PROTOCOL = 1
LONGEST_NAME = 80
UNSHOWABLE = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line breaks and bidirectional controls, which could change how the text
around a name is displayed."""


class ProtocolError(HolmgangError):
    """A bot's line violates the protocol."""


class Hello(NamedTuple):
    """A bot's answer to the hello."""

    name: str
    author: str


class BotAnswer(NamedTuple):
    """A bot's answer to a request: a choice, a mix, or a forfeit."""

    id: int
    choice: str | None = None
    mix: Mix | None = None
    forfeit: bool = False


# Lines to a bot


def line_of(message: dict[str, Any]) -> bytes:
    return orjson.dumps(message) + b"\n"


def format_hello() -> bytes:
    return line_of({"type": "hello", "protocol": VERSION_OF_PROTOCOL, "holmgang": VERSION})


def format_new_game(
    ruleset: Ruleset, seat: int, *, first_ms: float, turn_ms: float, game_ms: float | None = None
) -> bytes:
    return line_of(
        {
            "type": "new game",
            "ruleset": ruleset.text,
            "seat": SEATS[seat],
            "first_ms": first_ms,
            "turn_ms": turn_ms,
            **({} if game_ms is None else {"game_ms": game_ms}),
        }
    )


def format_head(ruleset: Ruleset, seat: int) -> bytes:
    """The part that all requests of a game have in common."""
    return b'{"type":"choose","ruleset":%b,"seat":"%b","id":' % (
        orjson.dumps(ruleset.text),
        SEATS[seat].encode(),
    )


def format_request(
    head: bytes,
    id: int,  # noqa: A002 - the word of the protocol
    round: int,
    state: bytes,
    choices: bytes,
    last: bytes,
    time_ms: float,
    latency_ms: float | None,
    game_left_ms: float | None = None,
) -> bytes:
    """The request for a choice. Arguments of type bytes are already JSON, because this runs for
    every answer of every game.
    """
    latency = b"null" if latency_ms is None else b"%.3f" % latency_ms
    if game_left_ms is not None:
        latency += b',"game_left_ms":%.3f' % game_left_ms
    return b'%b%d,"round":%d,"state":%b,"choices":%b,"last":%b,"time_ms":%g,"latency_ms":%b}\n' % (
        head,
        id,
        round,
        state,
        choices,
        last,
        time_ms,
        latency,
    )


def format_game_over(winner: str | None, reason: str, state: bytes) -> bytes:
    told = orjson.dumps({"type": "game over", "winner": winner, "reason": reason})
    return b'%b,"state":%b}\n' % (told[:-1], state)


# Lines from a bot


def parse_object(line: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise ProtocolError(f"not JSON: {shown(line)}") from None
    if type(value) is not dict:
        raise ProtocolError(f"not a JSON object: {shown(line)}")
    return value


def parse_hello(line: bytes) -> Hello:
    value = parse_object(line)
    version = value.get("protocol")
    if type(version) is not int or version != VERSION_OF_PROTOCOL:
        raise ProtocolError(f'a hello has "protocol": {VERSION_OF_PROTOCOL}; not {brief(version)}')
    for key in ("name", "author"):
        if not isinstance(value.get(key), str) or not 0 < len(value[key]) <= LONGEST_NAME:
            raise ProtocolError(
                f'a hello has a "{key}" of at most {LONGEST_NAME} characters; not '
                f"{brief(value.get(key))}"
            )
        if UNSHOWABLE.search(value[key]):
            raise ProtocolError(
                f'the "{key}" of a hello must not have line breaks, control characters or '
                f"bidirectional controls: {brief(value[key])}"
            )
    return Hello(value["name"], value["author"])


def plain_choice(line: bytes, id: int) -> str | None:  # noqa: A002 - the word of the protocol
    """The choice in an answer with nothing but this id and a choice, as nearly all are; None for
    any other line, which is left to `parse_answer`.

    >>> plain_choice(b'{"id":7,"choice":"guard"}', 7), plain_choice(b"guard", 7)
    ('guard', None)
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if type(value) is dict and len(value) == 2:
        said, choice = value.get("id"), value.get("choice")
        if type(choice) is str and said == id and type(said) is int:
            return choice
    return None


def parse_answer(line: bytes) -> BotAnswer:
    """The answer in a line. Does not check whether the choice is legal."""
    value = parse_object(line)
    id, choice, mix = value.get("id"), value.get("choice"), value.get("mix")  # noqa: A001
    if type(id) is not int:
        raise ProtocolError(f'an answer has the "id" of its request; not {brief(id)}')
    if type(choice) is str and mix is None:
        return BotAnswer(id, choice)
    if choice is None and type(mix) is dict:
        return BotAnswer(id, None, parse_mix(mix))
    if choice is None and mix is None and value.get("forfeit") is True:
        return BotAnswer(id, forfeit=True)
    raise ProtocolError(
        f'an answer has a "choice", which is a word, or a "mix", which is an object: {shown(line)}'
    )


def parse_mix(mix: dict[str, Any]) -> Mix:
    for word, weight in mix.items():
        if type(weight) not in (int, float) or weight < 0 or not isfinite(weight):
            raise ProtocolError(f"the weight of {brief(word)} in a mix is {brief(weight)}")
    if not isfinite(sum(mix.values())) or not sum(mix.values()) > 0:
        raise ProtocolError("the weights of a mix must add up to a finite number above 0")
    return mix


def shown(line: bytes) -> str:
    return brief(line[:200].decode("utf-8", errors="replace"))
