"""`holmgang learn`: the lesson of a game in plain lines."""

import shlex

from holmgang.engine.lesson import Meeting, lesson_of, lesson_ruleset, meet, position_of
from holmgang.engine.menu import label_text, options, read_choice
from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE, main_entry
from holmgang.games.contract import BLUE, SEAT_NAMES, SEATS, State
from holmgang.games.finding import typed
from holmgang.games.guide import LessonStep
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import counted
from holmgang.machine import program
from holmgang.terminal.dialogue import Dialogue
from holmgang.terminal.menu_lines import menu_lines

LEAVING = ("q", "quit", "exit")
SKIPPING = ("s", "skip")


def learn(game: str) -> None:
    """Teaches a game, round by round, until the lesson is over or the person leaves."""
    ruleset = lesson_ruleset(load(game))
    dialogue = Dialogue()
    teach(ruleset, dialogue)
    text = shlex.quote(typed(ruleset))
    dialogue.tell(f"{program()} play {text}", "Play it:   ")
    dialogue.tell(f"{program()} rules {text}", "The rules: ")


def learn_any() -> None:
    """Asks which game, and teaches it."""
    dialogue = Dialogue()
    games = [entry for entry in CATALOGUE.values() if main_entry(entry) is entry]
    for number, entry in enumerate(games, 1):
        dialogue.tell(f"{number}  {entry.title}: {entry.line}")
    while True:
        typed = dialogue.ask(f"Which game? (1 to {len(games)}) > ").lower()
        for number, entry in enumerate(games, 1):
            if typed in (str(number), entry.name):
                teach(lesson_ruleset(load(entry.name)), dialogue)
                return
        dialogue.tell(f"Type a number from 1 to {len(games)}.")


def teach(ruleset: Ruleset, dialogue: Dialogue) -> None:
    steps = lesson_of(ruleset)
    entry = ruleset.entry
    dialogue.tell(
        f"{entry.title} in {counted(len(steps), 'round')}. You are Red; Blue is on the right."
    )
    for number, step in enumerate(steps, 1):
        dialogue.say()
        dialogue.say(f"Round {number} of {len(steps)}: {step.title}")
        if not teach_round(ruleset, step, dialogue):
            return
    dialogue.say()
    dialogue.tell("That was the lesson. In a real duel nobody announces a choice.")


def teach_round(ruleset: Ruleset, step: LessonStep, dialogue: Dialogue) -> bool:
    """Asks until the choice is right or the round is skipped; False if the person leaves."""
    state = position_of(ruleset, step)
    show(ruleset, step, state, dialogue)
    while True:
        try:
            typed = dialogue.ask("Your choice (s skips the round, q quits)> ")
        except EOFError:
            return False
        word = typed.lower()
        offered = options(ruleset, state, SEATS[0])
        is_choice = any(word in (option.key, option.word) for option in offered)
        if word in LEAVING and not is_choice:
            return False
        if word in SKIPPING and not is_choice:
            return True
        try:
            met = meet(ruleset, step, read_choice(ruleset, offered, typed))
        except HolmgangError as error:
            dialogue.tell(str(error))
            continue
        tell(ruleset, met, dialogue)
        if met.is_right:
            dialogue.tell(step.why, "  Why: ", "  ")
            return True
        dialogue.tell(f"Not the best here. {step.hint}", "  ")


def show(ruleset: Ruleset, step: LessonStep, state: State, dialogue: Dialogue) -> None:
    dialogue.show_board(ruleset, state)
    dialogue.tell(step.task)
    if step.reply:
        reply = ruleset.parse_choice(state, BLUE, step.reply)
        dialogue.tell(f"Blue will choose: {label_text(ruleset.label(state, BLUE, reply).words)}.")
    menu_lines(ruleset, options(ruleset, state, SEATS[0]), dialogue)


def tell(ruleset: Ruleset, met: Meeting, dialogue: Dialogue) -> None:
    """Both choices, their results, and the board after the round."""
    words = (ruleset.word_or_none(met.transition.choice(seat)) for seat in (0, 1))
    made = [f"{name}: {word}" for name, word in zip(SEAT_NAMES, words, strict=True) if word]
    dialogue.say()
    dialogue.tell("  ".join(made))
    for sentence in (*met.story, *filter(None, [met.ending])):
        dialogue.tell(sentence, "  ")
    if met.is_right:
        dialogue.show_board(ruleset, met.after)
