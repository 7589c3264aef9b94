"""The board, drawn to fit the width."""

from rich.text import Text
from textual.geometry import Size
from textual.widget import Widget

from holmgang.games.contract import State
from holmgang.games.drawing import Row
from holmgang.games.ruleset import Ruleset
from holmgang.terminal.roles import painted
from holmgang.terminal.screen.palette import BOARD_STYLES


class BoardView(Widget):
    DEFAULT_CSS = "BoardView { height: auto; }"

    def __init__(self, ruleset: Ruleset, state: State) -> None:
        super().__init__()
        self.ruleset = ruleset
        self.state = state

    def show(self, state: State) -> None:
        self.state = state
        self.refresh(layout=True)

    def drawn(self, width: int) -> list[Row]:
        return self.ruleset.board(self.state, width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.drawn(width))

    def render(self) -> Text:
        lines = [painted(row, BOARD_STYLES) for row in self.drawn(self.content_size.width)]
        return Text("\n", no_wrap=True).join(lines)
