"""Lists of matches, people, and what a server offers."""

from typing import Annotated

from msgspec import Meta

from holmgang.games.shape import JsonObject
from holmgang.wire.match import PlayerName
from holmgang.wire.words import (
    Answer,
    Label,
    Milliseconds,
    Rated,
    Request,
    Score,
    Seat,
    Status,
    Visibility,
    about,
)

# Matches


class MatchLine(Answer):
    """A match in a list or in a history."""

    match: str
    status: Status
    visibility: Visibility
    ruleset: str
    game_name: str
    title: str
    players: dict[Seat, PlayerName | None]
    score: Score
    wins_needed: int
    seconds: int | None
    rounds: Annotated[int, about("of all games")]
    winner: Seat | None
    reason: str | None
    rated: Rated
    deadline: Milliseconds | None
    created_at: Milliseconds
    updated_at: Milliseconds | None


class LiveMatchLine(MatchLine):
    present: Annotated[list[Seat], about("seats whose players are there")]


class OwnMatchLine(MatchLine):
    you: Seat
    waiting_for: list[Seat]


class HistoryLine(MatchLine):
    """One of your own matches, finished or not."""

    you: Seat


class MatchHistory(Answer):
    matches: list[HistoryLine]
    is_whole: Annotated[bool, about("whether there are no older ones")]


class WaitingList(Answer):
    matches: Annotated[list[OwnMatchLine], about("your matches in which it is your turn")]


class MatchList(Answer):
    matches: list[MatchLine]


class LobbyLists(Answer):
    open: list[MatchLine]
    live: list[LiveMatchLine]
    yours: Annotated[list[OwnMatchLine], about("your own unfinished matches")]


class LobbyFrame(Answer, tag_field="type", tag="lobby"):
    """The lobby, whenever it has changed."""

    open: list[MatchLine]
    live: list[LiveMatchLine]


# People


class Credentials(Request):
    name: Annotated[str, Meta(min_length=1, max_length=100)]
    password: Annotated[
        str, Meta(min_length=1, max_length=1000, extra_json_schema={"format": "password"})
    ]


class RatingLine(Answer):
    rating: int
    deviation: int
    provisional: bool
    matches: int


class RatingHistory(RatingLine):
    history: Annotated[
        list[tuple[int, int]], about("milliseconds since 1970, and the rating from then on")
    ]


class GuestName(Request):
    name: Annotated[str, Meta(min_length=1, max_length=100)]


class Me(Answer):
    """The sender of the request."""

    name: Annotated[str | None, about("`null` before the first match")]
    guest: bool
    ratings: Annotated[dict[str, RatingLine], about("by game")]


class ResultCounts(Answer):
    """How many matches were won, drawn and lost."""

    won: int
    drawn: int
    lost: int


class Profile(Answer):
    name: str
    guest: bool
    since: Milliseconds
    ratings: Annotated[dict[str, RatingHistory], about("by game")]
    results: Annotated[dict[str, ResultCounts], about("by game, of all matches that you may see")]
    matches: list[MatchLine]
    unlisted: Annotated[
        int,
        about("number of further matches, which only their players see: by link, or alone"),
    ]


class RankedPlayer(RatingLine):
    name: str


class Leaderboard(Answer):
    game: str
    players: list[RankedPlayer]


# What a server offers


class RuleLine(Answer):
    default: int
    range: tuple[int, int]
    meaning: str


class SeatRatings(Answer):
    """The rating of a level in each seat."""

    red: int
    blue: int


class CatalogueGame(Answer):
    name: str
    title: str
    main: Annotated[str, about("the name of the game that this is a variant of, or its own")]
    variant: Annotated[str, about("the name among these variants")]
    line: str
    ruleset_hash: str
    wins_needed: int
    round_limit: int
    endless: Annotated[
        JsonObject, about("how a game ends that reaches the round limit: winner and reason")
    ]
    rules: dict[str, RuleLine]
    opponent: Annotated[str, about("the level suggested to a beginner")]
    prospects: Annotated[
        dict[str, Score], about("score of best play against levels, in percent, by your seat")
    ]
    ratings: Annotated[
        dict[str, SeatRatings],
        about(
            "the measured Elo ratings of levels, by the rules of `first` if they were measured;"
            " beginner has 800 on average"
        ),
    ]
    first: Annotated[str, about("the ruleset for newcomers: that of the first preset")]
    luck: Annotated[bool, about("whether luck decides much: ratings are close together")]


class SampleRound(Answer):
    """A round of a sample game."""

    red: str | None
    blue: str | None
    labels: dict[Seat, Label]
    story: list[str]
    picture: Annotated[str, about("the board after it")]


class Samples(Answer):
    """Boards for the first page, from records of real games."""

    start: Annotated[str, about("the board of the first game before these rounds")]
    rounds: list[SampleRound]
    boards: Annotated[dict[str, str], about("a small board of each main game, by name")]


class LevelLine(Answer):
    name: str
    line: str
    for_people: Annotated[bool, about("whether it is one of the graded levels, which come first")]


class BotLine(Answer):
    name: str
    games: list[str]


class Catalogue(Answer):
    games: list[CatalogueGame]
    levels: list[LevelLine]
    bots: list[BotLine]


# Setting up a match, and the rules on one screen


class PresetLine(Answer):
    """A named set of rules; the first of a game is for newcomers."""

    name: str
    line: str
    ruleset: str
    rules: Annotated[dict[str, int], about("the rules that differ from the catalogue")]
    wins_needed: int


class RuleGroup(Answer):
    title: str
    rules: list[str]


class GameForm(Answer):
    """The presets of a game, and its rules, also in groups."""

    presets: list[PresetLine]
    groups: list[RuleGroup]
    rules: dict[str, RuleLine]


class RulesChoice(Answer):
    word: Annotated[str, about("a choice, or the verb of several")]
    label: str
    does: str


class RulesCell(Answer):
    mark: Annotated[str, about("for red: `good`, `bad`, `even`; empty in a table of odds")]
    text: str


class RulesRow(Answer):
    label: str
    cells: list[RulesCell]


class RulesOverview(Answer):
    """The rules of a game on one screen, from the point of view of red."""

    ruleset: str
    title: str
    aim: str
    ending: str
    note: str
    choices: list[RulesChoice]
    corner: Annotated[str, about("what the rows and columns of the table are")]
    columns: list[str]
    rows: Annotated[list[RulesRow], about("empty if there is no table")]
    picture: str
