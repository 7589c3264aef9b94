"""What happened in a move of MagicDuel, and what a move does, in words."""

from holmgang.games.contract import SEAT_NAMES, ChoiceLabel, Clause
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
        told.extend(healing(seat, me, now))
    if after.to_move != seat:
        told.extend(turn_start(1 - seat, struck, then))
    return told


def healing(seat: int, me: Mage, now: Mage) -> list[Clause]:
    """What a heal did to its own seat."""
    told = []
    if now.hp > me.hp:
        told.append(Clause(seat, f"rises from {me.hp} to {now.hp} hp", now.hp))
    else:
        full = Clause(seat, f"is at {me.hp} hp, the most", me.hp)
        told.append(Clause(seat, "gains no hp", 0, full))
    if me.burn:
        told.append(Clause(seat, "stops burning"))
    if now.shield > me.shield:
        told.append(Clause(seat, f"is now {now.shield}", now.shield, thing="shield"))
    return told


def is_attack(choice: int) -> bool:
    return NORMAL <= choice < BUBBLE or STRIKE <= choice < HEAL


def target_of(choice: int) -> int:
    if choice >= STRIKE:
        return choice - STRIKE
    return (choice - (PIERCE if choice >= PIERCE else NORMAL)) % TARGETS


def target_word(seat: int, foe: Mage, choice: int) -> str:
    """The target of an attack on this seat."""
    target, name = target_of(choice), SEAT_NAMES[seat]
    return f"{name}'s {KINDS[foe.minions[target - 1].kind]}" if target else name


def deed(rules: Rules, seat: int, me: Mage, foe: Mage, choice: int, struck: Mage) -> Clause:
    if choice == MAGIC:
        gained = rules.magic_gain
        return Clause(seat, f"gathers {gained} magic and has {me.magic + gained}", gained)
    if choice >= HEAL:
        shield = choice - HEAL
        return Clause(seat, f"heals and adds {shield} shield" if shield else "heals", shield)
    if BUBBLE <= choice < STRIKE:
        kind, first = ("specter", SPECTER) if choice >= SPECTER else ("bubble", BUBBLE)
        return Clause(seat, f"{'summons' if choice == first else 'strengthens'} a {kind}")
    target, why = target_word(1 - seat, foe, choice), why_unhurt(1 - seat, foe, struck, choice)
    if choice >= STRIKE:
        return Clause(seat, f"attacks {target}", None, why, "specter", is_reason_told=True)
    verb, dealt = "attacks", rules.normal_damage + me.magic
    if choice >= PIERCE:
        verb, dealt = "pierces", rules.pierce_damage
    return Clause(seat, f"{verb} {target} for {dealt}", dealt, why, is_reason_told=True)


def why_unhurt(seat: int, foe: Mage, struck: Mage, choice: int) -> Clause | None:
    """Why an attack on a player took no hp; None if it took some, or was on a minion."""
    if target_of(choice) or struck.hp < foe.hp:
        return None
    absorbed = foe.shield - struck.shield
    return Clause(seat, f"takes all {absorbed}", absorbed, thing="shield")


def wounds(seat: int, foe: Mage, struck: Mage, choice: int) -> list[Clause]:
    """What an attack did to a seat, before the turn passed."""
    target, name = target_of(choice), SEAT_NAMES[seat]
    if target:
        kind, left = KINDS[foe.minions[target - 1].kind], struck.minions[target - 1].hp
        if count(struck) < count(foe):
            return [Clause(seat, "dies", thing=kind)]
        return [Clause(seat, f"is left with {left} hp", left, thing=kind)]
    absorbed, hp = foe.shield - struck.shield, max(0, struck.hp)
    if struck.hp == foe.hp and not absorbed:
        return [Clause(seat, "loses nothing", 0)]
    if struck.hp == foe.hp:
        return [
            Clause(seat, f"takes all {absorbed}, {name} loses nothing", absorbed, thing="shield")
        ]
    told = []
    if absorbed:
        told.append(Clause(seat, f"takes {absorbed}", absorbed, thing="shield"))
    elif foe.shield:
        told.append(Clause(seat, "does not stop it", thing="shield"))
    burns = f" and now burns for {struck.burn} a turn" if struck.burn > foe.burn and hp else ""
    told.append(Clause(seat, f"falls from {foe.hp} to {hp} hp{burns}", hp, is_hit=True))
    return told


def turn_start(seat: int, struck: Mage, then: Mage) -> list[Clause]:
    """What the beginning of its turn did to a seat."""
    told, lost, gained = [], struck.hp - then.hp, then.magic - struck.magic
    if lost > 0:
        burns = f"burns for {lost} as the turn begins: {struck.hp} → {max(0, then.hp)} hp"
        told.append(Clause(seat, burns, lost))
    if gained > 0:
        burst = " and burst" if count(then) < count(struck) else ""
        told.append(Clause(seat, f"bring {gained} magic{burst}", gained, thing="bubbles"))
    return told


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me, foe = sides(state, seat)
    now, other = moved(rules, me, choice), SEAT_NAMES[1 - seat]
    if choice == MAGIC:
        dealt = rules.normal_damage + now.magic
        return [f"magic {me.magic} → {now.magic}: a normal attack then does {dealt}"]
    if choice >= HEAL:
        return heal_notes(me, now)
    if is_attack(choice):
        struck = attacked(rules, me, foe, choice, state.specter)
        spent = me.magic - now.magic
        magic = [f"spends all {spent} magic"] * (spent > 0)
        return [*hit_notes(other, foe, struck, choice), *magic]
    return [*buff_notes(rules, me, now, choice), f"magic {me.magic} → {now.magic}"]


def heal_notes(me: Mage, now: Mage) -> list[str]:
    notes = []
    if now.hp > me.hp:
        notes.append(f"hp {me.hp} → {now.hp}")
    if now.shield > me.shield:
        notes.append(f"shield {me.shield} → {now.shield}, which takes damage first")
    if me.burn:
        notes.append(f"stops your burn of {me.burn}")
    full = f"you have {me.hp} hp, the most"
    if not notes:
        return [f"no effect: {full}"]
    return notes if now.hp > me.hp else [f"no hp: {full}", *notes]


def buff_notes(rules: Rules, me: Mage, now: Mage, choice: int) -> list[str]:
    if choice == BUBBLE:
        gains = f"a bubble with {rules.bubble_hp} hp gives {rules.bubble_magic} magic a turn"
        return [gains, f"on turn {rules.bubble_fuse} it bursts and gives its hp as magic"]
    if choice == SPECTER:
        attack = f"attacks every turn for {rules.specter_attack}"
        return [f"a specter with {rules.specter_hp} hp {attack}"]
    place = choice - (BUBBLE if choice < SPECTER else SPECTER) - 1
    old, new = me.minions[place], now.minions[place]
    hp = f"{KINDS[old.kind]} {old.hp} → {new.hp} hp"
    return [hp, *[f"attack {old.attack} → {new.attack}"] * (new.attack > old.attack)]


def hit_notes(other: str, foe: Mage, struck: Mage, choice: int) -> list[str]:
    """What an attack does to its target, and to the burn of the seat."""
    target = target_of(choice)
    is_burning = NORMAL <= choice < PIERCE and (choice - NORMAL) // TARGETS > 0
    if target:
        minion = foe.minions[target - 1]
        dies = count(struck) < count(foe)
        left = "dies" if dies else f"{minion.hp} → {struck.minions[target - 1].hp} hp"
        wasted = ["minions do not burn"] if is_burning else []
        return [f"{other}'s {KINDS[minion.kind]} {left}", *wasted]
    absorbed = foe.shield - struck.shield
    if struck.hp == foe.hp:
        burn = ", and nothing burns" if is_burning else ""
        shield = f": the shield takes all {absorbed}{burn}" if absorbed else ""
        return [f"{other} loses nothing{shield}"]
    if struck.hp <= 0:
        return [f"{other} {foe.hp} → 0 hp: you win"]
    hit = f"{other} {foe.hp} → {struck.hp} hp"
    notes = [f"{hit}, the shield takes {absorbed}" if absorbed else hit]
    if struck.burn > foe.burn:
        notes.append(f"burn {foe.burn} → {struck.burn}: {other} loses that much each turn")
    return notes


def label(rules: Rules, state: State, seat: int, choice: int) -> ChoiceLabel:
    me, foe = sides(state, seat)
    if choice == MAGIC:
        return ChoiceLabel("Gather magic")
    if choice >= HEAL:
        shield = choice - HEAL
        return ChoiceLabel("Heal", (("Shield", f"{shield} shield" if shield else "no shield"),))
    if choice >= STRIKE:
        place = target_of(choice)
        aim = f"the {minion_label(foe, place - 1)}" if place else SEAT_NAMES[1 - seat]
        return ChoiceLabel(f"Attack {aim}")
    if choice >= BUBBLE:
        kind, first = ("specter", SPECTER) if choice >= SPECTER else ("bubble", BUBBLE)
        if choice == first:
            return ChoiceLabel(f"Summon a {kind}")
        buffed = minion_label(me, choice - first - 1)
        return ChoiceLabel(f"Strengthen a {kind}", (("Minion", buffed),))
    target = ("Target", target_label(1 - seat, foe, choice))
    if choice >= PIERCE:
        return ChoiceLabel("Piercing attack", (target,))
    burn = (choice - NORMAL) // TARGETS
    return ChoiceLabel("Normal attack", (("Burn", f"burn {burn}" if burn else "no burn"), target))


def target_label(seat: int, foe: Mage, choice: int) -> str:
    target = target_of(choice)
    return minion_label(foe, target - 1) if target else SEAT_NAMES[seat]


def minion_label(owner: Mage, place: int) -> str:
    """The minion at a place; if both minions have the same label, with `first` or `second`."""
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
