"""What happened in a move of MagicDuel, and what a move is for, in words."""

from holmgang.games.contract import NOBODY, SEAT_NAMES, ChoiceLabel, Clause
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

KINDS = ("nothing", "bubble", "specter")


def sides(state: State, seat: int) -> tuple[Mage, Mage]:
    return (state.red, state.blue) if seat == RED else (state.blue, state.red)


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    seat = before.to_move
    choice = red if seat == RED else blue
    me, foe = sides(before, seat)
    now, then = sides(after, seat)
    struck = attacked(rules, me, foe, choice, before.specter)
    told = [deed(rules, seat, me, foe, choice, struck)]
    if is_attack(choice):
        told.extend(wounds(1 - seat, foe, struck, choice))
    if choice >= HEAL:
        told.append(Clause(seat, f"is at {now.hp} hp, shield {now.shield}", now.hp))
    if after.to_move != seat:
        told.extend(turn_start(1 - seat, struck, then))
    return told


def is_attack(choice: int) -> bool:
    return NORMAL <= choice < BUBBLE or STRIKE <= choice < HEAL


def target_of(choice: int) -> int:
    if choice >= STRIKE:
        return choice - STRIKE
    return (choice - (PIERCE if choice >= PIERCE else NORMAL)) % TARGETS


def target_word(foe: Mage, choice: int) -> str:
    target = target_of(choice)
    return f"the {KINDS[foe.minions[target - 1].kind]}" if target else "the player"


def deed(rules: Rules, seat: int, me: Mage, foe: Mage, choice: int, struck: Mage) -> Clause:
    if choice == MAGIC:
        gained = rules.magic_gain
        return Clause(seat, f"gathers {gained} magic ({me.magic + gained})", gained)
    if choice >= HEAL:
        shield = choice - HEAL
        return Clause(seat, f"heals and adds {shield} shield" if shield else "heals", shield)
    if BUBBLE <= choice < STRIKE:
        kind, first = ("specter", SPECTER) if choice >= SPECTER else ("bubble", BUBBLE)
        return Clause(seat, f"{'summons' if choice == first else 'strengthens'} a {kind}")
    target, why = target_word(foe, choice), why_unhurt(1 - seat, foe, struck, choice)
    if choice >= STRIKE:
        return Clause(seat, f"sends a specter at {target}", why=why)
    verb, dealt = "attacks", rules.normal_damage + me.magic
    if choice >= PIERCE:
        verb, dealt = "pierces", rules.pierce_damage
    return Clause(seat, f"{verb} {target} for {dealt}", dealt, why)


def why_unhurt(seat: int, foe: Mage, struck: Mage, choice: int) -> Clause | None:
    """Why an attack on the player of a seat took no hp, if it took none."""
    if target_of(choice) or struck.hp < foe.hp:
        return None
    absorbed = foe.shield - struck.shield
    return Clause(seat, f"absorbs {absorbed}", absorbed, thing="shield")


def wounds(seat: int, foe: Mage, struck: Mage, choice: int) -> list[Clause]:
    """What an attack did to a seat, before the turn passed."""
    target = target_of(choice)
    if target:
        kind, left = KINDS[foe.minions[target - 1].kind], struck.minions[target - 1].hp
        if count(struck) < count(foe):
            return [Clause(seat, "dies", thing=kind)]
        return [Clause(seat, f"is left with {left} hp", left, thing=kind)]
    absorbed, hp = foe.shield - struck.shield, max(0, struck.hp)
    told = [Clause(NOBODY, f"The shield absorbs {absorbed}", absorbed)] if absorbed else []
    if struck.hp < foe.hp:
        burns = f", burning for {struck.burn}" if struck.burn > foe.burn else ""
        told.append(Clause(seat, f"falls to {hp} hp{burns}", hp))
    return told


def turn_start(seat: int, struck: Mage, then: Mage) -> list[Clause]:
    """What the beginning of its turn did to a seat."""
    told, lost, gained = [], struck.hp - then.hp, then.magic - struck.magic
    if lost > 0:
        told.append(Clause(seat, f"burns for {lost} and is at {max(0, then.hp)} hp", lost))
    if gained > 0:
        burst = " and burst" if count(then) < count(struck) else ""
        told.append(Clause(seat, f"bring {gained} magic{burst}", gained, thing="bubbles"))
    return told


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me, foe = sides(state, seat)
    now = moved(rules, me, choice)
    if choice == MAGIC:
        return [f"magic {me.magic} → {now.magic}"]
    if choice >= HEAL:
        shield = "no shield" if choice == HEAL else f"shield {me.shield} → {now.shield}"
        return [f"hp {me.hp} → {now.hp}", shield, *["burn gone"] * (now.burn < me.burn)]
    if is_attack(choice):
        struck = attacked(rules, me, foe, choice, state.specter)
        spent = me.magic - now.magic
        return [*hit_notes(foe, struck, choice), *[f"spends {spent} magic"] * (spent > 0)]
    return [*buff_notes(rules, choice), f"magic {me.magic} → {now.magic}"]


def buff_notes(rules: Rules, choice: int) -> list[str]:
    if choice == BUBBLE:
        gains = f"+{rules.bubble_magic} magic a turn"
        return [f"{rules.bubble_hp} hp", gains, f"bursts on turn {rules.bubble_fuse}"]
    if choice == SPECTER:
        return [f"{rules.specter_hp} hp", f"attacks every turn for {rules.specter_attack}"]
    if choice < SPECTER:
        return [f"that bubble +{rules.bubble_buff_hp} hp"]
    return [f"that specter +{rules.specter_buff_hp} hp", f"+{rules.specter_buff_attack} attack"]


def hit_notes(foe: Mage, struck: Mage, choice: int) -> list[str]:
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
        return [hit, f"burn +{struck.burn - foe.burn}"]
    wasted = NORMAL <= choice < PIERCE and (choice - NORMAL) // TARGETS > 0
    return [hit, "no burn"] if wasted else [hit]


def label(rules: Rules, state: State, seat: int, choice: int) -> ChoiceLabel:
    me, foe = sides(state, seat)
    if choice == MAGIC:
        return ChoiceLabel("Gather magic")
    if choice >= HEAL:
        shield = choice - HEAL
        return ChoiceLabel("Heal", (("Shield", f"{shield} shield" if shield else "no shield"),))
    if choice >= STRIKE:
        place = target_of(choice)
        return ChoiceLabel(f"Attack the {minion_label(foe, place - 1) if place else 'player'}")
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
    return f"{SEAT_NAMES[outcome.winner]} wins: {SEAT_NAMES[1 - outcome.winner]} is {cause}."
