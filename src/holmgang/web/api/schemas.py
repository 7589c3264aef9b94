"""The bodies of requests and answers, as `/api/openapi.json` describes them.

Bodies of requests that have a class here are checked by it. Opening a match and commands are
checked by `holmgang.live`, which knows the rules; their classes describe them only, and so do those
of answers. Tests compare the answers with them.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from holmgang.live.commands import LONGEST_CHOICE, LONGEST_ID
from holmgang.live.terms import MOST_WINS
from holmgang.players.levels import KINDS
from holmgang.web.refusals import STATUSES
from holmgang.web.sessions import COOKIE, SECURE_COOKIE

Seat = Literal["red", "blue"]
Rated = Annotated[
    bool | None,
    Field(description="Whether ratings change with the result; null if that depends on who joins."),
]
Milliseconds = Annotated[int, Field(description="Milliseconds since 1970.")]
Text = Annotated[str, Field(max_length=200)]


class Given(BaseModel):
    """A body of a request: nothing else may be in it."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={})


# Requests


class Level(Given):
    level: Literal[tuple(KINDS)]  # type: ignore[valid-type]


class HostedBot(Given):
    bot: str


class Opening(Given):
    """A match to be opened."""

    ruleset: Annotated[
        str, Field(description="Such as `bagh` or `bagh:max_boost=4`.", examples=["bagh"])
    ] = "bagh"
    opponent: Annotated[
        Literal["link", "lobby"] | Level | HostedBot,
        Field(
            description="Anyone who has the link, the next person in the lobby, a level or a bot."
        ),
    ] = "lobby"
    seat: Literal["red", "blue", "random"] = "random"
    seconds: Annotated[
        Literal[15, 60, 86400] | None, Field(description="Time for each choice; null for no limit.")
    ] = None
    on_timeout: Annotated[
        Literal["lose", "harmless"],
        Field(description="The match is lost, or the game's harmless choice is made."),
    ] = "lose"
    wins_needed: Annotated[
        int | None, Field(ge=1, le=MOST_WINS, description="Set by the game unless given.")
    ] = None
    start: Annotated[
        str | dict[str, Any] | None,
        Field(
            description="The state that every game begins in, as JSON or short text; null for the "
            "game's own. For matches against a level or by link, which are then not rated."
        ),
    ] = None


class Joining(Given):
    seat: Seat | None = None


class Command(Given):
    """A command of a seat. Those for a round have `game` and `round`; `choose` has `choice`."""

    id: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_ID,
            description="Made by the client. The same id again has no further effect.",
        ),
    ]
    type: Literal[
        "choose", "withdraw", "offer draw", "decline draw", "forfeit", "rematch", "cancel"
    ]
    game: Annotated[int, Field(ge=1)] | None = None
    round: Annotated[int, Field(ge=1)] | None = None
    choice: Annotated[str, Field(max_length=LONGEST_CHOICE)] | None = None


class Forecasting(Given):
    choice: Annotated[str, Field(max_length=LONGEST_CHOICE)]


class Credentials(Given):
    name: Annotated[str, Field(min_length=1, max_length=100)]
    password: Annotated[
        str, Field(min_length=1, max_length=1000, json_schema_extra={"format": "password"})
    ]


class Attempting(Given):
    """An answer to a puzzle: a choice, or the share of each choice in a mix; they sum to 1."""

    choice: Annotated[str, Field(max_length=LONGEST_CHOICE)] | None = None
    mix: (
        Annotated[
            dict[Annotated[str, Field(max_length=LONGEST_CHOICE)], float], Field(max_length=64)
        ]
        | None
    ) = None


# Answers


class ErrorText(BaseModel):
    code: Literal[tuple(STATUSES)]  # type: ignore[valid-type]
    message: str


class Error(BaseModel):
    error: ErrorText


class Grant(BaseModel):
    match: str
    seat: Seat
    secret: Annotated[
        str, Field(description="For `Authorization: Bearer`; empty if it was given out before.")
    ]


class Done(BaseModel):
    type: Literal["done"]
    id: str


class MatchId(BaseModel):
    match: str


class ListedPlayer(BaseModel):
    name: str
    kind: Literal["guest", "account", "level", "bot", "record"]


class Player(ListedPlayer):
    rating: int | None
    provisional: bool


class ListedPlayers(BaseModel):
    red: ListedPlayer | None
    blue: ListedPlayer | None


class Players(BaseModel):
    red: Player | None
    blue: Player | None


class Score(BaseModel):
    red: int
    blue: int


class MatchLine(BaseModel):
    match: str
    status: Literal["open", "playing", "over", "cancelled"]
    visibility: Literal["lobby", "link", "solo", "uploaded"]
    ruleset: str
    game_name: str
    title: str
    players: ListedPlayers
    score: Score
    wins_needed: int
    seconds: int | None
    rounds: int
    winner: Seat | None
    reason: str | None
    rated: Rated
    deadline: Milliseconds | None
    created_at: Milliseconds
    updated_at: Milliseconds | None


class MatchList(BaseModel):
    matches: list[MatchLine]


class LiveMatchLine(MatchLine):
    present: Annotated[list[Seat], Field(description="Seats whose players are there.")]


class OwnMatchLine(MatchLine):
    you: Seat


class Lobby(BaseModel):
    open: list[MatchLine]
    live: list[LiveMatchLine]
    yours: list[OwnMatchLine]


class Time(BaseModel):
    seconds: int | None
    on_timeout: Literal["lose", "harmless"]


class GameLine(BaseModel):
    number: int
    winner: Seat | None
    reason: str | None
    ending: str
    rounds: int


class RoundLine(BaseModel):
    game: int
    round: int
    red: str | None
    blue: str | None
    labels: Annotated[dict[str, str], Field(description="The choices for people, by seat.")]
    chance: Any
    chance_text: str
    ms: Any
    story: list[str]


class GameLog(GameLine):
    is_over: bool
    log: list[RoundLine]


class Outcome(BaseModel):
    winner: Seat | None
    reason: str | None
    sentence: str


class Rematch(BaseModel):
    offered_by: list[Seat]
    match: str | None


class Seal(BaseModel):
    commitment: str
    seed: str | None
    salt: str | None


class View(BaseModel):
    """A match as one viewer may see it; docs/live-protocol.md explains each field."""

    match: str
    version: int
    status: Literal["open", "playing", "over", "cancelled"]
    visibility: Literal["lobby", "link", "solo", "uploaded"]
    ruleset: str
    game_name: str
    title: str
    you: Seat | None
    players: Players
    rated: Rated
    unrated: Annotated[
        str | None, Field(description="Why the match is not rated although it could be.")
    ]
    time: Time
    wins_needed: int
    start: Annotated[
        str | None, Field(description="The state that the games begin in, if not the game's own.")
    ]
    score: Score
    draws: int
    games: list[GameLine]
    game: int
    round: int
    state: dict[str, Any]
    asked: list[Seat]
    waiting_for: list[Seat]
    deadline: Milliseconds | None
    now: Milliseconds
    menu: dict[str, Any] | None
    chosen: str | None
    draw_offered_by: list[Seat]
    rematch: Rematch
    outcome: Outcome | None
    seal: Seal | None
    rounds: list[RoundLine]
    rating_changes: dict[str, Any] | None
    watching: int
    kept_days: int | None
    notes: dict[str, str]


class Frame(BaseModel):
    game: int
    round: int
    state: dict[str, Any]
    picture: str
    revealed: RoundLine | None


class Forecast(BaseModel):
    choice: str
    note: str
    lines: list[dict[str, Any]]


class Advice(BaseModel):
    """The coach's advice on a choice before it is made."""

    choice: str
    is_warning: bool
    error: Annotated[float, Field(description="What the choice costs.")]
    mark: Literal["?!", "?", "??"] | None
    exact: bool
    sentence: str


class Explanation(BaseModel):
    """The coach's comment on a round after its reveal."""

    sentence: str
    details: list[str]
    mark: Literal["?!", "?", "??"] | None
    error: float
    exact: bool


class AnalysedRound(BaseModel):
    round: int
    red: str | None
    blue: str | None
    value_before: float
    value_after: float
    red_error: float
    blue_error: float
    meeting_luck: float
    dice_luck: float
    red_mark: Literal["?!", "?", "??"] | None
    blue_mark: Literal["?!", "?", "??"] | None
    red_mix: dict[str, float]
    blue_mix: dict[str, float]
    worth: dict[str, dict[str, float]]
    cost: dict[str, dict[str, float]]
    labels: dict[str, dict[str, str]]
    text: Annotated[str, Field(description="The state before the round, as short text.")]
    chances: Annotated[
        dict[str, float | None], Field(description="`win`, `draw`, `loss` before the round.")
    ]
    exact: Annotated[bool, Field(description="Of the values before and after the round.")]
    errors_exact: Annotated[bool, Field(description="Of errors and luck.")]
    worths_exact: Annotated[bool, Field(description="Of worths, costs and mixes.")]
    depth: int


class Analysis(BaseModel):
    """The analysis of a game, as `holmgang analyse --json` prints it. All values are to red."""

    ruleset: str
    players: dict[str, str]
    exact: Annotated[bool, Field(description="Of all values.")]
    errors_exact: Annotated[bool, Field(description="Of all errors and luck.")]
    source: str
    depth: int
    start_value: float
    end_value: float
    result: float | None
    reason: str | None
    accuracy: Annotated[
        dict[str, float | None], Field(description="Null where worths are estimates.")
    ]
    summary: list[str]
    turning_points: list[dict[str, Any]]
    rounds: list[AnalysedRound]
    totals: dict[str, float]


class Situation(BaseModel):
    """The rounds of one kind of situation."""

    situation: str
    choices: Annotated[
        list[str],
        Field(description="Those of the best mixes; empty where they differ between rounds."),
    ]
    rounds: int
    frequencies: dict[str, float]
    equilibrium: Annotated[dict[str, float], Field(description="The mean of the best mixes.")]
    error: Annotated[float, Field(description="Lost by errors, per round.")]
    gain: Annotated[
        float | None,
        Field(description="Per round, of an opponent who knew the frequencies. An estimate."),
    ]
    gain_by_chance: Annotated[
        float | None, Field(description="The same against a perfect player, on average.")
    ]
    gain_limit: Annotated[
        float | None, Field(description="The 95th percentile of the same against perfect players.")
    ]


class PlayerTendencies(BaseModel):
    """A player over several games, as `holmgang analyse --player NAME --json` has it."""

    player: str
    ruleset: str
    duels: int
    rounds: int
    exact: bool
    accuracy: float | None
    error: float
    opponent_error: float
    luck: float
    score: float
    gain: float | None
    kinds: list[Situation]


class Tendencies(BaseModel):
    """How both players of a match chose, compared with the best mixes."""

    players: dict[Seat, PlayerTendencies]


class Progress(BaseModel):
    """An analysis in progress: how many of the rounds are done."""

    done: int
    rounds: int


class ExploredRound(BaseModel):
    word: Annotated[str, Field(description="The round in a line of play.")]
    red: str | None
    blue: str | None
    labels: dict[str, str]
    chance_text: str
    story: list[str]


class ExploredResult(ExploredRound):
    odds: Annotated[str, Field(description="Such as `1 in 3`; empty if it is certain.")]
    share: float
    text: Annotated[str, Field(description="The state after it, as short text.")]


class ExploredResults(BaseModel):
    results: list[ExploredResult]


class FormField(BaseModel):
    path: str
    seat: Seat | None
    label: str
    value: int
    least: int
    most: int
    is_flag: bool
    words: list[str] | None


class Position(BaseModel):
    """A position to explore, and the line that leads there."""

    ruleset: str
    game_name: str
    title: str
    start: Annotated[str, Field(description="The state that the line begins in, as short text.")]
    is_usual_start: bool
    line: list[ExploredRound]
    at: Annotated[int, Field(description="How many rounds of the line lead to the position.")]
    state: dict[str, Any]
    text: Annotated[str, Field(description="The state as short text.")]
    mirrored: Annotated[
        str | None, Field(description="With the seats exchanged, in a game where that is the same.")
    ]
    picture: str
    fields: list[FormField]
    menus: dict[str, dict[str, Any] | None]
    outcome: Outcome | None


class Matrix(BaseModel):
    red: list[str | None]
    blue: list[str | None]
    values: list[list[float]]


class Worth(BaseModel):
    """The value of a position to red, from -1 to 1."""

    ruleset: str
    text: str
    value: float
    win: float | None
    draw: float | None
    loss: float | None
    low: float
    high: float
    exact: bool
    worths_exact: Annotated[bool, Field(description="Of worths, costs and the matrix.")]
    source: str
    depth: Annotated[int, Field(description="Rounds that a search looked ahead; 0 without one.")]
    red_mix: dict[str, float]
    blue_mix: dict[str, float]
    worth: dict[str, dict[str, float]]
    cost: dict[str, dict[str, float]]
    labels: dict[str, dict[str, str]]
    matrix: Matrix | None
    note: Annotated[str, Field(description="What is still being prepared; empty if nothing.")]


class Preparing(BaseModel):
    note: Annotated[str, Field(description="What is being prepared.")]


class Rating(BaseModel):
    rating: int
    deviation: int
    provisional: bool
    matches: int


class RatingWithHistory(Rating):
    history: Annotated[
        list[tuple[int, int]], Field(description="Milliseconds since 1970, rating from then on.")
    ]


class Me(BaseModel):
    name: Annotated[str | None, Field(description="null before the first match.")]
    guest: bool
    ratings: Annotated[dict[str, Rating], Field(description="By game.")]


class RatedIfJoined(BaseModel):
    rated: Rated
    reason: Annotated[str | None, Field(description="Why it is not rated, as a sentence.")]


class Profile(BaseModel):
    name: str
    guest: bool
    since: Milliseconds
    ratings: dict[str, RatingWithHistory]
    matches: list[MatchLine]
    unlisted: Annotated[
        int, Field(description="Further matches: by link, which only their players see here.")
    ]


class RankedPlayer(Rating):
    name: str


class Leaderboard(BaseModel):
    game: str
    players: list[RankedPlayer]


class PuzzleRating(BaseModel):
    rating: int
    deviation: int
    provisional: bool
    attempts: int
    solved: int


class PuzzleGame(BaseModel):
    name: str
    title: str
    puzzles: int
    note: Annotated[str, Field(description="Why there are none; empty if there are some.")]


class Puzzles(BaseModel):
    games: list[PuzzleGame]
    daily: Annotated[str | None, Field(description="The id of the puzzle of the day.")]
    ratings: Annotated[dict[str, PuzzleRating], Field(description="Your own ratings, by game.")]


class RatingChange(BaseModel):
    before: int
    after: int


class JudgedChoice(BaseModel):
    word: str
    label: str
    share: Annotated[float, Field(description="In the equilibrium mix.")]


class OwnJudgedChoice(JudgedChoice):
    worth: Annotated[float, Field(description="Against the other side's best mix for it.")]
    cost: float
    right: bool


class PuzzleResult(BaseModel):
    """The result of an attempt. All values are those of the seat that was asked."""

    answer: str | dict[str, float]
    solved: bool
    cost: Annotated[
        float, Field(description="Cost of the choice, or of the mix against its best reply.")
    ]
    value: float
    natural: Annotated[str | None, Field(description="The natural choice, which is wrong.")]
    reply: Annotated[str | None, Field(description="The best reply to a mix.")]
    story: list[str]
    choices: list[OwnJudgedChoice]
    replies: list[JudgedChoice]
    rating: RatingChange | None
    puzzle_rating: RatingChange | None


class Puzzle(BaseModel):
    """A puzzle. `result` is present only for those who have attempted it."""

    puzzle: str
    game_name: str
    title: str
    ruleset: str
    kind: Literal["choice", "mix"]
    seat: Seat
    question: str
    right_count: int
    tolerance: float
    source: Literal["table", "duel"]
    rating: int
    provisional: bool
    attempts: int
    solved: int
    state: dict[str, Any]
    text: Annotated[str, Field(description="The state as short text.")]
    picture: str
    menu: dict[str, Any]
    result: PuzzleResult | None


class Rule(BaseModel):
    default: int
    range: tuple[int, int]
    meaning: str


class Game(BaseModel):
    name: str
    title: str
    line: str
    ruleset_hash: str
    wins_needed: int
    round_limit: int
    endless: Annotated[
        dict[str, Any],
        Field(description="How a game ends that reaches the round limit: winner and reason."),
    ]
    rules: dict[str, Rule]
    opponent: Annotated[str, Field(description="The level suggested to a beginner.")]
    prospects: Annotated[
        dict[str, Score],
        Field(description="Score of best play against levels, in percent, by your seat."),
    ]
    ratings: Annotated[
        dict[str, int],
        Field(description="The measured Elo rating of levels in this game; beginner is 800."),
    ]


class NamedLevel(BaseModel):
    name: str
    line: str
    for_people: Annotated[
        bool, Field(description="Whether it is one of the graded levels, which come first.")
    ]


class NamedBot(BaseModel):
    name: str
    games: list[str]


class Catalogue(BaseModel):
    games: list[Game]
    levels: list[NamedLevel]
    bots: list[NamedBot]


# Routes: what FastAPI is told of each besides its parameters.

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


def route(
    model: type[BaseModel] | None,
    *refusals: str,
    status: int = 200,
    body: type[BaseModel] | None = None,
    content: str = "application/json",
    security: Security = (),
) -> dict[str, Any]:
    """The status, answers, body and security of a route, for its decorator."""
    statuses = {OTHER_STATUSES.get(each) or STATUSES[each] for each in refusals}
    done: dict[str, Any] = {"description": "Done."}
    if model is not None and content == "application/json":
        done["model"] = model
    elif content != "application/json":
        done["content"] = {content: {"schema": {"type": "string"}}}
    described: dict[int | str, dict[str, Any]] = {status: done}
    for code in sorted(statuses):
        described[code] = {"model": Error, "description": DESCRIPTIONS[code]}
    extra: dict[str, Any] = {"security": list(security)} if security else {}
    if body is not None:
        schema = inlined(body.model_json_schema())
        extra["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    return {"status_code": status, "responses": described, "openapi_extra": extra}


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with its definitions where they are used."""
    definitions = schema.pop("$defs", {})

    def resolve(value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                return resolve(definitions[value["$ref"].rpartition("/")[2]])
            return {key: resolve(each) for key, each in value.items()}
        return [resolve(each) for each in value] if isinstance(value, list) else value

    resolved: dict[str, Any] = resolve(schema)
    return resolved


RECORD = {
    "required": True,
    "content": {
        "application/x-ndjson": {"schema": {"type": "string"}},
        "text/plain": {"schema": {"type": "string"}},
    },
}

opening = route(Grant, *CHANGING, status=201, body=Opening, security=BY_SESSION)
listing = route(MatchList, *READING, "bad", "not found")
view = route(View, *READING, "bad", "not found", "not yours", "stopping", security=BY_SEAT)
rated_if_joined = route(RatedIfJoined, *READING, "bad", "not found", security=BY_SESSION)
joining = route(Grant, *CHANGING, "not found", "closed", security=BY_SESSION)
commanding = route(
    Done,
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
    Forecast, *CHANGING, "not found", "not yours", "illegal", "closed", security=BY_SEAT
)
game = route(GameLog, *READING, "bad", "not found")
frame = route(Frame, *READING, "bad", "not found")
record = route(None, *READING, "bad", "not found", "closed", content="application/x-ndjson")
replay = route(None, *READING, "bad", "not found", "closed", content="text/html")
advising = route(Advice, *CHANGING, "not found", "not yours", "illegal", "closed", security=BY_SEAT)
explaining = route(
    Explanation, *READING, "bad", "not found", "not yours", "closed", security=BY_SEAT
)
analysis = route(Analysis, *READING, "bad", "not found", "closed")
analysis["responses"][202] = {"model": Progress, "description": "In progress; ask again."}
tendencies = route(Tendencies, *READING, "bad", "not found", "closed")
tendencies["responses"][202] = {"model": Progress, "description": "In progress; ask again."}
position = route(Position, *READING, "bad", "not found", "closed")
results = route(ExploredResults, *READING, "bad")
worth = route(Worth, *READING, "bad")
worth["responses"][202] = {"model": Preparing, "description": "Getting ready; ask again."}
uploading = route(MatchId, *CHANGING, status=201, security=BY_SESSION)
uploading["openapi_extra"]["requestBody"] = RECORD
lobby = route(Lobby, *READING, security=BY_SESSION)
me = route(Me, *READING, security=BY_SESSION)
claiming = route(Me, *CHANGING, "sign in", "closed", status=201, security=BY_SESSION)
signing_in = route(Me, *CHANGING, "sign in")
signing_out = route(
    None, *READING, "origin", "too slow", "too large", status=204, security=BY_SESSION
)
profile = route(Profile, *READING, "bad", "not found", security=BY_SESSION)
leaderboard = route(Leaderboard, *READING, "bad", "not found")
games = route(Catalogue, *READING)
rules = route(None, *READING, "bad", "not found", content="text/html")
puzzles = route(Puzzles, *READING, security=BY_SESSION)
puzzle = route(Puzzle, *READING, "bad", "not found", security=BY_SESSION)
attempting = route(Puzzle, *CHANGING, "not found", "illegal", security=BY_SESSION)
forecasting_puzzle = route(
    Forecast, *CHANGING, "not found", "illegal", "closed", security=BY_SESSION
)
