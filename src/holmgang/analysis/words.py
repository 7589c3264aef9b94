"""An analysis in words: the turning points of a duel, and three sentences about it.

All of it is derived from values, mixes and the game's own story of what would have happened.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holmgang.analysis.grade import MARKS, RoundGrade, mark_of
from holmgang.analysis.points import cost_text, score_text, short_text, table_text, whole_points
from holmgang.games.contract import BLUE, NO_CHOICE, NOBODY, RED, SEATS, Clause
from holmgang.games.defaults.story import listed
from holmgang.wire.study import AnalysedTurn

if TYPE_CHECKING:
    from holmgang.analysis.analyse import Analysis

MARK_NAMES = tuple(
    (least, mark, name)
    for (least, mark), name in zip(MARKS[::-1], ("inaccuracy", "mistake", "blunder"), strict=True)
)
"""The marks, the smallest first: least error in whole points, mark and name."""
SEEN = 0.005  # a share of a mix, or a cost, that is not worth a word
MOST_REPLIES = 15  # that a story is compared with
Players = dict[str, str]


def step_word(rounds: Sequence[RoundGrade]) -> str:
    """What a step of a duel is called: a round, or a move where the seats take turns."""
    choices = [[graded.choice(seat) for seat in (RED, BLUE)] for graded in rounds]
    return "move" if choices and all(NO_CHOICE in pair for pair in choices) else "round"


# Turning points


def turning_points(rounds: list[RoundGrade], players: Players) -> list[AnalysedTurn]:
    """The marked errors in the order of play."""
    step = step_word(rounds)
    return [
        turning_point(number, graded, seat, mark, players, step)
        for number, graded in enumerate(rounds, start=1)
        for seat in (RED, BLUE)
        if (mark := graded.mark(seat)) is not None
    ]


def turning_point(
    number: int, graded: RoundGrade, seat: int, mark: str, players: Players, step: str
) -> AnalysedTurn:
    made, cost = graded.choice(seat), graded.error(seat)
    least = ""
    if graded.before.solution.cost_against_mix(seat, made) >= cost + SEEN:
        least = "at least "  # against another optimal mix it costs more
    best, choice = best_choices(graded, seat), phrase(graded, seat, made)
    better = " or ".join(phrase(graded, seat, each) for each in best)
    why = reason(graded, seat, best[0], players)
    text = (
        f"{possessive(players[SEATS[seat]])} {choice} cost"
        f" {least}{cost_text(cost, is_exact=graded.has_exact_errors)}: {why}."
        f" Better: {better}"
    )
    return AnalysedTurn(
        round=number,
        seat=SEATS[seat],
        mark=mark,
        cost=cost,
        choice=choice,
        why=why,
        better=better,
        text=text,
        sentence=f"{step} {number}: {text}",
    )


def best_choices(graded: RoundGrade, seat: int) -> list[int]:
    """The choice that should be made most often, and the next one if it is nearly as frequent."""
    mix = (graded.before.solution.red, graded.before.solution.blue)[seat]
    ranked = sorted((choice for choice in mix if mix[choice] > 0), key=lambda each: -mix[each])
    return [choice for choice in ranked[:2] if mix[choice] > mix[ranked[0]] / 2]


def reason(graded: RoundGrade, seat: int, best: int, players: Players) -> str:
    """Why a choice is worse than the best one: what happens against the reply that harms it most.
    From the game's own story, so it never repeats the choice.
    """
    made, side = graded.choice(seat), 1 if seat == RED else -1
    replies = (graded.before.solution.blue, graded.before.solution.red)[seat] or {NO_CHOICE: 1.0}

    def worth(choice: int, reply: int) -> float:
        """To this seat."""
        pair = (choice, reply) if seat == RED else (reply, choice)
        return side * graded.before.game.entry(*pair)

    losses = {
        reply: worth(best, reply) - worth(made, reply)
        for reply, share in replies.items()
        if share > SEEN
    }
    worst = max(losses, key=lambda reply: replies[reply] * losses[reply])
    outcome = consequence(graded, seat, best, worst)
    if worst == NO_CHOICE:
        return outcome
    reply = phrase(graded, 1 - seat, worst)
    if len(losses) == 1:
        return f"{possessive(players[SEATS[1 - seat]])} best reply is {reply}, and {outcome}"
    return f"against {reply}, {outcome}"


def consequence(graded: RoundGrade, seat: int, best: int, reply: int) -> str:
    """What the choice leads to against that reply, in the words of the game's story: what happens
    to this seat then and not against every other reply; otherwise, what the best choice would have
    done to the other seat; otherwise, what the expected score becomes.
    """
    made, other = graded.choice(seat), graded.before.ruleset.choices(graded.before.state, 1 - seat)
    told = story_of(graded, seat, made, reply)
    rest = [story_of(graded, seat, made, each) for each in other if each != reply]
    usual = set.intersection(*map(set, rest[:MOST_REPLIES])) if rest else {told[0]}
    own = [clause.text for clause in told if clause.who == seat and clause not in usual]
    if own:
        return listed(own)
    instead = story_of(graded, seat, best, reply)
    missed = [each.text for each in instead if each.who == 1 - seat and each not in told]
    if missed:
        return f"{phrase(graded, seat, best)} would do more: {listed(missed)}"
    red, blue = (made, reply) if seat == RED else (reply, made)
    value = (1 if seat == RED else -1) * graded.before.game.entry(red, blue)
    return f"the expected score becomes {score_text(value)} of 100"


def story_of(graded: RoundGrade, seat: int, choice: int, reply: int) -> list[Clause]:
    """The likeliest story of a choice of this seat against a reply."""
    ruleset, state = graded.before.ruleset, graded.before.state
    red, blue = (choice, reply) if seat == RED else (reply, choice)
    face, _ = max(ruleset.throws(state, red, blue), key=lambda throw: throw[1])
    after = ruleset.resolve_unchecked(state, red, blue, face)
    told = ruleset.clauses(state, red, blue, face, after)
    ended = ruleset.ending(after)
    if ended.reason and ended.winner != NOBODY:
        told.append(Clause(1 - ended.winner, "loses"))
    return told


def phrase(graded: RoundGrade, seat: int, choice: int) -> str:
    """A choice as people read it, in a sentence."""
    label = graded.before.ruleset.label(graded.before.state, seat, choice)
    parts = ", ".join(value for _, value in label.parts)
    return f"{label.verb[:1].lower()}{label.verb[1:]}" + (f" ({parts})" if parts else "")


# The summary


def summarise(analysis: "Analysis") -> list[str]:
    """Three sentences: who played better, what decided it, what to do next time."""
    if not analysis.rounds:
        return ["No round was played."]
    return [skill_sentence(analysis), decision_sentence(analysis), advice_sentence(analysis)]


def ending_sentence(analysis: "Analysis") -> str:
    """How the duel ended, and after how many rounds."""
    count = len(analysis.rounds)
    step = step_word(analysis.rounds)
    rounds = f"{count} {step}" if count == 1 else f"{count} {step}s"
    if analysis.outcome is None:
        return f"{rounds}, unfinished"
    reason, winner = analysis.outcome.reason, analysis.outcome.winner
    if reason == "abandoned":
        return f"{rounds}, abandoned"
    return f"{rounds}, {'a draw' if winner is None else f'{winner} wins'} ({reason})"


def skill_sentence(analysis: "Analysis") -> str:
    """Who played better."""
    is_exact = analysis.has_exact_errors
    lost = [analysis.totals[f"{seat}_error"] for seat in SEATS]
    whole = [whole_points(each) for each in lost]
    names = [analysis.players[seat] for seat in SEATS]
    guess = "" if is_exact else "By a search’s estimate, "
    if not any(whole):
        said = "both played without a mistake"
    elif whole[RED] == whole[BLUE]:
        said = f"both played equally well: each lost {cost_text(lost[RED], is_exact=is_exact)}"
    else:
        better = RED if whole[RED] < whole[BLUE] else BLUE
        worse = 1 - better
        kept = (
            f"lost {short_text(lost[better], is_exact=is_exact)}"
            if whole[better]
            else "lost nothing"
        )
        said = (
            f"{names[better]} played better: {names[worse]} lost"
            f" {cost_text(lost[worse], is_exact=is_exact)} by errors, {names[better]} {kept}"
        )
    return f"{guess}{said}." if guess else f"{said[:1].upper()}{said[1:]}."


def decision_sentence(analysis: "Analysis") -> str:
    """What decided the duel: an ending outside the rules, an error, or luck; the largest of them
    that helped the winner.
    """
    is_exact, totals = analysis.has_exact_errors, analysis.totals
    side, step = analysis.result, step_word(analysis.rounds)
    if not side:
        largest = max(analysis.turning_points, key=lambda point: point.cost, default=None)
        if largest is None:
            return "No error and no guess decided it." if side == 0 else "Nothing is decided yet."
        return f"The largest error was in {step} {largest.round}: {largest.text}."
    won, lost = (RED, BLUE) if side > 0 else (BLUE, RED)
    winner, loser = analysis.players[SEATS[won]], analysis.players[SEATS[lost]]
    errors = totals[f"{SEATS[lost]}_error"]
    luck = side * sum_of_luck(analysis)
    ending = side * totals["ending"]
    if ending >= SEEN and ending >= max(errors, luck) and analysis.outcome is not None:
        gave = short_text(ending, is_exact=analysis.is_end_exact)
        return f"The ending by {analysis.outcome.reason} decided it: it gave {winner} {gave}."
    points = [each for each in analysis.turning_points if each.seat == SEATS[lost]]
    worst = max(points, key=lambda point: point.cost, default=None)
    if worst is not None and errors >= luck:
        return f"Errors decided it, most of all in {step} {worst.round}: {worst.text}."
    if whole_points(luck) == 0 and whole_points(errors) == 0:
        return "Nothing but the start decided it."
    if errors > luck:
        number, graded = max(
            enumerate(analysis.rounds, start=1), key=lambda each: each[1].error(lost)
        )
        most = phrase(graded, lost, graded.choice(lost))
        return (
            f"Errors of {loser} decided it: {cost_text(errors, is_exact=is_exact)} in all, most of"
            f" them in {step} {number} ({most})."
        )
    number, graded = luckiest(analysis, side)
    met = " against ".join(
        phrase(graded, seat, graded.choice(seat))
        for seat in (RED, BLUE)
        if graded.choice(seat) != NO_CHOICE
    )
    gave = short_text(side * luck_of(graded), is_exact=is_exact)
    return (
        f"Luck decided it: guesses and dice gave {winner} {cost_text(luck, is_exact=is_exact)},"
        f" most of all in {step} {number} ({met}: {gave})."
    )


def sum_of_luck(analysis: "Analysis") -> float:
    return analysis.totals["meeting_luck"] + analysis.totals["dice_luck"]


def luck_of(graded: RoundGrade) -> float:
    return graded.meeting_luck + graded.dice_luck


def luckiest(analysis: "Analysis", side: float) -> tuple[int, RoundGrade]:
    """The round, by its number, in which a side was luckiest."""
    rounds = enumerate(analysis.rounds, start=1)
    return max(rounds, key=lambda each: side * luck_of(each[1]))


def advice_sentence(analysis: "Analysis") -> str:
    """What to do next time: the better choice at the largest error of each side."""
    if not analysis.turning_points:
        if not analysis.has_exact_errors:
            return estimated_advice(analysis)
        return "Next time: nothing to change, no choice cost 5 points or more."
    said = []
    for seat in SEATS:
        own = [point for point in analysis.turning_points if point.seat == seat]
        worst = max(own, key=lambda point: point.cost, default=None)
        if worst is not None:
            name = analysis.players[seat]
            where = f"{step_word(analysis.rounds)} {worst.round}"
            said.append(f"{name}: {worst.better} instead of {worst.choice} ({where})")
    return f"Next time, {'; '.join(said)}."


def estimated_advice(analysis: "Analysis") -> str:
    """The same where no error is proven: the better choice at the largest estimated error."""
    said = []
    for seat in SEATS:
        side = SEATS.index(seat)
        number, graded = max(
            enumerate(analysis.rounds, start=1), key=lambda each: each[1].error(side)
        )
        made = graded.choice(side)
        best = [phrase(graded, side, each) for each in best_choices(graded, side) if each != made]
        if best and mark_of(graded.error(side)) is not None:
            instead = f"{' or '.join(best)} instead of {phrase(graded, side, made)}"
            step = step_word(analysis.rounds)
            said.append(f"{analysis.players[seat]}: {instead} ({step} {number})")
    if not said:
        return "Next time: nothing to change, no choice seems to have cost 5 points or more."
    return f"Next time, by the estimate, {'; '.join(said)}."


def luck_sentence(analysis: "Analysis") -> str:
    """How much luck there was, and where it came from."""
    totals, is_exact = analysis.totals, analysis.has_exact_errors
    meeting, dice = totals["meeting_luck"], totals["dice_luck"]
    luck = meeting + dice
    side = 1 if luck >= 0 else -1
    name = analysis.players[SEATS[RED if side > 0 else BLUE]]
    if whole_points(luck) == 0:
        return "Luck favoured neither side."
    said = f"Luck gave {name} {cost_text(luck, is_exact=is_exact)}"
    if abs(dice) < SEEN:
        return f"{said}, all of it from how the choices matched up."
    return (
        f"{said}: {table_text(side * meeting)} from how the choices matched up,"
        f" {table_text(side * dice)} from the dice."
    )


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"
