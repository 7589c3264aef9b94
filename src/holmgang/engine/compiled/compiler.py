"""Compiles a bound kernel to machine code. The only module that imports numba.

Every function of the rules, the stream and the kernels is handed to numba as it is, to be inlined;
the kernel itself gets a C entry, so that what comes out is an object file that needs neither numba
nor Python to run.
"""

import inspect
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from holmgang.engine import stream
from holmgang.engine.compiled import kernels
from holmgang.engine.compiled.binding import Bound, own_functions

MACHINE_WORDS = ("word", "number", "count_bits")  # functions of the stream that are one instruction


@intrinsic
def population(typing_context: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def teach_machine_words(scope: dict[str, Any]) -> None:
    """Each is a cast or an instruction. Numba asks for a function that gives the implementation."""
    always = {"inline": "always"}
    overload(scope["word"], **always)(lambda x: lambda x: np.uint64(x))  # noqa: PLW0108
    overload(scope["number"], **always)(lambda x: lambda x: np.int64(x))  # noqa: PLW0108
    overload(scope["count_bits"], **always)(lambda x: lambda x: population(np.int64(x)))  # type: ignore[call-arg]


def teach(bound: Bound, rules_module: str) -> None:
    """Makes all functions of a bound scope known to numba; once for each scope."""
    inlined = register_jitable(forceinline=True)
    for name, function in own_functions(bound.stream, stream.__name__):
        if name not in MACHINE_WORDS:
            inlined(function)
    teach_machine_words(bound.stream)
    for _, function in own_functions(bound.game, rules_module):
        inlined(function)
    for _, function in own_functions(bound.kernels, kernels.__name__):
        inlined(function)
    inlined(bound.kernels["pack"])
    inlined(bound.kernels["unpack"])


def compile_kernel(bound: Bound, name: str) -> tuple[str, bytes]:
    """The symbol and the object file of one kernel."""
    kernel: FunctionType = bound.kernels[name]
    arguments = list(inspect.signature(kernel).parameters)
    arrays = kernels.ENTRIES[name]
    handed = ", ".join(
        f"carray({argument}, (1,))" if argument in arrays else argument for argument in arguments
    )
    scope: dict[str, Any] = {"kernel": kernel, "carray": numba.carray}  # type: ignore[attr-defined]
    source = f"def entry({', '.join(arguments)}):\n    return kernel({handed})\n"
    exec(source, scope)  # noqa: S102 - our own text, from the kernel's signature
    pointer = types.CPointer(types.int64)  # type: ignore[no-untyped-call]
    signature = types.int64(
        *(pointer if argument in arrays else types.int64 for argument in arguments)
    )
    compiled: Any = numba.cfunc(signature, error_model="numpy")(scope["entry"])
    _, _, (object_file, _) = compiled._library.serialize_using_object_code()
    return compiled._wrapper_name, object_file
