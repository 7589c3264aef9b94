"""A menu in plain lines."""

from holmgang.engine.menu import Option, find_grid
from holmgang.games.ruleset import Ruleset
from holmgang.terminal.dialogue import Dialogue


def menu_lines(ruleset: Ruleset, offered: list[Option], dialogue: Dialogue) -> None:
    """Writes each option with its key, word and note; a grid of pairs as a grid."""
    grid = find_grid(ruleset, offered)
    if grid is None:
        keys = max(len(option.key) for option in offered)
        words = max(len(option.word) for option in offered)
        for key, word, note, is_fatal in offered:
            first = f"  {key:<{keys}}  {word:<{words}}  "
            rest = " " * min(len(first), dialogue.width // 2)
            dialogue.tell(f"! {note}" if is_fatal else note, first, rest)
        return
    row_name, column_name = grid.axes
    for row in grid.rows:
        dialogue.say("  " + " ".join(f"{row}/{column}" for column in grid.columns))
    if row_name:
        last = offered[-1]
        dialogue.tell(
            f"{row_name}/{column_name}; {last.key} is short for {last.word}: {last.note}", "  "
        )
