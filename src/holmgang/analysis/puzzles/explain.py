"""A puzzle in words: its question, and the explanation of its answer."""

from holmgang.analysis.points import cost_text, table_text
from holmgang.analysis.puzzles.puzzle import Puzzle, Question
from holmgang.analysis.puzzles.verdict import Answer, Verdict
from holmgang.engine.menu import label_text, listed
from holmgang.games.contract import NO_CHOICE, RED, SEATS

NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six")


def question_text(question: Question, choices: int) -> str:
    """The question of a puzzle for a player with this number of choices."""
    if question.kind == "mix":
        return (
            "Set how often you would make each choice, so that the best reply costs you at most "
            f"{mix_cost(question.tolerance)} points of 100."
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
        cost = cost_text(verdict.cost)
        said = [
            f"{label(puzzle, answer)}{trap} costs {cost}. The right choice is {right}.",
            why_wrong(puzzle, answer),
        ]
    if answer != natural:
        cost = cost_text(solution.cost(natural))
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
    happens = " ".join(likeliest_story(puzzle, red, blue))
    if not reply:
        return f"{label(puzzle, word)}: {happens}"
    wanted = label(puzzle, reply, is_other=True)
    share = f"which is right for {other_seat(puzzle)} {percent(shares[reply])} of the time"
    return f"{label(puzzle, word)} against {wanted}, {share}: {happens}"


def likeliest_story(puzzle: Puzzle, red: int, blue: int) -> list[str]:
    """What most probably happens, as the game tells it, with the end if there is one."""
    ruleset, state = puzzle.ruleset, puzzle.state
    face, _ = max(ruleset.throws(state, red, blue), key=lambda throw: throw[1])
    after = ruleset.resolve_unchecked(state, red, blue, face)
    ended = [ruleset.tell_ending(after)] if ruleset.ending(after).reason else []
    return [*ruleset.tell(state, red, blue, face, after), *ended]


def explain_mix(puzzle: Puzzle, verdict: Verdict) -> list[str]:
    solution = puzzle.solution
    mix = ", ".join(
        f"{label(puzzle, word)} {percent(share)}"
        for word, share in sorted(solution.mine.items(), key=lambda item: -item[1])
        if share > 0
    )
    reply = label(puzzle, verdict.reply, is_other=True)
    cost, most = mix_cost(verdict.cost), mix_cost(puzzle.question.tolerance)
    taken = f"costs you {cost} points of 100; up to {most} are allowed"
    return [
        f"{other_seat(puzzle)}’s best reply to your mix is {reply}. It {taken}.",
        f"A mix that costs nothing: {mix}.",
    ]


def mix_cost(worth: float) -> str:
    """With a decimal, so that it agrees with what is allowed."""
    return table_text(worth, is_signed=False)


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
