"""An analysis as a web page of one file: the curve, the board, both mixes of each round, skill and
luck.

The template `report.html` extends that of replay pages (`engine/replay_page.py`), whose script
steps through the rounds; `report.js` makes the curve clickable.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from holmgang.analysis import curve
from holmgang.analysis.analyse import Analysis
from holmgang.analysis.grade import RoundGrade
from holmgang.analysis.points import LEGEND, score_text, table_text
from holmgang.analysis.words import MARK_NAMES, SEEN, ending_sentence, luck_sentence
from holmgang.engine import replay_page
from holmgang.engine.course import Step
from holmgang.engine.html_page import render
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS

HERE = Path(__file__).parent
MOST_CHOICES = 8  # of a mix


def report_page(analysis: Analysis) -> str:
    """The analysis as an HTML page."""
    parts = parts_of(analysis)
    return render(
        "analysis/report.html",
        *sources(),
        game=analysis.ruleset.entry.title,
        ruleset=analysis.ruleset.text,
        names=analysis.players,
        ending=ending_sentence(analysis),
        pictures=replay_page.share_tags(replay_page.pictures(analysis.course, analysis.players)),
        analysis=analysis,
        curve=curve.draw(analysis.as_json(), prefix="curve-", has_style=False),
        marks=MARK_NAMES,
        parts=parts,
        scale=max(1.0, *(abs(part.value) for part in parts)),
        rounds=[
            shown_round(graded, step)
            for graded, step in zip(analysis.rounds, analysis.course.steps, strict=True)
        ],
        least=SEEN,
        points=table_text,
        score=score_text,
        legend=LEGEND,
        luck=luck_sentence(analysis),
        game_number=None,
        started=None,
    )


@cache
def sources() -> tuple[str, str]:
    """Style and script: those of a replay page, and the additions of this one."""
    style, script = replay_page.sources()
    own = [(HERE / f"report.{kind}").read_text("utf-8") for kind in ("css", "js")]
    return f"{style}\n{own[0]}", f"{script}\n{own[1]}"


class ReportPart(NamedTuple):
    """A step from the value at the start to the result, or one of a round."""

    name: str
    value: float
    kind: str = ""
    """The class of its row: `skill` is drawn solid, `luck` hatched."""
    accuracy: str = ""


def parts_of(analysis: Analysis) -> list[ReportPart]:
    """All parts of the duel."""
    totals, names = analysis.totals, analysis.players
    accuracy = [
        "–" if (share := analysis.accuracy(seat)) is None else f"{share:.0f}%"
        for seat in (RED, BLUE)
    ]
    parts = [
        ReportPart(f"Errors of {names['red']}", -totals["red_error"], "skill", accuracy[RED]),
        ReportPart(f"Errors of {names['blue']}", totals["blue_error"], "skill", accuracy[BLUE]),
        ReportPart("Luck of the match-up", totals["meeting_luck"], "luck"),
        ReportPart("Luck of the dice", totals["dice_luck"], "luck"),
    ]
    if abs(totals["ending"]) >= SEEN and analysis.outcome is not None:
        parts.append(ReportPart(f"Ending by {analysis.outcome.reason}", totals["ending"], "end"))
    return parts


class MixRow(NamedTuple):
    """A choice in a seat's best mix."""

    word: str
    share: float
    cost: float
    mark: str | None
    """If it was chosen: the mark of the error, or a dot."""


class ShownRound(NamedTuple):
    """The texts below the board after a round."""

    grade: RoundGrade
    parts: list[ReportPart]
    story: list[str]
    mixes: dict[str, list[MixRow]]
    """By seat, of those that had a choice."""


def shown_round(graded: RoundGrade, step: Step) -> ShownRound:
    parts = [
        ReportPart("red’s error", -graded.red_error),
        ReportPart("blue’s error", graded.blue_error),
        ReportPart("match-up", graded.meeting_luck),
        ReportPart("dice", graded.dice_luck),
    ]
    return ShownRound(
        graded,
        [part for part in parts if abs(part.value) >= SEEN],
        graded.before.ruleset.tell(
            step.before.state, step.red, step.blue, step.face, step.after.state
        ),
        {
            SEATS[seat]: mix_rows(graded, seat)
            for seat in (RED, BLUE)
            if graded.choice(seat) != NO_CHOICE
        },
    )


def mix_rows(graded: RoundGrade, seat: int) -> list[MixRow]:
    """The choices worth showing, the most frequent first, and the one that was made."""
    solution, made = graded.before.solution, graded.choice(seat)
    mix, costs = (solution.red, solution.blue)[seat], solution.costs(seat)
    ranked = sorted(mix, key=lambda choice: (-mix[choice], costs[choice]))
    shown = [choice for choice in ranked if mix[choice] >= SEEN][:MOST_CHOICES]
    shown += [choice for choice in ranked if choice not in shown][: max(0, 4 - len(shown))]
    shown += [made] if made not in shown else []
    word, mark = graded.before.ruleset.word, graded.mark(seat) or "●"
    return [
        MixRow(word(each), mix[each], costs[each], mark if each == made else None) for each in shown
    ]
