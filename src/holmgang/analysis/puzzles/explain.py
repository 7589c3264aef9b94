"""A puzzle in words: its question, and the explanation of its answer."""

from holmgang.analysis.puzzles.puzzle import Puzzle, Question
from holmgang.analysis.puzzles.verdict import Answer, Verdict
from holmgang.engine.forecast import odds_text, result_text, results
from holmgang.engine.menu import label_text, listed
from holmgang.games.contract import NO_CHOICE, RED, SEATS

NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six")


def question_text(question: Question, choices: int) -> str:
    """The question of a puzzle for a player with this number of choices."""
    if question.kind == "mix":
        return (
            "Set how often you would make each choice, so that the best reply costs you at most "
            f"{question.tolerance:.2f}."
        )
    count = question.right_count
    many = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return (
        f"{many} of your {choices} choices {'is' if count == 1 else 'are'} right. "
        "The natural one is not."
    )


def explain(puzzle: Puzzle, answer: Answer, verdict: Verdict) -> list[str]:
    """The result of an answer and the reasons, in sentences."""
    if isinstance(answer, str):
        return explain_choice(puzzle, answer, verdict)
    return explain_mix(puzzle, verdict)


def explain_choice(puzzle: Puzzle, answer: str, verdict: Verdict) -> list[str]:
    solution, natural = puzzle.solution, puzzle.solution.natural
    right = listed([label(puzzle, word) for word in puzzle.right])
    if verdict.is_solved:
        others = [label(puzzle, word) for word in puzzle.right if word != answer]
        as_good = f", and the same is true of {listed(others)}" if others else ""
        said = [f"{label(puzzle, answer)} costs nothing{as_good}."]
    else:
        trap = ", the natural choice," if answer == natural else ""
        said = [
            f"{label(puzzle, answer)}{trap} costs {verdict.cost:.2f}. The right choice is {right}.",
            why_wrong(puzzle, answer),
        ]
    if answer != natural:
        cost = f"{solution.cost(natural):.2f}"
        said.append(f"The natural choice is {label(puzzle, natural)}, which costs {cost}.")
        said.append(why_wrong(puzzle, natural))
    return said


def why_wrong(puzzle: Puzzle, word: str) -> str:
    """Why a choice loses: the reply that does most harm, and its result."""
    solution, ruleset = puzzle.solution, puzzle.ruleset
    shares = solution.theirs or {"": 1.0}
    harm = {
        reply: shares[reply] * (solution.value - worth)
        for reply, worth in solution.payoffs[word].items()
    }
    reply = max(harm, key=lambda each: harm[each])
    pair = (ruleset.parse_word(word), ruleset.parse_word(reply) if reply else NO_CHOICE)
    red, blue = pair if puzzle.seat == RED else pair[::-1]
    found = results(ruleset, puzzle.state, red, blue)
    happens = " ".join(
        ": ".join(filter(None, (odds_text(each.odds), result_text(each))))
        + ("" if each.ending else ".")
        for each in found
    )
    if not reply:
        return f"{label(puzzle, word)} can lead to this: {happens}"
    return (
        f"{other_seat(puzzle)} should choose {label(puzzle, reply, is_other=True)} "
        f"{percent(shares[reply])} of the time; against {label(puzzle, word)} the result is: "
        f"{happens}"
    )


def explain_mix(puzzle: Puzzle, verdict: Verdict) -> list[str]:
    solution = puzzle.solution
    mix = ", ".join(
        f"{label(puzzle, word)} {percent(share)}"
        for word, share in sorted(solution.mine.items(), key=lambda item: -item[1])
        if share > 0
    )
    reply = label(puzzle, verdict.reply, is_other=True)
    cost = f"{verdict.cost:.2f}" if verdict.cost >= 0.005 else "almost nothing"
    taken = f"costs you {cost}; up to {puzzle.question.tolerance:.2f} is allowed"
    return [
        f"{other_seat(puzzle)}’s best reply to your mix is {reply}. It {taken}.",
        f"A mix that costs nothing: {mix}.",
    ]


def other_seat(puzzle: Puzzle) -> str:
    return SEATS[1 - puzzle.seat].capitalize()


def label(puzzle: Puzzle, word: str, *, is_other: bool = False) -> str:
    """A choice as people read it; pairs such as `2/5` are shorter as they are."""
    if "/" in word:
        return word
    ruleset = puzzle.ruleset
    seat = 1 - puzzle.seat if is_other else puzzle.seat
    return label_text(ruleset.label(puzzle.state, seat, ruleset.parse_word(word)).words)


def percent(share: float) -> str:
    r"""A share as people read it, without a line break.

    >>> percent(0.736), percent(0.0001)
    ('74\xa0%', 'under 1\xa0%')
    """
    return f"{round(100 * share)}\u00a0%" if share >= 0.005 else "under 1\u00a0%"
