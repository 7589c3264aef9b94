"""MagicDuel as a person at a terminal sees it."""

from holmgang.games.drawing import COLOURS, NAMES, bar, field, heading, side_by_side
from holmgang.games.magic_duel.rules import Kind, Minion, Phase, Player, Rules, State, count


def draw(rules: Rules, state: State, width: int) -> list[str]:
    left = f"{state.moves_left} move{'s' if state.moves_left != 1 else ''} left"
    if state.phase == Phase.SPECTER:
        left = f"specter {state.specter + 1} attacks"
    return [
        f"{NAMES[state.to_move]} to move, {left}",
        "",
        *side_by_side(player(rules, state, 0), player(rules, state, 1), width),
    ]


def player(rules: Rules, state: State, seat: int) -> list[str]:
    me: Player = (state.red, state.blue)[seat]
    lines = [
        heading(seat) + (" [bold]◄[/]" if state.to_move == seat else ""),
        field("hp", f"[{COLOURS[seat]}]{bar(me.hp, rules.max_hp, 12)}[/] {me.hp}"),
        field("magic", str(me.magic)),
        field("shield", str(me.shield)),
        field("burn", f"[yellow]{me.burn} a turn[/]" if me.burn else "none"),
    ]
    for place in range(count(me)):
        lines.append(field(f"minion {place + 1}", minion(rules, me.minions[place])))
    return lines


def minion(rules: Rules, it: Minion) -> str:
    if it.kind == Kind.BUBBLE:
        return f"bubble {it.hp} hp, explodes in {max(0, rules.bubble_fuse - it.age)}"
    return f"specter {it.hp} hp, attack {it.attack}"
