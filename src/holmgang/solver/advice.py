"""What is best in a state: its value, both mixes, and what every single choice is worth."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holmgang.engine import rounds
from holmgang.engine.compiled.native import Announce, silent
from holmgang.errors import StateError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.solver import tablebase
from holmgang.solver.solve import solve
from holmgang.solver.tablebase import Position, Tablebase


@dataclass(frozen=True)
class Advice:
    """A position, and for each seat what each choice gains it against the other's mix (to red)."""

    position: Position
    worth: dict[str, dict[str, float]]

    def as_json(self) -> dict[str, Any]:
        position = self.position
        return {
            "value": position.value,
            "win": position.win,
            "draw": position.draw,
            "loss": position.loss,
            "exact": True,
            "red": position.red,
            "blue": position.blue,
            "worth": self.worth,
        }


def table_path(ruleset: Ruleset) -> Path:
    """Where the ruleset's tablebase is kept: $HOLMGANG_TABLES, or the user's data folder."""
    own = os.environ.get("HOLMGANG_TABLES")
    if own:
        folder = Path(own)
    else:
        data = os.environ.get("XDG_DATA_HOME")
        base = Path(data) if data else Path.home() / ".local" / "share"
        folder = base / "holmgang" / "tables"
    return folder / f"{ruleset.entry.name}-{ruleset.hash}.table"


def open_table(
    ruleset: Ruleset,
    *,
    progress: Callable[[str], None] = lambda said: None,
    announce: Announce = silent,
) -> Tablebase:
    """The ruleset's tablebase, solved now and kept if it is not there yet."""
    path = table_path(ruleset)
    if not path.exists():
        tablebase.write(solve(ruleset, progress=progress, announce=announce), path)
    return Tablebase(path)


def advise(table: Tablebase, state: Any) -> Advice:
    """Raises `StateError` if the duel is over in the state, or it cannot be reached."""
    ruleset = table.ruleset
    ended = rounds.outcome(ruleset, state)
    if ended is not None:
        raise StateError(f"the duel is over in this state ({ended.reason})")
    position = table.position(state)
    menus = [rounds.menu(ruleset, state, seat) or [NO_CHOICE] for seat in (RED, BLUE)]
    pairs = [[pair_worth(table, state, red, blue) for blue in menus[BLUE]] for red in menus[RED]]
    mixes = [list(mix.values()) or [1.0] for mix in (position.red, position.blue)]
    red_worth = [
        sum(chance * worth for chance, worth in zip(mixes[BLUE], row, strict=True)) for row in pairs
    ]
    blue_worth = [
        sum(chance * row[column] for chance, row in zip(mixes[RED], pairs, strict=True))
        for column in range(len(menus[BLUE]))
    ]
    words = (position.red, position.blue)
    worth = {
        name: dict(zip(words[seat], (red_worth, blue_worth)[seat], strict=False))
        for seat, name in enumerate(SEATS)
    }
    return Advice(position, worth)


def pair_worth(table: Tablebase, state: Any, red: int, blue: int) -> float:
    """What these two choices are worth to red, over all that chance can do."""
    game, rules = table.ruleset.game.rules, table.ruleset.rules
    faces = game.chance(rules, state, red, blue)
    total = 0.0
    for face in range(faces):
        after = game.resolve(rules, state, red, blue, face)
        ended = game.outcome(rules, after)
        total += (1.0, -1.0, 0.0)[ended.winner] if ended.reason else table.value(after)
    return total / faces
