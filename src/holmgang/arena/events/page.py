"""The standings as a web page: one file that needs nothing else, in light and dark.

Standings with the intervals drawn, the pay-off matrix as a heat map, the maximin mixture, and the
games with links to their records. How it looks is in `page.css`; `page.js` picks games of a pair.
"""

import shlex
from html import escape
from math import ceil
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from holmgang.arena.counting.ratings import Estimate
from holmgang.arena.counting.results import ResultEntry, Results
from holmgang.arena.counting.standings import Standings, StandingsRow
from holmgang.arena.counting.tally import Behaviour
from holmgang.version import VERSION

HERE = Path(__file__).parent
GAMES_OF_A_PAIR = 20
MOST_GAMES = 3000
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 10_000)  # between the marks of the scale
MOST_TICKS = 5
WIDEST = 600
"""Elo points beyond the others up to which an interval is drawn; some have no end worth seeing."""


def format_page(table: Standings, results: Results) -> str:
    """The whole page, which is to lie beside the log: its links to records start there."""
    title = f"{escape(table.title)} · {escape(table.ruleset)}"
    parts = [
        f"<h1>{escape(table.title)}</h1>",
        "" if table.answer is None else f'<p class="answer">{escape(table.answer)}</p>',
        facts(table),
        notes(table),
        "<h2>Standings</h2>",
        paragraph(
            "Ratings in Elo points around the mean of all, with 95 % intervals: two bots whose bars"
            " overlap widely may well be equal."
        ),
        standings_table(table),
        '<div class="beside"><section>',
        "<h2>Who beats whom</h2>",
        paragraph(
            "The score of the bot on the left against the one above, in percent of the points."
            " Choose a field to see the games."
        ),
        heat_map(table),
        '</section><section class="rest">',
        "<h2>The mix that no bot beats on average</h2>",
        paragraph(
            "A bot drawn at random by these shares scores at least half against anyone here. A bot"
            " without a share is no better than a mix of others, whatever its rating."
        ),
        mix_bar(table),
        "</section></div>",
        games_table(table, results),
        (
            f"<footer>Made by Holmgang {VERSION} from its log of results. See a game with"
            " <code>holmgang replay FILE</code>.</footer>"
        ),
    ]
    style, script = ((HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, parts))
        + f"\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def paragraph(text: str) -> str:
    return f"<p>{text}</p>"


def facts(table: Standings) -> str:
    seat = table.ratings.seat
    shown = [
        f"<b>{escape(table.ruleset)}</b>",
        f"<b>{table.games:,}</b> games",
        f"<b>{len(table.rows)}</b> bots",
        f"red's seat is worth <b>{signed(seat.value)}</b> ± {seat.margin:.0f}",
    ]
    if table.missing:
        shown.append(f"<b>{table.missing:,}</b> games to go")
    return '<ul class="facts">' + "".join(f"<li>{fact}</li>" for fact in shown) + "</ul>"


def notes(table: Standings) -> str:
    if not table.notes:
        return ""
    items = "".join(f"<li>{escape(note)}</li>" for note in table.notes)
    return f'<ul class="notes card">{items}</ul>'


# Standings


def signed(points: float) -> str:
    """A rating as people write it.

    >>> signed(8), signed(-92.4)
    ('+8', '−92')
    """
    return f"{points:+.0f}".replace("-", "−")


def standings_table(table: Standings) -> str:
    scale = scale_of(table)
    merit = "" if table.merit is None else f"<th>{escape(table.merit)}</th>"
    labels = "".join(
        f'<span style="left:{scale.at(tick):.2f}%">{signed(tick) if tick else 0}</span>'
        for tick in scale.ticks
    )
    head = (
        f'<th class="place"></th><th class="name">bot</th>{merit}<th>rating</th><th>±</th>'
        f'<th class="bar"><div class="ticks">{labels}</div></th>'
        "<th>score</th><th>won</th><th>drawn</th><th>lost</th><th></th>"
        '<th class="side">trouble</th>'
    )
    body = "".join(standings_row(row, scale) for row in table.rows)
    return card(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def card(content: str) -> str:
    return f'<div class="card">{content}</div>'


def standings_row(row: StandingsRow, scale: "Scale") -> str:
    counts = row.counts
    merit = "" if row.merit is None else f"<td>{row.merit:g}</td>"
    score = "–" if row.score is None else f"{100 * row.score:.1f} %"
    return (
        f'<tr><td class="place">{row.place}</td><td class="name">{escape(row.bot)}</td>{merit}'
        f"{rating_cells(row, scale)}<td>{score}</td>"
        f"<td>{counts.wins}</td><td>{counts.draws}</td><td>{counts.losses}</td>"
        f"<td>{record_bar(row)}</td>{trouble_cell(row.behaviour)}</tr>"
    )


def rating_cells(row: StandingsRow, scale: "Scale") -> str:
    if row.score is None:
        return '<td>–</td><td>–</td><td class="bar"></td>'
    return (
        f"<td><b>{signed(row.rating.value)}</b></td><td>{row.rating.margin:.0f}</td>"
        f'<td class="bar">{interval_bar(row.rating, scale)}</td>'
    )


class Scale(NamedTuple):
    """The ratings that are drawn, from left to right."""

    low: float
    high: float

    def at(self, elo: float) -> float:
        """Where a rating is, in percent of the width."""
        return 100 * (min(self.high, max(self.low, elo)) - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[int]:
        """A few round numbers on it."""
        step = next(step for step in STEPS if (self.high - self.low) / step <= MOST_TICKS)
        return list(range(step * ceil(self.low / step), int(self.high) + 1, step))


def scale_of(table: Standings) -> Scale:
    """One with all ratings on it, and their intervals as far as they are worth seeing."""
    rated = [row.rating for row in table.rows if row.score is not None]
    values = [rating.value for rating in rated] or [0.0]
    lows = [max(rating.low, min(values) - WIDEST) for rating in rated] or [0.0]
    highs = [min(rating.high, max(values) + WIDEST) for rating in rated] or [0.0]
    margin = max(10.0, (max(highs) - min(lows)) * 0.03)
    return Scale(min(lows) - margin, max(highs) + margin)


def interval_bar(rating: Estimate, scale: Scale) -> str:
    left, right = scale.at(rating.low), scale.at(rating.high)
    words = f"{signed(rating.low)} to {signed(rating.high)}"
    lines = "".join(f'<i style="left:{scale.at(tick):.2f}%"></i>' for tick in scale.ticks)
    return (
        f'<div class="scale" title="{words}">{lines}'
        f'<div class="range" style="left:{left:.2f}%;width:{right - left:.2f}%"></div>'
        f'<div class="point" style="left:{scale.at(rating.value):.2f}%"></div></div>'
    )


def record_bar(row: StandingsRow) -> str:
    won, drawn, lost = (100 * count / max(1, row.counts.games) for count in row.counts)
    return (
        f'<div class="record"><div class="w" style="width:{won:.2f}%"></div>'
        f'<div style="width:{drawn:.2f}%"></div>'
        f'<div class="l" style="width:{lost:.2f}%"></div></div>'
    )


def trouble_cell(behaviour: Behaviour) -> str:
    words = behaviour.troubles
    if not words:
        return '<td class="side none">none</td>'
    return f'<td class="side trouble" title="{escape(behaviour.last_trouble)}">{words}</td>'


# Who beats whom


def heat_map(table: Standings) -> str:
    bots = [row.bot for row in table.rows]
    head = "<th></th>" + "".join(f"<th><span>{escape(bot)}</span></th>" for bot in bots)
    body = "".join(
        f'<tr><th class="name">{escape(bot)}</th>'
        + "".join(heat_cell(table, bot, other) for other in bots)
        + "</tr>"
        for bot in bots
    )
    return (
        f'<div class="card"><table class="heat"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
        '<div class="legend">loses<span></span>wins</div>'
    )


def heat_cell(table: Standings, bot: str, other: str) -> str:
    score = table.payoffs.score(bot, other)
    if bot == other:
        return "<td></td>"
    if score is None:
        return '<td class="unmet" title="no games yet">·</td>'
    counts = table.payoffs.counts(bot, other)
    words = (
        f"{bot} against {other}: {counts.wins} won, {counts.draws} drawn, {counts.losses} lost;"
        f" {100 * score.low:.0f} to {100 * score.high:.0f} %"
    )
    much = 200 * abs(score.value - 0.5)
    kind = "w" if score.value >= 0.5 else "l"
    link = quote(couple(bot, other), safe="")
    return (
        f'<td><a class="{kind}" style="--much:{much:.0f}" href="#{link}" title="{escape(words)}">'
        f"{100 * score.value:.0f}</a></td>"
    )


def couple(bot: str, other: str) -> str:
    return "--".join(sorted((bot, other)))


# The mix


def mix_bar(table: Standings) -> str:
    if not table.games:
        return "<p>No games have been played yet.</p>"
    pieces = "".join(
        f'<div style="flex:{entry.share:.4f};--n:{min(place, 7)}" title="{escape(entry.bot)}">'
        f"{escape(entry.bot)} {100 * entry.share:.0f} %</div>"
        for place, entry in enumerate(table.support)
    )
    listed = "".join(
        f'<tr><td class="name">{escape(entry.bot)}</td><td><b>{100 * entry.share:.1f} %</b></td>'
        f"<td>{100 * entry.low:.0f} to {100 * entry.high:.0f} %</td></tr>"
        for entry in table.mixture
        if entry.high > 0.005
    )
    return (
        f'<div class="mix">{pieces}</div><div class="card"><table><thead><tr>'
        '<th class="name">bot</th><th>share</th>'
        '<th title="in 95 % of the matrices that fit the games">95 % interval</th>'
        f"</tr></thead><tbody>{listed}</tbody></table></div>"
    )


# Games


def games_table(table: Standings, results: Results) -> str:
    known = {row.bot for row in table.rows}
    seen: dict[str, int] = {}
    rows = []
    for entry in reversed(results.values()):
        fixture = entry.fixture
        pair = couple(fixture.red, fixture.blue)
        seen[pair] = seen.get(pair, 0) + 1
        if seen[pair] <= GAMES_OF_A_PAIR and known.issuperset(fixture[:2]):
            rows.append(game_row(entry, pair))
        if len(rows) == MOST_GAMES:
            break
    if not rows:
        return ""
    return (
        "<h2>Games</h2>"
        '<div class="chosen"><p id="said"></p><button id="all">show all</button></div>'
        '<div class="card"><table class="games"><thead><tr><th class="side">red</th>'
        '<th class="side">blue</th><th class="side">ended by</th><th>rounds</th><th>replay</th>'
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def game_row(entry: ResultEntry, pair: str) -> str:
    fixture = entry.fixture
    sides = "".join(
        f'<td class="side{" won" if entry.winner == seat else ""}">{escape(bot)}'
        f"{trouble(conduct.status, conduct.detail)}</td>"
        for seat, bot, conduct in (
            ("red", fixture.red, entry.red),
            ("blue", fixture.blue, entry.blue),
        )
    )
    reason = escape(entry.reason) + (" (draw)" if entry.winner is None else "")
    link = "–"
    if entry.record is not None:
        command = f"holmgang replay {shlex.quote(entry.record)}"
        link = (
            f'<a href="{escape(quote(entry.record))}" title="{escape(command)}">'
            f"game {fixture.number}</a>"
        )
    return (
        f'<tr data-couple="{escape(pair)}">{sides}<td class="side">{reason}</td>'
        f"<td>{entry.rounds}</td><td>{link}</td></tr>"
    )


def trouble(status: str, detail: str) -> str:
    if status == "ok":
        return ""
    return f' <span class="trouble" title="{escape(detail)}">{escape(status)}</span>'
