"""What the types of the protocol are made of."""

from typing import Annotated

from msgspec import Meta, Struct

LONGEST_ID = 64
LONGEST_CHOICE = 100
MOST_WINS = 99
TIMES = (None, 15, 60, 86_400)
"""Seconds for a choice; None for no limit."""

REFUSALS = {
    "bad": (422, "not a request of this protocol"),
    "not found": (404, "no such match, game or player"),
    "not yours": (403, "the seat is not yours, or you are watching"),
    "late": (409, "for a round that is over"),
    "illegal": (409, "not a choice here"),
    "closed": (409, "not possible at this point of the match"),
    "sign in": (401, "name or password is wrong, or the name is taken"),
    "origin": (403, "from a page of another site, or to a server of another name"),
    "too large": (413, "the body or frame is too large"),
    "too many": (429, "too many requests; `Retry-After` says when to try again"),
    "stopping": (503, "the server is shutting down; reconnect"),
    "unavailable": (503, "the database is unavailable; try again"),
    "failed": (500, "an internal error of the server, which has been logged"),
}
"""The codes of refusals, with the HTTP status and the meaning of each."""


def about(text: str) -> Meta:
    return Meta(description=text)


def one_of(*words: str) -> Meta:
    pattern = f"^({'|'.join(words)})$"
    return Meta(pattern=pattern, extra_json_schema={"enum": list(words)})


# To a type checker these are plain `str` and `int`: only the edges check the values.
Seat = Annotated[str, one_of("red", "blue")]
Status = Annotated[str, one_of("open", "playing", "over", "cancelled")]
Visibility = Annotated[str, one_of("lobby", "link", "solo", "uploaded")]
PlayerKind = Annotated[str, one_of("guest", "account", "level", "bot", "record")]
Mark = Annotated[str, Meta(pattern=r"^\?[!?]?$", extra_json_schema={"enum": ["?!", "?", "??"]})]
OnTimeout = Annotated[str, one_of("lose", "harmless")]
# Clients have to accept codes of newer servers.
ErrorCode = Annotated[str, Meta(extra_json_schema={"enum": list(REFUSALS)})]
Milliseconds = Annotated[int, about("milliseconds since 1970")]
Label = Annotated[
    list[str], about("a choice for people: the verb, then the meaning of each of its arguments")
]
Rated = Annotated[
    bool | None,
    about(
        "whether ratings change with the result: between two accounts, by a game's own rules, with "
        "a time for each choice; `null` while that depends on who joins"
    ),
]


class Answer(Struct, kw_only=True):
    """Something that the server sends."""


class Request(Struct, kw_only=True, forbid_unknown_fields=True):
    """The body of a request, or a frame of a client."""


class ErrorText(Answer):
    code: ErrorCode
    message: str


class Refusal(Answer):
    """The answer to a request that was refused."""

    error: ErrorText


class Score(Answer):
    red: int
    blue: int
