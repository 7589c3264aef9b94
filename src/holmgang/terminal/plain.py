"""A match in lines of text: for pipes, scripts, screen readers, and terminals without a screen."""

import math
import time
from collections.abc import Callable

from holmgang.engine.duel import Round
from holmgang.engine.menu import read_choice
from holmgang.errors import HolmgangError
from holmgang.games.contract import other_seat
from holmgang.terminal.commands import CommandVerb, TypedCommand, command_lines, parse_command
from holmgang.terminal.dialogue import Dialogue
from holmgang.terminal.menu_lines import menu_lines
from holmgang.terminal.session import (
    GameBegan,
    GameEnded,
    MatchSession,
    News,
    Notice,
    RematchBegins,
    RoundRevealed,
    Stage,
)
from holmgang.wire.match import ForecastRow

YES, NO = ("y", "yes"), ("n", "no")
ENTER = "Enter"
SHORT_WAIT = 0.7  # seconds before a waiting line is shown


class PlainPlay:
    """Shows a match and plays it, until the match is over or the person leaves."""

    def __init__(self, session: MatchSession, dialogue: Dialogue) -> None:
        self.session = session
        self.dialogue = dialogue
        self._shown: tuple[int, int, str] | None = None  # game, round and seat last shown
        self.has_told_result = False
        self._is_left = False
        self._has_rematch = False
        self._news: list[News] = []  # arrived while a question was open

    def play(self) -> None:
        """Raises EOFError if the input ends before the match does."""
        session = self.session
        entry = session.ruleset.entry
        self.dialogue.tell(f"{entry.title}: {session.title('red')} against {session.title('blue')}")
        if session.people:
            self.dialogue.tell("Type a choice, or help to see what else you can type.")
        steps: dict[Stage, Callable[[], None]] = {
            Stage.WAIT: self.wait,
            Stage.CHOOSE: self.choose,
            Stage.PASS: self.pass_keyboard,
            Stage.REVEAL: self.reveal,
            Stage.GAME_OVER: self.begin_next_game,
        }
        if session.is_online:
            session.follow(self.dialogue.wake)
        self.tell_news()
        while not self._is_left and (stage := session.stage) is not Stage.MATCH_OVER:
            steps[stage]()
            self.settle()
        if session.is_online and self.dialogue.is_live and not self._is_left:
            self.offer_rematch()

    def settle(self) -> None:
        """Waits for the effect of a command; only briefly if a person is there."""
        deadline = time.monotonic() + SHORT_WAIT if self.dialogue.is_live else math.inf
        while self.session.is_busy and (left := deadline - time.monotonic()) > 0:
            self.session.wait(min(left, SHORT_WAIT))
            self.tell_news()
        self.tell_news()

    # What has happened

    def tell_news(self) -> None:
        while news := self._news or self.session.advance():
            self._news = []
            for happened in news:
                self.tell(happened)

    def tell(self, news: News) -> None:
        say, tell = self.dialogue.say, self.dialogue.tell
        match news:
            case GameBegan(number, rounds):
                say()
                say(self.heading(number, len(rounds)))
            case RoundRevealed(revealed):
                self.show_round(revealed)
            case GameEnded(state, ending, score):
                self.dialogue.show_board(self.session.ruleset, state)
                tell(ending)
                self.has_told_result = self.session.wins_needed == 1
                if score:
                    say(f"Match: {score}")
            case Notice(text):
                tell(text)
            case RematchBegins():
                tell("The rematch begins.")
                self._has_rematch = True

    def heading(self, number: int, rounds: int) -> str:
        goes_on = f"goes on in round {rounds + 1}" if rounds else ""
        if self.session.wins_needed > 1:
            return f"Game {number} {goes_on}".rstrip()
        return f"The duel {goes_on or 'begins'}."

    def begin_next_game(self) -> None:
        if self.session.people and self.dialogue.is_live and not self.session.clock:
            self.wait_for_enter(f"{ENTER} begins the next game: ")
        if not self._is_left:
            self.session.next_game()

    def offer_rematch(self) -> None:
        """Lets a person ask for another match on a server, until it is agreed on."""
        session = self.session
        if session.rematch_note and not self.has_told_result:
            self.dialogue.tell(session.result_line())
            self.has_told_result = True
        while session.rematch_note and not self._has_rematch:
            typed = self.ask(f"rematch: {session.rematch_note}; {ENTER} leaves> ")
            if typed is not None and typed.lower() != "rematch":
                return
            if typed is not None:
                session.rematch()
            self.settle()

    def wait(self) -> None:
        """Waits for others. On a server, a person can give commands meanwhile."""
        session = self.session
        if not session.is_online or not self.dialogue.is_live:
            session.wait()
            return
        session.wait(SHORT_WAIT)
        if not self.is_interrupted():
            chose = "" if session.chosen is None else f"You chose {session.chosen}. "
            typed = self.ask(f"{chose}{session.waiting_line()}> ")
            if typed:
                self.obey(typed)

    def ask(self, prompt: str) -> str | None:
        """The line that is typed; None if the match has moved on meanwhile."""
        here = self.place
        typed = self.dialogue.ask_unless(prompt, self.is_interrupted)
        if self.place != here:
            self.dialogue.forget_typed()  # it was for a round that is over
        return typed

    def is_interrupted(self) -> bool:
        here = self.place
        self._news += self.session.advance()
        return bool(self._news) or self.place != here

    @property
    def place(self) -> tuple[Stage, int, int]:
        return self.session.stage, self.session.game, self.session.round

    # A round

    def choose(self) -> None:
        seat = self.session.asked
        assert seat is not None  # noqa: S101 - the stage is CHOOSE
        here = (self.session.game, self.session.round, seat)
        if self._shown != here:
            self._shown = here
            self.show_position(seat)
        name, hidden, clock = seat.capitalize(), self.session.is_hidden, self.session.clock
        if hidden:
            self.obey(self.dialogue.ask(f"{name} (hidden)> ", hidden=True))
            return
        typed = self.ask(f"{name} ({clock})> " if clock else f"{name}> ")
        if typed is not None:
            self.obey(typed)

    def pass_keyboard(self) -> None:
        """Nothing here may depend on what was chosen."""
        seat = self.session.asked
        assert seat is not None  # noqa: S101 - the stage is PASS
        self.dialogue.say(f"{other_seat(seat).capitalize()} has chosen.")
        if self.dialogue.is_live:
            self.wait_for_enter(f"Pass the keyboard to {seat.capitalize()}: {ENTER}, or undo: ")
        if self.session.stage is Stage.PASS and not self._is_left:
            self.session.take_keyboard()

    def reveal(self) -> None:
        if self.session.is_hidden and self.dialogue.is_live:
            self.wait_for_enter(f"Both have chosen. {ENTER} reveals, or undo: ")
            if self.session.stage is not Stage.REVEAL or self._is_left:
                return
        self.session.reveal()

    def wait_for_enter(self, prompt: str) -> None:
        """Waits for Enter. Commands are carried out; anything else has no effect, and is hidden if
        two people play at this keyboard: it may be a choice that was typed too early.
        """
        while not self._is_left:
            typed = self.dialogue.ask(prompt, hidden=self.session.is_hidden)
            if not typed:
                return
            try:
                command = parse_command(typed, [], self.session.verbs)
            except HolmgangError as error:
                self.dialogue.tell(str(error))
                continue
            if command is None:
                self.dialogue.tell(f"Press {ENTER}, or type a command: help lists them.")
                continue
            stage = self.session.stage
            self.run(command)
            if self.session.stage is not stage:
                return
            self.tell_news()

    # What was typed

    def obey(self, typed: str) -> None:
        words = [option.word for seat in self.session.people for option in self.session.menu(seat)]
        try:
            command = parse_command(typed, words, self.session.verbs)
            if command is None:
                self.session.choose(typed)
            else:
                self.do(command)
        except HolmgangError as error:
            self.dialogue.tell(str(error))

    def run(self, command: TypedCommand) -> None:
        try:
            self.do(command)
        except HolmgangError as error:
            self.dialogue.tell(str(error))

    def do(self, command: TypedCommand) -> None:
        session = self.session
        match command.verb:
            case CommandVerb.HELP:
                self.show_help()
            case CommandVerb.RULES:
                self.show_rules()
            case CommandVerb.WHAT_IF:
                self.show_forecast(session.commanding, command.rest)
            case CommandVerb.UNDO:
                self.dialogue.say(f"{session.undo().capitalize()} chooses again.")
                self._shown = None
            case CommandVerb.DRAW:
                self.offer_draw(session.commanding)
            case CommandVerb.DECLINE:
                session.answer_draw(session.commanding, accepts=False)
            case CommandVerb.FORFEIT:
                seat = session.commanding
                if self.confirm(f"{seat.capitalize()}: give up {session.forfeits}?"):
                    session.forfeit(seat)
            case CommandVerb.QUIT:
                session.leave()
                self._is_left = True

    def offer_draw(self, seat: str) -> None:
        other = self.session.offer_draw(seat)
        if other is not None:
            accepts = self.confirm(f"{other.capitalize()}, do you accept a draw?")
            self.session.answer_draw(other, accepts=accepts)

    def confirm(self, question: str) -> bool:
        while True:
            answer = self.dialogue.ask(f"{question} (yes or no) ").lower()
            if answer in YES or answer in NO:
                return answer in YES

    # Showing

    def show_position(self, seat: str) -> None:
        session, say = self.session, self.dialogue.say
        say()
        score = f"   {session.score_line()}" if session.wins_needed > 1 else ""
        say(f"Round {session.round}{score}")
        self.dialogue.show_board(session.ruleset, session.state)
        menu_lines(session.ruleset, session.menu(seat), self.dialogue)

    def show_round(self, revealed: Round) -> None:
        choices = {"Red": revealed.red, "Blue": revealed.blue}
        made = [f"{name}: {word}" for name, word in choices.items() if word is not None]
        if self.session.people:
            self.dialogue.say()
        self.dialogue.tell("  ".join([f"Round {revealed.number}", *made]), rest="  ")
        for line in revealed.story:
            self.dialogue.tell(line, "  ")

    def show_forecast(self, seat: str, typed: str) -> None:
        session = self.session
        word = read_choice(session.ruleset, session.menu(seat), typed)
        answers: list[list[ForecastRow] | HolmgangError] = []
        session.forecast(seat, word, answers.append)
        while not answers:
            session.wait()
            self.tell_news()
        [seen] = answers
        if isinstance(seen, HolmgangError):
            raise seen
        self.dialogue.say(f"{seat.capitalize()} {word}:")
        for row in seen:
            beginning = "  ".join(filter(None, (row.against, row.odds)))
            self.dialogue.tell(row.result, f"  {beginning}: " if beginning else "  ", "      ")

    def show_rules(self) -> None:
        from holmgang.terminal.rules_text import rules_lines

        for line in rules_lines(self.session.ruleset, self.dialogue.width):
            self.dialogue.say(line)

    def show_help(self) -> None:
        say = self.dialogue.tell
        say("Type a choice: its short form, its word or the beginning of it. Commands:")
        lines = command_lines(self.session.verbs, self.session.forfeits)
        for verb, line in lines.items():
            word = "? attack" if verb is CommandVerb.WHAT_IF else verb.value
            say(line, f"  {word:<10}")
        say("If a command is also a choice of the game, type / before it: /forfeit.")
