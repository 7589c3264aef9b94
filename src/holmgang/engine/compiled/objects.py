"""The cache of compiled kernels in the user's cache folder, keyed by what they were compiled from.

A file has a symbol and an object file, with a checksum. It is written under a temporary name and
renamed, so that several processes can write it at once. If the folder is not writable, kernels are
compiled every time.
"""

import ctypes
import fcntl
import hashlib
import os
import pickle
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

FORMAT = b"holmgang-object-1\n"
KEPT_DAYS = 60


def cache_folder() -> Path:
    """$HOLMGANG_CACHE, or holmgang/ in the user's cache folder."""
    own = os.environ.get("HOLMGANG_CACHE")
    if own:
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(shared) if shared else Path.home() / ".cache") / "holmgang" / "compiled"
    except RuntimeError:  # there is no home folder
        return Path(tempfile.gettempdir()) / f"holmgang-{os.getuid()}"


def machine() -> str:
    """The processor and compiler, on which an object file depends besides its sources."""
    import llvmlite  # type: ignore[import-untyped]
    from llvmlite import binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    python = ".".join(map(str, sys.version_info[:2]))
    return f"{llvmlite.__version__} {python} {llvm.get_host_cpu_name()} {features}"


def object_path(name: str, fingerprint: str) -> Path:
    key = hashlib.sha256(f"{fingerprint} {machine()}".encode()).hexdigest()[:32]
    return cache_folder() / f"{name}-{key}.o"


def read_object(path: Path) -> tuple[str, bytes] | None:
    """The symbol and object file, if the file exists and is undamaged."""
    try:
        content = path.read_bytes()
        if path.stat().st_mtime < time.time() - 86_400:
            os.utime(path)  # marks it as used recently
    except OSError:
        return None
    if not content.startswith(FORMAT):
        return None
    checksum, body = content[len(FORMAT) : len(FORMAT) + 32], content[len(FORMAT) + 32 :]
    if hashlib.sha256(body).digest() != checksum:
        return None
    symbol, _, object_file = body.partition(b"\n")
    return symbol.decode(), object_file


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Waits while another process compiles the same file."""
    lock = path.with_suffix(".lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = lock.open("w")
    except OSError:
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        lock.unlink(missing_ok=True)


def write_object(path: Path, symbol: str, object_file: bytes) -> bool:
    """Stores an object file; returns False if that fails."""
    body = symbol.encode() + b"\n" + object_file
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(FORMAT + hashlib.sha256(body).digest() + body)
        Path(temporary).replace(path)
    except OSError:
        return False
    remove_unused(path.parent)
    return True


def remove_unused(folder: Path) -> None:
    long_ago = time.time() - KEPT_DAYS * 86_400
    with suppress(OSError):
        for path in (*folder.glob("*.o"), *folder.glob(".new-*")):
            with suppress(OSError):
                if path.stat().st_mtime < long_ago:
                    path.unlink()


OF_C = ("memcpy", "memmove", "memset", "memcmp")
OF_PYTHON = (
    *("PyErr_Clear", "PyErr_SetNone", "PyErr_SetString", "Py_DecRef"),
    *("PyUnicode_FromString", "PyBytes_FromStringAndSize"),
    *("PyExc_StopIteration", "PyExc_SystemError", "PyExc_RuntimeError"),
)
OF_NUMBA = ("NRT_MemInfo_call_dtor", "NRT_Free")
"""Symbols that object files import. The linker needs all of them, even those that kernels never
call. Where numba is loaded, it provides the last two."""

_engines: list[Any] = []  # keeps the machine code in memory


def make_known(llvm: Any) -> None:
    """Gives the linker the imported symbols. Without numba, its symbols abort the process."""
    process = ctypes.CDLL(None)
    for name in (*OF_C, *OF_PYTHON, *OF_NUMBA):
        if llvm.address_of_symbol(name) is None:
            function = process["abort" if name in OF_NUMBA else name]
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)


def make_linkable(name: str) -> str:
    """The symbol by which an object file calls a kernel of another one. Its address is set when the
    file is loaded; for compiling, any address will do.
    """
    from llvmlite import binding as llvm

    symbol = f"holmgang_{name}"
    llvm.add_symbol(symbol, ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value)
    return symbol


def load_object(symbol: str, object_file: bytes, linked: Mapping[str, int]) -> int:
    """Loads the code, linked to kernels at these addresses, and returns its address."""
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    make_known(llvm)
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    outside = {make_linkable(name): place for name, place in linked.items()} | ON_ERROR
    module = llvm.parse_assembly("\n".join(f"declare void @{name}()" for name in outside))
    engine = llvm.create_mcjit_compiler(module, target)
    for name, place in outside.items():
        engine.add_global_mapping(module.get_function(name), place)
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_file))
    engine.finalize_object()
    _engines.append(engine)
    address: int = engine.get_function_address(symbol)
    return address


# Errors. When a kernel raises one, numba's entry point takes the GIL, makes the exception, has
# Python print it, and returns 0. These functions take the place of those that it calls, so that the
# error is kept and can be raised by whoever called the kernel; they need no numba.

_local = threading.local()


def keep_error(pickled: int, size: int, digest: int) -> int:
    """Keeps the class, the arguments and the place of an error, pickled by numba. The result stands
    for the exception.
    """
    _local.error = pickle.loads(ctypes.string_at(pickled, size))  # noqa: S301 - compiled here
    return id(None)


def keep_unknown_error(code: int, arguments: int) -> int:
    """Keeps an error whose arguments are computed. They are not read."""
    _local.error = (RuntimeError, ("the rules raise an error",), None)
    return id(None)


def taken_error() -> tuple[type[Exception], tuple[object, ...], tuple[str, str, int] | None] | None:
    """The error that the last kernel of this thread has raised, with the function, file and line;
    None if there is none.
    """
    error = getattr(_local, "error", None)
    _local.error = None
    return error


def do_nothing(exception: int) -> int:
    return 0


_word, _python = ctypes.c_void_p, ctypes.pythonapi
_callbacks: dict[str, Any] = {
    "numba_unpickle": ctypes.CFUNCTYPE(_word, _word, ctypes.c_int, _word)(keep_error),
    "numba_runtime_build_excinfo_struct": ctypes.CFUNCTYPE(_word, _word, _word)(keep_unknown_error),
    "numba_do_raise": ctypes.CFUNCTYPE(ctypes.c_int, _word)(do_nothing),
    "numba_gil_ensure": _python.PyGILState_Ensure,  # it ignores the argument
    "numba_gil_release": _python.PyEval_SaveThread,
    "PyErr_WriteUnraisable": _python.PyErr_Clear,
}
ON_ERROR = {
    name: ctypes.cast(function, ctypes.c_void_p).value or 0 for name, function in _callbacks.items()
}


def c_function(address: int, are_arrays: list[bool], *, gives_float: bool = False) -> Any:
    """The code at an address as a function of whole numbers and addresses; it releases the GIL."""
    arguments = [ctypes.c_void_p if is_array else ctypes.c_int64 for is_array in are_arrays]
    result = ctypes.c_double if gives_float else ctypes.c_int64
    return ctypes.CFUNCTYPE(result, *arguments)(address)
