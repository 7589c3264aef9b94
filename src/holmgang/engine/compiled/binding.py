"""Kernels bound to one ruleset: copies of the functions, with their own globals.

A bound function sees the rules as a constant, and every IntEnum of the game as a namespace of plain
numbers, as the compiler needs them. The originals stay unchanged.
"""

import hashlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

from holmgang.engine import stream
from holmgang.engine.compiled import defaults, kernels
from holmgang.engine.compiled.packing import StateLayout, packers
from holmgang.games.ruleset import Ruleset

Scope = dict[str, Any]
"""The globals of bound functions."""


class Link(NamedTuple):
    """A kernel of another scope that is linked instead of compiled again."""

    kernel: FunctionType
    spec: kernels.KernelSpec

    @property
    def flat(self) -> dict[str, str]:
        return self.spec.flat(inspect.signature(self.kernel).parameters)


Links = Mapping[str, Link]
NO_LINKS: Links = MappingProxyType({})


class Bound(NamedTuple):
    """All functions for one ruleset, in two scopes: the kernels see the game as a namespace."""

    kernels: Scope
    modules: tuple[str, ...]
    """The modules whose functions are in `kernels`."""
    links: Links = NO_LINKS
    layout: StateLayout = StateLayout((), "", "")
    game: Scope = {}  # noqa: RUF012 - never written to
    rules_module: str = ""


def bind_numbers(modules: Sequence[ModuleType], links: Links = NO_LINKS) -> Bound:
    """Copies of kernels that need no game."""
    every = (stream, *modules)
    scope = copied(*every)
    scope.update((name, link.kernel) for name, link in links.items())
    return Bound(scope, tuple(module.__name__ for module in every), links)


def bind(ruleset: Ruleset, more_kernels: Sequence[ModuleType] = ()) -> Bound:
    """Copies of the stream, the kernels and more modules of kernels, for one ruleset. The kernels'
    `game` also has the notation's `mirror`, and all optional functions.
    """
    rules_module: Any = ruleset.game.rules
    layout, pack, unpack = packers(rules_module)
    game_scope = copied(rules_module)
    mirror = vars(ruleset.game.notation)["mirror"]
    for function in (mirror, defaults.face_groups, defaults.face_group, defaults.endless):
        if function.__name__ not in game_scope:
            copy = FunctionType(function.__code__, game_scope, function.__name__)
            copy.__module__ = rules_module.__name__
            game_scope[function.__name__] = copy
    scope, modules, *_ = bind_numbers((kernels, *more_kernels))
    for name, function in (("pack", pack), ("unpack", unpack)):
        scope[name] = FunctionType(function.__code__, game_scope, name)
    scope["game"] = namespace("game", game_scope)
    scope["rules"] = ruleset.rules
    scope["FIELDS"] = len(layout.names)
    return Bound(scope, modules, NO_LINKS, layout, game_scope, rules_module.__name__)


def own_functions(scope: Scope, *modules: str) -> Iterator[tuple[str, FunctionType]]:
    for name, value in sorted(scope.items()):
        if isinstance(value, FunctionType) and value.__module__ in modules:
            yield name, value


def copied(*modules: ModuleType) -> Scope:
    """The modules' globals in one scope, with copies of their functions that use this scope."""
    scope: Scope = {}
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("__") or name in PLACES:
                continue
            if scope.setdefault(name, value) is not value:
                raise NameError(f"{module.__name__}.{name} is also defined in another module")
    for name, value in list(scope.items()):
        if isinstance(value, type) and issubclass(value, IntEnum) and value is not IntEnum:
            scope[name] = namespace(name, {member.name: int(member) for member in value})
    for name, function in list(own_functions(scope, *(module.__name__ for module in modules))):
        copy = FunctionType(function.__code__, scope, name, function.__defaults__)
        copy.__module__ = function.__module__
        scope[name] = copy
    return scope


PLACES = ("game", "rules", "pack", "unpack", "FIELDS", "SPECS")  # names that binding fills in


def namespace(name: str, members: Scope) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(members)
    return module


# Fingerprints of the code as loaded, not of the files, which may have changed since


def fingerprint(bound: Bound) -> str:
    """A hash of every function and constant that goes into a compiled kernel."""
    digest = hashlib.sha256()
    for part in (
        *described(bound.kernels, *bound.modules),
        *described(bound.game, bound.rules_module),
        *(f"{name} {link.flat} {link.spec.gives_float}" for name, link in bound.links.items()),
        bound.layout.pack_source,
        bound.layout.unpack_source,
    ):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def described(scope: Scope, *modules: str) -> Iterator[str]:
    for name, function in own_functions(scope, *modules):
        yield f"{name} {function.__defaults__!r} {described_code(function.__code__)}"
    for name, value in sorted(scope.items(), key=lambda item: item[0]):
        if name.startswith("__"):
            continue
        if isinstance(value, int | float | tuple):
            yield f"{name} = {value!r}"
        elif isinstance(value, ModuleType) and name != "game":
            yield f"{name}: {sorted(vars(value).items(), key=str)!r}"
        elif isinstance(value, type) and hasattr(value, "_fields"):
            yield f"{name}{value._fields!r}"


def described_code(code: CodeType) -> str:
    constants = [
        described_code(constant) if isinstance(constant, CodeType) else repr(constant)
        for constant in code.co_consts
    ]
    return repr((code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars))
