"""A record as one HTML file that steps through the duel: to keep, to send, to open anywhere.

The page needs nothing but itself. All that pictures have in common is stored once: `pieces` is a
list of SVG tags, and a frame is a list of their numbers. How the page looks is in
`replay_page.css`, how it moves in `replay_page.js`.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from holmgang.engine import record as records
from holmgang.engine.course import Course
from holmgang.engine.duel import Duel, Round
from holmgang.engine.frames import UNFINISHED, chance_text, names_of
from holmgang.engine.picture import result_caption
from holmgang.engine.record import Record
from holmgang.games.contract import NOBODY, SEATS, Scene, Transition
from holmgang.games.shape import printable
from holmgang.games.svg import labelled, page_style, text_of
from holmgang.version import VERSION

HERE = Path(__file__).parent
TAG = re.compile(r"<[^>]*>[^<]*")
ICONS = {
    "first": ("Start", "M5 4v12M15 4 9 10l6 6"),
    "back": ("Previous round", "M13 4 7 10l6 6"),
    "play": ("Play", "M6 4v12l10-6z"),
    "forward": ("Next round", "M7 4l6 6-6 6"),
    "last": ("Last round", "M15 4v12M5 4l6 6-6 6"),
}


def replay_page(record: Record) -> str:
    """The page. Raises `ReplayError` for a record whose duel does not happen as it says."""
    duel = records.replay(record)
    names = names_of(record)
    pieces, frames = share_tags(pictures(duel.course, names))
    title = f"{record.ruleset.entry.title}: {names['red']} against {names['blue']}"
    ending = duel.ending() if record.is_complete else UNFINISHED
    style, script = sources()
    first = "".join(pieces[each] for each in frames[0])
    body = (
        f"<header><h1>{text_of(record.ruleset.entry.title)}</h1>"
        f'<p class="players"><b class="red">{text_of(names["red"])}</b> against'
        f' <b class="blue">{text_of(names["blue"])}</b></p>'
        f'<p class="result">{text_of(ending)}</p></header>\n'
        f'<main><section class="stage"><div id="board">{first}</div>{controls(len(frames) - 1)}'
        '<div id="now" aria-live="polite"></div></section>\n'
        f'<section class="rounds"><h2>Rounds</h2><ol id="rounds" start="0">'
        f"{''.join(round_items(duel, ending))}</ol></section></main>\n"
        f"<footer>{footer(record)}</footer>\n"
    )
    return html_file(title, body, [pieces, frames], style, script)


def html_file(title: str, body: str, frames: Any, style: str, script: str) -> str:
    """A page that needs nothing but itself: `frames` is what its script steps through."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy_of(style, script)}">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{text_of(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}"
        f'<script type="application/json" id="frames">{script_json(frames)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def page_policy() -> str:
    """The content security policy of the page, which the page has itself; a server that sends
    another one with it must allow as much.
    """
    return policy_of(*sources())


def policy_of(style: str, script: str) -> str:
    """A content security policy that allows this style and this script, and nothing else."""
    allowed = (b64encode(sha256(each.encode()).digest()).decode() for each in (style, script))
    return (
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}';"
        " img-src data:; base-uri 'none'; form-action 'none'"
    ).format(*allowed)


@cache
def sources() -> tuple[str, str]:
    """Style and script, as they stand in every page."""
    style, script = ((HERE / f"replay_page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    return f"{page_style()}\n{style}", script


# Pictures


def pictures(course: Course, names: dict[str, str]) -> Iterator[str]:
    """The board at the start and after each round."""
    ruleset, steps = course.ruleset, course.steps
    both = names["red"], names["blue"]
    winner = None
    if course.outcome is not None:
        winner = SEATS.index(course.outcome.winner) if course.outcome.winner else NOBODY
    start = steps[0].before if steps else course.position
    for number in range(len(steps) + 1):
        last, state = None, start.state
        if number:
            step = steps[number - 1]
            last = Transition(step.before.state, step.red, step.blue, step.face)
            state = step.after.state
        scene, caption = Scene(last, has_style=False), f"Round {number}" if number else "Start"
        if number == len(steps) and winner is not None:
            scene, caption = scene._replace(winner=winner), result_caption(winner)
        yield labelled(ruleset.picture(state, scene), both, caption)


def share_tags(drawn: Iterator[str]) -> tuple[list[str], list[list[int]]]:
    """Every tag of these pictures once, with the text behind it; and the pictures as lists of their
    numbers.

    >>> share_tags(iter(["<g><p/></g>", "<g>5</g>"]))
    (['<g>', '<p/>', '</g>', '<g>5'], [[0, 1, 2], [3, 2]])
    """
    pieces: dict[str, int] = {}
    frames = [
        [pieces.setdefault(tag, len(pieces)) for tag in TAG.findall(picture)] for picture in drawn
    ]
    return list(pieces), frames


def script_json(value: Any) -> str:
    """JSON that may stand in a script element: it has no `<`."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


# Words


def controls(last: int) -> str:
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{said}" title="{said}">'
        f'<svg viewBox="0 0 20 20" aria-hidden="true"><path d="{drawn}"/></svg></button>'
        for name, (said, drawn) in ICONS.items()
    )
    return (
        f'<div class="controls" role="group" aria-label="Rounds">{buttons}'
        f'<input type="range" id="slider" min="0" max="{last}" value="0" aria-label="Round">'
        f'<output id="number">0 / {last}</output></div>'
    )


def round_items(duel: Duel, ending: str) -> Iterator[str]:
    yield '<li><a href="#0">Start</a></li>'
    for revealed in duel.rounds:
        told = [text_of(line) for line in revealed.story]
        if revealed is duel.rounds[-1]:
            told.append(f"<b>{text_of(ending)}</b>")
        lines = "".join(f"<p>{line}</p>" for line in told)
        yield (
            f'<li><a href="#{revealed.number}">Round {revealed.number}</a>'
            f'<p class="chosen">{choices_text(revealed)}</p>{lines}</li>'
        )


def choices_text(revealed: Round) -> str:
    made = [
        f'<span class="{seat}">{text_of(word.replace("_", " "))}</span>'
        for seat, word in (("red", revealed.red), ("blue", revealed.blue))
        if word is not None
    ]
    chance = chance_text(revealed)
    return " ".join(made) + (f" <small>{text_of(chance)}</small>" if chance else "")


def footer(record: Record) -> str:
    match = record.header.get("match")
    number = match.get("game") if isinstance(match, dict) else None
    started = record.header.get("started")
    facts = [
        f"Rules: <code>{escape(record.ruleset.text)}</code>",
        f"Game {number} of a match" if type(number) is int else "",
        f"Played on {text_of(printable(started[:10]))}" if isinstance(started, str) else "",
        f"Made by Holmgang {VERSION}",
    ]
    return " · ".join(filter(None, facts))
