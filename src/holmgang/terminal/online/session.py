"""A match on a server, as the front ends play it."""

import shlex
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from holmgang.engine.menu import Option, read_choice
from holmgang.engine.seal import commitment
from holmgang.errors import DuelError, HolmgangError
from holmgang.games.contract import SEATS, State, other_seat
from holmgang.machine import program
from holmgang.terminal.commands import CommandVerb
from holmgang.terminal.online.following import (
    Answered,
    Back,
    Gone,
    Item,
    Lost,
    MatchFollower,
    Seen,
)
from holmgang.terminal.online.view import OnlineView, player_text
from holmgang.terminal.session import (
    Forecasted,
    Found,
    GameBegan,
    GameEnded,
    MatchSession,
    News,
    Notice,
    RematchBegins,
    Replayed,
    RoundRevealed,
    Stage,
    answer,
    ended_line,
    illegal_choice,
    score_line,
)
from holmgang.wire.match import CommandType, ForecastRow, Seal

if TYPE_CHECKING:
    from holmgang.terminal.online.client import Client

PAUSE = 4.0
"""Seconds for which the end of a game is shown in a match with a clock; the server allows as much
more for the first choice of the next game."""
GONE = "This match can no longer be followed"
LOOK_EVERY = 1.0  # seconds between two looks at the clock
SHORT_SEAL = 16  # digits of the commitment that are shown
GLANCE_SECONDS = 0.2
"""Seconds the cursor has to rest on a choice before its forecast is requested."""
DAY, HOUR, MINUTE = 86_400, 3_600, 60


class UnconfirmedChoice(NamedTuple):
    """A choice of the person, or None for one taken back, that the server has not confirmed yet."""

    word: str | None


class Pause(NamedTuple):
    """The end of a game, shown until the person continues to the next one, which has begun."""

    game: int
    round: int
    state: State
    line: str
    since: float


class OnlineSession(MatchSession):
    """The match of a player or spectator on a server."""

    is_online = True
    verbs: Sequence[CommandVerb] = tuple(CommandVerb)
    forfeits = "the match"

    def __init__(self, client: "Client", view: OnlineView) -> None:
        super().__init__(view.rules)
        self.client = client
        self.match = view.match
        self.view = view
        """The newest."""
        self._seen_at = time.monotonic()  # when it was `now` of the view
        self._follower = MatchFollower(
            client, view, lambda item: self._post(partial(self._take, item))
        )
        self._glance: threading.Timer | None = None
        self._news: deque[News | Pause] = deque()
        self._pause: Pause | None = None
        self._chosen: UnconfirmedChoice | None = None
        self._unanswered = 0
        self._is_lost = False
        self._is_gone = False
        self._declines = False
        self._commitment = None if view.seal is None else view.seal.commitment
        self._forecasts: dict[tuple[int, int, str], list[ForecastRow]] = {}
        self._introduce()
        self._follower.start()

    # State of the match

    @property
    def people(self) -> list[str]:
        return [] if self.view.you is None else [self.view.you]

    @property
    def asked(self) -> str | None:
        view = self.view
        if self._pause is not None or not view.options or self.chosen is not None:
            return None
        return view.you if view.you in view.waiting_for or view.chosen is not None else None

    @property
    def chosen(self) -> str | None:
        if self._pause is not None or self.view.is_over:
            return None
        return self.view.chosen if self._chosen is None else self._chosen.word

    @property
    def stage(self) -> Stage:
        if self._pause is not None:
            return Stage.GAME_OVER
        if self.view.is_over:
            return Stage.MATCH_OVER
        return Stage.WAIT if self.asked is None else Stage.CHOOSE

    @property
    def state(self) -> State:
        return self.view.parsed_state if self._pause is None else self._pause.state

    @property
    def game(self) -> int:
        return max(1, self.view.game) if self._pause is None else self._pause.game

    @property
    def round(self) -> int:
        return max(1, self.view.round) if self._pause is None else self._pause.round

    @property
    def score(self) -> dict[str, int]:
        return self.view.score

    @property
    def wins_needed(self) -> int:
        return self.view.wins_needed

    @property
    def can_replay(self) -> bool:
        return self.view.status == "over" and self.view.game > 0

    @property
    def is_busy(self) -> bool:
        return self._unanswered > 0

    @property
    def next_match(self) -> str | None:
        """The rematch, once it is agreed on."""
        return self.view.rematch.match

    def menu(self, seat: str) -> list[Option]:
        return self.view.options if seat == self.view.you and self._pause is None else []

    # Work without input from the person

    def wait(self, seconds: float | None = None) -> None:
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self._posted and not self._is_pause_over:
            left = LOOK_EVERY if deadline is None else deadline - time.monotonic()
            if left <= 0:
                return
            self._has_arrived.wait(min(LOOK_EVERY, left))
            self._has_arrived.clear()

    @property
    def _is_pause_over(self) -> bool:
        has_clock = self.view.time.seconds is not None
        return (
            self._pause is not None and has_clock and time.monotonic() - self._pause.since > PAUSE
        )

    def _go_on(self) -> list[News]:
        if self._is_pause_over:
            self._pause = None
        news: list[News] = []
        while self._news and self._pause is None:
            happened = self._news.popleft()
            if not isinstance(happened, Pause):
                news.append(happened)
            elif self.people:
                self._pause = happened._replace(since=time.monotonic())
        return news

    def _take(self, item: Item) -> None:
        match item:
            case Seen():
                self._see(item)
            case Answered(refusal):
                self._unanswered -= 1
                if not self._unanswered:
                    self._chosen = None  # the view has the facts
                if refusal is not None:
                    is_illegal = refusal.code == "illegal"
                    text = illegal_choice(self.view.options) if is_illegal else sentence(refusal)
                    self._news.append(Notice(text))
            case Lost(error):
                self._is_lost = True
                self._tell(f"Connection lost, trying again ({error}).", is_warning=True)
            case Back():
                self._is_lost = False
                self._tell("Reconnected.")
            case Gone(error):
                self._is_gone = True
                self._tell(f"{GONE}: {error}.", is_warning=True)

    # News

    def _introduce(self) -> None:
        """The notices at the beginning of a match."""
        view = self.view
        if view.seal is not None and not view.is_over:
            short = view.seal.commitment[:SHORT_SEAL]
            self._tell(f"The dice are fixed and sealed: SHA-256 {short}…")
        if view.time.seconds is not None and not view.is_over:
            self._tell(f"Time for each choice: {duration(view.time.seconds)}.")
        if not view.is_over:
            self._tell_rated()
        if view.status == "open" and self._absent is None:
            self._tell(f"Link for your opponent: {self.link}")
        if view.you is None and not view.is_over:
            self._tell("You are watching.")
        trouble = self.client.identity.trouble
        if trouble is not None and view.you is not None and not view.is_over:
            self._tell(f"You cannot continue this match later: {trouble}.", is_warning=True)
        if view.game:
            self._news.append(GameBegan(view.game, tuple(view.revealed)))
        if view.is_over:
            self._tell_end()

    def _see(self, seen: Seen) -> None:
        before, view = self.view, seen.view
        self.view = view
        if view.now != before.now:
            self._seen_at = time.monotonic()
        if (view.game, view.round) != (before.game, before.round) or view.is_over:
            self._chosen = None
        self._tell_arrivals(before)
        if view.rated != before.rated and not view.is_over:
            self._tell_rated()
        for ended in seen.ended:
            number, ending, score = ended.number, ended.ending, self._score_after(ended.number)
            self._news.extend(RoundRevealed(each) for each in ended.rounds[ended.seen :])
            self._news.append(GameEnded(ended.state, ending, score))
            winner = next((each.winner for each in view.games if each.number == number), None)
            line = ended_line(ending, winner, score)
            rounds = max(1, len(ended.rounds))
            self._news.append(Pause(number, rounds, ended.state, line, 0.0))
            self._news.append(GameBegan(number + 1))
        if view.game and not before.game:
            self._news.append(GameBegan(view.game))
        self._news.extend(RoundRevealed(each) for each in view.revealed[seen.seen :])
        if view.is_over and not before.is_over:
            self._tell_end()
        elif (view.game, view.round) == (before.game, before.round):
            self._tell_offers(before)
            self._tell_choices(before)
        self._tell_rematch(before)

    def _tell(self, text: str, *, is_warning: bool = False) -> None:
        self._news.append(Notice(text, is_lasting=True, is_warning=is_warning))

    def _tell_rated(self) -> None:
        view = self.view
        if view.rated is None:
            whose = "your opponent has an account" if view.you else "a player with an account joins"
            self._tell(f"The match is rated if {whose}.")
        elif view.rated or view.visibility in ("link", "lobby"):
            self._tell(view.unrated or f"The match is {'' if view.rated else 'not '}rated.")

    def _tell_arrivals(self, before: OnlineView) -> None:
        for seat, player in self.view.players.items():
            if player is not None and before.players[seat] is None:
                self._tell(f"{seat.capitalize()} is {player_text(player)}.")

    def _tell_offers(self, before: OnlineView) -> None:
        """Reports draws that were offered or declined in the open round."""
        view = self.view
        for seat in SEATS:
            is_offered, was_offered = (seat in each.draw_offered_by for each in (view, before))
            if is_offered == was_offered:
                continue
            if is_offered and seat == view.you:
                self._tell("You have offered a draw.")
            elif is_offered:
                how = ": type draw to accept, decline to refuse" if view.you is not None else ""
                self._tell(f"{self.title(seat)} offers a draw{how}.")
            elif self._declines:
                mine = "taken your offer back" if seat == view.you else "declined the draw"
                self._tell(f"You have {mine}.")
            elif seat == view.you:
                self._tell(f"{self.title(other_seat(seat))} declines the draw.")
            else:
                self._tell(f"The draw offer of {self.title(seat)} no longer stands.")
        if not view.draw_offered_by:
            self._declines = False

    def _tell_choices(self, before: OnlineView) -> None:
        """Reports that a person has chosen while the other is still thinking."""
        view = self.view
        for seat, player in view.players.items():
            is_person = player is not None and player.kind in ("guest", "account")
            was_awaited = seat in before.waiting_for
            is_awaited = seat in view.waiting_for
            if seat == view.you or not is_person or was_awaited == is_awaited:
                continue
            done = "chooses again" if is_awaited else "has chosen"
            self._news.append(Notice(f"{self.title(seat)} {done}.", is_aside=True))

    def _tell_end(self) -> None:
        view = self.view
        if view.status == "cancelled":
            self._tell(view.outcome.sentence if view.outcome else "The match was cancelled.")
            return
        if view.games:
            last = view.games[-1]
            score = self._score_after(last.number) if view.wins_needed > 1 else ""
            self._news.append(GameEnded(view.parsed_state, last.ending, score))
        for seat, ratings in (view.rating_changes or {}).items():
            self._tell(
                f"{self.title(seat)}: rating {' → '.join(f'{each:.0f}' for each in ratings)}."
            )
        if view.unrated is not None:
            self._tell(view.unrated)
        if view.seal is not None:
            text, is_sound = seal_line(view.seal, self._commitment)
            self._tell(text, is_warning=not is_sound)

    def _tell_rematch(self, before: OnlineView) -> None:
        view = self.view
        for seat in view.rematch.offered_by:
            if seat not in before.rematch.offered_by and seat != view.you:
                self._tell(f"{self.title(seat)} offers a rematch.")
        if view.rematch.match is not None and before.rematch.match is None:
            if view.you is not None:
                self._news.append(RematchBegins())
            else:
                self._tell(f"The rematch: {self.client.address.link(view.rematch.match)}")

    def _score_after(self, number: int) -> str:
        """The score of the match after that game."""
        won = [game.winner for game in self.view.games if game.number <= number]
        return score_line({seat: won.count(seat) for seat in SEATS}, self.wins_needed)

    # What the person can do

    def next_game(self) -> None:
        self._pause = None

    def choose(self, typed: str) -> None:
        seat = self._playing_seat()
        if not self.menu(seat):
            raise DuelError("There is nothing to choose now.")
        word = read_choice(self.ruleset, self.menu(seat), typed)
        if word != self.chosen:
            self._choose(word)

    def undo(self) -> str:
        seat = self._playing_seat()
        if self.chosen is None:
            raise DuelError("There is no choice to take back.")
        self._choose(None)
        return seat

    def _choose(self, word: str | None) -> None:
        self._chosen = UnconfirmedChoice(word)
        self._send_for_round("withdraw" if word is None else "choose", word)

    def _send_for_round(self, type: CommandType, choice: str | None = None) -> None:  # noqa: A002
        self._unanswered += 1
        self._follower.send(type, game=self.view.game, round=self.view.round, choice=choice)

    def _send(self, type: CommandType) -> None:  # noqa: A002 - the protocol's word
        self._unanswered += 1
        self._follower.send(type)

    def _playing_seat(self) -> str:
        """The seat of the person; raises `DuelError` if the match is not being played."""
        seat = self.commanding
        if self.view.status == "open":
            raise DuelError("The match has not started yet.")
        if self.view.is_over:
            raise DuelError("The match is over.")
        return seat

    def forfeit(self, seat: str) -> None:
        self._playing_seat()
        self._send("forfeit")

    def offer_draw(self, seat: str) -> str | None:
        self._playing_seat()
        self._send_for_round("offer draw")
        return None

    def answer_draw(self, seat: str, *, accepts: bool) -> None:
        self._playing_seat()
        if not self.view.draw_offered_by:
            raise DuelError("No draw is offered.")
        self._declines = not accepts
        self._send_for_round("offer draw" if accepts else "decline draw")

    def forecast(self, seat: str, word: str, then: Forecasted, most: int | None = None) -> None:
        about = (self.view.game, self.view.round, word)
        if about in self._forecasts:
            then(self._forecasts[about])
            return

        def keep(answer: list[ForecastRow] | HolmgangError) -> None:
            if not isinstance(answer, HolmgangError):
                fresh = {key: seen for key, seen in self._forecasts.items() if key[:2] == about[:2]}
                self._forecasts = {**fresh, about: answer}
            then(answer)

        if self._glance is not None:
            self._glance.cancel()
        ask = partial(self._ask, lambda: self.client.forecast(self.match, word), keep)
        asking = threading.Timer(0.0 if most is None else GLANCE_SECONDS, ask)
        asking.daemon = True
        asking.start()
        self._glance = None if most is None else asking

    def replay(self, then: Replayed) -> None:
        game = self.view.game
        ask = partial(self._ask, lambda: self.client.replay(self.match, game), then)
        threading.Thread(target=ask, daemon=True).start()

    def _ask(self, ask: Callable[[], Found], then: Callable[[Found | HolmgangError], None]) -> None:
        """Asks the server, in a thread of its own; `then` is called by a later `advance`."""
        answer(ask, lambda found: self._post(partial(then, found)))

    def rematch(self) -> bool:
        if self.view.you is None or self.view.status != "over":
            raise DuelError("A rematch can be offered after the end of a match.")
        self._send("rematch")
        return False

    @property
    def leave_note(self) -> str:
        view = self.view
        if view.status == "open":
            is_listed = view.visibility == "lobby"
            return "closes the match" if is_listed else "the link stays open"
        return super().leave_note if self.people else "other matches"

    @property
    def rematch_note(self) -> str:
        view = self.view
        if view.status != "over" or view.you is None:
            return ""
        if view.you in view.rematch.offered_by:
            return "offered; waiting for an answer"
        if view.rematch.offered_by:
            return "accept it; you change seats"
        return "offer it; you change seats"

    def leave(self) -> None:
        """Leaves the match, which goes on without the person. A match in the lobby that nobody has
        joined is cancelled.
        """
        if self.has_left:
            return
        self.has_left = True
        if self._glance is not None:
            self._glance.cancel()
        self._follower.close()
        if self.view.is_over and self.view.rematch.match is None:
            self.client.identity.forget(self.match)
        if self.view.status == "open" and self.view.visibility == "lobby" and self.people:
            self.client.cancel(self.match)

    # In words

    @property
    def link(self) -> str:
        return self.client.address.link(self.match)

    def _name(self, seat: str) -> str:
        player = self.view.players[seat]
        return "nobody yet" if player is None else player_text(player)

    @property
    def _absent(self) -> str | None:
        """The players for whom a match with two players waits before it begins."""
        view = self.view
        if view.status != "open" or None in view.players.values():
            return None
        return self._titles([seat for seat in SEATS if seat != view.you])

    def waiting_line(self) -> str:
        view = self.view
        if self._is_gone:
            return GONE
        if self._is_lost:
            return "No connection, trying again"
        if view.status == "open":
            return f"Waiting for {self._absent or 'an opponent'}"
        who = self._titles(view.waiting_for) or "the server"
        return f"Watching, waiting for {who}" if view.you is None else f"Waiting for {who}"

    def notes(self) -> list[str]:
        view = self.view
        notes = []
        if self._is_lost and self.stage is not Stage.WAIT:
            notes.append("no connection, trying again")
        elif self._unanswered:
            notes.append("sending")
        if self.clock:
            notes.append(self.clock)
        if self.stage is Stage.CHOOSE:
            notes += [
                f"{seat.capitalize()} has chosen"
                for number, seat in enumerate(SEATS)
                if seat != view.you
                and seat not in view.waiting_for
                and self.ruleset.choices(view.parsed_state, number)
            ]
        if self.stage in (Stage.CHOOSE, Stage.WAIT):
            for seat in view.draw_offered_by:
                offers = f"{seat.capitalize()} offers a draw"
                notes.append("draw offered" if seat == view.you else offers)
            notes += [f"{seat.capitalize()}: {note}" for seat, note in view.notes.items()]
        return notes

    @property
    def clock(self) -> str:
        """The remaining time of the open round; empty if there is no limit."""
        if self.view.left_ms is None or self.view.is_over:
            return ""
        left = self.view.left_ms / 1000 - (time.monotonic() - self._seen_at)
        return duration(max(0, round(left)))

    def end_line(self) -> str:
        return "" if self._pause is None else self._pause.line

    def result_line(self) -> str:
        view, score = self.view, self.score
        if view.status == "open":
            return "The match is still open."
        if not view.is_over:
            return f"The score of the match is {score['red']} – {score['blue']}."
        winner = None if view.outcome is None else view.outcome.winner
        if winner is None:
            return "" if view.outcome is None else view.outcome.sentence
        if view.wins_needed == 1:
            return f"{self.title(winner)} wins the match."
        return f"{self.title(winner)} wins the match {score[winner]} – {score[other_seat(winner)]}."

    def record_lines(self) -> list[str]:
        lines = [f"Page:     {self.link}"]
        if not self.view.is_over:
            how = f"{program()} play --join {shlex.quote(self.link)}"
            lines.append(f"Continue: {how}" if self.people else f"Watch:    {how}")
        return lines


def sentence(error: HolmgangError) -> str:
    """The message of an error as a sentence."""
    message = str(error)
    return f"{message[:1].upper()}{message[1:].rstrip('.')}."


def duration(seconds: int) -> str:
    """A time as a clock shows it.

    >>> duration(62), duration(3600 * 5), duration(86_400)
    ('1:02', '5 h', '1 day')
    """
    if seconds >= DAY:
        return f"{seconds // DAY} day{'s' if seconds >= 2 * DAY else ''}"
    if seconds >= HOUR:
        return f"{seconds // HOUR} h"
    return f"{seconds // MINUTE}:{seconds % MINUTE:02}"


def seal_line(seal: Seal, published: str | None) -> tuple[str, bool]:
    """A sentence on whether the seed matches the published seal, and whether it does."""
    short = f"{seal.commitment[:SHORT_SEAL]}…"
    if published != seal.commitment:
        return f"The seal was replaced: it was {(published or '')[:SHORT_SEAL]}…", False
    if seal.seed is None or seal.salt is None:
        return f"The server has not opened the seal {short}", False
    try:
        is_sound = commitment(int(seal.seed), bytes.fromhex(seal.salt)) == published
    except (ValueError, OverflowError):
        is_sound = False
    if is_sound:
        return f"The seal {short} is verified: the dice were fixed before the first round.", True
    return f"The seal {short} is broken: the server may have changed the dice.", False
