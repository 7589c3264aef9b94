"""A duel: one game from its first state to its outcome, with choices hidden until both are in.

A duel is a fold over its events (`events.py`). A command such as `choose` checks that it is
allowed, makes an event and applies it; nothing else changes a duel. A store therefore has to keep
only the events: `Duel.from_events` continues from them in another process.

Nothing here waits, prints or writes. A record or a store that follows a duel as it happens is
passed as its `follower`.
"""

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from holmgang.engine.course import Course, Positions, Step, fork_of
from holmgang.engine.events import (
    EVENT_NAMES,
    Chosen,
    Created,
    Disqualified,
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    Forfeited,
    Revealed,
    TimedOut,
    Withdrawn,
)
from holmgang.engine.history import History
from holmgang.engine.keys import derive, parse_seed
from holmgang.errors import (
    ChoiceError,
    DuelError,
    HolmgangError,
    LateChoice,
    NothingToChoose,
    RecordError,
)
from holmgang.games.contract import NO_CHOICE, SEATS, State, other_seat, sentences
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import LARGEST, JsonObject, brief

Value = TypeVar("Value")

PLACES = tuple((seat, place) for place, seat in enumerate(SEATS))
"""Each seat with its place in pairs."""


@dataclass(frozen=True)
class Round:
    """A decision round after its reveal, in words."""

    number: int
    red: str | None
    blue: str | None
    chance: JsonObject | None
    ms: dict[str, int]
    story: list[str]
    is_hit: bool = False
    """Whether somebody was hit."""


class Follower(Protocol):
    """Receives each event after it happened, including hidden choices. A follower may therefore be
    a record or a store, but never a player.
    """

    def on_event(self, duel: "Duel", event: Event) -> None: ...


class Duel:
    """One game between red and blue.

    >>> duel = Duel("bagh", seed=7)
    >>> duel.choose("red", "attack")
    >>> duel.choose("blue", "heal")
    >>> duel.reveal().story[2]
    'Blue falls from 3 to 2 hp.'
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        *,
        seed: int | None = None,
        start: object = None,
        round_limit: int | None = None,
        follower: Follower | None = None,
        clock: Callable[[], float] = time.monotonic,
        positions: Positions | None = None,
    ) -> None:
        """`seed` decides the dice (default: random); `start` is the first state, as JSON or text
        (default: the game's own); a `round_limit` of 0 means none. Duels of one ruleset can share
        `positions`, so that a state which several of them reach is computed once.
        """
        self.ruleset = as_ruleset(ruleset)
        self.seed = parse_seed(seed)
        self.round_limit = parse_round_limit(self.ruleset, round_limit)
        dice = derive(self.seed, "dice")
        shared = positions or Positions(self.ruleset, keep=0)
        self.course = Course(shared, dice=dice, start=start, limit=self.round_limit)
        """The game in numbers, as far as it is public."""
        self.start = self.course.position.state
        self.rounds: History[Round] = History()
        self.outcome: Outcome | None = None
        self.events: History[Event] = History()
        self.follower = follower
        self._clock = clock
        self._created_at = clock()
        self._chosen: dict[str, Chosen] = {}
        self._chosen_at: dict[str, float] = {}
        """When each seat first chose. Everyone can see that, but nobody may see later changes."""
        self._draw_offers: frozenset[str] = frozenset()
        self.draw_declined_by: str | None = None
        """The seat that declined the last draw offer of the open round."""
        self._opened = 0.0
        self.created = Created(0.0, self.ruleset, self.seed, self.start, self.round_limit)
        self._happen(self.created)

    def __repr__(self) -> str:
        return (
            f"<Duel of {self.ruleset}: {self.ending() if self.is_over else f'round {self.round}'}>"
        )

    @classmethod
    def from_events(
        cls,
        events: Iterable[Event],
        *,
        follower: Follower | None = None,
        clock: Callable[[], float] = time.monotonic,
        positions: Positions | None = None,
    ) -> "Duel":
        """The duel with this log, ready to be continued. Choices that were not revealed are kept
        and stay hidden, and the clock of the open round continues from the last event. If the log
        lacks only the final event, the follower receives it. Raises `RecordError` for events that
        cannot have happened in this order.

        >>> duel = Duel("bagh", seed=7)
        >>> duel.choose("red", "attack")
        >>> again = Duel.from_events(duel.events)
        >>> again.chosen("red"), again.waiting_for
        ('attack', ['blue'])
        """
        stored = list(events)
        created = stored[0] if stored else None
        if not isinstance(created, Created):
            raise RecordError("the first event must be created")
        try:
            duel = cls(
                created.ruleset,
                seed=created.seed,
                start=created.start,
                round_limit=created.round_limit,
                clock=lambda: 0.0,
                positions=positions,
            )
        except HolmgangError as error:
            raise RecordError(f"event 1 (created): {error}") from None
        duel._replay(stored, 0)
        duel.set_clock(clock)
        duel.follower = follower
        if follower is not None:
            for event in duel.events[len(stored) :]:
                follower.on_event(duel, event)
        return duel

    def fork(self) -> "Duel":
        """An independent copy, which can be played without changing this duel."""
        return fork_of(self)

    def extend(self, events: Iterable[Event]) -> None:
        """Adds events that happened in another process since the last one known here. Raises
        `RecordError` for events that cannot have happened in this order.
        """
        known, (clock, created_at) = len(self.events), (self._clock, self._created_at)
        try:
            self._replay([*self.events, *events], known)
        finally:
            self._clock, self._created_at = clock, created_at

    def _replay(self, stored: list[Event], known: int) -> None:
        """Repeats the commands behind the events from index `known` on, with the clock at the time
        of each event, and compares the results.
        """
        self._created_at = 0.0
        for place, event in enumerate(stored[known:], start=known):
            where = f"event {place + 1} ({EVENT_NAMES[type(event)]})"
            self._clock = partial(float, event.at)
            try:
                if place == len(self.events):  # else it is the end, caused by the previous event
                    self._repeat(event)
            except HolmgangError as error:
                raise RecordError(f"{where}: {error}") from None
            if self.events[place] != event:
                stored_json, played = event.as_json(), self.events[place].as_json()
                differing = (key for key, value in stored_json.items() if value != played.get(key))
                key = next(differing, "event")
                raise RecordError(
                    f"{where}: {key} is {brief(stored_json[key])}, played {brief(played.get(key))}"
                )

    def set_clock(self, clock: Callable[[], float], created_at: float | None = None) -> None:
        """Continues with another clock. `created_at` is its reading when the duel was created
        (default: such that the last event happened now).
        """
        self._clock = clock
        self._created_at = clock() - self.events[-1].at if created_at is None else created_at

    # Public state

    @property
    def round(self) -> int:
        """The number of the open decision round, or of the last one."""
        return len(self.rounds) + (1 if self.outcome is None else 0)

    @property
    def state(self) -> State:
        return self.course.position.state

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def waiting_for(self) -> list[str]:
        """The seats whose choice is still missing."""
        if self.outcome is not None:
            return []
        sets, chosen = self.course.position.choices, self._chosen
        return [seat for seat, n in PLACES if sets[n] and seat not in chosen]

    def key(self, seat: str) -> int:
        """The key from which the player in that seat draws its random choices."""
        return derive(self.seed, SEATS[parse_seat(seat)])

    @property
    def state_json(self) -> JsonObject:
        return self.ruleset.format_state(self.state)

    @property
    def story(self) -> list[str]:
        """Everything that has happened, in sentences."""
        lines = [line for revealed in self.rounds for line in revealed.story]
        return lines if self.outcome is None else [*lines, self.ending()]

    def choices(self, seat: str) -> list[str]:
        """The words on this seat's menu; empty if it has nothing to choose."""
        number = parse_seat(seat)
        return [] if self.is_over else self.ruleset.words(self.state, number)

    def chosen(self, seat: str) -> str | None:
        """The seat's choice in the open round, which nobody else may see."""
        chosen = self._chosen.get(seat)
        return None if chosen is None else chosen.choice

    @property
    def draw_offered_by(self) -> list[str]:
        return [seat for seat in SEATS if seat in self._draw_offers]

    def ending(self) -> str:
        """The outcome in a sentence."""
        if self.outcome is None:
            return "The duel goes on."
        sentence = ENDINGS.get(self.outcome.reason)
        if sentence is None:
            return self.ruleset.tell_ending(self.state)
        winner, loser = {"red": ("Red", "Blue"), "blue": ("Blue", "Red")}.get(
            self.outcome.winner or "", ("nobody", "Each side")
        )
        return sentence.format(winner=winner, loser=loser, rounds=len(self.rounds))

    # Commands of a seat

    def choose(self, seat: str, choice: str, *, round: int | None = None) -> None:
        """Makes or changes the seat's hidden choice for the open round.

        Raises `LateChoice`, without effect, if `round` is given and is not the open one.
        """
        number = parse_seat(seat)
        self._check_open()
        if round is not None and round != self.round:
            raise LateChoice(
                f"that choice is for round {brief(round)}, but round {self.round} is open"
            )
        word = self.ruleset.word(self.course.position.parse(number, choice))
        self._happen(Chosen(self._now(), seat, self.round, word))

    def withdraw(self, seat: str) -> None:
        """Withdraws the seat's choice; allowed until the reveal."""
        parse_seat(seat)
        self._check_open()
        if seat not in self._chosen:
            raise NothingToChoose(f"{seat} has not chosen yet")
        self._happen(Withdrawn(self._now(), seat, self.round))

    def forfeit(self, seat: str) -> Outcome:
        """The seat gives up, and the other wins."""
        parse_seat(seat)
        self._check_open()
        return self._end(Forfeited(self._now(), seat))

    def disqualify(self, seats: Collection[str], reason: str) -> Outcome:
        """Ends the duel against these seats, for one of the reasons in `DISQUALIFIED`."""
        for seat in seats:
            parse_seat(seat)
        self._check_open()
        if not seats or reason not in DISQUALIFIED:
            raise DuelError(f"a seat can be disqualified only for {', '.join(DISQUALIFIED)}")
        failed, now = tuple(seat for seat in SEATS if seat in seats), self._now()
        is_late = reason == "timeout"
        return self._end(TimedOut(now, failed) if is_late else Disqualified(now, failed, reason))

    def time_out(self, *seats: str) -> Outcome:
        """Ends the duel against these seats, which have not chosen in time."""
        return self.disqualify(seats, "timeout")

    def offer_draw(self, seat: str) -> Outcome | None:
        """Offers a draw, or accepts the opponent's offer, which ends the duel. An offer is valid
        until it is withdrawn or declined, or the round is revealed.
        """
        parse_seat(seat)
        self._check_open()
        self._happen(DrawOffered(self._now(), seat))
        return self.outcome

    def decline_draw(self, seat: str) -> None:
        """Declines the opponent's offer and withdraws the seat's own."""
        parse_seat(seat)
        self._check_open()
        self._happen(DrawDeclined(self._now(), seat))

    def abandon(self) -> Outcome:
        """Ends the duel unfinished: nobody wins, and it does not count."""
        self._check_open()
        return self._end(Ended(self._now(), Outcome(None, "abandoned")))

    # The reveal

    @property
    def is_ready(self) -> bool:
        return self.outcome is None and not self.waiting_for

    def reveal(self, chance: object = ..., *, ms: dict[str, int] | None = None) -> Round:
        """Plays the round with the choices made. `chance` is the chance outcome in words, as in a
        record (default: drawn from the seed). `ms` are the times taken by seat (default: measured).
        """
        self._check_open()
        if self.waiting_for:
            raise DuelError(f"{' and '.join(self.waiting_for)} must choose before the reveal")
        before = self.state
        red, blue = (self._choice(seat) for seat in SEATS)
        face = None
        if chance is not ...:
            face = self.ruleset.parse_chance(before, red, blue, chance)
        step = self.course.prepare(red, blue, face)
        clauses = self.ruleset.clauses(before, red, blue, step.face, step.after.state)
        revealed = Round(
            number=self.round,
            red=self.ruleset.word_or_none(red),
            blue=self.ruleset.word_or_none(blue),
            chance=self.ruleset.format_chance(before, red, blue, step.face),
            ms=self._times(self._chosen_at) if ms is None else ms,
            story=sentences(clauses),
            is_hit=any(clause.is_hit for clause in clauses),
        )
        event = Revealed(
            at=self._now(),
            round=revealed.number,
            red=revealed.red,
            blue=revealed.blue,
            chance=revealed.chance,
            ms=revealed.ms,
            state=step.after.hash.decode(),
        )
        self._happen(event, (revealed, step))
        return revealed

    # Internals

    def _happen(self, event: Event, played: tuple[Round, Step] | None = None) -> None:
        """Applies an event, and the end of the duel if it causes it; then tells the follower."""
        ended = self._apply(event, played)
        happened = [event]
        if ended is not None:
            happened.append(Ended(event.at, ended))
            self._apply(happened[-1])
        if self.follower:
            for each in happened:
                self.follower.on_event(self, each)

    def _apply(self, event: Event, played: tuple[Round, Step] | None = None) -> Outcome | None:
        """Adds an event that is known to be allowed, and returns the outcome that it causes. This
        is the only place where a duel changes. For a `Revealed`, `played` is its round and step.
        """
        self.events = self.events.plus(event)
        match event:
            case Created():
                return self.course.outcome
            case Chosen():
                self._chosen = {**self._chosen, event.seat: event}
                self._chosen_at = {event.seat: event.at, **self._chosen_at}
            case Withdrawn():
                self._chosen = without(self._chosen, event.seat)
                self._chosen_at = without(self._chosen_at, event.seat)
            case Revealed() if played is not None:
                revealed, step = played
                self.course = self.course.fork()  # forks of this duel share it
                self.course.apply(step)
                self.rounds = self.rounds.plus(revealed)
                self._chosen, self._chosen_at, self._draw_offers = {}, {}, frozenset()
                self.draw_declined_by = None
                self._opened = event.at
                return self.course.outcome
            case DrawOffered():
                self.draw_declined_by = None
                self._draw_offers |= {event.seat}
                return Outcome(None, "agreement") if len(self._draw_offers) == 2 else None
            case DrawDeclined():
                if self._draw_offers - {event.seat}:
                    self.draw_declined_by = event.seat
                self._draw_offers = frozenset()
            case Forfeited():
                return Outcome(other_seat(event.seat), "forfeit")
            case TimedOut():
                return self.ruleset.disqualification(event.seats, "timeout")
            case Disqualified():
                return self.ruleset.disqualification(event.seats, event.reason)
            case Ended():
                self.outcome = event.outcome
                self.course = self.course.fork()
                self.course.end(event.outcome)
        return None

    def _repeat(self, event: Event) -> None:
        """Repeats the command behind an event."""
        match event:
            case Chosen():
                self.choose(event.seat, event.choice, round=event.round)
            case Withdrawn():
                self.withdraw(event.seat)
            case Revealed():
                # Logs of older versions have the time of the last change of a choice.
                older = self._times({seat: last.at for seat, last in self._chosen.items()})
                self.reveal(event.chance, ms=older if event.ms == older else None)
            case DrawOffered():
                self.offer_draw(event.seat)
            case DrawDeclined():
                self.decline_draw(event.seat)
            case Forfeited():
                self.forfeit(event.seat)
            case TimedOut():
                self.time_out(*event.seats)
            case Disqualified():
                self.disqualify(event.seats, event.reason)
            case Ended():  # any other end is caused by the previous event
                self.abandon()
            case _:
                raise DuelError("a duel can be created only once")

    def _now(self) -> float:
        """Seconds since the duel was created; never less than at the last event."""
        return max(self.events.last.at, round(self._clock() - self._created_at, 6))

    def _times(self, chosen_at: dict[str, float]) -> dict[str, int]:
        """How long each seat took to choose, in milliseconds."""
        return {
            seat: round_ms(chosen_at[seat] - self._opened) for seat in SEATS if seat in chosen_at
        }

    def _choice(self, seat: str) -> int:
        chosen = self._chosen.get(seat)
        return NO_CHOICE if chosen is None else self.ruleset.parse_word(chosen.choice)

    def _check_open(self) -> None:
        if self.outcome is not None:
            raise DuelError(f"the duel is over: {self.ending()}")

    def _end(self, event: Event) -> Outcome:
        self._happen(event)
        assert self.outcome is not None  # noqa: S101 - caused by that event
        return self.outcome


DISQUALIFIED = {
    "invalid": "{loser} gave an invalid answer; {winner} wins.",
    "timeout": "{loser} did not answer in time; {winner} wins.",
    "crash": "{loser} crashed; {winner} wins.",
}
"""The failures by which a bot loses, with the sentence for each."""

ENDINGS = {
    **DISQUALIFIED,
    "forfeit": "{loser} forfeits; {winner} wins.",
    "agreement": "Draw by agreement.",
    "abandoned": "The duel was abandoned; it does not count.",
    "limit": "Draw: round limit ({rounds}) reached.",
}
"""The sentences for endings outside the rules, by reason."""


def without(by_seat: dict[str, Value], seat: str) -> dict[str, Value]:
    return {each: value for each, value in by_seat.items() if each != seat}


def parse_seat(seat: str) -> int:
    if seat in SEATS:
        return SEATS.index(seat)
    raise ChoiceError(f"a seat is red or blue; not {brief(seat)}")


def parse_round_limit(ruleset: Ruleset, limit: int | None) -> int:
    if limit is None:
        return ruleset.entry.round_limit
    if type(limit) is int and 0 <= limit <= LARGEST:
        return limit
    raise DuelError(f"a round limit must be a whole number, 0 for none; not {brief(limit)}")


def round_ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
