"""MagicDuel's states and choices as JSON and as short text, and back."""

import re
from collections.abc import Iterator

from holmgang.errors import ChoiceError, StateError
from holmgang.games.contract import SEATS
from holmgang.games.fields import FLAG, Bounds, of_both
from holmgang.games.magic_duel.rules import (
    BUBBLE,
    HEAL,
    MAGIC,
    NORMAL,
    NOTHING,
    PIERCE,
    RED,
    SPECTER,
    STRIKE,
    TARGETS,
    Kind,
    Mage,
    Minion,
    Phase,
    Rules,
    State,
    count,
    shields,
)
from holmgang.games.shape import (
    LARGEST,
    JsonObject,
    brief,
    read_int,
    read_object,
    read_word,
)

PHASES = ("move", "specter")
KINDS = ("none", "bubble", "specter")
TARGET_WORDS = ("player", "1", "2")
NUMBERS = ("hp", "magic", "burn", "shield")


# States


def format_state(rules: Rules, state: State) -> JsonObject:
    return {
        "to_move": SEATS[state.to_move],
        "phase": PHASES[state.phase],
        "moves_left": state.moves_left,
        "specter": state.specter,
        "red": format_player(state.red),
        "blue": format_player(state.blue),
    }


def format_player(player: Mage) -> JsonObject:
    numbers = dict(zip(NUMBERS, player[:4], strict=True))
    return {**numbers, "minions": [format_minion(m) for m in player.minions[: count(player)]]}


def format_minion(minion: Minion) -> JsonObject:
    if minion.kind == Kind.BUBBLE:
        return {"kind": "bubble", "hp": minion.hp, "age": minion.age}
    return {"kind": "specter", "hp": minion.hp, "attack": minion.attack, "age": minion.age}


def parse_state(rules: Rules, value: object) -> State:
    value = read_object(value, "state", State._fields)
    state = State(
        to_move=read_word(value, "to_move", SEATS),
        phase=read_word(value, "phase", PHASES),
        moves_left=read_int(value, "moves_left", most=rules.moves),
        specter=read_int(value, "specter", most=1),
        red=parse_player(rules, value["red"], "red"),
        blue=parse_player(rules, value["blue"], "blue"),
    )
    mover = state.red if state.to_move == RED else state.blue
    if state.phase == Phase.MOVE:
        if state.specter:
            raise StateError("specter must be 0 in the phase move")
        if state.moves_left == 0 and state.red.hp > 0 and state.blue.hp > 0:
            raise StateError("moves_left must be at least 1 in the phase move")
    elif mover.minions[state.specter].kind != Kind.SPECTER:
        raise StateError(f"{SEATS[state.to_move]} has no specter at place {state.specter}")
    return state


def parse_player(rules: Rules, value: object, where: str) -> Mage:
    value = read_object(value, where, Mage._fields)
    minions = value["minions"]
    if not isinstance(minions, list) or len(minions) > rules.minions:
        raise StateError(f"{where}.minions must be a list of at most {rules.minions}")
    parsed = [parse_minion(m, f"{where}.minions[{i}]") for i, m in enumerate(minions)]
    first, second = (*parsed, NOTHING, NOTHING)[:2]
    return Mage(
        read_int(value, "hp", where, least=-LARGEST),
        read_int(value, "magic", where),
        read_int(value, "burn", where),
        read_int(value, "shield", where),
        (first, second),
    )


def parse_minion(value: object, where: str) -> Minion:
    if not isinstance(value, dict):
        raise StateError(f"{where} must be a bubble or a specter; not {brief(value)}")
    kind = read_word(value, "kind", KINDS[1:], where) + 1
    keys = ("kind", "hp", "age") if kind == Kind.BUBBLE else ("kind", "hp", "attack", "age")
    read_object(value, where, keys)
    return Minion(
        kind,
        read_int(value, "hp", where, least=1),
        read_int(value, "attack", where) if kind == Kind.SPECTER else 0,
        read_int(value, "age", where),
    )


# States as short text

TEXT = re.compile(r"([rb])(\d)(?:s(\d))?/([^/]+)/([^/]+)")
MINION = re.compile(r"b(\d+)@(\d+)|s(\d+)x(\d+)@(\d+)")


def format_text(rules: Rules, state: State) -> str:
    """The state as text: `r2/25.0.0.0/25.0.0.0` is the start (red has 2 moves; hp, magic, burn and
    shield of each). Minions follow: `+b6@1` a bubble of 6 hp and age 1, `+s10x1@0` a specter that
    attacks for 1; and `r0s1/…` means that red's specter at place 1 attacks now.
    """
    specter = f"s{state.specter}" if state.phase == Phase.SPECTER else ""
    sides = (short_player(player) for player in (state.red, state.blue))
    return "/".join((f"{SEATS[state.to_move][0]}{state.moves_left}{specter}", *sides))


def short_player(player: Mage) -> str:
    words = [".".join(map(str, player[:4]))]
    for minion in player.minions[: count(player)]:
        strength = f"x{minion.attack}" if minion.kind == Kind.SPECTER else ""
        words.append(f"{KINDS[minion.kind][0]}{minion.hp}{strength}@{minion.age}")
    return "+".join(words)


def parse_text(rules: Rules, text: str) -> State:
    try:
        match = TEXT.fullmatch(text)
        if match is None:
            raise ValueError
        seat, moves, specter, red, blue = match.groups()
        value = {
            "to_move": SEATS["rb".index(seat)],
            "phase": PHASES[specter is not None],
            "moves_left": int(moves),
            "specter": int(specter or 0),
            "red": long_player(red),
            "blue": long_player(blue),
        }
    except ValueError:
        raise StateError(
            "a state as text is r or b with the moves left, then hp.magic.burn.shield and minions "
            f"of each, such as r2/25.0.0.0/25.4.0.3+b6@1+s10x1@0; not {brief(text)}"
        ) from None
    return parse_state(rules, value)


def long_player(text: str) -> JsonObject:
    numbers, *minions = text.split("+")
    values: JsonObject = dict(zip(NUMBERS, map(int, numbers.split(".")), strict=True))
    return {**values, "minions": [long_minion(minion) for minion in minions]}


def long_minion(text: str) -> JsonObject:
    match = MINION.fullmatch(text)
    if match is None:
        raise ValueError
    bubble_hp, bubble_age, hp, attack, age = match.groups()
    if bubble_hp is not None:
        return {"kind": "bubble", "hp": int(bubble_hp), "age": int(bubble_age)}
    return {"kind": "specter", "hp": int(hp), "attack": int(attack), "age": int(age)}


# Choices

MOST_SHIELD = 10**15 - 1  # the largest number of 15 digits
HEAL_WORD = re.compile(r"heal (0|[1-9]\d{0,14})", re.ASCII)
HEAL_SHORT = re.compile(r"h(\d+)", re.ASCII)


def all_but_heals() -> Iterator[tuple[int, str, str]]:
    """Every choice that is not a heal, with its word and its short form."""
    yield MAGIC, "magic", "m"
    for target, word in enumerate(TARGET_WORDS):
        short = str(target) if target else ""
        for burn in range(5):
            yield NORMAL + burn * TARGETS + target, f"normal {burn} {word}", f"n{burn}{short}"
        yield PIERCE + target, f"pierce {word}", f"p{short}"
        yield BUBBLE + target, f"bubble {short}".strip(), f"b{short}"
        yield SPECTER + target, f"specter {short}".strip(), f"s{short}"
        yield STRIKE + target, word, str(target)


WORDS = {choice: word for choice, word, _ in all_but_heals()}
SHORTS = {choice: short for choice, _, short in all_but_heals()}
CHOICES = {word: choice for choice, word in WORDS.items()}
EXPANDED = {short: WORDS[choice] for choice, short in SHORTS.items()}


def format_choice(rules: Rules, choice: int) -> str:
    return f"heal {choice - HEAL}" if choice >= HEAL else WORDS[choice]


def parse_choice(rules: Rules, word: str) -> int:
    heal = HEAL_WORD.fullmatch(word)
    if heal:
        return HEAL + int(heal[1])
    if word in CHOICES:
        return CHOICES[word]
    raise ChoiceError(
        f"{brief(word)} is not a choice; choose magic, heal N, normal BURN TARGET, "
        "pierce TARGET, bubble, bubble K, specter, specter K, or for a specter TARGET; "
        "a TARGET is player, 1 or 2"
    )


def harmless(rules: Rules, state: State, seat: int) -> int:
    """A heal without a shield; for a specter, an attack on the player."""
    return STRIKE if state.phase == Phase.SPECTER else HEAL


def amounts(rules: Rules, state: State, seat: int) -> dict[str, tuple[int, int]]:
    """The shield of a heal (M6); without a limit in the rules, up to 15 digits."""
    if seat != state.to_move or state.phase == Phase.SPECTER:
        return {}
    return {"heal": (0, rules.shield_limit if rules.shield_limit >= 0 else MOST_SHIELD)}


def format_short(rules: Rules, choice: int) -> str:
    """`m`, `h5`, `n2` (normal, burn 2, at the player), `n01` (burn 0, minion 1), `p`, `p1`, `b`,
    `b1`, `s`, `s1`; for a specter's target `0`, `1` or `2`.
    """
    return f"h{choice - HEAL}" if choice >= HEAL else SHORTS[choice]


def expand_short(rules: Rules, text: str) -> str | None:
    heal = HEAL_SHORT.fullmatch(text)
    return f"heal {heal[1]}" if heal else EXPANDED.get(text)


# Seats exchanged, and bounds


def is_symmetric(rules: Rules) -> bool:
    return True


def mirror(rules: Rules, state: State) -> State:
    """The same state with the seats exchanged."""
    return State(
        1 - state.to_move, state.phase, state.moves_left, state.specter, state.blue, state.red
    )


def choice_count(rules: Rules) -> int:
    """The number of choices on a menu; heals with more shield have higher numbers."""
    return HEAL + shields(rules).bit_length()


def field_bounds(rules: Rules) -> dict[str, Bounds]:
    amount: Bounds = (0, None)
    mage: dict[str, Bounds] = {"hp": (None, rules.max_hp), **dict.fromkeys(NUMBERS[1:], amount)}
    for place in range(2):
        mage[f"minions[{place}].kind"] = (0, len(KINDS) - 1)
        mage |= {f"minions[{place}].{name}": amount for name in ("hp", "attack", "age")}
    return {
        "to_move": FLAG,
        "phase": FLAG,
        "moves_left": (0, rules.moves),
        "specter": FLAG,
        **of_both(mage),
    }
