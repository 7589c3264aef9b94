"""The view of a match, with what the front ends need of it."""

from functools import cached_property

import msgspec

from holmgang.engine.duel import Round
from holmgang.engine.menu import Option, hint_at_amount
from holmgang.errors import HolmgangError, ServerError
from holmgang.games.contract import SEATS, State
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import JsonObject
from holmgang.players.naming import LONGEST_NAME
from holmgang.wire.match import ChangeFrame, MatchView, PlayerName, RoundLine, SeatPlayer
from holmgang.wire.reading import convert


class OnlineView(MatchView, dict=True):
    """A match as this viewer may see it. Making one raises `ServerError` if it has not both seats,
    or if the game or its state is not known here.
    """

    def __post_init__(self) -> None:
        if any(seat not in self.players or seat not in self.score for seat in SEATS):
            raise ServerError("the server has sent a match without one of its seats")
        _ = self.parsed_state, self.options  # which check them

    @property
    def is_over(self) -> bool:
        return self.status in ("over", "cancelled")

    @property
    def left_ms(self) -> int | None:
        """Remaining time of the open round when the view was made; None for no limit."""
        return None if self.deadline is None else self.deadline - self.now

    @cached_property
    def rules(self) -> Ruleset:
        try:
            return load(self.ruleset)
        except HolmgangError as error:
            raise ServerError(f"the server plays a game that is not known here: {error}") from None

    @cached_property
    def parsed_state(self) -> State:
        return parse_state(self.rules, self.state)

    @cached_property
    def options(self) -> list[Option]:
        """The options of the menu, to type from."""
        if self.menu is None:
            return []
        offered = [
            Option(option.key, option.word, option.note, option.fatal)
            for option in self.menu.options
        ]
        for verb in self.menu.verbs:
            for part in verb.parts:
                if part.most is not None:
                    hint_at_amount(offered, verb.word, part.most)
        return offered

    @cached_property
    def revealed(self) -> list[Round]:
        """The rounds of the open (or last) game."""
        return [revealed_round(line) for line in self.rounds]

    def changed(self, frame: ChangeFrame) -> "OnlineView":
        """The view after a change. Raises `ServerError` or `MessageError`."""
        plain: JsonObject = msgspec.to_builtins(self)
        plain.update(frame.patch, version=frame.version)
        rounds = [*self.rounds, *frame.rounds]
        plain["rounds"] = [line for line in rounds if line.game == plain["game"]]
        return convert(plain, OnlineView)


def parse_state(ruleset: Ruleset, state: JsonObject) -> State:
    try:
        return ruleset.parse_json(state)
    except HolmgangError as error:
        raise ServerError(f"the server plays by other rules: {error}") from None


def revealed_round(line: RoundLine) -> Round:
    late = (
        f"{seat.capitalize()} ran out of time; the harmless choice was made." for seat in line.late
    )
    return Round(line.round, line.red, line.blue, line.chance, line.ms, [*late, *line.story])


def player_text(player: PlayerName) -> str:
    """A player, with the rating where it is known."""
    name = player.name
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    rating = player.rating if isinstance(player, SeatPlayer) else None
    return short if rating is None else f"{short}, {rating}"
