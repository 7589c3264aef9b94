"""Building blocks of every game's `picture.py`: palette, text, badges, cards, bars and pips.

A picture is SVG text, 720 by 480 units. On the narrowest phone a unit is half a pixel, so no text
is smaller than 22. Red sits on the left and is round, blue sits on the right and is angular, so
that nobody needs the colours to tell them apart. Element ids are stable: when a page replaces one
picture with the next, CSS transitions animate the changes.

A picture depends on the state, the last round and the winner only, so that matches can share it:
the seats are called Red and Blue, and both cards for the next choice lie face down, hidden. A page
names the players itself and shows the card of a seat that has chosen with the class `red-chosen` or
`blue-chosen` on the `<svg>`, and takes a seat's last card away with `red-away` or `blue-away`;
`labelled` writes names and a caption into a picture on its own.

Colours are CSS variables with defaults. A page may set `--red`, `--paper` and the others. The
classes `light` and `dark` select a theme; without one the picture follows the reader's device.
`flatten` replaces the variables with the colours of one theme, for rasterisers that do not support
them.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Any

from holmgang.games.contract import BLUE, NOBODY, RED, SEAT_NAMES, Scene

WIDTH, HEIGHT = 720, 480
SEAT_COLOURS = ("red", "blue")
LONGEST_NAME = 12

PALETTE = {
    "paper": ("#fbfaf7", "#14171a"),
    "card": ("#ffffff", "#1b1f23"),
    "ink": ("#1c2226", "#e6e8ea"),
    "soft": ("#5d676f", "#98a2ab"),
    "line": ("#e4e1d9", "#2c3238"),
    "even": ("#f1efe9", "#262b31"),
    "edge": ("#b8b09d", "#59626b"),
    "win": ("#1f7a8c", "#3fb0c6"),
    "loss": ("#b3431f", "#f0906c"),
    "mark": ("#b8860b", "#e0b13c"),
    "red": ("#b8392f", "#ee7f73"),
    "blue": ("#2a5caa", "#7fb0f4"),
    "red-soft": ("#f6e1dc", "#3d2523"),
    "blue-soft": ("#dfe8f5", "#1f2f45"),
    "wood": ("#9a7648", "#a98556"),
    "bark": ("#6d5232", "#7c6140"),
    "rope": ("#bda77c", "#8f7f5f"),
    "leaf": ("#7d9a57", "#86a562"),
    "turf": ("#ebe9d8", "#23291f"),
    "steel": ("#8d979f", "#a9b4bd"),
    "pale": ("#dfe3e5", "#717c85"),
    "skin": ("#ecd0ac", "#d3b48d"),
    "magic": ("#6b4fa3", "#b9a0ec"),
    "fire": ("#b8500f", "#f0954d"),
}
"""Colours by role: light theme, dark theme. Text uses ink, soft, win and loss only; the others
have too little contrast for it."""

FONTS = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans','Liberation Sans',"
    "Helvetica,Arial,sans-serif"
)
"""Browsers take the first; rasterisers need one that is installed."""

STYLE = (
    f".board{{font-family:{FONTS};"
    "font-size:24px;font-weight:600;font-variant-numeric:tabular-nums}"
    ".board text{fill:var(--c-ink)}"
    ".board .m{text-anchor:middle}.board .e{text-anchor:end}"
    ".board .w{font-size:22px;font-weight:500}.board .b{font-weight:600}"
    ".board .n{font-size:30px;font-weight:700}.board .N{font-size:46px;font-weight:700}"
    ".board .k{fill:none;stroke-linecap:round;stroke-linejoin:round}"
    ".board .h{fill:none;stroke-width:1.5px;vector-effect:non-scaling-stroke}"
    ".board .off{opacity:0}.board .p{stroke-width:2.5}.board .arc{stroke-width:11}"
    ".board .rim{stroke-width:7}"
    ".board.red-chosen .red-back,.board.blue-chosen .blue-back{opacity:1}"
    ".board:is(.red-chosen,.red-away) .red-front,"
    ".board:is(.blue-chosen,.blue-away) .blue-front{opacity:0}"
)
MOTION = (
    ".board .p{transition:fill .2s,stroke .2s,opacity .2s,stroke-dasharray .3s}"
    ".board .d{transition:d .3s}.board .mv{transition:transform .32s ease-out,opacity .2s}"
    ".board .bar{transition:width .3s,x .3s}"
    "@media(prefers-reduced-motion:reduce){.board *{transition:none!important}}"
)


PLAIN = Scene()

drawn_once = lru_cache(maxsize=1024, typed=True)
"""Caches parts that many pictures have in common: a row of pips, a figure in a pose. A server draws
hundreds of pictures a second, and most parts of each have been drawn before."""


# The whole picture


def picture(
    name: str, scene: Scene, *, title: str, description: str, defs: str, parts: Iterable[str]
) -> str:
    """The SVG text of a board. `title` and `description` describe it in words."""
    body = "".join(parts)
    ids = f"{name}-title", f"{name}-desc"
    drawn = (
        f'<title id="{ids[0]}">{text_of(title)}</title>'
        f'<desc id="{ids[1]}">{text_of(description)}</desc>'
        f"<defs>{defs}</defs>"
        f'<rect class="f-paper" width="{WIDTH}" height="{HEIGHT}"/>{body}'
    )
    if scene.prefix:
        drawn = re.sub(r'(\bid="|href="#)', rf"\g<1>{scene.prefix}", drawn)
    labelled = " ".join(scene.prefix + each for each in ids)
    kinds = " ".join(filter(None, ("board", name, scene.theme)))
    style = f"<style>{style_of(drawn)}</style>" if scene.has_style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kinds}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-labelledby="{labelled}">{style}{drawn}</svg>'
    )


LABELS = re.compile(r'(<(?:title|text) id="[^"]*?(title|red-name|blue-name|caption)"[^>]*>)([^<]*)')


def labelled(svg: str, names: tuple[str, str] = SEAT_NAMES, caption: str = "") -> str:
    """The picture with the names of the players and a caption (the round, or how the duel ended) in
    its header and its title.
    """
    longest = min(LONGEST_NAME, max(map(len, names)))
    room = (WIDTH - 2 * (56 + 16 * longest)) / 12.5  # in the widest common font, DejaVu Sans
    said = {
        "red-name": shortened(names[RED], LONGEST_NAME),
        "blue-name": shortened(names[BLUE], LONGEST_NAME),
        "caption": shortened(caption, int(room)),
        "title": f", {caption}" * bool(caption)
        + f": {names[RED]} (red) against {names[BLUE]} (blue)" * (names != SEAT_NAMES),
    }

    def fill(found: re.Match[str]) -> str:
        kept = found[3] if found[2] == "title" else ""
        return found[1] + kept + text_of(said[found[2]])

    return LABELS.sub(fill, svg, count=len(said))


def without_style(svg: str) -> str:
    """The picture without its own style sheet, for a page that has `page_style`. It is faster to
    draw the picture without one, with `Scene(has_style=False)`.
    """
    return re.sub(r"<style>.*?</style>", "", svg, count=1, flags=re.DOTALL)


def page_style() -> str:
    """One style sheet for all pictures of a page, in all colours: for pages whose security policy
    does not allow styles in single elements.
    """
    return style_sheet(frozenset(f"{kind}-{each}" for kind in "fs" for each in PALETTE))


CLASSES = re.compile(r'class="([^"]*)"|var\(--c-([a-z-]+)')


def style_of(drawn: str) -> str:
    """The style sheet with only the colours that are used."""
    found = set(CLASSES.findall(drawn))
    used = {kind for kinds, _ in found for kind in kinds.split() if kind[1:2] == "-"}
    return style_sheet(frozenset(used | {f"--c-{name}" for _, name in found}))


@lru_cache(maxsize=256)
def style_sheet(used: frozenset[str]) -> str:
    """The style sheet for these classes (`f-red`, `s-edge`) and variables (`--c-wood`)."""
    names = {each.removeprefix("--c-") for each in used} | {each[2:] for each in used}
    colours = [each for each in PALETTE if each in names | {"ink", "paper"}]
    light, dark = (
        "".join(f"--c-{each}:var(--{each},{PALETTE[each][theme]});" for each in colours)
        for theme in (0, 1)
    )
    fills = "".join(
        f".board .{kind[0]}-{each}{{{kind}:var(--c-{each})}}"
        for kind in ("fill", "stroke")
        for each in colours
        if f"{kind[0]}-{each}" in used
    )
    return (
        f".board{{{light}}}"
        f"@media(prefers-color-scheme:dark){{.board:not(.light){{{dark}}}}}"
        f".board.dark{{{dark}}}{STYLE}{fills}{MOTION}"
    )


def flatten(svg: str, theme: str = "light") -> str:
    """The picture with the colours of one theme in place of variables, and without motion."""
    column = ("light", "dark").index(theme)
    fills = "".join(
        f".board .{kind[0]}-{each}{{{kind}:{PALETTE[each][column]}}}"
        for kind in ("fill", "stroke")
        for each in PALETTE
    )
    flat = without_style(svg).replace(">", f"><style>{STYLE}{fills}</style>", 1)
    return re.sub(r"var\(--c-([a-z-]+)\)", lambda found: PALETTE[found[1]][column], flat)


def plain_colours(drawn: str) -> str:
    """The drawing with attributes instead of classes, for `<defs>`: class selectors do not apply to
    what `<use>` shows.
    """
    return re.sub(r'class="([^"]*)"', lambda found: colour_attributes(found[1]), drawn)


def colour_attributes(kinds: str) -> str:
    found = []
    for kind in kinds.split():
        if kind == "k":
            found.append('fill="none" stroke-linecap="round"')
        elif kind[:2] in ("f-", "s-"):
            found.append(f'{"fill" if kind[0] == "f" else "stroke"}="var(--c-{kind[2:]})"')
    return " ".join(found)


def text_of(text: str) -> str:
    """Text for SVG: escaped, without control characters or bidirectional controls."""
    if not text.isprintable():
        text = "".join(each for each in text if each.isprintable())
    return escape(text)


# Text


@drawn_once
def text(
    x: float,
    y: float,
    said: object,
    kinds: str = "",
    *,
    id: str = "",  # noqa: A002
    width: int = 0,
) -> str:
    """Text, squeezed or stretched to a width if one is given."""
    attributes = f' id="{id}"' * bool(id) + f' class="{kinds}"' * bool(kinds)
    attributes += f' textLength="{width}" lengthAdjust="spacingAndGlyphs"' * bool(width)
    return f'<text{attributes} x="{x:g}" y="{y:g}">{text_of(str(said))}</text>'


def signed(change: int) -> str:
    """A change as people write it.

    >>> signed(2), signed(-1)
    ('+2', '−1')
    """
    return f"+{change}" if change > 0 else f"−{-change}"


def shortened(said: str, most: int) -> str:
    return said if len(said) <= most else said[: most - 1].rstrip() + "…"


def label_width(said: str, *, is_bold: bool = False) -> float:
    """An upper bound of the width of words at 22 units, in the widest common font (DejaVu Sans)."""
    return (15.0 if is_bold else 13.0) * len(said)


# Left and right


def across(seat: int, distance: float) -> float:
    """The x coordinate in a seat's own half at this distance from the middle."""
    return WIDTH / 2 + (distance if seat == BLUE else -distance)


def outward(seat: int) -> str:
    """The class of text that begins at the middle and runs outwards."""
    return "e" if seat == RED else ""


def facing(seat: int, x: float, y: float) -> str:
    """The transform of a figure drawn facing right: blue's is turned to face left."""
    return f"translate({x:g} {y:g})" + (" scale(-1 1)" if seat == BLUE else "")


# Pieces


@drawn_once
def header(winner: int) -> str:
    """Both badges, the winner's with a wreath; both names, and the place of a caption."""
    parts = []
    for seat, colour in enumerate(SEAT_COLOURS):
        side = outward(1 - seat)
        name = text(across(seat, 304), 37, SEAT_NAMES[seat], side, id=f"{colour}-name")
        parts.append(f'<g id="{colour}-badge">{badge(seat, seat == winner)}</g>{name}')
    return "".join(parts) + text(360, 37, "", "m w", id="caption")


def badge(seat: int, is_winner: bool) -> str:
    x, y = across(seat, 330), 28
    size = 10 if is_winner else 15
    wreath = (
        f'<circle class="k s-leaf" cx="{x:g}" cy="{y}" r="19" stroke-width="5"'
        ' stroke-dasharray="8 4"/>'
    )
    return wreath * is_winner + emblem(seat, x, y, size)


def emblem(seat: int, x: float, y: float, size: float) -> str:
    """The sign of a seat: a ring for red, a diamond for blue."""
    if seat == RED:
        return (
            f'<circle class="f-red" cx="{x:g}" cy="{y:g}" r="{size:g}"/>'
            f'<circle class="f-paper" cx="{x:g}" cy="{y:g}" r="{size * 0.4:g}"/>'
        )
    return diamond("f-blue", x, y, size * 1.2) + diamond("f-paper", x, y, size * 0.5)


def diamond(kinds: str, x: float, y: float, size: float) -> str:
    return (
        f'<path class="{kinds}" d="M{x:g} {y - size:g}l{size:g} {size:g}-{size:g} {size:g}'
        f'-{size:g}-{size:g}z"/>'
    )


@drawn_once
def panel(seat: int, kinds: str, x: float, y: float, width: float, height: float) -> str:
    """A card in the shape of a seat: round corners for red, cut ones for blue."""
    if seat == RED:
        return (
            f'<rect class="{kinds}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            ' rx="14" stroke-width="2"/>'
        )
    cut = 13
    return (
        f'<path class="{kinds}" d="M{x + cut:g} {y:g}h{width - 2 * cut:g}l{cut} {cut}'
        f"v{height - 2 * cut:g}l-{cut} {cut}h-{width - 2 * cut:g}l-{cut}-{cut}"
        f'v-{height - 2 * cut:g}z" stroke-width="2"/>'
    )


HIDDEN_MARK = plain_colours(
    '<g id="hidden-mark"><path class="k s-wood" d="M-15-15H15V15H-15Z" stroke-width="3"/>'
    + "".join(
        f'<circle class="f-bark" cx="{x}" cy="{y}" r="5"/>' for x in (-15, 15) for y in (-15, 15)
    )
    + "</g>"
)
"""The holmgang's square with its four hazel poles, for `<defs>`: the mark on the back of a card."""


@drawn_once
def card_back(
    seat: int, x: float, y: float, card: str = "", *, name: str = "", size: float = 1
) -> str:
    """The back of a card: `card` with the mark at this place. It is hidden until the class of the
    picture says that the seat has chosen; elements with the class `red-front` or `blue-front` are
    hidden from then on.
    """
    colour = SEAT_COLOURS[seat]
    scale = f" scale({size:g})" if size != 1 else ""
    return (
        f'<g id="{colour}-{name}back" class="mv off {colour}-back">{card}'
        f'<use href="#hidden-mark" transform="translate({x:g} {y:g}){scale}"/></g>'
    )


@drawn_once
def bar(
    seat: int,
    name: str,
    x: float,
    y: float,
    width: float,
    value: int,
    most: int,
    *,
    step: int = 5,
    height: int = 20,
    burning: int = 0,
) -> str:
    """A gauge that fills from the middle outwards, with a tick every `step`, unless there are too
    many; its near end is at x. At 0 or below it is empty, above `most` full. The outermost
    `burning` points are on fire.
    """
    unit = width / max(1, most)
    left = x - width if seat == RED else x
    filled = width * max(0, min(value, most)) / max(1, most)
    start = x - filled if seat == RED else x
    round_ends = 'rx="10"' if seat == RED else 'rx="1"'
    ticks = "".join(
        f"M{x + (unit if seat == BLUE else -unit) * tick:g} {y:g}v{height}"
        for tick in range(step, most if unit * step > 1 else 0, step)
    )
    colour = SEAT_COLOURS[seat]
    fire = min(filled, unit * burning)
    burnt = (
        f'<rect id="{colour}-{name}-burning" class="bar f-fire s-paper" stroke-width="2"'
        f' x="{start if seat == RED else x + filled - fire:g}" y="{y:g}" width="{fire:g}"'
        f' height="{height}" {round_ends}/>'
    )
    return (
        f'<rect class="f-even s-edge" x="{left:g}" y="{y:g}" width="{width:g}" height="{height}"'
        f' {round_ends} stroke-width="2"/>'
        f'<rect id="{colour}-{name}-bar" class="bar f-{colour}" x="{start:g}" y="{y:g}"'
        f' width="{filled:g}" height="{height}" {round_ends}/>'
        + (burnt if burning else "")
        + (f'<path class="k s-paper" d="{ticks}" stroke-width="1.5"/>' if ticks else "")
    )


@drawn_once
def pip(shape: str, id: str, x: float, y: float, kinds: str) -> str:  # noqa: A002 - SVG's word
    return f'<use href="#{shape}" class="p {kinds}" id="{id}" x="{x:g}" y="{y:g}"/>'


@drawn_once
def pips(
    seat: int, shape: str, name: str, row: range, y: float, value: int, full: str, empty: str
) -> str:
    """A pip at each distance from the middle in the row; the first `value` of them are full."""
    colour = SEAT_COLOURS[seat]
    return "".join(
        pip(shape, f"{colour}-{name}-{n + 1}", across(seat, x), y, full if n < value else empty)
        for n, x in enumerate(row)
    )


def row_line(y: float) -> str:
    return f'<path class="h s-line" d="M24 {y:g}H696"/>'


def winner_of(scene: Scene, ruled: Any) -> int:
    """The winner that the scene names, otherwise the winner by the rules."""
    if scene.winner is not None:
        return scene.winner
    return ruled.winner if ruled.reason else NOBODY


TOP, BOTTOM = 50, 350
SMALL_BOX = f"0 {TOP} {WIDTH} {BOTTOM - TOP}"
"""The part of a board that a small picture shows: without names and the lowest rows."""
_DESCENT, _ASCENT = 10, 30  # of text, from its base line
_ELEMENT = re.compile(
    r"<(?:(?P<opened>g|defs)(?P<how>[^>]*)>|(?P<closed>/)(?:g|defs)>"
    r'|(?P<kind>text|rect|use)\b[^>]*? y="(?P<y>[-\d.]+)"[^>]*?(?:/>|>.*?</(?P=kind)>))'
)
_SAID = re.compile(r"<(title|desc)\b[^>]*>.*?</\1>", re.DOTALL)
_LABELS = re.compile(r' (?:role|aria-labelledby)="[^"]*"')
_USED = re.compile(r'href="#([^"]+)"|url\(#([^)]+)\)')


def lean(picture: str) -> str:
    """The picture next to a text that describes it: without title, description and names, and with
    only the ids that are referred to.
    """
    used = {name for names in _USED.findall(picture) for name in names}
    lean = _LABELS.sub("", _SAID.sub("", picture))
    return re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", lean)


def small(picture: str, theme: str = "") -> str:
    """The middle of the picture, as a small board next to a text that describes it. `theme` is
    `light`, `dark`, or empty for the theme of the device.
    """
    middle = cropped(lean(picture))
    middle = re.sub(r'viewBox="[^"]*"', f'viewBox="{SMALL_BOX}"', middle, count=1)
    return re.sub(r'class="board', f'class="{theme} board', middle, count=1) if theme else middle


def cropped(picture: str) -> str:
    """The picture without what lies outside a small board. Groups that are moved are kept, since
    their coordinates are relative.
    """
    kept: list[str] = []
    done = 0
    groups: list[bool] = []  # whether each open group is moved, or only defines something
    for found in _ELEMENT.finditer(picture):
        if found["opened"]:
            groups.append(found["opened"] == "defs" or "transform=" in found["how"])
        elif found["closed"]:
            groups.pop()
        elif not any(groups) and is_outside(found["kind"], float(found["y"])):
            kept.append(picture[done : found.start()])
            done = found.end()
    return "".join(kept) + picture[done:]


def is_outside(kind: str, y: float) -> bool:
    if kind == "text":
        return y + _DESCENT <= TOP or y - _ASCENT >= BOTTOM
    return (kind == "rect" and y >= BOTTOM) or (kind == "use" and y - _ASCENT >= BOTTOM)
