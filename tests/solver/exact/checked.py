"""The solver with bounds checks: its kernels interpreted, on arrays that refuse every index which
compiled code would read or write outside of them, negative ones included.
"""

from holmgang.engine.compiled.native import Kernels, NumberKernels
from holmgang.solver import matrix as matrix_games
from holmgang.solver.exact import order_kernels, sharpen_kernels, sweep_kernels, table_kernels
from holmgang.solver.exact.solve import solve_table
from holmgang.solver.exact.table import tabulate


class Checked:
    """An array as a kernel sees it: indexed by whole numbers, from 0 to its end."""

    __slots__ = ("numbers",)

    def __init__(self, numbers):
        self.numbers = numbers

    def __getitem__(self, index):
        if not 0 <= index < len(self.numbers):
            raise IndexError(f"{index} of {len(self.numbers)}")
        return self.numbers[index]

    def __setitem__(self, index, value):
        if not 0 <= index < len(self.numbers):
            raise IndexError(f"{index} of {len(self.numbers)}")
        self.numbers[index] = value


def checked(argument):
    if isinstance(argument, int | float):
        return argument
    if isinstance(argument, tuple):
        return type(argument)(*map(Checked, argument))
    return Checked(argument)


class CheckedKernels(NumberKernels):
    def __call__(self, name, announce=None):
        kernel = self.bound.kernels[name]
        return lambda *arguments: kernel(*map(checked, arguments))


class CheckedGameKernels(CheckedKernels, Kernels):
    pass


def solve_checked(ruleset, monkeypatch, **options):
    """The solution of a ruleset, every access of every kernel checked."""
    home = "holmgang.solver.exact.table"
    sorting = CheckedKernels("solver", (order_kernels,), interpret=True)
    writing = CheckedGameKernels(ruleset, (table_kernels,), interpret=True)
    monkeypatch.setattr(f"{home}.sorting", lambda **_: sorting)
    monkeypatch.setattr(f"{home}.writing", lambda ruleset, **_: writing)
    modules = (matrix_games, sweep_kernels, sharpen_kernels)
    return solve_table(
        tabulate(ruleset, **options), CheckedKernels("solver", modules, interpret=True)
    )
