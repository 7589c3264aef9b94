"""Lessons for clients: the guided rounds of a game, and what a choice of the learner leads to.

Callers run this in threads (`slow_work.py`). Deriving the lesson of a game that has none takes
seconds, so it has a thread of its own.
"""

from holmgang.engine.lesson import lesson_of, lesson_ruleset, meet, position_of
from holmgang.errors import HolmgangError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, Scene
from holmgang.games.guide import LessonStep
from holmgang.games.ruleset import Ruleset, load
from holmgang.live.menus import menu_of
from holmgang.live.refusal import Refused, refusal_of
from holmgang.wire.study import LessonAnswer, LessonRound, LessonView


def describe_lesson(ruleset: Ruleset) -> LessonView:
    """The lesson for a ruleset."""
    return LessonView(
        ruleset=ruleset.text,
        game_name=ruleset.entry.name,
        title=ruleset.entry.title,
        opponent=ruleset.entry.opponent,
        rounds=[describe_round(ruleset, step) for step in lesson_of(ruleset)],
    )


def describe_round(ruleset: Ruleset, step: LessonStep) -> LessonRound:
    state = position_of(ruleset, step)
    menu = menu_of(ruleset, state, SEATS[RED])
    assert menu is not None  # noqa: S101 - a lesson asks for a choice
    reply = ruleset.parse_choice(state, BLUE, step.reply) if step.reply else NO_CHOICE
    return LessonRound(
        title=step.title,
        task=step.task,
        state=ruleset.format_text(state),
        picture=ruleset.picture(state, Scene(has_style=False)),
        menu=menu,
        reply=ruleset.word_or_none(reply),
        reply_label=None if reply == NO_CHOICE else ruleset.label(state, BLUE, reply).words,
    )


def play_lesson(ruleset: Ruleset, number: int, word: str) -> LessonAnswer:
    """What a choice in a round of the lesson leads to. Raises `Refused`."""
    steps = lesson_of(ruleset)
    if not 1 <= number <= len(steps):
        raise Refused("not found", f"the lesson has {len(steps)} rounds")
    step = steps[number - 1]
    try:
        met = meet(ruleset, step, word)
    except HolmgangError as error:
        raise refusal_of(error) from None
    made = met.transition
    return LessonAnswer(
        right=met.is_right,
        labels={
            SEATS[seat]: ruleset.label(made.before, seat, made.choice(seat)).words
            for seat in (RED, BLUE)
            if made.choice(seat) != NO_CHOICE
        },
        story=met.story,
        ending=met.ending,
        why=step.why if met.is_right else step.hint,
        picture=ruleset.picture(met.after, Scene(last=made, has_style=False)),
    )


def taught(text: str) -> Ruleset:
    """The ruleset that the lesson of a ruleset uses. Raises `Refused`."""
    try:
        return lesson_ruleset(load(text))
    except HolmgangError as error:
        raise Refused("bad", str(error)) from None
