"""Fencing as a picture: the piste to scale, both fencers with their reach, energy and drugs."""

from holmgang.games.contract import NOBODY, SEAT_NAMES, Scene, Transition
from holmgang.games.fencing.notation import WORDS
from holmgang.games.fencing.rules import (
    BLUE,
    RED,
    Action,
    Fencer,
    Rules,
    State,
    action_energy,
    action_move,
    outcome,
    reach,
)
from holmgang.games.fencing.story import Lunge, can_act, leaves, lunge_result
from holmgang.games.figures import POLE, ROPE, impact
from holmgang.games.svg import (
    HIDDEN_MARK,
    PLAIN,
    SEAT_COLOURS,
    across,
    bar,
    card_back,
    drawn_once,
    facing,
    header,
    label_width,
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

LEFT, RIGHT, TOP = 40, 680, 284  # of the piste
MOST_NOTCHES, MOST_FLASKS = 20, 7
FLASK_LOOKS = "f-leaf s-leaf", "f-paper s-edge"  # one for each drug taken, and for those left
LONGEST_SKILLS = 23
SKILLS_WIDTH, WIDE_SKILLS = 304, 4
LONGEST_CHOICE = 18
SHORT_OF_REACH = 13  # height of a lane that shows a reach

DEFS = (
    POLE + HIDDEN_MARK + '<rect id="notch-red" x="-2.5" y="-14" width="5" height="28" rx="2.5"/>'
    '<path id="notch-blue" d="M-2.5-14h5v28h-5z"/>'
    '<path id="flask" d="M-5-12H5M-3-12V-7.5A9.5 9.5 0 1 0 3-7.5V-12"/>'
)

SKILLS = (
    ("L", "lunge", "lunge_distance_skill"),
    ("P", "parry", "parry_distance_skill"),
    ("W", "walk", "walk_skill"),
    ("D", "2×walk", "double_walk_skill"),
    ("R", "retreat", "retreat_skill"),
    ("X", "2×retreat", "double_retreat_skill"),
    ("B", "break", "break_skill"),
)


def draw_picture(rules: Rules, state: State, scene: Scene = PLAIN) -> str:
    fencers = state.red, state.blue
    ruled = outcome(rules, state)
    winner = winner_of(scene, ruled)
    leaver = NOBODY if ruled.reason or winner == NOBODY else 1 - winner
    parts = [
        header(winner),
        text(360, 86, "score", "m w f-soft"),
        text(360, 131, f"turn {state.turn}/{rules.turns}", "m w f-soft", id="turn"),
        *(score(rules, seat, fencers[seat], scene.last) for seat in (RED, BLUE)),
        *(choice_card(rules, seat, state, scene.last) for seat in (RED, BLUE)),
        *piste(rules, state),
        *(fencer(rules, seat, fencers[seat], scene.last, leaver) for seat in (RED, BLUE)),
        *(touch(rules, seat, state, scene.last) for seat in (RED, BLUE)),
        *table(rules, state),
    ]
    told = (
        f"{name}: at {me.position}, {me.score} points, energy {me.energy} of {me.energy_max},"
        f" {me.drug_count} drugs."
        for name, me in zip(SEAT_NAMES, fencers, strict=True)
    )
    return picture(
        "fencing",
        scene,
        title="Fencing",
        description=f"Turn {state.turn} of {rules.turns}. {' '.join(told)}",
        defs=DEFS,
        parts=parts,
    )


# The score


def score(rules: Rules, seat: int, me: Fencer, last: Transition | None) -> str:
    """A tally stick: a notch for each point."""
    colour = SEAT_COLOURS[seat]
    left = 24 if seat == RED else 482
    parts = [
        text(across(seat, 44), 95, me.score, f"N {outward(seat)}", id=f"{colour}-score"),
        f'<rect class="f-wood" x="{left}" y="74" width="214" height="10" rx="5"/>',
    ]
    if last:
        gained = me.score - (last.before.red, last.before.blue)[seat].score
        if gained:
            kinds = f"w b f-win {outward(seat)}"
            parts.append(text(across(seat, 84), 131, signed(gained), kinds, id=f"{colour}-gain"))
    return "".join(parts) + notches(seat, me.score, min(rules.points_to_win, MOST_NOTCHES))


@drawn_once
def notches(seat: int, points: int, most: int) -> str:
    colour, parts = SEAT_COLOURS[seat], []
    for number in range(most):
        x = across(seat, 132 + 9.4 * number + 5 * (number // 5))
        kinds = f"f-{colour} s-{colour}" if number < points else "f-paper s-edge"
        parts.append(pip(f"notch-{colour}", f"{colour}-score-{number + 1}", x, 79, kinds))
    return "".join(parts)


# Choices and their effects


def choice_card(rules: Rules, seat: int, state: State, last: Transition | None) -> str:
    colour, x = SEAT_COLOURS[seat], 24.0 if seat == RED else 606.0
    back = card_back(seat, x + 45, 123, panel(seat, "f-even s-edge", x, 105, 90, 36), size=0.6)
    if last is None:
        return f'<g id="{colour}-choice" class="mv {colour}-front"/>{back}'
    word = WORDS[last.choice(seat)].replace("double_", "2×").replace("_", " ")
    said, tone = effect(rules, seat, state, last)
    if said == "no energy" and len(f"{word} {said}") > LONGEST_CHOICE:
        said = "out"
    words = f"{word} {said}".strip()
    width = min(label_width(words) + 36, 270)
    x = 24.0 if seat == RED else 696 - width
    at = x + 18 if seat == RED else x + width - 18
    inner = f'<tspan class="b f-{tone}" dx="8">{said}</tspan>' if said else ""
    return (
        f'<g id="{colour}-choice" class="mv {colour}-front">'
        f"{panel(seat, 'f-card s-edge', x, 105, width, 36)}"
        f'<text id="{colour}-effect" class="w {outward(1 - seat)}" x="{at:g}" y="131">'
        f"{word}{inner}</text></g>{back}"
    )


def effect(rules: Rules, seat: int, after: State, last: Transition) -> tuple[str, str]:
    """The effect of the choice, and its colour."""
    before, choice = last.before, last.choice(seat)
    me = (before.red, before.blue)[seat]
    if not can_act(rules, me, choice):
        return "no energy", "loss"
    if leaves(rules, me, choice, seat):
        return "out", "loss"
    if choice == Action.LUNGE:
        result = lunge_result(rules, before, last.red, last.blue, after, seat)
        return result.value, "win" if result == Lunge.TOUCH else "loss"
    if choice == Action.PARRY:
        theirs = lunge_result(rules, before, last.red, last.blue, after, 1 - seat)
        if theirs == Lunge.PARRIED:
            return f"+{rules.energy_transfer} energy", "win"
        return "", "soft"
    if choice == Action.BREAK:
        gained = (after.red, after.blue)[seat].energy - me.energy
        return signed(gained) if gained else "full", "win" if gained else "soft"
    if choice >= Action.LUNGE_DRUG:
        if (after.red, after.blue)[seat].doped:
            return "doped", "loss"
        now = (after.red, after.blue)[seat]
        keys = ("energy_max", *(key for _, _, key in SKILLS))
        amount = sum(getattr(now, key) - getattr(me, key) for key in keys)
        return (signed(amount), "ink") if amount else ("no effect", "soft")
    return signed(action_move(rules, me, choice)), "soft"


# The piste


def at(rules: Rules, position: float) -> float:
    return LEFT + (RIGHT - LEFT) * position / rules.piste


def piste(rules: Rules, state: State) -> list[str]:
    red, blue = state.red, state.blue
    fifths = "".join(f"M{at(rules, rules.piste * n / 5):g} {TOP}v42" for n in range(1, 5))
    lines = "".join(
        f"M{at(rules, start):g} {TOP}v42" for start in (rules.red_start, rules.blue_start)
    )
    gap = abs(blue.position - red.position)
    feet = at(rules, red.position), at(rules, blue.position)
    reaches = (
        reach(rules, red, blue, Action.BREAK),
        reach(rules, blue, red, Action.BREAK),
    )
    is_near = gap <= max(reaches)
    said = f"distance {gap}" + (", in reach" if is_near else "")
    middle = max(130, min(590, (feet[0] + feet[1]) / 2))
    tone = "win" if is_near else "soft"
    low, high = min(feet), max(feet)
    span = f"M{low:g} 178H{high:g}M{low:g} 171v14M{high:g} 171v14"
    push = max(0, 26 - (high - low) / 2)  # keeps the two numbers apart
    shift = -push if feet[0] <= feet[1] else push
    return [
        ROPE.format("M24 236Q360 250 696 236"),
        '<use href="#pole" transform="translate(28 326) scale(1.22)"/>',
        '<use href="#pole" transform="translate(692 326) scale(-1.22 1.22)"/>',
        f'<rect class="f-turf s-edge" x="38" y="{TOP}" width="644" height="42" stroke-width="2"/>',
        f'<path class="h s-edge" d="{fifths}"/>',
        f'<path class="k s-wood" d="{lines}" stroke-width="3"/>',
        *(reach_lane(rules, seat, state) for seat in (RED, BLUE)),
        *(
            text(x, 350, said, "m w f-soft")
            for x, said in ((LEFT, "0"), (RIGHT, str(rules.piste)))
            if all(abs(x - foot) > 50 for foot in feet)
        ),
        text(feet[0] + shift, 350, red.position, "m w b", id="red-position"),
        text(feet[1] - shift, 350, blue.position, "m w b", id="blue-position"),
        f'<path class="h s-soft" d="M{low:g} 184V326M{high:g} 184V326" stroke-dasharray="3 4"/>',
        f'<g id="distance"><path class="k s-{tone}" d="{span}" stroke-width="3"/>',
        text(middle, 163, said, f"w b m f-{'win' if is_near else 'ink'}"),
        "</g>",
    ]


def reach_lane(rules: Rules, seat: int, state: State) -> str:
    """The reach of a lunge: pale against any defence but a parry, solid against a parry."""
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    colour, y = SEAT_COLOURS[seat], 289 if seat == RED else 307
    parts = []
    for name, defence, look in (
        ("reach", Action.BREAK, f's-{colour}" fill-opacity=".3" stroke-width="2.5'),
        ("reach-parried", Action.PARRY, f's-{colour}" stroke-width="0'),
    ):
        far = max(0, reach(rules, me, foe, defence))
        forward = far if seat == RED else -far
        end = max(0, min(rules.piste, me.position + forward))
        begin, length = at(rules, me.position), abs(at(rules, end) - at(rules, me.position))
        point = min(7, length)
        if seat == RED:
            drawn = (
                f'<rect class="bar f-red {look}" x="{begin:g}" y="{y}" width="{length:g}"'
                f' height="{SHORT_OF_REACH}" rx="6" id="{colour}-{name}"/>'
            )
        else:
            drawn = (
                f'<path class="d f-blue {look}" d="M{begin:g} {y}h-{length - point:g}'
                f'l-{point:g} 6.5 {point:g} 6.5h{length - point:g}z" id="{colour}-{name}"/>'
            )
        parts.append(drawn)
    return "".join(parts)


# The fencers


def fencer(rules: Rules, seat: int, me: Fencer, last: Transition | None, leaver: int) -> str:
    """The front foot stands at the fencer's position. If a fencer gave up (`leaver`), that foil is
    lowered, and the other salutes.
    """
    colour = SEAT_COLOURS[seat]
    choice = last.choice(seat) if last else Action.BREAK
    lean, legs, foil = 0.0, "M-4-40L-16-22-24-3h-7M0-40L16-24 16-3h8", "M22-56L46-84"
    if leaver != NOBODY:
        foil = "M24-58L44-8" if leaver == seat else "M24-58L26-112"
    elif choice == Action.LUNGE:
        lean, legs, foil = 8.0, "M-4-40L-18-20-34-3h-7M0-40L24-28 34-3h8", "M26-58L67-58"
    elif choice == Action.PARRY:
        lean, foil = -3.0, "M24-58L40-104"
    torso = (
        "M-10-78Q2-84 12-76L9-36Q0-32-10-36Z" if seat == RED else "M-10-80 12-76 10-34 0-40-11-34Z"
    )
    mask = (
        '<circle class="f-steel" r="15"/><path class="f-pale" d="M4-12A14 14 0 0 1 4 12Z"/>'
        if seat == RED
        else '<path class="f-steel" d="M-13-9-4-17H8L15-6 13 9 4 16H-9Z"/>'
        '<path class="f-pale" d="M5-14 13-5 11 8 5 13Z"/>'
    )
    return (
        f'<g id="{colour}-fencer" class="mv" transform="'
        f'{facing(seat, at(rules, me.position), TOP)}">'
        '<g transform="translate(-16 0)">'
        '<path class="f-edge" d="M-40 2Q0-7 40 2 0 10-40 2Z" opacity=".6"/>'
        f'<path class="k d s-bark" d="{legs}" stroke-width="10" id="{colour}-legs"/>'
        f'<g id="{colour}-torso" class="mv" transform="rotate({lean:g})">'
        f'<path class="k s-{colour}" d="M-2-62L-18-50-26-64" stroke-width="8"/>'
        f'<path class="f-{colour}" d="{torso}"/>'
        f'<path class="k s-{colour}" d="M4-68L24-58" stroke-width="9"/></g>'
        f'<g id="{colour}-head" class="mv" transform="translate({lean * 1.3:g} -93)">{mask}</g>'
        f'<path class="k d s-ink" d="{foil}" stroke-width="3" id="{colour}-foil"/>'
        '<circle class="f-mark" cx="24" cy="-58" r="6"/></g></g>'
    )


def touch(rules: Rules, seat: int, state: State, last: Transition | None) -> str:
    """A burst where the fencer was touched."""
    if last is None or last.choice(1 - seat) != Action.LUNGE:
        return ""
    if lunge_result(rules, last.before, last.red, last.blue, state, 1 - seat) != Lunge.TOUCH:
        return ""
    me = state.red if seat == RED else state.blue
    x = at(rules, me.position) + (-6 if seat == RED else 6)
    return impact(seat, x, TOP - 60)


# Energy, reach, drugs


def table(rules: Rules, state: State) -> list[str]:
    is_full = rules.league >= 3
    rows = ["energy", "reach"] + ["drugs", "skills"] * is_full
    height, first, large = (31, 380, "") if is_full else (44, 394, "n ")
    parts = []
    for number, label in enumerate(rows):
        y = first + height * number
        parts.append(text(360, y, label, "m w f-soft"))
        if number:
            parts.append(row_line(y - height + 7 + (height - 31) / 2))
    for seat in (RED, BLUE):
        me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
        colour = SEAT_COLOURS[seat]
        step = -action_energy(rules, me, Action.LUNGE)
        parts += [
            out_of(seat, f"{colour}-energy", first + 1, me.energy, me.energy_max, large),
            bar(
                seat,
                "energy",
                across(seat, 148),
                first - 17,
                180,
                me.energy,
                me.energy_max,
                step=step if step > 0 else 5,
            ),
            *reach_row(rules, seat, me, foe, first + height, large),
        ]
        if is_full:
            y = first + 2 * height
            row = range(152, 152 + 28 * min(rules.max_drugs, MOST_FLASKS), 28)
            parts += [
                out_of(seat, f"{colour}-drugs", y, me.drug_count, rules.max_drugs, large),
                pips(seat, "flask", "drug", row, y - 8, me.drug_count, *FLASK_LOOKS),
                skills(rules, seat, me, first + 3 * height),
            ]
    return parts


@drawn_once
def out_of(seat: int, name: str, y: float, value: int, most: int, large: str) -> str:
    kinds = f"{large}{outward(seat)}" + (" f-loss" if value < 0 else "")
    return (
        f'<text id="{name}" class="{kinds}" x="{across(seat, 60):g}" y="{y:g}">'
        f'{str(value).replace("-", "−")}<tspan class="w f-soft">/{most}</tspan></text>'
    )


def reach_row(rules: Rules, seat: int, me: Fencer, foe: Fencer, y: float, large: str) -> list[str]:
    plain, parried = (reach(rules, me, foe, each) for each in (Action.BREAK, Action.PARRY))
    colour = SEAT_COLOURS[seat]
    side = outward(seat)
    through = f"{parried} if parried" if parried >= 0 else "none if parried"
    return [
        text(across(seat, 60), y + 1, plain, f"{large}{side}", id=f"{colour}-lunge"),
        text(across(seat, 148), y, through, f"w {side}", id=f"{colour}-parried"),
    ]


def skills(rules: Rules, seat: int, me: Fencer, y: float) -> str:
    changes = [(letter, name, getattr(me, key)) for letter, name, key in SKILLS]
    changes.append(("E", "energy", me.energy_max - rules.max_energy))
    found = [each for each in changes if each[2]]
    told = ", ".join(f"{name} {signed(change)}" for _, name, change in found)
    if len(told) > LONGEST_SKILLS:
        told = " ".join(f"{letter}{signed(change)}" for letter, _, change in found)
    kinds = f"w {outward(seat)}" + ("" if told else " f-soft")
    name = f"{SEAT_COLOURS[seat]}-skills"
    x = across(seat, 46 if len(told) > LONGEST_CHOICE else 60)
    # Signs and capital letters are wide: more than four changes would leave the picture.
    width = SKILLS_WIDTH if len(told) > LONGEST_CHOICE and len(found) > WIDE_SKILLS else 0
    return text(x, y, told or "–", kinds, id=name, width=width)
