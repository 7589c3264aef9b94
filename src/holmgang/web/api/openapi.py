"""The routes as `/api/openapi.json` describes them: answers, refusals, bodies and security. Their
types are those of `holmgang.wire`.
"""

import msgspec

from holmgang.games.shape import JsonObject
from holmgang.web.sessions import COOKIE, SECURE
from holmgang.wire import lists, match, study
from holmgang.wire.words import REFUSALS, Refusal

READING = ("too many", "unavailable", "origin of another host")
FINDING = (*READING, "bad", "not found")
CHANGING = (*READING, "bad", "origin", "not json", "too large", "too slow", "stopping")
CHOOSING = (*CHANGING, "not found", "not yours", "illegal", "closed")
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
        "description": f"The session of a browser; over https it is called {SECURE}{COOKIE}.",
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
) -> JsonObject:
    """What FastAPI is told of a route besides its parameters. `content` is the type of an answer
    that is not JSON; `is_optional` says that the body may be missing.
    """
    done: JsonObject = {"description": "Done."}
    if answer is not None:
        done["content"] = json_of(answer)
    elif content:
        done["content"] = {content: {"schema": {"type": "string"}}}
    described: dict[int | str, JsonObject] = {status: done}
    for code in sorted({OTHER_STATUSES.get(each) or REFUSALS[each][0] for each in refusals}):
        described[code] = {"content": json_of(Refusal), "description": DESCRIPTIONS[code]}
    extra: JsonObject = {"security": list(security)} if security else {}
    if body is not None:
        extra["requestBody"] = {"required": not is_optional, "content": json_of(body)}
    return {
        "status_code": status,
        "responses": described,
        "openapi_extra": extra,
        "response_model": None,
    }


def json_of(kind: type[msgspec.Struct]) -> JsonObject:
    """JSON of this type, by reference."""
    used.add(kind)
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}


def later(kind: type[msgspec.Struct]) -> JsonObject:
    """The answer while something is still being computed."""
    return {"content": json_of(kind), "description": "In progress; ask again."}


def components() -> JsonObject:
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

opening = route(match.SeatGrant, *CHANGING, status=201, body=match.Opening, security=BY_SESSION)
listing = route(lists.MatchList, *FINDING)
view = route(match.MatchView, *FINDING, "not yours", "stopping", security=BY_SEAT)
rated_if_joined = route(match.RatedIfJoined, *FINDING, security=BY_SESSION)
joining = route(
    match.SeatGrant,
    *CHANGING,
    "not found",
    "closed",
    body=match.Joining,
    is_optional=True,
    security=BY_SESSION,
)
commanding = route(match.DoneFrame, *CHOOSING, "late", body=match.Command, security=BY_SEAT)
forecasting = route(match.ForecastTable, *CHOOSING, body=match.ChoiceRequest, security=BY_SEAT)
game = route(match.GameLog, *FINDING)
frame = route(match.GameFrame, *FINDING)
record = route(None, *FINDING, "closed", content="application/x-ndjson")
replay = route(None, *FINDING, "closed", content="text/html")
advising = route(match.Advice, *CHOOSING, body=match.ChoiceRequest, security=BY_SEAT)
explaining = route(match.Explanation, *FINDING, "not yours", "closed", security=BY_SEAT)
analysis = route(study.GameAnalysis, *FINDING, "closed")
analysis["responses"][202] = later(study.AnalysisProgress)
tendencies = route(study.MatchTendencies, *FINDING, "closed")
tendencies["responses"][202] = later(study.AnalysisProgress)
position = route(study.ExploredPosition, *FINDING, "closed")
results = route(study.ExploredResults, *READING, "bad")
worth = route(study.PositionWorth, *READING, "bad")
worth["responses"][202] = later(study.Preparing)
lesson = route(study.LessonView, *READING, "bad")
lesson_round = route(study.LessonAnswer, *FINDING, "illegal", "closed")
uploading = route(match.UploadedMatch, *CHANGING, status=201, security=BY_SESSION)
uploading["openapi_extra"]["requestBody"] = RECORD
waiting = route(lists.WaitingList, *READING, security=BY_SESSION)
lobby = route(lists.LobbyLists, *READING, security=BY_SESSION)
me = route(lists.Me, *READING, security=BY_SESSION)
claiming = route(
    lists.Me,
    *CHANGING,
    "sign in",
    "closed",
    status=201,
    body=lists.Credentials,
    security=BY_SESSION,
)
signing_in = route(lists.Me, *CHANGING, "sign in", body=lists.Credentials)
signing_out = route(
    None, *READING, "origin", "too slow", "too large", status=204, security=BY_SESSION
)
profile = route(lists.Profile, *FINDING, security=BY_SESSION)
leaderboard = route(lists.Leaderboard, *FINDING)
games = route(lists.Catalogue, *READING, "bad")
form = route(lists.GameForm, *FINDING)
rules_preview = route(study.RulesetPreview, *FINDING, "stopping")
overview = route(lists.RulesOverview, *FINDING)
samples = route(lists.Samples, *READING)
rules = route(None, *FINDING, content="text/html")
small_board = route(None, *FINDING, "stopping", content="image/svg+xml")
preview = route(None, *FINDING, "stopping", content="image/png")
history = route(lists.MatchHistory, *READING, "bad", security=BY_SESSION)
renaming = route(lists.Me, *CHANGING, "closed", body=lists.GuestName, security=BY_SESSION)
puzzles = route(study.PuzzleOverview, *READING, security=BY_SESSION)
puzzle = route(study.PuzzleView, *FINDING, security=BY_SESSION)
attempting = route(
    study.PuzzleView,
    *CHANGING,
    "not found",
    "illegal",
    body=study.AttemptRequest,
    security=BY_SESSION,
)
forecasting_puzzle = route(
    match.ForecastTable,
    *CHANGING,
    "not found",
    "illegal",
    "closed",
    body=match.ChoiceRequest,
    security=BY_SESSION,
)
