"""Kernels of the search in games in which both seats choose at once: a matrix game at every node.

They do not depend on a game and are compiled once for all rulesets, linked to `round_kernels.py`,
which calls the rules, and to `matrix.py`. There is no recursion: every ply has a frame in flat
arrays, so that the search can be interrupted after any number of cells and resumed, to keep within
a budget.

A node does not search its whole matrix. It starts with a few choices of each seat, solves their
game, and looks for a choice that does better against the mix found. If there is one, it is added;
if not, the solution is one of the whole matrix (double oracle: McMahan, Gordon, Blum 2003). Each
cell has a lower and an upper bound. A row is abandoned as soon as its upper bounds show that it
gains nothing; this sets the window in which the node below has to be exact (Bošanský, Lisý, Čermák,
Vítek, Pěchouček 2013). A table keeps results by state and depth, with the choices that were mixed;
the next, deeper search starts with these choices.
"""

from typing import TYPE_CHECKING

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.matrix import LIMIT
from holmgang.solver.numbers import Floats, Ints

if TYPE_CHECKING:  # linked
    from holmgang.solver.matrix import solve
    from holmgang.solver.search.round_kernels import play_faces

MOST_PLIES = 64
MOST_CHOICES = LIMIT
TOLERANCE = 1e-11  # smaller gains are ignored
SURE = 1.0  # the largest value
ANYTHING = 4.0  # beyond all values

# The control array: the position of the search
PLY = 0
DOING = 1
CELLS = 2  # searched so far
NODES = 3  # solved so far
STAMP = 4  # the number of the search; table entries with another number are ignored
GUESSED = 5  # whether the last result depends on estimates
CONTROL_SIZE = 6
ENTERING, GOING_ON, LEAVING = range(3)

# A frame of whole numbers
DEPTH = 0  # rounds left
ANSWERING = 1  # whether this is an answer to the round before, which does not count as a round
STAGE = 2
ROWS = 3  # choices of red, at least 1
COLUMNS = 4
USED_ROWS = 5  # the number of rows in the game that is solved
USED_COLUMNS = 6
AT_ROW = 7  # the current cell
AT_COLUMN = 8
FACE = 9
FACES = 10
CURSOR = 11
BEST_ROW = 12  # a row that does better, or -1
BEST_COLUMN = 13
IS_GUESSED = 14  # whether any cell depends on an estimate
HASH = 15
RED_MASK = 16  # the choices mixed at the last node of this ply; the next one may start with them
BLUE_MASK = 17
RED_MENU = 18
BLUE_MENU = 19
RED_CHOICES = 20
BLUE_CHOICES = RED_CHOICES + MOST_CHOICES
RED_USED = BLUE_CHOICES + MOST_CHOICES  # the rows used, in the order in which they were added
BLUE_USED = RED_USED + MOST_CHOICES
IS_RED_USED = BLUE_USED + MOST_CHOICES
IS_BLUE_USED = IS_RED_USED + MOST_CHOICES
FRAME = IS_BLUE_USED + MOST_CHOICES
FILLING, ASKING_RED, ASKING_BLUE, SOLVED = range(4)
NOTHING, A_CELL, A_SOLUTION = range(3)
NONE_FULL, ALL_FULL, ROOT_FULL = range(3)  # which nodes search their whole matrix

# A frame of floats
ALPHA = 0  # the window: outside of it the node need not be exact
BETA = 1
CELL_ALPHA = 2
CELL_BETA = 3
CELL_LOW = 4  # sums over the faces so far
CELL_HIGH = 5
VALUE = 6  # of the game of the used rows and columns
TOP = 7  # the most that red can get against blue's mix
BOTTOM = 8
BEST_GAIN = 9  # the value of the best row so far
FOUND_LOW = 10
FOUND_HIGH = 11
RED_SHARES = 12
BLUE_SHARES = RED_SHARES + MOST_CHOICES
LOWS = BLUE_SHARES + MOST_CHOICES
HIGHS = LOWS + MOST_CHOICES * MOST_CHOICES
FLOAT_FRAME = HIGHS + MOST_CHOICES * MOST_CHOICES

# An entry of the table
KEY = 0
ORIGIN = 1  # twice the stamp, plus 1 if it depends on estimates
RED_MIXED = 2
BLUE_MIXED = 3
ENTRY = 4


def look_ahead(
    depth: int,
    fullness: int,
    most_cells: int,
    table_size: int,
    states: Ints,
    control: Ints,
    frames: Ints,
    numbers: Floats,
    grid: Floats,
    row_mix: Floats,
    column_mix: Floats,
    work: Floats,
    table: Ints,
    bounds: Floats,
    salts: Ints,
) -> int:
    """Searches the state in the first row of `states` to a depth. Returns 1 when it is done, or 0
    after `most_cells` cells, to be called again.

    At the start PLY and DOING are 0, and the first frame has the state's HASH and menus; at the end
    it has the solution. `fullness` tells which nodes search their whole matrix.
    """
    enough = control[CELLS] + most_cells
    ply = control[PLY]
    doing = control[DOING]
    low, high = 0.0, 0.0
    while True:
        at, on = ply * FRAME, ply * FLOAT_FRAME
        if doing == ENTERING:
            if control[CELLS] >= enough:
                control[PLY] = ply
                control[DOING] = ENTERING
                return 0
            if ply == 0:
                frames[DEPTH] = depth
                frames[ANSWERING] = 0
                numbers[ALPHA] = -ANYTHING
                numbers[BETA] = ANYTHING
            open_node(ply, fullness, table_size, control, frames, numbers, table)
            doing = GOING_ON
        elif doing == LEAVING:  # the node below is done
            add_face(at, on, control[GUESSED], low, high, frames, numbers)
            doing = GOING_ON
        if frames[at + FACE] == frames[at + FACES]:
            if frames[at + FACES] > 0:
                close_cell(at, on, frames, numbers)
            need = next_need(at, on, frames, numbers)
            while need == A_SOLUTION:  # kept here because deeper inlining would compile more slowly
                rows, columns = lay_out(at, on, frames, numbers, grid)
                value = solve(grid, rows, columns, row_mix, column_mix, work)
                is_whole = is_full(ply, fullness)
                take_mixes(at, on, value, is_whole, frames, numbers, row_mix, column_mix)
                need = next_need(at, on, frames, numbers)
            if need == NOTHING:
                low, high = numbers[on + FOUND_LOW], numbers[on + FOUND_HIGH]
                control[GUESSED] = frames[at + IS_GUESSED]
                control[NODES] += 1
                keep(at, on, low, high, table_size, control, frames, numbers, table, bounds)
                if ply == 0:
                    return 1
                ply -= 1
                doing = LEAVING
                continue
            control[CELLS] += 1
        if play_faces(ply, states, frames, numbers, salts) == 0:
            continue
        below = at + FRAME
        key = frames[below + HASH]
        slot = slot_at(key, frames[below + DEPTH], frames[below + ANSWERING], table_size)
        if table[slot * ENTRY + KEY] == key and table[slot * ENTRY + ORIGIN] // 2 == control[STAMP]:
            low, high = bounds[2 * slot], bounds[2 * slot + 1]
            if low == high or high <= numbers[on + CELL_ALPHA] or low >= numbers[on + CELL_BETA]:
                is_guessed = table[slot * ENTRY + ORIGIN] % 2
                add_face(at, on, is_guessed, low, high, frames, numbers)
                continue
        numbers[on + FLOAT_FRAME + ALPHA] = numbers[on + CELL_ALPHA]
        numbers[on + FLOAT_FRAME + BETA] = numbers[on + CELL_BETA]
        ply += 1
        doing = ENTERING


# The table


def slot_at(key: int, depth: int, is_answer: int, table_size: int) -> int:
    """The slot of a state searched to this depth. `table_size` is a power of two."""
    return (key // 2 + (2 * depth + is_answer) * 0x9E3779B1) & (table_size - 1)


def keep(
    at: int,
    on: int,
    low: float,
    high: float,
    table_size: int,
    control: Ints,
    frames: Ints,
    numbers: Floats,
    table: Ints,
    bounds: Floats,
) -> None:
    """Stores the result of a node in the table, replacing the entry there."""
    red_mask, blue_mask = 0, 0
    for used in range(frames[at + USED_ROWS]):
        row = frames[at + RED_USED + used]
        if numbers[on + RED_SHARES + row] > 0.0 and frames[at + RED_CHOICES + row] >= 0:
            red_mask |= 1 << frames[at + RED_CHOICES + row]
    for used in range(frames[at + USED_COLUMNS]):
        column = frames[at + BLUE_USED + used]
        if numbers[on + BLUE_SHARES + column] > 0.0 and frames[at + BLUE_CHOICES + column] >= 0:
            blue_mask |= 1 << frames[at + BLUE_CHOICES + column]
    frames[at + RED_MASK] = red_mask
    frames[at + BLUE_MASK] = blue_mask
    slot = slot_at(frames[at + HASH], frames[at + DEPTH], frames[at + ANSWERING], table_size)
    table[slot * ENTRY + KEY] = frames[at + HASH]
    table[slot * ENTRY + ORIGIN] = 2 * control[STAMP] + frames[at + IS_GUESSED]
    table[slot * ENTRY + RED_MIXED] = red_mask
    table[slot * ENTRY + BLUE_MIXED] = blue_mask
    bounds[2 * slot] = low
    bounds[2 * slot + 1] = high


# A node


def is_full(ply: int, fullness: int) -> bool:
    """Whether a node searches its whole matrix."""
    return fullness == ALL_FULL or (fullness == ROOT_FULL and ply == 0)


def open_node(
    ply: int,
    fullness: int,
    table_size: int,
    control: Ints,
    frames: Ints,
    numbers: Floats,
    table: Ints,
) -> None:
    """Lists the choices, and starts with those that were mixed in the previous search, or else at
    the last node of the same ply.
    """
    at, on = ply * FRAME, ply * FLOAT_FRAME
    red_menu, blue_menu = frames[at + RED_MENU], frames[at + BLUE_MENU]
    red_first, blue_first = frames[at + RED_MASK], frames[at + BLUE_MASK]
    slot = slot_at(frames[at + HASH], frames[at + DEPTH] - 1, frames[at + ANSWERING], table_size)
    is_known = table[slot * ENTRY + KEY] == frames[at + HASH]
    if is_known and table[slot * ENTRY + ORIGIN] // 2 == control[STAMP]:
        red_first = table[slot * ENTRY + RED_MIXED]
        blue_first = table[slot * ENTRY + BLUE_MIXED]
    if is_full(ply, fullness):
        red_first, blue_first = red_menu, blue_menu
    rows = listed(red_menu, at + RED_CHOICES, frames)
    columns = listed(blue_menu, at + BLUE_CHOICES, frames)
    frames[at + ROWS] = rows
    frames[at + COLUMNS] = columns
    frames[at + USED_ROWS] = begun(
        rows, red_first, at + RED_CHOICES, at + RED_USED, at + IS_RED_USED, frames
    )
    frames[at + USED_COLUMNS] = begun(
        columns, blue_first, at + BLUE_CHOICES, at + BLUE_USED, at + IS_BLUE_USED, frames
    )
    frames[at + STAGE] = FILLING
    frames[at + FACE] = 0
    frames[at + FACES] = 0
    frames[at + IS_GUESSED] = 0
    for row in range(rows):
        numbers[on + RED_SHARES + row] = 0.0
    for column in range(columns):
        numbers[on + BLUE_SHARES + column] = 0.0
    for cell in range(rows * columns):
        numbers[on + LOWS + cell] = -SURE
        numbers[on + HIGHS + cell] = SURE


def listed(menu: int, at: int, frames: Ints) -> int:
    """Writes the choices of a set to a list, or -1 if it is empty. Returns the list's length."""
    if menu == 0:
        frames[at] = -1
        return 1
    count, choice = 0, 0
    while menu >> choice != 0:
        if menu >> choice & 1 == 1:
            frames[at + count] = choice
            count += 1
        choice += 1
    return count


def begun(size: int, first: int, choices: int, used: int, flags: int, frames: Ints) -> int:
    """Starts with the choices in the set `first`, or with the first choice on offer if none is in
    the set. Returns the number of choices used.
    """
    count = 0
    for place in range(size):
        choice = frames[choices + place]
        is_first = choice >= 0 and first >> choice & 1 == 1
        frames[flags + place] = 1 if is_first else 0
        if is_first:
            frames[used + count] = place
            count += 1
    if count == 0:
        frames[flags] = 1
        frames[used] = 0
        count = 1
    return count


# A cell


def add_face(
    at: int, on: int, is_guessed: int, low: float, high: float, frames: Ints, numbers: Floats
) -> None:
    numbers[on + CELL_LOW] += low
    numbers[on + CELL_HIGH] += high
    frames[at + IS_GUESSED] |= is_guessed
    frames[at + FACE] += 1


def close_cell(at: int, on: int, frames: Ints, numbers: Floats) -> None:
    """Sets the bounds of the cell to the mean over its faces."""
    cell = frames[at + AT_ROW] * frames[at + COLUMNS] + frames[at + AT_COLUMN]
    low = numbers[on + CELL_LOW] / frames[at + FACES]
    high = numbers[on + CELL_HIGH] / frames[at + FACES]
    numbers[on + LOWS + cell] = max(low, numbers[on + LOWS + cell])
    numbers[on + HIGHS + cell] = min(high, numbers[on + HIGHS + cell])
    frames[at + FACE] = 0
    frames[at + FACES] = 0


def look_at(
    at: int,
    on: int,
    row: int,
    column: int,
    alpha: float,
    beta: float,
    frames: Ints,
    numbers: Floats,
) -> bool:
    """Makes this the current cell, to be exact between alpha and beta. Returns True."""
    frames[at + AT_ROW] = row
    frames[at + AT_COLUMN] = column
    numbers[on + CELL_LOW] = 0.0
    numbers[on + CELL_HIGH] = 0.0
    numbers[on + CELL_ALPHA] = alpha
    numbers[on + CELL_BETA] = beta
    return True


def next_need(at: int, on: int, frames: Ints, numbers: Floats) -> int:
    """The next need of the node: another cell, a solution of the used rows and columns, or nothing
    if it is solved as far as its window requires.
    """
    if frames[at + STAGE] == FILLING:
        return A_CELL if has_open_cell(at, on, frames, numbers) else A_SOLUTION
    if frames[at + STAGE] == ASKING_RED:
        if has_better_row(at, on, frames, numbers):
            return A_CELL
        if numbers[on + TOP] <= numbers[on + ALPHA]:
            return found(on, -SURE, numbers[on + TOP], numbers)
        frames[at + STAGE] = ASKING_BLUE
        frames[at + CURSOR] = 0
        frames[at + BEST_COLUMN] = -1
        numbers[on + BEST_GAIN] = numbers[on + VALUE]
        numbers[on + BOTTOM] = numbers[on + VALUE]
    if frames[at + STAGE] == ASKING_BLUE:
        if has_better_column(at, on, frames, numbers):
            return A_CELL
        if numbers[on + BOTTOM] >= numbers[on + BETA]:
            return found(on, numbers[on + BOTTOM], SURE, numbers)
        if take_best(at, frames):
            frames[at + STAGE] = FILLING
            return A_CELL if has_open_cell(at, on, frames, numbers) else A_SOLUTION
    return found(on, numbers[on + VALUE], numbers[on + VALUE], numbers)


def found(on: int, low: float, high: float, numbers: Floats) -> int:
    numbers[on + FOUND_LOW] = low
    numbers[on + FOUND_HIGH] = high
    return NOTHING


def has_open_cell(at: int, on: int, frames: Ints, numbers: Floats) -> bool:
    """Whether a cell of the used rows and columns is not exact yet; makes it the current one."""
    columns = frames[at + COLUMNS]
    for used_row in range(frames[at + USED_ROWS]):
        row = frames[at + RED_USED + used_row]
        for used_column in range(frames[at + USED_COLUMNS]):
            column = frames[at + BLUE_USED + used_column]
            cell = row * columns + column
            if numbers[on + LOWS + cell] < numbers[on + HIGHS + cell]:
                return look_at(at, on, row, column, -ANYTHING, ANYTHING, frames, numbers)
    return False


def lay_out(at: int, on: int, frames: Ints, numbers: Floats, grid: Floats) -> tuple[int, int]:
    """Writes the game of the used rows and columns to the grid. Returns its size."""
    rows, columns = frames[at + USED_ROWS], frames[at + USED_COLUMNS]
    for row in range(rows):
        first = on + LOWS + frames[at + RED_USED + row] * frames[at + COLUMNS]
        for column in range(columns):
            grid[row * columns + column] = numbers[first + frames[at + BLUE_USED + column]]
    return rows, columns


def take_mixes(
    at: int,
    on: int,
    value: float,
    is_whole: bool,
    frames: Ints,
    numbers: Floats,
    row_mix: Floats,
    column_mix: Floats,
) -> None:
    """Writes the solution to the frame; the next stage looks for a better row."""
    for used in range(frames[at + USED_ROWS]):
        numbers[on + RED_SHARES + frames[at + RED_USED + used]] = row_mix[used]
    for used in range(frames[at + USED_COLUMNS]):
        numbers[on + BLUE_SHARES + frames[at + BLUE_USED + used]] = column_mix[used]
    numbers[on + VALUE] = value
    numbers[on + BEST_GAIN] = value
    numbers[on + TOP] = value
    frames[at + BEST_ROW] = -1
    frames[at + CURSOR] = 0
    frames[at + STAGE] = SOLVED if is_whole else ASKING_RED


def has_better_row(at: int, on: int, frames: Ints, numbers: Floats) -> bool:
    """Whether a cell must be searched to find out if an unused row gains more against blue's mix;
    makes it the current one. If not, BEST_ROW gains most, and no row gains more than TOP.
    """
    columns = frames[at + COLUMNS]
    while frames[at + CURSOR] < frames[at + ROWS]:
        row = frames[at + CURSOR]
        if frames[at + IS_RED_USED + row] == 0:
            goal = max(numbers[on + BEST_GAIN] + TOLERANCE, numbers[on + ALPHA])
            most, doubt, doubtful = 0.0, 0.0, -1
            for used in range(frames[at + USED_COLUMNS]):
                column = frames[at + BLUE_USED + used]
                share = numbers[on + BLUE_SHARES + column]
                high = numbers[on + HIGHS + row * columns + column]
                most += share * high
                open_by = share * (high - numbers[on + LOWS + row * columns + column])
                if open_by > doubt:
                    doubt, doubtful = open_by, column
            if most > goal and doubtful >= 0:
                share = numbers[on + BLUE_SHARES + doubtful]
                high = numbers[on + HIGHS + row * columns + doubtful]
                alpha = high + (goal - 0.25 * TOLERANCE - most) / share
                return look_at(at, on, row, doubtful, alpha, ANYTHING, frames, numbers)
            numbers[on + TOP] = max(most, numbers[on + TOP])
            if most > goal:
                numbers[on + BEST_GAIN] = most
                frames[at + BEST_ROW] = row
        frames[at + CURSOR] += 1
    return False


def has_better_column(at: int, on: int, frames: Ints, numbers: Floats) -> bool:
    """The same for blue: no column gets below BOTTOM."""
    columns = frames[at + COLUMNS]
    while frames[at + CURSOR] < columns:
        column = frames[at + CURSOR]
        if frames[at + IS_BLUE_USED + column] == 0:
            goal = min(numbers[on + BEST_GAIN] - TOLERANCE, numbers[on + BETA])
            least, doubt, doubtful = 0.0, 0.0, -1
            for used in range(frames[at + USED_ROWS]):
                row = frames[at + RED_USED + used]
                share = numbers[on + RED_SHARES + row]
                low = numbers[on + LOWS + row * columns + column]
                least += share * low
                open_by = share * (numbers[on + HIGHS + row * columns + column] - low)
                if open_by > doubt:
                    doubt, doubtful = open_by, row
            if least < goal and doubtful >= 0:
                share = numbers[on + RED_SHARES + doubtful]
                low = numbers[on + LOWS + doubtful * columns + column]
                beta = low + (goal + 0.25 * TOLERANCE - least) / share
                return look_at(at, on, doubtful, column, -ANYTHING, beta, frames, numbers)
            numbers[on + BOTTOM] = min(least, numbers[on + BOTTOM])
            if least < goal:
                numbers[on + BEST_GAIN] = least
                frames[at + BEST_COLUMN] = column
        frames[at + CURSOR] += 1
    return False


def take_best(at: int, frames: Ints) -> bool:
    """Adds the better row and column to those used. Returns False if there is neither."""
    row, column = frames[at + BEST_ROW], frames[at + BEST_COLUMN]
    has_taken = False
    if row >= 0:
        frames[at + RED_USED + frames[at + USED_ROWS]] = row
        frames[at + IS_RED_USED + row] = 1
        frames[at + USED_ROWS] += 1
        has_taken = True
    if column >= 0:
        frames[at + BLUE_USED + frames[at + USED_COLUMNS]] = column
        frames[at + IS_BLUE_USED + column] = 1
        frames[at + USED_COLUMNS] += 1
        has_taken = True
    return has_taken


SPECS = {
    "look_ahead": KernelSpec(
        ("states", "control", "frames", "table", "salts"),
        ("numbers", "grid", "row_mix", "column_mix", "work", "bounds"),
    )
}
