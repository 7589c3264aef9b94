"""MagicDuel as a person at a terminal sees it."""

from holmgang.games.drawing import COLOURS, NAMES, Row, bar, centred, mirrored, versus
from holmgang.games.magic_duel.rules import Kind, Minion, Phase, Player, Rules, State

ROOMY = 64


def draw(rules: Rules, state: State, width: int) -> list[str]:
    sides = (state.red, state.blue)
    gauge = 15 if width >= ROOMY else 8
    rows = [
        Row("hp", *(hp(rules, me, seat, gauge) for seat, me in enumerate(sides))),
        Row("magic", *(number(me.magic) for me in sides)),
        Row("shield", *(number(me.shield) for me in sides)),
        Row("burn", *(burn(me) for me in sides)),
    ]
    for place in range(rules.minions):
        minions = (minion(rules, state, seat, place, width) for seat in (0, 1))
        rows.append(Row(f"minion {place + 1}", *minions))
    return [centred(turn(state), width), "", *versus(rows, width)]


def turn(state: State) -> str:
    whose = f"[bold {COLOURS[state.to_move]}]{NAMES[state.to_move]}[/]"
    if state.phase == Phase.SPECTER:
        return f"{whose}'s specter {state.specter + 1} attacks"
    return f"{whose}'s turn: {state.moves_left} move{'s' if state.moves_left != 1 else ''} left"


def hp(rules: Rules, me: Player, seat: int, gauge: int) -> str:
    return mirrored(seat, bar(seat, me.hp, rules.max_hp, gauge), f"[bold]{max(0, me.hp)}[/]")


def number(value: int) -> str:
    return f"[bold]{value}[/]" if value else "0"


def burn(me: Player) -> str:
    return f"[yellow]{me.burn} a turn[/]" if me.burn else "0"


def minion(rules: Rules, state: State, seat: int, place: int, width: int) -> str:
    it: Minion = (state.red, state.blue)[seat].minions[place]
    if it.kind == Kind.NONE:
        return "[dim]-[/]"
    if it.kind == Kind.BUBBLE:
        fuse = max(0, rules.bubble_fuse - it.age)
        roomy = f"bubble {it.hp} hp, bursts in {fuse}"
        return roomy if width >= ROOMY else f"bubble {it.hp} ({fuse})"
    attacks = state.phase == Phase.SPECTER and (state.to_move, state.specter) == (seat, place)
    roomy = f"specter {it.hp} hp, attack {it.attack}"
    text = roomy if width >= ROOMY else f"specter {it.hp} x{it.attack}"
    return f"[bold]{text}[/]" if attacks else text
