"""Kernels ready to call: loaded from the cache, compiled, or interpreted if numba is missing.

>>> ends, lengths, picks = zeros(30), zeros(1001), zeros(128)
>>> kernels_of(load("bagh"))("playouts")(7, 0, 2, 1000, ends, lengths, picks)
21
"""

import inspect
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from holmgang.engine.compiled import kernels, objects
from holmgang.engine.compiled.binding import (
    NO_CONSTANTS,
    Bound,
    Link,
    bind,
    bind_numbers,
    fingerprint,
)
from holmgang.errors import RulesetError
from holmgang.games.ruleset import Ruleset, load
from holmgang.machine import relative

__all__ = ["Kernels", "NumberKernels", "can_compile", "kernels_of", "load", "zeros"]

Kernel = Callable[..., Any]
"""A function of whole numbers and flat arrays."""
Announce = Callable[[str], AbstractContextManager[object]]
"""Called with a sentence before compiling, which happens inside the returned context."""


def zeros(size: int) -> "array[int]":
    """A flat array of zeros for a kernel."""
    return array("q", bytes(8 * size))


def can_compile() -> bool:
    return find_spec("numba") is not None


def silent(sentence: str) -> AbstractContextManager[object]:
    return nullcontext()


class NumberKernels:
    """Kernels that need no game. Each is loaded or compiled on first use."""

    def __init__(
        self,
        name: str,
        modules: Sequence[ModuleType],
        linked: "Mapping[str, NumberKernels] | None" = None,
        *,
        interpret: bool = False,
    ) -> None:
        """`modules` are like `kernels.py`, with or without their own `SPECS`. `linked` maps the
        name of each separately compiled kernel that these call to the object that has it.
        """
        links = {
            called: Link(home.bound.kernels[called], home.specs[called])
            for called, home in (linked or {}).items()
        }
        self._start(name, bind_numbers(modules, links), modules, interpret=interpret)
        self._linked.update(linked or {})

    def _start(
        self, name: str, bound: Bound, modules: Sequence[ModuleType], *, interpret: bool
    ) -> None:
        self.name = name
        self.bound = bound
        self.specs: dict[str, kernels.KernelSpec] = {}
        for module in modules:
            self.specs.update(getattr(module, "SPECS", {}))
        self.is_compiled = not interpret and can_compile()
        self._fingerprint = fingerprint(bound)
        self._taught = False
        self._ready: dict[str, Kernel] = {}
        self._linked: dict[str, NumberKernels] = {}

    def __call__(self, name: str, announce: Announce = silent) -> Kernel:
        """The kernel of that name."""
        if name not in self._ready:
            self._ready[name] = (
                self._native(name, announce)
                if self.is_compiled
                else interpreted(self.bound.kernels[name])
            )
        return self._ready[name]

    def is_cached(self, name: str) -> bool:
        """Whether the kernel can be called without compiling."""
        if not self.is_compiled or name in self._ready:
            return True
        path = objects.object_path(f"{self.name}-{name}", self._fingerprint)
        return objects.read_object(path) is not None and all(
            home.is_cached(called) for called, home in self._linked.items()
        )

    def _native(self, name: str, announce: Announce) -> Kernel:
        spec = self.specs[name]
        parameters = list(inspect.signature(self.bound.kernels[name]).parameters)
        are_bundles = [parameter in spec.bundles for parameter in parameters]
        are_arrays = [kind != "int" for kind in spec.flat(parameters).values()]
        function = objects.c_function(
            self._address(name, announce), are_arrays, gives_float=spec.gives_float
        )

        def call(*arguments: Any) -> Any:
            flat: list[Any] = []
            for argument, is_bundle in zip(arguments, are_bundles, strict=True):
                flat.extend(argument if is_bundle else (argument,))
            handed = (
                address(argument) if is_array else argument
                for argument, is_array in zip(flat, are_arrays, strict=True)
            )
            result = function(*handed)
            error = objects.taken_error()
            if error is not None:
                raise raised(*error)
            return result

        return call

    def _address(self, name: str, announce: Announce) -> int:
        """The address of the kernel's machine code, after compiling it if needed."""
        path = objects.object_path(f"{self.name}-{name}", self._fingerprint)
        found = objects.read_object(path)
        if found is None:
            with (
                announce(f"Compiling {self.about}, {name}: a few seconds, once."),
                objects.alone(path),
            ):
                found = objects.read_object(path)
                if found is None:
                    found = self._compile(name)
                    objects.write_object(path, *found)
        linked = {called: home._address(called, announce) for called, home in self._linked.items()}
        return objects.load_object(*found, linked)

    @property
    def about(self) -> str:
        """The name of what is compiled, for messages."""
        return self.name

    def _compile(self, name: str) -> tuple[str, bytes]:
        from holmgang.engine.compiled import compiler

        if not self._taught:
            compiler.teach(self.bound)
            self._taught = True
        return compiler.compile_kernel(self.bound, name, self.specs[name])


class Kernels(NumberKernels):
    """The kernels of one ruleset."""

    def __init__(
        self,
        ruleset: Ruleset,
        more_kernels: Sequence[ModuleType] = (),
        *,
        constants: Mapping[str, int] = NO_CONSTANTS,
        interpret: bool = False,
    ) -> None:
        """`more_kernels` are modules like `kernels.py`, with or without their own `SPECS`;
        `constants` replace those of the kernels.
        """
        self.ruleset = ruleset
        self._start(
            f"{ruleset.entry.name}-{ruleset.hash}",
            bind(ruleset, more_kernels, constants),
            (kernels, *more_kernels),
            interpret=interpret,
        )
        self.layout = self.bound.layout

    @property
    def about(self) -> str:
        return self.ruleset.text


def interpreted(kernel: Kernel) -> Kernel:
    """The kernel as Python runs it. NumPy arrays become flat views whose elements are Python's own
    numbers, which do not overflow.
    """

    def call(*arguments: Any) -> Any:
        return kernel(
            *(
                memoryview(each.reshape(-1)) if hasattr(each, "ctypes") else each
                for each in arguments
            )
        )

    return call


def raised(
    kind: type[Exception], arguments: tuple[object, ...], place: tuple[str, str, int] | None
) -> RulesetError:
    """An error that compiled rules have raised, with its place in their file."""
    where = f"{relative(Path(place[1]))}:{place[2]}: " if place is not None else ""
    said = ", ".join(map(str, arguments))
    return RulesetError(f"{where}{kind.__name__}: {said}".removesuffix(": "))


def address(values: Any) -> int:
    """The memory address of an array of 64-bit numbers."""
    if isinstance(values, array):
        return values.buffer_info()[0]
    return int(values.ctypes.data)  # a contiguous numpy array


@lru_cache(maxsize=64)
def kernels_of(ruleset: Ruleset) -> Kernels:
    return Kernels(ruleset)
