"""The part of the screen where a person chooses: a status line, a menu, and an entry line.

It knows nothing of the duel. A complete entry or an offered key is sent on as a message.
"""

import time
from collections.abc import Callable

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key
from textual.message import Message
from textual.widgets import Static

from holmgang.engine.menu import MenuGrid, Option, is_one_key
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.palette import DIM, FATAL, WARNING

ENTER, ESCAPE, TAB = "Enter", "Esc", "Tab"
NAMED = {"enter": ENTER, "space": ENTER, "escape": ESCAPE, "tab": TAB}
"""Keys of offers. No game uses them for choices."""
PAUSE = 0.8  # seconds after the end of a game in which keys do nothing
REPEAT = 0.4  # longest interval in seconds between presses that count as continuous
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class ChoicePanel(Vertical):
    """Asks for a choice, or offers keys. Hidden input is not shown."""

    DEFAULT_CSS = """
    ChoicePanel { height: auto; background: $surface; }
    ChoicePanel #status { height: 1; padding: 0 1; background: $panel; }
    ChoicePanel MenuView { padding: 0 1; }
    ChoicePanel #entry { height: auto; min-height: 1; max-height: 2; padding: 0 1; }
    """

    class Entered(Message):
        """A choice was typed, pressed or clicked, or a command was typed."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Acted(Message):
        """An offered key was pressed."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Pointed(Message):
        """The cursor may have moved."""

    def __init__(self) -> None:
        super().__init__()
        self.typed = ""
        self.status = Text()
        self.aside = ""  # shown after the status
        self.aim = ""  # the end of the prompt
        self.note = ""  # why the last entry was refused, or its result
        self.is_asking = False
        self.is_hidden = False
        self.clock = time.monotonic
        self.deaf_until = 0.0  # until then, offered keys do nothing
        self.find: Callable[[str], Option | None] = lambda typed: None

    def compose(self) -> ComposeResult:
        yield Static(id="status")
        yield MenuView()
        yield Static(id="entry")

    @property
    def menu(self) -> MenuView:
        return self.query_one(MenuView)

    @property
    def pointed(self) -> Option | None:
        """The option under the cursor, or the one that is being typed."""
        return self.menu.option

    # Showing

    def ask(
        self,
        status: Text,
        options: list[Option],
        grid: MenuGrid | None,
        *,
        hidden: bool,
        find: Callable[[str], Option | None],
        aim: str = "",
    ) -> None:
        """Asks for a choice. `find` gives the option that a typed text stands for; `aim` is the
        end of the prompt, if there is a choice already.
        """
        self.is_asking, self.is_hidden, self.find, self.aim = True, hidden, find, aim
        self.show(status, options, grid)

    def offer(self, status: Text, options: list[Option], *, pause: bool = False) -> None:
        """Offers keys while there is nothing to choose in the game.

        With `pause` they have no effect at first and while keys keep coming: a person may still be
        pressing the key of the last choice.
        """
        self.is_asking, self.is_hidden = False, False
        self.deaf_until = self.clock() + PAUSE if pause else 0.0
        self.show(status, options, None)

    def show(self, status: Text, options: list[Option], grid: MenuGrid | None) -> None:
        self.typed = ""
        self.status = status
        self.show_status()
        self.menu.show(options, grid)
        self.show_entry()

    def show_status(self) -> None:
        line = Text(no_wrap=True, overflow="ellipsis").append_text(self.status)
        self.query_one("#status", Static).update(line.append(self.aside, style=DIM))

    def say_aside(self, aside: str) -> None:
        if aside != self.aside:
            self.aside = aside
            self.show_status()

    def say(self, note: str) -> None:
        """Shows a note in place of what was typed, until the next key."""
        self.typed, self.note = "", note
        self.menu.point_at(None)
        self.menu.narrow_to("")
        self.show_entry()

    def show_entry(self) -> None:
        self.query_one("#entry", Static).update(self.entry())
        self.post_message(self.Pointed())

    def entry(self) -> Text:
        if self.note:
            return Text(self.note, style=WARNING, no_wrap=True, overflow="ellipsis")
        if not self.is_asking:
            return Text("")
        if self.typed == "?" and self.is_one_key:
            return Text("What if? Press the key of a choice; ? for help", style=DIM)
        if self.is_hidden:
            finish = "" if self.is_one_key else f" ({ENTER} ends it)"
            return Text(f"Nothing you type is shown{finish}", style=DIM)
        return self.open_entry()

    def open_entry(self) -> Text:
        text = Text(overflow="ellipsis")  # the whole note, also where the menu cuts it
        if self.typed:
            text.append("> ", style=DIM).append(self.typed, style="bold").append("▏ ")
        elif self.pointed is None:
            how = "Press a key" if self.is_one_key else f"Type a choice and {ENTER}"
            text.append(f"{how}, or use the arrows{self.aim}", style=DIM)
        if self.pointed is not None:
            style = FATAL if self.pointed.is_fatal else ""
            text.append(f"{self.pointed.word}: ", style="bold").append(self.pointed.note, style)
            text.append(f"  {ENTER}", style=DIM)
        return text

    # Keys

    @property
    def is_one_key(self) -> bool:
        return is_one_key(self.menu.options)

    @property
    def is_typing(self) -> bool:
        """Whether a slash would belong to the typed text, as in 3/2."""
        return bool(self.typed) and not self.is_one_key

    def on_menu_view_picked(self, message: MenuView.Picked) -> None:
        message.stop()
        if self.is_asking:
            self.enter(message.option.word)
        elif not self.is_deaf():
            self.post_message(self.Acted(message.option.key))

    def press(self, event: Key) -> None:
        self.note = ""
        if self.is_asking:
            self.press_while_asking(event)
            return
        key = NAMED.get(event.key, event.character)
        if key is not None and not self.is_deaf():
            self.post_message(self.Acted(key))
        self.show_entry()

    def is_deaf(self) -> bool:
        now = self.clock()
        if now >= self.deaf_until:
            return False
        self.deaf_until = max(self.deaf_until, now + REPEAT)
        return True

    def press_while_asking(self, event: Key) -> None:
        if event.key in ARROWS and not self.is_hidden:
            self.typed = ""
            self.menu.narrow_to("")
            self.menu.move(*ARROWS[event.key])
        elif event.key == "escape":
            self.type_in("")
        elif event.key == "backspace":
            self.type_in(self.typed[:-1])
        elif event.key == "enter":
            pointed = None if self.is_hidden else self.pointed
            self.enter(self.typed or (pointed.word if pointed is not None else ""))
        elif event.is_printable and event.character is not None:
            self.type_in(self.typed + event.character)
            if self.is_one_key and self.typed != "?":
                self.enter(self.typed)
        self.show_entry()

    def type_in(self, typed: str) -> None:
        """Points at the option that is being typed, unless the input is hidden."""
        self.typed = typed
        if not self.is_hidden:
            self.menu.point_at(self.find(typed) if typed else None)
            self.menu.narrow_to(typed)

    def enter(self, text: str) -> None:
        self.typed = ""
        if text.strip():
            self.post_message(self.Entered(text))
