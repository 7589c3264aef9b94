"""The kernel of `quantal.py`, which explains it."""

from math import exp

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.matrix import LIMIT
from holmgang.solver.numbers import Floats

LEAST_STAKE = 0.02  # smaller stakes count as this
LOST = 1e-9  # tolerance for a certain loss
STEP = 1.0  # for entries that differ by at most 1
CLOSE = 1e-3  # tolerance for a probability
MOST_STEPS = 4000
RECKLESS = 2.0  # provisional mark, until it is known whether there is a safer choice

# The layout of `settings`
TEMPERATURE, SLIPS, CAUTION = range(3)
SETTINGS = 3

# The layout of `work`: fields of one size
ROW_LOGS = 0  # logarithms of the row mix, up to a constant
COLUMN_LOGS = ROW_LOGS + LIMIT
ROW_WORTHS = COLUMN_LOGS + LIMIT  # against the column mix
COLUMN_WORTHS = ROW_WORTHS + LIMIT
ROW_FATAL = COLUMN_WORTHS + LIMIT  # 1 for a choice that loses at once
COLUMN_FATAL = ROW_FATAL + LIMIT
STAKE = COLUMN_FATAL + LIMIT  # a single number
WORK_SIZE = STAKE + 1


def quantal(
    matrix: Floats,
    rows: int,
    columns: int,
    settings: Floats,
    row_mix: Floats,
    column_mix: Floats,
    work: Floats,
) -> int:
    """Sets both mixes. Returns the number of steps taken."""
    find_fatal(matrix, rows, columns, work)
    if settings[CAUTION] != 0.0:
        find_reckless(matrix, rows, columns, columns, 1, -1.0, work, ROW_FATAL, COLUMN_FATAL)
        find_reckless(matrix, columns, rows, 1, columns, 1.0, work, COLUMN_FATAL, ROW_FATAL)
    low = 2.0
    high = -2.0
    for row in range(rows):
        for column in range(columns):
            if work[ROW_FATAL + row] == 0.0 and work[COLUMN_FATAL + column] == 0.0:
                low = min(low, matrix[row * columns + column])
                high = max(high, matrix[row * columns + column])
    stake = max(high - low, LEAST_STAKE)
    work[STAKE] = stake
    steps = meet(matrix, rows, columns, settings[TEMPERATURE], stake, row_mix, column_mix, work)
    add_slips(rows, settings[SLIPS], row_mix, work, ROW_FATAL)
    add_slips(columns, settings[SLIPS], column_mix, work, COLUMN_FATAL)
    return steps


def find_fatal(matrix: Floats, rows: int, columns: int, work: Floats) -> None:
    """Marks the choices that lose at once against every reply, except replies marked too."""
    suspect(matrix, rows, columns, columns, 1, -1.0, work, ROW_FATAL)
    suspect(matrix, columns, rows, 1, columns, 1.0, work, COLUMN_FATAL)
    is_settled = False
    while not is_settled:
        cleared = clear(matrix, rows, columns, columns, 1, -1.0, work, ROW_FATAL, COLUMN_FATAL)
        cleared += clear(matrix, columns, rows, 1, columns, 1.0, work, COLUMN_FATAL, ROW_FATAL)
        is_settled = cleared == 0
    clear_all(rows, work, ROW_FATAL)
    clear_all(columns, work, COLUMN_FATAL)


def suspect(
    matrix: Floats,
    size: int,
    others: int,
    stride: int,
    other_stride: int,
    loss: float,
    work: Floats,
    fatal: int,
) -> None:
    """Marks the choices that lose or draw against every reply, and lose against at least one."""
    for mine in range(size):
        losses = 0
        draws = 0
        for other in range(others):
            entry = matrix[mine * stride + other * other_stride]
            if abs(entry - loss) < LOST:
                losses += 1
            elif entry == 0.0:
                draws += 1
        work[fatal + mine] = 1.0 if losses > 0 and losses + draws == others else 0.0


def clear(
    matrix: Floats,
    size: int,
    others: int,
    stride: int,
    other_stride: int,
    loss: float,
    work: Floats,
    fatal: int,
    other_fatal: int,
) -> int:
    """Clears the mark of each choice that does not lose against some unmarked reply. Returns the
    number of marks cleared.
    """
    cleared = 0
    for mine in range(size):
        if work[fatal + mine] != 0.0:
            for other in range(others):
                entry = matrix[mine * stride + other * other_stride]
                if work[other_fatal + other] == 0.0 and abs(entry - loss) >= LOST:
                    work[fatal + mine] = 0.0
            cleared += 1 if work[fatal + mine] == 0.0 else 0
    return cleared


def clear_all(size: int, work: Floats, fatal: int) -> None:
    """Clears the marks if every choice is marked."""
    marked = 0
    for mine in range(size):
        marked += 1 if work[fatal + mine] != 0.0 else 0
    if marked == size:
        for mine in range(size):
            work[fatal + mine] = 0.0


def find_reckless(
    matrix: Floats,
    size: int,
    others: int,
    stride: int,
    other_stride: int,
    loss: float,
    work: Floats,
    fatal: int,
    other_fatal: int,
) -> None:
    """Marks the choices that lose at once against some reply and win at once against none, unless
    there is no safer choice.
    """
    safe = 0
    for mine in range(size):
        losses = 0
        wins = 0
        for other in range(others):
            if work[other_fatal + other] == 0.0:
                entry = matrix[mine * stride + other * other_stride]
                losses += 1 if abs(entry - loss) < LOST else 0
                wins += 1 if abs(entry + loss) < LOST else 0
        is_reckless = work[fatal + mine] == 0.0 and losses > 0 and wins == 0
        safe += 1 if work[fatal + mine] == 0.0 and losses == 0 else 0
        if is_reckless:
            work[fatal + mine] = RECKLESS
    for mine in range(size):
        if work[fatal + mine] == RECKLESS:
            work[fatal + mine] = 1.0 if safe > 0 else 0.0


def meet(
    matrix: Floats,
    rows: int,
    columns: int,
    temperature: float,
    stake: float,
    row_mix: Floats,
    column_mix: Floats,
    work: Floats,
) -> int:
    """The logit equilibrium without the choices that are marked as fatal."""
    step = min(STEP, 1.0 / (1.0 + 2.0 * temperature))
    if rows == 1 or columns == 1:
        step = 1.0 / temperature  # a single player: the first step is the solution
    keep = 1.0 - step * temperature
    for place in range(LIMIT):
        work[ROW_LOGS + place] = 0.0
        work[COLUMN_LOGS + place] = 0.0
    mix_logs(rows, 1.0, 0.0, row_mix, work, ROW_LOGS, ROW_WORTHS, ROW_FATAL)
    mix_logs(columns, 1.0, 0.0, column_mix, work, COLUMN_LOGS, COLUMN_WORTHS, COLUMN_FATAL)
    set_worths(matrix, rows, columns, stake, row_mix, column_mix, work)
    for number in range(MOST_STEPS):
        # The mixes predicted for the next step, against which both players update their own.
        change = mix_logs(rows, keep, step, row_mix, work, ROW_LOGS, ROW_WORTHS, ROW_FATAL)
        change = max(
            change,
            mix_logs(
                columns, keep, step, column_mix, work, COLUMN_LOGS, COLUMN_WORTHS, COLUMN_FATAL
            ),
        )
        if number > 0 and change < CLOSE * step * temperature:
            return number
        set_worths(matrix, rows, columns, stake, row_mix, column_mix, work)
        for row in range(rows):
            work[ROW_LOGS + row] = keep * work[ROW_LOGS + row] + step * work[ROW_WORTHS + row]
        for column in range(columns):
            work[COLUMN_LOGS + column] = (
                keep * work[COLUMN_LOGS + column] + step * work[COLUMN_WORTHS + column]
            )
    return MOST_STEPS


def mix_logs(
    size: int,
    keep: float,
    step: float,
    mix: Floats,
    work: Floats,
    logs: int,
    worths: int,
    fatal: int,
) -> float:
    """Sets the mix one step ahead of the logarithms. Returns the largest change."""
    top = -1e300
    for choice in range(size):
        if work[fatal + choice] == 0.0:
            top = max(top, keep * work[logs + choice] + step * work[worths + choice])
    total = 0.0
    for choice in range(size):
        if work[fatal + choice] == 0.0:
            total += exp(keep * work[logs + choice] + step * work[worths + choice] - top)
    change = 0.0
    for choice in range(size):
        share = 0.0
        if work[fatal + choice] == 0.0:
            share = exp(keep * work[logs + choice] + step * work[worths + choice] - top) / total
        change = max(change, abs(share - mix[choice]))
        mix[choice] = share
    return change


def set_worths(
    matrix: Floats,
    rows: int,
    columns: int,
    stake: float,
    row_mix: Floats,
    column_mix: Floats,
    work: Floats,
) -> None:
    """Writes the value of each choice to its player, in units of the stake."""
    for column in range(columns):
        work[COLUMN_WORTHS + column] = 0.0
    for row in range(rows):
        worth = 0.0
        share = row_mix[row] / stake
        at = row * columns
        for column in range(columns):
            worth += column_mix[column] * matrix[at + column]
            work[COLUMN_WORTHS + column] -= share * matrix[at + column]
        work[ROW_WORTHS + row] = worth / stake


def add_slips(size: int, slips: float, mix: Floats, work: Floats, fatal: int) -> None:
    """Gives the choices marked as fatal a total probability of `slips`."""
    found = 0
    for choice in range(size):
        found += 1 if work[fatal + choice] != 0.0 else 0
    if found > 0:
        for choice in range(size):
            if work[fatal + choice] != 0.0:
                mix[choice] = slips / found
            else:
                mix[choice] *= 1.0 - slips


SPECS = {"quantal": KernelSpec((), ("matrix", "settings", "row_mix", "column_mix", "work"))}
