"""The rules of a game on one screen: aim, choices, what beats what, and how it ends. The words are
the game's own (`games/guide.py`) or derived; which seat a pair of choices helps is computed from
the rules.
"""

import random
from collections.abc import Callable
from functools import lru_cache

from holmgang.engine.lesson import worth
from holmgang.games.contract import BLUE, RED, Scene, State
from holmgang.games.defaults.exploring import played
from holmgang.games.describe import rules_markdown
from holmgang.games.guide import Summary
from holmgang.games.ruleset import Ruleset, plain_label
from holmgang.wire.lists import RulesCell, RulesChoice, RulesOverview, RulesRow

MOST_CHOICES = 8
"""In a larger menu, choices are not compared one by one."""
TRIALS = 60
"""Random games after each pair of choices, if the game has no estimate."""
EVEN = 0.25
"""A pair of choices is even if its value is at most this share of the largest value."""
NOISE = 2 / TRIALS**0.5
"""A lead of at most this in random games is even, too: two standard deviations of all wins and
losses."""
GOOD, BAD, NEITHER = "good", "bad", "even"


@lru_cache(maxsize=64)
def overview_of(ruleset: Ruleset) -> RulesOverview:
    own = ruleset.game.summary
    summary = own(ruleset.rules) if own else derived(ruleset)
    state = ruleset.parse_state(summary.state or None)
    corner = ""
    columns: list[str] = []
    rows: list[RulesRow] = []
    if summary.table is not None:
        corner, columns = summary.table.corner, list(summary.table.columns)
        rows = [
            RulesRow(label=head, cells=[RulesCell(mark="", text=text) for text in cells])
            for head, cells in summary.table.rows
        ]
    elif ruleset.choices(state, BLUE):
        words = compared(ruleset, state, summary)
        if words:
            corner = "You ↓ Blue →"
            columns = [plain_label(word).verb for word in words]
            rows = meetings(ruleset, state, summary, words)
    return RulesOverview(
        ruleset=ruleset.text,
        title=ruleset.entry.title,
        aim=summary.aim,
        ending=summary.ending,
        note=summary.note,
        choices=[
            RulesChoice(word=word, label=verb_of(ruleset, state, word), does=does)
            for word, does in summary.choices
        ],
        corner=corner,
        columns=columns,
        rows=rows,
        picture=ruleset.picture(state, Scene(has_style=False)),
    )


def verb_of(ruleset: Ruleset, state: State, word: str) -> str:
    """The name that people use for a choice, or for all choices with its verb."""
    if "/" in word:
        return "/".join(ruleset.game.axes).capitalize()
    for choice in ruleset.choices(state, RED):
        if ruleset.word(choice) == word or ruleset.word(choice).startswith(f"{word} "):
            return ruleset.label(state, RED, choice).verb
    return plain_label(word).verb


def compared(ruleset: Ruleset, state: State, summary: Summary) -> list[str]:
    """The choices of the table: those that the game has words for, or all if they are few."""
    named = list(dict.fromkeys(mine for mine, _ in summary.meetings))
    both = [word for word in ruleset.words(state, RED) if word in ruleset.words(state, BLUE)]
    words = [word for word in named if word in both] or both
    return words if len(words) <= MOST_CHOICES else []


def meetings(ruleset: Ruleset, state: State, summary: Summary, words: list[str]) -> list[RulesRow]:
    judge = judge_of(ruleset, state)
    values = {
        (mine, theirs): judge(ruleset.parse_word(mine), ruleset.parse_word(theirs))
        for mine in words
        for theirs in words
    }
    if ruleset.is_symmetric and ruleset.mirror(state) == state:
        values = {
            (mine, theirs): (value - values[theirs, mine]) / 2
            for (mine, theirs), value in values.items()
        }
    usual = sum(values.values()) / len(values)
    most = max(abs(value - usual) for value in values.values())
    even = max(EVEN * most, 0 if ruleset.game.estimate else NOISE)

    def cell(mine: str, theirs: str) -> RulesCell:
        lead = values[mine, theirs] - usual
        mark = NEITHER if abs(lead) <= even else GOOD if lead > 0 else BAD
        text = summary.meetings.get((mine, theirs)) or told(mine, theirs)
        return RulesCell(mark=mark, text=text)

    def told(mine: str, theirs: str) -> str:
        """The story of the round, with the likeliest throw."""
        red, blue = ruleset.parse_word(mine), ruleset.parse_word(theirs)
        throws = sorted(ruleset.throws(state, red, blue), key=lambda throw: -throw[1])
        results = [ruleset.resolve_unchecked(state, red, blue, face) for face, _ in throws]
        after = results[0]
        ending = [ruleset.tell_ending(after)] if ruleset.ending(after).reason else []
        luck = ["Another throw may change this."] if len(set(results)) > 1 else []
        return " ".join([*ruleset.tell(state, red, blue, throws[0][0], after), *ending, *luck])

    return [
        RulesRow(label=plain_label(mine).verb, cells=[cell(mine, theirs) for theirs in words])
        for mine in words
    ]


def judge_of(ruleset: Ruleset, state: State) -> Callable[[int, int], float]:
    """How good a pair of choices is for red: by the game's estimate, or by random games."""
    estimate = ruleset.game.estimate
    dice = random.Random(0)

    def judge(red: int, blue: int) -> float:
        if estimate is None:
            return worth(ruleset, state, red, blue, TRIALS, dice)
        total = weight = 0.0
        for face, faces in ruleset.throws(state, red, blue):
            after = ruleset.resolve_unchecked(state, red, blue, face)
            ended = ruleset.utility(after)
            value = estimate.estimate(ruleset.rules, after) if ended is None else ended
            total, weight = total + faces * value, weight + faces
        return total / weight

    return judge


def derived(ruleset: Ruleset) -> Summary:
    """A summary from the text of the game, and from the effects of its choices in a position with
    many of them.
    """
    state = richest(ruleset)
    choices = ruleset.choices(state, RED)
    entry = ruleset.entry
    reasons = [
        reason.name.lower().replace("_", " ") for reason in ruleset.game.rules.Reason if reason
    ]
    return Summary(
        aim=first_paragraph(rules_markdown(ruleset)) or f"{entry.line}.",
        choices=tuple(
            (ruleset.word(choice), ruleset.preview(state, RED, choice))
            for choice in choices[:MOST_CHOICES]
        ),
        ending=f"A duel ends by: {', '.join(reasons)}.",
        state=ruleset.format_text(state),
    )


def richest(ruleset: Ruleset) -> State:
    """The first state of some random games in which both seats have the most choices to compare."""

    def count(state: State) -> int:
        common = set(ruleset.choices(state, RED)) & set(ruleset.choices(state, BLUE))
        return len(common) if len(common) <= MOST_CHOICES else 0

    states = played(ruleset.game.rules, ruleset.rules)
    return max((each for each in states if not ruleset.ending(each).reason), key=count)


def first_paragraph(markdown: str) -> str:
    """The first paragraph of a page, after its title."""
    parts = (part.strip() for part in markdown.split("\n\n"))
    return next((" ".join(part.split()) for part in parts if part and not part.startswith("#")), "")
