"""Previews of links: the title, text and picture that messengers show for an address of the site.

They have nothing that a spectator could not see, so no choice that is not revealed.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request

from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE
from holmgang.live.exploring import parse_walk
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.web.api.pictures import question_of
from holmgang.web.parts import ServerParts
from holmgang.wire.match import MatchView

HOST = re.compile(r"[a-z0-9.-]+(?::\d{1,5})?|\[[0-9a-f:]+\](?::\d{1,5})?", re.IGNORECASE)
LONGEST = 200
TITLE = "Holmgang"
TEXT = "Two-player duels in which both sides choose in secret and reveal together."
LENGTHS = {None: "no time limit", 86400: "a day for each choice"}


class LinkPreview(NamedTuple):
    title: str
    text: str
    picture: str
    """The path of the picture."""


def default() -> LinkPreview:
    return LinkPreview(TITLE, TEXT, f"/api/games/{next(iter(CATALOGUE))}/preview.png")


async def preview_of(parts: ServerParts, request: Request) -> str:
    """The tags for the page that a request asks for."""
    try:
        found = await find_preview(parts, request)
    except (Refused, HolmgangError):
        found = default()
    return tags(found, origin(request))


async def find_preview(parts: ServerParts, request: Request) -> LinkPreview:
    kind, _, rest = request.url.path.lstrip("/").partition("/")
    argument = next(iter(request.path_params.values()), "")
    if kind == "match" and rest:
        return of_match(await parts.service.view(argument, Viewer(None)))
    if kind == "puzzles" and rest:
        question = await question_of(parts, argument)
        return LinkPreview(
            f"Puzzle: {question.title}", question.text, f"/api/puzzles/{argument}/preview.png"
        )
    if kind == "explore" and rest:
        return await of_position(parts, request, argument)
    if kind == "rules" and rest in CATALOGUE:
        entry = CATALOGUE[rest]
        return LinkPreview(
            f"{entry.title}: rules",
            f"{entry.line[:1].upper()}{entry.line[1:]}.",
            f"/api/games/{rest}/preview.png",
        )
    return default()


def of_match(view: MatchView) -> LinkPreview:
    """What a match is, for someone who is sent a link to it."""
    red, blue = (None if player is None else player.name for player in view.players.values())
    picture = f"/api/matches/{view.match}/preview.png"
    length = f"First to {view.wins_needed}" if view.wins_needed > 1 else "One game"
    time = LENGTHS.get(view.time.seconds, f"{view.time.seconds} seconds for each choice")
    if view.status == "open" and (red is None or blue is None):
        title = f"{red or blue or 'Someone'} challenges you to {view.title}"
        return LinkPreview(title, f"{length}, {time}. No account is needed.", picture)
    title = f"{red or 'Red'} – {blue or 'Blue'}, {view.title}"
    score = f"{view.score['red']} – {view.score['blue']}"
    if view.outcome is not None:
        return LinkPreview(title, view.outcome.sentence, picture)
    rounds = len(view.rounds)
    if rounds == 0:
        return LinkPreview(title, f"{score}, game {view.game} begins.", picture)
    count = "1 round" if rounds == 1 else f"{rounds} rounds"
    return LinkPreview(title, f"{score} after {count} of game {view.game}.", picture)


async def of_position(parts: ServerParts, request: Request, ruleset: str) -> LinkPreview:
    query = {
        name: value
        for name, value in request.query_params.items()
        if name in ("state", "line", "at") and len(value) <= 1000
    }
    if "line" in query:
        query["line"] = query["line"].replace(",", " ")  # as the client writes it
    at = query.get("at", "")
    parts.check("position", request)
    walk = await parts.service.slow_work.run(
        "position",
        lambda: parse_walk(
            ruleset,
            query.get("state"),
            query.get("line", ""),
            int(at) if at.isascii() and at.isdigit() and len(at) < 7 else None,
        ),
    )
    played = "at the start" if not walk.at else f"after round {walk.at}"
    return LinkPreview(
        f"A position of {walk.ruleset.entry.title}",
        f"The board {played}: what each choice is worth, and why.",
        f"/api/explore/preview.png?{urlencode({'ruleset': ruleset, **query})}",
    )


def origin(request: Request) -> str:
    """The address of the site as the browser knows it: its `Host`, with the scheme of the proxy.
    Empty if it is not a name.
    """
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if HOST.fullmatch(host) else ""


def tags(preview: LinkPreview, site: str) -> str:
    """The preview as tags of a page. Without an address there is no picture."""
    named: Mapping[str, str] = {
        "og:site_name": TITLE,
        "og:title": shortened(preview.title),
        "og:description": shortened(preview.text),
        **(
            {
                "og:image": site + preview.picture,
                "og:image:width": "1200",
                "og:image:height": "630",
                "twitter:card": "summary_large_image",
            }
            if site
            else {}
        ),
    }
    return "\n    ".join(
        f'<meta {"name" if name.startswith("twitter") else "property"}="{name}" '
        f'content="{escape(value)}" />'
        for name, value in named.items()
    )


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
