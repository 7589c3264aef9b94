"""What happened in a move of MagicDuel, and what a move is for, in words."""

from holmgang.games.magic_duel.rules import (
    BUBBLE,
    HEAL,
    MAGIC,
    NORMAL,
    PIERCE,
    RED,
    SPECTER,
    STRIKE,
    TARGETS,
    Outcome,
    Phase,
    Player,
    Rules,
    State,
    count,
)

NAMES = ("Red", "Blue")
KINDS = ("nothing", "bubble", "specter")


def sides(state: State, seat: int) -> tuple[Player, Player]:
    return (state.red, state.blue) if seat == RED else (state.blue, state.red)


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[str]:
    seat = before.to_move
    choice = red if seat == RED else blue
    me, foe = sides(before, seat)
    now, then = sides(after, seat)
    passed = after.to_move != seat
    lines = [f"{NAMES[seat]} {deed(rules, me, foe, choice)}."]
    if is_attack(choice):
        lines.extend(wounds(NAMES[1 - seat], foe, then, choice, passed=passed))
    if choice >= HEAL:
        lines.append(f"{NAMES[seat]} is at {now.hp} hp, shield {now.shield}.")
    if passed:
        lines.extend(turn_lines(rules, NAMES[1 - seat], foe, then, is_attack(choice)))
    return lines


def is_attack(choice: int) -> bool:
    return NORMAL <= choice < BUBBLE or STRIKE <= choice < HEAL


def target_of(choice: int) -> int:
    if choice >= STRIKE:
        return choice - STRIKE
    return (choice - (PIERCE if choice >= PIERCE else NORMAL)) % TARGETS


def target_word(foe: Player, choice: int) -> str:
    target = target_of(choice)
    return f"the {KINDS[foe.minions[target - 1].kind]}" if target else "the player"


def deed(rules: Rules, me: Player, foe: Player, choice: int) -> str:
    if choice == MAGIC:
        return f"gathers {rules.magic_gain} magic ({me.magic + rules.magic_gain})"
    if choice >= HEAL:
        return "heals" + (f" and adds {choice - HEAL} shield" if choice > HEAL else "")
    if choice >= STRIKE:
        return f"sends a specter at {target_word(foe, choice)}"
    if choice >= BUBBLE:
        kind, first = ("specter", SPECTER) if choice >= SPECTER else ("bubble", BUBBLE)
        return f"summons a {kind}" if choice == first else f"strengthens a {kind}"
    if choice >= PIERCE:
        return f"pierces {target_word(foe, choice)} for {rules.pierce_damage}"
    return f"attacks {target_word(foe, choice)} for {rules.normal_damage + me.magic}"


def wounds(name: str, foe: Player, then: Player, choice: int, *, passed: bool) -> list[str]:
    """What an attack did, as far as the turn's end has not covered it."""
    target = target_of(choice)
    if target:
        return [f"A {KINDS[foe.minions[target - 1].kind]} of {name}'s dies."] * (
            count(then) < count(foe) and not passed
        )
    if passed:
        return []
    lost = foe.hp - then.hp
    absorbed = foe.shield - then.shield
    lines = [f"The shield absorbs {absorbed}."] if absorbed else []
    if lost:
        lines.append(f"{name} falls to {then.hp} hp" + burn_note(foe, then) + ".")
    return lines


def burn_note(foe: Player, then: Player) -> str:
    return f", burning for {then.burn}" if then.burn > foe.burn else ""


def turn_lines(rules: Rules, name: str, foe: Player, then: Player, attacked: bool) -> list[str]:
    """The turn passes: what its new owner is left with."""
    burned = f", {then.burn} of it lost to burn just now" if then.burn else ""
    lines = [f"{name}'s turn begins: {then.hp} hp{burned}."]
    if then.magic > foe.magic:
        lines.append(f"Bubbles bring {then.magic - foe.magic} magic.")
    return lines


def preview(rules: Rules, state: State, seat: int, choice: int) -> str:
    me, foe = sides(state, seat)
    if choice == MAGIC:
        return f"magic {me.magic} → {me.magic + rules.magic_gain}"
    if choice >= HEAL:
        hp = min(me.hp + rules.heal, rules.max_hp)
        cured = ", burn gone" if me.burn else ""
        return f"hp {me.hp} → {hp}, shield {me.shield} → {me.shield + choice - HEAL}{cured}"
    if choice >= STRIKE:
        return damage_note(foe, choice, me.minions[state.specter].attack, pierces=False)
    if choice >= BUBBLE:
        cost = rules.specter_cost if choice >= SPECTER else rules.bubble_cost
        return f"magic {me.magic} → {me.magic - cost}" + buff_note(rules, choice)
    if choice >= PIERCE:
        return damage_note(foe, choice, rules.pierce_damage, pierces=True)
    burn = (choice - NORMAL) // TARGETS
    burning = f", burn +{burn}" if burn and not target_of(choice) else ""
    spent = f", spends {me.magic} magic" if me.magic else ""
    damage = rules.normal_damage + me.magic
    return damage_note(foe, choice, damage, pierces=False) + burning + spent


def buff_note(rules: Rules, choice: int) -> str:
    if choice == BUBBLE:
        return f", {rules.bubble_hp} hp, gives magic and explodes on its {rules.bubble_fuse}th turn"
    if choice == SPECTER:
        return f", {rules.specter_hp} hp, attacks every turn for {rules.specter_attack}"
    if choice < SPECTER:
        return f", that bubble +{rules.bubble_buff_hp} hp"
    return f", that specter +{rules.specter_buff_hp} hp and +{rules.specter_buff_attack} attack"


def damage_note(foe: Player, choice: int, damage: int, *, pierces: bool) -> str:
    target = target_of(choice)
    if target:
        minion = foe.minions[target - 1]
        return f"{damage} to a {KINDS[minion.kind]} of {minion.hp} hp"
    through = damage if pierces else max(0, damage - foe.shield)
    blocked = f" ({damage - through} on the shield)" if through < damage else ""
    return f"{through} damage{blocked}"


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    if outcome.winner < 0:
        return "Tie: both are dead."
    fallen = sides(state, 1 - outcome.winner)[0]
    burned = state.phase == Phase.MOVE and state.to_move == 1 - outcome.winner and fallen.burn
    cause = "burned to death" if burned else "dead"
    return f"{NAMES[outcome.winner]} wins: {NAMES[1 - outcome.winner]} is {cause}."
