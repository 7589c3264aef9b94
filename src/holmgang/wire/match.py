"""A match: opening and joining it, its views, the frames of its socket, and commands."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from holmgang.games.shape import JsonObject
from holmgang.wire.words import (
    LONGEST_CHOICE,
    LONGEST_ID,
    MOST_WINS,
    Answer,
    ErrorText,
    Label,
    Mark,
    Milliseconds,
    OnTimeout,
    PlayerKind,
    Rated,
    Request,
    Seat,
    Status,
    Visibility,
    about,
)

# Opening and joining


class ComputerOpponent(Request):
    """A level or a hosted bot, by name: one of them."""

    level: str | None = None
    bot: str | None = None


class Opening(Request):
    """A match to be opened."""

    ruleset: Annotated[
        str, Meta(description="such as `bagh` or `bagh:max_boost=4`", examples=["bagh"])
    ] = "bagh"
    opponent: Annotated[
        Literal["link", "lobby"] | ComputerOpponent,
        Meta(
            description='`"link"` (anyone who has the link), `"lobby"` (the next person), '
            '`{"level": NAME}` or `{"bot": NAME}`',
            examples=["link", {"level": "beginner"}],
        ),
    ] = "lobby"
    seat: Literal["red", "blue", "random"] = "random"
    seconds: Annotated[
        Literal[15, 60, 86400] | None, about("the time for each choice; `null` for no limit")
    ] = None
    on_timeout: Annotated[
        Literal["lose", "harmless"],
        about("the match is lost, or the game's harmless choice is made"),
    ] = "lose"
    wins_needed: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_WINS)] | None, about("set by the game unless given")
    ] = None
    start: Annotated[
        str | JsonObject | None,
        about(
            "the state that every game begins in, as JSON or short text; `null` for the game's "
            "own. For matches against a level or by link, which are then not rated"
        ),
    ] = None


class Joining(Request):
    seat: Annotated[
        Literal["red", "blue"] | None, about("any free seat if it is `null` or missing")
    ] = None


class SeatGrant(Answer):
    """The seat that someone was given."""

    match: str
    seat: Seat
    secret: Annotated[
        str,
        about("for `Authorization: Bearer`; empty for somebody who has the seat already"),
    ]


class RatedIfJoined(Answer):
    """Whether a match is rated if the sender of the request joins it."""

    rated: Rated
    reason: Annotated[str | None, about("why it is not rated, as a sentence")]


class UploadedMatch(Answer):
    match: str


# The menu


class MenuOption(Answer, omit_defaults=True):
    """A choice."""

    word: str
    label: Annotated[str, about("the word for people")]
    key: Annotated[str, about("a short form")]
    note: Annotated[str, about("what it does")]
    own: Annotated[
        int, about("length of the part of `note` before what its group shares; 0 without a group")
    ] = 0
    fatal: Annotated[
        bool, about("whether it loses at once, whatever the other seat and the dice do")
    ] = False
    group: Annotated[
        str, about("the word with which labels of several options end, to fold them into one card")
    ] = ""


class PartValue(Answer):
    value: str
    label: str


class MenuPart(Answer, omit_defaults=True):
    """An argument of a verb: one of some values, or any number from `least` to `most`."""

    label: str
    values: Sequence[PartValue] = ()
    least: int | None = None
    most: int | None = None
    listed: Annotated[Sequence[int], about("numbers worth a button of their own")] = ()


class MenuVerb(Answer):
    """A choice with arguments: its word and the values of its parts, separated by spaces."""

    word: str
    label: str
    key: str
    parts: list[MenuPart]


class Menu(Answer, omit_defaults=True):
    """What a seat may choose, and how to ask for it."""

    controls: Annotated[
        Literal["cards", "dials", "parts"],
        about("a card for each option, two dials for pairs `a/b`, or verbs with parts"),
    ]
    options: list[MenuOption]
    shared: Annotated[str, about("what all options with an `own` part of their note do")] = ""
    axes: Annotated[Sequence[str], about("the names of both dials")] = ()
    rows: Annotated[Sequence[str], about("the values of the first dial")] = ()
    columns: Annotated[Sequence[str], about("the values of the second dial")] = ()
    verbs: Sequence[MenuVerb] = ()


# The view


class PlayerName(Answer):
    name: Annotated[str, about("names from an uploaded record end with “ (record)”")]
    kind: PlayerKind


class SeatPlayer(PlayerName):
    """The player in a seat."""

    rating: Annotated[int | None, about("when the match began")]
    provisional: bool


class TimeLimit(Answer):
    seconds: Annotated[int | None, about("for each choice; `null` for no limit")]
    on_timeout: OnTimeout


class GameLine(Answer):
    """A game of a match."""

    number: int
    winner: Seat | None
    reason: str | None
    ending: Annotated[str, about("a sentence")]
    rounds: int


class RoundLine(Answer, omit_defaults=True):
    """A round after its reveal."""

    game: int
    round: int
    red: Annotated[str | None, about("red's choice; `null` if it had none")]
    blue: Annotated[str | None, about("blue's choice")]
    labels: Annotated[
        dict[Seat, Label],
        about("the choices for people, by seat: the verb, then the meaning of each argument"),
    ]
    chance: Annotated[JsonObject | None, about("what the dice showed, as in [step](step.md)")]
    chance_text: Annotated[str, about("the same in words")]
    ms: Annotated[dict[Seat, int], about("the time that each seat took, in milliseconds")]
    story: Annotated[list[str], about("what happened, in sentences")]
    late: Annotated[
        Sequence[Seat],
        about("seats that ran out of time and had the harmless choice made for them"),
    ] = ()
    hit: Annotated[bool, about("whether somebody was hit")] = False


class GameLog(GameLine):
    """A game with all its rounds."""

    is_over: bool
    log: Sequence[RoundLine]


class MatchEnding(Answer):
    winner: Seat | None
    reason: str | None
    sentence: str


class Rematch(Answer):
    offered_by: list[Seat]
    match: Annotated[str | None, about("the id of the next match, once it is agreed")]


class Seal(Answer):
    """The proof that the dice were fixed before the first choice."""

    commitment: str
    seed: Annotated[str | None, about("in digits, after the end")]
    salt: Annotated[str | None, about("after the end")]


class PreviousGame(Answer):
    game: int
    picture: Annotated[str, about("its final board")]


class MatchView(Answer, omit_defaults=True):
    """A match as one viewer may see it."""

    match: Annotated[str, about("the id; the page is `/match/ID`")]
    version: Annotated[int, about("number of events that this viewer can see")]
    status: Annotated[Status, about("`open`: a seat is free, or a player is away")]
    visibility: Annotated[Visibility, about("`solo`: against a level or a bot")]
    ruleset: Annotated[str, about("the canonical text")]
    game_name: Annotated[str, about("the name in the catalogue")]
    title: Annotated[str, about("the title in the catalogue")]
    you: Annotated[Seat | None, about("the viewer's seat; `null` for a spectator")]
    players: Annotated[dict[Seat, SeatPlayer | None], about("`null` for a free seat")]
    rated: Rated
    unrated: Annotated[
        str | None, about("why the match is not rated although it could be, as a sentence")
    ]
    time: Annotated[TimeLimit, about("the time for each choice")]
    wins_needed: Annotated[int, about("games to win the match")]
    start: Annotated[
        str | None,
        about("the state that its games begin in, as short text; `null` for the game's own"),
    ]
    rematch: Annotated[Rematch, about("offers of a rematch, and the rematch")]
    outcome: Annotated[MatchEnding | None, about("of the match; `null` while it goes on")]
    seal: Annotated[Seal | None, about("`null` for an uploaded record")]
    score: Annotated[dict[Seat, int], about("games won")]
    draws: Annotated[int, about("games drawn")]
    games: Annotated[list[GameLine], about("the finished games")]
    game: Annotated[int, about("number of the open game; after the end, of the last")]
    round: Annotated[int, about("number of the open round; after the end, of the last")]
    state: Annotated[JsonObject, about("the state of the open game, as in [step](step.md)")]
    asked: Annotated[list[Seat], about("seats that choose in the open round")]
    waiting_for: Annotated[list[Seat], about("seats among them that have yet to choose")]
    deadline: Annotated[
        Milliseconds | None,
        about(
            "deadline of the open round, in milliseconds since 1970; `null` for none. It moves "
            "when the round is credited with a time in which the server could not be used"
        ),
    ]
    now: Annotated[Milliseconds, about("the server's clock, in the same unit")]
    draw_offered_by: Annotated[list[Seat], about("seats with a standing offer")]
    rounds: Annotated[Sequence[RoundLine], about("the rounds of the open (or last) game")]
    rating_changes: Annotated[
        dict[Seat, list[float]] | None,
        about("by seat after a rated match: the rating before and after"),
    ]
    watching: Annotated[int, about("number of spectators, roughly")]
    kept_days: Annotated[
        int | None,
        about(
            "of an uploaded record: the days for which it is kept after somebody last looked at "
            "it; otherwise `null`"
        ),
    ]
    notes: Annotated[dict[Seat, str], about("what a level is still preparing, as text")]
    menu: Annotated[Menu | None, about("what the viewer may choose now; `null` if nothing")]
    chosen: Annotated[str | None, about("the viewer's own choice of the open round, or `null`")]
    draw_declined_by: Annotated[
        Seat | None, about("the seat that declined the last offer of the open round")
    ] = None
    picture: Annotated[
        str | None,
        about("the board as SVG, if asked for; `/static/board.css` is its style sheet"),
    ] = None
    previous: Annotated[
        PreviousGame | None,
        about("with pictures, in the first round of a later game: how the game before ended"),
    ] = None


class GameFrame(Answer):
    """A game after one of its rounds."""

    game: int
    round: int
    state: JsonObject
    picture: str
    revealed: Annotated[RoundLine | None, about("the round; `null` at the start")]


# Frames and commands


class ViewFrame(Answer, tag_field="type", tag="view"):
    """The whole view. It replaces everything that was sent before."""

    view: MatchView


class ChangeFrame(Answer, tag_field="type", tag="change"):
    """What has changed since a version of the view."""

    since: int
    version: int
    patch: Annotated[JsonObject, about("the fields of the view that have changed, except `rounds`")]
    rounds: Annotated[Sequence[RoundLine], about("revealed since then, to be added to the list")]


class DoneFrame(Answer, tag_field="type", tag="done"):
    """The command was carried out, and is on the disk."""

    id: str


class RefusedFrame(Answer, tag_field="type", tag="refused"):
    """The command was refused, without effect."""

    id: str | None
    error: ErrorText


class StoppingFrame(Answer, tag_field="type", tag="stopping"):
    """The server is stopping; reconnect."""


CommandType = Literal[
    "choose",
    "withdraw",
    "offer draw",
    "decline draw",
    "forfeit",
    "rematch",
    "cancel",
    "sync",
]


class Command(Request):
    """A command of a seat. Those for a round need `game` and `round`, and `choose` a `choice`."""

    id: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=LONGEST_ID,
            description="made by the client; the same id again has no further effect",
        ),
    ]
    type: CommandType
    game: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    round: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    choice: Annotated[str, Meta(max_length=LONGEST_CHOICE)] | None = None


class ChoiceRequest(Request):
    """A choice to be forecast, or to be judged by the coach."""

    choice: Annotated[str, Meta(max_length=LONGEST_CHOICE)]


class ForecastRow(Answer, omit_defaults=True):
    """A row of a forecast: against what, how likely, what happens."""

    against: Annotated[str, about("in words; empty in further rows about the same choices")]
    odds: str
    result: Annotated[str, about("`changes` and `ending` in words")]
    replies: Annotated[
        Sequence[str], about("the choices it is against, pairs as `0–2/3`; empty if not listed")
    ] = ()
    changes: Annotated[
        Sequence[tuple[Seat | None, str]], about("whose value changes, and how: `hp 3 → 2`")
    ] = ()
    ending: Annotated[str, about("the end of the game, as a sentence")] = ""


class ForecastTable(Answer):
    """What a choice would do, against every choice of the other seat."""

    choice: str
    note: str
    lines: list[ForecastRow]


class Advice(Answer):
    """The coach's advice on a choice before it is made."""

    choice: str
    is_warning: bool
    error: Annotated[float, about("what the choice costs")]
    mark: Mark | None
    exact: bool
    sentence: str


class Explanation(Answer):
    """The coach's comment on a round after its reveal."""

    sentence: str
    details: list[str]
    mark: Mark | None
    error: float
    exact: bool
