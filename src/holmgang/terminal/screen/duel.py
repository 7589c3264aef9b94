"""The screen on which a duel is played: board, story, choices, and the course of a match."""

from collections.abc import Callable
from functools import partial

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.events import Key, Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from holmgang.engine.frames import Replay
from holmgang.engine.menu import Option, find_grid, find_option, read_choice
from holmgang.errors import HolmgangError
from holmgang.games.contract import other_seat
from holmgang.terminal.commands import CommandVerb, TypedCommand, command_lines, parse_command
from holmgang.terminal.rules_text import rules_page
from holmgang.terminal.screen.banner import Banner
from holmgang.terminal.screen.board_view import BoardView
from holmgang.terminal.screen.choice_panel import ENTER, ESCAPE, TAB, ChoicePanel
from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.pages import (
    CommandMenu,
    ConfirmScreen,
    Page,
    forecast_page,
    help_page,
)
from holmgang.terminal.screen.palette import DIM, SEAT_STYLES, WARNING, coloured
from holmgang.terminal.screen.replay import ReplayScreen
from holmgang.terminal.screen.story_view import StoryView, heading
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

WIDE = 110
PANEL_ROWS = 2  # status, entry
FRAME_ROWS = PANEL_ROWS + 2  # banner, keys
STORY_ROWS = 3
LIVE_THROWS = 5000
TICK = 0.5  # seconds between updates of clocks and notes
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

    class Again(Message):
        """The person wants a rematch."""

    class Changed(Message):
        """The match has changed in the background."""

    def __init__(self, session: MatchSession) -> None:
        super().__init__()
        self.session = session
        self.actions: dict[str, Callable[[], None]] = {}  # of the offered keys
        self.shown: tuple[object, ...] = ()  # what the panel shows
        self.wanted: tuple[int, int, str] | None = None  # the forecast that was asked for last

    def compose(self) -> ComposeResult:
        yield Banner(self.session)
        with Container(id="ground"):
            yield BoardView(self.session.ruleset, self.session.state)
            yield StoryView()
            yield ChoicePanel()
            with VerticalScroll(id="what-if", can_focus=False):
                yield Static()
        yield Static(keys_line(*KEYS), id="keys")

    def on_mount(self) -> None:
        self.session.follow(lambda: self.post_message(self.Changed()))
        self.go_on()
        self.set_interval(TICK, self.tick)

    @property
    def story(self) -> StoryView:
        return self.query_one(StoryView)

    @property
    def panel(self) -> ChoicePanel:
        return self.query_one(ChoicePanel)

    # The course of a match

    def go_on(self) -> None:
        """Shows what has happened, then what the person can do."""
        while news := self.session.advance():
            for happened in news:
                self.tell(happened)
        if not self.session.has_left:
            self.show()

    def tell(self, news: News) -> None:
        match news:
            case GameBegan(number, rounds):
                if self.session.wins_needed > 1:
                    self.story.tell(heading(f"Game {number}"))
                for revealed in rounds:
                    self.story.tell_round(revealed)
            case RoundRevealed(revealed):
                self.story.tell_round(revealed)
            case GameEnded(_, ending, _):
                self.story.tell(coloured(ending, "bold"))
            case Notice(is_aside=True):
                pass  # it is in the notes
            case Notice(text, is_lasting=True, is_warning=is_warning):
                self.story.tell(Text(text, style=WARNING) if is_warning else coloured(text, DIM))
            case Notice(text):
                self.panel.say(text)
            case RematchBegins():
                self.post_message(self.Again())

    def on_duel_screen_changed(self) -> None:
        self.go_on()

    def tick(self) -> None:
        if self.session.is_online and self.session.stage is Stage.GAME_OVER:
            self.go_on()  # with a clock, the next game begins by itself
        else:
            self.show_notes()

    def on_unmount(self) -> None:
        self.session.follow(lambda: None)

    def next_game(self) -> None:
        self.session.next_game()
        self.go_on()

    def reveal(self) -> None:
        self.session.reveal()
        self.go_on()

    # Showing

    def show(self) -> None:
        self.query_one(BoardView).show(self.session.state)
        self.query_one(Banner).refresh()
        stages: dict[Stage, Callable[[], None]] = {
            Stage.CHOOSE: self.ask_for_choice,
            Stage.WAIT: self.show_waiting,
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
        status = Text(f"{seat.capitalize()}, choose", style=f"bold {SEAT_STYLES[seat]}")
        self.ask(seat, status)

    def ask(self, seat: str, status: Text) -> None:
        session = self.session
        offered = session.menu(seat)
        grid = find_grid(session.ruleset, offered)
        if grid is not None and any(grid.axes):
            status.append(" " + "/".join(grid.axes), style=DIM)
        if session.is_hidden:
            status.append(f", while {other_seat(seat).capitalize()} looks away", style=DIM)
        self.actions = {}
        # Typed text is kept when something else has changed.
        if self.is_new(status, offered, session.game, session.round):
            find = partial(find_option, session.ruleset, offered)
            aim = "" if session.chosen is None else " to change your choice"
            self.panel.ask(status, offered, grid, hidden=session.is_hidden, find=find, aim=aim)

    def is_new(self, *content: object) -> bool:
        """Whether the panel shows something else."""
        before, self.shown = self.shown, (self.session.stage, *content)
        return before != self.shown

    def show_waiting(self) -> None:
        session = self.session
        if session.chosen is None:
            menu = (ESCAPE, "menu", session.leave_note, self.leave)
            self.offer(session.waiting_line(), *((menu,) if session.is_online else ()))
            return
        [seat] = session.people
        chose = (f"You chose {session.chosen}", f"bold {SEAT_STYLES[seat]}")
        wait = (f". {session.waiting_line()}", DIM)
        self.ask(seat, Text.assemble(chose, wait))

    def show_notes(self) -> None:
        """Shows the notes, which change by themselves."""
        self.panel.say_aside("".join(f"   {note}" for note in self.session.notes()))

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
        self.offer(
            self.session.end_line(),
            (ENTER, "next game", "", self.next_game),
            (ESCAPE, "menu", self.session.leave_note, self.leave),
            pause=True,
        )

    def offer_another_match(self) -> None:
        session = self.session
        again = (ENTER, "rematch", session.rematch_note, self.again)
        watch = (TAB, "watch", "the last game again, round by round", self.watch_game)
        self.offer(
            session.result_line(),
            *((again,) if session.rematch_note else ()),
            *((watch,) if session.can_replay else ()),
            (ESCAPE, "menu", "other games, opponents and rules", self.leave),
            pause=True,
        )

    def offer(self, status: str, *offers: Offer, pause: bool = False) -> None:
        """Offers keys in a stage without a choice."""
        self.actions = {key: action for key, _, _, action in offers}
        options = [Option(key, word, note) for key, word, note, _ in offers]
        pause = pause and self.shown[:1] != (self.session.stage,)
        if self.is_new(status, options, self.session.game):
            self.panel.offer(coloured(status, "bold"), options, pause=pause)

    def on_choice_panel_pointed(self) -> None:
        """On a wide screen: what the choice under the cursor would do."""
        session, panel = self.session, self.panel
        self.wanted = None
        if not panel.is_asking or panel.is_hidden or not self.has_class("-wide"):
            self.show_forecast("")
        elif panel.pointed is None or not session.people:
            self.show_forecast(Text("Select a choice to see what it could do.", style=DIM))
        else:
            seat, word = session.asked or session.people[0], panel.pointed.word
            wanted = self.wanted = (session.game, session.round, word)

            def show(seen: list[ForecastRow] | HolmgangError) -> None:
                if self.wanted != wanted:
                    return
                if isinstance(seen, HolmgangError):
                    self.show_forecast(Text(str(seen), style=DIM))
                else:
                    self.show_forecast(forecast_page(seen))

            session.forecast(seat, word, show, LIVE_THROWS)

    def show_forecast(self, shown: RenderableType) -> None:
        self.query_one("#what-if Static", Static).update(shown)

    # Layout

    def on_resize(self, event: Resize) -> None:
        self.fit(event.size.width, event.size.height)

    def fit(self, width: int, height: int) -> None:
        """Gives the menu the rows that the board does not need. If there are too few, the board is
        cut off first; the menu and the entry line are always visible.
        """
        is_wide = width >= WIDE
        room = (width * 3 // 5 if is_wide else width) - 2
        board = self.query_one(BoardView)
        left = height - FRAME_ROWS - len(board.drawn(room))
        menu = self.panel.menu
        menu.most_rows = left if is_wide else self.rows_for_menu(room, left)
        rows = menu.laid_out(room).rows
        if self.session.stage in (Stage.GAME_OVER, Stage.MATCH_OVER):
            menu.least_rows = 0
        elif self.panel.is_asking:
            menu.least_rows = rows  # the panel keeps its height when other stages need less
        self.set_class(is_wide, "-wide")
        self.set_class(left - rows >= STORY_ROWS + 2, "-roomy")
        self.set_class(rows >= left and not is_wide, "-untold")
        self.set_class(rows > left, "-cramped")
        board.styles.max_height = max(1, height - rows - PANEL_ROWS) if rows > left else None
        menu.refresh(layout=True)

    def rows_for_menu(self, width: int, left: int) -> int:
        """Maximum rows of the menu. The story shrinks before the notes are left out."""
        menu = self.panel.menu
        wished = [left - story for story in (STORY_ROWS, 1, 0)]
        fitting = [rows for rows in wished if menu.laid_out(width, rows).rows <= rows]
        noted = [rows for rows in fitting if menu.laid_out(width, rows).columns_with_notes]
        return max(1, (noted or fitting or wished)[0])

    # Keys

    def on_key(self, event: Key) -> None:
        event.stop()
        if event.key in ("pageup", "pagedown"):
            page = self.story.size.height
            self.story.scroll_relative(y=-page if event.key == "pageup" else page, animate=False)
        elif event.character == "/" and not self.panel.is_typing:
            self.app.push_screen(CommandMenu(self.command_lines), self.obey_verb)
        else:
            self.panel.press(event)

    def on_choice_panel_acted(self, message: ChoicePanel.Acted) -> None:
        action = self.actions.get(message.key)
        if action is not None:
            action()
        elif message.key == "?":
            self.obey(TypedCommand(CommandVerb.HELP))

    def on_choice_panel_entered(self, message: ChoicePanel.Entered) -> None:
        words = [option.word for option in self.panel.menu.options]
        try:
            command = parse_command(message.text, words, self.session.verbs)
            if command is None:
                self.session.choose(message.text)
                self.go_on()
            else:
                self.do(command)
        except HolmgangError as error:
            self.panel.say(str(error))

    # Commands

    def obey_verb(self, verb: CommandVerb | None) -> None:
        if verb is not None:
            self.obey(TypedCommand(verb))

    def obey(self, command: TypedCommand) -> None:
        try:
            self.do(command)
        except HolmgangError as error:
            self.panel.say(str(error))

    @property
    def command_lines(self) -> dict[CommandVerb, str]:
        return command_lines(self.session.verbs, self.session.forfeits)

    def do(self, command: TypedCommand) -> None:
        session = self.session
        match command.verb:
            case CommandVerb.HELP:
                self.app.push_screen(Page("Help", help_page(self.command_lines)))
            case CommandVerb.RULES:
                self.app.push_screen(Page(session.ruleset.entry.title, rules_page(session.ruleset)))
            case CommandVerb.WHAT_IF:
                self.look_ahead(session.commanding, command.rest)
            case CommandVerb.UNDO:
                self.undo()
            case CommandVerb.DRAW:
                self.offer_draw(session.commanding)
            case CommandVerb.DECLINE:
                self.answer_draw(session.commanding, accepts=False)
            case CommandVerb.FORFEIT:
                seat = session.commanding
                question = f"{seat.capitalize()}: give up {session.forfeits}?"
                self.app.push_screen(ConfirmScreen(question), partial(self.forfeit, seat))
            case CommandVerb.QUIT:
                self.leave()

    def look_ahead(self, seat: str, typed: str) -> None:
        session = self.session
        word = read_choice(session.ruleset, session.menu(seat), typed)

        def show(seen: list[ForecastRow] | HolmgangError) -> None:
            if isinstance(seen, HolmgangError):
                self.panel.say(str(seen))
            else:
                title = f"If {seat.capitalize()} chooses {word}"
                self.app.push_screen(Page(title, forecast_page(seen)))

        session.forecast(seat, word, show)

    def undo(self) -> None:
        seat = self.session.undo()
        self.go_on()
        self.panel.say(f"{seat.capitalize()} chooses again.")

    def take_keyboard(self) -> None:
        self.session.take_keyboard()
        self.go_on()

    def forfeit(self, seat: str, is_sure: bool | None) -> None:
        if not is_sure:
            return
        try:
            self.session.forfeit(seat)
        except HolmgangError as error:
            self.panel.say(str(error))
        else:
            self.go_on()

    def offer_draw(self, seat: str) -> None:
        other = self.session.offer_draw(seat)
        if other is None:
            self.go_on()
            return
        question = f"{other.capitalize()}, {seat.capitalize()} offers a draw. Do you accept?"
        self.app.push_screen(ConfirmScreen(question), partial(self.answer_draw, other))

    def answer_draw(self, seat: str, accepts: bool | None) -> None:
        self.session.answer_draw(seat, accepts=bool(accepts))
        self.go_on()

    def leave(self) -> None:
        self.post_message(self.Left())

    def again(self) -> None:
        if self.session.rematch():
            self.post_message(self.Again())
        else:
            self.go_on()

    def watch_game(self) -> None:
        def show(replay: Replay | HolmgangError) -> None:
            if isinstance(replay, HolmgangError):
                self.panel.say(str(replay))
            else:
                self.app.push_screen(ReplayScreen(replay, 0))

        self.session.replay(show)
