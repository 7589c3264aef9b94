"""The coach: warns a player before an error, and explains a round after its reveal.

Advice is a function of a state and of the player's own choice. It has no other input, so it cannot
reveal anything about the other seat's choice.
"""

from holmgang.analysis.grade import RoundGrade, grade_round
from holmgang.analysis.points import cost_text, short_text, whole_points
from holmgang.analysis.position import Assessment, Assessor
from holmgang.analysis.puzzles.puzzle import NO_COST
from holmgang.analysis.words import best_choices, phrase, possessive, reason
from holmgang.engine.course import Step
from holmgang.errors import HolmgangError
from holmgang.games.contract import NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.live.exploring import worth_of
from holmgang.live.refusal import refusal_of
from holmgang.solver.oracle import oracle_of
from holmgang.wire.match import Advice, Explanation

WARNED_FROM = 5
"""Smallest error that the coach warns about, in whole points: that of an inaccuracy."""
ESTIMATED_WARNING = 25
"""The same where errors are estimates, which are often wrong by less (docs/analysis.md)."""
GUESS = "a search’s guess"
BUDGET_MS = 400.0
"""Search time; a player is waiting for the result."""


def advise(ruleset: Ruleset, state: State, seat: str, word: str) -> Advice:
    """The coach's advice on a choice before it is made. Raises `Refused`."""
    number = SEATS.index(seat)
    try:
        choice = ruleset.parse_choice(state, number, word)
        graded = own_grade(assessed(ruleset, state, number, choice), number, choice)
    except HolmgangError as refused:
        raise refusal_of(refused) from None
    is_warning = deserves_warning(graded, number)
    return Advice(
        choice=word,
        is_warning=is_warning,
        error=max(0.0, graded.error(number)),
        mark=graded.mark(number),
        exact=graded.has_exact_errors,
        sentence=warning(graded, number) if is_warning else "",
    )


def warning(graded: RoundGrade, seat: int) -> str:
    """What a choice costs, why, and what costs nothing."""
    before, choice = graded.before, graded.choice(seat)
    best = best_choices(graded, seat)
    names = {each: each.capitalize() for each in SEATS}
    made = capitalised(phrase(graded, seat, choice))
    if is_sure_loss(graded, seat):
        return f"{made} loses at once. {before.ruleset.preview(before.state, seat, choice)}"
    why = reason(graded, seat, best[0], names)
    if not graded.has_exact_errors:
        cost = cost_text(graded.error(seat), is_exact=False)
        return f"{made} seems to cost {cost} ({GUESS}): {why}. {better(graded, seat)} looks better."
    cost = cost_text(graded.error(seat))
    return f"{made} costs {cost}: {why}. {better(graded, seat)} costs nothing here."


def explain(ruleset: Ruleset, step: Step, seat: str, names: dict[str, str]) -> Explanation:
    """The coach's comment on a round after its reveal: one sentence, and details."""
    number = SEATS.index(seat)
    graded = grade_round(
        ruleset, step.before.state, step.red, step.blue, step.after.state, budget_ms=BUDGET_MS
    )
    sentence, details = "", []
    if graded.choice(number) != NO_CHOICE:
        sentence = judgement(graded, number, "Your")
        if deserves_warning(graded, number):
            why = reason(graded, number, best_choices(graded, number)[0], names)
            details.append(f"{capitalised(why)}.")
    if graded.mark(1 - number) is not None:
        details.append(judgement(graded, 1 - number, possessive(names[SEATS[1 - number]])))
    side = 1 if number == RED else -1
    luck = side * (graded.meeting_luck + graded.dice_luck)
    if whole_points(luck) >= warning_from(graded):
        about = "" if graded.has_exact_errors else "about "
        gave = "Your guess was lucky" if luck > 0 else "Luck was against you"
        signed = f"{'+' if luck > 0 else '−'}{short_text(luck)}"
        details.append(f"{gave}: {about}{signed}.")
    return Explanation(
        sentence=sentence,
        details=details,
        mark=graded.mark(number),
        error=max(0.0, graded.error(number)),
        exact=graded.has_exact_errors,
    )


def judgement(graded: RoundGrade, seat: int, whose: str) -> str:
    """The same judgement as before the choice, for a choice that was made."""
    error, is_exact = graded.error(seat), graded.has_exact_errors
    made = f"{whose} {phrase(graded, seat, graded.choice(seat))}"
    if is_sure_loss(graded, seat):
        return f"{made} lost at once. {better(graded, seat)} was better."
    if deserves_warning(graded, seat) or graded.mark(seat) is not None:
        cost = cost_text(error, is_exact=is_exact)
        seems = "cost" if is_exact or graded.mark(seat) is not None else f"seems ({GUESS}) to cost"
        return f"{made} {seems} {cost}. {better(graded, seat)} was better."
    if not is_exact:
        return f"{made} looks good ({GUESS})."
    if all(cost < NO_COST for cost in graded.before.solution.costs(seat).values()):
        return f"{made} was as good as anything: all choices are equal here."
    if whole_points(error) == 0:
        return f"{made} was right: it cost nothing."
    return f"{made} was good enough: it cost {cost_text(error)}."


def better(graded: RoundGrade, seat: int) -> str:
    """The best choices, in words."""
    best = (phrase(graded, seat, choice) for choice in best_choices(graded, seat))
    return capitalised(" or ".join(best))


def deserves_warning(graded: RoundGrade, seat: int) -> bool:
    costs_much = whole_points(graded.error(seat)) >= warning_from(graded)
    return costs_much or is_sure_loss(graded, seat)


def is_sure_loss(graded: RoundGrade, seat: int) -> bool:
    """Whether a choice loses at once, and another does not. That needs no estimate."""
    ruleset, state = graded.before.ruleset, graded.before.state
    return ruleset.is_fatal(state, seat, graded.choice(seat)) and not all(
        ruleset.is_fatal(state, seat, choice) for choice in ruleset.choices(state, seat)
    )


def warning_from(graded: RoundGrade) -> int:
    return WARNED_FROM if graded.has_exact_errors else ESTIMATED_WARNING


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
