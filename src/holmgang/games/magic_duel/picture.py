"""MagicDuel as a picture: two mages with their minions between them, magic, burn and shield."""

from typing import NamedTuple

from holmgang.games.contract import SEAT_NAMES, Scene, Transition
from holmgang.games.figures import HEARTS, POLE, SWORD_ICON, holm, impact
from holmgang.games.magic_duel.rules import (
    BLUE,
    BUBBLE,
    HEAL,
    NORMAL,
    PIERCE,
    RED,
    TARGETS,
    Kind,
    Mage,
    Minion,
    Phase,
    Rules,
    State,
    outcome,
)
from holmgang.games.magic_duel.story import is_attack, label, target_of
from holmgang.games.svg import (
    PLAIN,
    SEAT_COLOURS,
    across,
    bar,
    diamond,
    drawn_once,
    facing,
    header,
    label_width,
    outward,
    panel,
    picture,
    pips,
    plain_colours,
    row_line,
    signed,
    text,
    winner_of,
)

MOST_PIPS = 7
SLOT_WIDTH, SLOT_HEIGHT, SLOT_TOP = 92, 176, 144
STAFF_AT, OVER_CARDS = (191, 188), 138
FUSE, FUSE_LENGTH = "M0-29A29 29 0 1 1-.1-29", 182.2

RAYS = (
    '<path class="k s-mark" d="M0-116V-128M20-108 29-117M-20-108-29-117M28-88H40M-28-88H-40"'
    ' stroke-width="4"/>'
)
STAR = "M0-14 4-4 14 0 4 4 0 14-4 4-14 0-4-4Z"
FLAME = "M0 13C-12 9-12-3-4-10-4-3 1-3 1-14 12-3 13 9 0 13Z"
DEFS = POLE + plain_colours(
    f'<path id="heart-red" transform="scale(.76)" d="{HEARTS[RED]}"/>'
    f'<path id="heart-blue" transform="scale(.76)" d="{HEARTS[BLUE]}"/>'
    f'<path id="star" d="{STAR}"/><path id="flame" d="{FLAME}"/>'
    '<path id="ward" d="M-10-12H10V1L0 13-10 1Z"/>'
    '<g id="bubble"><circle class="f-even s-magic" r="21" stroke-width="2"/>'
    '<path class="k s-magic" d="M-13-6Q-10-14-2-15" stroke-width="3"/>'
    '<circle class="f-magic" cx="6" cy="5" r="4"/>'
    '<circle class="f-magic" cx="-4" cy="9" r="2.5"/></g>'
    '<g id="specter"><path class="f-pale s-soft" d="M-22 28V-8Q-20-32 0-32 20-32 22-8V28L13 20 7 28'
    ' 0 20-7 28-13 20Z" stroke-width="2"/><circle class="f-ink" cx="-7" cy="-9" r="4"/>'
    '<circle class="f-ink" cx="9" cy="-9" r="4"/>'
    '<path class="k s-ink" d="M-6 4Q1 9 8 4" stroke-width="3"/></g>'
    f'<g id="sword"><g transform="scale(.62)">{SWORD_ICON}</g></g>'
)

HOLM_BACK, HOLM_FRONT = holm(58, 16)


def draw_picture(rules: Rules, state: State, scene: Scene = PLAIN) -> str:
    ruled = outcome(rules, state)
    winner = winner_of(scene, ruled)
    is_on = not ruled.reason and scene.winner is None
    players = state.red, state.blue
    parts = [
        header(winner),
        *(hit_points(rules, seat, players[seat], scene.last) for seat in (RED, BLUE)),
        text(360, 86, "hp", "m w f-soft"),
        HOLM_BACK,
    ]
    for seat in (RED, BLUE):
        for place in range(rules.minions):
            attacks = (
                is_on
                and state.phase == Phase.SPECTER
                and seat == state.to_move
                and place == state.specter
            )
            each = players[seat].minions[place]
            parts.append(minion(rules, seat, place, each, is_attacking=attacks))
        stance = pose(seat, scene, winner)
        has_turn = is_on and seat == state.to_move
        parts.append(mage(seat, players[seat], stance, has_turn=has_turn))
    parts += [attack(players, scene.last), HOLM_FRONT]
    parts += [*turn_marks(rules, state, is_on=is_on), *table(state)]
    parts.append(last_move(rules, scene.last))
    told = " ".join(describe(name, each) for name, each in zip(SEAT_NAMES, players, strict=True))
    moves = f"{SEAT_NAMES[state.to_move]} moves, {state.moves_left} left. " if is_on else ""
    return picture(
        "magic",
        scene,
        title="MagicDuel",
        description=moves + told,
        defs=DEFS,
        parts=parts,
    )


def describe(name: str, me: Mage) -> str:
    minions = [
        f"{Kind(each.kind).name.lower()} with {each.hp} hp" for each in me.minions if each.kind
    ]
    return (
        f"{name}: {me.hp} hp, magic {me.magic}, burn {me.burn}, shield {me.shield}, "
        f"{' and '.join(minions) or 'no minions'}."
    )


# Hit points and the moves that are left


def hit_points(rules: Rules, seat: int, me: Mage, last: Transition | None) -> str:
    colour = SEAT_COLOURS[seat]
    hp = max(0, me.hp)
    size = "N" if hp < 100 else "n"  # three large digits would cover the bar
    parts = [
        text(across(seat, 36), 98, hp, f"{size} {outward(seat)}", id=f"{colour}-hp"),
        bar(seat, "hp", across(seat, 118), 68, 225, hp, rules.max_hp, height=26, burning=me.burn),
    ]
    change = me.hp - (last.before.red, last.before.blue)[seat].hp if last else 0
    if change:
        kinds = f"w b {outward(seat)} {'f-win' if change > 0 else 'f-loss'}"
        parts.append(text(across(seat, 36), 127, signed(change), kinds, id=f"{colour}-hp-change"))
    return "".join(parts)


def turn_marks(rules: Rules, state: State, *, is_on: bool) -> list[str]:
    """A teal pip for each move that is left, under the bar of the seat to move."""
    if not is_on or state.phase != Phase.MOVE:
        return []
    seat, parts = state.to_move, []
    for number in range(min(rules.moves, MOST_PIPS)):
        x = across(seat, 128 + 26 * number)
        kinds = "p f-win s-win" if number < state.moves_left else "p f-paper s-edge"
        parts.append(
            f'<circle class="{kinds}" cx="{x:g}" cy="116" r="8" id="move-{number + 1}"/>'
            if seat == RED
            else diamond(kinds, x, 116, 10).replace("<path ", f'<path id="move-{number + 1}" ')
        )
    left = f"{state.moves_left} move{'s' if state.moves_left > 1 else ''} left"
    x = across(seat, 128 + 26 * min(rules.moves, MOST_PIPS) - 8)
    return [*parts, text(x, 124, left, f"w f-soft {outward(seat)}", id="moves-left")]


def last_move(rules: Rules, last: Transition | None) -> str:
    """The last choice, on a card in the middle."""
    if last is None:
        return ""
    seat = last.before.to_move
    named = label(rules, last.before, seat, last.choice(seat))
    chosen = last.choice(seat)
    has_amount = chosen > HEAL or NORMAL + TARGETS <= chosen < PIERCE
    amounts = [value for part, value in named.parts if part in ("Burn", "Shield") and has_amount]
    said = ", ".join((named.verb, *amounts))
    if last.before.phase == Phase.SPECTER:
        said = "Specter attacks"
    width = label_width(said, is_bold=True) + 30
    x = 360 - width / 2
    return (
        f'<g id="{SEAT_COLOURS[seat]}-choice" class="mv">'
        f"{panel(seat, 'f-card s-edge', x, 322, width, 31)}"
        + text(360, 346, said, "w m b", id=f"{SEAT_COLOURS[seat]}-effect")
        + "</g>"
    )


# Minions


@drawn_once
def minion(rules: Rules, seat: int, place: int, each: Minion, *, is_attacking: bool) -> str:
    """A card with the minion; number 1 is next to the middle, as attackers count them."""
    colour, middle = SEAT_COLOURS[seat], across(seat, slot(place))
    x = middle - SLOT_WIDTH / 2
    name = f"{colour}-minion-{place + 1}"
    if each.kind == Kind.NONE:
        empty = panel(seat, "k s-edge", x, SLOT_TOP, SLOT_WIDTH, SLOT_HEIGHT)
        return f'<g id="{name}" class="mv" stroke-dasharray="5 6">{empty}</g>'
    look = "f-card s-win" if is_attacking else "f-card s-edge"
    card = panel(seat, look, x, SLOT_TOP, SLOT_WIDTH, SLOT_HEIGHT)
    inside = (
        bubble(rules, name, middle, each)
        if each.kind == Kind.BUBBLE
        else specter(name, middle, each)
    )
    return (
        f'<g id="{name}" class="mv">{card}'
        + text(x + 8, 169, place + 1, "w f-soft")
        + f'<use href="#heart-{colour}" class="f-{colour}" x="{middle - 26:g}" y="241"/>'
        + text(middle - 4, 250, each.hp, "n", id=f"{name}-hp")
        + inside
        + "</g>"
    )


def bubble(rules: Rules, name: str, middle: float, me: Minion) -> str:
    """A bubble. Its ring is a fuse, and shows how much of it has burnt."""
    fuse = max(1, rules.bubble_fuse)
    part = FUSE_LENGTH / fuse
    gap = min(5.0, part / 3)
    burnt = " ".join(
        f"{part - gap:g} {gap:g}" if n < me.age else f"0 {part:g}" for n in range(fuse)
    )
    return (
        f'<use href="#bubble" x="{middle:g}" y="186"/>'
        f'<g transform="translate({middle:g} 186)"><path class="s-line" d="{FUSE}" fill="none"'
        f' stroke-width="7" stroke-dasharray="{part - gap:g} {gap:g}"/>'
        f'<path class="p rim s-fire" d="{FUSE}" fill="none" id="{name}-fuse"'
        f' stroke-dasharray="{burnt}"/></g>'
        f'<use href="#star" class="f-magic" x="{middle - 26:g}" y="273"/>'
        + text(middle - 4, 282, f"+{rules.bubble_magic}", "n")
        + text(middle, 310, f"{me.age} of {fuse}", "w m f-soft", id=f"{name}-age")
    )


def specter(name: str, middle: float, me: Minion) -> str:
    return (
        f'<use href="#specter" x="{middle:g}" y="188"/>'
        f'<use href="#sword" x="{middle - 26:g}" y="273"/>'
        + text(middle - 4, 282, me.attack, "n", id=f"{name}-attack")
        + text(middle, 310, "specter", "w m f-soft", id=f"{name}-age")
    )


# An attack


def attack(players: tuple[Mage, Mage], last: Transition | None) -> str:
    """The path of the last attack, from the staff or the specter over the cards to its target."""
    if last is None or not is_attack(last.choice(last.before.to_move)):
        return ""
    seat, choice = last.before.to_move, last.choice(last.before.to_move)
    target = target_of(choice)
    is_strike = last.before.phase == Phase.SPECTER
    start_x, start_y = (
        (across(seat, slot(last.before.specter)), 144)
        if is_strike
        else (
            across(seat, STAFF_AT[0]),
            STAFF_AT[1],
        )
    )
    end_x, end_y = (
        (across(1 - seat, slot(target - 1)), 152) if target else (across(1 - seat, 250), 204)
    )
    inward = 26 if end_x > start_x else -26
    is_piercing = PIERCE <= choice < BUBBLE
    burns = NORMAL <= choice < PIERCE and choice - NORMAL >= TARGETS
    tone = "ink" if is_piercing else "fire" if burns else "magic"
    flight = (
        f"M{start_x:g} {start_y:g}C{start_x + inward:g} {OVER_CARDS} {start_x + 2 * inward:g}"
        f" {OVER_CARDS} {start_x + 3 * inward:g} {OVER_CARDS}"
        f"H{end_x - 2 * inward:g}C{end_x - inward:g} {OVER_CARDS} {end_x:g} {OVER_CARDS}"
        f" {end_x:g} {end_y:g}"
    )
    look = ' stroke-width="3"' if is_piercing else ' stroke-width="5" stroke-dasharray="1 9"'
    return f'<path class="k s-{tone}" d="{flight}"{look} id="flight"/>' + impact(
        1 - seat, end_x, end_y
    )


def slot(place: int) -> float:
    """How far from the middle the minion at a place stands."""
    return 52 + 98 * place


# The mages


class MagePose(NamedTuple):
    """How a mage stands: transforms of the staff and the arm, and whether the staff shines."""

    staff: str
    arm: str
    is_shining: bool = False
    has_light: bool = True


STANDING = MagePose("translate(44 -58) rotate(6)", "M6-84L44-66")
CASTING = MagePose("translate(44 -74) rotate(-4)", "M6-84L44-78", is_shining=True)
ATTACKING = MagePose("translate(46 -60) rotate(22)", "M6-84L46-68")
YIELDED = MagePose("translate(10 2) rotate(88)", "M6-84L30-58", has_light=False)


def pose(seat: int, scene: Scene, winner: int) -> MagePose:
    if winner == 1 - seat and scene.winner is not None:  # the seat gave up
        return YIELDED
    last = scene.last
    has_moved = last is not None and seat == last.before.to_move
    if last is not None and has_moved and last.before.phase == Phase.MOVE:
        return ATTACKING if is_attack(last.choice(seat)) else CASTING
    return CASTING if winner == seat else STANDING


def mage(seat: int, me: Mage, stance: MagePose, *, has_turn: bool) -> str:
    colour = SEAT_COLOURS[seat]
    place = f'<g id="{colour}-mage" class="mv" transform="{facing(seat, across(seat, 270), 330)}">'
    if me.hp <= 0:
        return place + fallen(seat) + "</g>"
    ring = (
        '<ellipse class="k s-win" cx="4" cy="2" rx="66" ry="14" stroke-width="5" id="turn-ring"/>'
    )
    flame = '<path class="f-fire" d="M0 4C-12 0-12-14-3-22-4-14 2-14 2-26 14-14 14 0 0 4Z"/>'
    flames = "".join(
        f'<g transform="translate({x} {y})">{flame}</g>'
        for (x, y), _ in zip(((-34, 2), (34, 4), (0, 8)), range(me.burn), strict=False)
    )
    orb = 9 + 0.6 * min(me.magic, 15)
    light = "p f-magic" if stance.has_light else "p f-even s-magic"
    hand = stance.arm.rpartition("L")[2].replace("-", " -").split()
    ward = f"p rim k s-win{'' if me.shield > 0 else ' off'}"
    robe = (
        "M-18-92Q0-102 18-92L40-6Q0 8-40-6Z"
        if seat == RED
        else "M-18-94 0-100 18-94 42-4 21 2 0-6-21 2-42-4Z"
    )
    return (
        place
        + ring * has_turn
        + '<path class="f-edge" d="M-56 2Q0-9 56 2 0 13-56 2Z" opacity=".6"/>'
        f'<g transform="{stance.staff}" id="{colour}-staff" class="mv">'
        '<path class="k s-wood" d="M0 62V-70" stroke-width="7"/>'
        '<path class="k s-wood" d="M0-68q-13-4-12-18M0-68q13-4 12-18" stroke-width="5"/>'
        f'<circle class="{light}" cy="-88" r="{orb:g}" id="{colour}-orb"/>'
        + (RAYS if stance.is_shining else "")
        + "</g>"
        f'<path class="f-{colour}" d="{robe}"/>'
        '<path class="k s-paper" d="M0-92V-2" stroke-width="2" opacity=".5"/>'
        '<path class="k s-rope" d="M-28-48H28" stroke-width="6"/>'
        '<circle class="f-skin" cx="2" cy="-112" r="18"/>'
        '<path class="f-pale" d="M-14-108Q-8-62 6-56 22-70 20-108 6-98-14-108Z"/>'
        + hood(seat)
        + '<circle class="f-bark" cx="14" cy="-110" r="2.5"/>'
        f'<path class="k d s-{colour}" d="{stance.arm}" stroke-width="14"/>'
        f'<circle class="f-skin" cx="{hand[0]}" cy="{hand[1]}" r="8"/>{flames}'
        f'<path class="{ward}" d="M58-156Q86-78 58 0" id="{colour}-ward"/>'
        "</g>"
    )


def hood(seat: int) -> str:
    shape = (
        "M-24-108Q-26-146 2-146 26-144 22-108Q0-120-24-108Z"
        if seat == RED
        else "M-30-116 2-176 30-116Q0-126-30-116Z"
    )
    return f'<path class="f-{SEAT_COLOURS[seat]}" d="{shape}"/>'


def fallen(seat: int) -> str:
    """A robe on the ground, and a staff that no longer shines."""
    colour = SEAT_COLOURS[seat]
    hat = (
        "M-24 0Q-26-38 2-38 26-36 22 0Q0-12-24 0Z" if seat == RED else "M-30 0 2-60 30 0Q0-10-30 0Z"
    )
    return (
        '<path class="f-edge" d="M-72 4Q0-10 72 4 0 16-72 4Z" opacity=".6"/>'
        f'<path class="f-{colour}" d="M-56 4Q-50-22-30-30-10-44 12-34 44-28 54 4Q0 14-56 4Z"/>'
        '<path class="k s-paper" d="M-34 4Q-26-16-18-26M8 6Q14-12 24-26" stroke-width="2"'
        ' opacity=".5"/>'
        f'<g transform="translate(-4 -34) rotate(14)"><path class="f-{colour}" d="{hat}"/></g>'
        '<g transform="translate(22 12) rotate(84)"><path class="k s-wood" d="M0 60V-60"'
        ' stroke-width="7"/><circle class="f-even s-magic" cy="-74" r="8" stroke-width="3"/></g>'
    )


# Magic, burn, shield


def table(state: State) -> list[str]:
    rows = (
        ("magic", "star", "f-magic"),
        ("burn", "flame", "f-fire"),
        ("shield", "ward", "f-win"),
    )
    parts = []
    for number, (name, shape, kinds) in enumerate(rows):
        y = 383 + 42 * number
        if number:
            parts.append(row_line(y - 31))
        parts.append(text(360, y - 1, name, "m w f-soft"))
        for seat, me in enumerate((state.red, state.blue)):
            parts.append(amount(seat, name, y, getattr(me, name), shape, kinds))
    return parts


@drawn_once
def amount(seat: int, name: str, y: float, value: int, shape: str, kinds: str) -> str:
    """A number, with one sign for each point."""
    shown = min(value, MOST_PIPS) if value < 1000 else 0  # a longer number needs their room
    said = value if value < 10**13 else f"{value:.1e}".replace("e+", "e")
    number = text(
        across(seat, 66), y, said, f"n {outward(seat)}", id=f"{SEAT_COLOURS[seat]}-{name}"
    )
    row = range(128, 128 + 28 * MOST_PIPS, 28)
    return number + pips(seat, shape, name, row, y - 10, shown, kinds, f"{kinds} off")
