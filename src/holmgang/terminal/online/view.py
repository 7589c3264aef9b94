"""What a server sends, read and checked: views of matches, lists of them, games.

Raises `ServerError` for anything that is not as docs/live-protocol.md says.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from holmgang.engine.duel import Round
from holmgang.engine.forecast import ForecastLine
from holmgang.engine.menu import Option, hint_at_amount
from holmgang.errors import HolmgangError, ServerError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import brief
from holmgang.terminal.online.address import MATCH

LARGEST = 2**53
LONGEST_NAME = 40
STATUSES = ("open", "playing", "over", "cancelled")

Read = TypeVar("Read")


class PlayerLine(NamedTuple):
    """The player in a seat."""

    name: str
    kind: str
    rating: int | None

    def __str__(self) -> str:
        return self.name if self.rating is None else f"{self.name}, {self.rating}"


class GameLine(NamedTuple):
    """A game that is over."""

    number: int
    winner: str | None
    ending: str


class Seal(NamedTuple):
    """The commitment to the dice; after the match also the seed and salt that open it."""

    commitment: str
    seed: int | None
    salt: str | None


@dataclass(frozen=True)
class MatchView:
    """A match as this viewer may see it."""

    match: str
    version: int
    status: str
    visibility: str
    ruleset: Ruleset
    you: str | None
    players: dict[str, PlayerLine | None]
    seconds: int | None
    wins_needed: int
    score: dict[str, int]
    games: list[GameLine]
    game: int
    round: int
    state: Any
    waiting_for: list[str]
    left_ms: int | None
    """Remaining time of the open round when the view was made; None for no limit."""
    options: list[Option]
    chosen: str | None
    draw_offered_by: list[str]
    rematch_offered_by: list[str]
    rematch: str | None
    winner: str | None
    sentence: str | None
    """How the match ended."""
    rating_changes: dict[str, tuple[int, int]]
    rated: bool | None
    """Whether ratings change with the result; None if that depends on who joins."""
    unrated: str | None
    """Why the match is not rated although it could be."""
    rounds: list[Round]
    seal: Seal | None
    notes: dict[str, str]

    @property
    def is_over(self) -> bool:
        return self.status in ("over", "cancelled")


class MatchLine(NamedTuple):
    """A match in a list."""

    match: str
    status: str
    ruleset: str
    players: dict[str, PlayerLine | None]
    score: dict[str, int]
    wins_needed: int
    seconds: int | None
    rounds: int
    reason: str | None
    rated: bool | None
    you: str | None
    is_your_turn: bool


class Lobby(NamedTuple):
    """Matches to continue, to join and to watch."""

    yours: list[MatchLine]
    open: list[MatchLine]
    live: list[MatchLine]


class Offers(NamedTuple):
    """What can be played on a server."""

    games: list[str]
    levels: dict[str, str]
    """Descriptions of the levels, by name."""
    bots: list[str]


# Reading


def read_view(value: Any) -> MatchView:
    holder = Fields(value, "the view")
    ruleset = read_ruleset(holder.text("ruleset"))
    time, outcome = holder.fields("time"), holder.optional_fields("outcome")
    rematch, deadline = holder.fields("rematch"), holder.optional_number("deadline")
    return MatchView(
        match=holder.id("match"),
        version=holder.number("version"),
        status=holder.one_of("status", STATUSES),
        visibility=holder.text("visibility"),
        ruleset=ruleset,
        you=holder.optional_seat("you"),
        players=read_players(holder.fields("players")),
        seconds=time.optional_number("seconds"),
        wins_needed=holder.number("wins_needed"),
        score=read_score(holder.fields("score")),
        games=[read_game_line(game) for game in holder.several("games")],
        game=holder.number("game"),
        round=holder.number("round"),
        state=read_state(ruleset, holder.value("state")),
        waiting_for=holder.seats("waiting_for"),
        left_ms=None if deadline is None else deadline - holder.number("now"),
        options=read_menu(holder.optional_fields("menu")),
        chosen=holder.optional_text("chosen"),
        draw_offered_by=holder.seats("draw_offered_by"),
        rematch_offered_by=rematch.seats("offered_by"),
        rematch=rematch.optional_id("match"),
        winner=None if outcome is None else outcome.optional_seat("winner"),
        sentence=None if outcome is None else outcome.text("sentence"),
        rating_changes=read_rating_changes(holder.optional_fields("rating_changes")),
        rated=holder.optional_truth("rated"),
        unrated=holder.optional_text("unrated"),
        rounds=[read_round(each) for each in holder.several("rounds")],
        seal=read_seal(holder.optional_fields("seal")),
        notes=read_notes(holder.optional_fields("notes")),
    )


def read_ruleset(text: str) -> Ruleset:
    try:
        return load(text)
    except HolmgangError as error:
        raise ServerError(f"the server plays a game that is not known here: {error}") from None


def read_state(ruleset: Ruleset, value: Any) -> Any:
    try:
        return ruleset.parse_json(value)
    except HolmgangError as error:
        raise ServerError(f"the server plays by other rules: {error}") from None


def read_players(holder: "Fields") -> dict[str, PlayerLine | None]:
    return {seat: read_player(holder.optional_fields(seat)) for seat in SEATS}


def read_player(holder: "Fields | None") -> PlayerLine | None:
    if holder is None:
        return None
    name = holder.text("name")
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return PlayerLine(short, holder.text("kind"), holder.optional_number("rating"))


def read_score(holder: "Fields") -> dict[str, int]:
    return {seat: holder.number(seat) for seat in SEATS}


def read_game_line(value: Any) -> GameLine:
    holder = Fields(value, "a game")
    return GameLine(holder.number("number"), holder.optional_seat("winner"), holder.text("ending"))


def read_menu(holder: "Fields | None") -> list[Option]:
    """The options of a menu, to type from."""
    if holder is None:
        return []
    offered = []
    for value in holder.several("options"):
        option = Fields(value, "an option")
        offered.append(Option(option.text("key"), option.text("word"), option.text("note")))
    if "verbs" in holder:
        for value in holder.several("verbs"):
            verb = Fields(value, "a verb")
            for part in verb.several("parts"):
                most = Fields(part, "a part").optional_number("most", 10**18)
                if most is not None:
                    hint_at_amount(offered, verb.text("word"), most)
    return offered


def read_round(value: Any) -> Round:
    holder = Fields(value, "a round")
    ms, chance = holder.fields("ms"), holder.optional_fields("chance")
    late = holder.seats("late") if "late" in holder else []
    story = [text for text in holder.several("story") if isinstance(text, str)]
    return Round(
        number=holder.number("round"),
        red=holder.optional_text("red"),
        blue=holder.optional_text("blue"),
        chance=None if chance is None else chance.values,
        ms={seat: ms.number(seat) for seat in SEATS if seat in ms},
        story=[
            *(
                f"{seat.capitalize()} ran out of time; the harmless choice was made."
                for seat in late
            ),
            *story,
        ],
    )


def read_rating_changes(holder: "Fields | None") -> dict[str, tuple[int, int]]:
    changes = {}
    for seat in SEATS:
        if holder is None or seat not in holder:
            continue
        match holder.value(seat):
            case [int() | float() as before, int() | float() as after]:
                changes[seat] = (round(before), round(after))
    return changes


def read_seal(holder: "Fields | None") -> Seal | None:
    if holder is None:
        return None
    seed = holder.optional_text("seed")
    is_seed = seed is not None and seed.isascii() and seed.isdigit() and len(seed) <= 20
    return Seal(
        holder.text("commitment"),
        int(seed) if seed is not None and is_seed else None,
        holder.optional_text("salt"),
    )


def read_notes(holder: "Fields | None") -> dict[str, str]:
    if holder is None:
        return {}
    return {seat: holder.text(seat) for seat in SEATS if seat in holder}


class FinishedGame(NamedTuple):
    """A game of a match with all its rounds."""

    number: int
    rounds: list[Round]
    ending: str


def read_game(value: Any) -> FinishedGame:
    holder = Fields(value, "the game")
    rounds = [read_round(each) for each in holder.several("log")]
    return FinishedGame(holder.number("number"), rounds, holder.text("ending"))


def read_frame(value: Any, ruleset: Ruleset) -> Any:
    """The state in a frame of a game."""
    return read_state(ruleset, Fields(value, "the frame").value("state"))


def read_forecast(value: Any) -> list[ForecastLine]:
    lines = (Fields(line, "a line") for line in Fields(value, "the forecast").several("lines"))
    return [ForecastLine(*(line.text(key) for key in ForecastLine._fields)) for line in lines]


def read_lobby(value: Any) -> Lobby:
    holder = Fields(value, "the lobby")
    return Lobby(*([read_line(line) for line in holder.several(key)] for key in Lobby._fields))


def read_line(value: Any) -> MatchLine:
    holder = Fields(value, "a match")
    you = holder.optional_seat("you") if "you" in holder else None
    waiting = holder.seats("waiting_for") if "waiting_for" in holder else []
    return MatchLine(
        match=holder.id("match"),
        status=holder.one_of("status", STATUSES),
        ruleset=holder.text("ruleset"),
        players=read_players(holder.fields("players")),
        score=read_score(holder.fields("score")),
        wins_needed=holder.number("wins_needed"),
        seconds=holder.optional_number("seconds"),
        rounds=holder.number("rounds"),
        reason=holder.optional_text("reason"),
        rated=holder.optional_truth("rated"),
        you=you,
        is_your_turn=you in waiting,
    )


def read_offers(value: Any) -> Offers:
    holder = Fields(value, "the list of games")
    levels = [Fields(level, "a level") for level in holder.several("levels")]
    return Offers(
        [Fields(game, "a game").text("name") for game in holder.several("games")],
        {level.text("name"): level.text("line") for level in levels},
        [Fields(bot, "a bot").text("name") for bot in holder.several("bots")],
    )


class Fields:
    """The fields of a JSON object, each read with its required type."""

    def __init__(self, value: Any, what: str) -> None:
        if not isinstance(value, dict):
            raise ServerError(f"the server has sent {brief(value)} as {what}")
        self.values: dict[str, Any] = value
        self._what = what

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def value(self, key: str) -> Any:
        if key not in self.values:
            raise ServerError(f"the server has sent {self._what} without {brief(key)}")
        return self.values[key]

    def text(self, key: str) -> str:
        found = self.value(key)
        if isinstance(found, str):
            return found
        raise self._wrong(key, found)

    def id(self, key: str) -> str:
        """The id of a match, which will be part of paths."""
        found = self.text(key)
        if MATCH.fullmatch(found):
            return found
        raise self._wrong(key, found)

    def number(self, key: str, most: int = LARGEST) -> int:
        found = self.value(key)
        if type(found) is int and 0 <= found <= most:
            return found
        raise self._wrong(key, found)

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        found = self.text(key)
        if found in allowed:
            return found
        raise self._wrong(key, found)

    def seats(self, key: str) -> list[str]:
        found = self.several(key)
        if all(seat in SEATS for seat in found):
            return found
        raise self._wrong(key, found)

    def truth(self, key: str) -> bool:
        found = self.value(key)
        if isinstance(found, bool):
            return found
        raise self._wrong(key, found)

    def several(self, key: str) -> list[Any]:
        found = self.value(key)
        if isinstance(found, list):
            return found
        raise self._wrong(key, found)

    def fields(self, key: str) -> "Fields":
        return Fields(self.value(key), f"{key} of {self._what}")

    def optional_text(self, key: str) -> str | None:
        return self._optional(key, self.text)

    def optional_id(self, key: str) -> str | None:
        return self._optional(key, self.id)

    def optional_seat(self, key: str) -> str | None:
        return self._optional(key, lambda key: self.one_of(key, SEATS))

    def optional_truth(self, key: str) -> bool | None:
        return self._optional(key, self.truth)

    def optional_number(self, key: str, most: int = LARGEST) -> int | None:
        return self._optional(key, lambda key: self.number(key, most))

    def optional_fields(self, key: str) -> "Fields | None":
        return self._optional(key, self.fields)

    def _optional(self, key: str, read: Callable[[str], Read]) -> Read | None:
        return None if self.values.get(key) is None else read(key)

    def _wrong(self, key: str, found: Any) -> ServerError:
        return ServerError(f"the server has sent {brief(found)} as {key} of {self._what}")
