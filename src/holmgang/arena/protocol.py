"""The JSON line protocol for bots in all games. docs/bot-protocol.md describes it.

The judge sends a hello, and the bot answers with its name. Then come games, each with a line at its
start and its end, and requests in between, each answered with a choice or a mix. This module only
formats and parses lines; `schemas/` has their JSON Schema.
"""

import re
from collections.abc import Callable
from math import inf
from typing import Annotated, TypeVar

import msgspec
import orjson

from holmgang.errors import HolmgangError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.version import VERSION

VERSION_OF_PROTOCOL = 1
LONGEST_NAME = 80
UNSHOWABLE = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line breaks and bidirectional controls, which could change how the text
around a name is displayed."""


class ProtocolError(HolmgangError):
    """A bot's line violates the protocol."""


Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]


class Hello(msgspec.Struct, frozen=True):
    """A bot's answer to the hello."""

    name: Name
    author: Name
    protocol: Annotated[int, msgspec.Meta(ge=VERSION_OF_PROTOCOL, le=VERSION_OF_PROTOCOL)]


class BotAnswer(msgspec.Struct, frozen=True):
    """A bot's answer to a request: a choice, a mix, or neither if it forfeits."""

    id: int
    choice: str | None = None
    mix: dict[str, int | float] | None = None
    forfeit: bool | None = None


decode_hello = msgspec.json.Decoder(Hello).decode
decode_answer = msgspec.json.Decoder(BotAnswer).decode
Decoded = TypeVar("Decoded")


# Lines to a bot


def line_of(message: JsonObject) -> bytes:
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


def decoded(line: bytes, decode: Callable[[bytes], Decoded]) -> Decoded:
    try:
        return decode(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"{error}: {shown(line)}") from None


def parse_hello(line: bytes) -> Hello:
    hello = decoded(line, decode_hello)
    for key, text in (("name", hello.name), ("author", hello.author)):
        if UNSHOWABLE.search(text):
            raise ProtocolError(
                f'the "{key}" of a hello must not have line breaks, control characters or '
                f"bidirectional controls: {brief(text)}"
            )
    return hello


def parse_answer(line: bytes) -> BotAnswer:
    """The answer in a line. Does not check whether the choice is legal."""
    answer = decoded(line, decode_answer)
    if answer.mix is None:
        if answer.choice is None and not answer.forfeit:
            raise ProtocolError(f'an answer needs a "choice" or a "mix": {shown(line)}')
        return answer
    if answer.choice is not None:
        raise ProtocolError(f'an answer cannot have both a "choice" and a "mix": {shown(line)}')
    for word, weight in answer.mix.items():
        if weight < 0:
            raise ProtocolError(f"the weight of {brief(word)} in a mix is {brief(weight)}")
    if not 0 < sum(answer.mix.values()) < inf:
        raise ProtocolError("the weights of a mix must add up to a finite number above 0")
    return answer


def shown(line: bytes) -> str:
    return brief(line[:200].decode("utf-8", errors="replace"))
