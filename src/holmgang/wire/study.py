"""Studying: positions to explore, analyses of games, and puzzles. All values are to red, from -1 to
1, unless something else is said.
"""

from typing import Annotated

from msgspec import Meta

from holmgang.games.shape import JsonObject
from holmgang.wire.match import MatchEnding, Menu
from holmgang.wire.words import LONGEST_CHOICE, Answer, Label, Mark, Request, Seat, about, one_of

BySeat = dict[Seat, dict[str, float]]

# Positions


class ExploredRound(Answer):
    word: Annotated[str, about("the round in a line of play")]
    red: str | None
    blue: str | None
    labels: dict[Seat, Label]
    chance_text: str
    story: list[str]


class ExploredResult(ExploredRound):
    odds: Annotated[str, about("such as `1 in 3`; empty if it is certain")]
    share: float
    text: Annotated[str, about("the state after it, as short text")]


class ExploredResults(Answer):
    results: list[ExploredResult]


class FormField(Answer):
    """A number of a state that can be changed."""

    path: str
    seat: Seat | None
    label: str
    value: int
    least: int
    most: int
    is_flag: bool
    words: Annotated[list[str] | None, about("for each value from `least` on")]


class ExploredPosition(Answer):
    """A position to explore, and the line that leads there."""

    ruleset: str
    game_name: str
    title: str
    start: Annotated[str, about("the state that the line begins in, as short text")]
    is_usual_start: bool
    line: list[ExploredRound]
    at: Annotated[int, about("how many rounds of the line lead to the position")]
    state: JsonObject
    text: Annotated[str, about("the state as short text")]
    mirrored: Annotated[
        str | None, about("with the seats exchanged, in a game where that is the same")
    ]
    picture: str
    fields: list[FormField]
    menus: dict[Seat, Menu | None]
    outcome: MatchEnding | None


class WorthMatrix(Answer):
    red: list[str | None]
    blue: list[str | None]
    values: list[list[float]]


class PositionWorth(Answer):
    """The value of a position."""

    ruleset: str
    state: JsonObject
    text: str
    value: float
    win: float | None
    draw: float | None
    loss: float | None
    low: float
    high: float
    exact: bool
    worths_exact: Annotated[bool, about("of worths, costs and the matrix")]
    source: str
    depth: Annotated[int, about("rounds that a search looked ahead; 0 without one")]
    red_mix: dict[str, float]
    blue_mix: dict[str, float]
    worth: BySeat
    cost: BySeat
    matrix: WorthMatrix | None
    labels: dict[Seat, dict[str, Label]]
    note: Annotated[str, about("what is still being prepared; empty if nothing")]


class UselessChoice(Answer):
    seat: Annotated[Seat | None, about("null if the rules treat the seats alike")]
    choice: str
    condition: Annotated[
        str, about("such as `your hp is 1` or `red.hp is 1`; empty if it holds everywhere")
    ]


class RulesMeasures(Answer):
    """What a solved ruleset is like between perfect players. If the rules treat the seats alike,
    useless choices are listed once, for the player.
    """

    states: int
    value: Annotated[float, about("to red, from −1 to 1")]
    red: Annotated[float, about("the share of games that red wins")]
    blue: float
    draws: float
    endless: float
    length: Annotated[float | None, about("rounds on average; null if no game ends")]
    long: Annotated[int | None, about("rounds; 19 of 20 games are not longer")]
    useless: list[UselessChoice]


class RulesetPreview(Answer):
    ruleset: str
    measures: Annotated[
        RulesMeasures | None, about("null if the ruleset cannot be solved in seconds")
    ]


class Preparing(Answer):
    note: Annotated[str, about("what is being prepared")]


# Analyses


class AnalysisProgress(Answer):
    """How many rounds of an analysis are done."""

    done: int
    rounds: int


class AnalysedRound(Answer):
    round: int
    red: str | None
    blue: str | None
    value_before: float
    value_after: float
    red_error: float
    blue_error: float
    meeting_luck: float
    dice_luck: float
    red_mark: Mark | None
    blue_mark: Mark | None
    red_mix: dict[str, float]
    blue_mix: dict[str, float]
    worth: BySeat
    cost: BySeat
    labels: dict[Seat, dict[str, Label]]
    text: Annotated[str, about("the state before the round, as short text")]
    chances: Annotated[dict[str, float | None], about("`win`, `draw`, `loss` before the round")]
    exact: Annotated[bool, about("of the values before and after the round")]
    errors_exact: Annotated[bool, about("of errors and luck")]
    worths_exact: Annotated[bool, about("of worths, costs and mixes")]
    win: float | None
    draw: float | None
    loss: float | None
    depth: int


class AnalysedTurn(Answer):
    """A turning point."""

    round: int
    seat: Seat
    mark: Mark
    cost: float
    choice: str
    why: Annotated[str, about("the reply that punishes it, and the result")]
    better: str
    text: Annotated[str, about("all of it in words, without the round")]
    sentence: Annotated[str, about("the same with the round")]


class GameAnalysis(Answer):
    """The analysis of a game, as `holmgang analyse --json` prints it."""

    ruleset: str
    title: str
    players: dict[Seat, str]
    exact: Annotated[bool, about("of all values")]
    errors_exact: Annotated[bool, about("of all errors and luck")]
    source: str
    depth: int
    start_value: float
    end_value: float
    result: float | None
    reason: str | None
    accuracy: Annotated[dict[Seat, float | None], about("`null` where worths are estimates")]
    summary: list[str]
    turning_points: list[AnalysedTurn]
    rounds: list[AnalysedRound]
    totals: dict[str, float]


class SituationLine(Answer):
    """The rounds of one kind of situation."""

    situation: str
    choices: Annotated[
        list[str], about("those of the best mixes; empty where they differ between rounds")
    ]
    rounds: int
    frequencies: dict[str, float]
    equilibrium: Annotated[dict[str, float], about("the mean of the best mixes")]
    error: Annotated[float, about("lost by errors, per round")]
    gain: Annotated[
        float | None,
        about("per round, of an opponent who knew the frequencies; an estimate"),
    ]
    gain_by_chance: Annotated[float | None, about("the same against a perfect player, on average")]
    gain_limit: Annotated[
        float | None, about("the 95th percentile of the same against perfect players")
    ]


class PlayerTendencies(Answer):
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
    kinds: list[SituationLine]


class MatchTendencies(Answer):
    """How both players of a match chose, compared with the best mixes."""

    players: dict[Seat, PlayerTendencies]


# Puzzles


class AttemptRequest(Request):
    """An answer to a puzzle: a choice, or the share of each choice in a mix; they sum to 1."""

    choice: Annotated[str, Meta(max_length=LONGEST_CHOICE)] | None = None
    mix: (
        Annotated[dict[Annotated[str, Meta(max_length=LONGEST_CHOICE)], float], Meta(max_length=64)]
        | None
    ) = None


class PuzzleRatingLine(Answer):
    rating: int
    deviation: int
    provisional: bool
    attempts: int
    solved: int


class PuzzleGame(Answer):
    name: str
    title: str
    puzzles: int
    note: Annotated[str, about("why there are none; empty if there are some")]


class PuzzleOverview(Answer):
    games: list[PuzzleGame]
    daily: Annotated[str | None, about("the id of the puzzle of the day")]
    ratings: Annotated[dict[str, PuzzleRatingLine], about("your own ratings, by game")]


class RatingChange(Answer):
    before: int
    after: int


class JudgedReply(Answer):
    word: str
    label: str
    share: Annotated[float, about("in the equilibrium mix")]


class JudgedChoice(JudgedReply):
    worth: Annotated[float, about("against the other side's best mix for it")]
    cost: float
    right: bool


class PuzzleResult(Answer):
    """The result of an attempt. All values are those of the seat that was asked."""

    answer: str | dict[str, float]
    solved: bool
    cost: Annotated[float, about("of the choice, or of the mix against its best reply")]
    value: float
    natural: Annotated[str | None, about("the natural choice, which is wrong")]
    reply: Annotated[str | None, about("the best reply to a mix")]
    story: list[str]
    choices: list[JudgedChoice]
    replies: list[JudgedReply]
    rating: Annotated[RatingChange | None, about("`null` for a guest")]
    puzzle_rating: Annotated[RatingChange | None, about("`null` for a guest")]


class PuzzleView(Answer):
    """A puzzle. `result` is `null` for those who have not attempted it."""

    puzzle: str
    game_name: str
    title: str
    ruleset: str
    kind: Annotated[str, one_of("choice", "mix")]
    seat: Seat
    question: str
    right_count: Annotated[int, about("0 in a mix puzzle")]
    tolerance: Annotated[float, about("what a mix may lose")]
    source: Annotated[str, one_of("table", "duel")]
    rating: int
    provisional: bool
    attempts: int
    solved: int
    state: JsonObject
    text: Annotated[str, about("the state as short text")]
    picture: str
    menu: Menu
    result: PuzzleResult | None


# Lessons


class LessonRound(Answer):
    """A guided round: red learns, and blue's choice is announced."""

    title: str
    task: str
    state: Annotated[str, about("the position as short text")]
    picture: str
    menu: Menu
    reply: Annotated[str | None, about("blue's choice; `null` if it has none")]
    reply_label: Annotated[Label | None, about("the same for people")]


class LessonView(Answer):
    """The lesson of a game."""

    ruleset: str
    game_name: str
    title: str
    opponent: Annotated[str, about("the level suggested for the first match")]
    rounds: list[LessonRound]


class LessonAnswer(Answer):
    """A round of a lesson, as it was played."""

    right: bool
    labels: Annotated[dict[Seat, Label], about("both choices for people")]
    story: list[str]
    ending: Annotated[str, about("a sentence; empty while the duel goes on")]
    why: Annotated[str, about("why it is right; after a wrong choice, what to try")]
    picture: Annotated[str, about("the board after the round")]
