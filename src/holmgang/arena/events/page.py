"""The standings as a single-file web page, with a light and a dark theme.

It shows the standings with their intervals, the pay-off matrix as a heat map, the maximin mixture,
and the games with links to their records. The template is `page.html`; `page.js` filters the games.
"""

import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import ceil
from pathlib import Path
from typing import NamedTuple

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.standings import Standings
from holmgang.arena.task import GameResult
from holmgang.engine.html_page import render

HERE = Path(__file__).parent
GAMES_OF_A_PAIR = 20
MOST_GAMES = 3000
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 10_000)  # between ticks
MOST_TICKS = 5
WIDEST = 600
"""How far, in Elo points, an interval is drawn beyond the ratings. Longer ones are cut off."""


def format_page(table: Standings, results: Results) -> str:
    """The whole page. Store it next to the log: its links to records are relative to that."""
    style, script = ((HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    return render(
        "arena/events/page.html",
        style,
        script,
        table=table,
        scale=scale_of(table),
        games=list(islice(listed_games(table, results), MOST_GAMES)),
        couple=couple,
        shell_quoted=shlex.quote,
        signed=signed,
    )


def signed(points: float) -> str:
    """A rating with its sign, as people write it.

    >>> signed(8), signed(-92.4)
    ('+8', '−92')
    """
    return f"{points:+.0f}".replace("-", "−")


def couple(bot: str, other: str) -> str:
    """The part of the address that selects the games of two bots, in either order."""
    return "--".join(sorted((bot, other)))


def listed_games(table: Standings, results: Results) -> Iterator[GameResult]:
    """The last games of each pair in the standings, the latest first."""
    known = {row.bot for row in table.rows}
    seen: Counter[str] = Counter()
    for entry in reversed(results.values()):
        pair = couple(entry.fixture.red, entry.fixture.blue)
        seen[pair] += 1
        if seen[pair] <= GAMES_OF_A_PAIR and known.issuperset(entry.fixture[:2]):
            yield entry


class RatingScale(NamedTuple):
    """The range of ratings that is drawn, from left to right."""

    low: float
    high: float

    def at(self, elo: float) -> float:
        """The position of a rating, in percent of the width."""
        return 100 * (min(self.high, max(self.low, elo)) - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[int]:
        """A few round numbers in the range."""
        step = next(step for step in STEPS if (self.high - self.low) / step <= MOST_TICKS)
        return list(range(step * ceil(self.low / step), int(self.high) + 1, step))


def scale_of(table: Standings) -> RatingScale:
    """A scale with room for all ratings, and for their intervals up to `WIDEST`."""
    rated = [row.rating for row in table.rows if row.score is not None]
    values = [rating.value for rating in rated] or [0.0]
    lows = [max(rating.low, min(values) - WIDEST) for rating in rated] or [0.0]
    highs = [min(rating.high, max(values) + WIDEST) for rating in rated] or [0.0]
    margin = max(10.0, (max(highs) - min(lows)) * 0.03)
    return RatingScale(min(lows) - margin, max(highs) + margin)
