"""The ladder of levels: `python -m bench.ladder` measures it and writes bench/LADDER.md.

For every game of the catalogue, each level plays the one below, in both seats equally often, as
`holmgang simulate` would have them play. The scores give the ratings, which are written to
src/holmgang/players/ladder.json for the shells to show. With `--calibrate GAME...` it sets first
how often each level of these games errs, so that each step is about as large as it is meant to be.

`perfect` takes the better part of a second for a choice where there is no table. There it is
measured with a search of `--perfect-ms`, against which a level scores no less.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log10
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from bench.page import made_of, table
from holmgang.engine.compiled.native import silent
from holmgang.engine.course import Positions
from holmgang.engine.keys import game_seed
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load
from holmgang.players import ladder
from holmgang.players.ladder import LADDER
from holmgang.players.levels import STRONGEST_MS, find_level
from holmgang.simulation.simulate import played_course
from holmgang.solver.tables import find_table
from holmgang.stats import Z

HERE = Path(__file__).parent
DATA = Path(ladder.__file__).with_name("ladder.json")
STEP = 0.66  # what a level is meant to score against the one below,
LARGE_STEP = {"fencing": 0.75, "fencing-codingame": 0.75, "magic-duel": 0.8}  # where there is room
TRIES = 7  # bisections for a level
MOST_ODDS = 7.0  # 0.1 % to 99.9 %
LEAST_RATING = 800  # of `beginner`, by convention
MEASURED, CALIBRATED = 1, 2  # seeds


class Meeting(NamedTuple):
    """What one level scored against another, from 0 to 1, a draw counting half."""

    score: float
    margin: float
    """Half the width of the interval of 95 % confidence."""
    games: int

    @property
    def elo(self) -> float:
        """The difference in rating that the score implies; that of a level which won every game is
        what it has at least, with 95 % confidence: it loses at most 3 in so many games.
        """
        least = 3 / self.games
        score = min(1 - least, max(least, self.score))
        return 400 * log10(score / (1 - score))


def meet(ruleset: Ruleset, first: str, second: str, games: int, seed: int) -> Meeting:
    """Plays so many games, the first level in the red seat of every other one."""
    levels = find_level(first), find_level(second)
    for level in levels:
        level.ready(ruleset, silent, wait=True)
    positions, scores = Positions(ruleset), []
    for number in range(games):
        is_red = number % 2 == 0
        seated = levels if is_red else levels[::-1]
        course = played_course(
            positions, game_seed(seed, number), seated, ruleset.entry.round_limit
        )
        winner = None if course.outcome is None else course.outcome.winner
        scores.append(0.5 if winner is None else float((winner == "red") == is_red))
    margin = Z * stdev(scores) / games**0.5
    return Meeting(fmean(scores), margin, games)


def named(level: str, ruleset: Ruleset, perfect_ms: float) -> str:
    """The level that stands for one: a shorter search for `perfect` without a table."""
    if level == "perfect" and find_table(ruleset) is None:
        return f"search:{perfect_ms:g}"
    return level


# Calibration


def calibrate(game: str, games: int, perfect_ms: float) -> None:
    """Sets how often each level errs, from `hard` down, so that it loses the step to the one above
    it. A level errs more often than the one above, by the same habits as before.
    """
    ruleset, mistakes = load(game), ladder.figures()["mistakes"][game]
    step, least = LARGE_STEP.get(game, STEP), -MOST_ODDS
    for above, level in pairwise(reversed(LADDER)):
        low, high = least, MOST_ODDS  # by the logarithm of its odds
        for _ in range(TRIES):
            odds = (low + high) / 2
            share = 1 / (1 + exp(-odds)) / sum(mistakes[level].values())
            mistakes[level] = {
                choice: round(share * each, 4) for choice, each in mistakes[level].items()
            }
            met = meet(ruleset, named(above, ruleset, perfect_ms), level, games, CALIBRATED)
            low, high = (odds, high) if met.score < step else (low, odds)
        least = odds
        tell(f"{game}: {level} {erring(mistakes[level])}; {above} scores {met.score:.3f}")


# The report


def measured(game: str, games: int, perfect_ms: float) -> dict[str, Meeting]:
    """What each level scores against the one below, by the stronger one's name."""
    ruleset, found = load(game), {}
    for below, level in pairwise(LADDER):
        stands_for = named(level, ruleset, perfect_ms)
        found[level] = meet(ruleset, stands_for, below, games, MEASURED)
        tell(f"{game}: {stands_for} v {below} {shown(found[level])}")
    return found


def ratings(meetings: dict[str, Meeting]) -> dict[str, int]:
    """`beginner` has the least rating; each level above has what it scored on top."""
    rating = float(LEAST_RATING)
    rated = {LADDER[0]: LEAST_RATING}
    for level in LADDER[1:]:
        rating += meetings[level].elo
        rated[level] = round(rating)
    return rated


def erring(mistakes: dict[str, float]) -> str:
    return ", ".join(f"{choice or 'anything'} {share:.1%}" for choice, share in mistakes.items())


def shown(met: Meeting) -> str:
    return f"{met.score:.1%} ± {met.margin:.1%}"


def tell(said: str) -> None:
    print(said, file=sys.stderr, flush=True)


def page(games: int, perfect_ms: float) -> list[str]:
    known = ladder.figures()
    mistakes, rated, scores = (known[name] for name in ("mistakes", "ratings", "scores"))
    played = [game for game in CATALOGUE if game in scores]
    return [
        "# The ladder of levels",
        "",
        "Written by `python -m bench.ladder`; not by hand.",
        "",
        *made_of(),
        "",
        f"What each level scores against the one below in {games} games, half of them in each",
        "seat, with an interval of 95 % confidence; a draw counts half. Where there is no table,",
        f"`perfect` was measured with a search of {perfect_ms:g} ms, not the {STRONGEST_MS:g} ms",
        "that it takes.",
        "",
        *table(
            ["game", *(f"{level} v {below}" for below, level in pairwise(LADDER))],
            [[game, *(scores[game][level] for level in LADDER[1:])] for game in played],
        ),
        "Ratings: the Elo differences that these scores imply, added up from `beginner`, which is",
        f"{LEAST_RATING} by convention; after 100 % the next one has at least that rating. They",
        "compare levels within a game, not across games.",
        "",
        *table(
            ["game", *LADDER],
            [[game, *(str(rated[game][level]) for level in LADDER)] for game in played],
        ),
        "Mistakes: the choices that a level makes by mistake, and how often.",
        "",
        *table(
            ["game", *LADDER[:-1]],
            [[game, *(erring(mistakes[game][level]) for level in LADDER[:-1])] for game in played],
        ),
    ]


def save(game: str) -> None:
    """Writes what is known of a game, and leaves that of others: they may be measured elsewhere."""
    written = json.loads(DATA.read_text(encoding="utf-8"))
    for name, figures in ladder.figures().items():
        if game in figures:
            written[name][game] = figures[game]
    DATA.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ladder")
    parser.add_argument("rulesets", nargs="*", default=list(CATALOGUE), help="default: all games")
    parser.add_argument("--calibrate", action="store_true", help="set the mistakes first")
    parser.add_argument("--games", type=int, default=400, help="for two levels")
    parser.add_argument("--perfect-ms", type=float, default=4, help="of perfect without a table")
    options = parser.parse_args(arguments)
    known = ladder.figures()
    for game in options.rulesets:
        if options.calibrate:
            calibrate(game, options.games, options.perfect_ms)
            save(game)
        meetings = measured(game, options.games, options.perfect_ms)
        known["ratings"][game] = dict(ratings(meetings))
        known["scores"][game] = {level: shown(met) for level, met in meetings.items()}
        save(game)
    ladder.figures.cache_clear()
    (HERE / "LADDER.md").write_text(
        "\n".join(page(options.games, options.perfect_ms)), encoding="utf-8"
    )
    tell("written: LADDER.md")


if __name__ == "__main__":
    main()
