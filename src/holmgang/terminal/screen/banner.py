"""The line at the top: who plays whom, what, and how the match stands."""

from rich.cells import cell_len
from rich.text import Text
from textual.widget import Widget

from holmgang.terminal.screen.palette import BRIGHT, SEAT_STYLES
from holmgang.terminal.session import MatchSession

MOST_PIPS = 5


class Banner(Widget):
    DEFAULT_CSS = "Banner { height: 1; background: $panel; }"

    def __init__(self, session: MatchSession) -> None:
        super().__init__()
        self.session = session

    def render(self) -> Text:
        width = self.content_size.width
        left, right = (self.side(seat, brief=False) for seat in ("red", "blue"))
        brief_left, brief_right = (self.side(seat, brief=True) for seat in ("red", "blue"))
        for red, blue in ((left, right), (brief_left, brief_right)):
            for middle in self.middles():
                if cell_len(red) + cell_len(blue) + cell_len(middle) + 2 <= width:
                    return self.line(red, middle, blue, width)
        return self.line(brief_left, "", brief_right, width)

    def line(self, left: str, middle: str, right: str, width: int) -> Text:
        before = max(1, (width - cell_len(middle)) // 2 - cell_len(left))
        after = max(0, width - cell_len(left) - before - cell_len(middle) - cell_len(right))
        return Text.assemble(
            (left, self.seat_style("red")),
            " " * before,
            (middle, f"bold {BRIGHT}"),
            " " * after,
            (right, self.seat_style("blue")),
            no_wrap=True,
        )

    def seat_style(self, seat: str) -> str:
        return f"bold #0d1117 on {SEAT_STYLES[seat]}"

    def side(self, seat: str, *, brief: bool) -> str:
        """A seat with a pip for each game it has won, the pips towards the middle."""
        name = seat.capitalize() if brief else self.session.title(seat)
        won, needed = self.session.score[seat], self.session.wins_needed
        if needed == 1:
            return f" {name} "
        if needed > MOST_PIPS:
            signs = f"{won}/{needed}"
        else:
            signs = "".join(sorted("●" * won + "○" * (needed - won), reverse=seat == "red"))
        return f" {name} {signs} " if seat == "red" else f" {signs} {name} "

    def middles(self) -> list[str]:
        session = self.session
        title, round_number = session.ruleset.entry.title, f"round {session.round}"
        game = f"game {session.game} · " if session.wins_needed > 1 else ""
        return [f"{title} · {game}{round_number}", f"{title} · {round_number}", round_number]
