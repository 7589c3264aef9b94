"""The routes as `/api/openapi.json` describes them: answers, refusals, bodies and security. Their
types are those of `holmgang.wire`.
"""

from typing import Any

import msgspec

from holmgang.web.sessions import COOKIE, SECURE_COOKIE
from holmgang.wire.lists import (
    Catalogue,
    Credentials,
    Leaderboard,
    LobbyLists,
    MatchList,
    Me,
    Profile,
)
from holmgang.wire.match import (
    Advice,
    ChoiceRequest,
    Command,
    DoneFrame,
    Explanation,
    ForecastTable,
    GameFrame,
    GameLog,
    Joining,
    MatchView,
    Opening,
    RatedIfJoined,
    SeatGrant,
    UploadedMatch,
)
from holmgang.wire.study import (
    AnalysisProgress,
    AttemptRequest,
    ExploredPosition,
    ExploredResults,
    GameAnalysis,
    MatchTendencies,
    PositionWorth,
    Preparing,
    PuzzleOverview,
    PuzzleView,
)
from holmgang.wire.words import REFUSALS, Refusal

READING = ("too many", "unavailable", "origin of another host")
CHANGING = (*READING, "bad", "origin", "not json", "too large", "too slow", "stopping")
OTHER_STATUSES = {"origin of another host": 421, "not json": 415, "too slow": 408}
DESCRIPTIONS = {
    401: "Name or password is wrong, or the name is taken.",
    403: "The seat is not yours, or the request comes from a page of another site.",
    404: "Not found.",
    408: "The body took too long to arrive.",
    409: "Not possible at this point of the match.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    421: "The server accepts only local requests, and was addressed by another name.",
    422: "Not a request of this protocol.",
    429: "Too many requests; `Retry-After` says when to try again.",
    503: "The server is shutting down, or its database cannot be used; try again.",
}


SECURITY_SCHEMES = {
    "seat": {
        "type": "http",
        "scheme": "bearer",
        "description": "The secret of a seat, as opening or joining a match returns it.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": f"The session of a browser; over https it is called {SECURE_COOKIE}.",
    },
}
Security = tuple[dict[str, list[str]], ...]
BY_SEAT: Security = ({"seat": []}, {"session": []}, {})
BY_SESSION: Security = ({"session": []}, {})


used: set[type[msgspec.Struct]] = set()
"""The types that routes refer to."""


def route(
    answer: type[msgspec.Struct] | None,
    *refusals: str,
    status: int = 200,
    body: type[msgspec.Struct] | None = None,
    is_optional: bool = False,
    content: str = "",
    security: Security = (),
) -> dict[str, Any]:
    """What FastAPI is told of a route besides its parameters. `content` is the type of an answer
    that is not JSON; `is_optional` says that the body may be missing.
    """
    done: dict[str, Any] = {"description": "Done."}
    if answer is not None:
        done["content"] = json_of(answer)
    elif content:
        done["content"] = {content: {"schema": {"type": "string"}}}
    described: dict[int | str, dict[str, Any]] = {status: done}
    for code in sorted({OTHER_STATUSES.get(each) or REFUSALS[each][0] for each in refusals}):
        described[code] = {"content": json_of(Refusal), "description": DESCRIPTIONS[code]}
    extra: dict[str, Any] = {"security": list(security)} if security else {}
    if body is not None:
        extra["requestBody"] = {"required": not is_optional, "content": json_of(body)}
    return {
        "status_code": status,
        "responses": described,
        "openapi_extra": extra,
        "response_model": None,
    }


def json_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """JSON of this type, by reference."""
    used.add(kind)
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}


def later(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The answer while something is still being computed."""
    return {"content": json_of(kind), "description": "In progress; ask again."}


def components() -> dict[str, Any]:
    """The schemas of these types and of those in them."""
    kinds = sorted(used, key=lambda kind: kind.__name__)
    return msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")[1]


RECORD = {
    "required": True,
    "content": {
        "application/x-ndjson": {"schema": {"type": "string"}},
        "text/plain": {"schema": {"type": "string"}},
    },
}

opening = route(SeatGrant, *CHANGING, status=201, body=Opening, security=BY_SESSION)
listing = route(MatchList, *READING, "bad", "not found")
view = route(MatchView, *READING, "bad", "not found", "not yours", "stopping", security=BY_SEAT)
rated_if_joined = route(RatedIfJoined, *READING, "bad", "not found", security=BY_SESSION)
joining = route(
    SeatGrant, *CHANGING, "not found", "closed", body=Joining, is_optional=True, security=BY_SESSION
)
commanding = route(
    DoneFrame,
    *CHANGING,
    "not found",
    "not yours",
    "late",
    "illegal",
    "closed",
    body=Command,
    security=BY_SEAT,
)
forecasting = route(
    ForecastTable,
    *CHANGING,
    "not found",
    "not yours",
    "illegal",
    "closed",
    body=ChoiceRequest,
    security=BY_SEAT,
)
game = route(GameLog, *READING, "bad", "not found")
frame = route(GameFrame, *READING, "bad", "not found")
record = route(None, *READING, "bad", "not found", "closed", content="application/x-ndjson")
replay = route(None, *READING, "bad", "not found", "closed", content="text/html")
advising = route(
    Advice,
    *CHANGING,
    "not found",
    "not yours",
    "illegal",
    "closed",
    body=ChoiceRequest,
    security=BY_SEAT,
)
explaining = route(
    Explanation, *READING, "bad", "not found", "not yours", "closed", security=BY_SEAT
)
analysis = route(GameAnalysis, *READING, "bad", "not found", "closed")
analysis["responses"][202] = {
    "content": json_of(AnalysisProgress),
    "description": "In progress; ask again.",
}
tendencies = route(MatchTendencies, *READING, "bad", "not found", "closed")
tendencies["responses"][202] = {
    "content": json_of(AnalysisProgress),
    "description": "In progress; ask again.",
}
position = route(ExploredPosition, *READING, "bad", "not found", "closed")
results = route(ExploredResults, *READING, "bad")
worth = route(PositionWorth, *READING, "bad")
worth["responses"][202] = later(Preparing)
uploading = route(UploadedMatch, *CHANGING, status=201, security=BY_SESSION)
uploading["openapi_extra"]["requestBody"] = RECORD
lobby = route(LobbyLists, *READING, security=BY_SESSION)
me = route(Me, *READING, security=BY_SESSION)
claiming = route(
    Me, *CHANGING, "sign in", "closed", status=201, body=Credentials, security=BY_SESSION
)
signing_in = route(Me, *CHANGING, "sign in", body=Credentials)
signing_out = route(
    None, *READING, "origin", "too slow", "too large", status=204, security=BY_SESSION
)
profile = route(Profile, *READING, "bad", "not found", security=BY_SESSION)
leaderboard = route(Leaderboard, *READING, "bad", "not found")
games = route(Catalogue, *READING)
rules = route(None, *READING, "bad", "not found", content="text/html")
puzzles = route(PuzzleOverview, *READING, security=BY_SESSION)
puzzle = route(PuzzleView, *READING, "bad", "not found", security=BY_SESSION)
attempting = route(
    PuzzleView, *CHANGING, "not found", "illegal", body=AttemptRequest, security=BY_SESSION
)
forecasting_puzzle = route(
    ForecastTable,
    *CHANGING,
    "not found",
    "illegal",
    "closed",
    body=ChoiceRequest,
    security=BY_SESSION,
)
