"""The board of MagicDuel in a terminal."""

from holmgang.games.drawing import (
    NAMES,
    ROOMY,
    STRONG_SEAT_ROLES,
    Comparison,
    Role,
    Row,
    bar,
    centred,
    count,
    mirrored,
    piece,
    versus,
)
from holmgang.games.magic_duel.rules import Kind, Mage, Minion, Phase, Rules, State


def draw_board(rules: Rules, state: State, width: int) -> list[Row]:
    sides = (state.red, state.blue)
    gauge = 15 if width >= ROOMY else 8
    compared = [
        Comparison("hp", *(hp(rules, me, seat, gauge) for seat, me in enumerate(sides))),
        Comparison("magic", *(count(me.magic) for me in sides)),
        Comparison("shield", *(count(me.shield) for me in sides)),
        Comparison("burn", *(burn(me) for me in sides)),
    ]
    for place in range(rules.minions):
        minions = (minion(rules, state, seat, place, width) for seat in (0, 1))
        compared.append(Comparison(f"minion {place + 1}", *minions))
    return [centred(turn(state), width), (), *versus(compared, width)]


def turn(state: State) -> Row:
    whose = piece(NAMES[state.to_move], STRONG_SEAT_ROLES[state.to_move])
    if state.phase == Phase.SPECTER:
        return whose + piece(f"'s specter {state.specter + 1} attacks")
    plural = "s" if state.moves_left != 1 else ""
    return whose + piece(f"'s turn: {state.moves_left} move{plural} left")


def hp(rules: Rules, me: Mage, seat: int, gauge: int) -> Row:
    left = piece(max(0, me.hp), Role.STRONG)
    return mirrored(seat, bar(seat, me.hp, rules.max_hp, gauge), left)


def burn(me: Mage) -> Row:
    return piece(f"{me.burn} a turn", Role.WARNING) if me.burn else piece(0)


def minion(rules: Rules, state: State, seat: int, place: int, width: int) -> Row:
    it: Minion = (state.red, state.blue)[seat].minions[place]
    if it.kind == Kind.NONE:
        return piece("-", Role.DIM)
    if it.kind == Kind.BUBBLE:
        fuse = max(0, rules.bubble_fuse - it.age)
        roomy = f"bubble {it.hp} hp, bursts in {fuse}"
        return piece(roomy if width >= ROOMY else f"bubble {it.hp} ({fuse})")
    attacks = state.phase == Phase.SPECTER and (state.to_move, state.specter) == (seat, place)
    roomy = f"specter {it.hp} hp, attack {it.attack}"
    text = roomy if width >= ROOMY else f"specter {it.hp} x{it.attack}"
    return piece(text, Role.STRONG if attacks else Role.PLAIN)
