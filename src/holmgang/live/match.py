"""A match on the server: a fold over its log, and the commands that add to it.

`apply` adds events that are already in the log (`events.py`); a command adds new ones, which
`take_new` returns to be stored. Nothing here waits or writes. A match that is shown never changes:
commands are tried on a `fork`, which takes its place when its events are durable.

A viewer is a seat or None, a spectator. `version` counts the events that a viewer can see: all of
its own, and of the other seat's choices only whether there is one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from holmgang.engine.course import Positions, fork_of
from holmgang.engine.duel import Duel, parse_seat
from holmgang.engine.events import (
    Chosen,
    Created,
    DrawDeclined,
    DrawOffered,
    Event,
    Revealed,
    Withdrawn,
)
from holmgang.engine.match import Match
from holmgang.engine.quick import QUICK
from holmgang.errors import HolmgangError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset, load
from holmgang.live.clock import PlayClock
from holmgang.live.commands import Cause, DoneCommands, digest
from holmgang.live.events import (
    Cancelled,
    InGame,
    Joined,
    LogEntry,
    MatchEvent,
    Opened,
    Over,
    Paused,
    RematchAgreed,
    RematchOffered,
    Uploaded,
    as_stored,
    parse_stored,
)
from holmgang.live.packing import unpack
from holmgang.live.refusal import Refused, TimeUp, refusal_of
from holmgang.live.terms import SeatedPlayer, Terms
from holmgang.store import MatchSummary, RatedResult, StoredEvent
from holmgang.wire.match import Command

VIEWERS = (*SEATS, None)
MOST_MISSED = 3
"""Consecutive choices that are made for a player who is late; after that, the match is lost."""
GRACE = 5.0
"""Extra seconds for the first choice of a later game, while the end of the last one is shown."""
MOST_EVENTS = 20_000
"""Maximum number of events of a match. Normal play never reaches it; it limits scripts."""
MOST_SECOND_THOUGHTS = 2_000
"""Maximum number of changed or withdrawn choices and draw offers of a seat in a match. Without it,
a seat could use up the events of the match, and the other could no longer choose and would run out
of time."""
MOST_RATED = 5
"""Rated matches of two people against each other, in a game and in 24 hours. Further ones do not
count, so that nobody gains from losing to a friend again and again."""
MOST_RULESETS = 16
KEPT_ROUNDS = 4096
"""Rounds of a ruleset whose positions are kept, for all matches together."""
RULES_CHANGED = "rules changed"
"""Reason of a match that was cancelled because its log can no longer be replayed."""
FINAL_REASONS = ("forfeit", "timeout", "crash", "invalid")
"""Reasons of a game's end that also end its match."""


class LiveMatch:
    """The current state of one match."""

    terms: Terms
    _series: Match
    """The games so far."""

    def __init__(self, id: str, clock: PlayClock) -> None:  # noqa: A002 - the protocol's word
        self.id = id
        self.clock = clock
        self.seq = 0
        self.stored_seq = 0
        """The last event that is durable."""
        self.status = "new"
        self.players: dict[str, SeatedPlayer | None] = dict.fromkeys(SEATS)
        self.versions: dict[str | None, int] = dict.fromkeys(VIEWERS, 0)
        self.winner: str | None = None
        self.reason: str | None = None
        self.rematch_offers: frozenset[str] = frozenset()
        self.rematch: str | None = None
        self.late: dict[tuple[int, int], list[str]] = {}
        """Seats that ran out of time and had a choice made for them, by game and round."""
        self.has_chosen: frozenset[str] = frozenset()
        self.unrated: str | None = None
        """Why the match is not rated although it could be: `limit` or `unplayed`."""
        self._played: frozenset[str] = frozenset()
        """Seats of which a choice of their own was revealed."""
        self._done = DoneCommands()
        self._cause: Cause | None = None
        """The command that is being carried out, until an event has it."""
        self._missed = dict.fromkeys(SEATS, 0)
        self._second_thoughts = dict.fromkeys(SEATS, 0)
        self._opened_at = 0.0
        self._started: tuple[float, ...] = ()
        self._new: tuple[LogEntry, ...] = ()
        self._summary_parts: tuple[Any, tuple[Any, ...], int, bool] | None = None

    def fork(self) -> "LiveMatch":
        """A copy to try commands on; this match stays as it is."""
        fork = fork_of(self)
        if self.status != "new":
            fork._series = self._series.fork()
        return fork

    # Queries

    @property
    def is_stored(self) -> bool:
        """Whether all events are durable, so that the match may be shown."""
        return self.seq == self.stored_seq

    @property
    def games(self) -> Sequence[Duel]:
        """The games that have begun."""
        return () if self.status == "new" else self._series.games

    @property
    def score(self) -> dict[str, int]:
        return self._series.score

    @property
    def draws(self) -> int:
        return self._series.draws

    @property
    def duel(self) -> Duel | None:
        """The open game, or the last one; None before the first."""
        games = self.games
        return games[-1] if games else None

    @property
    def is_over(self) -> bool:
        return self.status in ("over", "cancelled")

    @property
    def is_rated(self) -> bool:
        """Whether ratings change with the result: between two accounts, if the terms allow it. A
        match that ends before both have played is not rated, nor one beyond the limit of a pair.
        """
        are_accounts = all(who is not None and who.kind == "account" for who in self.seated)
        return self.terms.can_be_rated and are_accounts and self.unrated is None

    @property
    def may_be_rated(self) -> bool:
        """Whether it depends on who joins whether the match is rated."""
        is_open = self.status == "open" and bool(self.free_seats)
        has_guest = any(who is not None and who.kind != "account" for who in self.seated)
        return is_open and self.terms.can_be_rated and not has_guest

    @property
    def seated(self) -> tuple[SeatedPlayer | None, ...]:
        return tuple(self.players[seat] for seat in SEATS)

    @property
    def free_seats(self) -> list[str]:
        return [seat for seat in SEATS if self.players[seat] is None]

    @property
    def is_waiting(self) -> bool:
        """Whether both seats are taken and the first game waits until the players are there."""
        return self.status == "open" and not self.free_seats

    @property
    def people(self) -> list[str]:
        """The seats taken by people."""
        return [seat for seat, who in self.players.items() if who is not None and who.is_person]

    @property
    def waiting_for(self) -> list[str]:
        duel = self.duel
        return duel.waiting_for if duel is not None and self.status == "playing" else []

    @property
    def late_seats(self) -> list[str]:
        """Seats of people who have yet to choose: only they can run out of time."""
        people = (seat for seat in self.waiting_for if not self.is_computer(seat))
        return list(people)

    @property
    def has_computer(self) -> bool:
        return any(map(self.is_computer, SEATS))

    def is_computer(self, seat: str) -> bool:
        player = self.players[seat]
        return player is not None and player.is_computer

    @property
    def deadline(self) -> float | None:
        """The deadline of the open round, by the wall clock; None if there is none."""
        seconds = self.terms.seconds
        if seconds is None or not self.late_seats or self.duel is None:
            return None
        is_new_game = self.duel.round == 1 and len(self.games) > 1
        opened = self.clock.play_time(self._opened_at)
        return self.clock.wall_time(opened + seconds + (GRACE if is_new_game else 0.0))

    @property
    def is_overdue(self) -> bool:
        """Whether the time for the open round is up."""
        deadline = self.deadline
        return deadline is not None and self.clock.wall() >= deadline

    def started(self, game: int) -> float | None:
        """When a game began, by the wall clock; None if it was played elsewhere."""
        return None if self.terms.visibility == "uploaded" else self._started[game - 1]

    def is_done(self, seat: str, command: Command) -> bool:
        """Whether this command was already carried out. Raises `Refused` if its id was used for
        another one.
        """
        return self._done.has(Cause(seat, command.id, digest(command)))

    def seat_of(self, *, secret: str | None = None, person: int | None = None) -> str | None:
        """The seat that belongs to the hash of a secret, or to a person."""
        for seat, player in self.players.items():
            if player is None:
                continue
            if secret is not None and player.secret and player.secret == secret:
                return seat
            if person is not None and player.person == person:
                return seat
        return None

    # Opening and joining

    def open(self, terms: Terms) -> None:
        self._add(Opened(terms))

    def join(
        self,
        seat: str,
        player: SeatedPlayer,
        *,
        begins: bool = True,
        unrated: str | None = None,
    ) -> None:
        """Takes a seat. If both are taken then, the first game begins, unless `begins` is false:
        then it waits for `begin`. `unrated` is why the match is not rated although it could be.
        """
        if self.status != "open":
            raise Refused("closed", "this match is not waiting for a player")
        if self.players[seat] is not None:
            raise Refused("closed", f"the {seat} seat is taken")
        self._add(Joined(seat, player, unrated))
        if begins:
            self.begin()

    def begin(self) -> None:
        """Begins the first game if both seats are taken."""
        if self.is_waiting:
            self._next_game()

    def open_finished(
        self, terms: Terms, players: Mapping[str, SeatedPlayer], duel: Duel, packed: str
    ) -> None:
        """Creates the match for one game that was played elsewhere, with its packed record."""
        self.open(terms)
        for seat in SEATS:
            self._add(Joined(seat, players[seat]))
        self._series.games.append(duel)
        self._add(Uploaded(packed))
        winner, reason = None, "unfinished"
        if duel.outcome is not None:
            winner, reason = duel.outcome.winner, duel.outcome.reason
        self._add(Over(winner, reason))

    def expire(self) -> None:
        """Cancels a match that has not begun and whose player has left."""
        if self.status == "open":
            self._add(Cancelled())

    # Commands

    def carry_out(self, seat: str | None, command: Command) -> None:
        """Carries out the command of a seat. Raises `Refused`, without effect. A command that was
        already carried out has no further effect.
        """
        if seat is None:
            raise Refused("not yours", "you are watching; only the players can do that")
        cause = Cause(seat, command.id, digest(command))
        if self._done.has(cause):
            return
        if self.seq > MOST_EVENTS and command.type != "forfeit":
            raise Refused("closed", "this match has too many events; it can only be forfeited")
        has_room = self._second_thoughts[seat] < MOST_SECOND_THOUGHTS
        if not has_room and self._is_second_thought(seat, command):
            raise Refused("closed", "you have changed your mind too often in this match")
        self._cause = cause
        try:
            self._act(seat, command)
        except HolmgangError as error:
            raise refusal_of(error) from None
        finally:
            self._cause = None

    def _is_second_thought(self, seat: str, command: Command) -> bool:
        """Whether the command only revises an earlier one, so the match can do without it."""
        is_change = command.type == "choose" and seat in self.has_chosen
        return is_change or command.type in ("withdraw", "offer draw", "decline draw")

    def _act(self, seat: str, command: Command) -> None:
        match command.type:
            case "rematch":
                self._offer_rematch(seat)
                return
            case "cancel":
                if self.status != "open":
                    raise Refused("closed", "only a match that has not begun can be cancelled")
                self._add(Cancelled())
                return
        duel = self._open_duel(command)
        before = len(duel.events)
        match command.type:
            case "choose":
                duel.choose(seat, command.choice or "", round=command.round)
            case "withdraw":
                duel.withdraw(seat)
            case "offer draw":
                duel.offer_draw(seat)
            case "decline draw":
                duel.decline_draw(seat)
            case "forfeit":
                duel.forfeit(seat)
        self._follow(duel, before)

    def _open_duel(self, command: Command) -> Duel:
        """The open game, if the command is for its open round."""
        duel = self.duel
        if self.status != "playing" or duel is None:
            why = "is over" if self.is_over else "has not begun"
            raise Refused("late" if self.is_over else "closed", f"the match {why}")
        number = len(self.games)
        if command.type != "forfeit" and (command.game, command.round) != (number, duel.round):
            raise Refused(
                "late",
                f"that is for game {command.game}, round {command.round}; "
                f"game {number}, round {duel.round} is open",
            )
        if command.type != "forfeit" and self.is_overdue:
            # The timer that ends the round may fire later, especially in a match that no process
            # had in memory.
            raise TimeUp(duel.round)
        return duel

    def _offer_rematch(self, seat: str) -> None:
        if self.status != "over" or self.terms.visibility == "uploaded":
            raise Refused("closed", "a rematch can be offered after the end of a match")
        if self.rematch is None and seat not in self.rematch_offers:
            self._add(RematchOffered(seat))

    @property
    def is_rematch_due(self) -> bool:
        """Whether both want a rematch that has not been opened yet. Computer players always do."""
        return (
            self.rematch is None
            and bool(self.rematch_offers)
            and all(seat in self.rematch_offers or self.is_computer(seat) for seat in SEATS)
        )

    def agree_rematch(self, id: str) -> None:  # noqa: A002
        """Notes that the rematch was opened under that id."""
        if self.rematch is None:
            self._add(RematchAgreed(id))

    def choose_for(self, seat: str, game: int, round: int, word: str) -> None:
        """Makes the choice of a level or a bot; does nothing if it is too late."""
        duel = self.duel
        is_open = self.status == "playing" and duel is not None
        if is_open and duel is not None and (len(self.games), duel.round) == (game, round):
            before = len(duel.events)
            if seat in duel.waiting_for:
                duel.choose(seat, word, round=round)
                self._follow(duel, before)

    def answer_draw_for(self, seat: str, *, accepts: bool) -> None:
        """Answers a standing draw offer for a level or a bot."""
        duel = self.duel
        if duel is not None and not duel.is_over and duel.draw_offered_by:
            before = len(duel.events)
            if accepts:
                duel.offer_draw(seat)
            else:
                duel.decline_draw(seat)
            self._follow(duel, before)

    def fail(self, seat: str, reason: str) -> None:
        """Ends the match after a bot has failed: it loses."""
        duel = self.duel
        if duel is not None and not duel.is_over:
            before = len(duel.events)
            if reason == "forfeit":
                duel.forfeit(seat)
            else:
                duel.disqualify([seat], reason)
            self._follow(duel, before)

    def pause(self, began: float, ended: float) -> None:
        """Credits the open round with a time in which its players could not be served. `ended` is
        the earlier one if the clock was set back between them. Doing so twice gives the players
        no less.
        """
        if self.deadline is None:
            return
        was_set_back = ended < began
        credit = ended - (began if was_set_back else max(began, self._opened_at))
        if self._opened_at > ended if was_set_back else credit > 0:
            self._add(Paused(credit))

    def run_out(self) -> None:
        """Applies the time limit: everyone who is late loses the match, or gets the harmless
        choice. Does nothing before the deadline.
        """
        duel = self.duel
        if duel is None or not self.is_overdue:
            return
        late, before = self.late_seats, len(duel.events)
        lost = [seat for seat in late if self._missed[seat] >= MOST_MISSED]
        if self.terms.on_timeout == "lose" or lost:
            duel.time_out(*(lost or late))
            self._follow(duel, before)
            return
        for seat in late:
            choice = self.terms.ruleset.harmless(duel.state, parse_seat(seat))
            duel.choose(seat, self.terms.ruleset.word(choice))
        self._follow(duel, before, late)

    # The log

    def apply(self, events: Sequence[StoredEvent]) -> None:
        """Adds events from the log, in complete appends. Games are left out if the match was
        cancelled because they cannot be replayed.
        """
        if events and events[-1].body.get("reason") == RULES_CHANGED:
            events = [by_rules_of_today(event) for event in events if "game" not in event.body]
            self.versions = dict.fromkeys(VIEWERS, events[-1].seq - len(events))
        entries = [parse_stored(event) for event in events]
        for game, group in groupby(entries, key=lambda entry: game_of(entry.event)):
            happened = list(group)
            if game:
                self._apply_game(game, happened)
            for entry in happened:
                if isinstance(entry.event, Uploaded):
                    self._series.games.append(unpack(entry.event.record))
                self._note(entry)
        self.note_stored()

    def note_stored(self) -> None:
        """Notes that all events are durable."""
        self.stored_seq = self.seq
        self._done = self._done.stored()

    @property
    def has_new(self) -> bool:
        """Whether events have been added since the last call of `take_new`."""
        return bool(self._new)

    @property
    def has_just_ended(self) -> bool:
        """Whether its end is among those events."""
        return any(isinstance(entry.event, Over) for entry in self._new)

    def take_new(self) -> list[StoredEvent]:
        """The events that have been added since the last call."""
        new, self._new = self._new, ()
        return [as_stored(entry) for entry in new]

    def _apply_game(self, number: int, entries: Sequence[LogEntry]) -> None:
        events = [entry.event.event for entry in entries if isinstance(entry.event, InGame)]
        if number > len(self.games):
            duel = Duel.from_events(events, positions=self._series.positions)
            duel.set_clock(self.clock.now, self.clock.play_time(entries[0].at))
            self._series.games.append(duel)
        else:
            self.games[number - 1].extend(events)

    def _follow(self, duel: Duel, before: int, late: Sequence[str] = ()) -> None:
        """Adds the events of the open game to the log, and their consequences: the reveal when both
        have chosen, the next game, the end of the match.
        """
        if duel.is_ready:
            duel.reveal()
        self._add_game_events(duel.events[before:], late)
        if not duel.is_over:
            return
        ended = duel.outcome
        if ended is not None and ended.reason in FINAL_REASONS:
            self._end(ended.winner, ended.reason)
        elif self._series.is_over:
            reason = ended.reason if ended is not None and self.terms.wins_needed == 1 else "score"
            self._end(self._series.winner, reason)
        else:
            self._next_game()

    def _end(self, winner: str | None, reason: str) -> None:
        is_unplayed = self.is_rated and len(self._played) < len(SEATS)
        self._add(Over(winner, reason, "unplayed" if is_unplayed else None))

    def _next_game(self) -> None:
        duel = self._series.next_game()
        duel.set_clock(self.clock.now, self.clock.now())
        self._add_game_events(duel.events)

    def _add_game_events(self, events: Iterable[Event], late: Sequence[str] = ()) -> None:
        number = len(self.games)
        for event in events:
            match event:
                case Revealed():
                    self._add(InGame(number, event, tuple(late)))
                case Chosen(seat=seat) if seat in late:
                    self._add(InGame(number, event, (seat,)))
                case _:
                    self._add(InGame(number, event))

    def _add(self, event: MatchEvent) -> None:
        entry = LogEntry(self.seq + 1, self.clock.wall(), event, self._cause)
        self._cause = None
        self._new += (entry,)
        self._note(entry)

    def _note(self, entry: LogEntry) -> None:
        """Applies an event to the match, apart from its game: the only place that changes it."""
        seen: Sequence[str | None] = VIEWERS
        match entry.event:
            case InGame():
                seen = self._note_in_game(entry.event, entry.at)
            case Opened(terms):
                self.terms, self.status = terms, "open"
                self._series = Match(
                    terms.ruleset,
                    seed=terms.seed,
                    wins_needed=terms.wins_needed,
                    start=terms.start,
                    positions=shared_positions(terms.ruleset),
                )
            case Joined(seat, player, unrated):
                self.players = {**self.players, seat: player}
                self.unrated = unrated
            case Paused(seconds):
                self._opened_at += seconds
            case RematchOffered(seat):
                self.rematch_offers |= {seat}
            case RematchAgreed(rematch):
                self.rematch = rematch
            case Over(winner, reason, unrated):
                self.status, self.winner, self.reason = "over", winner, reason
                self.unrated = unrated or self.unrated
            case Cancelled(reason):
                self.status, self.reason = "cancelled", reason
                self.unrated = RULES_CHANGED if reason == RULES_CHANGED else self.unrated
        self.versions = {
            viewer: version + (viewer in seen) for viewer, version in self.versions.items()
        }
        if entry.cause is not None:
            self._done = self._done.plus(entry.cause)
        self.seq = entry.seq

    def _note_in_game(self, event: InGame, at: float) -> Sequence[str | None]:
        """Returns who can see the event."""
        match event.event:
            case Chosen(seat=seat):
                missed = self._missed[seat] + 1 if event.late else 0
                if missed != self._missed[seat]:
                    self._missed = {**self._missed, seat: missed}
                if seat in self.has_chosen:
                    self._think_again(seat)
                    return (seat,)
                self.has_chosen |= {seat}
            case Revealed(round=round):
                self._opened_at = at
                self._played |= self.has_chosen.difference(event.late)
                self.has_chosen = frozenset()
                if event.late:
                    self.late = {**self.late, (event.game, round): list(event.late)}
            case Withdrawn(seat=seat):
                self.has_chosen -= {seat}
                self._think_again(seat)
            case DrawOffered(seat=seat) | DrawDeclined(seat=seat):
                self._think_again(seat)
            case Created():
                self.status, self._opened_at = "playing", at
                self._started += (at,)
                self.has_chosen = frozenset()
        return VIEWERS

    def _think_again(self, seat: str) -> None:
        self._second_thoughts = {**self._second_thoughts, seat: self._second_thoughts[seat] + 1}

    # For the store

    def summary(self) -> MatchSummary:
        """The match as a row of a list."""
        games, duel = self.games, self.duel
        key = self.status, len(self.free_seats), len(games), duel is not None and duel.is_over
        known = self._summary_parts
        if known is None or known[0] != key:
            before = sum(len(game.rounds) for game in games[:-1])
            known = self._summary_parts = key, self._lasting_summary(), before, self.is_rated
        _, lasting, before, is_rated = known
        rounds = before + len(duel.rounds) if duel else 0
        return MatchSummary._make(
            (*lasting, rounds, self.winner, self.reason, is_rated, self.deadline)
        )

    def _lasting_summary(self) -> tuple[Any, ...]:
        """The part of a summary that does not change within a game: its fields before `rounds`."""
        red, blue = self.seated
        score, terms = self.score, self.terms
        return (
            self.status,
            terms.visibility,
            terms.ruleset.text,
            terms.ruleset.entry.name,
            terms.wins_needed,
            terms.seconds,
            red.person if red else None,
            blue.person if blue else None,
            red.name if red else None,
            blue.name if blue else None,
            red.kind if red else None,
            blue.kind if blue else None,
            score["red"],
            score["blue"],
            self.draws,
            len(self.games),
        )

    def rated_result(self) -> RatedResult | None:
        """The result for the ratings, for the append that ends the match."""
        red, blue = self.seated
        is_rated = self.status == "over" and self.is_rated and red is not None and blue is not None
        if not is_rated or red is None or blue is None or red.person is None or blue.person is None:
            return None
        score = {"red": 1.0, "blue": 0.0, None: 0.5}[self.winner]
        return RatedResult(self.terms.ruleset.entry.name, red.person, blue.person, score)


@lru_cache(MOST_RULESETS)
def shared_positions(ruleset: Ruleset) -> Positions:
    """The positions that all matches of a ruleset share. Threads may use them at the same time: at
    worst, both work out the same position.
    """
    return Positions(ruleset, keep=KEPT_ROUNDS, encode=QUICK)


def by_rules_of_today(stored: StoredEvent) -> StoredEvent:
    """An event of a match that was cancelled because its rules have changed. Its start may not be
    one of today's states.
    """
    body = stored.body
    if body["event"] != "opened":
        return stored
    today = {"ruleset_hash": load(body["ruleset"]).hash, "start": None}
    return stored._replace(body=body | today)


def game_of(event: MatchEvent) -> int:
    """The number of the game that an event belongs to; 0 for an event of the match itself."""
    return event.game if isinstance(event, InGame) else 0


def computers(match: LiveMatch) -> Iterator[str]:
    """The seats of levels and bots that have yet to choose."""
    return (seat for seat in match.waiting_for if match.is_computer(seat))


def find_game(match: LiveMatch, number: int) -> Duel:
    """A game of a match by its number. Raises `Refused`."""
    games = match.games
    if not 1 <= number <= len(games):
        raise Refused("not found", f"the match has {len(games)} games")
    return games[number - 1]


def find_finished_game(match: LiveMatch, number: int) -> Duel:
    """The same, if it is over."""
    duel = find_game(match, number)
    if not duel.is_over:
        raise Refused("closed", "the game is not over yet")
    return duel
