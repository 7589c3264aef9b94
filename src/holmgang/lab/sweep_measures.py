"""The measures of a ruleset that a sweep needs, calculated without storing a table.

The games of perfect players are those of `holmgang balance`; only a value takes less work.
"""

from array import array
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

import numpy as np

from holmgang.analysis.model import floats, ints
from holmgang.analysis.strategies import mixes_by_values
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Notify
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.lab.balance import length_of, luck_split, open_choices
from holmgang.lab.chain import Chain
from holmgang.lab.solved import (
    Floats,
    Ints,
    ProvenValues,
    SeatMixes,
    SolvedGame,
    StateArrays,
    added,
    can_be_solved,
    segments,
)
from holmgang.lab.tension import tension
from holmgang.players.ladder import LADDER
from holmgang.solver.exact.compiling import compile_solver
from holmgang.solver.exact.solve import Solution, TableSolver, solve_table, sweeping
from holmgang.solver.exact.table import StateTable, make_ready, tabulate

Measures = Mapping[str, float]
"""A number for each measure; one that does not apply is missing."""


class MeasureKind(NamedTuple):
    title: str
    is_share: bool = False
    """Whether it is a share, which people read in per cent."""

    def text(self, number: float) -> str:
        if self.is_share:
            return f"{100 * number:.1f} %"
        return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.2f}".replace("-0.00", "0.00")


BOTH = (RED, BLUE)
BY_VALUE = {
    "value": MeasureKind("value to Red"),
    "states": MeasureKind("positions"),
}
BY_GAMES = {
    "red": MeasureKind("Red wins", is_share=True),
    "blue": MeasureKind("Blue wins", is_share=True),
    "draws": MeasureKind("drawn", is_share=True),
    "endless": MeasureKind("endless", is_share=True),
    "length": MeasureKind("rounds"),
    "median": MeasureKind("rounds, half of the games"),
    "long": MeasureKind("rounds, 19 of 20 games"),
    "dice": MeasureKind("decided by dice", is_share=True),
    "open": MeasureKind("choices really open to Red"),
}
BY_COURSE = {
    "lead_changes": MeasureKind("lead changes a game"),
    "comebacks": MeasureKind("comebacks", is_share=True),
    "decided": MeasureKind("share of a game until it is decided", is_share=True),
}
MEASURES: Mapping[str, MeasureKind] = {**BY_VALUE, **BY_GAMES, **BY_COURSE}
USE = "use."  # before the word of a choice: how often red makes it where it can
USE_BY_BLUE = "use.blue."  # the same for blue
SCORE = "score."  # before two levels, such as `hard.easy`: the score of the first, in both seats
LEVELS = ("random", *LADDER)


def measure_kind(name: str) -> MeasureKind:
    """What a measure is. Raises `UsageError` if there is none of that name."""
    use = used_choice(name)
    if use is not None:
        return MeasureKind(" uses ".join(use), is_share=True)
    if name.startswith(SCORE):
        one, dot, other = name.removeprefix(SCORE).partition(".")
        if not dot or one not in LEVELS or other not in LEVELS:
            raise UsageError(
                f"{brief(name)} is not a score; write {SCORE}LEVEL.LEVEL, with the levels"
                f" {', '.join(LEVELS)}"
            )
        return MeasureKind(f"score of {one} against {other}", is_share=True)
    if name not in MEASURES:
        known = ", ".join(
            (*MEASURES, f"{USE}CHOICE", f"{USE_BY_BLUE}CHOICE", f"{SCORE}LEVEL.LEVEL")
        )
        raise UsageError(f"unknown measure {brief(name)}; there are {known}")
    return MEASURES[name]


def used_choice(name: str) -> tuple[str, str] | None:
    """The seat and the choice whose use a measure is; None for another measure.

    >>> used_choice("use.heal"), used_choice("use.blue.5/0"), used_choice("draws")
    (('Red', 'heal'), ('Blue', '5/0'), None)
    """
    for before, seat in ((USE_BY_BLUE, "Blue"), (USE, "Red")):
        if name.startswith(before) and len(name) > len(before):
            return seat, name.removeprefix(before)
    return None


def check_uses(wanted: Iterable[str], rulesets: Iterable[Ruleset]) -> None:
    """Raises `ChoiceError` if a measure is the use of a choice that none of these rulesets has."""
    rulesets = list(rulesets)
    for name in wanted:
        use = used_choice(name)
        if use is None:
            continue
        for ruleset in rulesets:
            with suppress(ChoiceError):
                ruleset.parse_word(use[1])
                break
        else:
            rulesets[0].parse_word(use[1])


def prepare(ruleset: Ruleset, announce: Announce = silent) -> None:
    """Compiles what measuring any ruleset of the same game needs."""
    if not can_be_solved(ruleset):
        raise UsageError(f"{ruleset.text} has no table of all states, so it cannot be swept")
    compile_solver(announce)
    make_ready(ruleset, announce)


def measured(
    ruleset: Ruleset,
    wanted: Collection[str],
    *,
    most_states: int,
    progress: Notify = lambda said: None,
) -> Measures:
    """The measures that were asked for, and those that come with them. Raises `UsageError` if the
    ruleset cannot be solved.
    """
    kernels = sweeping()
    table = tabulate(ruleset, most_states=most_states)
    if all(name in BY_VALUE for name in wanted):
        return {"value": proven_value(table, progress), "states": float(table.states)}
    game = both_images(solve_table(table, kernels, progress))
    found = {"value": game.value, "states": float(table.states)}
    chain = Chain(game.arrays, game.picked, game.mixes)
    found.update(by_games(game, chain))
    if any(name in BY_COURSE for name in wanted):
        course = tension(chain, game.found.values)
        found["lead_changes"], found["comebacks"] = course.lead_changes, course.comeback
        found["decided"] = course.decided_after
    found.update(level_scores(game, [name for name in wanted if name.startswith(SCORE)]))
    return found


def level_scores(game: SolvedGame, wanted: Collection[str]) -> Iterator[tuple[str, float]]:
    """What levels score against each other, as the mean of both seats; nothing where a seat answers
    a reveal, as the table does not list the answers.
    """
    if game.arrays.has_answers:
        return
    known: dict[str, SeatMixes] = {}
    for name in wanted:
        both = name.removeprefix(SCORE).split(".")
        for level in both:
            if level not in known:
                known[level] = level_mixes(game, level)
        one, other = (known[level] for level in both)
        yield name, (2 + chain_value(game, one, other) - chain_value(game, other, one)) / 4


def chain_value(game: SolvedGame, red: SeatMixes, blue: SeatMixes) -> float:
    return Chain(game.arrays, game.picked, SeatMixes(red.red, blue.blue)).value


def level_mixes(game: SolvedGame, level: str) -> SeatMixes:
    """The mixes of a level in both seats, before it notices habits."""
    arrays = game.arrays
    if level == "perfect":
        return game.mixes
    if level == "random":
        return SeatMixes(*(1 / arrays.counts[seat][arrays.choice_states[seat]] for seat in BOTH))
    values = array("d", game.found.values.tobytes())
    found = mixes_by_values(arrays.table, level, values)
    return SeatMixes(*(arrays.normalised(seat, np.array(found[seat])) for seat in BOTH))


def by_games(game: SolvedGame, chain: Chain) -> Iterator[tuple[str, float]]:
    ends, length, visits = chain.sums.endings, length_of(chain), chain.sums.visits
    yield from (("red", ends.red), ("blue", ends.blue))
    yield from (("draws", ends.draw), ("endless", ends.endless))
    if length is not None:
        yield from (("length", length.mean), ("median", length.median), ("long", length.most))
    yield "dice", luck_split(game, chain).dice
    open_to_red = open_choices(game, chain, RED)
    if open_to_red is not None:
        yield "open", open_to_red
    for seat, name in ((RED, USE), (BLUE, USE_BY_BLUE)):
        mix, menu, states = game.mixes[seat], game.menus[seat], game.arrays.choice_states[seat]
        offered, used = (added(menu + 1, visits[states] * share, 0) for share in (mix >= 0, mix))
        for place in np.flatnonzero(offered[1:] > 0):
            word = game.ruleset.word(int(place))
            yield f"{name}{word}", float(used[place + 1] / offered[place + 1])


# Values of rulesets that differ only in where they start

_proven: OrderedDict[bytes, tuple[Lock, list[Floats]]] = OrderedDict()
_proving = Lock()
MOST_PROVEN = 32  # tables whose values are remembered


def proven_value(table: StateTable, progress: Notify) -> float:
    """The value of the start. A table that leads everywhere as an earlier one does is not solved
    again: rules such as the hp at the start change only where a game begins.
    """
    digest, ranks = sorted_digest(table)
    with _proving:
        lock, known = _proven.setdefault(digest, (Lock(), []))
        _proven.move_to_end(digest)
        while len(_proven) > MOST_PROVEN:
            _proven.popitem(last=False)
    with lock:
        if not known:
            _, proof = TableSolver(table, sweeping(), progress).solve()
            middle = (floats(proof.lows) + floats(proof.highs)) / 2
            known.append(middle[: table.count][np.argsort(ranks)])
    return float(known[0][ranks[table.start]])


def sorted_digest(table: StateTable) -> tuple[bytes, Ints]:
    """A digest of all states, sorted by their rows, and of what follows them; and the place of each
    state in that order. It does not depend on the start.
    """
    numbers, digest = table.numbers, sha256()
    rows = ints(table.rows).reshape(table.count, -1)
    order = np.lexsort(rows.T[::-1])
    ranks = np.argsort(order)
    reds, blues = ints(numbers.reds)[order], ints(numbers.blues)[order]
    pairs = segments(ints(numbers.pair_starts)[order], reds * blues)
    options, sizes = parts_of(pairs, numbers.option_starts)
    entries, entry_sizes = parts_of(options, numbers.entry_starts)
    image, place = np.divmod(ints(numbers.successors)[entries], max(table.count, 1))
    for column in (
        *(rows[order], reds, blues, ints(numbers.levels)[order]),
        *(ints(numbers.deciders)[pairs], sizes, entry_sizes, image, ranks[place]),
        *(floats(numbers.constants)[options], floats(numbers.decided)[options]),
        *(floats(numbers.chances)[entries], np.array([table.mirrored > 0, numbers.endless[0]])),
    ):
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.digest(), ranks


def parts_of(wholes: Ints, starts: Sequence[int]) -> tuple[Ints, Ints]:
    """The parts of these wholes, and how many each has."""
    first, end = ints(starts)[wholes], ints(starts)[wholes + 1]
    return segments(first, end - first), end - first


# A solution with both of two mirror images, as measures of one seat need it


def both_images(solution: Solution) -> SolvedGame:
    """The solved game, in which both of two mirror images are listed."""
    listed, ruleset = solution.table, solution.ruleset
    table = listed
    if listed.mirrored:
        table = tabulate(ruleset, most_states=2 * listed.count, mirror=False)
    places, turned = places_in(listed, table)
    arrays = StateArrays(table)
    sides = np.where(turned, -1.0, 1.0)
    values, lows, highs = (
        floats(numbers)[places] for numbers in (solution.values, solution.lows, solution.highs)
    )
    found = ProvenValues(
        sides * values, np.where(turned, -highs, lows), np.where(turned, -lows, highs)
    )
    own = solution.red_mixes, solution.blue_mixes
    starts = listed.numbers.red_starts, listed.numbers.blue_starts
    mixes = []
    for seat, other in ((RED, BLUE), (BLUE, RED)):
        both = np.concatenate([floats(own[seat]), floats(own[other])])
        first = np.where(
            turned, len(own[seat]) + ints(starts[other])[places], ints(starts[seat])[places]
        )
        counts = arrays.counts[seat]
        mixes.append(arrays.normalised(seat, both[segments(first, counts)]))
    return SolvedGame(ruleset, arrays, found, SeatMixes(*mixes), menus_of(table))


def places_in(listed: StateTable, table: StateTable) -> tuple[Ints, Floats]:
    """For each state of the table, the place of the state or of its mirror image among those
    listed, and whether it is the image.
    """
    known = {listed.row(place).tobytes(): place for place in range(listed.count)}
    pack, row = table.kernels.bound.kernels["pack"], listed.row(0)
    places, turned = [], []
    for number, state in table:
        place = known.get(table.row(number).tobytes())
        turned.append(place is None)
        if place is None:
            pack(table.ruleset.mirror(state), row, 0)
            place = known[row.tobytes()]
        places.append(place)
    return np.array(places), np.array(turned)


def menus_of(table: StateTable) -> tuple[Ints, Ints]:
    """By seat, the choices of all states, one state after the other."""
    ruleset = table.ruleset
    known: dict[int, list[int]] = {0: [NO_CHOICE]}
    menus: tuple[list[int], list[int]] = ([], [])
    for _, state in table:
        for seat in (RED, BLUE):
            chosen = ruleset.choice_set(state, seat)
            if chosen not in known:
                known[chosen] = ruleset.choices(state, seat)
            menus[seat].extend(known[chosen])
    return np.array(menus[RED]), np.array(menus[BLUE])
