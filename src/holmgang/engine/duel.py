"""A duel: one game from its first state to its outcome, with choices hidden until both are in.

Nothing here waits, prints or writes. Whoever wants to follow a duel as it happens (a record, a
screen) passes a `follower`.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol

from holmgang.engine.course import Course, Positions
from holmgang.engine.keys import derive, parse_seed
from holmgang.errors import ChoiceError, DuelError, LateChoice, NothingToChoose
from holmgang.games.contract import NO_CHOICE, SEATS, State
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import brief


@dataclass(frozen=True)
class Round:
    """A decision round after its reveal, in words."""

    number: int
    red: str | None
    blue: str | None
    chance: dict[str, Any] | None
    ms: dict[str, int]
    story: list[str]


@dataclass(frozen=True)
class View:
    """What one seat, or a spectator (`seat` None), may see of a duel.

    It holds the opponent's choice nowhere: not in a field, and not in one it is derived from.
    """

    ruleset: str
    seat: str | None
    round: int
    state: dict[str, Any]
    choices: list[str]
    chosen: str | None
    waiting_for: list[str]
    draw_offered_by: list[str]
    outcome: Outcome | None
    rounds: tuple[Round, ...] = ()
    """Those that have been revealed."""


class Follower(Protocol):
    """Told of everything that becomes public in a duel, when it does."""

    def on_round(self, duel: "Duel", revealed: Round) -> None: ...
    def on_end(self, duel: "Duel", outcome: Outcome) -> None: ...


class Duel:
    """One game between red and blue.

    >>> duel = Duel("bagh", seed=7)
    >>> duel.choose("red", "attack")
    >>> duel.choose("blue", "heal")
    >>> duel.reveal().story
    ['Red attacks for 1; Blue tries to heal and is interrupted.', 'Blue falls to 2 hp.']
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        *,
        seed: int | None = None,
        start: Any = None,
        round_limit: int | None = None,
        follower: Follower | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`seed` decides the dice (default: random); `start` is the state to start from, as JSON or
        text, if not the game's own; a `round_limit` of 0 means none.
        """
        self.ruleset = as_ruleset(ruleset)
        self.seed = parse_seed(seed)
        self.round_limit = parse_round_limit(self.ruleset, round_limit)
        positions = Positions(self.ruleset, keep=0)
        dice = derive(self.seed, "dice")
        self.course = Course(positions, dice=dice, start=start, limit=self.round_limit)
        """The game in numbers, as far as it is public."""
        self.start = self.course.position.state
        self.rounds: list[Round] = []
        self.follower = follower
        self._clock = clock
        self._chosen: dict[int, int] = {}
        self._ms: dict[int, int] = {}
        self._draw_offers: set[int] = set()
        self._opened = clock()

    # What anyone may know

    @property
    def round(self) -> int:
        """The number of the decision round that is open now, or was last."""
        return len(self.rounds) + (1 if self.outcome is None else 0)

    @property
    def state(self) -> State:
        return self.course.position.state

    @property
    def outcome(self) -> Outcome | None:
        return self.course.outcome

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def waiting_for(self) -> list[str]:
        """The seats whose choice is still missing."""
        return [SEATS[seat] for seat in (0, 1) if seat not in self._chosen and self._asks(seat)]

    def key(self, seat: str) -> int:
        """What the player in that seat draws its random choices from."""
        return derive(self.seed, SEATS[parse_seat(seat)])

    @property
    def state_json(self) -> dict[str, Any]:
        return self.ruleset.format_state(self.state)

    @property
    def story(self) -> list[str]:
        """All that has happened, in words."""
        lines = [line for revealed in self.rounds for line in revealed.story]
        return lines if self.outcome is None else [*lines, self.ending()]

    def choices(self, seat: str) -> list[str]:
        """The words on this seat's menu; empty if it has nothing to choose."""
        number = parse_seat(seat)
        return self.ruleset.words(self.state, number) if self._asks(number) else []

    def view(self, seat: str | None = None) -> View:
        """The duel as this seat sees it; as a spectator does, for None."""
        number = None if seat is None else parse_seat(seat)
        chosen = self._chosen.get(number) if number is not None else None
        return View(
            ruleset=self.ruleset.text,
            seat=seat,
            round=self.round,
            state=self.state_json,
            choices=[] if seat is None else self.choices(seat),
            chosen=None if chosen is None else self._word(chosen),
            waiting_for=self.waiting_for,
            draw_offered_by=[SEATS[number] for number in sorted(self._draw_offers)],
            outcome=self.outcome,
            rounds=tuple(self.rounds),
        )

    def ending(self) -> str:
        """The outcome in a sentence."""
        if self.outcome is None:
            return "The duel goes on."
        told = ENDINGS.get(self.outcome.reason)
        if told is None:
            return self.ruleset.tell_ending(self.state)
        winner, loser = {"red": ("Red", "Blue"), "blue": ("Blue", "Red")}.get(
            self.outcome.winner or "", ("nobody", "Each side")
        )
        return told.format(winner=winner, loser=loser, rounds=len(self.rounds))

    # What a seat may do

    def choose(self, seat: str, choice: str, *, round: int | None = None) -> None:
        """Makes or changes the seat's choice for the open round; nobody else can see it.

        Raises `LateChoice`, without effect, if `round` is given and is not the open one.
        """
        number = parse_seat(seat)
        self._check_open()
        if round is not None and round != self.round:
            raise LateChoice(f"that choice is for round {brief(round)}; open is round {self.round}")
        self._chosen[number] = self.ruleset.parse_choice(self.state, number, choice)
        self._ms[number] = round_ms(self._clock() - self._opened)

    def withdraw(self, seat: str) -> None:
        """Takes the seat's choice back; allowed until the reveal."""
        number = parse_seat(seat)
        self._check_open()
        if number not in self._chosen:
            raise NothingToChoose(f"{seat} has not chosen yet")
        del self._chosen[number], self._ms[number]

    def forfeit(self, seat: str) -> Outcome:
        """The seat gives up; the other wins."""
        number = parse_seat(seat)
        self._check_open()
        return self._end(Outcome(SEATS[1 - number], "forfeit"))

    def disqualify(self, seats: Collection[str], reason: str) -> Outcome:
        """Ends the duel against these seats, for one of the reasons in `DISQUALIFIED`."""
        for seat in seats:
            parse_seat(seat)
        self._check_open()
        if not seats or reason not in DISQUALIFIED:
            raise DuelError(f"a seat is disqualified for one of {', '.join(DISQUALIFIED)}")
        return self._end(self.ruleset.disqualification(seats, reason))

    def offer_draw(self, seat: str) -> Outcome | None:
        """Offers a draw, or accepts the other's offer, which ends the duel. An offer stands until
        it is taken back, declined, or the round is revealed.
        """
        number = parse_seat(seat)
        self._check_open()
        self._draw_offers.add(number)
        return self._end(Outcome(None, "agreement")) if len(self._draw_offers) == 2 else None

    def decline_draw(self, seat: str) -> None:
        """Declines the other's offer and takes back one's own."""
        parse_seat(seat)
        self._check_open()
        self._draw_offers.clear()

    def abandon(self) -> Outcome:
        """Ends the duel unfinished: nobody wins, and it counts for nothing."""
        self._check_open()
        return self._end(Outcome(None, "abandoned"))

    # The reveal

    @property
    def is_ready(self) -> bool:
        return self.outcome is None and not self.waiting_for

    def reveal(self, chance: Any = ...) -> Round:
        """Plays the round with the choices made. Chance is thrown from the seed, unless given (in
        words, as a record has it).
        """
        self._check_open()
        if self.waiting_for:
            raise DuelError(f"{' and '.join(self.waiting_for)} must choose before the reveal")
        before = self.state
        red, blue = self._chosen.get(0, NO_CHOICE), self._chosen.get(1, NO_CHOICE)
        face = None
        if chance is not ...:
            face = self.ruleset.parse_chance(before, red, blue, chance)
        number, step = self.round, self.course.play(red, blue, face)
        revealed = Round(
            number=number,
            red=self._word(red),
            blue=self._word(blue),
            chance=self.ruleset.format_chance(before, red, blue, step.face),
            ms={SEATS[seat]: ms for seat, ms in sorted(self._ms.items())},
            story=self.ruleset.tell(before, red, blue, step.face, self.state),
        )
        self.rounds.append(revealed)
        self._chosen, self._ms, self._draw_offers = {}, {}, set()
        self._opened = self._clock()
        if self.follower:
            self.follower.on_round(self, revealed)
        if self.outcome is not None:
            self._end(self.outcome)
        return revealed

    # Inside

    def _asks(self, seat: int) -> bool:
        if self.outcome is not None:
            return False
        return self.ruleset.choice_set(self.state, seat) != 0

    def _word(self, choice: int) -> str | None:
        if choice == NO_CHOICE:
            return None
        return self.ruleset.word(choice)

    def _check_open(self) -> None:
        if self.outcome is not None:
            raise DuelError(f"the duel is over: {self.ending()}")

    def _end(self, outcome: Outcome) -> Outcome:
        self.course.end(outcome)
        if self.follower:
            self.follower.on_end(self, outcome)
        return outcome


DISQUALIFIED = {
    "invalid": "{loser} gave an invalid answer; {winner} wins.",
    "timeout": "{loser} did not answer in time; {winner} wins.",
    "crash": "{loser} broke off; {winner} wins.",
}
"""What a bot can do that its opponent, if there is one left, wins by."""

ENDINGS = {
    **DISQUALIFIED,
    "forfeit": "{loser} forfeits; {winner} wins.",
    "agreement": "Draw by agreement.",
    "abandoned": "The duel was abandoned; it counts for nobody.",
    "limit": "Draw: {rounds} rounds are the limit.",
}
"""How a duel can end that no rulebook knows of, by reason."""


def parse_seat(seat: str) -> int:
    if seat in SEATS:
        return SEATS.index(seat)
    raise ChoiceError(f"a seat is red or blue; not {brief(seat)}")


def parse_round_limit(ruleset: Ruleset, limit: int | None) -> int:
    if limit is None:
        return ruleset.entry.round_limit
    if type(limit) is int and limit >= 0:
        return limit
    raise DuelError(f"a limit of rounds is a whole number, 0 for none; not {brief(limit)}")


def round_ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
