"""The ladder of levels: `python -m bench.ladder` calibrates and measures it.

It writes bench/LADDER.md, and src/holmgang/players/ladder.json, from which the players take their
temperatures and the shells the ratings. A solved game is calculated exactly (`ladder_exact.py`),
others are played (`ladder_sampled.py`), until the standard error of a score is small enough. Games
that were measured before are kept; name some to measure them anew. Results so far are kept in
the folder ladder_progress, from which an interrupted run continues.

`medium` and `hard` notice what their opponent repeats, so their games depend on more than the state
and are played in solved games, too; exact values take the luck out of them.

Temperatures of solved games are calibrated on a grid, without noticing. The weakest level is one
step above `random`, or stronger if its games were not of ordinary length otherwise; the others are
evenly spaced from there to `perfect`, as far as a lower temperature makes them stronger. Other
games are measured with the temperatures of ladder.json, which trial games have found.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from bench.ladder_exact import SolvedGame
from bench.ladder_results import Contender, Result, elo
from bench.ladder_sampled import (
    Effort,
    Level,
    Pick,
    Plan,
    SampledGame,
    plans,
    play_games,
)
from bench.page import made_of, table
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import BLUE, RED
from holmgang.games.finding import add
from holmgang.games.ruleset import Ruleset, load
from holmgang.players import ladder
from holmgang.players.ladder import (
    DEFAULT,
    GRADED,
    LADDER,
    LUCKY_SPAN,
    TIMIDITY,
    Grade,
    grade,
    span,
)

HERE = Path(__file__).parent
DATA = Path(ladder.__file__).with_name("ladder.json")
RESULTS = HERE / "ladder_results.json"
PROGRESS = HERE / "ladder_progress"
SAMPLED = ("fencing", "fencing-codingame", "magic-duel")
NAMES = ("random", *LADDER, "greedy")
GRID = (1.2, 0.7, 0.4, 0.22, 0.12, 0.06, 0.03)
SPACE = 2.5  # `perfect` counts as this much colder than the coldest of the grid
LEAST_RATING = 800  # of `beginner`, by convention
LONGER = 2.0  # the most that games of a level may be longer or shorter than those of `perfect`
UNFINISHED = 0.01
COMMON = 0.6  # the most that one choice may be made
POINTS = 0.9  # bouts to be decided by points, from `medium` up
SURE = 2.0  # standard errors
STEP = 0.55
PREDICTED = 0.2  # the most that a score may differ from the one that ratings predict
STIFFNESS = 1e-3  # of ratings, in the unit of natural logarithms
PLANS = Effort(0.008, 600)

REASONS = {
    ("defend-the-city", "ordered against all"): "soldiers of `beginner` and `easy` hold back on"
    " purpose, so that `random` is a better soldier than `beginner`; and `hard` and `perfect`,"
    " which expect good soldiers, wait behind their shields where bold play gains more",
    (
        "defend-the-city",
        "ratings predict scores",
    ): "soldiers who hold back are rated by games against"
    " Reds of at most their own level; better Reds score less than these ratings say, because they"
    " expect good soldiers",
    ("defend-the-city", "steps"): "red has to win five fights in a row, so that even `perfect` wins"
    " few games as red against soldiers who do not hold back",
    ("magic-duel", "length"): "two careful players never end the game, so `perfect` against itself"
    " always reaches the round limit; graded levels tire",
    ("fencing:league=1", "by points"): "chance; in 100 more bouts 7 ended so, each for a fencer at"
    " least 4 points behind in the last three turns",
    ("fencing-codingame", "ordered against all"): "in 12 of 24 bouts against `hard`, which touches"
    " later than `medium` does (1 of 24), `greedy` took one drug too many at 0:0, which is a draw",
    ("fencing-codingame", "length"): "`perfect` ends most of its bouts early, by one drug too many",
    ("fencing-codingame", "by points"): "one drug too many at 0:0 fails both here, which is a draw;"
    " whoever is behind should do it, and `perfect` does",
}
"""Why a rule cannot be met, by game and rule."""
UNEXPLAINED = "open"

Game = SolvedGame | SampledGame
Figures = dict[str, Any]


class Meetings:
    """Results of contenders, each pair once. With `progress`, that file keeps them."""

    def __init__(self, game: Game, progress: Path | None = None) -> None:
        self.game = game
        self.ruleset = game.ruleset
        self.is_even = has_even_seats(game.ruleset)
        self._known: dict[tuple[Contender, Contender], Result] = {}
        self._progress = progress
        self._kept: dict[str, Any] = read(progress) if progress else {}

    def result(self, red: Contender, blue: Contender) -> Result:
        found = self._known.get((red, blue))
        if found is None:
            started = time.monotonic()
            found = self.keep(f"{red} v {blue}", lambda: self.game.play(red, blue))
            self._known[red, blue] = found
            took = time.monotonic() - started
            tell(
                f"{self.ruleset.text}: {red} v {blue} {found.score:.3f}, {found.rounds:.0f} rounds,"
                f" {found.games} games, {took:.0f} s"
            )
        return found

    def keep(self, name: str, play: Callable[[], Result]) -> Result:
        """The result of that name, played unless an interrupted run has done so."""
        name = f"{name}, {self.game.effort}"
        if name in self._kept:
            kept = Result(*self._kept[name])
            red, blue = kept.picks
            return kept._replace(picks=(red, blue))
        found = play()
        self._kept[name] = list(found)
        if self._progress is not None:
            save(self._progress, self._kept)
        return found

    def as_red(self, one: Contender, other: Contender) -> float:
        """The score of the first as red."""
        if self.is_even and (other, one) in self._known:
            return 1 - self._known[other, one].score
        return self.result(one, other).score

    def error(self, one: Contender, other: Contender) -> float:
        """The standard error of that score."""
        is_mirrored = self.is_even and (other, one) in self._known
        return (self.result(other, one) if is_mirrored else self.result(one, other)).error

    def elo(self, one: Contender, other: Contender) -> float:
        """How much stronger the first is, on average over both seats."""
        as_red = elo(self.as_red(one, other))
        return as_red if self.is_even else (as_red - elo(self.as_red(other, one))) / 2


def has_even_seats(ruleset: Ruleset) -> bool:
    """Whether both seats have the same chances."""
    start = ruleset.initial()
    return ruleset.is_symmetric and ruleset.mirror(start) == start


# Calibration


def calibrate(meetings: Meetings) -> dict[str, float]:
    """The temperature of each graded level."""
    grid = [
        temperature
        for temperature in GRID
        if meetings.result(plain(temperature), plain(temperature)).unfinished < UNFINISHED
    ]
    rungs: list[Contender] = ["random", *(plain(each) for each in grid), "perfect"]
    curve = [0.0]
    for below, above in pairwise(rungs):
        curve.append(curve[-1] + meetings.elo(above, below))
    usual = meetings.result("perfect", "perfect")
    ordinary = [
        rating
        for temperature, rating in zip(grid, curve[1:], strict=False)
        if is_ordinary(meetings.result(plain(temperature), plain(temperature)), usual)
    ]
    lowest = max(curve[-1] / len(LADDER), min(ordinary, default=curve[1]))
    step = min((curve[-1] - lowest) / 4, (max(curve[:-1]) - lowest) / 3)
    logs = [log(each) for each in grid] + [log(grid[-1] / SPACE)]
    increasing = np.maximum.accumulate(curve[1:])
    found = {
        level: round(exp(float(np.interp(lowest + number * step, increasing, logs))), 4)
        for number, level in enumerate(GRADED)
    }
    tell(f"{meetings.ruleset.text}: {found}, step {step:.0f}; {[round(each) for each in curve]}")
    return found


def plain(temperature: float) -> Grade:
    """A grade that makes no slips and notices nothing."""
    return Grade(temperature, 0.0)


def is_ordinary(result: Result, usual: Result) -> bool:
    """Whether games are of ordinary length, compared with those of `perfect`."""
    if result.unfinished >= UNFINISHED:
        return False
    return usual.unfinished >= UNFINISHED or (
        usual.rounds / LONGER <= result.rounds <= usual.rounds * LONGER
    )


# Measuring


def measure(meetings: Meetings, temperatures: dict[str, float]) -> Figures:
    """Everything that the page shows of a game."""
    graded = {level: grade(temperatures[level], level) for level in GRADED}
    who: dict[str, Contender] = {name: graded.get(name, name) for name in NAMES}
    scores = {
        one: {other: meetings.as_red(who[one], who[other]) for other in NAMES} for one in NAMES
    }
    own = {name: meetings.result(who[name], who[name]) for name in NAMES}
    return {
        "exact": meetings.game.is_exact,
        "error": meetings.game.effort.error,
        "games": meetings.game.effort.most_games,
        "even": meetings.is_even,
        "temperatures": temperatures,
        "scores": {
            one: {other: round(score, 4) for other, score in row.items()}
            for one, row in scores.items()
        },
        "errors": {
            one: {other: round(meetings.error(who[one], who[other]), 4) for other in NAMES}
            for one in NAMES
        },
        "ratings": ratings(meetings, scores),
        "rounds": {name: round(result.rounds, 1) for name, result in own.items()},
        "unfinished": {name: round(result.unfinished, 4) for name, result in own.items()},
        "disqualified": {name: round(result.disqualified, 3) for name, result in own.items()},
        "common": {name: [common(picks) for picks in result.picks] for name, result in own.items()},
        "plans": plan_scores(meetings, graded["medium"]),
    }


def common(picks: dict[str, float]) -> tuple[str, float]:
    """The choice that is made most often."""
    word = max(picks, key=picks.__getitem__)
    return word, round(picks[word], 3)


def ratings(meetings: Meetings, scores: dict[str, dict[str, float]]) -> dict[str, dict[str, int]]:
    """The most likely ratings by level and seat, given the scores; one for both seats where they
    are even.

    A soldier who holds back is rated by games against Reds of at most its own level. Better Reds
    differ in how boldly they use it, which says nothing about their games against anyone else.
    """
    size = len(NAMES)
    blue = 0 if meetings.is_even else size
    holding_back = () if meetings.ruleset.game.is_timid is None else TIMIDITY
    pairs = [
        (red, other)
        for red in range(size)
        for other in range(size)
        if (red != other or not meetings.is_even)
        and (NAMES[other] not in holding_back or red <= other)
    ]
    rows = np.zeros((len(pairs), blue + size))
    for number, (red, other) in enumerate(pairs):
        rows[number, red] += 1
        rows[number, blue + other] -= 1
    aims = np.array([scores[NAMES[red]][NAMES[other]] for red, other in pairs])
    found = np.zeros(blue + size)
    for _ in range(100):  # Newton's method; the last term keeps a score of 1 finite
        shares = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (aims - shares) - STIFFNESS * found
        curvature = (rows * (shares * (1 - shares))[:, None]).T @ rows
        found += np.linalg.solve(curvature + STIFFNESS * np.eye(len(found)), slope)
    found *= 400 / log(10)
    first = NAMES.index("beginner")
    found += LEAST_RATING - (found[first] + found[blue + first]) / 2
    return {
        name: {
            "red": round(float(found[number])),
            "blue": round(float(found[blue + number])),
        }
        for number, name in enumerate(NAMES)
    }


def expected(red: int, blue: int) -> float:
    return float(1 / (1 + 10 ** ((blue - red) / 400)))


def plan_scores(meetings: Meetings, level: Grade) -> dict[str, float]:
    """What simple plans score against a level, on average over both seats."""
    found: dict[str, float] = {}
    for name, pick in plans(meetings.ruleset).items():
        as_red, as_blue = (
            meetings.keep(f"{name} {seat} {level}", partial(play_plan, meetings, pick, level, seat))
            for seat in (RED, BLUE)
        )
        found[name] = round((as_red.score + 1 - as_blue.score) / 2, 3)
    tell(f"{meetings.ruleset.text}: plans {found}")
    return found


def play_plan(meetings: Meetings, pick: Pick, level: Grade, seat: int) -> Result:
    game, random = meetings.game, Random(f"{level} {seat}")
    plan, other = Plan(game.ruleset, seat, pick), Level(game, level, 1 - seat, random)
    players = (plan, other) if seat == RED else (other, plan)
    return play_games(game, players, PLANS if game.is_exact else game.effort, random)


# The rules


def verdicts(figures: Figures) -> dict[str, str]:
    """Whether each rule of the ladder is met: `yes`, or what is missing."""
    scores, rounds, common_picks = figures["scores"], figures["rounds"], figures["common"]
    rated = figures["ratings"]

    errors = figures.get("errors") or {one: dict.fromkeys(NAMES, figures["error"]) for one in NAMES}

    def both(one: str, other: str) -> float:
        return float(scores[one][other] + 1 - scores[other][one]) / 2

    def margin(one: str, two: str, other: str) -> float:
        """Scores of the first two against the other that differ by less are not told apart."""
        pairs = [(one, other), (other, one), (two, other), (other, two)]
        parts = sum(errors[first][second] ** 2 for first, second in pairs)
        return SURE * sqrt(parts / (2 if figures["even"] else 4))

    order = ("random", *LADDER)
    wrong = [
        f"{above} v {below} against {other}"
        for below, above in pairwise(order)
        for other in NAMES
        if both(above, other) < both(below, other) - margin(above, below, other)
    ]
    steps = [both(above, below) for below, above in pairwise(LADDER)]
    lengths = {
        level: rounds[level] / rounds["perfect"]
        for level in GRADED
        if not 1 / LONGER <= rounds[level] / rounds["perfect"] <= LONGER
    }
    most = {
        level: common_picks[level][seat]
        for level in GRADED
        for seat in (0, 1)
        if common_picks[level][seat][1] > max(COMMON, common_picks["perfect"][seat][1])
    }
    off = max(
        abs(expected(rated[one]["red"], rated[other]["blue"]) - scores[one][other])
        for one in order
        for other in order
    )
    beating = {plan: score for plan, score in figures["plans"].items() if score > 0.5}
    foul = {
        level: figures["disqualified"][level]
        for level in ("medium", "hard")
        if 1 - figures["disqualified"][level] < POINTS
    }
    limit = {
        level: figures["unfinished"][level]
        for level in GRADED
        if figures["unfinished"][level] >= UNFINISHED
    }
    return {
        "ordered against all": "yes" if not wrong else "no: " + "; ".join(wrong),
        "beginner v random": f"{both('beginner', 'random'):.1%}",
        "steps": ("" if min(steps) >= STEP else "no: ")
        + ", ".join(f"{each:.1%}" for each in steps),
        "ratings predict scores": f"{'' if off <= PREDICTED else 'no: '}within {off:.1%}",
        "length": listed(lengths, "{:.2f} times"),
        "round limit": listed(limit, "{:.1%}"),
        "variety": listed({level: share for level, (_, share) in most.items()}, "{:.0%}"),
        "plans lose to medium": listed(beating, "{:.1%}"),
        "by points": listed(foul, "{:.0%} disqualified"),
    }


def listed(wrong: dict[str, float], form: str) -> str:
    if not wrong:
        return "yes"
    return "no: " + ", ".join(f"{name} {form.format(each)}" for name, each in wrong.items())


# The page


def page(results: dict[str, Figures], perfect_ms: float) -> list[str]:
    lines = [
        "# The ladder of levels",
        "",
        "Written by `python -m bench.ladder`; not by hand.",
        "",
        *made_of(),
        "",
        "A level makes a choice less often the more it costs: its odds fall by a factor of e for",
        "every temperature of cost, where 1 is the difference between the best and the worst pair",
        "of choices. `medium` and `hard` also notice what their opponent repeats. Small solved",
        "games are calculated exactly, except for these two; others are played. Exact values take",
        f"the luck out of games. Without them, `perfect` searches for {perfect_ms:g} ms here, not",
        "for the 800 ms that it takes. Ratings fit the scores of the table; `beginner` has",
        f"{LEAST_RATING} by convention. They compare levels within a game only. Below",
        f"{LUCKY_SPAN} Elo from `random` to `perfect`, pages say that luck decides much.",
        "*By points* is about `medium` and `hard`. `perfect` also lunges where a parry would take",
        "its last energy, and is disqualified if the opponent parries.",
        "",
        "## Rules",
        "",
    ]
    names = list(next(iter(results.values()))["verdicts"])
    lines += table(
        ["game", *names],
        [[game, *(each["verdicts"][name] for name in names)] for game, each in results.items()],
    )
    lines += [
        *(
            f"- {game}, {name}: {REASONS.get((game, name), UNEXPLAINED)}."
            for game, each in results.items()
            for name in names
            if each["verdicts"][name].startswith("no")
        ),
        "",
    ]
    missing = [game for game in CATALOGUE if game not in results]
    if missing:
        lines += [
            f"Not measured yet: {', '.join(missing)}. Their temperatures were set by hand or taken",
            "from a related game, so the rules above are not checked for them.",
            "",
        ]
    for game, each in results.items():
        lines += game_page(game, each)
    return lines


def temperatures_text(temperatures: dict[str, float]) -> str:
    listed = ", ".join(f"{temperatures[level]:g} for `{level}`" for level in GRADED)
    return f"temperatures of {listed}"


def standing(figures: Figures) -> list[str]:
    """Where `greedy` stands, which is not one of the levels."""
    scores = figures["scores"]

    def both(level: str) -> float:
        return float(scores["greedy"][level] + 1 - scores[level]["greedy"]) / 2

    told = ", ".join(f"{both(level):.0%} against `{level}`" for level in LADDER)
    return [f"`greedy` is not on the ladder. It scores {told}.", ""]


def game_page(game: str, figures: Figures) -> list[str]:
    played = (
        f"played until the standard error of a score was {figures['error']:.1%},"
        f" or for {figures['games']} games"
    )
    if figures["exact"]:
        played += ", with the luck taken out by exact values"
    gap = span(figures["ratings"])
    luck = "; luck decides much" if gap < LUCKY_SPAN else ""
    seats = "" if figures["even"] else " The row plays red, the column blue."
    rated, own = figures["ratings"], figures["scores"]
    in_use = read(DATA)["temperatures"].get(game, figures["temperatures"])
    aged = (
        ["The levels have changed since: " + temperatures_text(in_use) + " are in use.", ""]
        if in_use != figures["temperatures"]
        else []
    )
    rows = []
    for name in NAMES:
        temperature = figures["temperatures"].get(name)
        ratings_shown = (
            str(rated[name]["red"])
            if figures["even"]
            else f"{rated[name]['red']} / {rated[name]['blue']}"
        )
        picks = figures["common"][name]
        shown = picks[:1] if figures["even"] else picks
        rows.append(
            [
                name,
                "" if temperature is None else f"{temperature:g}",
                ratings_shown,
                f"{figures['rounds'][name]:g}",
                f"{figures['unfinished'][name]:.1%}",
                f"{figures['disqualified'][name]:.0%}",
                " / ".join(f"{word} {share:.0%}" for word, share in shown),
            ]
        )
    return [
        f"## {game}",
        "",
        f"{played.capitalize()}; {gap:.0f} Elo from `random` to `perfect`{luck}.{seats}",
        "",
        *aged,
        *table(
            ["score of", *NAMES],
            [[one, *(f"{own[one][other]:.1%}" for other in NAMES)] for one in NAMES],
        ),
        "A level against itself:",
        "",
        *table(
            [
                "level",
                "temperature",
                "rating" if figures["even"] else "rating as red / blue",
                "rounds",
                "round limit",
                "disqualified",
                "most common choice",
            ],
            rows,
        ),
        *standing(figures),
        "Simple plans against `medium`: "
        + ", ".join(f"{plan} {score:.1%}" for plan, score in figures["plans"].items())
        + ".",
        "",
    ]


def tell(said: str) -> None:
    print(said, file=sys.stderr, flush=True)


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def save(path: Path, value: object) -> None:
    """Writes a file that is never seen half written."""
    path.parent.mkdir(exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)


def progress_of(game: str) -> Path:
    return PROGRESS / f"{game.replace(':', ' ')}.json"


def prepared(game: str, effort: Effort, perfect_ms: float) -> Game:
    ruleset = load(game)
    if ruleset.entry.name in SAMPLED:
        return SampledGame(ruleset, effort, perfect_ms)
    return SolvedGame(ruleset, effort)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ladder")
    parser.add_argument("rulesets", nargs="*", help="default: games that were not measured yet")
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--keep", action="store_true", help="keep the temperatures")
    parser.add_argument("--error", type=float, default=0.015, help="standard error of a score")
    parser.add_argument("--most-games", type=int, default=400, help="for two levels")
    parser.add_argument("--most-rounds", type=int, default=100_000, help="of all these games")
    parser.add_argument("--perfect-ms", type=float, default=4, help="of perfect without a table")
    parser.add_argument("--uncalibrated", nargs="*", default=[], help="files of other games")
    options = parser.parse_args(arguments)
    known = read(RESULTS)
    missing = [each for each in CATALOGUE if each not in known]
    for game in [] if options.page else options.rulesets or missing:
        effort = Effort(options.error, options.most_games, options.most_rounds)
        meetings = Meetings(prepared(game, effort, options.perfect_ms), progress_of(game))
        figures = read(DATA)
        known_heat = figures["temperatures"]
        name = game if game in known_heat else meetings.ruleset.entry.name
        is_kept = options.keep or not meetings.game.is_exact
        temperatures = known_heat[name] if is_kept else calibrate(meetings)
        keep(game, measure(meetings, temperatures), is_calibrated=game in known_heat)
    for path in options.uncalibrated:
        entry = add(Path(path))
        meetings = Meetings(SolvedGame(load(entry.name), PLANS))
        keep(path, measure(meetings, read(DATA)["temperatures"][DEFAULT]), is_calibrated=False)
    known = read(RESULTS)
    for each in known.values():
        each["verdicts"] = verdicts(each)
    order = [name for name in CATALOGUE if name in known]
    order += [name for name in known if name not in order]
    text = page({name: known[name] for name in order}, options.perfect_ms)
    (HERE / "LADDER.md").write_text("\n".join(text), encoding="utf-8")
    tell("written: LADDER.md")


def keep(game: str, found: Figures, *, is_calibrated: bool) -> None:
    """Stores the figures of a game at once; others may be measured at the same time."""
    save(RESULTS, read(RESULTS) | {game: found})
    progress_of(game).unlink(missing_ok=True)
    if is_calibrated:
        figures = read(DATA)
        figures["temperatures"][game] = found["temperatures"]
        figures["ratings"][game] = found["ratings"]
        save(DATA, figures)


if __name__ == "__main__":
    main()
