"""Kernels bound to one ruleset: copies of the functions, with their own globals.

A bound function sees the rules as a constant, and every IntEnum of the game as a namespace of plain
numbers, as the compiler needs them. The originals stay unchanged.
"""

import hashlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple, cast

from holmgang.engine import stream
from holmgang.engine.compiled import kernels
from holmgang.engine.compiled.packing import GENERATED, StateLayout, packers
from holmgang.games.code import deciding_modules
from holmgang.games.defaults import rules as defaults
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
NO_CONSTANTS: Mapping[str, int] = MappingProxyType({})


class Bound(NamedTuple):
    """All functions for one ruleset, in two scopes: the kernels see the game as a namespace."""

    kernels: Scope
    modules: tuple[str, ...]
    """The modules whose functions are in `kernels`."""
    links: Links = NO_LINKS
    layout: StateLayout = StateLayout((), "", "")
    game: Mapping[str, Scope] = MappingProxyType({})
    """The scopes of the modules of the game, by their names."""


def bind_numbers(modules: Sequence[ModuleType], links: Links = NO_LINKS) -> Bound:
    """Copies of kernels that need no game."""
    every = (stream, *modules)
    scope = copied(*every)
    scope.update((name, link.kernel) for name, link in links.items())
    return Bound(scope, tuple(module.__name__ for module in every), links)


def bind(
    ruleset: Ruleset,
    more_kernels: Sequence[ModuleType] = (),
    constants: Mapping[str, int] = NO_CONSTANTS,
) -> Bound:
    """Copies of the stream, the kernels and more modules of kernels, for one ruleset. The kernels'
    `game` also has the notation's `mirror`, and all optional functions. `constants` replace those
    of the kernels.
    """
    rules_module: Any = ruleset.game.rules
    layout, generated = packers(rules_module, ruleset.game.notation.mirror)
    scopes = copied_apart(deciding_modules(rules_module))
    game_scope = scopes[rules_module.__name__]
    optional = (defaults.chance, defaults.face_groups, defaults.face_group, defaults.endless)
    for function in (cast(FunctionType, generated.pop("mirror")), *optional):
        if function.__name__ not in game_scope:
            copy = FunctionType(function.__code__, game_scope, function.__name__)
            copy.__module__ = rules_module.__name__
            game_scope[function.__name__] = copy
    scope, modules, *_ = bind_numbers((kernels, *more_kernels))
    for name, function in generated.items():
        scope[name] = FunctionType(cast(FunctionType, function).__code__, game_scope, name)
    scope["game"] = namespace("game", game_scope)
    scope["rules"] = ruleset.rules
    scope["FIELDS"] = len(layout.names)
    scope.update(constants)
    return Bound(scope, modules, NO_LINKS, layout, scopes)


def own_functions(scope: Scope, *modules: str) -> Iterator[tuple[str, FunctionType]]:
    for name, value in sorted(scope.items()):
        if isinstance(value, FunctionType) and value.__module__ in modules:
            yield name, value


def copied_apart(modules: Sequence[ModuleType]) -> dict[str, Scope]:
    """The globals of each module in a separate scope, in which copies refer to each other."""
    scopes = {module.__name__: copied(module, without=()) for module in modules}
    for own, scope in scopes.items():
        for name, value in list(scope.items()):
            if isinstance(value, ModuleType) and value.__name__ in scopes:
                scope[name] = namespace(name, scopes[value.__name__])
            elif isinstance(value, FunctionType) and value.__module__ in {*scopes} - {own}:
                scope[name] = scopes[value.__module__].get(value.__name__, value)
    return scopes


def copied(*modules: ModuleType, without: Sequence[str] | None = None) -> Scope:
    """The modules' globals in one scope, with copies of their functions that use this scope."""
    left_out = PLACES if without is None else without
    scope: Scope = {}
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("__") or name in left_out:
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


PLACES = ("game", "rules", *GENERATED, "FIELDS", "SPECS")  # names that binding fills in


def namespace(name: str, members: Scope) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(members)
    return module


# Fingerprints of the code as loaded, not of the files, which may have changed since


def fingerprint(bound: Bound) -> str:
    """A hash of every function and constant that goes into a compiled kernel."""
    digest, used = hashlib.sha256(), names_used(bound)
    games = (
        described({key: value for key, value in scope.items() if key in used}, name)
        for name, scope in bound.game.items()
    )
    for part in (
        *described(bound.kernels, *bound.modules),
        *chain.from_iterable(games),
        *(f"{name} {link.flat} {link.spec.gives_float}" for name, link in bound.links.items()),
        bound.layout.pack_source,
        bound.layout.unpack_source,
        bound.layout.rules_source,
    ):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def names_used(bound: Bound) -> set[str]:
    """The names in the kernels, and in everything of the game that they use. A game in one file
    also has functions that only describe it; a change in those causes no new compilation, unless
    the kernels use the same name.
    """
    used: set[str] = set()
    scopes = (bound.kernels, *bound.game.values())
    functions = [
        *(function for _, function in own_functions(bound.kernels, *bound.modules)),
        *(bound.kernels[name] for name in GENERATED if name in bound.kernels),
    ]
    while functions:
        names = set(names_in(functions.pop().__code__)) - used
        used |= names
        found = (scope[name] for scope in scopes for name in names if name in scope)
        functions += (value for value in found if isinstance(value, FunctionType))
    return used


def names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def described(scope: Scope, *modules: str) -> Iterator[str]:
    for name, function in own_functions(scope, *modules):
        yield f"{name} {function.__defaults__!r} {described_code(function.__code__)}"
    for name, value in sorted(scope.items(), key=lambda item: item[0]):
        if name.startswith("__"):
            continue
        if isinstance(value, int | float | tuple):
            yield f"{name} = {value!r}"
        elif isinstance(value, ModuleType) and is_enumeration(value):
            yield f"{name}: {sorted(vars(value).items(), key=str)!r}"
        elif isinstance(value, type) and hasattr(value, "_fields"):
            yield f"{name}{value._fields!r}"


def is_enumeration(module: ModuleType) -> bool:
    """Whether a namespace stands for an IntEnum. The functions of other namespaces are described
    with the modules that they are from.
    """
    members = (value for name, value in vars(module).items() if not name.startswith("__"))
    return all(isinstance(value, int) for value in members)


def described_code(code: CodeType) -> str:
    constants = [
        described_code(constant) if isinstance(constant, CodeType) else repr(constant)
        for constant in code.co_consts
    ]
    return repr((code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars))
