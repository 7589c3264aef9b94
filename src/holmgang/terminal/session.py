"""A match that people play at a terminal: its seats, its duels, its records, and whose turn it is.

Both front ends play through this and through nothing else. It never shows a choice before the
reveal, and it waits for nobody.
"""

import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from holmgang.arena.task import GameTask, Settings
from holmgang.engine.archive import SavedMatch
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.duel import Duel, Round
from holmgang.engine.keeping import RecordKeeper, records_folder
from holmgang.engine.match import Match
from holmgang.engine.menu import Option, listed, options, read_choice
from holmgang.errors import ChoiceError, DuelError, UsageError
from holmgang.games.contract import SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset
from holmgang.players import Player
from holmgang.players.naming import Bot, NamedPlayer, parse_player
from holmgang.players.player import Failed

if TYPE_CHECKING:
    from holmgang.arena.judge.bots import FailedBot, RunningBot
    from holmgang.arena.judge.host import BotHost

MOST_PATHS = 5
BOT_LIMITS = Settings(first_ms=10_000, turn_ms=10_000, hard_ms=60_000)
"""For bots that play against people, who can wait."""


class Stage(Enum):
    """What happens next."""

    THINK = auto()  # a level has to choose; people may, too
    CHOOSE = auto()  # the person in the seat `asked`
    PASS = auto()  # the keyboard goes to `asked`
    REVEAL = auto()
    GAME_OVER = auto()
    MATCH_OVER = auto()


class MatchSession:
    """One match. Call `next_game`, then do what `stage` says until it is MATCH_OVER."""

    duel: Duel

    def __init__(
        self,
        ruleset: Ruleset,
        red: NamedPlayer,
        blue: NamedPlayer,
        *,
        wins: int | None = None,
        seed: int | None = None,
        records: Path | None = None,
        trust: bool = False,
    ) -> None:
        """`trust` runs bots in no sandbox."""
        self.ruleset = ruleset
        self._limits = replace(BOT_LIMITS, trust=trust)
        self.seated = {"red": red, "blue": blue}
        self.match = Match(ruleset, seed=seed, wins_needed=wins)
        seats = {seat: described(named) for seat, named in self.seated.items()}
        self.keeper = RecordKeeper(
            records, ruleset.entry.name, seats, self.match.wins_needed, self.match.seed
        )
        self._trouble_told = False
        self._players: dict[str, Player] = {}
        self._host: BotHost | None = None
        self._bots: dict[str, RunningBot | FailedBot] = {}
        self.has_left = False
        """Whether `leave` was called: whatever a player still answers is for nobody."""
        self._people_chosen: list[str] = []
        self._passing = False
        self._resumed: Duel | None = None  # the interrupted game
        self._hurry = threading.Event()  # set when nobody but levels is left to choose
        self._lock = threading.Lock()  # held while a player thinks, which may be in another thread

    @classmethod
    def resume(cls, saved: SavedMatch) -> "MatchSession":
        """Goes on with a match that was interrupted. Raises `RecordError` if another process is
        playing it, `UsageError` if its players are not known here.
        """
        ruleset, folder = saved.duel.ruleset, saved.paths[0].parent
        red, blue = (parse_player(saved.players[seat], ruleset) for seat in SEATS)
        if red.bot is not None or blue.bot is not None:  # a record could name any program
            raise UsageError(
                f"{saved.paths[-1]}: a match with a bot cannot be resumed, as its record could name"
                " any program"
            )
        wins, seed = saved.match.wins_needed, saved.match.seed
        session = cls(ruleset, red, blue, wins=wins, seed=seed, records=folder)
        session.match.games.extend(saved.match.games)
        session.keeper.resume(saved.name, saved.paths, saved.duel)
        if not saved.duel.is_over:
            saved.duel.follower = session.keeper
            session._resumed = saved.duel
        return session

    # What everyone can see

    @property
    def people(self) -> list[str]:
        return [seat for seat in SEATS if self.seated[seat].is_human]

    @property
    def asked(self) -> str | None:
        """The seat of the person who has to choose next."""
        return next((seat for seat in self.duel.waiting_for if seat in self.people), None)

    @property
    def thinking(self) -> list[str]:
        """The levels that have not chosen yet."""
        return [seat for seat in self.duel.waiting_for if seat not in self.people]

    @property
    def is_hidden(self) -> bool:
        """Whether two people at this keyboard choose in this round, unseen by each other."""
        return len(self.people) == 2 and all(self.duel.choices(seat) for seat in SEATS)

    @property
    def stage(self) -> Stage:
        if self.duel.is_over:
            return Stage.MATCH_OVER if self.match.is_over else Stage.GAME_OVER
        if self.asked is not None:
            return Stage.PASS if self._passing else Stage.CHOOSE
        return Stage.THINK if self.thinking else Stage.REVEAL

    @property
    def has_bot(self) -> bool:
        """Whether a bot plays; such a match cannot be resumed."""
        return any(named.bot is not None for named in self.seated.values())

    @property
    def is_left(self) -> bool:
        """Whether the match stopped before it was over."""
        return not self.match.is_over

    def title(self, seat: str) -> str:
        """Who sits there, such as `Blue (random)`."""
        named, name = self.seated[seat], seat.capitalize()
        if named.is_human:
            return name if len(self.people) == 2 else f"{name} (you)"
        return f"{name} ({named.name})"

    def notes(self) -> dict[str, str]:
        """How the levels play that are still getting ready, by seat."""
        notes = {
            seat: named.level.ready.note(self.ruleset)
            for seat, named in self.seated.items()
            if named.level is not None
        }
        return {seat: note for seat, note in notes.items() if note}

    def menu(self, seat: str) -> list[Option]:
        return [] if self.duel.is_over else options(self.ruleset, self.duel.state, seat)

    def take_trouble(self) -> str | None:
        """Why nothing is recorded, the first time it is asked for."""
        if self._trouble_told or self.keeper.trouble is None:
            return None
        self._trouble_told = True
        return self.keeper.trouble

    def get_ready(self, announce: Announce | None = None) -> None:
        """Starts the bots, and what the levels need to play at their full strength: in the
        background, or at once if there is somebody to tell. Raises `UsageError`.
        """
        for seat, named in self.seated.items():
            if named.level is not None:
                named.level.ready(self.ruleset, announce or silent, wait=announce is not None)
            elif named.bot is not None:
                bot = self._start(seat, named.bot)
                if bot.failed is not None:
                    self.leave()
                    raise UsageError(f"the bot {named.name} did not start: {bot.failed}")

    def _start(self, seat: str, bot: Bot) -> "RunningBot | FailedBot":
        from holmgang.arena.judge.host import BotHost

        self._host = self._host or BotHost()
        secrets = str(records_folder(self.keeper.folder))
        self._bots[seat] = self._host.start(bot, self._limits, (secrets,))
        return self._bots[seat]

    # Choosing

    def next_game(self) -> None:
        """Begins the next game, or goes on with the one that was interrupted."""
        if self._resumed is not None:
            self.duel, self._resumed = self._resumed, None
        else:
            with uninterrupted():
                self.duel = self.match.next_game(self.keeper)
        self._players = {seat: self._sit(seat) for seat in SEATS if seat not in self.people}
        self._begin_round()

    def _sit(self, seat: str) -> Player:
        """The player that takes a seat in this game."""
        named, number = self.seated[seat], SEATS.index(seat)
        if named.level is not None:
            return named.level.sit(number, self.duel.key(seat))
        assert named.bot is not None  # noqa: S101 - it is no person
        bot = self._bots.get(seat)
        if bot is None or not bot.plays_on:
            bot = self._start(seat, named.bot)
        task = GameTask(self.keeper.name, self.ruleset.text, "", "", self.duel.seed, self._limits)
        return bot.sit(number, task)

    def _begin_round(self) -> None:
        self._people_chosen = []
        self._passing = False
        self._hurry = threading.Event()

    def thought(self, seat: str) -> Callable[[], str]:
        """A function that gives the choice of the level in that seat.

        It may take its time: a level that is still getting ready does so for as long as a person
        is choosing too. It may run in another thread, as it knows only what is so now.
        """
        level, player, course = self.seated[seat].level, self._players[seat], self.duel.course
        hurry = self._hurry
        if self.asked is None:
            hurry.set()

        def think() -> str:
            if level is not None:
                level.ready.hold(self.ruleset, hurry)
            with self._lock:
                if self.has_left:
                    raise Failed("crash", "the match was left")
                return self.ruleset.word(player.choose(course))

        return think

    def think_all(self) -> str:
        """Has every level and bot choose that is still to. Says how a bot failed, if one did."""
        for seat in self.thinking:
            try:
                word = self.thought(seat)()
            except Failed as failed:
                return self.fail(seat, failed)
            self.duel.choose(seat, word, round=self.duel.round)
        return ""

    def fail(self, seat: str, failed: Failed) -> str:
        """Ends the game against a bot that gave no choice, and gives the reason."""
        with uninterrupted():
            if failed.status == "forfeit":
                self.duel.forfeit(seat)
            else:
                self.duel.disqualify([seat], failed.status)
        return f"{self.title(seat)}: {failed}"

    def choose(self, typed: str) -> None:
        """The choice of the person asked, as typed. What it raises does not tell what was typed."""
        seat = self.asked
        if seat is None or self._passing:
            raise DuelError("Nobody is asked for a choice now.")
        offered = self.menu(seat)
        word = read_choice(self.ruleset, offered, typed)
        try:
            self.duel.choose(seat, word, round=self.duel.round)
        except ChoiceError:
            words = listed([option.word for option in offered])
            raise ChoiceError(f"That may not be chosen here. Choose one of {words}.") from None
        self._people_chosen.append(seat)
        if self.asked is None:
            self._hurry.set()
        self._passing = self.is_hidden and self.asked is not None

    def take_keyboard(self) -> None:
        """The person asked has the keyboard now."""
        self._passing = False

    def undo(self) -> str:
        """Takes the last choice of a person in this round back, and gives that seat."""
        if not self._people_chosen:
            raise DuelError("There is no choice to take back.")
        seat = self._people_chosen.pop()
        self.duel.withdraw(seat)
        self._passing = False
        return seat

    def reveal(self) -> Round:
        with uninterrupted():
            revealed = self.duel.reveal()
        self._begin_round()
        return revealed

    # Other ways for a game to go on or to end

    def forfeit(self, seat: str) -> Outcome:
        with uninterrupted():
            return self.duel.forfeit(seat)

    def offer_draw(self, seat: str) -> str | None:
        """Offers a draw; gives the seat of the person to be asked, or None: others answer at once,
        and accept if they stand worse than that.
        """
        other = other_seat(seat)
        self.duel.offer_draw(seat)
        if other in self.people:
            return other
        accepts = False
        if self.seated[other].level is not None:  # no protocol of bots knows of draw offers
            with self._lock:
                accepts = self._players[other].accepts_draw(self.duel.course)
        self.answer_draw(other, accepts=accepts)
        return None

    def answer_draw(self, seat: str, *, accepts: bool) -> None:
        with uninterrupted():
            if accepts:
                self.duel.offer_draw(seat)
            else:
                self.duel.decline_draw(seat)

    def leave(self) -> None:
        """Leaves the match where it stands. Its records stay as they are: it can be continued."""
        self.has_left = True
        with uninterrupted():
            self.keeper.close()
        if self._host is not None:
            self._host.kill()
            with self._lock:  # until the thread that waits for a bot has seen its end
                self._host.close()
            self._host, self._bots = None, {}

    # In words

    def score_line(self) -> str:
        score = self.match.score
        line = f"Red {score['red']} – {score['blue']} Blue"
        return f"{line}, first to {self.match.wins_needed}" if self.match.wins_needed > 1 else line

    def farewell(self) -> list[str]:
        """How the match ended, and where its records are."""
        return [self.result_line(), *self.record_lines()]

    def result_line(self) -> str:
        score, winner = self.match.score, self.match.winner
        if self.is_left:
            return f"The match was left at {score['red']} – {score['blue']}."
        if winner is None and self.match.wins_needed == 1:
            return "The game is drawn."
        if winner is None:
            return f"The match is a tie: {score['red']} – {score['blue']}."
        lost = score[other_seat(winner)]
        return f"{self.title(winner)} wins the match {score[winner]} – {lost}."

    def record_lines(self) -> list[str]:
        paths = self.keeper.paths
        if not paths:
            return []
        shown = [str(path) for path in paths]
        if len(shown) > MOST_PATHS:
            shown = [*shown[: MOST_PATHS - 2], "…", shown[-1]]
        last = shlex.quote(str(paths[-1]))
        lines = [f"Saved: {shown[0]}", *(f"       {path}" for path in shown[1:])]
        lines.append(f"Watch: holmgang replay {last}")
        if self.is_left and not self.has_bot:
            lines.append(f"Go on: holmgang resume {last}")
        return lines


def can_resume(saved: SavedMatch) -> bool:
    """Whether its players are people and levels, as `MatchSession.resume` needs them."""
    try:
        players = [parse_player(saved.players[seat], saved.duel.ruleset) for seat in SEATS]
    except UsageError:
        return False
    return all(named.bot is None for named in players)


def described(named: NamedPlayer) -> dict[str, str]:
    """A player in the header of a record."""
    return {"name": named.name, **({"player": named.text} if named.text != named.name else {})}


def other_seat(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Holds Ctrl-C back for the moment in which a duel and its record change together."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
