"""The standings as a web page: one file that needs nothing else, in light and dark.

Standings with the intervals drawn, the pay-off matrix as a heat map, the maximin mixture, and the
games with links to their records. How it looks is in `page.css`; `page.js` picks games of a pair.
"""

import os
from html import escape
from pathlib import Path
from urllib.parse import quote

from holmgang.arena.ratings import Estimate
from holmgang.arena.results import Entry, Results
from holmgang.arena.standings import Row, Standings
from holmgang.version import VERSION

HERE = Path(__file__).parent
GAMES_OF_A_PAIR = 20
MOST_GAMES = 3000
WIDEST = 600
"""Elo points beyond the others up to which an interval is drawn; some have no end worth seeing."""


def format_page(table: Standings, results: Results, folder: Path) -> str:
    """The whole page. Links to records are relative to the folder."""
    title = f"{escape(table.title)} · {escape(table.ruleset)}"
    parts = [
        f"<h1>{escape(table.title)}</h1>",
        facts(table),
        notes(table),
        "<h2>Standings</h2>",
        "<p>Ratings in Elo points around the mean of all, with 95 % intervals: two bots whose bars"
        " overlap widely may well be equal.</p>",
        standings_table(table),
        "<h2>Who beats whom</h2>",
        "<p>The score of the bot on the left against the one above, in percent of the points."
        " Choose a field to see the games.</p>",
        heat_map(table),
        "<h2>The mix that nobody beats</h2>",
        "<p>Bots drawn by these shares score half at least against anyone here. Who has no share"
        " is no better than a mix of the others, whatever its rating.</p>",
        mix_bar(table),
        games_table(table, results, folder),
        f"<footer>Made by Holmgang {VERSION} from its log of results. See a game with"
        " <code>holmgang replay FILE</code>.</footer>",
    ]
    style, script = ((HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, parts))
        + f"\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def facts(table: Standings) -> str:
    seat = table.ratings.seat
    shown = [
        f"<b>{escape(table.ruleset)}</b>",
        f"<b>{table.games:,}</b> games",
        f"<b>{len(table.rows)}</b> bots",
        f"red's seat is worth <b>{seat.value:+.0f}</b> ± {seat.margin:.0f}",
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


def standings_table(table: Standings) -> str:
    low, high = span(table)
    merit = "" if table.merit is None else f"<th>{escape(table.merit)}</th>"
    head = (
        f'<th class="place"></th><th class="name">bot</th>{merit}<th>rating</th><th>±</th>'
        "<th></th><th>score</th><th>won</th><th>drawn</th><th>lost</th><th></th>"
        '<th title="lost by answering too late">late</th><th>invalid</th><th>crash</th>'
        "<th>gave up</th>"
    )
    body = "".join(standings_row(row, low, high) for row in table.rows)
    return f'<div class="card"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def standings_row(row: Row, low: float, high: float) -> str:
    counts, behaviour = row.counts, row.behaviour
    merit = "" if row.merit is None else f"<td>{row.merit:g}</td>"
    score = "–" if row.score is None else f"{100 * row.score:.1f} %"
    troubles = (behaviour.timeouts, behaviour.invalid, behaviour.crashes, behaviour.forfeits)
    return (
        f'<tr><td class="place">{row.place}</td><td class="name">{escape(row.bot)}</td>{merit}'
        f"<td><b>{row.rating.value:+.0f}</b></td><td>{row.rating.margin:.0f}</td>"
        f'<td class="bar">{interval_bar(row.rating, low, high)}</td><td>{score}</td>'
        f"<td>{counts.wins}</td><td>{counts.draws}</td><td>{counts.losses}</td>"
        f"<td>{record_bar(row)}</td>" + "".join(map(trouble_cell, troubles)) + "</tr>"
    )


def span(table: Standings) -> tuple[float, float]:
    """The ratings that are drawn: all of them, and their intervals as far as they are sensible."""
    values = [row.rating.value for row in table.rows] or [0.0]
    lows = [max(row.rating.low, min(values) - WIDEST) for row in table.rows] or [0.0]
    highs = [min(row.rating.high, max(values) + WIDEST) for row in table.rows] or [0.0]
    margin = max(10.0, (max(highs) - min(lows)) * 0.03)
    return min(lows) - margin, max(highs) + margin


def interval_bar(rating: Estimate, low: float, high: float) -> str:
    def at(elo: float) -> float:
        return 100 * (min(high, max(low, elo)) - low) / (high - low)

    left, right = at(rating.low), at(rating.high)
    words = f"{rating.low:+.0f} to {rating.high:+.0f}"
    return (
        f'<div class="scale" title="{words}"><i style="left:{at(0):.2f}%"></i>'
        f'<div class="range" style="left:{left:.2f}%;width:{right - left:.2f}%"></div>'
        f'<div class="point" style="left:{at(rating.value):.2f}%"></div></div>'
    )


def record_bar(row: Row) -> str:
    games = max(1, row.counts.games)
    won, drawn = 100 * row.counts.wins / games, 100 * row.counts.draws / games
    lost = 100 * row.counts.losses / games
    return (
        f'<div class="record"><div class="w" style="width:{won:.2f}%"></div>'
        f'<div style="width:{drawn:.2f}%"></div>'
        f'<div class="l" style="width:{lost:.2f}%"></div></div>'
    )


def trouble_cell(count: int) -> str:
    return f'<td class="trouble">{count}</td>' if count else '<td class="none">0</td>'


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
        return '<td class="unmet" title="they have not met">·</td>'
    counts = table.payoffs.counts(bot, other)
    words = (
        f"{bot} against {other}: {counts.wins} won, {counts.draws} drawn, {counts.losses} lost;"
        f" {100 * score.low:.0f} to {100 * score.high:.0f} %"
    )
    much = 200 * abs(score.value - 0.5)
    kind = ("w" if score.value >= 0.5 else "l") + (" strong" if much > 60 else "")
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
        return "<p>Nobody has played yet.</p>"
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
        f'<div class="mix">{pieces}</div><div class="card"><table style="width:auto"><thead><tr>'
        '<th class="name">bot</th><th>share</th>'
        '<th title="in 95 % of the matrices that fit the games">given the luck in the games</th>'
        f"</tr></thead><tbody>{listed}</tbody></table></div>"
    )


# Games


def games_table(table: Standings, results: Results, folder: Path) -> str:
    known = {row.bot for row in table.rows}
    seen: dict[str, int] = {}
    rows = []
    for entry in reversed(results.values()):
        fixture = entry.fixture
        pair = couple(fixture.red, fixture.blue)
        seen[pair] = seen.get(pair, 0) + 1
        if seen[pair] <= GAMES_OF_A_PAIR and known.issuperset(fixture[:2]):
            rows.append(game_row(entry, pair, folder))
        if len(rows) == MOST_GAMES:
            break
    if not rows:
        return ""
    return (
        '<h2>Games</h2><div class="chosen"><p id="said"></p><button id="all">show all</button></div>'
        '<div class="card"><table class="games"><thead><tr><th class="side">red</th>'
        '<th class="side">blue</th><th class="side">ended by</th><th>rounds</th><th>replay</th>'
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def game_row(entry: Entry, pair: str, folder: Path) -> str:
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
        address = quote(os.path.relpath(Path(entry.record).resolve(), folder.resolve()))
        link = f'<a href="{escape(address)}">game {fixture.number + 1}</a>'
    return (
        f'<tr data-couple="{escape(pair)}">{sides}<td class="side">{reason}</td>'
        f"<td>{entry.rounds}</td><td>{link}</td></tr>"
    )


def trouble(status: str, detail: str) -> str:
    if status == "ok":
        return ""
    return f' <span class="trouble" title="{escape(detail)}">{escape(status)}</span>'
