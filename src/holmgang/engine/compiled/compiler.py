"""Compiles a bound kernel to machine code. Only this module and `drafts.py` know numba.

The functions of the rules, the stream and the kernels are passed to numba unchanged, to be inlined.
The kernel itself gets a C entry point, so that the resulting object file needs neither numba nor
Python to run.
"""

import inspect
import re
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import intrinsic, overload, register_jitable

from holmgang.engine.compiled import objects
from holmgang.engine.compiled.binding import Bound, Scope, own_functions
from holmgang.engine.compiled.drafts import Drafting
from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.engine.compiled.packing import GENERATED
from holmgang.errors import CompileError
from holmgang.machine import relative

C_TYPES: dict[str, Any] = {
    "int": types.int64,
    "ints": types.CPointer(types.int64),  # type: ignore[no-untyped-call]
    "floats": types.CPointer(types.float64),  # type: ignore[no-untyped-call]
}
MACHINE_WORDS = ("word", "number", "count_bits")  # functions of the stream that are one instruction


@intrinsic
def population(typing_context: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def teach_machine_words(scope: Scope) -> None:
    """Registers the functions that are a cast or an instruction. Numba expects a function that
    returns the implementation.
    """
    machine = partial(overload, inline="always")
    machine(scope["word"])(lambda x: lambda x: np.uint64(x))  # noqa: PLW0108
    machine(scope["number"])(lambda x: lambda x: np.int64(x))  # noqa: PLW0108
    machine(scope["count_bits"])(lambda x: lambda x: population(np.int64(x)))  # type: ignore[call-arg]


def teach(bound: Bound) -> None:
    """Registers all functions of a bound scope with numba; call it once per scope."""
    inlined, called = (
        register_jitable(forceinline=inline, no_cfunc_wrapper=True, pipeline_class=Drafting)
        for inline in (True, False)
    )
    teach_machine_words(bound.kernels)
    for name, function in own_functions(bound.kernels, *bound.modules):
        if name not in MACHINE_WORDS:
            (called if name in bound.kernels.get("CALLED", ()) else inlined)(function)
    for module, scope in bound.game.items():
        for _, function in own_functions(scope, module):
            inlined(function)
    for name in GENERATED:
        if name in bound.kernels:
            inlined(bound.kernels[name])
    for name, link in bound.links.items():
        symbol = objects.make_linkable(name)
        bound.kernels[name] = types.ExternalFunction(symbol, c_signature(link.flat, link.spec))


def c_signature(flat: dict[str, str], spec: KernelSpec) -> Any:
    result = types.float64 if spec.gives_float else types.int64
    return result(*(C_TYPES[kind] for kind in flat.values()))


def compile_kernel(bound: Bound, name: str, spec: KernelSpec) -> tuple[str, bytes]:
    """The symbol and the object file of one kernel."""
    kernel: FunctionType = bound.kernels[name]
    parameters = inspect.signature(kernel).parameters
    flat = spec.flat(parameters)
    handed: list[str] = []
    for parameter in parameters:
        bundle = spec.bundles.get(parameter)
        names = [f"{parameter}_{field}" for field in bundle.made._fields] if bundle else [parameter]
        passed = ", ".join(names)
        handed.append(f"{parameter}_made({passed})" if bundle else passed)
    scope: Scope = {"kernel": kernel}
    scope.update((f"{parameter}_made", bundle.made) for parameter, bundle in spec.bundles.items())
    source = f"def entry({', '.join(flat)}):\n    return kernel({', '.join(handed)})\n"
    exec(source, scope)  # noqa: S102 - our own text, from the kernel's signature
    signature = c_signature(flat, spec)
    try:
        compiled: Any = numba.cfunc(signature, error_model="numpy", forceinline=True)(
            scope["entry"]
        )
    except (NumbaError, UnsupportedBytecodeError, AttributeError) as error:
        # an AttributeError is, for instance, a member that an enum does not have
        raise compile_error(error) from error
    _, _, (object_file, _) = compiled._library.serialize_using_object_code()
    return compiled._wrapper_name, object_file


def compile_error(error: Exception) -> CompileError:
    """The error with the innermost message of numba's, and the line that caused it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    places = [place for place, line in enumerate(lines) if line.startswith("File ")]
    told = [line for line in lines[: places[0]] if not line.startswith(NOISE)] if places else []
    why = told[-1] if told else lines[0]
    named = PLACE.search(lines[places[0]]) if places else RAISED.search(why)
    file, line = (relative(Path(named[1])), named[2]) if named else ("", "")
    for sign, plain in KNOWN:
        known = re.search(sign, why)
        if known:
            why = known.expand(plain)
    where = f' (File "{file}", line {line})' if named else ""
    return CompileError(
        f"the rules do not compile: {why}{where}", why, f"{file}:{line}" if named else ""
    )


PLACE = re.compile(r"File \"(.*)\", line (\d+)")
RAISED = re.compile(r"Raised from (.*) \((\d+)\)")
NOISE = (
    *("During", "There are", "- Of which", "Overload", "With argument", "Rejected", ">>>"),
    "raised from",
)
KNOWN = (
    (r"Untyped global name '(\w+)'", r"\1 cannot be used in rules"),
    ("make_function.*<lambda>", "use a function instead of a lambda"),
    ("make_function", "use a loop instead of a comprehension or a generator expression"),
    ("re-entrant", "use a loop instead of a function that calls itself"),
    (r"opcode \(MATCH_", "use if instead of match with a pattern"),
    (r"opcode \(STORE_GLOBAL", "a function must not change a global variable"),
)
"""Parts of numba's messages, and what they mean for an author."""
