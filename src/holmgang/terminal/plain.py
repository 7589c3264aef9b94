"""A match in lines of text: for pipes, scripts, screen readers, and terminals without a screen."""

from collections.abc import Callable

from holmgang.engine import forecast
from holmgang.engine.duel import Round
from holmgang.engine.menu import Option, find_grid, read_choice
from holmgang.errors import HolmgangError
from holmgang.games.drawing import row_text
from holmgang.terminal.commands import LINES, Command, Verb, parse_command
from holmgang.terminal.dialogue import Dialogue
from holmgang.terminal.session import MatchSession, Stage, other_seat

YES, NO = ("y", "yes"), ("n", "no")
ENTER = "Enter"


class PlainPlay:
    """Shows a match and plays it, until the match is over or the person leaves."""

    def __init__(self, session: MatchSession, dialogue: Dialogue) -> None:
        self.session = session
        self.dialogue = dialogue
        self._shown: tuple[int, int, str] | None = None  # game, round and seat last shown
        self._is_left = False

    def play(self) -> None:
        """Raises EOFError if the input ends before the match does."""
        say, session = self.dialogue.say, self.session
        entry = session.ruleset.entry
        self.dialogue.tell(f"{entry.title}: {session.title('red')} against {session.title('blue')}")
        if session.people:
            self.dialogue.tell("Type a choice, or help to see what else you can type.")
        while not self._is_left:
            session.next_game()
            self.tell_trouble()
            say()
            say(self.heading())
            self.play_game()
            self.end_game()
            if session.match.is_over:
                break
            if session.people and self.dialogue.is_live and not self._is_left:
                self.wait(f"{ENTER} begins the next game: ")

    def heading(self) -> str:
        session = self.session
        goes_on = f"goes on in round {session.duel.round}" if session.duel.rounds else ""
        if session.match.wins_needed > 1:
            return f"Game {len(session.match.games)} {goes_on}".rstrip()
        return f"The duel {goes_on or 'begins'}."

    def think(self) -> None:
        failure = self.session.think_all()
        if failure:
            self.dialogue.tell(failure)

    def play_game(self) -> None:
        steps: dict[Stage, Callable[[], None]] = {
            Stage.THINK: self.think,
            Stage.CHOOSE: self.choose,
            Stage.PASS: self.pass_keyboard,
            Stage.REVEAL: self.reveal,
        }
        while not self._is_left and (stage := self.session.stage) in steps:
            steps[stage]()
            self.tell_trouble()

    def end_game(self) -> None:
        session = self.session
        if not session.duel.is_over:
            return
        self.show_board()
        self.dialogue.tell(session.duel.ending())
        if session.match.wins_needed > 1:
            self.dialogue.say(f"Match: {session.score_line()}")

    # A round

    def choose(self) -> None:
        seat = self.session.asked
        assert seat is not None  # noqa: S101 - the stage is CHOOSE
        here = (len(self.session.match.games), self.session.duel.round, seat)
        if self._shown != here:
            self._shown = here
            self.show_position(seat)
        hidden = self.session.is_hidden
        prompt = f"{seat.capitalize()}{' (hidden)' if hidden else ''}> "
        self.obey(self.dialogue.ask(prompt, hidden=hidden), seat)

    def pass_keyboard(self) -> None:
        """Nothing here may depend on what was chosen."""
        seat = self.session.asked
        assert seat is not None  # noqa: S101 - the stage is PASS
        self.dialogue.say(f"{other_seat(seat).capitalize()} has chosen.")
        if self.dialogue.is_live:
            self.wait(f"Pass the keyboard to {seat.capitalize()}: {ENTER}, or undo: ")
        if self.session.stage is Stage.PASS and not self._is_left:
            self.session.take_keyboard()

    def reveal(self) -> None:
        if self.session.is_hidden and self.dialogue.is_live:
            self.wait(f"Both have chosen. {ENTER} reveals, or undo: ")
            if self.session.stage is not Stage.REVEAL or self._is_left:
                return
        self.show_round(self.session.reveal())

    def wait(self, prompt: str) -> None:
        """Waits for Enter; commands are obeyed, anything else changes nothing. Between two people
        at one keyboard none of it is seen: it may be a choice, typed too early.
        """
        while not self._is_left:
            typed = self.dialogue.ask(prompt, hidden=self.session.is_hidden)
            if not typed:
                return
            try:
                command = parse_command(typed, [])
            except HolmgangError as error:
                self.dialogue.tell(str(error))
                continue
            if command is None:
                self.dialogue.tell(f"Press {ENTER}, or type a command: help lists them.")
                continue
            stage = self.session.stage
            self.run(command, self.session.people[0])
            if self.session.stage is not stage:
                return

    # What was typed

    def obey(self, typed: str, seat: str) -> None:
        offered = self.session.menu(seat)
        try:
            command = parse_command(typed, [option.word for option in offered])
            if command is None:
                self.session.choose(typed)
            else:
                self.run(command, seat)
        except HolmgangError as error:
            self.dialogue.tell(str(error))

    def run(self, command: Command, seat: str) -> None:
        try:
            self.do(command, seat)
        except HolmgangError as error:
            self.dialogue.tell(str(error))

    def do(self, command: Command, seat: str) -> None:
        session = self.session
        match command.verb:
            case Verb.HELP:
                self.show_help()
            case Verb.RULES:
                self.show_rules()
            case Verb.WHAT_IF:
                self.show_forecast(seat, command.rest)
            case Verb.UNDO:
                self.dialogue.say(f"{session.undo().capitalize()} chooses again.")
                self._shown = None
            case Verb.DRAW:
                self.offer_draw(seat)
            case Verb.FORFEIT:
                if self.confirm(f"{seat.capitalize()}: give up this game?"):
                    session.forfeit(seat)
            case Verb.QUIT:
                session.leave()
                self._is_left = True

    def offer_draw(self, seat: str) -> None:
        other = self.session.offer_draw(seat)
        if other is None:
            if not self.session.duel.is_over:
                self.dialogue.say("The draw is declined.")
            return
        accepts = self.confirm(f"{other.capitalize()}, do you accept a draw?")
        self.session.answer_draw(other, accepts=accepts)
        if not accepts:
            self.dialogue.say(f"{other.capitalize()} declines.")

    def confirm(self, question: str) -> bool:
        while True:
            answer = self.dialogue.ask(f"{question} (yes or no) ").lower()
            if answer in YES or answer in NO:
                return answer in YES

    # Showing

    def show_position(self, seat: str) -> None:
        session, say = self.session, self.dialogue.say
        say()
        score = f"   {session.score_line()}" if session.match.wins_needed > 1 else ""
        say(f"Round {session.duel.round}{score}")
        self.show_board()
        self.show_menu(session.menu(seat))

    def show_board(self) -> None:
        ruleset, duel = self.session.ruleset, self.session.duel
        rows = ruleset.board(duel.state, self.dialogue.width)
        for row in ((), *rows, ()):
            self.dialogue.say(row_text(row).rstrip())

    def show_menu(self, offered: list[Option]) -> None:
        grid = find_grid(self.session.ruleset, offered)
        if grid is None:
            keys = max(len(option.key) for option in offered)
            words = max(len(option.word) for option in offered)
            for key, word, note in offered:
                first = f"  {key:<{keys}}  {word:<{words}}  "
                self.dialogue.tell(note, first, " " * min(len(first), self.dialogue.width // 2))
            return
        row_name, column_name = grid.axes
        for row in grid.rows:
            self.dialogue.say("  " + " ".join(f"{row}/{column}" for column in grid.columns))
        if row_name:
            last = offered[-1]
            self.dialogue.tell(
                f"{row_name}/{column_name}; {last.key} is short for {last.word}, which {last.note}",
                "  ",
            )

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
        seen = forecast.forecast(session.ruleset, session.duel.state, seat, word)
        self.dialogue.say(f"{seat.capitalize()} {word}:")
        for against, odds, result in forecast.forecast_lines(seen):
            beginning = "  ".join(filter(None, (against, odds)))
            self.dialogue.tell(result, f"  {beginning}: " if beginning else "  ", "      ")

    def show_rules(self) -> None:
        from holmgang.terminal.rules_text import rules_lines

        for line in rules_lines(self.session.ruleset, self.dialogue.width):
            self.dialogue.say(line)

    def show_help(self) -> None:
        say = self.dialogue.tell
        say("Type a choice: its short form, its word or the beginning of it. Commands:")
        for verb, line in LINES.items():
            word = "? attack" if verb is Verb.WHAT_IF else verb.value
            say(line, f"  {word:<10}")
        say("If a command is also a choice of the game, type / before it: /forfeit.")

    def tell_trouble(self) -> None:
        trouble = self.session.take_trouble()
        if trouble is not None:
            self.dialogue.tell(trouble)
