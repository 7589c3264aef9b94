"""The ladder of levels: `python -m bench.ladder` calibrates and measures it.

It writes bench/LADDER.md, and src/holmgang/players/ladder.json, from which the players take their
temperatures and the shells the ratings. A solved game is calculated exactly (`ladder_exact.py`),
others are played (`ladder_sampled.py`). Games that were measured before are kept; name some to
measure them anew.

Temperatures are calibrated on a grid. The weakest level is one step above `random`, or stronger if
its games were not of ordinary length otherwise; the others are evenly spaced from there to
`perfect`, as far as a lower temperature makes them stronger.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from bench.ladder_exact import SolvedGame
from bench.ladder_results import Contender, Result, elo
from bench.ladder_sampled import Copying, SampledGame, drawing, plans, play_games
from bench.page import made_of, table
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.finding import add
from holmgang.games.ruleset import Ruleset, load
from holmgang.players import ladder
from holmgang.players.ladder import DEFAULT, GRADED, LADDER, LUCKY_SPAN, SLIPS, Grade

HERE = Path(__file__).parent
DATA = Path(ladder.__file__).with_name("ladder.json")
RESULTS = HERE / "ladder_results.json"
SAMPLED = ("fencing", "fencing-codingame", "magic-duel")
NAMES = ("random", *LADDER, "greedy")
GRID = (1.2, 0.7, 0.4, 0.22, 0.12, 0.06, 0.03)
SAMPLED_GRID = (0.5, 0.2, 0.08, 0.03, 0.012)
SPACE = 2.5  # `perfect` counts as this much colder than the coldest of the grid
LEAST_RATING = 800  # of `beginner`, by convention
LONGER = 2.0  # the most that games of a level may be longer or shorter than those of `perfect`
UNFINISHED = 0.01
COMMON = 0.6  # the most that one choice may be made
POINTS = 0.9  # bouts to be decided by points, from `medium` up
STEP = 0.55
PLAN_GAMES = 400

Game = SolvedGame | SampledGame
Figures = dict[str, Any]


def grade(temperature: float, level: str = "") -> Grade:
    return Grade(temperature, SLIPS.get(level, 0.0))


class Meetings:
    """Results of contenders, each pair once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ruleset = game.ruleset
        self.is_even = has_even_seats(game.ruleset)
        self._known: dict[tuple[Contender, Contender], Result] = {}

    def result(self, red: Contender, blue: Contender) -> Result:
        found = self._known.get((red, blue))
        if found is None:
            started = time.monotonic()
            found = self._known[red, blue] = self.game.play(red, blue)
            took = time.monotonic() - started
            tell(
                f"{self.ruleset.text}: {red} v {blue} {found.score:.3f}, {found.rounds:.0f} rounds,"
                f" {took:.0f} s"
            )
        return found

    def as_red(self, one: Contender, other: Contender) -> float:
        """The score of the first as red."""
        if self.is_even and (other, one) in self._known:
            return 1 - self._known[other, one].score
        return self.result(one, other).score

    def elo(self, one: Contender, other: Contender) -> float:
        """How much stronger the first is, on average over both seats."""
        games = 0 if self.game.is_exact else self.game.games
        as_red = elo(self.as_red(one, other), games)
        return as_red if self.is_even else (as_red - elo(self.as_red(other, one), games)) / 2


def has_even_seats(ruleset: Ruleset) -> bool:
    """Whether both seats have the same chances."""
    start = ruleset.initial()
    return ruleset.is_symmetric and ruleset.mirror(start) == start


# Calibration


def calibrate(meetings: Meetings) -> dict[str, float]:
    """The temperature of each graded level."""
    grid = [
        temperature
        for temperature in (GRID if meetings.game.is_exact else SAMPLED_GRID)
        if meetings.result(grade(temperature), grade(temperature)).unfinished < UNFINISHED
    ]
    rungs: list[Contender] = ["random", *(grade(each) for each in grid), "perfect"]
    curve = [0.0]
    for below, above in pairwise(rungs):
        curve.append(curve[-1] + meetings.elo(above, below))
    usual = meetings.result("perfect", "perfect")
    ordinary = [
        rating
        for temperature, rating in zip(grid, curve[1:], strict=False)
        if is_ordinary(meetings.result(grade(temperature), grade(temperature)), usual)
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
    who: dict[str, Contender] = {
        name: grade(temperatures[name], name) if name in temperatures else name for name in NAMES
    }
    scores = {
        one: {other: meetings.as_red(who[one], who[other]) for other in NAMES} for one in NAMES
    }
    own = {name: meetings.result(who[name], who[name]) for name in NAMES}
    return {
        "games": 0 if meetings.game.is_exact else meetings.game.games,
        "even": meetings.is_even,
        "temperatures": temperatures,
        "scores": {
            one: {other: round(score, 4) for other, score in row.items()}
            for one, row in scores.items()
        },
        "ratings": ratings(meetings, scores),
        "rounds": {name: round(result.rounds, 1) for name, result in own.items()},
        "unfinished": {name: round(result.unfinished, 4) for name, result in own.items()},
        "disqualified": {name: round(result.disqualified, 3) for name, result in own.items()},
        "common": {name: [common(picks) for picks in result.picks] for name, result in own.items()},
        "plans": plan_scores(meetings, who["medium"]),
    }


def common(picks: dict[str, float]) -> tuple[str, float]:
    """The choice that is made most often."""
    word = max(picks, key=picks.__getitem__)
    return word, round(picks[word], 3)


def ratings(meetings: Meetings, scores: dict[str, dict[str, float]]) -> dict[str, dict[str, int]]:
    """The ratings that fit all scores best, by level and seat; one for both where they are even."""
    size = len(NAMES)
    blue = 0 if meetings.is_even else size
    games = 0 if meetings.game.is_exact else meetings.game.games
    rows, aims, weights = [], [], []
    for red, one in enumerate(NAMES):
        for other, name in enumerate(NAMES):
            if one == name and meetings.is_even:
                continue
            row = np.zeros(blue + size)
            row[red] += 1
            row[blue + other] -= 1
            least = 1 / (2 * games) if games else 1e-6
            score = min(1 - least, max(least, scores[one][name]))
            rows.append(row)
            aims.append(elo(score, games))
            weights.append(score * (1 - score))  # a score near 0 or 1 says little
    scale = np.sqrt(np.array(weights))[:, None]
    found = np.linalg.lstsq(np.array(rows) * scale, np.array(aims) * scale[:, 0], rcond=None)[0]
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


def plan_scores(meetings: Meetings, level: Contender) -> dict[str, float]:
    """What simple plans score against a level, on average over both seats."""
    game, ruleset = meetings.game, meetings.ruleset
    games = min(PLAN_GAMES, game.games) if isinstance(game, SampledGame) else PLAN_GAMES
    found: dict[str, float] = {}
    for name, make in plans(ruleset).items():
        random = Random(name)
        players = make(), drawing(game, level, random)
        as_red = play_games(ruleset, players, games // 2, random).score
        as_blue = play_games(ruleset, players[::-1], games // 2, random).score
        found[name] = round((as_red + 1 - as_blue) / 2, 3)
    random = Random("copy")
    copying = Copying(ruleset, drawing(game, level, random))
    players = copying.choose, copying.watched
    as_red = play_games(ruleset, players, games // 2, random).score
    as_blue = play_games(ruleset, players[::-1], games // 2, random).score
    found["copy the last choice"] = round((as_red + 1 - as_blue) / 2, 3)
    tell(f"{ruleset.text}: plans {found}")
    return found


# The rules


def verdicts(figures: Figures) -> dict[str, str]:
    """Whether each rule of the ladder is met: `yes`, or what is missing."""
    scores, rounds, common_picks = figures["scores"], figures["rounds"], figures["common"]
    rated = figures["ratings"]

    def both(one: str, other: str) -> float:
        return float(scores[one][other] + 1 - scores[other][one]) / 2

    order = ("random", *LADDER)
    wrong = [
        f"{above} v {below} against {other}"
        for below, above in pairwise(order)
        for other in NAMES
        if both(above, other) < both(below, other) - margin(figures)
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
        if figures["disqualified"][level] > 1 - POINTS
    }
    limit = {
        level: figures["unfinished"][level]
        for level in GRADED
        if figures["unfinished"][level] >= UNFINISHED
    }
    return {
        "ordered against all": "yes" if not wrong else "no: " + "; ".join(wrong),
        "beginner v random": f"{both('beginner', 'random'):.1%}",
        "steps": ", ".join(f"{each:.1%}" for each in steps),
        "ratings predict scores": f"within {off:.1%}",
        "length": listed(lengths, "{:.2f} times"),
        "round limit": listed(limit, "{:.1%}"),
        "variety": listed({level: share for level, (_, share) in most.items()}, "{:.0%}"),
        "plans lose to medium": listed(beating, "{:.1%}"),
        "by points": listed(foul, "{:.0%} disqualified"),
    }


def margin(figures: Figures) -> float:
    """Scores that differ by less are not told apart."""
    return 2 * 0.5 / figures["games"] ** 0.5 if figures["games"] else 0.0


def listed(wrong: dict[str, float], form: str) -> str:
    if not wrong:
        return "yes"
    return "no: " + ", ".join(f"{name} {form.format(each)}" for name, each in wrong.items())


# The page


def span(figures: Figures) -> float:
    rated = figures["ratings"]
    return sum(rated["perfect"][seat] - rated["random"][seat] for seat in SEATS) / 2


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
        "of choices. Solved games are calculated exactly, others are played; there `perfect`",
        f"searches for {perfect_ms:g} ms, not for the 800 ms that it takes. Ratings fit all scores",
        f"of the table; `beginner` has {LEAST_RATING} by convention. They compare levels within a",
        f"game only. Below {LUCKY_SPAN} Elo from `random` to `perfect`, pages say that luck",
        "decides much.",
        "",
        "## Rules",
        "",
    ]
    names = list(next(iter(results.values()))["verdicts"])
    lines += table(
        ["game", *names],
        [[game, *(each["verdicts"][name] for name in names)] for game, each in results.items()],
    )
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


def game_page(game: str, figures: Figures) -> list[str]:
    played = f"{figures['games']} games for a pair" if figures["games"] else "exact"
    luck = "; luck decides much" if span(figures) < LUCKY_SPAN else ""
    seats = "" if figures["even"] else " The row plays red, the column blue."
    rated, own = figures["ratings"], figures["scores"]
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
        f"{played.capitalize()}; {span(figures):.0f} Elo from `random` to `perfect`{luck}.{seats}",
        "",
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
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def prepared(game: str, games: int, perfect_ms: float) -> Game:
    ruleset = load(game)
    if game in SAMPLED:
        return SampledGame(ruleset, games, perfect_ms)
    return SolvedGame(ruleset)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ladder")
    parser.add_argument("rulesets", nargs="*", help="default: games that were not measured yet")
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--keep", action="store_true", help="keep the temperatures")
    parser.add_argument("--games", type=int, default=200, help="for two levels without a table")
    parser.add_argument("--perfect-ms", type=float, default=4, help="of perfect without a table")
    parser.add_argument("--uncalibrated", nargs="*", default=[], help="files of other games")
    options = parser.parse_args(arguments)
    known = read(RESULTS)
    missing = [each for each in CATALOGUE if each not in known]
    for game in [] if options.page else options.rulesets or missing:
        meetings = Meetings(prepared(game, options.games, options.perfect_ms))
        figures = read(DATA)
        temperatures = figures["temperatures"][game] if options.keep else calibrate(meetings)
        keep(game, measure(meetings, temperatures), is_calibrated=True)
    for path in options.uncalibrated:
        entry = add(Path(path))
        meetings = Meetings(SolvedGame(load(entry.name)))
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
    if is_calibrated:
        figures = read(DATA)
        figures["temperatures"][game] = found["temperatures"]
        figures["ratings"][game] = found["ratings"]
        save(DATA, figures)


if __name__ == "__main__":
    main()
