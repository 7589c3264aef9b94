"""The game solved again with a restriction: without a choice, never the same choice twice running,
or with choices that are seen.
"""

from array import array
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from holmgang.engine.progress import quiet
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.lab.solved import (
    Bits,
    Floats,
    Ints,
    ProvenValues,
    SeatMixes,
    SolvedGame,
    StateArrays,
    added,
    segments,
)
from holmgang.solver.exact.certificate import certify
from holmgang.solver.exact.scores import Enclosure
from holmgang.solver.exact.solve import (
    IMPATIENCE,
    MOST_SWEEPS,
    Candidate,
    TableSolver,
    sweeping,
)
from holmgang.solver.exact.table import StateTable, sort_states, sorting
from holmgang.solver.numbers import Numbers

WORK = 20_000_000  # states solved again at most; some games converge slowly, bounds always hold
FEWEST_SWEEPS = 200
IMPATIENT, VERY_IMPATIENT = 1e-4, 1e-3  # discounts of later rounds
CLOSE = 0.02  # bounds of a value
SETTLED = 1e-10  # tolerance of sweeps,
CLOSELY = 1e-7  # and of what they come to
MOST_SEEN = 2_000  # sweeps
MOST_LAYERED = 150_000  # states together with the last choice


def solved_again(table: StateTable, values: Floats, mixes: SeatMixes) -> ProvenValues:
    """Proven bounds of a table, starting from values and mixes that may be near.

    Impatient players come first, because their values converge quickly. If their mixes prove
    bounds that are close, patient players make them closer. Otherwise one side wins only in the
    long run, and still more impatient players may prove more.
    """
    kernels = sweeping()
    most_sweeps = min(MOST_SWEEPS, max(FEWEST_SWEEPS, WORK // table.count))
    candidate = Candidate(*(array("d", part.tobytes()) for part in (values, *mixes)))

    def bounds(impatience: float) -> tuple[Floats, Floats]:
        solver = TableSolver(table, kernels, quiet, most_sweeps)
        proof = certify(kernels, table, *solver.settle(candidate, impatience))
        return np.array(proof.lows), np.array(proof.highs)

    lows, highs = bounds(IMPATIENT)
    is_close = highs[table.start] - lows[table.start] <= CLOSE
    more_lows, more_highs = bounds(IMPATIENCE[0] if is_close else VERY_IMPATIENT)
    lows, highs = np.maximum(lows, more_lows), np.minimum(highs, more_highs)
    return ProvenValues((lows + highs) / 2, lows, highs)


def without(game: SolvedGame, seat: int, choice: int) -> ProvenValues:
    """The values of the game if a seat never makes this choice, unless it has no other."""
    kept = keeps(game, seat, choice)
    if not np.any(game.mixes[seat][~kept]):
        # The other mixes are still there, so the seat secures what it did, and no more.
        return game.found
    table, mixes = cut(game, of_seat(game, seat, kept))
    return solved_again(table, game.found.values, mixes)


def keeps(game: SolvedGame, seat: int, choice: int) -> Bits:
    """Which places of a seat's mixes remain without a choice."""
    is_left = game.menus[seat] != choice
    states = game.arrays.choice_states[seat]
    kept: Bits = is_left | (added(states, is_left, game.arrays.count)[states] == 0)
    return kept


def of_seat(game: SolvedGame, seat: int, kept: Bits) -> tuple[Bits, Bits]:
    """These places of a seat, and all of the other one."""
    every = np.ones(len(game.mixes[1 - seat]), bool)
    return (kept, every) if seat == RED else (every, kept)


def cut(game: SolvedGame, kept: tuple[Bits, Bits]) -> tuple[StateTable, SeatMixes]:
    """The table with only these places of both seats' choices, and the mixes on them."""
    arrays = game.arrays
    numbers = arrays.table.numbers
    red, blue = arrays.pair_choices
    pairs = np.flatnonzero(kept[RED][red] & kept[BLUE][blue])
    counts = [
        np.bincount(arrays.choice_states[seat][kept[seat]], minlength=arrays.count)
        for seat in (RED, BLUE)
    ]
    options, option_starts = gathered(arrays.option_starts, pairs)
    sizes = counts[RED] * counts[BLUE]
    order = np.argsort(arrays.pair_starts, kind="stable")
    pair_starts = np.zeros(arrays.count, np.int64)
    pair_starts[order] = offsets(sizes[order])[:-1]
    deciders = np.frombuffer(numbers.deciders, np.int64)[pairs]  # type: ignore[call-overload]
    by_seat = {seat: (counts[seat], offsets(counts[seat])) for seat in (RED, BLUE)}
    kept_numbers = with_options(arrays, by_seat, options)._replace(
        pair_starts=ints(pair_starts),
        option_starts=ints(option_starts),
        deciders=ints(deciders),
    )
    mixes = []
    for seat in (RED, BLUE):
        mine = game.mixes[seat][kept[seat]]
        states = np.repeat(np.arange(arrays.count), counts[seat])
        totals = added(states, mine, arrays.count)[states]
        shares = mine / np.where(totals > 0, totals, 1)
        mixes.append(np.where(totals > 0, shares, 1 / counts[seat][states]))
    return replace(arrays.table, numbers=kept_numbers), SeatMixes(*mixes)


def not_twice_running(game: SolvedGame, seat: int) -> Enclosure | None:
    """The value of a plain game in which a seat never makes the same choice twice running, unless
    it has no other; None if there are too many states together with the last choice.
    """
    arrays, menu = game.arrays, game.menus[seat]
    layers = int(menu.max()) + 2  # by the last choice; the first layer is for none
    if layers * arrays.count > MOST_LAYERED:
        return None
    other = 1 - seat
    every = segments(arrays.pair_starts, arrays.counts[RED] * arrays.counts[BLUE])
    counts, pairs, next_layers = [], [], []
    for layer in range(layers):
        kept = keeps(game, seat, layer - 1) if layer else np.ones(len(menu), bool)
        some = every[kept[arrays.pair_choices[seat][every]]]
        chosen = menu[arrays.pair_choices[seat][some]]
        counts.append(np.bincount(arrays.choice_states[seat][kept], minlength=arrays.count))
        pairs.append(some)
        next_layers.append(np.where(chosen == NO_CHOICE, layer, chosen + 1))
    mine, theirs = np.concatenate(counts), np.tile(arrays.counts[other], layers)
    pair, after = np.concatenate(pairs), np.concatenate(next_layers)
    sizes = mine * theirs
    firsts = offsets(sizes)[:-1]

    def leads_to(states: Ints) -> tuple[Ints, Ints, Ints]:
        """The pairs of these states; their entries' starts; and where the entries lead."""
        some = segments(firsts[states], sizes[states])
        entries, starts = gathered(arrays.entry_starts, arrays.option_starts[pair[some]])
        layer = np.repeat(after[some], np.diff(starts))
        return some, starts, layer * arrays.count + arrays.successors[entries]

    new, order = np.full(len(mine), -1), [np.array([arrays.start])]
    new[arrays.start], found = 0, 1
    while len(order[-1]):
        reached = np.unique(leads_to(order[-1])[2])
        reached = reached[new[reached] < 0]
        new[reached] = np.arange(found, found + len(reached))
        found += len(reached)
        order.append(reached)
    states = np.concatenate(order)
    some, _, targets = leads_to(states)
    both = [(numbers, offsets(numbers)) for numbers in (mine[states], theirs[states])]
    by_seat = dict(zip((seat, other), both, strict=True))
    numbers = with_options(arrays, by_seat, arrays.option_starts[pair[some]])._replace(
        pair_starts=ints(offsets(sizes[states])[:-1]),
        option_starts=ints(np.arange(len(some) + 1)),
        deciders=ints(np.zeros(len(some), np.int64)),
        levels=ints(np.zeros(found, np.int64)),
        loops=ints(np.zeros(found, np.int64)),
        successors=ints(new[targets]),
    )
    rows = np.frombuffer(arrays.table.rows, np.int64).reshape(arrays.count, -1)
    table = replace(
        arrays.table,
        count=found,
        rows=ints(rows[states % arrays.count].ravel()),
        numbers=numbers,
        blocks=[],
        components=[],
    )
    sort_states(table, sorting())
    nothing = SeatMixes(*(np.zeros(each[-1]) for _, each in (by_seat[RED], by_seat[BLUE])))
    bounds = solved_again(table, np.full(found, arrays.endless), nothing)
    return bounds.at(table.start)


def with_options(
    arrays: StateArrays, by_seat: Mapping[int, tuple[Ints, Ints]], options: Ints
) -> Numbers:
    """The numbers of a table with these options, in this order. `by_seat` has the number of choices
    of each seat and where they start.
    """
    entries, entry_starts = gathered(arrays.entry_starts, options)
    (reds, red_starts), (blues, blue_starts) = by_seat[RED], by_seat[BLUE]
    return arrays.table.numbers._replace(
        reds=ints(reds),
        red_starts=ints(red_starts),
        blues=ints(blues),
        blue_starts=ints(blue_starts),
        entry_starts=ints(entry_starts),
        constants=array("d", arrays.constants[options].tobytes()),
        decided=array("d", arrays.decided[options].tobytes()),
        successors=ints(arrays.successors[entries]),
        chances=array("d", arrays.chances[entries].tobytes()),
    )


def offsets(sizes: Ints) -> Ints:
    """Where parts of these sizes start, and the end of the last."""
    return np.concatenate([[0], np.cumsum(sizes)])


def gathered(starts: Ints, parts: Ints) -> tuple[Ints, Ints]:
    """The members of these parts, and where the members of each now start."""
    sizes = starts[parts + 1] - starts[parts]
    return segments(starts[parts], sizes), offsets(sizes)


def ints(numbers: Ints) -> "array[int]":
    return array("q", numbers.astype(np.int64).tobytes())


def seen(game: SolvedGame, seat: int) -> Enclosure:
    """The value of a plain game if the other seat sees this seat's choice before its own."""
    arrays = game.arrays
    numbers, other = arrays.table.numbers, 1 - seat
    # A pair is now a choice of the seat that is seen; its options are the answers.
    order = np.lexsort((arrays.pair_choices[other], arrays.pair_choices[seat]))
    mine = arrays.pair_choices[seat][order]
    answers = np.bincount(mine, minlength=arrays.starts[seat][-1])
    ones, singles = np.ones(arrays.count, np.int64), np.arange(arrays.count + 1)
    by_seat = {seat: (arrays.counts[seat], arrays.starts[seat]), other: (ones, singles)}
    seen_numbers = with_options(arrays, by_seat, order)._replace(
        pair_starts=ints(arrays.starts[seat][:-1]),
        option_starts=ints(offsets(answers)),
        deciders=ints(np.where(answers > 1, -1 if seat == RED else 1, 0)),
        loops=ints(2 * np.frombuffer(numbers.loops, np.int64)),  # type: ignore[call-overload]
    )
    table = replace(arrays.table, numbers=seen_numbers)
    uniform = 1 / arrays.counts[seat][arrays.choice_states[seat]]
    single = np.ones(arrays.count)
    mixes = SeatMixes(uniform, single) if seat == RED else SeatMixes(single, uniform)
    return solved_again(table, game.found.values, mixes).at(arrays.start)


def seen_with_answers(game: SolvedGame, seat: int) -> Enclosure:
    """The same for a game in which a seat answers after the reveal, by sweeps: with each, a game
    has one round more before it counts as endless.
    """
    arrays = game.arrays
    side = 1.0 if seat == RED else -1.0
    every = segments(arrays.pair_starts, arrays.counts[RED] * arrays.counts[BLUE])
    mine, other = arrays.pair_choices[seat][every], 1 - seat
    order = every[np.lexsort((arrays.pair_choices[other][every], mine))]
    answers = np.flatnonzero(np.diff(arrays.pair_choices[seat][order], prepend=-1))
    firsts = arrays.option_starts[:-1]
    deciders = np.frombuffer(arrays.table.numbers.deciders, np.int64)  # type: ignore[call-overload]

    values = np.full(arrays.count, arrays.endless)
    for _ in range(MOST_SEEN):
        options = arrays.option_means(values)
        best = np.maximum.reduceat(options, firsts), np.minimum.reduceat(options, firsts)
        worths = side * np.where(deciders > 0, *best)[order]
        secured = np.minimum.reduceat(worths, answers)
        new = side * np.maximum.reduceat(secured, arrays.starts[seat][:-1])
        change, values = np.max(np.abs(new - values)), new
        if change <= SETTLED:
            break
    found = float(values[game.start])
    return Enclosure(found - CLOSELY, found + CLOSELY)
