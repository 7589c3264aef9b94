"""Checks that every game must pass, for those who add one.

    >>> from holmgang.games.ruleset import load
    >>> check(load("bagh"))

Each of the `CHECKS` takes a ruleset and raises an `AssertionError` that says what is wrong and in
which state. They play the ruleset at random with a fixed seed, and need no test framework.
"""

import ast
import inspect
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice, product
from typing import Any, TypeVar

from holmgang.errors import ChanceError, ChoiceError, HolmgangError, StateError
from holmgang.games.checking import Played, difference_text
from holmgang.games.contract import BLUE, NO_CHOICE, NOBODY, RED, SEATS, State
from holmgang.games.defaults.exploring import results
from holmgang.games.defaults.symmetry import difference
from holmgang.games.describe import rules_markdown
from holmgang.games.drawing import Role, row_text
from holmgang.games.fields import leaves_of, numbers_of
from holmgang.games.ruleset import Ruleset, load, preset_text
from holmgang.games.settings import rule_defaults, rule_ranges

Parsed = TypeVar("Parsed")

PLAYOUTS = 8
ENOUGH_ROUNDS = 400
THROWN_ROUNDS, ENOUGH_THROWN = 4_000, 40
LONGEST_PLAYOUT = 20_000
WIDTHS = range(40, 121)
WIDTHS_APART = 8
NOT_A_CHOICE = ("", " ", "no such choice", "0 0", "-1", "\x00", "½")
NOT_A_STATE: tuple[object, ...] = (
    None,
    True,
    0,
    1.5,
    "x",
    [],
    {},
    [{}],
    {"red": None, "blue": None},
)


def check(ruleset: Ruleset) -> None:
    """Runs every check on the ruleset."""
    for run in CHECKS.values():
        run(ruleset)


def require(condition: object, message: str) -> None:
    if not condition:
        raise AssertionError(message)


# Playing at random


def is_over(ruleset: Ruleset, state: State) -> bool:
    return bool(ruleset.ending(state).reason)


def pick(ruleset: Ruleset, state: State, seat: int, dice: random.Random) -> int:
    options = ruleset.choices(state, seat)
    return dice.choice(options) if options else NO_CHOICE


def playout(ruleset: Ruleset, dice: random.Random) -> Iterator[Played]:
    own_state = ruleset.game.rules.State
    state = ruleset.initial()
    while not is_over(ruleset, state):
        red, blue = pick(ruleset, state, RED, dice), pick(ruleset, state, BLUE, dice)
        total = ruleset.chance(state, red, blue)
        require(total >= 1, f"{where(ruleset, state)}: a die with {total} faces")
        face = dice.randrange(total)
        after = ruleset.resolve_unchecked(state, red, blue, face)
        require(
            isinstance(after, own_state),
            f"{where(ruleset, state)}: {red} and {blue} resolve to {after!r}, which is no State",
        )
        yield Played(state, red, blue, face, after)
        state = after


@lru_cache(maxsize=32)
def sample(ruleset: Ruleset) -> tuple[Played, ...]:
    """Rounds of several playouts with a fixed seed, including the last round of each."""
    dice = random.Random(ruleset.hash)
    rounds: list[Played] = []
    for _ in range(PLAYOUTS):
        for number, played in enumerate(playout(ruleset, dice)):
            require(number < LONGEST_PLAYOUT, f"{ruleset}: random play does not come to an end")
            if len(rounds) < ENOUGH_ROUNDS or is_over(ruleset, played.after):
                rounds.append(played)
    return tuple(rounds)


def thinned(ruleset: Ruleset, most: int) -> list[Played]:
    """At most `most` rounds, spread evenly over the sample, including the last one."""
    rounds = sample(ruleset)
    return list(rounds[:: -max(1, len(rounds) // most)])


def menus(ruleset: Ruleset, most: int = 10**9) -> Iterator[tuple[State, int, list[int]]]:
    """The states before the rounds of a sample, with each seat and its choices."""
    for played in thinned(ruleset, most):
        for seat in (RED, BLUE):
            yield played.before, seat, ruleset.choices(played.before, seat)


def where(ruleset: Ruleset, state: State) -> str:
    return f"{ruleset}, {ruleset.format_text(state)}"


# The rules


def check_start(ruleset: Ruleset) -> None:
    """The first state is undecided, and a seat has a choice."""
    state = ruleset.initial()
    require(not is_over(ruleset, state), f"{ruleset}: the duel is over before it begins")
    check_somebody_chooses(ruleset, state)


def check_somebody_chooses(ruleset: Ruleset, state: State) -> None:
    require(
        ruleset.choices(state, RED) or ruleset.choices(state, BLUE),
        f"{where(ruleset, state)}: the duel goes on, but neither seat has a choice",
    )


def check_states(ruleset: Ruleset) -> None:
    """States are NamedTuples of ints, bools and such tuples, so they can be hashed and compiled."""
    for played in sample(ruleset):
        for state in (played.before, played.after):
            require(
                isinstance(state, ruleset.game.rules.State),
                f"{ruleset}: {state!r} is not a State",
            )
            require(is_plain(state), f"{ruleset}: not of ints, bools and tuples only: {state!r}")
            values = tuple(state._asdict().values())
            require(hash(state) == hash(values), f"{ruleset}: hashed otherwise: {state!r}")


def is_plain(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, tuple) and all(map(is_plain, value)))


def check_bounds(ruleset: Ruleset) -> None:
    """Every choice on a menu is below the number of choices, every number within its bounds."""
    bounds = ruleset.field_bounds
    paths = [path for path, _ in leaves_of(ruleset.game.rules.State)]
    require(
        bounds.keys() == set(paths),
        f"{ruleset}: field_bounds are of {', '.join(bounds)}; a state has {', '.join(paths)}",
    )
    for played in sample(ruleset):
        for seat in (RED, BLUE):
            last = ruleset.choice_set(played.before, seat).bit_length() - 1
            require(
                last < ruleset.choice_count,
                f"{where(ruleset, played.before)}: choice {last} of {ruleset.choice_count}",
            )
        for state in (played.before, played.after):
            for path, value in zip(paths, numbers_of(state), strict=True):
                least, most = bounds[path]
                require(
                    (least is None or least <= value) and (most is None or value <= most),
                    f"{ruleset}, {state!r}: {path} is {value}, not from {least} to {most}",
                )


def check_playouts(ruleset: Ruleset) -> None:
    """Random play ends, and until then a seat has a choice."""
    for played in sample(ruleset):
        check_somebody_chooses(ruleset, played.before)
    require(is_over(ruleset, sample(ruleset)[-1].after), f"{ruleset}: the last playout did not end")


def check_legal_choices(ruleset: Ruleset) -> None:
    """Every choice on a menu is legal and resolves; without a menu, no choice is legal."""
    for played in thinned(ruleset, 100):
        for seat in (RED, BLUE):
            check_menu(ruleset, played.before, seat)
            for choice in ruleset.choices(played.before, seat):
                red, blue = (choice, played.blue) if seat == RED else (played.red, choice)
                after = ruleset.resolve_unchecked(played.before, red, blue, 0)
                require(
                    isinstance(after, ruleset.game.rules.State),
                    f"{where(ruleset, played.before)}: {red} and {blue} resolve to {after!r}",
                )


def check_menu(ruleset: Ruleset, state: State, seat: int) -> None:
    mask = ruleset.choice_set(state, seat)
    require(0 <= mask < 1 << 63, f"{where(ruleset, state)}: not a set of choices: {mask}")
    own_test = ruleset.game.is_legal
    if own_test is None:
        return
    for choice in range(-1, 64):
        on_the_menu = choice >= 0 and mask >> choice & 1 == 1
        is_legal = own_test(ruleset.rules, state, seat, choice)
        told = f"{where(ruleset, state)}: choice {choice} of {SEATS[seat]}'s"
        require(is_legal or not on_the_menu, f"{told} is on the menu, but not is_legal")
        require(not is_legal or (mask and choice >= 0), f"{told} is legal, but must not be")


def check_harmless(ruleset: Ruleset) -> None:
    """A seat that has to choose and runs out of time has a legal harmless choice."""
    for state, seat, options in menus(ruleset):
        if options:
            choice = ruleset.harmless(state, seat)
            require(
                ruleset.is_legal(state, seat, choice),
                f"{where(ruleset, state)}: the harmless choice of {SEATS[seat]}, {choice}, is not"
                " legal",
            )


def check_resolve(ruleset: Ruleset) -> None:
    """The same round always has the same result; without chance the face has no effect."""
    for before, red, blue, face, after in sample(ruleset):
        again = ruleset.resolve_unchecked(before, red, blue, face)
        require(again == after, f"{where(ruleset, before)}: first {after!r}, then {again!r}")
        if ruleset.chance(before, red, blue) == 1:
            other = ruleset.resolve_unchecked(before, red, blue, 1)
            require(
                other == after,
                f"{where(ruleset, before)}: nothing is thrown, but face 1 gives {other!r}",
            )


def check_outcomes(ruleset: Ruleset) -> None:
    """An undecided state has no winner; a decided one has a winner and a reason, which the words
    match.
    """
    game, rules = ruleset.game, ruleset.rules
    for played in sample(ruleset):
        require(
            ruleset.ending(played.before).winner == NOBODY,
            f"{where(ruleset, played.before)}: it has a winner, but no reason",
        )
        ended = ruleset.ending(played.after)
        require(
            ended == ruleset.ending(played.after),
            f"{where(ruleset, played.after)}: its outcome changes",
        )
        if not ended.reason:
            continue
        told = game.notation.format_outcome(rules, played.after, ended)
        require(told == as_json(told), f"{where(ruleset, played.after)}: not JSON: {told!r}")
        require(
            told["winner"] == {RED: "red", BLUE: "blue", NOBODY: None}[ended.winner],
            f"{where(ruleset, played.after)}: winner {ended.winner} is told as {told['winner']!r}",
        )
        require(
            game.rules.Reason(ended.reason).name.lower() == told["reason"],
            f"{where(ruleset, played.after)}: reason {ended.reason} is told as {told['reason']!r}",
        )


def check_endless(ruleset: Ruleset) -> None:
    """Endless play has an outcome with words, and it favours no seat in a symmetric game."""
    game, ended = ruleset.game, ruleset.endless_ending
    require(
        ended.winner == NOBODY or not (ended.reason == 0 or ruleset.is_symmetric),
        f"{ruleset}: endless play has the winner {ended.winner}, but no reason, or a symmetric"
        " game",
    )
    told = ruleset.endless()
    require(
        told.winner == {RED: "red", BLUE: "blue", NOBODY: None}[ended.winner],
        f"{ruleset}: endless play, won by {ended.winner}, is told as {told.winner!r}",
    )
    if ended.reason:
        require(
            game.rules.Reason(ended.reason).name.lower() == told.reason,
            f"{ruleset}: the reason {ended.reason} of endless play is told as {told.reason!r}",
        )
        sentence = ruleset.tell_ending(ruleset.initial())
        require(sentence.strip(), f"{ruleset}: endless play has no sentence")


# Seats exchanged


def check_mirror(ruleset: Ruleset) -> None:
    """Exchanging the seats twice changes nothing; in a symmetric game it commutes with play."""
    game, rules = ruleset.game, ruleset.rules
    mirror = game.notation.mirror
    for played in sample(ruleset):
        for state in (played.before, played.after):
            require(
                mirror(rules, mirror(rules, state)) == state,
                f"{where(ruleset, state)}: mirroring it twice gives another state",
            )
    for played in thinned(ruleset, 100) if game.notation.is_symmetric(rules) else ():
        for state in (played.before, played.after):
            found = difference(game.rules, rules, mirror, state)
            require(found is None, f"{ruleset}, {found and difference_text(ruleset, found)}")


# Words


def as_json(value: object) -> object:
    return json.loads(json.dumps(value))


def check_state_words(ruleset: Ruleset) -> None:
    """Undecided states can be formatted as JSON and as text, and parsed again unchanged."""
    notation, rules = ruleset.game.notation, ruleset.rules
    for played in sample(ruleset):
        state = played.before
        words = notation.format_state(rules, state)
        text = notation.format_text(rules, state)
        require(words == as_json(words), f"{ruleset}, {text}: not JSON: {words!r}")
        require(
            accepted(notation.parse_state, rules, as_json(words)) == state,
            f"{ruleset}, {text}: its JSON is read as another state",
        )
        require(
            accepted(notation.parse_text, rules, text) == state,
            f"{ruleset}: {text!r} is another state",
        )


def check_refused_states(ruleset: Ruleset) -> None:
    """Anything that is not a state is refused with a `StateError`."""
    notation, rules = ruleset.game.notation, ruleset.rules
    good = notation.format_state(rules, ruleset.initial())
    bad = [*NOT_A_STATE, {**good, "no such field": 0}]
    for key in good:
        bad.append({other: value for other, value in good.items() if other != key})
        bad.extend({**good, key: value} for value in ("no such word", 0.5, [good], {"x": good}))
    for value in bad:
        check_refusal(StateError, notation.parse_state, rules, value)
    for text in ("", "x", "/", "//", "1/x", "\x00", "é", "9" * 5000):
        check_refusal(StateError, notation.parse_text, rules, text)


def accepted(parse: Callable[..., Parsed], *given: object) -> Parsed:
    try:
        return parse(*given)
    except HolmgangError as refusal:
        raise AssertionError(f"{parse.__name__}: {given[-1]!r} is refused: {refusal}") from None


def check_refusal(error: type[HolmgangError], parse: Callable[..., object], *given: object) -> None:
    what = f"{parse.__name__}: {given[-1]!r}"
    try:
        taken = parse(*given)
    except error as refusal:
        require(str(refusal).strip(), f"{what} is refused without a message")
    except Exception as other:
        raise AssertionError(f"{what} raises {other!r}, not a {error.__name__}") from other
    else:
        raise AssertionError(f"{what} is taken as {taken!r}")


def check_choice_words(ruleset: Ruleset) -> None:
    """Every choice has its own word, which is parsed again; anything else is refused."""
    parse, rules = ruleset.game.notation.parse_choice, ruleset.rules
    meanings: dict[str, int] = {}
    for choice in (choice for _, _, options in menus(ruleset) for choice in options):
        word = ruleset.word(choice)
        require(
            meanings.setdefault(word, choice) == choice,
            f"{ruleset}: {word!r} is choice {meanings[word]} and choice {choice}",
        )
    for word, choice in meanings.items():
        require(
            accepted(parse, rules, word) == choice,
            f"{ruleset}: {word!r} is not parsed as its own choice",
        )
        require(word == word.lower(), f"{ruleset}: the choice {word!r} is not in lower case")
    refused = {f"{word}{tail}" for word in meanings for tail in (" ", "\n", "?")}
    refused |= {word.upper() for word in meanings if word.upper() != word}
    for word in {*refused, *NOT_A_CHOICE} - meanings.keys():
        check_refusal(ChoiceError, parse, rules, word)


def check_short_choices(ruleset: Ruleset) -> None:
    """On any menu each choice has a unique short form that expands to its word."""
    expand, rules = ruleset.game.notation.expand_short, ruleset.rules
    for state, _, options in menus(ruleset):
        shorts = {ruleset.short(choice): ruleset.word(choice) for choice in options}
        require(
            len(shorts) == len(options),
            f"{where(ruleset, state)}: short forms are not unique: {list(shorts)}",
        )
        for short, word in shorts.items():
            require(
                expand(rules, short) == word,
                f"{ruleset}: {short!r} is short for {word!r}, but does not expand to it",
            )
    for text in ("", "no such choice", "??"):
        require(expand(rules, text) is None, f"{ruleset}: {text!r} expands to something")


def check_labels(ruleset: Ruleset) -> None:
    """A label has as many parts as the word has arguments, and labels on a menu are unique."""
    for state, seat, options in menus(ruleset):
        labels = {choice: ruleset.label(state, seat, choice) for choice in options}
        require(
            len(set(labels.values())) == len(options),
            f"{where(ruleset, state)}: labels are not unique: {labels}",
        )
        for choice, label in labels.items():
            word = ruleset.word(choice)
            told = f"{where(ruleset, state)}: {word!r} has the label {label!r}"
            check_lines(ruleset, state, [label.verb, *(value for _, value in label.parts)])
            require(label.verb[0] == label.verb[0].upper(), f"{told}, which is not capitalised")
            require(len(label.parts) == word.count(" "), f"{told}, with other parts")


def check_amounts(ruleset: Ruleset) -> None:
    """If a word accepts any number from least to most, all of them are legal choices."""
    for state, seat, _ in menus(ruleset, 100):
        for verb, (least, most) in ruleset.amounts(state, seat).items():
            told = f"{where(ruleset, state)}: {verb} {least} to {most}"
            require(0 <= least <= most, f"{told} is not a range of numbers")
            for amount in (least, (least + most) // 2, most):
                word = f"{verb} {amount}"
                choice = accepted(ruleset.parse_choice, state, seat, word)
                require(ruleset.word(choice) == word, f"{told}: {word!r} is another choice")
                check_lines(ruleset, state, [ruleset.preview(state, seat, choice)])
                label = ruleset.label(state, seat, choice)
                require(len(label.parts) == 1, f"{told}: {word!r} has the label {label!r}")


def check_chance(ruleset: Ruleset) -> None:
    """Each face can be formatted as JSON, which is parsed as a face with the same result."""
    game, rules = ruleset.game, ruleset.rules
    for before, red, blue, _, _ in thinned(ruleset, 60):
        total = ruleset.chance(before, red, blue)
        told_alike: dict[str, State] = {}
        for face in range(total):
            words = ruleset.format_chance(before, red, blue, face)
            parse = game.notation.parse_chance
            again = accepted(parse, rules, before, red, blue, as_json(words))
            told = f"{where(ruleset, before)}: face {face} of {total}, told as {words}"
            require(0 <= again < total, f"{told}, is read as face {again}")
            require(
                ruleset.format_chance(before, red, blue, again) == words,
                f"{told}, is formatted differently after parsing",
            )
            after = ruleset.resolve_unchecked(before, red, blue, face)
            require(
                told_alike.setdefault(json.dumps(words), after) == after,
                f"{told}, has a different result from another face with the same words",
            )
            require(
                ruleset.resolve_unchecked(before, red, blue, again) == after,
                f"{told}, is parsed as face {again}, which has a different result",
            )
        for value in ("x", 1, [1], {"no such roll": 1}):
            check_refusal(ChanceError, game.notation.parse_chance, rules, before, red, blue, value)


# Story and board


def check_face_groups(ruleset: Ruleset) -> None:
    """If a game groups the faces of its die, all faces of a group have the same result."""
    game: Any = ruleset.game.rules
    rules = ruleset.rules
    if not hasattr(game, "face_groups"):
        return
    dice = random.Random(ruleset.hash)
    for state in thrown(ruleset, dice):
        reds, blues = (ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE))
        pairs = list(product(reds, blues))
        for red, blue in dice.sample(pairs, min(len(pairs), 8)):
            grouped: Counter[State] = Counter()
            for group in range(game.face_groups(rules, state, red, blue)):
                face, weight = game.face_group(rules, state, red, blue, group)
                if weight:
                    grouped[ruleset.resolve_unchecked(state, red, blue, face)] += weight
            require(
                grouped == results(game, rules, state, red, blue),
                f"{where(ruleset, state)}: the groups of faces have different results from the die",
            )


def thrown(ruleset: Ruleset, dice: random.Random) -> list[State]:
    """States of random play, some for each size of the die, since large dice may be rare."""
    found: dict[int, list[State]] = {}
    plays = (played for _ in count() for played in playout(ruleset, dice))
    for state, red, blue, *_ in islice(plays, THROWN_ROUNDS):
        states = found.setdefault(ruleset.chance(state, red, blue), [])
        if len(states) < ENOUGH_THROWN:
            states.append(state)
    return [state for states in found.values() for state in states]


def check_story(ruleset: Ruleset) -> None:
    """Every round has a story, every choice a preview, and every ending a sentence."""
    for played in sample(ruleset):
        check_lines(ruleset, played.before, ruleset.tell(*played))
        if is_over(ruleset, played.after):
            check_lines(ruleset, played.after, [ruleset.tell_ending(played.after)])
    for state, seat, options in menus(ruleset):
        for choice in options:
            check_lines(ruleset, state, ruleset.notes(state, seat, choice))


def check_lines(ruleset: Ruleset, state: State, lines: Sequence[object]) -> None:
    require(lines, f"{where(ruleset, state)}: there is no text")
    for line in lines:
        require(
            isinstance(line, str) and line.strip() and "\n" not in line,
            f"{where(ruleset, state)}: not a line: {line!r}",
        )


def check_board(ruleset: Ruleset) -> None:
    """The board fits terminals of 40 to 120 columns, and every span has a known role. Each state is
    drawn in some widths, and each width is used for some states.
    """
    for number, played in enumerate(thinned(ruleset, 20)):
        for state in (played.before, played.after):
            for width in WIDTHS[number % WIDTHS_APART :: WIDTHS_APART]:
                rows = ruleset.board(state, width)
                lines = [row_text(row) for row in rows]
                require(any(map(str.strip, lines)), f"{where(ruleset, state)}: an empty board")
                for row, line in zip(rows, lines, strict=True):
                    require(
                        len(line) <= width and "\n" not in line,
                        f"{where(ruleset, state)}: {len(line)} columns in {width}: {line!r}",
                    )
                    require(
                        all(isinstance(span.role, Role) for span in row),
                        f"{where(ruleset, state)}: a span without a known role: {row!r}",
                    )


# The folder


def check_rule_ranges(ruleset: Ruleset) -> None:
    """Every rule has a range that contains its default and the ruleset's value."""
    ranges: Mapping[str, Any] = rule_ranges(ruleset.entry)
    defaults = rule_defaults(ruleset.entry)
    require(list(ranges) == list(defaults), f"{ruleset}: rules without a range or a default")
    for rule, allowed in ranges.items():
        require(
            isinstance(allowed, range) and len(allowed) > 0, f"{rule} has no range: {allowed!r}"
        )
        for value in (defaults[rule], getattr(ruleset.rules, rule)):
            require(type(value) is int, f"{rule} is not a whole number: {value!r}")
            require(value in allowed, f"{rule}={value} is not in {allowed}")
    require(load(ruleset.text) == ruleset, f"{ruleset}: its text names another ruleset")


def check_imports(ruleset: Ruleset) -> None:
    """The rules import nothing but the standard library and `holmgang.game`."""
    for node in ast.walk(ast.parse(source_of(ruleset))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
        for name in names:
            is_ours = name == "holmgang.game" or (
                ruleset.game.is_outside and name.startswith("holmgang.games.")
            )  # one file may have a story and a picture too
            require(
                is_ours or name.partition(".")[0] in sys.stdlib_module_names,
                f"the rules of {ruleset.game.folder} import {name}",
            )


def check_guide(ruleset: Ruleset) -> None:
    """Every round of the game's own lesson can be played, with a right choice on the menu; every
    preset is a ruleset.
    """
    own = ruleset.game.lesson
    for number, step in enumerate(own(ruleset.rules) if own else (), 1):
        what = f"{ruleset}: round {number} of the lesson"
        state = ruleset.parse_state(step.state or None)
        right = [word for word in ruleset.words(state, RED) if step.is_right(word)]
        require(right, f"{what}: no choice on the menu is right")
        reply = ruleset.parse_choice(state, BLUE, step.reply) if step.reply else NO_CHOICE
        for word in right:
            choice = ruleset.parse_choice(state, RED, word)
            ruleset.resolve(state, choice, reply, step.face % ruleset.chance(state, choice, reply))
    for preset in ruleset.game.presets:
        preset_text(ruleset.entry, preset)
    for title, rules in ruleset.game.groups:
        for rule in rules:
            require(rule in rule_ranges(ruleset.entry), f"{ruleset}: {title} has no rule {rule}")


def check_rules_page(ruleset: Ruleset) -> None:
    """The rules page names every rule and every ruling that the rules cite."""
    text = rules_markdown(ruleset)
    cited = set(re.findall(r"\b[A-Z][0-9]{1,2}\b", source_of(ruleset)))
    for name in sorted({*rule_ranges(ruleset.entry), *cited}):
        require(
            re.search(rf"\b{name}\b", text),
            f"the rules page of {ruleset.game.folder} does not mention {name}",
        )


def source_of(ruleset: Ruleset) -> str:
    return inspect.getsource(ruleset.game.rules)  # type: ignore[arg-type]


CHECKS: Mapping[str, Callable[[Ruleset], None]] = {
    run.__name__.removeprefix("check_"): run
    for run in (
        check_start,
        check_states,
        check_bounds,
        check_playouts,
        check_legal_choices,
        check_harmless,
        check_resolve,
        check_outcomes,
        check_endless,
        check_mirror,
        check_state_words,
        check_refused_states,
        check_choice_words,
        check_short_choices,
        check_labels,
        check_amounts,
        check_chance,
        check_face_groups,
        check_story,
        check_board,
        check_rule_ranges,
        check_imports,
        check_rules_page,
        check_guide,
    )
}
