"""Defend The City as a picture: the wall, the soldier before it and those to come, both pairs of
scores as dials, and the attacks in the order in which they are rolled.
"""

from typing import NamedTuple

from holmgang.games.contract import SEAT_NAMES, Scene, Transition
from holmgang.games.defend_the_city.rules import (
    BLUE,
    FORFEIT,
    NOBODY,
    RED,
    Fighter,
    Phase,
    Reason,
    Rules,
    State,
    asked,
    is_clash,
    is_spent,
    outcome,
    paid,
    scores,
)
from holmgang.games.defend_the_city.story import Attack, attacks_of
from holmgang.games.figures import (
    CHEERING,
    FALLEN,
    GUARDING,
    LOWERED,
    POLE,
    READY,
    ROPE,
    STRIKING,
    WEARY,
    YIELDED,
    Pose,
    body,
    impact,
    shield,
    warrior,
)
from holmgang.games.svg import (
    HIDDEN_MARK,
    PLAIN,
    SEAT_COLOURS,
    across,
    bar,
    card_back,
    drawn_once,
    emblem,
    header,
    outward,
    picture,
    plain_colours,
    text,
    winner_of,
)

GROUND = 260
MOST_TROPHIES, MOST_WAITING = 5, 3
STAKES = "".join(f"M{21 * n} 256V150l10-14 10 14V256z" for n in range(9))

HOUSES = (
    '<path class="f-even s-edge" d="M-6 190V138L38 106 82 138V190Z'
    'M118 190V142L152 114 186 142V190Z" stroke-width="2" stroke-linejoin="round"/>'
    '<path class="f-turf s-edge" d="M56 190V134L100 92 144 134V190Z" stroke-width="2"'
    ' stroke-linejoin="round"/>'
    '<path class="k s-bark" d="M49 141 107 85M151 141 93 85" stroke-width="6"/>'
    '<path class="k s-wood" d="M-12 142 44 101M88 142 32 101M112 147 157 110M192 147 147 110"'
    ' stroke-width="5"/>'
    '<path class="f-bark" d="M92 190V160Q100 150 108 160V190Z"/>'
)
WALL = (
    f'<path class="f-wood s-bark" d="{STAKES}M189 256V206l9-12 11 16V256z'
    'M210 256V232l8 6 12-14V256z" stroke-width="2.5" stroke-linejoin="round"/>'
    '<path class="k s-bark" d="M0 176H196M0 236H206" stroke-width="5"/>'
)
BANNER = (
    '<g id="banner"><path class="k s-bark" d="M100 90V56" stroke-width="4"/>'
    '<path class="p {}" d="{}"/></g>'
)
GRASS = (
    '<path class="f-turf" d="M0 234Q360 222 720 234V270H0Z"/>'
    '<path class="h s-edge" d="M0 270H720"/>'
)
BANNERS = ("M102 58H130Q139 66 130 74H102Z", "M102 58H138L129 66 138 74H102Z")
FLAGS = (
    '<g id="flags"><path class="k s-bark" d="M38 104V78M152 112V86" stroke-width="4"/>'
    '<path class="f-red" d="M40 80H60Q67 86 60 92H40ZM154 88H174Q181 94 174 100H154Z"/>'
    '<path class="k s-leaf" d="M0 164Q20 178 42 164 63 178 84 164 105 178 126 164 147 178 168 164'
    ' 180 172 190 166" stroke-width="6" stroke-dasharray="9 4"/></g>'
)
"""The city has held: a flag on every house and a garland along the wall."""
FLAMES = (
    '<g id="flames"><path class="f-fire" d="M20 136C2 128 6 108 20 96 20 106 28 104 28 90 44 106 42'
    " 130 20 136ZM76 124C56 114 60 92 76 78 76 90 86 88 86 70 104 90 102 116 76 124Z"
    'M166 142C152 136 154 120 166 110 166 118 172 116 172 106 186 118 184 138 166 142Z"/>'
    '<path class="f-mark" d="M21 132C13 126 16 116 23 110 31 116 30 128 21 132ZM78 118C69 111 72'
    ' 100 80 92 89 100 88 113 78 118ZM167 138C161 134 163 126 168 122 174 126 173 135 167 138Z"/>'
    "</g>"
)
"""The city has fallen."""

SPEAR = (
    '<path class="k s-wood" d="M-62 0H62" stroke-width="6"/>'
    '<path class="f-steel" d="M88 0 60-8V8Z"/>'
)
SHIELD_ON_ARM = f'<g transform="translate(28 -58)">{shield(BLUE, is_broken=False)}</g>'
DEFS = POLE + HIDDEN_MARK + plain_colours(f'<g id="soldier">{body(BLUE)}{SHIELD_ON_ARM}</g>')
RING, PENTAGON = "M0-34A34 34 0 1 1-.1-34", "M0-38.1L36.2-11.8 22.4 30.8-22.4 30.8-36.2-11.8Z"
ROUND_LENGTH = (213.6, 224.0)
"""The length of each dial's outline, because some rasterisers do not support `pathLength`."""
GAP = 7.0  # between the segments of a dial


class ShownTurn(NamedTuple):
    """The turn that the picture shows: the one that is under way, or the last."""

    fighters: tuple[Fighter, Fighter]
    """Both fighters, with the scores that they chose."""
    attacks: list[Attack]
    is_over: bool
    forfeited: tuple[int, int]
    """The offense that each has forfeited."""


def draw_picture(rules: Rules, state: State, scene: Scene = PLAIN) -> str:
    winner = winner_of(scene, outcome(rules, state))
    turn = turn_of(rules, state, scene.last)
    parts = [
        header(winner),
        stage(rules, state.defeated, winner),
        *(fighter(rules, seat, state, turn, winner) for seat in (RED, BLUE)),
        text(360, 303, "stamina", "m w f-soft"),
        *(stamina(rules, seat, state) for seat in (RED, BLUE)),
        *(dials(rules, seat, state, turn) for seat in (RED, BLUE)),
        *(attack_rows(rules, state, turn) if turn else []),
    ]
    return picture(
        "city",
        scene,
        title="Defend The City",
        description=describe(rules, state),
        defs=DEFS,
        parts=parts,
    )


def describe(rules: Rules, state: State) -> str:
    told = []
    for name, me in zip(SEAT_NAMES, (state.red, state.blue), strict=True):
        said = f"{name}: stamina {me.stamina}"
        if state.phase == Phase.REACT:
            said += f", offense {me.offense}, defense {me.defense}"
        told.append(said + (", wounded." if me.wounded else "."))
    if state.phase == Phase.REACT:
        told.append(f"{SEAT_NAMES[asked(state.red, state.blue)]} may forfeit the offense.")
    if not rules.duel:
        told.append(f"{state.defeated} of {rules.soldiers} soldiers are defeated.")
    return " ".join(told)


def turn_of(rules: Rules, state: State, last: Transition | None) -> ShownTurn | None:
    if state.phase == Phase.REACT:
        sides = state.red, state.blue
        return ShownTurn(sides, attacks_of(rules, *sides, 0), is_over=False, forfeited=(0, 0))
    if last is None:
        return None
    before = last.before
    sides = scores(rules, before, last.red, last.blue)
    if not is_clash(before, *sides):
        return None
    forfeited = (
        before.red.offense if last.red == FORFEIT else 0,
        before.blue.offense if last.blue == FORFEIT else 0,
    )
    return ShownTurn(sides, attacks_of(rules, *sides, last.face), is_over=True, forfeited=forfeited)


# The stage


@drawn_once
def stage(rules: Rules, defeated: int, winner: int) -> str:
    if rules.duel:
        return (
            GRASS
            + ROPE.format("M60 180Q360 196 660 180")
            + '<use href="#pole" transform="translate(58 250) scale(1.1)"/>'
            '<use href="#pole" transform="translate(662 250) scale(-1.1 1.1)"/>'
        )
    owner = BLUE if winner == BLUE else RED
    waiting = min(MOST_WAITING, max(0, rules.soldiers - defeated - 1))
    parts = [
        GRASS,
        f'<g id="city">{HOUSES}',
        BANNER.format(f"f-{SEAT_COLOURS[owner]}", BANNERS[owner]),
        FLAMES if winner == BLUE else "",
        WALL,
        FLAGS if winner == RED else "",
        "</g>",
        *(trophy(n, n < defeated) for n in range(min(rules.soldiers, MOST_TROPHIES))),
        *(
            f'<use href="#soldier" class="mv" id="waiting-{n + 1}" transform="'
            f'translate({548 + 48 * n} {248 - 3 * n}) scale(-.66 .66)" opacity="{opacity}"/>'
            for n, opacity in zip(range(MOST_WAITING), (".62", ".53", ".44"), strict=True)
            if n < waiting
        ),
        text(696, 84, f"{defeated} of {rules.soldiers}", "n e", id="defeated"),
        text(696, 110, "defeated", "w e f-soft"),
    ]
    return "".join(parts)


def trophy(number: int, is_won: bool) -> str:
    """A beaten soldier's shield on the wall, or the place for one."""
    kinds = "s-blue f-blue-soft" if is_won else "s-bark f-wood"
    half = "f-blue" if is_won else "f-wood off"
    return (
        f'<g id="trophy-{number + 1}" transform="translate({24 + 35 * number} 206)">'
        f'<path class="p {kinds}" d="M-13-17H13V2L0 20-13 2Z"/>'
        f'<path class="p {half}" d="M0-17H13V2L0 20Z"/></g>'
    )


# The fighters


def fighter(rules: Rules, seat: int, state: State, turn: ShownTurn | None, winner: int) -> str:
    stance = pose(rules, seat, state, turn, winner)
    x = across(seat, 118 if stance.has_fallen else 82)
    is_hit = turn is not None and any(each.hits and each.seat != seat for each in turn.attacks)
    return warrior(seat, x, GROUND, stance, weapon=SPEAR if seat == BLUE else "") + (
        impact(seat, across(seat, 64), 176 if not stance.has_fallen else 226) if is_hit else ""
    )


def pose(rules: Rules, seat: int, state: State, turn: ShownTurn | None, winner: int) -> Pose:
    me = state.red if seat == RED else state.blue
    if me.wounded or (seat == BLUE and outcome(rules, state).reason == Reason.DEFENDED):
        return FALLEN
    if winner != NOBODY:
        return CHEERING if winner == seat else YIELDED
    if turn is None:
        return WEARY if is_spent(me) else READY
    mine = turn.fighters[seat]
    if turn.is_over and any(each.seat == seat and each.is_rolled for each in turn.attacks):
        return STRIKING
    if is_spent(mine):
        return WEARY
    if turn.forfeited[seat]:
        return LOWERED
    return GUARDING if mine.defense > mine.offense else READY


# Stamina


def stamina(rules: Rules, seat: int, state: State) -> str:
    me = state.red if seat == RED else state.blue
    tone = " f-loss" if is_spent(me) else ""
    said = str(me.stamina).replace("-", "−")
    name = f"{SEAT_COLOURS[seat]}-stamina"
    near = 66 if len(said) <= 2 else 56
    return text(across(seat, near), 305, said, f"n {outward(seat)}{tone}", id=name) + bar(
        seat, "stamina", across(seat, 122), 284, 210, me.stamina, rules.stamina
    )


# Scores


def dials(rules: Rules, seat: int, state: State, turn: ShownTurn | None) -> str:
    colour = SEAT_COLOURS[seat]
    me = state.red if seat == RED else state.blue
    shown: tuple[int, int] | None = None
    if turn is not None:
        shown = turn.fighters[seat].offense, turn.fighters[seat].defense
    elif is_spent(me):
        shown = 0, 0
    is_asked = state.phase == Phase.REACT and asked(state.red, state.blue) == seat
    front = f" {colour}-front" if state.phase == Phase.CHOOSE else ""
    outer, inner = across(seat, 305), across(seat, 207)
    parts = [
        dial(rules, seat, "offense", outer, shown and shown[0], front, is_asked=is_asked),
        dial(rules, seat, "defense", inner, shown and shown[1], front),
    ]
    if turn is not None:
        mine, saved = turn.fighters[seat], turn.forfeited[seat]
        told = "spent" if is_spent(mine) else f"pays {mine.stamina - paid(mine)}"
        told += f", saved {saved}" if saved else ""
        parts.append(text((outer + inner) / 2, 471, told, f"w m{front}", id=f"{colour}-cost"))
    return "".join(parts)


@drawn_once
def dial(
    rules: Rules,
    seat: int,
    name: str,
    x: float,
    value: int | None,
    front: str,
    *,
    is_asked: bool = False,
) -> str:
    """A ring or pentagon with a segment for each point; `?` before the seat has chosen. `front` is
    the class of the elements that are hidden when the seat chooses again, if it can.
    """
    colour, shape = SEAT_COLOURS[seat], (RING, PENTAGON)[seat]
    part = ROUND_LENGTH[seat] / rules.max_score
    filled = " ".join(
        f"{part - GAP:g} {GAP:g}" if n < (value or 0) else f"0 {part:g}"
        for n in range(rules.max_score)
    )
    shift = f' stroke-dashoffset="{-GAP / 2:g}"'
    card = (
        '<rect class="f-card s-win" x="-50" y="-46" width="100" height="124" rx="14"'
        ' stroke-width="3"/>'
    )
    said = text(
        0,
        11,
        "?" if value is None else value,
        f"n m{front}" + (" f-soft" if value is None else ""),
        id=f"{colour}-{name}",
    )
    return (
        f'<g id="{colour}-{name}-dial" transform="translate({x:g} 372)">{card * is_asked}'
        f'<path class="s-line" d="{shape}" fill="none" stroke-width="11"'
        f' stroke-dasharray="{part - GAP:g} {GAP:g}"{shift}/>'
        f'<path class="p arc s-{colour}{front}" d="{shape}" fill="none"{shift}'
        f' stroke-dasharray="{filled}" id="{colour}-{name}-arc"/>'
        + said
        + (card_back(seat, 0, 0, name=f"{name}-", size=0.7) if front else "")
        + text(0, 66, name, "m w f-soft")
        + "</g>"
    )


# Attacks


def attack_rows(rules: Rules, state: State, turn: ShownTurn) -> list[str]:
    first = turn.attacks[0].seat
    red, blue = turn.fighters
    order = "both at once" if red.offense == blue.offense else f"{SEAT_NAMES[first]} first"
    front = ' class="red-front blue-front"' if turn.is_over else ""
    parts = [f'<g id="attacks"{front}>', text(360, 344, order, "m w f-soft", id="order")]
    for row, each in enumerate(turn.attacks):
        parts.append(attack_row(rules, each, 376 + 36 * row, is_over=turn.is_over))
    lower = asked(state.red, state.blue) if state.phase == Phase.REACT else NOBODY
    if lower != NOBODY:
        me = turn.fighters[lower]
        parts += [
            f'<g id="ask">{emblem(lower, 262, 442, 9)}',
            text(280, 450, "keep or forfeit?", "w b f-win"),
            text(360, 474, f"forfeit saves {me.offense}", "m w f-soft"),
            "</g>",
        ]
    return [*parts, "</g>"]


@drawn_once
def attack_row(rules: Rules, attack: Attack, y: float, *, is_over: bool) -> str:
    """The chance in words and as the faces of a die that hit; the thrown one is underlined."""
    colour, step = SEAT_COLOURS[attack.seat], 75 / rules.die
    width, round_ends = step - 4 if rules.die <= 10 else step, ' rx="5"' * (attack.seat == RED)
    faces = "".join(
        f'<rect class="p {f"f-{colour} s-{colour}" if n < attack.chances else "f-paper s-edge"}"'
        f' x="{324 + step * n:g}" y="{y - 16:g}" width="{width:g}" height="16"{round_ends}'
        f' id="{colour}-die-{n}"/>'
        for n in range(rules.die)
    )
    thrown = result = ""
    if is_over and attack.is_rolled:
        at = 323 + step * attack.roll
        thrown = (
            f'<path class="k s-ink" d="M{at:g} {y + 8:g}h{width + 2:g}" stroke-width="4"'
            f' id="{colour}-thrown"/>'
        )
        result = "hits" if attack.hits else "misses"
    elif is_over:
        result = "" if attack.chances == 0 else "too late"
    said, kinds = result, f"w b f-{'loss' if attack.hits else 'soft'}"
    if not result:
        said, kinds = "to hit", "w f-soft"
    return (
        f'<g id="{colour}-attack" class="mv">{emblem(attack.seat, 222, y - 8, 9)}'
        + text(238, y, f"{attack.chances} in {rules.die}", "w b", id=f"{colour}-chance")
        + faces
        + thrown
        + text(406, y, said, kinds, id=f"{colour}-roll")
        + "</g>"
    )
