"""The standings of a contest, for terminals, files and pages."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from holmgang.arena.counting.mixture import Share, mixture
from holmgang.arena.counting.payoff import BotPayoffs, payoffs
from holmgang.arena.counting.ratings import Counts, Estimate, Ratings, rate
from holmgang.arena.counting.tally import Behaviour, ResultTally, failures_json
from holmgang.arena.task import GameResult
from holmgang.games.shape import JsonObject

MOST_NOTES = 5
MOST_LISTED = 12


class Merit(NamedTuple):
    """The numbers that rank the bots instead of ratings: points, or rounds survived."""

    name: str
    values: dict[str, float]
    """The number of each bot, best first."""


class StandingsRow(NamedTuple):
    place: int
    bot: str
    rating: Estimate
    counts: Counts
    behaviour: Behaviour
    share: Share
    merit: float | None

    @property
    def score(self) -> float | None:
        return self.counts.points / self.counts.games if self.counts.games else None


@dataclass(frozen=True)
class Standings:
    """The standings after some games."""

    title: str
    ruleset: str
    rows: list[StandingsRow]
    ratings: Ratings
    payoffs: BotPayoffs
    mixture: list[Share]
    notes: list[str]
    games: int
    missing: int | None
    """The number of games still to play, if known."""
    merit: str | None
    """The name of the merit, if bots are not ranked by rating."""
    answer: str | None
    """The conclusion of a sequential test, as a sentence."""

    @property
    def support(self) -> list[Share]:
        """The bots with a share in the maximin mixture, largest first."""
        return [entry for entry in self.mixture if entry.share > 0]

    def as_json(self) -> JsonObject:
        """The object that `--json` prints. Fields may be added, but not changed or removed."""
        seat = self.ratings.seat
        bots = self.payoffs.bots
        scores = [[self.payoffs.score(bot, other) for other in bots] for bot in bots]
        return {
            "title": self.title,
            "ruleset": self.ruleset,
            "games": self.games,
            "missing": self.missing,
            "bots": [row_json(row, self.merit) for row in self.rows],
            "payoffs": {
                "bots": list(bots),
                "games": [[self.payoffs.counts(a, b).games for b in bots] for a in bots],
                "scores": [[s and round(s.value, 6) for s in row] for row in scores],
                "intervals": [
                    [s and [round(s.low, 6), round(s.high, 6)] for s in row] for row in scores
                ],
            },
            "mixture": {entry.bot: round(entry.share, 6) for entry in self.support},
            "red_advantage": {"elo": round(seat.value, 1), "interval": interval(seat)},
            "notes": self.notes,
        }

    def as_csv(self) -> str:
        """The table as CSV, with a line for each bot."""
        lines = [flat(row_json(row, self.merit)) for row in self.rows]
        return csv_text([list(lines[0]) if lines else [], *(list(line.values()) for line in lines)])

    def payoffs_csv(self) -> str:
        """The score of each bot (row) against each other (column) as CSV, if they have met."""
        bots = [row.bot for row in self.rows]
        lines: list[list[object]] = [["", *bots]]
        for bot in bots:
            scores = (self.payoffs.score(bot, other) for other in bots)
            lines.append([bot, *("" if s is None else round(s.value, 6) for s in scores)])
        return csv_text(lines)


def interval(estimate: Estimate) -> list[float]:
    return [round(estimate.low, 1), round(estimate.high, 1)]


def row_json(row: StandingsRow, merit: str | None) -> JsonObject:
    return {
        "place": row.place,
        "name": row.bot,
        **({merit: row.merit} if merit is not None else {}),
        "rating": round(row.rating.value, 1),
        "interval": interval(row.rating),
        "games": row.counts.games,
        "score": None if row.score is None else round(row.score, 6),
        "wins": row.counts.wins,
        "draws": row.counts.draws,
        "losses": row.counts.losses,
        **failures_json(row.behaviour.statuses),
        "slowest_ms": row.behaviour.slowest_ms,
        "share": round(row.share.share, 6),
        "share_interval": [round(row.share.low, 6), round(row.share.high, 6)],
    }


def flat(row: JsonObject) -> JsonObject:
    """The row with a separate column for each end of an interval."""
    low_high = {"interval": "rating", "share_interval": "share"}
    return {
        name: value
        for key, given in row.items()
        for name, value in (
            [(f"{low_high[key]}_low", given[0]), (f"{low_high[key]}_high", given[1])]
            if key in low_high
            else [(key, given)]
        )
    }


def csv_text(lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def standings(
    bots: Sequence[str],
    results: Iterable[GameResult],
    *,
    title: str,
    ruleset: str,
    missing: int | None = None,
    merit: Merit | None = None,
    retired: Sequence[str] = (),
    answer: str | None = None,
    damage: Sequence[str] = (),
) -> Standings:
    """The standings of these bots, ignoring results of others. Bots without games are last."""
    known = set(bots)
    counted = [each for each in results if known.issuperset(each.fixture[:2])]
    tally = ResultTally().add(counted)
    ratings = rate(bots, tally.games)
    table = payoffs(sorted(bots), tally.games, ratings)
    mix = mixture(table)
    shares = {entry.bot: entry for entry in mix}
    if merit is None:
        idle = tally.idle(bots)
        order = sorted(bots, key=lambda bot: (bot in idle, -ratings[bot].value, bot))
    else:
        order = list(merit.values)
    rows = [
        StandingsRow(
            place,
            bot,
            ratings[bot],
            tally.counts(bot),
            tally.behaviour.get(bot, Behaviour()),
            shares[bot],
            None if merit is None else merit.values[bot],
        )
        for place, bot in enumerate(order, start=1)
    ]
    return Standings(
        title=title,
        ruleset=ruleset,
        rows=rows,
        ratings=ratings,
        payoffs=table,
        mixture=mix,
        notes=[*damage_notes(damage), *notes(bots, tally, retired)],
        games=len(counted),
        missing=missing,
        merit=None if merit is None else merit.name,
        answer=answer,
    )


def damage_notes(damage: Sequence[str]) -> list[str]:
    """A note on the damaged lines of a log."""
    if not damage:
        return []
    if len(damage) == 1:
        lines = "A line of the log is damaged, and its game counts as not played"
    else:
        lines = f"{len(damage):,} lines of the log are damaged, and their games count as not played"
    return [f"{lines}: {damage[0]}. Delete the damaged lines to remove this note."]


def notes(bots: Sequence[str], tally: ResultTally, retired: Sequence[str]) -> list[str]:
    """Caveats about the table."""
    found = []
    if retired:
        found.append(f"No longer playing: {listed(retired)}.")
    idle = tally.idle(bots)
    if idle and tally.games:
        found.append(f"No games yet, so no rating: {listed(idle)}.")
    groups = tally.groups(bot for bot in bots if bot not in idle)
    if len(groups) > 1:
        shown = "; ".join(", ".join(group[:6]) for group in groups[:4])
        found.append(
            f"No games connect these groups, so their ratings cannot be compared: {shown}."
        )
    alike = tally.alike()
    for red, blue in alike[:MOST_NOTES]:
        found.append(
            f"All {tally.games[red, blue].games} games of {red} as red against {blue} had the same"
            " result and length: if they are identical, they count as one."
        )
    if len(alike) > MOST_NOTES:
        found.append(f"So did the games of {len(alike) - MOST_NOTES} more pairs of bots.")
    for bot in bots:
        trouble = tally.behaviour.get(bot, Behaviour()).last_trouble
        if trouble:
            found.append(f"{bot}, last trouble: {trouble}")
    return found


def listed(bots: Sequence[str]) -> str:
    more = f" and {len(bots) - MOST_LISTED} more" if len(bots) > MOST_LISTED else ""
    return ", ".join(bots[:MOST_LISTED]) + more
