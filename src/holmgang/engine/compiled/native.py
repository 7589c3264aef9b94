"""Kernels ready to call: loaded from the cache, compiled, or interpreted without a compiler.

>>> ends, lengths, picks = zeros(30), zeros(1001), zeros(128)
>>> kernels_of(load("bagh"))("playouts")(7, 0, 2, 1000, ends, lengths, picks)
21
"""

import inspect
from array import array
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from holmgang.engine.compiled import kernels, objects
from holmgang.engine.compiled.binding import bind, fingerprint
from holmgang.games.ruleset import Ruleset, load

__all__ = ["Kernels", "can_compile", "kernels_of", "load", "zeros"]

Announce = Callable[[str], AbstractContextManager[Any]]
"""Called with a sentence when something is about to be compiled; the compiling is done inside."""


def zeros(size: int) -> "array[int]":
    """A flat array for a kernel to write to."""
    return array("q", bytes(8 * size))


def can_compile() -> bool:
    return find_spec("numba") is not None


def silent(sentence: str) -> AbstractContextManager[Any]:
    return nullcontext()


class Kernels:
    """The kernels of one ruleset, each made ready when it is first asked for."""

    def __init__(
        self,
        ruleset: Ruleset,
        more_kernels: Sequence[ModuleType] = (),
        *,
        interpret: bool = False,
    ) -> None:
        """`more_kernels` are modules like `kernels.py`, with `ENTRIES` of their own or without."""
        self.ruleset = ruleset
        self.bound = bind(ruleset, more_kernels)
        self.entries: dict[str, kernels.Entry] = dict(kernels.ENTRIES)
        for module in more_kernels:
            self.entries.update(getattr(module, "ENTRIES", {}))
        self.layout = self.bound.layout
        self.is_compiled = not interpret and can_compile()
        self._fingerprint = fingerprint(self.bound, ruleset)
        self._taught = False
        self._ready: dict[str, Callable[..., Any]] = {}

    def __call__(self, name: str, announce: Announce = silent) -> Callable[..., Any]:
        """The kernel of that name, as a function of whole numbers and flat arrays."""
        if name not in self._ready:
            interpreted: Callable[..., Any] = self.bound.kernels[name]
            self._ready[name] = self._native(name, announce) if self.is_compiled else interpreted
        return self._ready[name]

    def _native(self, name: str, announce: Announce) -> Callable[..., Any]:
        entry = self.entries[name]
        parameters = list(inspect.signature(self.bound.kernels[name]).parameters)
        are_arrays = [parameter in entry.ints + entry.floats for parameter in parameters]
        path = objects.object_path(
            f"{self.ruleset.entry.name}-{self.ruleset.hash}-{name}", self._fingerprint
        )
        found = objects.read_object(path)
        if found is None:
            with announce(f"Compiling {self.ruleset.text}, {name}: a few seconds, once."):
                found = self._compile(name)
                objects.write_object(path, *found)
        function = objects.c_function(
            objects.load_object(*found), are_arrays, gives_float=entry.gives_float
        )

        def call(*arguments: Any) -> Any:
            handed = (
                address(argument) if is_array else argument
                for argument, is_array in zip(arguments, are_arrays, strict=True)
            )
            return function(*handed)

        return call

    def _compile(self, name: str) -> tuple[str, bytes]:
        from holmgang.engine.compiled import compiler

        if not self._taught:
            compiler.teach(self.bound, self.ruleset.game.rules.__name__)
            self._taught = True
        return compiler.compile_kernel(self.bound, name, self.entries[name])


def address(values: Any) -> int:
    """Where an array of 64-bit numbers lies in memory."""
    if isinstance(values, array):
        return values.buffer_info()[0]
    return int(values.ctypes.data)  # numpy's; it must be contiguous


@lru_cache(maxsize=64)
def kernels_of(ruleset: Ruleset) -> Kernels:
    return Kernels(ruleset)
