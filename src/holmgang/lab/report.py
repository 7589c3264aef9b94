"""The balance of a ruleset as a web page of one file, with figures."""

from base64 import b64encode
from functools import cache
from itertools import zip_longest
from math import ceil
from pathlib import Path

from holmgang.engine.html_page import render
from holmgang.games.finding import typed
from holmgang.games.ruleset import load
from holmgang.lab.compare import RulesComparison
from holmgang.lab.dominance import Proof, widest_first
from holmgang.lab.lines import explore_path
from holmgang.lab.look_ahead import in_words
from holmgang.lab.measures import SITUATIONS, Balance
from holmgang.lab.plans import PlanScores
from holmgang.lab.skill import LevelScores
from holmgang.lab.verdict import Remark, Urgency, next_steps, percent, score_text, verdict
from holmgang.solver.exact.scores import Enclosure

HERE = Path(__file__).parent
NOTHING = 1e-4  # less is not seen in points with one decimal
SERVER = "http://localhost:8000"  # as `holmgang serve` starts it
MOST_ROWS = 12  # of a long table that are seen at once
MOST_BARS = 40  # of the histogram of lengths; the last one has all longer games
PROOFS = {
    Proof.NEVER_USED: "never used: perfect players do without it, and the value stays the same",
    Proof.COSTLY: "always costs: in every such position the value with it is lower",
    Proof.DOMINATED: "dominated: another choice is at least as good against every answer",
}


def report_page(found: Balance, server: str = SERVER) -> str:
    """The report as an HTML page. Links to explore lead to this server."""
    remarks = verdict(found)
    return render(
        "lab/report.html",
        *sources(),
        found=found,
        named=typed(load(found.ruleset)),
        remarks=remarks,
        headline=headline(remarks),
        next_steps=next_steps(found),
        urgencies=Urgency,
        seats=list(zip(("Red", "Blue"), found.seats, strict=False)),
        bars=length_bars(found.length.chances, bar_width(found)) if found.length else [],
        step=bar_width(found),
        levels=level_rows(found),
        proofs=PROOFS,
        situations=SITUATIONS,
        percent=percent,
        never_right=[widest_first(seat.useless) for seat in found.seats],
        most_rows=MOST_ROWS,
        points=at_least if found.is_exact else between,
        bound=bound,
        score_text=score_text,
        strength=strength_text,
        steps=depth_bars(found),
        look_ahead_in_words=in_words,
        explore=lambda line: server.rstrip("/") + explore_path(found.ruleset, line),
        record=record_address,
    )


def comparison_page(found: RulesComparison) -> str:
    """Two rulesets side by side as an HTML page. Their lengths have one scale."""
    shares = [
        length_bars(each.length.chances) for each in (found.before, found.after) if each.length
    ]
    return render(
        "lab/compare.html",
        *sources(),
        found=found,
        bars=length_bars,
        most_bars=MOST_BARS,
        top=max((max(each) for each in shares), default=1.0),
        percent=percent,
    )


def headline(remarks: list[Remark]) -> str:
    """What matters most: the first thing to change, or that there is nothing."""
    urgent = [each for each in remarks if each.urgency is Urgency.CHANGE]
    if urgent:
        return urgent[0].headline.removesuffix(".")
    looks = sum(each.urgency is Urgency.LOOK for each in remarks)
    if looks == 0:
        return "nothing to change"
    return f"sound, with {looks} {'thing' if looks == 1 else 'things'} worth a look"


def level_rows(found: Balance) -> list[tuple[str, list[float], Enclosure | None]]:
    """Each level with its scores, and what is gained against it if that is known."""
    levels = found.levels
    if levels is None:
        return []
    return list(zip_longest(levels.players, levels.points, levels.exploitable))


def depth_bars(found: Balance) -> list[tuple[int, str, float]]:
    """By number of strategies: what is still gained, as text and as a share of the most."""
    if found.depth is None:
        return []
    most = max(*found.depth.gains, NOTHING)
    return [
        (count, f"{50 * gain:.1f}", gain / most) for count, gain in enumerate(found.depth.gains)
    ]


def record_address(record: str) -> str:
    """A record as an address to download, so that the page needs no other file."""
    return "data:application/jsonl;base64," + b64encode(record.encode()).decode()


@cache
def sources() -> tuple[str, str]:
    """Style and script; the page has no script."""
    return (HERE / "report.css").read_text("utf-8"), ""


def bar_width(found: Balance) -> int:
    """The rounds of a bar, so that 19 of 20 games do not fall into the last one."""
    return 1 + (found.length.most // MOST_BARS if found.length else 0)


def length_bars(chances: tuple[float, ...], width: int = 1) -> list[float]:
    """The chance of each number of rounds, or of each `width` numbers; the last one is for all
    longer games.

    >>> length_bars((0.25, 0.25, 0.5), 2)
    [0.5, 0.5]
    """
    shares = [sum(chances[first : first + width]) for first in range(0, len(chances), width)]
    if len(shares) <= MOST_BARS:
        return shares
    return [*shares[: MOST_BARS - 1], sum(shares[MOST_BARS - 1 :])]


def bound(cost: Enclosure) -> str:
    """The same for a cost that may be an upper bound, as a search found it.

    >>> bound(Enclosure(0.0, 0.311)), bound(Enclosure(0.919, 1.0))
    ('≤ 15.6', '≥ 45.9')
    """
    if cost.low <= 0 and not cost.high < NOTHING:
        return f"≤ {ceil(500 * cost.high - NOTHING) / 10:.1f}"
    return "0.0" if cost.high < NOTHING else at_least(cost)


def strength_text(scores: LevelScores | PlanScores) -> str:
    """The players from the strongest on; those that beat each other in a circle stand together."""
    return " > ".join(" = ".join(each) for each in scores.clusters)


def between(cost: Enclosure) -> str:
    """A cost from games in points of 100, as an interval.

    >>> between(Enclosure(-0.02, 0.24))
    '−1 to 12'
    """
    return f"{50 * cost.low:.0f} to {50 * cost.high:.0f}".replace("-", "−")


def at_least(cost: Enclosure) -> str:
    """A cost in points of 100, rounded away from the claim if it is not exact.

    >>> at_least(Enclosure(0.42536400, 0.42536401)), at_least(Enclosure(0.919, 1.0))
    ('21.3', '≥ 45.9')
    """
    if cost.error < NOTHING:
        return f"{50 * cost.value:.1f}"
    return f"≥ {int(500 * cost.low) / 10:.1f}"
