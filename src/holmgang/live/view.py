"""Views: what a viewer may see of a match, a function of the public events and the viewer's own.

Nothing in a view is derived from an unrevealed choice of the other seat.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

import orjson
from msgspec import Raw, json

from holmgang.engine.duel import Duel, Round
from holmgang.engine.frames import chance_text
from holmgang.engine.seal import commitment
from holmgang.games.contract import NO_CHOICE, NOBODY, SEATS, Scene, State, Transition, other_seat
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject
from holmgang.live.match import MOST_RATED, RULES_CHANGED, LiveMatch
from holmgang.live.menus import menu_of
from holmgang.live.round_log import RoundLog, encode
from holmgang.live.terms import Terms
from holmgang.wire.match import (
    GameLine,
    MatchEnding,
    MatchView,
    Menu,
    PreviousGame,
    Rematch,
    RoundLine,
    Seal,
    TimeLimit,
)

MOST_PICTURES = 4096
"""Of some 13 KB each."""
UNRATED = {
    "limit": f"Not rated: these players have already played {MOST_RATED} rated matches of this"
    " game against each other in 24 hours.",
    "unplayed": "Not rated: the match ended before a choice of each player was revealed.",
    RULES_CHANGED: "Not rated: the match was cancelled because the rules have changed.",
    "terms": "Not rated: a rated match needs the game's default rules and a time limit.",
    "host": "Not rated: the other player has no account.",
    "guest": "Not rated, unless you sign in before you join.",
}
CANCELLED = {
    RULES_CHANGED: "The match was cancelled: the rules of its game have changed since it began, so "
    "that its rounds can no longer be replayed. It does not count.",
}

Made = TypeVar("Made")

Fields = JsonObject
"""Some fields of a `MatchView`."""
Place = tuple[int, int]
"""Number of games that have begun, and of rounds played in the last."""


class Extras(NamedTuple):
    """Fields of a view that do not come from the log."""

    rating_changes: dict[str, list[float]] | None = None
    watching: int = 0
    kept_days: int | None = None
    notes: Mapping[str, str] = {}

    def fields(self) -> "Fields":
        return self._asdict()


NO_EXTRAS = Extras()


class Sight(NamedTuple):
    """A view in parts. A part that has not changed is the same object as before, so that two views
    are compared quickly; apart from the rounds and the server's clock.
    """

    public: tuple[Fields, ...]
    own: Fields
    """What only this viewer sees."""
    version: int
    place: Place


class MatchViews:
    """The views of one match."""

    def __init__(self, match: LiveMatch) -> None:
        self.match = match
        self._place: Place = 0, -1
        self._parts: dict[str, tuple[Any, Any]] = {}
        """The parts that are kept: their key, which changes when they do, and their value."""
        self._rounds: list[list[bytes]] = []
        """The rounds of each game as JSON."""
        self._logs: dict[int, RoundLog] = {}
        self.advance(match)

    def advance(self, match: LiveMatch) -> None:
        """Goes on with the match after more events, which must be durable."""
        self.match = match
        self._check_stored()
        games = match.games
        place = len(games), len(games[-1].rounds) if games else 0
        if place != self._place:
            self._place = place
            self._encode_rounds()

    def _check_stored(self) -> None:
        """An event that is not durable is shown to nobody."""
        if not self.match.is_stored:
            raise AssertionError(f"{self.match.seq=}, but {self.match.stored_seq=}")

    def view(
        self, seat: str | None, *, picture: bool = False, extras: Extras = NO_EXTRAS
    ) -> MatchView:
        """The view of a seat or a spectator."""
        view = self.whole(self.sight(seat, self.public(extras), picture=picture))
        if picture:
            view.picture = as_svg(drawn(self.match, self.match.duel))
        return view

    def whole(self, sight: Sight) -> MatchView:
        """The same with the picture as JSON, to be encoded."""
        fields: Fields = {}
        for part in sight.public:
            fields |= part
        return MatchView(
            **fields,
            **sight.own,
            version=sight.version,
            now=self._now(),
            rounds=self.rounds(sight.place[0]) if sight.place[0] else [],
        )

    def sight(self, seat: str | None, public: tuple[Fields, ...], *, picture: bool) -> Sight:
        """What a viewer sees now. `public` is the same for all."""
        match, duel = self.match, self.match.duel
        own: Fields = {"you": seat, "menu": None, "chosen": None}
        if seat is not None and duel is not None and match.status == "playing":
            own["menu"], own["chosen"] = self._menu(duel, seat), duel.chosen(seat)
        if picture:
            key = self._place, duel is not None and duel.is_over
            own |= self._part("pictures", key, lambda: self._pictures(duel))
        return Sight(public, own, match.versions[seat], self._place)

    def public(self, extras: Extras) -> tuple[Fields, ...]:
        """The parts of a view that all viewers see."""
        self._check_stored()
        match, duel, status = self.match, self.match.duel, self.match.status
        games, is_over = match.games, duel is not None and duel.is_over
        key = status, match.rematch, match.rematch_offers, match.players
        deadline = match.deadline
        moving: Fields = {
            "waiting_for": match.waiting_for,
            "deadline": None if deadline is None else milliseconds(deadline),
            "draw_offered_by": [] if duel is None or is_over else duel.draw_offered_by,
            "draw_declined_by": None if duel is None or is_over else duel.draw_declined_by,
        }
        return (
            self._part("lasting", key, self._lasting),
            self._part("standing", (len(games), is_over), self._standing),
            self._part("round", (self._place, status, is_over), self._round),
            self._part("extras", extras, extras.fields),
            moving,
        )

    def _part(self, name: str, key: Any, make: Callable[[], Made]) -> Made:
        """A part that is made again only when its key is another one."""
        known = self._parts.get(name)
        if known is not None and known[0] == key:
            return cast(Made, known[1])
        made = make()
        self._parts[name] = key, made
        return made

    def _now(self) -> int:
        return milliseconds(self.match.clock.wall())

    def public_changes(self, old: tuple[Fields, ...], new: tuple[Fields, ...]) -> Fields:
        """The public fields that have changed; with a new deadline also the server's clock."""
        changed: Fields = {}
        for before, after in zip(old, new, strict=True):
            if before is not after:
                changed |= changes(before, after)
        if "deadline" in changed:
            changed["now"] = self._now()
        return changed

    def _lasting(self) -> Fields:
        """The fields that stay the same once both seats are taken."""
        match, terms = self.match, self.match.terms
        entry = terms.ruleset.entry
        return {
            "match": match.id,
            "status": match.status,
            "visibility": terms.visibility,
            "ruleset": terms.ruleset.text,
            "game_name": entry.name,
            "title": entry.title,
            "players": {each: who.public() if who else None for each, who in match.players.items()},
            "rated": rated(match),
            "unrated": UNRATED.get(match.unrated or ""),
            "time": TimeLimit(seconds=terms.seconds, on_timeout=terms.on_timeout),
            "wins_needed": terms.wins_needed,
            "start": start_text(terms),
            "rematch": Rematch(offered_by=sorted(match.rematch_offers), match=match.rematch),
            "outcome": outcome(match),
            "seal": seal(match),
        }

    def _standing(self) -> Fields:
        """The fields that change with the end of a game."""
        match, games = self.match, self.match.games
        numbered = enumerate(games, start=1)
        return {
            "score": match.score,
            "draws": match.draws,
            "games": [game_line(number, game) for number, game in numbered if game.is_over],
            "game": len(games),
        }

    def _round(self) -> Fields:
        """The fields that change with a reveal. Asked are the seats that choose in the open round,
        including those that have already chosen.
        """
        match, terms, duel = self.match, self.match.terms, self.match.duel
        if duel is None:
            state = terms.ruleset.format_state(terms.first_state)
            return {"round": 0, "state": state, "asked": []}
        asked: list[str] = []
        if match.status == "playing" and not duel.is_over:
            sets = zip(SEATS, duel.course.position.choices, strict=True)
            asked = [seat for seat, choices in sets if choices]
        return {"round": duel.round, "state": duel.state_json, "asked": asked}

    def _menu(self, duel: Duel, seat: str) -> Menu | None:
        if duel.is_over:
            return None
        return self._part(seat, self._place, lambda: menu_of(duel.ruleset, duel.state, seat))

    def _encode_rounds(self) -> None:
        """Puts the new rounds into words, each once."""
        games = self.match.games if self.match.status != "new" else []
        for number in range(max(1, len(self._rounds)), len(games) + 1):
            if number > len(self._rounds):
                self._rounds.append([])
            encoded = self._rounds[number - 1]
            for revealed in games[number - 1].rounds[len(encoded) :]:
                encoded.append(encode(round_line(self.match, number, revealed)))

    def rounds(self, game: int) -> RoundLog:
        """The rounds of a game so far."""
        encoded, log = self._rounds[game - 1], self._logs.get(game)
        if log is None or len(log) != len(encoded):
            log = self._logs[game] = RoundLog(encoded)
        return log

    def rounds_since(self, place: Place) -> RoundLog:
        """The rounds after a place, and those of later games."""
        game, count = place
        found = self._rounds[game - 1][count:] if game else []
        for later in self._rounds[game:]:
            found += later
        return RoundLog(found)

    def _pictures(self, duel: Duel | None) -> Fields:
        """The boards, which are the same for all viewers."""
        return {"picture": drawn(self.match, duel), "previous": self._previous()}

    def _previous(self) -> PreviousGame | None:
        """The final board of the previous game, during the first round of the next one."""
        games = self.match.games
        if len(games) < 2 or games[-1].rounds:
            return None
        return PreviousGame(game=len(games) - 1, picture=as_svg(drawn(self.match, games[-2])))


def changes(old: Fields, new: Fields) -> Fields:
    """Those of the new fields that are not as before."""
    return {
        name: value for name, value in new.items() if value is not old[name] and value != old[name]
    }


def rated(match: LiveMatch) -> bool | None:
    """Whether ratings change with the result; None while that depends on who joins."""
    return None if match.may_be_rated else match.is_rated


def start_text(terms: Terms) -> str | None:
    """The state that the games begin in, as short text; None for the game's own."""
    return None if terms.start is None else terms.ruleset.format_text(terms.start)


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def game_line(number: int, game: Duel) -> GameLine:
    ended = game.outcome
    return GameLine(
        number=number,
        winner=ended.winner if ended else None,
        reason=ended.reason if ended else None,
        ending=game.ending(),
        rounds=len(game.rounds),
    )


def round_line(match: LiveMatch, game: int, revealed: Round) -> RoundLine:
    ruleset = match.terms.ruleset
    step = match.games[game - 1].course.steps[revealed.number - 1]
    choices = (step.red, step.blue)
    return RoundLine(
        game=game,
        round=revealed.number,
        red=revealed.red,
        blue=revealed.blue,
        labels={
            seat: ruleset.label(step.before.state, number, choices[number]).words
            for number, seat in enumerate(SEATS)
            if choices[number] != NO_CHOICE
        },
        chance=revealed.chance,
        chance_text=chance_text(revealed),
        ms=revealed.ms,
        story=revealed.story,
        late=match.late.get((game, revealed.number), ()),
        hit=revealed.is_hit,
    )


def outcome(match: LiveMatch) -> MatchEnding | None:
    if match.status == "cancelled":
        told = CANCELLED.get(match.reason or "", "The match was cancelled.")
        return MatchEnding(winner=None, reason=match.reason, sentence=told)
    if match.status != "over":
        return None
    return MatchEnding(winner=match.winner, reason=match.reason, sentence=sentence(match))


def sentence(match: LiveMatch) -> str:
    """The end of the match in a sentence."""
    duel, score, winner = match.duel, match.score, match.winner
    if match.terms.wins_needed == 1 or match.reason in ("forfeit", "timeout", "crash", "invalid"):
        return duel.ending() if duel else ""
    if winner is None:
        return f"The match is a tie: {score['red']} – {score['blue']}."
    loser = other_seat(winner)
    return f"{winner.capitalize()} wins the match {score[winner]} – {score[loser]}."


def seal(match: LiveMatch) -> Seal | None:
    """The commitment to the seed; after the end also the seed and salt that prove it."""
    terms = match.terms
    if terms.salt is None:
        return None
    if match.status != "over":
        return Seal(commitment=commitment(terms.seed, terms.salt), seed=None, salt=None)
    return Seal(
        commitment=commitment(terms.seed, terms.salt), seed=str(terms.seed), salt=terms.salt.hex()
    )


@lru_cache(MOST_PICTURES)
def picture_of(ruleset: Ruleset, state: State, scene: Scene) -> Raw:
    """The picture of a state as JSON, cached: matches and viewers share it, so that a choice draws
    nothing, and a round is drawn and encoded once.
    """
    return Raw(orjson.dumps(ruleset.picture(state, scene)))  # in half the time of msgspec


def as_svg(picture: Raw) -> str:
    return json.decode(picture, type=str)


def drawn(
    match: LiveMatch,
    duel: Duel | None,
    *,
    rounds: int | None = None,
    prefix: str = "",
    has_last: bool = True,
    has_style: bool = False,
) -> Raw:
    """The picture of a game as JSON, now or after some rounds, for a page with its own style sheet,
    which names the players and shows who has chosen; or with a style of its own.
    """
    ruleset = match.terms.ruleset
    if duel is None:
        return picture_of(ruleset, match.terms.first_state, Scene(has_style=has_style))
    steps = duel.course.steps
    count = len(steps) if rounds is None else rounds
    state = steps[count - 1].after.state if count else duel.start
    last = None
    if count and has_last:
        step = steps[count - 1]
        last = Transition(step.before.state, step.red, step.blue, step.face)
    is_end = duel.outcome is not None and count == len(steps)
    winner = None
    if is_end and duel.outcome is not None:
        winner = SEATS.index(duel.outcome.winner) if duel.outcome.winner else NOBODY
    return picture_of(ruleset, state, Scene(last, winner, prefix, has_style=has_style))
