"""A puzzle in words: its question, and the explanation of its answer."""

from holmgang.analysis.points import cost_text, table_text
from holmgang.analysis.puzzles.puzzle import NO_COST, Puzzle, PuzzleQuestion
from holmgang.analysis.puzzles.verdict import Answer, PuzzleVerdict
from holmgang.engine.menu import label_text, listed
from holmgang.games.contract import NO_CHOICE, RED, SEATS

NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six")


def question_text(question: PuzzleQuestion, choices: int) -> str:
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
        "A tempting one is wrong."
    )


def explain(puzzle: Puzzle, answer: Answer, verdict: PuzzleVerdict) -> list[str]:
    """The result of an answer and the reasons, in sentences."""
    if isinstance(answer, str):
        return explain_choice(puzzle, answer, verdict)
    return explain_mix(puzzle, verdict)


def explain_choice(puzzle: Puzzle, answer: str, verdict: PuzzleVerdict) -> list[str]:
    solution, natural = puzzle.solution, puzzle.solution.natural
    said = []
    if not verdict.is_solved:
        trap = ", the tempting choice," if answer == natural else ""
        said.append(f"{label(puzzle, answer)}{trap} costs {cost_text(verdict.cost)}.")
    said.append(reason(puzzle))
    if not verdict.is_solved:
        said += why_wrong(puzzle, answer)
    if answer != natural:
        cost = cost_text(solution.cost(natural))
        said.append(f"{label(puzzle, natural)} is tempting, but costs {cost}.")
        said += why_wrong(puzzle, natural)
    return said


def reason(puzzle: Puzzle) -> str:
    """Why the right choices are right."""
    right, other = puzzle.right, other_name(puzzle)
    names = listed([label(puzzle, word) for word in right])
    payoffs, word = puzzle.solution.payoffs, right[0]
    is_complete = set(payoffs[word]) >= {*puzzle.ruleset.words(puzzle.state, 1 - puzzle.seat)}
    is_only = len(right) == 1 and is_complete
    if is_only and all(
        worth >= most(payoffs, reply) - NO_COST for reply, worth in payoffs[word].items()
    ):
        return f"{names} is right: it is the best choice whatever {other} does."
    return f"{names} is right: it costs nothing against the best play of {other}."


def most(payoffs: dict[str, dict[str, float]], reply: str) -> float:
    """The most that any choice is worth against a reply."""
    return max(row[reply] for row in payoffs.values())


def why_wrong(puzzle: Puzzle, word: str) -> list[str]:
    """Why a choice loses: the reply that does most harm and its result, and what the best right
    choice does then. Both leave out what happens in either case, such as the same roll of dice.
    """
    solution = puzzle.solution
    shares = solution.theirs or {"": 1.0}
    harm = {
        reply: shares[reply] * (solution.value - worth)
        for reply, worth in solution.payoffs[word].items()
    }
    reply = max(harm, key=lambda each: harm[each])
    right = max(puzzle.right, key=lambda each: solution.payoffs[each][reply])
    wrong_story, right_story = told_apart(
        likeliest_story(puzzle, word, reply), likeliest_story(puzzle, right, reply)
    )
    when = ""
    if reply:
        share = percent(shares[reply])
        when = f" against {label(puzzle, reply, is_other=True)}"
        when += f", which is right for {other_name(puzzle)} {share} of the time"
    return [
        f"{label(puzzle, word)} fails{when}: {wrong_story}",
        f"{label(puzzle, right)} instead: {right_story}",
    ]


def told_apart(one: list[str], other: list[str]) -> tuple[str, str]:
    """Two stories without the sentences that they share."""
    apart = [sentence for sentence in one if sentence not in other]
    other_apart = [sentence for sentence in other if sentence not in one]
    return " ".join(apart or one), " ".join(other_apart or other)


def likeliest_story(puzzle: Puzzle, word: str, reply: str) -> list[str]:
    """What most probably happens, as the game tells it, with the end if there is one."""
    ruleset, state = puzzle.ruleset, puzzle.state
    pair = (ruleset.parse_word(word), ruleset.parse_word(reply) if reply else NO_CHOICE)
    red, blue = pair if puzzle.seat == RED else pair[::-1]
    face, _ = max(ruleset.throws(state, red, blue), key=lambda throw: throw[1])
    after = ruleset.resolve_unchecked(state, red, blue, face)
    ended = [ruleset.tell_ending(after)] if ruleset.ending(after).reason else []
    return [*ruleset.tell(state, red, blue, face, after), *ended]


def explain_mix(puzzle: Puzzle, verdict: PuzzleVerdict) -> list[str]:
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
        f"{other_name(puzzle)}’s best reply to your mix is {reply}. It {taken}.",
        f"A mix that costs nothing: {mix}.",
    ]


def mix_cost(worth: float) -> str:
    """With a decimal, so that it agrees with what is allowed."""
    return table_text(worth, is_signed=False)


def other_name(puzzle: Puzzle) -> str:
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
