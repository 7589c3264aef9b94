"""The screen on which a duel is played: board, story, and the desk at which one chooses."""

import threading
from collections.abc import Callable

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from holmgang.errors import HolmgangError
from holmgang.games.contract import SEATS
from holmgang.terminal.commands import Command, Verb, parse_command
from holmgang.terminal.forecast import forecast
from holmgang.terminal.menu import Option, find_grid, find_option, is_one_key, read_choice
from holmgang.terminal.rules_text import rules_page
from holmgang.terminal.screen.banner import Banner
from holmgang.terminal.screen.board_view import BoardView
from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.pages import (
    CommandMenu,
    Page,
    Question,
    forecast_page,
    help_page,
)
from holmgang.terminal.screen.palette import DIM, SEAT_COLOURS, WARNING, coloured
from holmgang.terminal.screen.story_view import StoryView, heading
from holmgang.terminal.table import Stage, Table

WIDE = 110
ENTER = "Enter"
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
FRAME_ROWS = 4  # banner, status, entry, keys
STORY_ROWS = 3
LIVE_THROWS = 5000
KEYS = (("?", "what if"), ("/", "commands"), ("^C", "leave"), ("PgUp", "story"))


class DuelScreen(Screen[None]):
    """Plays a match at a table.

    What it shows while someone chooses in secret depends on nothing that was typed.
    """

    DEFAULT_CSS = """
    DuelScreen { layout: vertical; }
    DuelScreen #ground { height: 1fr; }
    DuelScreen #what-if { display: none; }
    DuelScreen BoardView { padding: 0 1; background: $surface; }
    DuelScreen StoryView { height: 1fr; padding: 0 1; }
    DuelScreen #desk { height: auto; background: $surface; }
    DuelScreen #status { height: 1; padding: 0 1; background: $panel; }
    DuelScreen MenuView { padding: 0 1; }
    DuelScreen #entry { height: 1; padding: 0 1; }
    DuelScreen #keys { height: 1; padding: 0 1; color: #7d8590; background: $background; }
    DuelScreen.-roomy BoardView { padding: 1; }
    DuelScreen.-cramped #keys, DuelScreen.-cramped Banner { display: none; }
    DuelScreen.-cramped StoryView { display: none; }
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
        """The person wants another match of the same."""

    class Thought(Message):
        """What a level answered, and what it was asked about."""

        def __init__(
            self, seat: str, game: int, round_number: int, answer: str | Exception
        ) -> None:
            super().__init__()
            self.seat, self.game, self.round, self.answer = seat, game, round_number, answer

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.thinker: threading.Thread | None = None
        self.asked_about: dict[
            str, tuple[int, int]
        ] = {}  # which game and round, by the level's seat
        self.typed = ""
        self.note = ""  # why the last entry was refused, or what came of it
        self.actions: dict[str, Callable[[], None]] = {}  # the keys of a stage without choices

    def compose(self) -> ComposeResult:
        self.table.next_game()
        yield Banner(self.table)
        with Container(id="ground"):
            yield BoardView(self.table.ruleset, self.table.duel.state)
            yield StoryView()
            with Vertical(id="desk"):
                yield Static(id="status")
                yield MenuView(id="menu")
                yield Static(id="entry")
            with VerticalScroll(id="what-if", can_focus=False):
                yield Static()
        yield Static(keys_line(*KEYS), id="keys")

    def on_mount(self) -> None:
        self.begin_game()

    # The course of a match

    def begin_game(self) -> None:
        table = self.table
        if table.wins_needed > 1:
            self.story.tell(heading(f"Game {len(table.match.games)}"))
        trouble = table.take_trouble()
        if trouble is not None:
            self.story.tell(Text(trouble, style=WARNING))
        self.go_on()

    def next_game(self) -> None:
        self.table.next_game()
        self.begin_game()

    def go_on(self) -> None:
        """Does what needs nobody at the keyboard, then shows what does."""
        self.typed = ""
        table = self.table
        for seat in table.thinking:
            self.have_think(seat)
        if table.stage is Stage.REVEAL and not table.is_hidden:
            self.reveal()
        else:
            self.show()

    def have_think(self, seat: str) -> None:
        """Has a level choose, which may take its time: the screen goes on meanwhile."""
        game, round_number = len(self.table.match.games), self.table.duel.round
        if self.asked_about.get(seat) == (game, round_number):
            return
        self.asked_about[seat] = (game, round_number)
        choose = self.table.thought(seat)

        def think() -> None:
            try:
                answer: str | Exception = choose()
            except Exception as error:  # noqa: BLE001 - raised again where it is seen
                answer = error
            self.post_message(self.Thought(seat, game, round_number, answer))

        # Not one of Textual's workers: who leaves does not want to wait for it.
        self.thinker = threading.Thread(target=think, daemon=True)
        self.thinker.start()

    def on_duel_screen_thought(self, thought: Thought) -> None:
        table = self.table
        here = (len(table.match.games), table.duel.round)
        if isinstance(thought.answer, Exception):
            raise thought.answer
        if here != (thought.game, thought.round) or thought.seat not in table.thinking:
            return  # the game has ended meanwhile
        table.duel.choose(thought.seat, thought.answer, round=thought.round)
        if table.stage is Stage.REVEAL:
            self.reveal()

    def reveal(self) -> None:
        self.note = ""
        self.story.tell_round(self.table.reveal())
        self.after_round()

    def after_round(self) -> None:
        """A round is over, or a game, however it came."""
        table = self.table
        if table.duel.is_over:
            self.story.tell(coloured(table.duel.ending(), "bold"))
        trouble = table.take_trouble()
        if trouble is not None:
            self.story.tell(Text(trouble, style=WARNING))
        self.go_on()

    # Showing

    @property
    def story(self) -> StoryView:
        return self.query_one(StoryView)

    @property
    def menu(self) -> MenuView:
        return self.query_one("#menu", MenuView)

    def on_resize(self, event: Resize) -> None:
        self.fit(event.size.width, event.size.height)

    def fit(self, width: int, height: int) -> None:
        """Leaves the menu the rows that the board does not need."""
        is_wide = width >= WIDE
        room = (width * 3 // 5 if is_wide else width) - 2
        left = height - FRAME_ROWS - len(self.query_one(BoardView).drawn(room))
        self.menu.most_rows = left if is_wide else self.rows_for_menu(room, left)
        rows = self.menu.laid_out(room).rows
        if self.table.duel.is_over:
            self.menu.least_rows = 0
        elif self.table.stage is Stage.CHOOSE:
            self.menu.least_rows = rows  # the desk keeps its height when other stages need less
        self.set_class(is_wide, "-wide")
        self.set_class(left - rows >= STORY_ROWS + 2, "-roomy")
        self.set_class(rows > left, "-cramped")
        self.menu.refresh(layout=True)

    def rows_for_menu(self, width: int, left: int) -> int:
        """How many rows the menu may take; the story gets few before the notes are left out."""
        menu = self.menu
        wished = [left - story for story in (STORY_ROWS, 1, 0)]
        fitting = [rows for rows in wished if menu.laid_out(width, rows).rows <= rows]
        noted = [rows for rows in fitting if menu.laid_out(width, rows).has_notes]
        return max(1, (noted or fitting or wished)[0])

    def show(self) -> None:
        table = self.table
        self.query_one(BoardView).show(table.duel.state)
        self.query_one(Banner).refresh()
        self.actions = {}
        stages: dict[Stage, Callable[[], None]] = {
            Stage.CHOOSE: self.show_choices,
            Stage.THINK: self.show_waiting,
            Stage.PASS: self.show_pass,
            Stage.REVEAL: self.show_ready,
            Stage.GAME_OVER: self.show_game_over,
            Stage.MATCH_OVER: self.show_match_over,
        }
        stages[table.stage]()
        self.fit(self.size.width, self.size.height)
        self.show_entry()

    def show_choices(self) -> None:
        table = self.table
        seat = table.asked
        assert seat is not None  # noqa: S101 - the stage is CHOOSE
        offered = table.menu(seat)
        grid = find_grid(table.ruleset, offered)
        self.menu.show(offered, grid)
        status = Text(f"{seat.capitalize()}, choose", style=f"bold {SEAT_COLOURS[seat]}")
        if grid is not None and any(grid.axes):
            status.append(" " + "/".join(grid.axes), style=DIM)
        if table.is_hidden:
            other = {"red": "Blue", "blue": "Red"}[seat]
            status.append(f", while {other} looks away", style=DIM)
        self.set_status(status)

    def show_waiting(self) -> None:
        who = " and ".join(self.table.title(seat) for seat in self.table.thinking)
        self.set_status(coloured(f"Waiting for {who}", DIM))
        self.menu.show([])

    def show_pass(self) -> None:
        seat = self.table.asked
        assert seat is not None  # noqa: S101 - the stage is PASS
        name, other = seat.capitalize(), {"red": "Blue", "blue": "Red"}[seat]
        self.set_status(coloured(f"{other} has chosen", "bold"))
        self.offer(
            (ENTER, f"pass the keyboard to {name}", "", self.take_keyboard),
            ("u", "undo", f"{other} chooses again", self.undo),
        )

    def show_ready(self) -> None:
        self.set_status(Text("Both have chosen", style="bold"))
        self.offer(
            (ENTER, "reveal", "", self.reveal),
            ("u", "undo", "take the last choice back", self.undo),
        )

    def show_game_over(self) -> None:
        drawn = self.table.duel.outcome is not None and self.table.duel.outcome.winner is None
        score = "A draw counts for nobody" if drawn else self.table.score_line()
        self.set_status(coloured(f"{self.table.duel.ending()}   {score}", "bold"))
        self.offer((ENTER, "next game", "", self.next_game), ("q", "leave", "", self.leave))

    def show_match_over(self) -> None:
        self.set_status(coloured(self.table.result_line(), "bold"))
        where = self.table.keeper.paths
        self.offer(
            (ENTER, "leave", f"the record is in {where[-1]}" if where else "", self.leave),
            ("a", "again", "another match of the same", self.again),
        )

    def offer(self, *offers: tuple[str, str, str, Callable[[], None]]) -> None:
        """Keys for a stage in which there is no choice to make."""
        self.menu.show([Option(key, word, note) for key, word, note, _ in offers])
        self.actions = {key: action for key, _, _, action in offers}

    def set_status(self, status: Text) -> None:
        self.query_one("#status", Static).update(status)

    def show_what_if(self) -> None:
        """Beside a large menu: what the choice under the cursor would do."""
        panel = self.query_one("#what-if Static", Static)
        table, pointed = self.table, self.menu.option
        if table.stage is not Stage.CHOOSE or table.is_hidden or not self.has_class("-wide"):
            panel.update("")
        elif pointed is None:
            panel.update(Text("Point at a choice to see all that it could do.", style=DIM))
        else:
            panel.update(self.forecast(pointed.word))

    def forecast(self, word: str) -> RenderableType:
        seat = self.table.asked or self.table.people[0]
        try:
            return forecast_page(
                forecast(self.table.ruleset, self.table.duel.state, seat, word, LIVE_THROWS)
            )
        except HolmgangError as error:
            return Text(str(error), style=DIM)

    def show_entry(self) -> None:
        """The line below the menu: what is being typed, unless that is nobody's business."""
        self.show_what_if()
        entry = self.query_one("#entry", Static)
        if self.note:
            entry.update(Text(self.note, style=WARNING, no_wrap=True, overflow="ellipsis"))
        elif self.table.stage is not Stage.CHOOSE:
            entry.update("")
        elif self.typed.startswith("?") and self.is_one_key:
            entry.update(Text("What would which choice do? Press its key, ? for help", style=DIM))
        elif self.table.is_hidden:
            finish = "" if self.is_one_key else f" ({ENTER} ends it)"
            entry.update(Text(f"Nothing you type is shown{finish}", style=DIM))
        else:
            entry.update(self.open_entry())

    def open_entry(self) -> Text:
        pointed = self.menu.option
        text = Text(no_wrap=True, overflow="ellipsis")
        if self.typed:
            text.append("> ", style=DIM).append(self.typed, style="bold").append("▏ ")
        elif pointed is None:
            how = "Press a key" if self.is_one_key else f"Type a choice and {ENTER}"
            return text.append(f"{how}, or use the arrows", style=DIM)
        if pointed is not None:
            text.append(f"{pointed.word}: ", style="bold").append(pointed.note)
            text.append(f"  {ENTER}", style=DIM)
        return text

    # Keys

    @property
    def is_one_key(self) -> bool:
        return is_one_key(self.menu.options)

    def on_menu_view_picked(self, message: MenuView.Picked) -> None:
        if self.table.stage is Stage.CHOOSE:
            self.submit(message.option.word)
        elif message.option.key in self.actions:
            self.actions[message.option.key]()

    def on_key(self, event: Key) -> None:
        event.stop()
        self.note = ""
        if event.key in ("pageup", "pagedown"):
            page = self.story.size.height
            self.story.scroll_relative(y=-page if event.key == "pageup" else page, animate=False)
        elif event.character == "/" and (not self.typed or self.is_one_key):
            self.app.push_screen(CommandMenu(), self.obey_verb)
        elif self.table.stage is Stage.CHOOSE:
            self.choose_key(event)
        else:
            key = ENTER if event.key in ("enter", "space") else (event.character or "")
            action = self.actions.get(key)
            if action is not None:
                action()
            elif event.character == "?":
                self.obey(Command(Verb.HELP))

    def choose_key(self, event: Key) -> None:
        hidden = self.table.is_hidden
        if event.key in ARROWS and not hidden:
            self.typed = ""
            self.menu.narrow_to("")
            self.menu.move(*ARROWS[event.key])
        elif event.key == "escape":
            self.typed = ""
            self.follow_typing()
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
            self.follow_typing()
        elif event.key == "enter":
            pointed = self.menu.option
            self.submit(self.typed or (pointed.word if pointed and not hidden else ""))
            return
        elif event.is_printable and event.character is not None:
            self.typed += event.character
            if self.is_one_key and self.typed != "?":
                self.submit(self.typed)
                return
            self.follow_typing()
        self.show_entry()

    def follow_typing(self) -> None:
        """Points at what is being typed, where everyone may see it."""
        if not self.table.is_hidden:
            found = find_option(self.table.ruleset, self.menu.options, self.typed)
            self.menu.point_at(found if self.typed else None)
            self.menu.narrow_to(self.typed)

    def submit(self, typed: str) -> None:
        """A whole entry: a choice or a command."""
        self.typed = ""
        if not typed.strip():
            self.show_entry()
            return
        try:
            command = parse_command(typed, [option.word for option in self.menu.options])
            if command is None:
                self.table.choose(typed)
                self.go_on()
            else:
                self.obey(command)
        except HolmgangError as error:
            self.refuse(str(error))

    def refuse(self, message: str) -> None:
        self.note = message
        self.menu.point_at(None)
        self.menu.narrow_to("")
        self.show_entry()

    # Commands

    def obey_verb(self, verb: Verb | None) -> None:
        if verb is not None:
            self.obey(Command(verb))

    def obey(self, command: Command) -> None:
        try:
            self.do(command)
        except HolmgangError as error:
            self.refuse(str(error))

    def do(self, command: Command) -> None:
        table = self.table
        seat = table.asked or table.people[0]
        match command.verb:
            case Verb.HELP:
                self.app.push_screen(Page("Help", help_page()))
            case Verb.RULES:
                self.app.push_screen(Page(table.ruleset.entry.title, rules_page(table.ruleset)))
            case Verb.WHAT_IF:
                word = read_choice(table.ruleset, table.menu(seat), command.rest)
                seen = forecast(table.ruleset, table.duel.state, seat, word)
                title = f"If {seat.capitalize()} chooses {word}"
                self.app.push_screen(Page(title, forecast_page(seen)))
                self.show_entry()
            case Verb.UNDO:
                self.undo()
            case Verb.DRAW:
                self.offer_draw(seat)
            case Verb.FORFEIT:
                table.duel.view(seat)
                self.app.push_screen(
                    Question(f"{seat.capitalize()} gives this game up?"),
                    lambda sure: self.forfeit(seat) if sure else None,
                )
            case Verb.QUIT:
                self.leave()

    def undo(self) -> None:
        try:
            seat = self.table.undo()
        except HolmgangError as error:
            self.refuse(str(error))
            return
        self.note = f"{seat.capitalize()} chooses again."
        self.go_on()

    def take_keyboard(self) -> None:
        self.table.take_keyboard()
        self.go_on()

    def forfeit(self, seat: str) -> None:
        try:
            self.table.forfeit(seat)
        except HolmgangError as error:
            self.refuse(str(error))
            return
        self.after_round()

    def offer_draw(self, seat: str) -> None:
        other = self.table.offer_draw(seat)
        if other is None:
            declining = SEATS[1 - SEATS.index(seat)]
            self.refuse(f"{self.table.title(declining)} declines the draw.")
            return
        self.app.push_screen(
            Question(f"{other.capitalize()}, {seat.capitalize()} offers a draw. Do you accept?"),
            lambda accepts: self.answer_draw(other, bool(accepts)),
        )

    def answer_draw(self, seat: str, accepts: bool) -> None:
        self.table.answer_draw(seat, accepts=accepts)
        if accepts:
            self.after_round()
        else:
            self.refuse(f"{seat.capitalize()} declines the draw.")

    def leave(self) -> None:
        self.post_message(self.Left())

    def again(self) -> None:
        self.post_message(self.Again())
