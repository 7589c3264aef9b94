"""Figures and scenery that more than one game's `picture.py` draws: warriors, weapons, the holm.

Figures face right and have their feet at the origin; `svg.facing` places them and turns blue's
around. Every moving part has an id and the class `mv`, and the order of the parts never changes, so
that a page can animate them from one pose to the next.
"""

from typing import NamedTuple

from holmgang.games.contract import RED
from holmgang.games.svg import SEAT_COLOURS, drawn_once, facing, plain_colours

POLE = plain_colours(
    '<g id="pole"><path class="k s-wood" d="M0 0 3-74" stroke-width="9"/>'
    '<path class="k s-bark" d="M-1-22h5M1-46h5" stroke-width="3"/>'
    '<path class="f-leaf" d="M2-62q-8-16-22-12 4 14 22 12z"/></g>'
)
"""A hazel pole for `<defs>`."""

SMOOTH_HEART = (
    "M0 15C-4 10-17 3-17-6-17-12-12-16-8-16-4-16-1-13 0-10 1-13 4-16 8-16 12-16 17-12 17-6 17 3"
    " 4 10 0 15Z"
)
HEARTS = (SMOOTH_HEART, "M0 16-17-2V-10L-11-16H-6L0-10 6-16H11L17-10V-2Z")
"""Red's heart is smooth, blue's is faceted."""

ROPE = '<path class="k s-rope" d="{}" stroke-width="4" stroke-dasharray="9 5"/>'


def holm(far: int, near: int) -> tuple[str, str]:
    """The marked ground of the duel, behind the fighters and in front of them. These are the left
    ends of its far and its near edge.
    """
    middle = (far + near) // 2 + 3
    back = (
        f'<g id="holm-back"><path class="f-turf s-edge" d="M{far} 212H{720 - far}L{720 - near} 346'
        f'H{near}Z" stroke-width="2" stroke-linejoin="round"/>'
        + ROPE.format(f"M{far + 4} 166Q360 182 {716 - far} 166")
        + f'<use href="#pole" transform="translate({far + 2} 212) scale(.8)"/>'
        f'<use href="#pole" transform="translate({718 - far} 212) scale(-.8 .8)"/>'
        + ROPE.format(f"M{near + 6} 296Q{middle} 308 {far} 240")
        + ROPE.format(f"M{714 - near} 296Q{720 - middle} 308 {720 - far} 240")
        + "</g>"
    )
    front = (
        f'<g id="holm-front"><use href="#pole" transform="translate({near + 4} 350)"/>'
        f'<use href="#pole" transform="translate({716 - near} 350) scale(-1 1)"/></g>'
    )
    return back, front


class Pose(NamedTuple):
    """How a warrior stands: transforms of the sword arm, the body and the shield."""

    sword: str
    body: str
    shield: str
    has_fallen: bool = False
    is_armed: bool = True
    """Whether the sword is in the hand; otherwise it lies on the ground."""


READY = Pose("translate(8 -86) rotate(-76)", "rotate(0)", "translate(30 -62)")
RAISED = Pose("translate(8 -86) rotate(-84)", "rotate(0)", "translate(26 -58)")
GUARDING = Pose("translate(8 -86) rotate(-100)", "rotate(-2.4)", "translate(44 -70)")
STRIKING = Pose("translate(20 -86) rotate(24)", "rotate(6)", "translate(10 -50)")
CHEERING = Pose("translate(4 -92) rotate(-66)", "rotate(-3)", "translate(-30 -64) rotate(-8)")
LOWERED = Pose("translate(14 -80) rotate(36)", "rotate(-2.4)", "translate(40 -68)")
WEARY = Pose(
    "translate(20 -72) rotate(38)",
    "translate(-2 4) rotate(11)",
    "translate(-16 -34) rotate(-16)",
)
YIELDED = Pose(
    "translate(34 2) rotate(3)", "rotate(-4)", "translate(-46 -34) rotate(-16)", is_armed=False
)
FALLEN = Pose(
    "translate(6 8) rotate(176)",
    "translate(58 -8) rotate(-82)",
    "translate(84 -32) rotate(24)",
    has_fallen=True,
    is_armed=False,
)

BLADE = (
    '<path class="{}" d="M12-4H64L74 0 64 4H12Z" stroke-width="2"/>'
    '<path class="k s-mark" d="M10-11V11" stroke-width="6"/>'
    '<path class="k s-bark" d="M-6 0H8" stroke-width="6"/>'
)

ROUND, KITE = "M0-36A36 36 0 1 1-1-36Z", "M-30-38H30V4L0 46-30 4Z"
BROKEN_ROUND = "M8-35A36 36 0 1 1-22-29L-9-19-17-9-3-2-10 7 2 4 9-10 1-18Z"
BROKEN_KITE = "M-6-38H30V4L0 46-12 29-2 16-14 6-4-8-14-20Z"


@drawn_once
def warrior(
    seat: int,
    x: float,
    y: float,
    pose: Pose,
    *,
    has_golden_sword: bool = False,
    is_shield_broken: bool = False,
    weapon: str = "",
) -> str:
    """A fighter with sword and shield; `weapon` takes the sword's place."""
    colour = SEAT_COLOURS[seat]
    shadow = "M-96 2Q0-12 90 2 0 16-96 2Z" if pose.has_fallen else "M-52 2Q0-10 52 2 0 14-52 2Z"
    metal = "f-mark s-mark" if has_golden_sword else "f-pale s-steel"
    arm = (
        f'<path class="k s-{colour}" d="M-4 0H24" stroke-width="13"/>'
        '<circle class="f-skin" cx="28" r="8"/>'
        if pose.is_armed
        else ""
    )
    held = ' transform="translate(28 0)"' if pose.is_armed else ""
    return (
        f'<g id="{colour}-fighter" class="mv" transform="{facing(seat, x, y)}">'
        f'<path class="f-edge" d="{shadow}" opacity=".5"/>'
        f'<g id="{colour}-sword" class="mv" transform="{pose.sword}">{arm}'
        f"<g{held}>{weapon or BLADE.format(metal)}</g></g>"
        f'<g id="{colour}-body" class="mv" transform="{pose.body}">{body(seat)}</g>'
        f'<g id="{colour}-shield" class="mv" transform="{pose.shield}">'
        f"{shield(seat, is_broken=is_shield_broken)}</g></g>"
    )


def body(seat: int) -> str:
    """Legs, coat and head. Red has a domed helmet and round hem, blue a pointed helmet and hem."""
    coat = "L30-32Q0-20-30-32Z" if seat == RED else "L30-32L15-24 0-34-15-24-30-32Z"
    helmet = "M-22-122A22 23 0 0 1 22-122Z" if seat == RED else "M-22-122 0-164 22-122Z"
    return (
        '<path class="k s-bark" d="M-13-4V-36M13-4V-36" stroke-width="13"/>'
        '<path class="k s-bark" d="M-13-3h6M13-3h6" stroke-width="9"/>'
        f'<path class="f-{SEAT_COLOURS[seat]}" d="M-19-96Q0-108 19-96{coat}"/>'
        '<path class="k s-bark" d="M-25-56H25" stroke-width="7"/>'
        '<circle class="f-skin" cy="-118" r="19"/>'
        '<path class="f-rope" d="M-17-116Q-14-88 4-84 20-92 19-116 8-106-17-116Z"/>'
        f'<path class="f-steel" d="{helmet}"/>'
        '<path class="k s-steel" d="M-24-122H24M10-122V-108" stroke-width="6"/>'
        '<circle class="f-bark" cx="15" cy="-114" r="2.5"/>'
    )


def shield(seat: int, *, is_broken: bool) -> str:
    """Red's is round, blue's a kite; a broken one has lost a wedge and is cracked."""
    colour = SEAT_COLOURS[seat]
    if seat == RED:
        outline = BROKEN_ROUND if is_broken else ROUND
        field = "M0 36A36 36 0 0 1-36 0L0 0ZM36 0A36 36 0 0 0 8-35L1-18 4-8 0 0Z"
        field = field if is_broken else "M0 0V-36A36 36 0 0 1 36 0ZM0 0V36A36 36 0 0 1-36 0Z"
        crack = "M8 10 16 18 12 24 20 29"
    else:
        outline = BROKEN_KITE if is_broken else KITE
        field = "M2-38H30V4L2 43Z" if is_broken else "M0-38H30V4L0 46Z"
        crack = "M6-4 16-14 11-22 24-34"
    return (
        f'<path class="d f-{colour}-soft s-paper" d="{outline}" stroke-width="11"'
        ' stroke-linejoin="round"/>'
        f'<path class="d f-{colour}" d="{field}"/>'
        f'<path class="d k s-{colour}" d="{outline}" stroke-width="5"/>'
        '<circle class="f-steel" cx="1" r="10"/><circle class="f-pale" cx="1" r="4"/>'
        + (f'<path class="k s-paper" d="{crack}" stroke-width="4"/>' if is_broken else "")
    )


BURST = "M0-19 5-8 16-12 10-1 20 6 8 7 7 19-1 10-11 17-9 6-20 3-9-2-15-12-4-8Z"


def impact(seat: int, x: float, y: float) -> str:
    """A burst where the seat was hit."""
    return (
        f'<path class="f-mark s-paper" d="{BURST}" stroke-width="3" stroke-linejoin="round"'
        f' transform="translate({x:g} {y:g})" id="{SEAT_COLOURS[seat]}-hit"/>'
    )


SWORD_ICON = (
    '<g transform="rotate(-45)"><path class="f-pale s-steel" d="M-18-5H18L28 0 18 5H-18Z"'
    ' stroke-width="2"/><path class="k s-mark" d="M-18-13V13" stroke-width="7"/>'
    '<path class="k s-bark" d="M-31 0H-21" stroke-width="7"/></g>'
)
