"""Lessons: a few guided rounds against an announced choice. A lesson is data of the game
(`games/guide.py`); menus, results, stories and pictures come from its rules. If a game has no
lesson, one is derived from its rules.
"""

import random
from collections import OrderedDict
from typing import NamedTuple

from holmgang.engine.menu import label_text
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State, Transition
from holmgang.games.guide import LessonStep
from holmgang.games.ruleset import Ruleset, load, preset_text

KEPT = 64
"""Number of derived lessons that are kept."""
ROUNDS = 3
MOST_REPLIES = 6
TRIALS = 300
"""Random games from each position of a derived lesson, to find out which choice does well."""
LONGEST_TRIAL = 60
LUCK = 2.0
"""Standard errors within which two choices count as equally good."""


class Meeting(NamedTuple):
    """A choice of the learner, and its result."""

    is_right: bool
    transition: Transition
    after: State
    story: list[str]
    ending: str
    """A sentence, if the duel ended."""


def lesson_ruleset(ruleset: Ruleset) -> Ruleset:
    """The rules of a lesson: the first preset of the game, unless rules were changed."""
    presets = ruleset.game.presets
    if not presets or ruleset != load(ruleset.entry.name):
        return ruleset
    return load(preset_text(ruleset.entry, presets[0]))


def lesson_of(ruleset: Ruleset) -> tuple[LessonStep, ...]:
    """The lesson of a game under these rules; derived from them if the game has none for them."""
    found = own_lesson(ruleset) or _derived.get(ruleset)
    if found is None:
        found = _derived[ruleset] = derived(ruleset)
        if len(_derived) > KEPT:
            _derived.popitem(last=False)
    return found


def own_lesson(ruleset: Ruleset) -> tuple[LessonStep, ...]:
    """The lesson that the game has for these rules; empty if there is none."""
    own = ruleset.game.lesson
    return tuple(own(ruleset.rules) if own else ())


def is_ready(ruleset: Ruleset) -> bool:
    """Whether `lesson_of` answers at once. Deriving a lesson takes seconds."""
    return bool(own_lesson(ruleset)) or ruleset in _derived


def position_of(ruleset: Ruleset, step: LessonStep) -> State:
    return ruleset.parse_state(step.state or None)


def meet(ruleset: Ruleset, step: LessonStep, word: str) -> Meeting:
    """Plays a round of a lesson. Raises `ChoiceError` for a choice that red may not make."""
    before = position_of(ruleset, step)
    red = ruleset.parse_choice(before, RED, word)
    blue = ruleset.parse_choice(before, BLUE, step.reply) if step.reply else NO_CHOICE
    face = step.face % ruleset.chance(before, red, blue)
    after = ruleset.resolve(before, red, blue, face)
    return Meeting(
        step.is_right(ruleset.word(red)),
        Transition(before, red, blue, face),
        after,
        ruleset.tell(before, red, blue, face, after),
        ruleset.tell_ending(after) if ruleset.ending(after).reason else "",
    )


# A derived lesson


_derived: OrderedDict[Ruleset, tuple[LessonStep, ...]] = OrderedDict()


def derived(ruleset: Ruleset) -> tuple[LessonStep, ...]:
    """Rounds of one game, in which blue's choice matters and red's best choices differ."""
    dice = random.Random(0)
    steps: list[LessonStep] = []
    shown: set[int] = set()
    state = ruleset.initial()
    for _ in range(LONGEST_TRIAL):
        if ruleset.ending(state).reason or len(steps) == ROUNDS:
            break
        if not ruleset.choices(state, RED):
            state = random_round(ruleset, state, dice)
            continue
        step, chosen, reply = derived_step(ruleset, state, shown, dice)
        steps.append(step)
        shown.add(chosen)
        state = ruleset.resolve_unchecked(state, chosen, reply, step.face)
    return tuple(steps)


def derived_step(
    ruleset: Ruleset, state: State, shown: set[int], dice: random.Random
) -> tuple[LessonStep, int, int]:
    """A round from this state, with the numbers of red's best choice and of blue's reply."""
    mine = ruleset.choices(state, RED)
    replies = ruleset.choices(state, BLUE) or [NO_CHOICE]
    if len(replies) > MOST_REPLIES:
        replies = sorted(dice.sample(replies, MOST_REPLIES))
    trials = max(2, TRIALS // (len(mine) * len(replies)))
    worths = {
        reply: {choice: worth(ruleset, state, choice, reply, trials, dice) for choice in mine}
        for reply in replies
    }

    def telling(reply: int) -> tuple[bool, float]:
        """Whether the best choice against a reply is a new one, and how much the choice matters."""
        of = worths[reply]
        return max(of, key=of.__getitem__) not in shown, max(of.values()) - min(of.values())

    reply = max(replies, key=telling)
    trials = max(4, TRIALS // len(mine))
    of = {choice: worth(ruleset, state, choice, reply, trials, dice) for choice in mine}
    best = max(of, key=of.__getitem__)
    margin = LUCK * (2 / trials) ** 0.5
    right = [choice for choice in mine if of[choice] >= of[best] - margin]
    right.sort(key=lambda choice: choice != best)
    face = max(ruleset.throws(state, best, reply), key=lambda throw: throw[1])[0]
    step = LessonStep(
        title=derived_title(ruleset, state, reply),
        task=derived_task(ruleset, state, reply),
        reply=ruleset.word_or_none(reply) or "",
        right=() if len(right) == len(mine) else tuple(map(ruleset.word, right)),
        why=derived_reason(ruleset, state, of, reply, is_free=len(right) == len(mine)),
        hint=f"Try {names(ruleset, state, RED, best)}.",
        state=ruleset.format_text(state),
        face=face,
    )
    return step, best, reply


def names(ruleset: Ruleset, state: State, seat: int, choice: int) -> str:
    return label_text(ruleset.label(state, seat, choice).words)


def derived_title(ruleset: Ruleset, state: State, reply: int) -> str:
    if reply == NO_CHOICE:
        return "Your turn"
    return f"Against {names(ruleset, state, BLUE, reply).lower()}"


def derived_task(ruleset: Ruleset, state: State, reply: int) -> str:
    if reply == NO_CHOICE:
        return "It is your turn, and Blue has nothing to choose. Read what each choice does."
    said = names(ruleset, state, BLUE, reply).lower()
    return f"Blue will choose {said}. Read what each choice does, and pick one against it."


def derived_reason(
    ruleset: Ruleset, state: State, of: dict[int, float], reply: int, *, is_free: bool
) -> str:
    if is_free:
        return "All choices do about equally well here."
    best, worst = max(of, key=of.__getitem__), min(of, key=of.__getitem__)
    after = ruleset.resolve_unchecked(state, worst, reply, 0)
    instead = " ".join(ruleset.tell(state, worst, reply, 0, after))
    good, bad = (names(ruleset, state, RED, each) for each in (best, worst))
    return f"{good} does best here, if both then go on at random. With {bad.lower()}: {instead}"


def worth(
    ruleset: Ruleset, state: State, red: int, blue: int, trials: int, dice: random.Random
) -> float:
    """The mean result for red of random games after these choices."""
    faces = ruleset.chance(state, red, blue)
    total = 0.0
    for _ in range(trials):
        after = ruleset.resolve_unchecked(state, red, blue, dice.randrange(faces))
        total += random_result(ruleset, after, dice)
    return total / trials


def random_result(ruleset: Ruleset, state: State, dice: random.Random) -> float:
    for _ in range(LONGEST_TRIAL):
        utility = ruleset.utility(state)
        if utility is not None:
            return utility
        state = random_round(ruleset, state, dice)
    return 0.0


def random_round(ruleset: Ruleset, state: State, dice: random.Random) -> State:
    red, blue = (dice.choice(ruleset.choices(state, seat) or [NO_CHOICE]) for seat in (RED, BLUE))
    face = dice.randrange(ruleset.chance(state, red, blue))
    return ruleset.resolve_unchecked(state, red, blue, face)
