"""A match in this process: its players, its duels, its records, and whose turn it is."""

import shlex
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine.archive import SavedMatch
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.duel import Duel, Round
from holmgang.engine.forecast import MOST_THROWS, forecast, forecast_rows
from holmgang.engine.frames import read_replay
from holmgang.engine.keeping import RecordKeeper, records_folder
from holmgang.engine.match import Match
from holmgang.engine.menu import Option, options, read_choice
from holmgang.errors import ChoiceError, DuelError, UsageError
from holmgang.games.contract import SEATS, State, other_seat
from holmgang.games.finding import program_for
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset
from holmgang.players import Player
from holmgang.players.naming import Bot, NamedPlayer, parse_player
from holmgang.players.player import Failed
from holmgang.terminal.commands import LOCAL_VERBS, CommandVerb
from holmgang.terminal.session import (
    Forecasted,
    GameBegan,
    GameEnded,
    MatchSession,
    News,
    Notice,
    Replayed,
    RoundRevealed,
    Stage,
    answer,
    ended_line,
    illegal_choice,
)

if TYPE_CHECKING:
    from holmgang.arena.judge.bots import FailedBot, RunningBot
    from holmgang.arena.judge.host import BotHost

MOST_PATHS = 5
BOT_LIMITS = JudgeSettings(first_ms=10_000, turn_ms=10_000, hard_ms=60_000)
"""Limits of bots in matches against people: generous, since people can wait."""


class LocalSession(MatchSession):
    """A match of people at this keyboard, levels and bots. Begin with `next_game`."""

    duel: Duel
    is_online = False
    verbs: Sequence[CommandVerb] = LOCAL_VERBS
    forfeits = "this game"

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
        """`trust` runs bots without the sandbox."""
        super().__init__(ruleset)
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
        self.thinker: threading.Thread | None = None  # of the level that was asked last
        self._news: list[News] = []
        self._asked_about: dict[str, tuple[int, int]] = {}
        self._people_chosen: list[str] = []
        self._passing = False
        self._resumed: Duel | None = None  # the interrupted game
        self._hurry = threading.Event()  # set when nobody but levels is left to choose
        self._lock = threading.Lock()  # held while a player thinks, which may be in another thread

    @classmethod
    def resume(cls, saved: SavedMatch) -> "LocalSession":
        """Continues an interrupted match. Raises `RecordError` if another process is playing it,
        `UsageError` if its players are not known here.
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

    # State of the match

    @property
    def people(self) -> list[str]:
        return [seat for seat in SEATS if self.seated[seat].is_human]

    @property
    def asked(self) -> str | None:
        return next((seat for seat in self.duel.waiting_for if seat in self.people), None)

    @property
    def thinking(self) -> list[str]:
        """The levels and bots that have not chosen yet."""
        return [seat for seat in self.duel.waiting_for if seat not in self.people]

    @property
    def is_hidden(self) -> bool:
        return len(self.people) == 2 and all(self.duel.choices(seat) for seat in SEATS)

    @property
    def stage(self) -> Stage:
        if self.duel.is_over:
            return Stage.MATCH_OVER if self.match.is_over else Stage.GAME_OVER
        if self.asked is not None:
            return Stage.PASS if self._passing else Stage.CHOOSE
        return Stage.WAIT if self.thinking else Stage.REVEAL

    @property
    def state(self) -> State:
        return self.duel.state

    @property
    def game(self) -> int:
        return len(self.match.games)

    @property
    def round(self) -> int:
        return self.duel.round

    @property
    def score(self) -> dict[str, int]:
        return self.match.score

    @property
    def wins_needed(self) -> int:
        return self.match.wins_needed

    @property
    def has_bot(self) -> bool:
        """Whether a bot plays; such a match cannot be resumed."""
        return any(named.bot is not None for named in self.seated.values())

    @property
    def can_replay(self) -> bool:
        return bool(self.keeper.paths)

    def menu(self, seat: str) -> list[Option]:
        return [] if self.duel.is_over else options(self.ruleset, self.duel.state, seat)

    # Work without input from the person

    def get_ready(self, announce: Announce | None = None) -> None:
        """Starts the bots, and the preparation that levels need to play at full strength: in the
        background, or in the foreground if progress can be reported. Raises `UsageError`.
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

    def _go_on(self) -> list[News]:
        """Reveals if nobody has to be asked. After `follow`, computer players think in threads."""
        if self.stage is Stage.REVEAL and not self.is_hidden:
            self.reveal()
        if self._on_change is not None:
            for seat in self.thinking:
                self._have_think(seat)
        if self.keeper.trouble is not None and not self._trouble_told:
            self._trouble_told = True
            self._news.append(Notice(self.keeper.trouble, is_lasting=True, is_warning=True))
        news, self._news = self._news, []
        return news

    def wait(self, seconds: float | None = None) -> None:
        """Makes every level and bot that has not chosen yet choose, however long it takes."""
        for seat in self.thinking:
            try:
                word = self.thought(seat)()
            except Failed as failed:
                self.fail(seat, failed)
                return
            self.duel.choose(seat, word, round=self.duel.round)

    def _have_think(self, seat: str) -> None:
        """Makes a level or a bot choose in another thread, once per round."""
        about = (self.game, self.round)
        if self._asked_about.get(seat) == about:
            return
        self._asked_about[seat] = about
        choose = self.thought(seat)

        def think() -> None:
            try:
                word: str | Exception = choose()
            except Exception as error:  # noqa: BLE001 - raised again where it is seen
                word = error
            self._post(partial(self._take, seat, about, word))

        self.thinker = threading.Thread(target=think, daemon=True)  # quitting does not wait for it
        self.thinker.start()

    def _take(self, seat: str, about: tuple[int, int], word: str | Exception) -> None:
        """Takes the choice of a level or a bot for that game and round."""
        if isinstance(word, Exception) and not isinstance(word, Failed):
            raise word
        if about != (self.game, self.round) or seat not in self.thinking:
            return  # the game has ended meanwhile
        if isinstance(word, Failed):
            self.fail(seat, word)
        else:
            self.duel.choose(seat, word, round=self.round)

    def thought(self, seat: str) -> Callable[[], str]:
        """A function that gives the choice of the level or bot in that seat.

        It may be slow: a level that is still getting ready waits while a person is choosing too. It
        may run in another thread, because it uses only the current position.
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

    def fail(self, seat: str, failed: Failed) -> None:
        """Ends the game against a bot that gave no choice."""
        self._news.append(Notice(f"{self.title(seat)}: {failed}"))
        with uninterrupted():
            if failed.status == "forfeit":
                self.duel.forfeit(seat)
            else:
                self.duel.disqualify([seat], failed.status)
        self._note_end()

    # Rounds and games

    def next_game(self) -> None:
        """Starts the next game, or continues the one that was interrupted."""
        if self._resumed is not None:
            self.duel, self._resumed = self._resumed, None
        else:
            with uninterrupted():
                self.duel = self.match.next_game(self.keeper)
        self._players = {seat: self._sit(seat) for seat in SEATS if seat not in self.people}
        self._news.append(GameBegan(self.game, tuple(self.duel.rounds)))
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

    def reveal(self) -> Round:
        with uninterrupted():
            revealed = self.duel.reveal()
        self._news.append(RoundRevealed(revealed))
        self._begin_round()
        self._note_end()
        return revealed

    def _note_end(self) -> None:
        if self.duel.is_over:
            score = self.score_line() if self.wins_needed > 1 else ""
            self._news.append(GameEnded(self.state, self.duel.ending(), score))

    # What the person can do

    def choose(self, typed: str) -> None:
        seat = self.asked
        if seat is None or self._passing:
            raise DuelError("Nobody is asked for a choice now.")
        offered = self.menu(seat)
        word = read_choice(self.ruleset, offered, typed)
        try:
            self.duel.choose(seat, word, round=self.duel.round)
        except ChoiceError:
            raise ChoiceError(illegal_choice(offered)) from None
        self._people_chosen.append(seat)
        if self.asked is None:
            self._hurry.set()
        self._passing = self.is_hidden and self.asked is not None

    def take_keyboard(self) -> None:
        self._passing = False

    def undo(self) -> str:
        if not self._people_chosen:
            raise DuelError("There is no choice to take back.")
        seat = self._people_chosen.pop()
        self.duel.withdraw(seat)
        self._passing = False
        return seat

    def forfeit(self, seat: str) -> Outcome:
        with uninterrupted():
            outcome = self.duel.forfeit(seat)
        self._note_end()
        return outcome

    def offer_draw(self, seat: str) -> str | None:
        """Offers a draw. Levels answer at once, and accept if their position is worse than a draw;
        bots decline.
        """
        other = other_seat(seat)
        self.duel.offer_draw(seat)
        if other in self.people:
            return other
        accepts = False
        if self.seated[other].level is not None:  # bot protocols have no draw offers
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
        if not accepts:
            self._news.append(Notice(f"{self.title(seat)} declines the draw."))
        self._note_end()

    def forecast(self, seat: str, word: str, then: Forecasted, most: int | None = None) -> None:
        most = MOST_THROWS if most is None else most
        answer(lambda: forecast_rows(forecast(self.ruleset, self.state, seat, word, most)), then)

    def replay(self, then: Replayed) -> None:
        answer(lambda: read_replay(self.keeper.paths[-1]), then)

    def leave(self) -> None:
        """Leaves the match. Its records stay, so it can be continued."""
        self.has_left = True
        with uninterrupted():
            self.keeper.close()
        if self._host is not None:
            self._host.kill()
            with self._lock:  # until the thread that waits for a bot has noticed
                self._host.close()
            self._host, self._bots = None, {}

    # In words

    def _name(self, seat: str) -> str:
        return "" if self.seated[seat].is_human else self.seated[seat].name

    def waiting_line(self) -> str:
        return f"Waiting for {self._titles(self.thinking)}"

    def notes(self) -> list[str]:
        """Notes on levels that are still getting ready."""
        if self.duel.is_over:
            return []
        notes = {
            seat: named.level.ready.note(self.ruleset)
            for seat, named in self.seated.items()
            if named.level is not None
        }
        return [f"{seat.capitalize()}: {note}" for seat, note in notes.items() if note]

    def end_line(self) -> str:
        outcome = self.duel.outcome
        winner = None if outcome is None else outcome.winner
        return ended_line(self.duel.ending(), winner, self.score_line())

    def result_line(self) -> str:
        score, winner = self.score, self.match.winner
        if not self.match.is_over:
            return f"The match was left at {score['red']} – {score['blue']}."
        if winner is None and self.wins_needed == 1:
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
        lines = [f"Saved:    {shown[0]}", *(f"          {path}" for path in shown[1:])]
        command = program_for(self.ruleset)
        lines.append(f"Watch:    {command} replay {last}")
        if not self.match.is_over and not self.has_bot:
            lines.append(f"Continue: {command} resume {last}")
        return lines


def can_resume(saved: SavedMatch) -> bool:
    """Whether all players are people and levels, as `LocalSession.resume` requires."""
    try:
        players = [parse_player(saved.players[seat], saved.duel.ruleset) for seat in SEATS]
    except UsageError:
        return False
    return all(named.bot is None for named in players)


def described(named: NamedPlayer) -> dict[str, str]:
    """A player in the header of a record."""
    return {"name": named.name, **({"player": named.text} if named.text != named.name else {})}


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delays Ctrl-C while a duel and its record change together."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
