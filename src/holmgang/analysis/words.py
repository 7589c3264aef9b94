"""An analysis in words: the turning points of a duel, and three sentences about it.

All of it is derived from values, mixes and the game's own story of what would have happened.
"""

from typing import TYPE_CHECKING, NamedTuple

from holmgang.analysis.grade import MARKS, RoundGrade
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEAT_NAMES, SEATS

if TYPE_CHECKING:
    from holmgang.analysis.analyse import Analysis

MARK_NAMES = tuple(
    (least, mark, name)
    for (least, mark), name in zip(MARKS[::-1], ("inaccuracy", "mistake", "blunder"), strict=True)
)
"""The marks, the smallest first: least error, mark and name."""
SEEN = 0.005  # less is shown as 0.00; and a share of a mix that is not worth a word
Players = dict[str, str]


class TurningPoint(NamedTuple):
    """A choice that was a marked error."""

    round: int
    seat: str
    mark: str
    cost: float
    choice: str
    why: str
    """The reply that punishes it, and the result."""
    better: str
    text: str
    """All of it in words, without the round."""

    @property
    def sentence(self) -> str:
        """The same with the round, without a full stop."""
        return f"round {self.round}: {self.text}"

    def as_json(self) -> dict[str, str | int | float]:
        return {**self._asdict(), "sentence": self.sentence}


# Turning points


def turning_points(rounds: list[RoundGrade], players: Players) -> list[TurningPoint]:
    """The marked errors in the order of play."""
    return [
        turning_point(number, graded, seat, mark, players)
        for number, graded in enumerate(rounds, start=1)
        for seat in (RED, BLUE)
        if (mark := graded.mark(seat)) is not None
    ]


def turning_point(
    number: int, graded: RoundGrade, seat: int, mark: str, players: Players
) -> TurningPoint:
    made, cost = graded.choice(seat), graded.error(seat)
    about = "" if graded.has_exact_errors else "about "
    if graded.before.solution.cost_against_mix(seat, made) >= cost + SEEN:
        about = "at least "
    best, choice = best_choices(graded, seat), phrase(graded, seat, made)
    better = " or ".join(phrase(graded, seat, each) for each in best)
    why = punishment(graded, seat, best[0], players)
    text = (
        f"{possessive(players[SEATS[seat]])} {choice} {why};"
        f" {better} would have saved {about}{cost:.2f}"
    )
    return TurningPoint(number, SEATS[seat], mark, cost, choice, why, better, text)


def best_choices(graded: RoundGrade, seat: int) -> list[int]:
    """The choice that should be made most often, and the next one if it is nearly as frequent."""
    mix = (graded.before.solution.red, graded.before.solution.blue)[seat]
    ranked = sorted((choice for choice in mix if mix[choice] > 0), key=lambda each: -mix[each])
    return [choice for choice in ranked[:2] if mix[choice] > mix[ranked[0]] / 2]


def punishment(graded: RoundGrade, seat: int, best: int, players: Players) -> str:
    """The reply against which the choice loses most, compared with the best one, and the result."""
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
    outcome, value = outcome_of(graded, seat, worst), signed(worth(made, worst))
    if worst == NO_CHOICE:
        return f"lowers the value from {signed(side * graded.value_before)} to {value} ({outcome})"
    happens = f"({outcome}: {value})"
    other, reply = possessive(players[SEATS[1 - seat]]), phrase(graded, 1 - seat, worst)
    if len(losses) == 1:
        return f"fails against {reply}, {other} best choice {happens}"
    if all(each > 0 for each in losses.values()):
        better = phrase(graded, seat, best)
        return (
            f"is worse than {better} against all of {other} mix,"
            f" most of all against {reply} {happens}"
        )
    return f"is punished by {reply}, {replies[worst]:.0%} of {other} mix {happens}"


def outcome_of(graded: RoundGrade, seat: int, reply: int) -> str:
    """The likeliest result of the choice against that reply in the words of the game's story: what
    this seat does and suffers, or the whole story if it does nothing.
    """
    ruleset, state, made = graded.before.ruleset, graded.before.state, graded.choice(seat)
    red, blue = (made, reply) if seat == RED else (reply, made)
    face, _ = max(ruleset.throws(state, red, blue), key=lambda throw: throw[1])
    after = ruleset.resolve_unchecked(state, red, blue, face)
    told = ruleset.clauses(state, red, blue, face, after)
    own = [clause.what for clause in told if clause.who == seat and not clause.thing]
    return f"{SEAT_NAMES[seat]} {', '.join(own)}" if own else "; ".join(each.text for each in told)


def phrase(graded: RoundGrade, seat: int, choice: int) -> str:
    """A choice as people read it, in a sentence."""
    label = graded.before.ruleset.label(graded.before.state, seat, choice)
    parts = ", ".join(value for _, value in label.parts)
    return f"{label.verb[:1].lower()}{label.verb[1:]}" + (f" ({parts})" if parts else "")


# The summary


def summarise(analysis: "Analysis") -> list[str]:
    """Three sentences: the skill of both, the luck, the turning point."""
    return [skill_sentence(analysis), luck_sentence(analysis), turn_sentence(analysis)]


def ending_sentence(analysis: "Analysis") -> str:
    """How the duel ended, and after how many rounds."""
    count = len(analysis.rounds)
    rounds = f"{count} round" if count == 1 else f"{count} rounds"
    if analysis.outcome is None:
        return f"{rounds}, unfinished"
    reason, winner = analysis.outcome.reason, analysis.outcome.winner
    if reason == "abandoned":
        return f"{rounds}, abandoned"
    return f"{rounds}, {'a draw' if winner is None else f'{winner} wins'} ({reason})"


def skill_sentence(analysis: "Analysis") -> str:
    about = "" if analysis.has_exact_errors else "≈ "
    parts = []
    for seat, name in enumerate(SEATS):
        lost, accuracy = analysis.totals[f"{name}_error"], analysis.accuracy(seat)
        whose = possessive(analysis.players[name])
        if about:
            parts.append(f"{whose} choices cost {about}{lost:.2f}")
        elif lost < SEEN:
            parts.append(f"{analysis.players[name]} made no error")
        else:
            share = "" if accuracy is None else f" (accuracy {accuracy:.0f}%)"
            parts.append(f"{whose} errors cost {lost:.2f}{share}")
    said = " and ".join(parts)
    return f"By a search’s estimate, {said}." if about else f"{said}."


def luck_sentence(analysis: "Analysis") -> str:
    totals, about = analysis.totals, "" if analysis.has_exact_errors else "≈ "
    meeting, dice = totals["meeting_luck"], totals["dice_luck"]
    luck = meeting + dice
    side = 1 if luck >= 0 else -1
    name = analysis.players[SEATS[RED if side > 0 else BLUE]]
    if abs(luck) < SEEN:
        said = "Luck favoured neither side"
    else:
        said = f"Luck gave {name} {about}{abs(luck):.2f}"
        if abs(dice) >= SEEN:
            said += (
                f": {about}{signed(side * meeting)} from how the choices matched up,"
                f" {about}{signed(side * dice)} from the dice"
            )
        else:
            said += ", all of it from how the choices matched up"
    ending = totals["ending"]
    if abs(ending) >= SEEN and analysis.outcome is not None:
        gained = analysis.players[SEATS[RED if ending > 0 else BLUE]]
        about = "" if analysis.is_end_exact else "≈ "
        said += f"; the ending by {analysis.outcome.reason} gave {gained} {about}{abs(ending):.2f}"
    return f"{said}."


def turn_sentence(analysis: "Analysis") -> str:
    if not analysis.rounds:
        return "No round was played."
    worst = max(analysis.turning_points, key=lambda point: point.cost, default=None)
    if worst is not None:
        return f"The turning point: {worst.sentence}."
    if not analysis.has_exact_errors:
        return "The values are estimates, and no error is proven."
    lucks = [graded.meeting_luck + graded.dice_luck for graded in analysis.rounds]
    number = max(range(len(lucks)), key=lambda each: abs(lucks[each]))
    if abs(lucks[number]) < SEEN:
        return "There was no turning point."
    graded, gained = analysis.rounds[number], RED if lucks[number] > 0 else BLUE
    met = " against ".join(
        phrase(graded, seat, graded.choice(seat))
        for seat in (RED, BLUE)
        if graded.choice(seat) != NO_CHOICE
    )
    return (
        f"The turning point was luck in round {number + 1}: {met}, which gave"
        f" {analysis.players[SEATS[gained]]} {abs(lucks[number]):.2f}."
    )


def signed(number: float) -> str:
    """A number as people write it, with two digits.

    >>> signed(0.5), signed(-0.25), signed(-0.001)
    ('+0.50', '−0.25', '0.00')
    """
    return "0.00" if abs(number) < SEEN else f"{number:+.2f}".replace("-", "−")


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"
