"""The screen on which a duel is played: board, story, desk, and the course of a match."""

import threading
from collections.abc import Callable
from functools import partial

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.events import Key, Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from holmgang.engine.forecast import forecast
from holmgang.engine.menu import Option, find_grid, find_option, read_choice
from holmgang.errors import HolmgangError
from holmgang.players.player import Failed
from holmgang.terminal.commands import Command, Verb, parse_command
from holmgang.terminal.rules_text import rules_page
from holmgang.terminal.screen.banner import Banner
from holmgang.terminal.screen.board_view import BoardView
from holmgang.terminal.screen.desk import ENTER, ESCAPE, TAB, Desk
from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.pages import (
    CommandMenu,
    ConfirmScreen,
    Page,
    forecast_page,
    help_page,
)
from holmgang.terminal.screen.palette import DIM, SEAT_COLOURS, WARNING, coloured
from holmgang.terminal.screen.story_view import StoryView, heading
from holmgang.terminal.session import MatchSession, Stage, other_seat

WIDE = 110
DESK_ROWS = 2  # status, entry
FRAME_ROWS = DESK_ROWS + 2  # banner, keys
STORY_ROWS = 3
LIVE_THROWS = 5000
NOTE_SECONDS = 0.5  # between two looks at whether the levels are ready
KEYS = (("?", "what if"), ("/", "commands"), ("^C", "quit"), ("PgUp", "story"))

Offer = tuple[str, str, str, Callable[[], None]]
"""A key with its word, a note, and what it does."""


class DuelScreen(Screen[None]):
    """Plays a match."""

    DEFAULT_CSS = """
    DuelScreen { layout: vertical; }
    DuelScreen #ground { height: 1fr; }
    DuelScreen #what-if { display: none; }
    DuelScreen BoardView { padding: 0 1; background: $surface; }
    DuelScreen StoryView { height: 1fr; padding: 0 1; }
    DuelScreen #keys { height: 1; padding: 0 1; }
    DuelScreen.-roomy BoardView { padding: 1; }
    DuelScreen.-cramped #keys, DuelScreen.-cramped Banner { display: none; }
    DuelScreen.-untold StoryView { display: none; }
    DuelScreen.-wide #ground {
        layout: grid; grid-size: 2 3; grid-columns: 3fr 2fr; grid-rows: auto auto 1fr;
    }
    DuelScreen.-wide StoryView { row-span: 3; height: 100%; border-left: solid $panel; }
    DuelScreen.-wide #what-if { display: block; padding: 1; scrollbar-size-vertical: 1; }
    DuelScreen.-wide #what-if Static { height: auto; }
    """

    class Left(Message):
        """The person leaves the match."""

    class Watch(Message):
        """The person wants to see the last game again."""

    class Again(Message):
        """The person wants another match of the same."""

    class Thought(Message):
        """What a level answered, and about which game and round it was asked."""

        def __init__(self, seat: str, about: tuple[int, int], answer: str | Exception) -> None:
            super().__init__()
            self.seat, self.about, self.answer = seat, about, answer

    def __init__(self, session: MatchSession) -> None:
        super().__init__()
        self.session = session
        self.thinker: threading.Thread | None = None
        self.asked_about: dict[str, tuple[int, int]] = {}
        self.actions: dict[str, Callable[[], None]] = {}  # what the keys on offer do

    def compose(self) -> ComposeResult:
        self.session.next_game()
        yield Banner(self.session)
        with Container(id="ground"):
            yield BoardView(self.session.ruleset, self.session.duel.state)
            yield StoryView()
            yield Desk()
            with VerticalScroll(id="what-if", can_focus=False):
                yield Static()
        yield Static(keys_line(*KEYS), id="keys")

    def on_mount(self) -> None:
        self.begin_game()
        self.set_interval(NOTE_SECONDS, self.show_notes)

    @property
    def story(self) -> StoryView:
        return self.query_one(StoryView)

    @property
    def desk(self) -> Desk:
        return self.query_one(Desk)

    # The course of a match

    def begin_game(self) -> None:
        if self.session.match.wins_needed > 1:
            self.story.tell(heading(f"Game {len(self.session.match.games)}"))
        for revealed in self.session.duel.rounds:  # of a game that is continued
            self.story.tell_round(revealed)
        self.tell_trouble()
        self.go_on()

    def next_game(self) -> None:
        self.session.next_game()
        self.begin_game()

    def go_on(self) -> None:
        """Does what needs nobody at the keyboard, then shows what does."""
        session = self.session
        for seat in session.thinking:
            self.have_think(seat)
        if session.stage is Stage.REVEAL and not session.is_hidden:
            self.reveal()
        else:
            self.show()

    def have_think(self, seat: str) -> None:
        """Has a level choose, which may take its time: the screen goes on meanwhile."""
        about = (len(self.session.match.games), self.session.duel.round)
        if self.asked_about.get(seat) == about:
            return
        self.asked_about[seat] = about
        choose = self.session.thought(seat)

        def think() -> None:
            try:
                answer: str | Exception = choose()
            except Exception as error:  # noqa: BLE001 - raised again where it is seen
                answer = error
            self.post_message(self.Thought(seat, about, answer))

        # Not one of Textual's workers: who leaves does not want to wait for it.
        self.thinker = threading.Thread(target=think, daemon=True)
        self.thinker.start()

    def on_duel_screen_thought(self, thought: Thought) -> None:
        session = self.session
        if session.has_left:
            return
        if isinstance(thought.answer, Exception) and not isinstance(thought.answer, Failed):
            raise thought.answer
        here = (len(session.match.games), session.duel.round)
        if here != thought.about or thought.seat not in session.thinking:
            return  # the game has ended meanwhile
        if isinstance(thought.answer, Failed):
            self.desk.say(session.fail(thought.seat, thought.answer))
            self.after_round()
            return
        session.duel.choose(thought.seat, thought.answer, round=session.duel.round)
        if session.stage is Stage.REVEAL:
            self.reveal()

    def reveal(self) -> None:
        self.story.tell_round(self.session.reveal())
        self.after_round()

    def after_round(self) -> None:
        """A round is over, or a game, however it came."""
        if self.session.duel.is_over:
            self.story.tell(coloured(self.session.duel.ending(), "bold"))
        self.tell_trouble()
        self.go_on()

    def tell_trouble(self) -> None:
        trouble = self.session.take_trouble()
        if trouble is not None:
            self.story.tell(Text(trouble, style=WARNING))

    # Showing

    def show(self) -> None:
        self.query_one(BoardView).show(self.session.duel.state)
        self.query_one(Banner).refresh()
        self.actions = {}
        stages: dict[Stage, Callable[[], None]] = {
            Stage.CHOOSE: self.ask_for_choice,
            Stage.THINK: self.show_waiting,
            Stage.PASS: self.offer_pass,
            Stage.REVEAL: self.offer_reveal,
            Stage.GAME_OVER: self.offer_next_game,
            Stage.MATCH_OVER: self.offer_another_match,
        }
        stages[self.session.stage]()
        self.show_notes()
        self.fit(self.size.width, self.size.height)

    def ask_for_choice(self) -> None:
        session = self.session
        seat = session.asked
        assert seat is not None  # noqa: S101 - the stage is CHOOSE
        offered = session.menu(seat)
        grid = find_grid(session.ruleset, offered)
        status = Text(f"{seat.capitalize()}, choose", style=f"bold {SEAT_COLOURS[seat]}")
        if grid is not None and any(grid.axes):
            status.append(" " + "/".join(grid.axes), style=DIM)
        if session.is_hidden:
            status.append(f", while {other_seat(seat).capitalize()} looks away", style=DIM)
        find = partial(find_option, session.ruleset, offered)
        self.desk.ask(status, offered, grid, hidden=session.is_hidden, find=find)

    def show_waiting(self) -> None:
        who = " and ".join(self.session.title(seat) for seat in self.session.thinking)
        self.offer(f"Waiting for {who}")

    def show_notes(self) -> None:
        """Tells how a level plays until it is ready. It gets ready while nobody presses a key."""
        notes = {} if self.session.duel.is_over else self.session.notes()
        told = [f"   {seat.capitalize()}: {note}" for seat, note in notes.items()]
        self.desk.say_aside("".join(told))

    def offer_pass(self) -> None:
        seat = self.session.asked
        assert seat is not None  # noqa: S101 - the stage is PASS
        other = other_seat(seat).capitalize()
        self.offer(
            f"{other} has chosen",
            (ENTER, f"pass the keyboard to {seat.capitalize()}", "", self.take_keyboard),
            ("u", "undo", f"{other} chooses again", self.undo),
        )

    def offer_reveal(self) -> None:
        self.offer(
            "Both have chosen",
            (ENTER, "reveal", "", self.reveal),
            ("u", "undo", "take the last choice back", self.undo),
        )

    def offer_next_game(self) -> None:
        outcome = self.session.duel.outcome
        is_draw = outcome is not None and outcome.winner is None
        score = "A draw counts for nobody" if is_draw else self.session.score_line()
        self.offer(
            f"{self.session.duel.ending()}   {score}",
            (ENTER, "next game", "", self.next_game),
            (ESCAPE, "menu", "the match can be continued from there", self.leave),
            pause=True,
        )

    def offer_another_match(self) -> None:
        watch = (TAB, "watch", "the last game again, round by round", self.watch_game)
        self.offer(
            self.session.result_line(),
            (ENTER, "rematch", "the same again", self.again),
            *((watch,) if self.session.keeper.paths else ()),
            (ESCAPE, "menu", "other games, opponents and rules", self.leave),
            pause=True,
        )

    def offer(self, status: str, *offers: Offer, pause: bool = False) -> None:
        """Keys for a stage in which there is no choice to make."""
        self.actions = {key: action for key, _, _, action in offers}
        options = [Option(key, word, note) for key, word, note, _ in offers]
        self.desk.offer(coloured(status, "bold"), options, pause=pause)

    def on_desk_pointed(self) -> None:
        """On a wide screen: what the choice under the cursor would do."""
        panel = self.query_one("#what-if Static", Static)
        session, desk = self.session, self.desk
        if not desk.is_asking or desk.is_hidden or not self.has_class("-wide"):
            panel.update("")
        elif desk.pointed is None or session.asked is None:
            panel.update(Text("Select a choice to see what it could do.", style=DIM))
        else:
            word, state = desk.pointed.word, session.duel.state
            try:
                seen = forecast(session.ruleset, state, session.asked, word, LIVE_THROWS)
                panel.update(forecast_page(seen))
            except HolmgangError as error:
                panel.update(Text(str(error), style=DIM))

    # Fitting it all in

    def on_resize(self, event: Resize) -> None:
        self.fit(event.size.width, event.size.height)

    def fit(self, width: int, height: int) -> None:
        """Leaves the menu the rows that the board does not need; the menu and the line to type in
        are always there, the board gives way first.
        """
        is_wide = width >= WIDE
        room = (width * 3 // 5 if is_wide else width) - 2
        board = self.query_one(BoardView)
        left = height - FRAME_ROWS - len(board.drawn(room))
        menu = self.desk.menu
        menu.most_rows = left if is_wide else self.rows_for_menu(room, left)
        rows = menu.laid_out(room).rows
        if self.session.duel.is_over:
            menu.least_rows = 0
        elif self.desk.is_asking:
            menu.least_rows = rows  # the desk keeps its height when other stages need less
        self.set_class(is_wide, "-wide")
        self.set_class(left - rows >= STORY_ROWS + 2, "-roomy")
        self.set_class(rows >= left and not is_wide, "-untold")
        self.set_class(rows > left, "-cramped")
        board.styles.max_height = max(1, height - rows - DESK_ROWS) if rows > left else None
        menu.refresh(layout=True)

    def rows_for_menu(self, width: int, left: int) -> int:
        """How many rows the menu may take; the story gets few before the notes are left out."""
        menu = self.desk.menu
        wished = [left - story for story in (STORY_ROWS, 1, 0)]
        fitting = [rows for rows in wished if menu.laid_out(width, rows).rows <= rows]
        noted = [rows for rows in fitting if menu.laid_out(width, rows).has_notes]
        return max(1, (noted or fitting or wished)[0])

    # Keys

    def on_key(self, event: Key) -> None:
        event.stop()
        if event.key in ("pageup", "pagedown"):
            page = self.story.size.height
            self.story.scroll_relative(y=-page if event.key == "pageup" else page, animate=False)
        elif event.character == "/" and not self.desk.is_typing:
            self.app.push_screen(CommandMenu(), self.obey_verb)
        else:
            self.desk.press(event)

    def on_desk_acted(self, message: Desk.Acted) -> None:
        action = self.actions.get(message.key)
        if action is not None:
            action()
        elif message.key == "?":
            self.obey(Command(Verb.HELP))

    def on_desk_entered(self, message: Desk.Entered) -> None:
        words = [option.word for option in self.desk.menu.options]
        try:
            command = parse_command(message.text, words)
            if command is None:
                self.session.choose(message.text)
                self.go_on()
            else:
                self.do(command)
        except HolmgangError as error:
            self.desk.say(str(error))

    # Commands

    def obey_verb(self, verb: Verb | None) -> None:
        if verb is not None:
            self.obey(Command(verb))

    def obey(self, command: Command) -> None:
        try:
            self.do(command)
        except HolmgangError as error:
            self.desk.say(str(error))

    def do(self, command: Command) -> None:
        session = self.session
        seat = session.asked or session.people[0]
        match command.verb:
            case Verb.HELP:
                self.app.push_screen(Page("Help", help_page()))
            case Verb.RULES:
                self.app.push_screen(Page(session.ruleset.entry.title, rules_page(session.ruleset)))
            case Verb.WHAT_IF:
                word = read_choice(session.ruleset, session.menu(seat), command.rest)
                seen = forecast(session.ruleset, session.duel.state, seat, word)
                title = f"If {seat.capitalize()} chooses {word}"
                self.app.push_screen(Page(title, forecast_page(seen)))
            case Verb.UNDO:
                self.undo()
            case Verb.DRAW:
                self.offer_draw(seat)
            case Verb.FORFEIT:
                question = ConfirmScreen(f"{seat.capitalize()}: give up this game?")
                self.app.push_screen(question, partial(self.forfeit, seat))
            case Verb.QUIT:
                self.leave()

    def undo(self) -> None:
        seat = self.session.undo()
        self.go_on()
        self.desk.say(f"{seat.capitalize()} chooses again.")

    def take_keyboard(self) -> None:
        self.session.take_keyboard()
        self.go_on()

    def forfeit(self, seat: str, is_sure: bool | None) -> None:
        if not is_sure:
            return
        try:
            self.session.forfeit(seat)
        except HolmgangError as error:
            self.desk.say(str(error))
        else:
            self.after_round()

    def offer_draw(self, seat: str) -> None:
        other = other_seat(seat)
        if self.session.offer_draw(seat) is None:
            if self.session.duel.is_over:
                self.after_round()
            else:
                self.desk.say(f"{self.session.title(other)} declines the draw.")
            return
        question = f"{other.capitalize()}, {seat.capitalize()} offers a draw. Do you accept?"
        self.app.push_screen(ConfirmScreen(question), partial(self.answer_draw, other))

    def answer_draw(self, seat: str, accepts: bool | None) -> None:
        self.session.answer_draw(seat, accepts=bool(accepts))
        if accepts:
            self.after_round()
        else:
            self.desk.say(f"{seat.capitalize()} declines the draw.")

    def leave(self) -> None:
        self.post_message(self.Left())

    def again(self) -> None:
        self.post_message(self.Again())

    def watch_game(self) -> None:
        self.post_message(self.Watch())
