"""The verdict on a ruleset: plain sentences for its designer, the most important first."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import floor

from holmgang.games.finding import typed
from holmgang.games.ruleset import load
from holmgang.games.settings import rule_ranges
from holmgang.lab.dominance import Proof, Useless, widest_first
from holmgang.lab.measures import HARDLY_USED, Balance, ChoiceUse, Plan, SeatMeasures
from holmgang.lab.plans import ALWAYS, PERFECT_PLAN
from holmgang.solver.exact.scores import Enclosure

FAIR, LOPSIDED = 0.02, 0.5  # values to red up to which a game is fair, from which it is one-sided
MANY_DRAWS, TOO_MANY_DRAWS = 0.2, 0.5
LONG_TAIL = 6  # how many times as long as the median the longest games may be
NEEDED = 0.02  # what a choice must be worth to be called needed
MOSTLY_LUCK = 0.5  # share of the dice
RARE_COMEBACK = 0.05
MOST_USELESS = 4  # named in one sentence
LITTLE_SKILL = 10  # points of 100
EVEN = 50
MOST_VARIED = 3  # rules of a search
DOES_WELL = 40  # points of 100 against perfect play


class Urgency(Enum):
    """How urgent a sentence is."""

    FINE = "fine"
    LOOK = "worth a look"
    CHANGE = "change this"


@dataclass(frozen=True)
class Remark:
    """A sentence of the verdict."""

    urgency: Urgency
    headline: str
    detail: str


@dataclass(frozen=True)
class NextStep:
    """Something that a designer may try, with the command for it."""

    purpose: str
    command: str


def next_steps(found: Balance) -> list[NextStep]:
    """What to try next: rules without the faults found, a rule that is varied, lines that lead
    nowhere.
    """
    steps, ruleset = [], load(found.ruleset)
    named = typed(ruleset)
    if not found.is_exact:
        return [NextStep("Get narrower intervals", f"holmgang balance {named} --games 1000")]
    rules = ruleset.rules._asdict()
    ranges = {
        rule: values for rule, values in rule_ranges(ruleset.entry).items() if len(values) > 1
    }
    wanted = [
        aim
        for aim, is_wanted in (
            ("value=0", abs(found.value.value) > FAIR and not found.is_symmetric),
            (f"draws<={MANY_DRAWS:.0%}", found.endings.draw > MANY_DRAWS),
            ("endless=0", found.endings.endless > 0),
            (f"dice<={MOSTLY_LUCK:.0%}", found.luck.dice > MOSTLY_LUCK),
        )
        if is_wanted
    ]
    if wanted and ranges:
        aims, varied = (
            " ".join(f'--aim "{aim}"' for aim in wanted),
            ",".join([*ranges][:MOST_VARIED]),
        )
        command = f"holmgang balance {named} {aims} --vary {varied}"
        steps.append(NextStep("Find rules without these faults", command))
    for rule, values in [*ranges.items()][:1]:
        least, most = max(values[0], rules[rule] - 2), min(values[-1], rules[rule] + 2)
        command = f"holmgang balance {named} --sweep {rule}={least}..{most}"
        steps.append(NextStep(f"See what {rule} changes", command))
    if found.endless_lines:
        command = f'holmgang value {named} --after "{found.endless_lines[0].line}"'
        steps.append(NextStep("See what perfect players do where two others are stuck", command))
    return steps


def verdict(found: Balance) -> list[Remark]:
    return [
        fairness(found),
        *proven(found),
        *draws(found),
        *length(found),
        *(choices(found) if found.is_exact else suspicions(found)),
        luck(found),
        comebacks(found),
        *learning(found),
        *simple_plans(found),
        *endless(found),
    ]


def percent(share: float) -> str:
    """A share for people, without false precision near 0 and 100 %.

    >>> percent(0.392), percent(0.0004), percent(0.9999), percent(0.0)
    ('39 %', 'under 1 %', 'over 99 %', '0 %')
    """
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"


def score_text(value: Enclosure) -> str:
    """A value from games as an interval of points of 100.

    >>> score_text(Enclosure(-0.1, 0.5))
    '45 to 75'
    """
    return f"{50 + 50 * value.low:.0f} to {50 + 50 * value.high:.0f}"


def fairness(found: Balance) -> Remark:
    red, blue, value = found.endings.red, found.endings.blue, found.value.value
    if found.is_symmetric:
        return Remark(
            Urgency.FINE,
            "Fair by symmetry.",
            f"Red and Blue have the same rules, and each wins {percent(red)}."
            if found.is_exact
            else "Red and Blue have the same rules.",
        )
    wins = f"Red wins {percent(red)} and Blue {percent(blue)} of the games of {found.players}."
    if gains_from_endless(found):
        wins += f" Games without an end count for {gains_from_endless(found)}."
    if abs(value) <= FAIR or (not found.is_exact and 0 in found.value):
        return Remark(Urgency.FINE, "Fair.", wins)
    ahead, behind = ("Red", "Blue") if value > 0 else ("Blue", "Red")
    if abs(value) < LOPSIDED:
        return Remark(Urgency.LOOK, f"{ahead} has the better seat.", wins)
    return Remark(Urgency.CHANGE, f"{behind} is nearly lost from the start.", wins)


def gains_from_endless(found: Balance) -> str:
    """The seat for which endless games count; empty if there are none, or if they are drawn."""
    ends = found.endings
    gain = 0.0 if found.is_symmetric else found.value.value - (ends.red - ends.blue)
    if ends.endless == 0 or abs(gain) < HARDLY_USED:
        return ""
    return "Red" if gain > 0 else "Blue"


def proven(found: Balance) -> Iterator[Remark]:
    if found.proven_draw:
        yield Remark(
            Urgency.CHANGE,
            "Nobody has to lose.",
            "It is proven that each player can hold out for ever, so perfect play has no winner.",
        )


def draws(found: Balance) -> Iterator[Remark]:
    share = found.endings.draw
    if share > MANY_DRAWS:
        mark = Urgency.CHANGE if share > TOO_MANY_DRAWS else Urgency.LOOK
        yield Remark(mark, "Many draws.", f"{percent(share)} of the games are drawn.")
    if found.endings.endless > 0:
        yield Remark(
            Urgency.CHANGE,
            "Perfect play need not end." if found.is_exact else "Games need not end.",
            f"{percent(found.endings.endless)} of the games"
            f" {'go on for ever' if found.is_exact else 'reach the round limit'}.",
        )


def length(found: Balance) -> Iterator[Remark]:
    rounds = found.length
    if rounds is not None:
        yield Remark(
            Urgency.LOOK if rounds.most > LONG_TAIL * rounds.median else Urgency.FINE,
            f"A game takes {rounds.mean:.1f} rounds.",
            f"Half are over after {rounds.median}, 19 in 20 after {rounds.most}.",
        )


def choices(found: Balance) -> Iterator[Remark]:
    for seat, measures in zip(("Red", "Blue"), found.seats, strict=False):
        who = "" if found.is_symmetric else f"{seat}: "
        everywhere = [each for each in measures.useless if not each.condition]
        if everywhere:
            yield Remark(
                Urgency.CHANGE,
                f"{who}{number(len(everywhere), len(measures.choices))} never needed.",
                f"{listed([each.choice for each in everywhere])}. {proofs(everywhere)}",
            )
        else:
            yield least_used(measures, who)
        yield from conditions(found, measures, who)


def suspicions(found: Balance) -> Iterator[Remark]:
    """What games say of the choices; nothing of it is proven."""
    for seat, measures in zip(("Red", "Blue"), found.seats, strict=False):
        who = "" if found.is_symmetric else f"{seat}: "
        yield from plans(measures, who)
        others = found.blue if seat == "Red" else found.red
        for each in measures.suspects:
            beaten = [
                plan.choice
                for plan in others.plans
                for answer in plan.answers
                if answer.choice == each.choice and answer.alone.low > 0
            ]
            yield Remark(
                Urgency.LOOK,
                f"{who}{each.choice} seems to pay only against {listed(beaten)} alone."
                if beaten
                else f"{who}{each.choice} seems useless.",
                f"It costs at least {50 * each.least_cost:.1f} points of 100 in all"
                f" {each.positions:,} positions of other games, by estimate."
                if beaten
                else f"It costs at least {50 * each.least_cost:.1f} points of 100 in all"
                f" {each.positions:,} positions that were looked at, by estimate.",
            )
        known = {each.choice for each in measures.suspects}
        spare = [
            each.choice
            for each in measures.choices
            if each.cost_of_never and 0 in each.cost_of_never and each.choice not in known
        ]
        if spare:
            yield Remark(
                Urgency.LOOK,
                f"{who}{listed(spare)} {'is' if len(spare) == 1 else 'are'} not missed.",
                f"Players without {'it' if len(spare) == 1 else 'one of them'} scored as much as"
                " others, as far as these games tell.",
            )


def plans(measures: SeatMeasures, who: str) -> Iterator[Remark]:
    """Players who always do the same, and should not get away with it."""
    for plan in measures.plans:
        share = f"{score_text(plan.score)} points of 100"
        if plan.score.low > 0:
            yield Remark(
                Urgency.CHANGE,
                f"{who}{plan.choice} alone wins.",
                f"A player who chooses it whenever possible scores {share} against another one.",
            )
        elif plan.stalls:
            yield Remark(
                Urgency.CHANGE,
                f"{who}{plan.choice} alone stalls.",
                f"If a player chooses it whenever possible, {percent(plan.unfinished)} of the games"
                " reach the round limit.",
            )
            yield from worthless(plan, who)


def worthless(plan: Plan, who: str) -> Iterator[Remark]:
    """What the other seat tries in vain against a plan that stalls."""
    found = plan.worthless_answers
    if found:
        rival = f"{who.removesuffix(': ')} with " if who else ""
        best = max(plan.answers, key=lambda each: each.alone.value)
        more = (
            f" With {best.choice} alone it is {score_text(best.alone)}."
            if best.alone.low > 0
            else ""
        )
        without = ", ".join(f"{score_text(each.without)} without {each.choice}" for each in found)
        yield Remark(
            Urgency.LOOK,
            f"Against {rival}{plan.choice} alone, {listed([each.choice for each in found])}"
            f" {'is' if len(found) == 1 else 'are'} worthless.",
            f"The other player scores {score_text(plan.others_score)} points of 100 against it,"
            f" {without}, and never wins with"
            f" {'it' if len(found) == 1 else 'one of them'} alone.{more}",
        )


def number(useless: int, of: int) -> str:
    if useless == 1:
        return "One choice is"
    return f"{useless} of {of} choices are"


def listed(words: list[str]) -> str:
    if len(words) > MOST_USELESS:
        return f"{', '.join(words[:MOST_USELESS])} and {len(words) - MOST_USELESS} more"
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def proofs(useless: list[Useless]) -> str:
    kinds = {each.proof for each in useless}
    if kinds == {Proof.DOMINATED}:
        return "In every position another choice is at least as good, whatever the answer."
    if Proof.NEVER_USED not in kinds:
        return "In every position another choice is better."
    it = "it" if len(useless) == 1 else "them"
    return f"Perfect players never use {it}; removing {it} would not change the value."


def least_used(measures: SeatMeasures, who: str) -> Remark:
    priced = [each for each in measures.choices if each.cost_of_never is not None]
    if not priced:
        return Remark(Urgency.FINE, f"{who}Nothing on the menu is useless.", "")
    least = min(priced, key=cheapest)
    cost = least.cost_of_never.low if least.cost_of_never else 0.0
    if cost >= NEEDED:
        return Remark(
            Urgency.FINE,
            f"{who}Every choice is needed.",
            f"Never using {least.choice}, the least important one, costs at least"
            f" {floor(50 * cost)} points of 100.",
        )
    return Remark(
        Urgency.LOOK,
        f"{who}{least.choice} hardly matters.",
        f"Perfect players use it in {percent(least.use)} of the rounds in which they can. It is not"
        " proven that a player who never uses it loses even 1 point of 100.",
    )


def cheapest(choice: ChoiceUse) -> float:
    return choice.cost_of_never.low if choice.cost_of_never else 0.0


def conditions(found: Balance, measures: SeatMeasures, who: str) -> Iterator[Remark]:
    some = [each for each in widest_first(measures.useless) if each.condition]
    if some:
        widest = some[0]
        others = len(some) - 1
        more = f" See below for {others} more." if others else ""
        yield Remark(
            Urgency.LOOK,
            f"{who}{widest.choice} is never right when"
            f" {widest.condition_text(symmetric=found.is_symmetric)}.",
            f"That is proven for all {widest.states:,} such positions.{more}",
        )


def luck(found: Balance) -> Remark:
    dice = found.luck.dice
    if dice == 0:
        return Remark(
            Urgency.FINE, "No luck from dice.", "The choices of both players decide everything."
        )
    mark = Urgency.LOOK if dice > MOSTLY_LUCK else Urgency.FINE
    headline = f"The dice decide {percent(dice)}."
    return Remark(
        mark,
        headline,
        f"The other {percent(found.luck.matchups)} depends on who guesses right.",
    )


def comebacks(found: Balance) -> Remark:
    tension = found.tension
    mark = Urgency.LOOK if tension.comeback < RARE_COMEBACK else Urgency.FINE
    return Remark(
        mark,
        "Comebacks are rare." if mark is Urgency.LOOK else "Comebacks happen.",
        f"A player who was far behind (25 points of 100 or less) still wins"
        f" {percent(tension.comeback)}. The lead changes {tension.lead_changes:.1f} times a game.",
    )


def learning(found: Balance) -> Iterator[Remark]:
    """Whether it pays to become better."""
    if found.levels is None:
        return
    points = found.levels.points
    best, worst = points[-1][0], points[0][0]
    if best - worst < LITTLE_SKILL:
        yield Remark(
            Urgency.LOOK,
            "Skill hardly matters.",
            f"A perfect player scores only {best:.0f} points of 100 against random choices.",
        )
        return
    smallest = min(points[step + 1][step] for step in range(len(points) - 1))
    yield Remark(
        Urgency.FINE,
        "Learning pays.",
        f"A perfect player scores {best:.0f} points of 100 against random choices, and each level"
        f" at least {smallest:.0f} against the one below."
        if smallest > EVEN
        else f"A perfect player scores {best:.0f} points of 100 against random choices.",
    )


def simple_plans(found: Balance) -> Iterator[Remark]:
    """Plans that do well without any skill."""
    plans = found.simple_plans
    if plans is None:
        return
    perfect = plans.players.index(PERFECT_PLAN)
    scores = {
        name: row[perfect]
        for name, row in zip(plans.players, plans.points, strict=True)
        if name.startswith(ALWAYS)
    }
    good = [name for name, score in scores.items() if score >= DOES_WELL]
    if 0 < len(good) <= len(scores) / 2:  # if most of them do, it is a game of guessing
        best = max(good, key=lambda name: scores[name])
        yield Remark(
            Urgency.LOOK,
            f"A simple plan does well: {best}.",
            f"It scores {scores[best]:.0f} points of 100 against perfect play, which does not try"
            " to punish it.",
        )


def endless(found: Balance) -> Iterator[Remark]:
    if found.endless_lines:
        first = found.endless_lines[0]
        yield Remark(
            Urgency.LOOK,
            "Two players can get stuck.",
            f"After {first.line!r}, the last round can be repeated for ever.",
        )
