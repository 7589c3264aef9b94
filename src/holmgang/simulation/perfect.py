"""The level `perfect` as policies that kernels can play, from the table of a solved ruleset.

Games in which a seat answers a reveal are left to the level itself: the table does not list those
answers.
"""

from array import array

import numpy as np
from numpy.typing import NDArray

from holmgang.engine.compiled.native import kernels_of
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.simulation.policy import Policy
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.tables import find_table

TOTAL = 1 << 31  # sum of the weights of a state; random draws are fastest with a power of two

Ints = NDArray[np.int64]


def perfect_policies(ruleset: Ruleset) -> tuple[Policy, Policy] | None:
    """The policies of `perfect` as red and as blue; None if kernels cannot play them."""
    table = find_table(ruleset)
    if not isinstance(table, Tablebase) or table.header["answers"]:
        return None
    rows = stored_rows(table)
    menus = [menus_of(ruleset, rows, seat) for seat in (RED, BLUE)]
    mixes = [np.asarray(mix).reshape(len(rows), -1) for mix in table.mixes]
    if table.header["symmetric"]:
        images = mirrored(ruleset, rows)
        differ = np.flatnonzero((images != rows).any(axis=1))
        rows = np.concatenate([rows, images[differ]])
        menus = [np.concatenate([menus[seat], menus[1 - seat][differ]]) for seat in (RED, BLUE)]
        width = max(mix.shape[1] for mix in mixes)
        mixes = [np.pad(mix, ((0, 0), (0, width - mix.shape[1]))) for mix in mixes]
        mixes = [np.concatenate([mixes[seat], mixes[1 - seat][differ]]) for seat in (RED, BLUE)]
    width = Policy(ruleset, {}).width
    weights = [weights_by_choice(*seat, width) for seat in zip(menus, mixes, strict=True)]
    return Policy.of_both(ruleset, flat(rows), flat(np.concatenate(weights, axis=1)))


def stored_rows(table: Tablebase) -> Ints:
    """The packed states of a table: states × fields."""
    keys, stored = table.keys
    left = np.asarray(stored).astype(np.int64)
    columns = []
    for least, span in zip(reversed(keys.least), reversed(keys.spans), strict=True):
        left, numbers = np.divmod(left, span)
        columns.append(numbers + least)
    return np.stack(columns[::-1], axis=1)


def menus_of(ruleset: Ruleset, rows: Ints, seat: int) -> Ints:
    """The choices of a seat in every state, as bit sets."""
    unpack = kernels_of(ruleset).bound.kernels["unpack"]
    found = (ruleset.choice_set(unpack(row, 0), seat) for row in rows.tolist())
    return np.fromiter(found, np.uint64, len(rows)).astype(np.int64)


def mirrored(ruleset: Ruleset, rows: Ints) -> Ints:
    """The mirror images of packed states."""
    functions = kernels_of(ruleset).bound.kernels
    pack, unpack, fields = functions["pack"], functions["unpack"], rows.shape[1]
    images, row = array("q"), array("q", bytes(8 * fields))
    for numbers in rows.tolist():
        pack(ruleset.mirror(unpack(numbers, 0)), row, 0)
        images.extend(row)
    return np.frombuffer(images, np.int64).reshape(len(rows), fields)


def weights_by_choice(menus: Ints, mixes: NDArray[np.float64], width: int) -> Ints:
    """Converts mixes in menu order to whole weights by choice, and adds a last row of zeros."""
    weights = np.zeros((len(menus) + 1, width), np.int64)
    for menu in np.unique(menus):
        states = np.flatnonzero(menus == menu)
        choices = np.flatnonzero((menu >> np.arange(width)) & 1)
        shares = mixes[states][:, : len(choices)]
        whole = np.rint(TOTAL * shares).astype(np.int64)
        if len(choices):  # the most likely choice absorbs the rounding error
            whole[np.arange(len(whole)), whole.argmax(axis=1)] += TOTAL - whole.sum(axis=1)
        weights[np.ix_(states, choices)] = whole
    return weights


def flat(numbers: Ints) -> "array[int]":
    return array("q", np.ascontiguousarray(numbers).tobytes())
