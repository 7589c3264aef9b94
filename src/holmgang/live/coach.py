"""The coach: warns a player before an error, and explains a round after its reveal.

Advice is a function of a state and of the player's own choice. It has no other input, so it cannot
reveal anything about the other seat's choice.
"""

from holmgang.analysis.grade import RoundGrade, grade_round
from holmgang.analysis.position import Assessment, Assessor
from holmgang.analysis.words import best_choices, phrase, possessive, punishment
from holmgang.engine.course import Step
from holmgang.errors import HolmgangError
from holmgang.games.contract import NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.live.exploring import worth_of
from holmgang.live.refusal import refusal_of
from holmgang.solver.oracle import oracle_of
from holmgang.wire.match import Advice, Explanation

WARNING = 0.1
"""Smallest error that the coach warns about: that of an inaccuracy."""
ESTIMATED_WARNING = 0.5
"""The same where errors are estimates, which are often wrong by less (docs/analysis.md)."""
GUESS = "a search’s guess"
BUDGET_MS = 400.0
"""Search time; a player is waiting for the result."""
SEEN = 0.005


def advise(ruleset: Ruleset, state: State, seat: str, word: str) -> Advice:
    """The coach's advice on a choice before it is made. Raises `Refused`."""
    number = SEATS.index(seat)
    try:
        choice = ruleset.parse_choice(state, number, word)
        graded = own_grade(assessed(ruleset, state, number, choice), number, choice)
    except HolmgangError as refused:
        raise refusal_of(refused) from None
    error = max(0.0, graded.error(number))
    made = phrase(graded, number, choice)
    is_warning = error >= warning_from(graded)
    sentence = ""
    if is_warning and graded.has_exact_errors:
        sentence = f"{capitalised(made)} costs {error:.2f}; {right(graded, number)} costs nothing."
    elif is_warning:
        better = right(graded, number)
        sentence = f"{capitalised(made)} looks worse than {better}, by ≈ {error:.1f} ({GUESS})."
    return Advice(
        choice=word,
        is_warning=is_warning,
        error=error,
        mark=graded.mark(number),
        exact=graded.has_exact_errors,
        sentence=sentence,
    )


def explain(ruleset: Ruleset, step: Step, seat: str, names: dict[str, str]) -> Explanation:
    """The coach's comment on a round after its reveal: one sentence, and details."""
    number = SEATS.index(seat)
    graded = grade_round(
        ruleset, step.before.state, step.red, step.blue, step.after.state, budget_ms=BUDGET_MS
    )
    sentence, details = "", []
    if graded.choice(number) != NO_CHOICE:
        sentence = judgement(graded, number, "Your")
        if graded.mark(number) is not None:
            made, best = graded.choice(number), best_choices(graded, number)[0]
            why = punishment(graded, number, best, names)
            details.append(f"{capitalised(phrase(graded, number, made))} {why}.")
    if graded.mark(1 - number) is not None:
        details.append(judgement(graded, 1 - number, possessive(names[SEATS[1 - number]])))
    side = 1 if number == RED else -1
    luck = side * (graded.meeting_luck + graded.dice_luck)
    if abs(luck) >= warning_from(graded):
        gave = "gave you" if luck > 0 else "cost you"
        details.append(f"Luck {gave} {figure(abs(luck), graded)}.")
    return Explanation(
        sentence=sentence,
        details=details,
        mark=graded.mark(number),
        error=max(0.0, graded.error(number)),
        exact=graded.has_exact_errors,
    )


def judgement(graded: RoundGrade, seat: int, whose: str) -> str:
    error, made = graded.error(seat), phrase(graded, seat, graded.choice(seat))
    if graded.has_exact_errors or graded.mark(seat) is not None:
        if error < SEEN:
            return f"{whose} {made} was right."
        cost = figure(error, graded)
        return f"{whose} {made} cost {cost}; {right(graded, seat)} was right."
    if error < ESTIMATED_WARNING:
        return f"{whose} {made} looks good ({GUESS})."
    better = right(graded, seat)
    return f"{whose} {made} looks worse than {better}, by {figure(error, graded)} ({GUESS})."


def right(graded: RoundGrade, seat: int) -> str:
    return " or ".join(phrase(graded, seat, choice) for choice in best_choices(graded, seat))


def warning_from(graded: RoundGrade) -> float:
    return WARNING if graded.has_exact_errors else ESTIMATED_WARNING


def figure(size: float, graded: RoundGrade) -> str:
    """What was lost or gained; an estimate has one digit."""
    return f"{size:.2f}" if graded.has_exact_errors else f"≈ {size:.1f}"


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def assessed(ruleset: Ruleset, state: State, seat: int, choice: int) -> Assessment:
    """The assessment of the state, including a choice that its menu does not list."""
    if choice in ruleset.choices(state, seat):
        return worth_of(ruleset, state)
    assessor = Assessor(oracle_of(ruleset, build=False), budget_ms=BUDGET_MS)
    return assessor.assess(state, (choice, NO_CHOICE) if seat == RED else (NO_CHOICE, choice))


def own_grade(before: Assessment, seat: int, choice: int) -> RoundGrade:
    """The grade of the round as one seat knows it: with its own choice only."""
    cost = before.solution.cost(seat, choice)
    choices = (choice, NO_CHOICE) if seat == RED else (NO_CHOICE, choice)
    errors = (cost, 0.0) if seat == RED else (0.0, cost)
    is_exact = before.has_exact_worths
    proven = errors if is_exact else (0.0, 0.0)
    return RoundGrade(
        before, *choices, before.value, *errors, 0.0, 0.0, proven, before.is_exact, is_exact
    )
