"""What a game offers to newcomers besides its rules: a lesson in guided rounds, named sets of
rules, and the rules on one screen. All of it is data; what a choice does comes from the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class LessonStep(NamedTuple):
    """One guided round: red learns, and blue's choice is announced."""

    title: str
    """What is learned: `Stop an attack`."""
    task: str
    """What blue will do, and what to try."""
    reply: str
    """Blue's choice; empty if blue has nothing to choose."""
    right: tuple[str, ...]
    """The choices that solve it; `heal` also covers `heal 5`. Empty: all of them."""
    why: str
    """Why it is right, beyond what the story says."""
    hint: str = ""
    """What to try after a wrong choice."""
    state: str = ""
    """The position as short text; empty for the start of a game."""
    face: int = 0
    """The face of the die, modulo the number of faces."""

    def is_right(self, word: str) -> bool:
        return not self.right or any(
            word == each or word.startswith(f"{each} ") for each in self.right
        )


@dataclass(frozen=True, eq=False)
class Preset:
    """Rules and a match length that people choose by name. The first one is for newcomers."""

    name: str
    line: str
    """What is different."""
    rules: Mapping[str, int] = field(default_factory=dict)
    """The rules that differ from the catalogue."""
    wins: int | None = None
    """Games to win the match; None: as in the catalogue."""


class SummaryTable(NamedTuple):
    """A table of the rules on one screen: who beats what, or with what odds."""

    corner: str
    """What the rows and columns are: `You ↓ Blue →`."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """The heading of each row, and its cells."""


class Summary(NamedTuple):
    """The rules on one screen, from the point of view of red."""

    aim: str
    choices: tuple[tuple[str, str], ...]
    """The word of each choice, or its verb, and what it does in a sentence."""
    ending: str
    note: str = ""
    """What else a newcomer sees on the board."""
    state: str = ""
    """The position of the picture and of the table, as short text; empty for the start."""
    meetings: Mapping[tuple[str, str], str] = {}
    """What happens when red's choice meets blue's, in words. Other pairs get a list of changes."""
    table: SummaryTable | None = None
    """Instead of the table of meetings, in a game where that would be too large."""
