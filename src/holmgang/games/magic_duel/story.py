"""What happened in a move of MagicDuel, and what a move is for, in words."""

from holmgang.games.contract import ChoiceLabel
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
    Kind,
    Mage,
    Minion,
    Outcome,
    Phase,
    Rules,
    State,
    attacked,
    count,
    moved,
)

NAMES = ("Red", "Blue")
KINDS = ("nothing", "bubble", "specter")


def sides(state: State, seat: int) -> tuple[Mage, Mage]:
    return (state.red, state.blue) if seat == RED else (state.blue, state.red)


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[str]:
    seat = before.to_move
    choice = red if seat == RED else blue
    me, foe = sides(before, seat)
    now, then = sides(after, seat)
    struck = attacked(rules, me, foe, choice, before.specter)
    lines = [f"{NAMES[seat]} {deed(rules, me, foe, choice)}."]
    if is_attack(choice):
        lines.extend(wounds(NAMES[1 - seat], foe, struck, choice))
    if choice >= HEAL:
        lines.append(f"{NAMES[seat]} is at {now.hp} hp, shield {now.shield}.")
    if after.to_move != seat:
        lines.extend(turn_lines(NAMES[1 - seat], struck, then))
    return lines


def is_attack(choice: int) -> bool:
    return NORMAL <= choice < BUBBLE or STRIKE <= choice < HEAL


def target_of(choice: int) -> int:
    if choice >= STRIKE:
        return choice - STRIKE
    return (choice - (PIERCE if choice >= PIERCE else NORMAL)) % TARGETS


def target_word(foe: Mage, choice: int) -> str:
    target = target_of(choice)
    return f"the {KINDS[foe.minions[target - 1].kind]}" if target else "the player"


def deed(rules: Rules, me: Mage, foe: Mage, choice: int) -> str:
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


def wounds(name: str, foe: Mage, struck: Mage, choice: int) -> list[str]:
    """What an attack did, before the turn passed."""
    target = target_of(choice)
    if target:
        kind = KINDS[foe.minions[target - 1].kind]
        if count(struck) < count(foe):
            return [f"{name}'s {kind} dies."]
        return [f"{name}'s {kind} is left with {struck.minions[target - 1].hp} hp."]
    absorbed = foe.shield - struck.shield
    lines = [f"The shield absorbs {absorbed}."] if absorbed else []
    if struck.hp < foe.hp:
        burns = f", burning for {struck.burn}" if struck.burn > foe.burn else ""
        lines.append(f"{name} falls to {max(0, struck.hp)} hp{burns}.")
    return lines


def turn_lines(name: str, struck: Mage, then: Mage) -> list[str]:
    """The turn passes: what its beginning did to its new owner."""
    lines = []
    if then.hp < struck.hp:
        lines.append(f"{name} burns for {struck.hp - then.hp} and is at {max(0, then.hp)} hp.")
    if then.magic > struck.magic:
        burst = " and burst" if count(then) < count(struck) else ""
        lines.append(f"{name}'s bubbles bring {then.magic - struck.magic} magic{burst}.")
    return lines


def preview(rules: Rules, state: State, seat: int, choice: int) -> str:
    me, foe = sides(state, seat)
    now = moved(rules, me, choice)
    if choice == MAGIC:
        return f"magic {me.magic} → {now.magic}"
    if choice >= HEAL:
        shield = "no shield" if choice == HEAL else f"shield {me.shield} → {now.shield}"
        cured = ", burn gone" if now.burn < me.burn else ""
        return f"hp {me.hp} → {now.hp}, {shield}{cured}"
    if is_attack(choice):
        struck = attacked(rules, me, foe, choice, state.specter)
        spent = f", spends {me.magic - now.magic} magic" if now.magic < me.magic else ""
        return hit_note(foe, struck, choice) + spent
    return f"{buff_note(rules, choice)}, magic {me.magic} → {now.magic}"


def buff_note(rules: Rules, choice: int) -> str:
    if choice == BUBBLE:
        fuse = f"bursts on turn {rules.bubble_fuse}"
        return f"{rules.bubble_hp} hp, +{rules.bubble_magic} magic a turn, {fuse}"
    if choice == SPECTER:
        return f"{rules.specter_hp} hp, attacks every turn for {rules.specter_attack}"
    if choice < SPECTER:
        return f"that bubble +{rules.bubble_buff_hp} hp"
    return f"that specter +{rules.specter_buff_hp} hp, +{rules.specter_buff_attack} attack"


def hit_note(foe: Mage, struck: Mage, choice: int) -> str:
    """What an attack does to its target, and to the burn of the player."""
    target = target_of(choice)
    if target:
        minion = foe.minions[target - 1]
        dies = count(struck) < count(foe)
        left = "dies" if dies else f"{minion.hp} → {struck.minions[target - 1].hp} hp"
        hit = f"{KINDS[minion.kind]} {left}"
    else:
        absorbed = foe.shield - struck.shield
        blocked = f" ({absorbed} on the shield)" if absorbed else ""
        hit = f"{foe.hp - struck.hp} damage{blocked}"
    if struck.burn > foe.burn:
        return f"{hit}, burn +{struck.burn - foe.burn}"
    wasted = NORMAL <= choice < PIERCE and (choice - NORMAL) // TARGETS > 0
    return f"{hit}, no burn" if wasted else hit


def label(rules: Rules, state: State, seat: int, choice: int) -> ChoiceLabel:
    me, foe = sides(state, seat)
    if choice == MAGIC:
        return ChoiceLabel("Gather magic")
    if choice >= HEAL:
        shield = choice - HEAL
        return ChoiceLabel("Heal", (("Shield", f"{shield} shield" if shield else "no shield"),))
    if choice >= STRIKE:
        return ChoiceLabel(f"Attack the {target_label(foe, choice).removeprefix('the ')}")
    if choice >= BUBBLE:
        kind, first = ("specter", SPECTER) if choice >= SPECTER else ("bubble", BUBBLE)
        if choice == first:
            return ChoiceLabel(f"Summon a {kind}")
        buffed = minion_label(me, choice - first - 1)
        return ChoiceLabel(f"Strengthen a {kind}", (("Minion", buffed),))
    target = ("Target", target_label(foe, choice))
    if choice >= PIERCE:
        return ChoiceLabel("Piercing attack", (target,))
    burn = (choice - NORMAL) // TARGETS
    return ChoiceLabel("Normal attack", (("Burn", f"burn {burn}" if burn else "no burn"), target))


def target_label(foe: Mage, choice: int) -> str:
    target = target_of(choice)
    return minion_label(foe, target - 1) if target else "the player"


def minion_label(owner: Mage, place: int) -> str:
    """The minion at a place; of two that read alike, also which of them it is."""
    first, second = map(minion_phrase, owner.minions)
    which = ("first ", "second ")[place] if first == second else ""
    return which + (first, second)[place]


def minion_phrase(minion: Minion) -> str:
    attack = f", attack {minion.attack}" if minion.kind == Kind.SPECTER else ""
    return f"{KINDS[minion.kind]} ({minion.hp} hp{attack})"


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    if outcome.winner < 0:
        return "Tie: both are dead."
    fallen = sides(state, 1 - outcome.winner)[0]
    burned = state.phase == Phase.MOVE and state.to_move == 1 - outcome.winner and fallen.burn
    cause = "burned to death" if burned else "dead"
    return f"{NAMES[outcome.winner]} wins: {NAMES[1 - outcome.winner]} is {cause}."
