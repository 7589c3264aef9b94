"""What happened in a round of BAGH and why, and what a choice does, in words."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import (
    BLUE,
    RED,
    Action,
    Fighter,
    Outcome,
    Rules,
    State,
    boost_after,
    damage,
    does_blue_mend,
    does_red_mend,
    heal_limit,
    hp_after,
    is_blocking,
    is_healing,
    is_hit,
    mend_sides,
    priority_after,
    readied,
)
from holmgang.games.contract import SEAT_NAMES, Clause


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    red_mends, blue_mends = does_red_mend(before, face), does_blue_mend(before, face)
    r = readied(rules, before.red, red, red_mends)
    b = readied(rules, before.blue, blue, blue_mends)
    told = [
        *mending(RED, before.red, red_mends),
        *mending(BLUE, before.blue, blue_mends),
        deed(rules, RED, before.red, r, red, b, blue, after.red),
        deed(rules, BLUE, before.blue, b, blue, r, red, after.blue)._replace(continues=True),
    ]
    for seat, was, now in ((RED, before.red, after.red), (BLUE, before.blue, after.blue)):
        if now.hp != was.hp:
            falls = now.hp < was.hp
            change = f"{'falls' if falls else 'rises'} from {was.hp} to {now.hp} hp"
            told.append(Clause(seat, change, now.hp, is_hit=falls))
    return told


def mending(seat: int, fighter: Fighter, mends: bool) -> list[Clause]:
    if fighter.shield_damage == 0:
        return []
    sides = mend_sides(fighter)
    happens = "mends" if mends else "does not mend"
    return [Clause(seat, f"{happens} (the chance was 1 in {sides})", sides, thing="shield")]


def deed(
    rules: Rules,
    seat: int,
    was: Fighter,
    me: Fighter,
    mine: int,
    foe: Fighter,
    theirs: int,
    after: Fighter,
) -> Clause:
    if mine == Action.BOOST:
        if me.boost == was.boost:
            return Clause(seat, f"stays at {me.boost}, the most", me.boost, thing="boost")
        return Clause(seat, f"boosts to {me.boost}", me.boost)
    if mine == Action.ATTACK:
        return attack(rules, seat, me, mine, foe, theirs)
    if mine == Action.HEAL:
        return heal(rules, seat, me, foe, theirs, after)
    return guard(rules, seat, me, foe, theirs, after)


def attack(rules: Rules, seat: int, me: Fighter, mine: int, foe: Fighter, theirs: int) -> Clause:
    dealt = damage(rules, me)
    told = Clause(seat, f"attacks for {dealt}", dealt)
    if is_hit(foe, theirs, me, mine):
        return told
    if theirs == Action.GUARD:
        return told._replace(why=Clause(1 - seat, "guards"), is_reason_told=True)
    faster = Clause(1 - seat, f"has the higher {condition(rules)} {compared(foe, me)}")
    return Clause(seat, f"attacks for {dealt}, too late", dealt, faster)


def guard(
    rules: Rules, seat: int, me: Fighter, foe: Fighter, theirs: int, after: Fighter
) -> Clause:
    if theirs != Action.ATTACK:
        return Clause(seat, "does nothing", why=Clause(1 - seat, "does not attack"), thing="guard")
    if not is_blocking(me, Action.GUARD, foe, theirs):
        return Clause(seat, "fails", why=Clause(seat, "is broken", thing="shield"), thing="guard")
    if after.shield_damage:
        stronger = Clause(
            1 - seat, f"is higher ({foe.boost} against {me.boost})", foe.boost, thing="boost"
        )
        return Clause(
            seat,
            f"stops the attack, but the shield breaks (damage {after.shield_damage})",
            after.shield_damage,
            stronger,
        )
    name, now = condition(rules), after.priority
    if now > me.priority:
        earned = f"earns {name} {now}" if me.priority == 0 else f"raises {name} to {now}"
        return Clause(seat, f"stops the attack and {earned}", now)
    if now == me.priority > 0:
        return Clause(seat, f"stops the attack and keeps {name} {now}", now)
    return Clause(
        seat,
        f"stops the attack but earns no {name}",
        why=dampening(rules, 1 - seat, me, foe),
    )


def dampening(rules: Rules, foe_seat: int, me: Fighter, foe: Fighter) -> Clause | None:
    """Why a guard that stopped an attack earned nothing: the attacker's priority, if it would have
    earned something without that.
    """
    earned = priority_after(rules, me, Action.GUARD, foe, Action.ATTACK)
    undamped = foe._replace(priority=0)
    if priority_after(rules, me, Action.GUARD, undamped, Action.ATTACK) <= earned:
        return None
    is_higher = f"is higher {compared(foe, me)}"
    return Clause(foe_seat, is_higher, foe.priority, thing=condition(rules))


def heal(rules: Rules, seat: int, me: Fighter, foe: Fighter, theirs: int, after: Fighter) -> Clause:
    name = condition(rules)
    if not is_healing(me, Action.HEAL, foe, theirs):
        mine, other = f"{SEAT_NAMES[seat]}'s {name}", SEAT_NAMES[1 - seat]
        slower = f"{mine} ({me.priority}) is not higher than {other}'s ({foe.priority})"
        return Clause(seat, "is lost", why=Clause(1 - seat, f"attacks, and {slower}"), thing="heal")
    hurt = damage(rules, foe) if is_hit(me, Action.HEAL, foe, theirs) else 0
    healed = after.hp - (me.hp - hurt)
    if after.hp > 0 and healed == 0:
        full = Clause(seat, f"has {most_hp(rules, me._replace(hp=me.hp - hurt))}")
        return Clause(seat, "does nothing", 0, full, thing="heal")
    told = Clause(seat, f"heals {healed}", healed) if after.hp > 0 else Clause(seat, "heals")
    if theirs != Action.ATTACK:
        return told
    faster = Clause(seat, f"is higher {compared(me, foe)}", me.priority, thing=name)
    other = SEAT_NAMES[1 - seat]
    return told._replace(what=f"{told.what} although {other} attacks", why=faster)


def condition(rules: Rules) -> str:
    """`priority`, or `advantage` in the earlier rulebook."""
    return fields(rules)[2]


def compared(higher: Fighter, lower: Fighter) -> str:
    return f"({higher.priority} against {lower.priority})"


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    other = SEAT_NAMES[1 - seat]
    if choice == Action.ATTACK:
        return attack_notes(rules, me, foe, other)
    notes = {
        Action.BOOST: boost_notes,
        Action.GUARD: guard_notes,
        Action.HEAL: heal_notes,
    }[Action(choice)](rules, me, foe, other)
    if hp_after(rules, me, choice, foe, Action.ATTACK) == 0:
        may = "may " if choice == Action.GUARD else ""
        notes.append(f"if {other} attacks, you {may}lose")
    return notes


def boost_notes(rules: Rules, me: Fighter, foe: Fighter, other: str) -> list[str]:
    boost = boost_after(rules, me, Action.BOOST)
    if boost == me.boost:
        return [f"no effect: your boost is {boost}, the most"]
    dealt = damage(rules, me._replace(boost=boost))
    return [f"boost {me.boost} → {boost}: your next attack does {dealt}"]


def attack_notes(rules: Rules, me: Fighter, foe: Fighter, other: str) -> list[str]:
    notes = [f"{damage(rules, me)} damage unless {other} guards"]
    if foe.shield_damage:
        broken = f"{other}'s shield is broken and mends {mends(foe)}"
        notes = [f"{damage(rules, me)} damage", broken]
    if me.priority != foe.priority:
        is_mine = me.priority > foe.priority
        owner, verb = ("you", "have") if is_mine else (other, "has")
        higher = "the higher " if min(me.priority, foe.priority) else ""
        hits = "only you hit" if is_mine else f"only {other} hits"
        notes.append(f"if both attack, {hits}: {owner} {verb} {higher}{condition(rules)}")
    return notes


def guard_notes(rules: Rules, me: Fighter, foe: Fighter, other: str) -> list[str]:
    if me.shield_damage:
        return [f"stops an attack only if your shield mends: {mends(me)}"]
    if foe.boost > me.boost:
        boosts = f"{other}'s boost is higher ({foe.boost} against {me.boost})"
        return [f"stops an attack, but your shield breaks: {boosts}"]
    name, now = condition(rules), priority_after(rules, me, Action.GUARD, foe, Action.ATTACK)
    if now > me.priority:
        earned = f"earns {name} {now}" if me.priority == 0 else f"raises {name} to {now}"
        return [f"stops an attack and {earned}"]
    if now == me.priority > 0:
        return [f"stops an attack and keeps {name} {now}"]
    why = dampening(rules, RED, me, foe)
    reason = f": {other} has {name}" if why else ""
    return [f"stops an attack but earns no {name}{reason}"]


def heal_notes(rules: Rules, me: Fighter, foe: Fighter, other: str) -> list[str]:
    healed = hp_after(rules, me, Action.HEAL, foe, Action.BOOST)
    if healed == me.hp:
        return [f"no effect: you already have {most_hp(rules, me)}"]
    if is_healing(me, Action.HEAL, foe, Action.ATTACK):
        stays = f"an attack does not stop it: your {condition(rules)} is higher {compared(me, foe)}"
        return [f"hp {me.hp} → {healed}", stays]
    if hp_after(rules, me, Action.HEAL, foe, Action.ATTACK) == 0:
        return [f"hp {me.hp} → {healed}"]
    return [f"hp {me.hp} → {healed}, lost if {other} attacks"]


def most_hp(rules: Rules, me: Fighter) -> str:
    """Why a heal does not help a fighter: the hp, and the limit of heals."""
    limit = heal_limit(rules, me)
    return f"{me.hp} hp, the most" if me.hp == limit else f"{me.hp} hp, and heals go up to {limit}"


def mends(fighter: Fighter) -> str:
    return f"1 in {mend_sides(fighter)}"


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    if outcome.winner < 0:
        return "Draw: both are down."
    return f"{SEAT_NAMES[outcome.winner]} wins: {SEAT_NAMES[1 - outcome.winner]} is down."
