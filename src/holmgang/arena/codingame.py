"""CodinGame's protocol for fencing (F16, F17): a bot written for CodinGame runs unchanged.

In each turn a bot reads two lines of 12 numbers, its own fencer first, and answers with one word.
A process plays one game. This module only formats and parses lines.
"""

from collections.abc import Iterable
from typing import NamedTuple, cast

from holmgang.engine.course import Course, Positions
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.contract import RED, SEATS, State
from holmgang.games.fencing import notation, rules
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.players.naming import has_codingame

NUMBERS = len(notation.NUMBERS)
LINE = " ".join(["%d"] * NUMBERS)
LEAGUES = {word.upper(): word for word in notation.WORDS}


def format_turn(ruleset: Ruleset, state: State, seat: int) -> str:
    r"""The two lines for a seat. Its own fencer comes first and is on the left (F16).

    >>> from holmgang.games.ruleset import load
    >>> fencing = load("fencing")
    >>> print(format_turn(fencing, rules.initial(fencing.rules), seat=1), end="")
    200 20 0 0 20 0 0 0 0 0 0 0
    300 20 0 0 20 0 0 0 0 0 0 0
    """
    seen = cast(rules.State, state)
    if seat != RED:
        seen = notation.mirror(ruleset.rules, seen)
    return f"{LINE % seen.red[:NUMBERS]}\n{LINE % seen.blue[:NUMBERS]}\n"


def parse_answer(ruleset: Ruleset, line: str) -> int:
    """The choice in an answer, a line without its line break. Trailing spaces are allowed; words of
    a higher league are not (F16). Raises ChoiceError.

    >>> from holmgang.games.ruleset import load
    >>> parse_answer(load("fencing"), "LUNGE  ")
    3
    >>> parse_answer(load("fencing:league=1"), "DOUBLE_WALK")
    Traceback (most recent call last):
    holmgang.errors.ChoiceError: 'DOUBLE_WALK' is a word of a higher league than 1
    """
    word = line.rstrip(" ")
    if word not in LEAGUES:
        told = ", ".join(each.upper() for each in notation.words_of_league(ruleset.rules))
        raise ChoiceError(f"{brief(line)} is not one of {told}")
    choice = ruleset.parse_word(LEAGUES[word])
    if not ruleset.is_legal(rules.initial(ruleset.rules), RED, choice):
        raise ChoiceError(f"{brief(line)} is a word of a higher league than {ruleset.rules.league}")
    return choice


class CodingameTurn(NamedTuple):
    """One turn as the two bots and the referee see it."""

    sent: dict[str, list[str]]
    answers: dict[str, str]
    invalid: list[str]
    """The seats whose answer was invalid; if there are any, the turn is not played."""
    state: JsonObject
    """The state after the turn."""
    outcome: JsonObject | None


def transcript(
    ruleset: str | Ruleset, answers: Iterable[tuple[str, str]], start: object = None
) -> list[CodingameTurn]:
    """The turns of a game in which the bots give these answers (red's and blue's line for each
    turn), until the game or the answers end. `start` is a state as JSON (default: the first one).

    >>> turn = transcript("fencing", [("WALK", "walk")])[0]
    >>> turn.sent["blue"][0]
    '200 20 0 0 20 0 0 0 0 0 0 0'
    >>> turn.invalid, turn.outcome["winner"], turn.outcome["points"]
    (['blue'], 'red', {'red': 1, 'blue': -1})
    """
    ruleset = as_ruleset(ruleset)
    if not has_codingame(ruleset):
        raise UsageError(f"only fencing has CodinGame's protocol; not {ruleset.text}")
    course = Course(Positions(ruleset, keep=0), dice=0, start=start, limit=0)  # no die is thrown
    turns: list[CodingameTurn] = []
    for pair in answers:
        if course.is_over:
            break
        state = course.position.state
        sent = {
            name: format_turn(ruleset, state, seat).splitlines() for seat, name in enumerate(SEATS)
        }
        given = dict(zip(SEATS, pair, strict=True))
        choices: list[int] = []
        invalid: list[str] = []
        for seat, line in given.items():
            try:
                choices.append(parse_answer(ruleset, line))
            except ChoiceError:
                invalid.append(seat)
        if invalid:
            course.end(ruleset.disqualification(invalid, "invalid"))
        else:
            course.play(*choices)
        ended = None if course.outcome is None else course.outcome.as_json()
        after = ruleset.format_state(course.position.state)
        turns.append(CodingameTurn(sent, given, invalid, after, ended))
    return turns
