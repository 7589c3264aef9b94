"""BAGH as a picture: two warriors on the holm, their choices between them, and their values."""

from holmgang.games.bagh.notation import WORDS, fields
from holmgang.games.bagh.rules import (
    BLUE,
    RED,
    Action,
    Fighter,
    Rules,
    State,
    damage,
    does_blue_mend,
    does_red_mend,
    is_blocking,
    is_healing,
    is_hit,
    mend_sides,
    outcome,
    readied,
)
from holmgang.games.contract import NO_CHOICE, NOBODY, SEAT_NAMES, Scene, Transition
from holmgang.games.figures import (
    CHEERING,
    FALLEN,
    GUARDING,
    HEARTS,
    POLE,
    RAISED,
    READY,
    STRIKING,
    SWORD_ICON,
    YIELDED,
    Pose,
    holm,
    impact,
    warrior,
)
from holmgang.games.svg import (
    HIDDEN_MARK,
    PLAIN,
    SEAT_COLOURS,
    across,
    card_back,
    drawn_once,
    header,
    outward,
    panel,
    picture,
    pip,
    pips,
    row_line,
    signed,
    text,
    winner_of,
)

MOST_HEARTS, ROW_OF_HEARTS = 10, 5
MOST_PIPS = 6
CARD_AT = (204, 364)
HOLM_BACK, HOLM_FRONT = holm(112, 30)

DEFS = (
    POLE
    + HIDDEN_MARK
    + f'<path id="heart-red" d="{HEARTS[RED]}"/><path id="heart-blue" d="{HEARTS[BLUE]}"/>'
    '<path id="chevron-red" d="M-8-13H-2L9 0-2 13H-8L2 0Z"/>'
    '<path id="chevron-blue" d="M8-13H2L-9 0 2 13H8L-2 0Z"/>'
    '<path id="flag-red" d="M-9-15L15-7-9 1V14"/>'
    '<path id="flag-blue" d="M9-15L-15-7 9 1V14"/>'
)

ICONS = {
    Action.BOOST: '<path class="k s-mark" d="M-18 22 0 10 18 22M-18 7 0-5 18 7M-18-8 0-20 18-8"'
    ' stroke-width="7"/>',
    Action.ATTACK: SWORD_ICON,
    Action.GUARD: '<circle class="f-wood s-steel" r="22" stroke-width="5"/><path class="k s-bark"'
    ' d="M-8-19V19M8-19V19" stroke-width="2"/><circle class="f-steel" r="7"/>',
    Action.HEAL: '<path class="f-leaf" d="M0 24C-6 17-26 6-26-9-26-19-18-24-12-24-6-24-2-20 0-16'
    ' 2-20 6-24 12-24 18-24 26-19 26-9 26 6 6 17 0 24Z"/><path class="k s-card"'
    ' d="M0-13V9M-11-2H11" stroke-width="6"/>',
}


def draw_picture(rules: Rules, state: State, scene: Scene = PLAIN) -> str:
    winner = winner_of(scene, outcome(rules, state))
    before = scene.last.before if scene.last else state
    changes = [now.hp - was.hp for now, was in zip(state, before, strict=True)]
    parts = [
        header(winner),
        *(hit_points(rules, seat, state[seat].hp, changes[seat]) for seat in (RED, BLUE)),
        text(360, 86, "hp", "m w f-soft"),
        HOLM_BACK,
        *(fighter(seat, state[seat], scene, winner) for seat in (RED, BLUE)),
        *(choice_card(rules, seat, state, scene.last) for seat in (RED, BLUE)),
        HOLM_FRONT,
        row_labels(rules),
        *(possessions(rules, seat, state[seat]) for seat in (RED, BLUE)),
    ]
    return picture(
        "bagh",
        scene,
        title="BAGH",
        description=" ".join(
            describe(rules, name, each) for name, each in zip(SEAT_NAMES, state, strict=True)
        ),
        defs=DEFS,
        parts=parts,
    )


def describe(rules: Rules, name: str, me: Fighter) -> str:
    shield = f"shield broken (damage {me.shield_damage})" if me.shield_damage else "shield whole"
    return f"{name}: {me.hp} hp, boost {me.boost}, {fields(rules)[2]} {me.priority}, {shield}."


# Hit points


@drawn_once
def hit_points(rules: Rules, seat: int, hp: int, change: int) -> str:
    """Hearts from the middle outwards; those above the start have a golden rim."""
    colour = SEAT_COLOURS[seat]
    shown = max(hp, rules.start_hp) <= MOST_HEARTS
    parts = [text(across(seat, 36), 98, hp, f"N {outward(seat)}", id=f"{colour}-hp")]
    if change:
        kinds = f"w b {outward(seat)} {'f-win' if change > 0 else 'f-loss'}"
        parts.append(text(across(seat, 36), 127, signed(change), kinds, id=f"{colour}-hp-change"))
    for number in range(MOST_HEARTS):
        if shown and number < hp:
            kinds = f"f-{colour} {'s-mark' if number >= rules.start_hp else 's-' + colour}"
        elif shown and number < rules.start_hp:
            kinds = "f-paper s-edge"
        else:
            kinds = f"f-{colour} off"
        row, place = divmod(number, ROW_OF_HEARTS)
        x, y = across(seat, 128 + 42 * place), 77 + 37 * row
        parts.append(pip(f"heart-{colour}", f"{colour}-hp-{number + 1}", x, y, kinds))
    return "".join(parts)


# The fighters


def fighter(seat: int, me: Fighter, scene: Scene, winner: int) -> str:
    last = scene.last
    is_hit = last is not None and me.hp < last.before[seat].hp
    return warrior(
        seat,
        across(seat, 222),
        328,
        pose(seat, me, scene, winner),
        has_golden_sword=me.boost > 0,
        is_shield_broken=me.shield_damage > 0,
    ) + (impact(seat, across(seat, 206), 236 if me.hp > 0 else 296) if is_hit else "")


def pose(seat: int, me: Fighter, scene: Scene, winner: int) -> Pose:
    if me.hp <= 0:
        return FALLEN
    if winner != NOBODY:
        return CHEERING if winner == seat else YIELDED
    chosen = scene.last.choice(seat) if scene.last else NO_CHOICE
    if chosen == Action.BOOST:
        return RAISED
    if chosen == Action.ATTACK:
        return STRIKING
    return GUARDING if chosen == Action.GUARD else READY


# Choices and their effects


def choice_card(rules: Rules, seat: int, state: State, last: Transition | None) -> str:
    """The place for a card. It shows the last choice with its effect, covered by the back of the
    next card.
    """
    x, colour = CARD_AT[seat], SEAT_COLOURS[seat]
    place = (
        f'<g id="{colour}-place" stroke-dasharray="5 6">'
        f"{panel(seat, 'k s-edge', x, 134, 152, 120)}</g>"
    )
    back = card_back(seat, x + 76, 194, panel(seat, "f-even s-edge", x, 134, 152, 120))
    if last is None:
        return place + back
    return place + card(seat, last.choice(seat), *effect(rules, seat, state, last)) + back


@drawn_once
def card(seat: int, choice: int, said: str, tone: str) -> str:
    colour, x = SEAT_COLOURS[seat], CARD_AT[seat]
    return (
        f'<g id="{colour}-choice" class="mv {colour}-front">'
        f"{panel(seat, 'f-card s-edge', x, 134, 152, 120)}"
        f'<g transform="translate({x + 76} 168)">{ICONS[Action(choice)]}</g>'
        + text(x + 76, 218, WORDS[choice], "w m")
        + text(x + 76, 242, said, f"w b m f-{tone}", id=f"{colour}-effect")
        + "</g>"
    )


def effect(rules: Rules, seat: int, after: State, last: Transition) -> tuple[str, str]:
    """The effect of the choice in two words, and their colour."""
    mends = does_red_mend(last.before, last.face), does_blue_mend(last.before, last.face)
    ready = [
        readied(rules, last.before[each], last.choice(each), mends[each]) for each in (RED, BLUE)
    ]
    me, mine = ready[seat], last.choice(seat)
    foe, theirs = ready[1 - seat], last.choice(1 - seat)
    if mine == Action.BOOST:
        return f"now {me.boost}", "ink"
    if mine == Action.ATTACK:
        if is_hit(foe, theirs, me, mine):
            return f"hits {damage(rules, me)}", "loss"
        return ("blocked" if is_blocking(foe, theirs, me, mine) else "too late"), "soft"
    if mine == Action.HEAL:
        if not is_healing(me, mine, foe, theirs):
            return "interrupted", "loss"
        gained = after[seat].hp - last.before[seat].hp
        return (f"{signed(gained)} hp", "win") if gained > 0 else ("no effect", "soft")
    if theirs != Action.ATTACK:
        return "no attack", "soft"
    if not is_blocking(me, mine, foe, theirs):
        return "broken", "loss"
    if after[seat].shield_damage:
        return "breaks", "loss"
    gained = after[seat].priority > last.before[seat].priority
    return (f"{fields(rules)[2]} {after[seat].priority}" if gained else "blocks"), "win"


# Boost, priority, shield


@drawn_once
def row_labels(rules: Rules) -> str:
    return "".join(
        row_line(352 + 42 * row) + text(360, 382 + 42 * row, label, "m w f-soft")
        for row, label in enumerate(("boost", fields(rules)[2], "shield"))
    )


@drawn_once
def possessions(rules: Rules, seat: int, me: Fighter) -> str:
    colour = SEAT_COLOURS[seat]
    boosts = range(112, 112 + 32 * min(rules.max_boost, MOST_PIPS), 32)
    flags = range(112, 112 + 32 * MOST_PIPS, 32)
    gold, own, none = "f-mark s-mark", f"f-{colour} s-{colour}", "f-even s-edge"
    parts = [
        counter(seat, "boost", 383, me.boost),
        pips(seat, f"chevron-{colour}", "boost", boosts, 373, me.boost, gold, none),
        counter(seat, "priority", 425, me.priority),
        pips(seat, f"flag-{colour}", "priority", flags, 416, me.priority, own, "off"),
        *shield_row(seat, me),
    ]
    return "".join(parts)


def counter(seat: int, name: str, y: float, value: int) -> str:
    return text(across(seat, 66), y, value, f"n {outward(seat)}", id=f"{SEAT_COLOURS[seat]}-{name}")


def shield_row(seat: int, me: Fighter) -> list[str]:
    broken = me.shield_damage > 0
    said = f"broken, mends 1 in {mend_sides(me)}" if broken else "whole"
    number = me.shield_damage if broken else "✓"
    kinds = f"n {outward(seat)}" + ("" if broken else " f-soft")
    return [
        text(across(seat, 66), 467, number, kinds, id=f"{SEAT_COLOURS[seat]}-shield-damage"),
        text(
            across(seat, 104),
            466,
            said,
            f"w {outward(seat)}",
            id=f"{SEAT_COLOURS[seat]}-shield-word",
        ),
    ]
