"""Digests of code. A computed file stores the digest of the code that computed it, and is not used
with any other code.

Sources that differ only in comments, docstrings and layout have the same digest. It is computed
from the syntax tree, without parts that only some versions of Python add, so that all agree.
"""

import ast
import hashlib
import inspect
import marshal
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Any, cast

from holmgang.games.contract import AnyGame

MIRRORS = ("is_symmetric", "mirror")
"""The functions of a game's notation that let the solver skip half of the states."""
DECIDING = (
    *("Rules", "State", "Choice", "Reason"),
    *("initial", "choices", "chance", "resolve", "outcome", "endless", "face_groups", "face_group"),
    *("is_legal", "impossible", "estimate"),
    *MIRRORS,
)
"""The names in the file of a game that decide what happens or what is searched; the others only
describe it."""
LOOKUPS = {"globals", "locals", "vars", "getattr", "eval", "exec", "__import__"}
"""With these, code can use a name that does not appear in it."""


@cache
def game_digest(game: AnyGame) -> str:
    """A digest of the code that decides what happens in a game: its rules, and which of its states
    mirror each other. It is cached, because files that change later are not the code that runs.
    """
    functions: dict[FunctionType, None] = {}
    for name in MIRRORS:
        add_used(inspect.unwrap(getattr(game.notation, name)), functions)
    modules = deciding_modules(cast(ModuleType, game.rules))
    names = {module.__name__ for module in modules}
    others = (each for each in functions if each.__module__ not in names)
    texts = [source(each) for each in (*modules, *others)]
    return digest([deciding_part(texts[0]), *texts[1:]] if is_one_file(modules[0]) else texts)


def deciding_part(text: str) -> str:
    """The source of a game in one file, without definitions that no deciding code uses."""
    body = ast.parse(text).body
    kept = deciding_statements(body)
    return text if len(kept) == len(body) else ast.unparse(ast.Module(kept, []))


def deciding_statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a game in one file that define what decides, and what that uses; all of
    them if that cannot be told.
    """
    needed, kept, count = set(DECIDING), set[int](), -1
    while len(kept) > count:
        count = len(kept)
        for place, statement in enumerate(body):
            defined = names_defined(statement)
            if place not in kept and (defined is None or needed & defined):
                kept.add(place)
                needed.update(names_used(statement))
    if needed & LOOKUPS or not kept:
        return body
    return [body[place] for place in sorted(kept)]


def names_defined(statement: ast.stmt) -> set[str] | None:
    """The names that a statement defines; None if it may do something else."""
    match statement:
        case (
            ast.FunctionDef(name=name, decorator_list=[])
            | ast.ClassDef(name=name, decorator_list=[])
        ):
            return {name}
        case ast.Import(names) | ast.ImportFrom(names=names):
            found = {each.asname or each.name.partition(".")[0] for each in names}
            return None if "*" in found else found
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)) if (
            not calls(statement)
        ):
            return {name}
        case ast.Expr(value) if is_text(value):
            return set()
    return None


def calls(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(statement))


def names_used(statement: ast.stmt) -> Iterator[str]:
    """The names in a statement, and those in its types that are written as strings."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.AnnAssign):
            for inner in ast.walk(node.annotation):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield from re.findall(r"\w+", inner.value)


def deciding_modules(rules: ModuleType) -> tuple[ModuleType, ...]:
    """The module of the rules, and the modules that it imports from its own package or gets from
    `holmgang.game`, with everything that these import from there.
    """
    found = {rules.__name__: rules}
    waiting = [rules]
    while waiting:
        module = waiting.pop()
        for name, _ in imports(ast.walk(ast.parse(source(module))), module):
            is_own = name == "holmgang.game" or name.startswith(f"{package_of(rules)}.")
            if is_own and name not in found and name in sys.modules:
                found[name] = sys.modules[name]
                waiting.append(found[name])
    return tuple(found.values())


def foreign_imports(rules: ModuleType) -> Iterator[tuple[ModuleType, int, str]]:
    """What deciding code imports that no digest covers, with its module and line: everything that
    is neither the game's own, nor Python's, nor Holmgang's.
    """
    known = {package_of(rules), "holmgang", *sys.stdlib_module_names}
    for module in deciding_modules(rules):
        body = ast.parse(source(module)).body
        kept = deciding_statements(body) if is_one_file(module) else body
        nodes = chain.from_iterable(map(ast.walk, kept))
        for name, line in imports(nodes, module):
            is_known = any(f"{name}.".startswith(f"{each}.") for each in known)
            if not is_known and name in sys.modules:
                yield module, line, name


def imports(nodes: Iterable[ast.AST], module: ModuleType) -> Iterator[tuple[str, int]]:
    """The full names that may be modules in these imports of a module, and their lines."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((each.name, node.lineno) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            below = module.__name__.split(".")[: -node.level or None]
            base = ".".join(filter(None, (*(below if node.level else ()), node.module)))
            yield base, node.lineno
            yield from ((f"{base}.{each.name}", node.lineno) for each in node.names)


def package_of(rules: ModuleType) -> str:
    """The package whose modules belong to a game."""
    name = rules.__name__
    return name.rpartition(".")[0] if name.startswith("holmgang.") else name.partition(".")[0]


def is_one_file(rules: ModuleType) -> bool:
    """Whether the file with the rules also has the game's story and picture."""
    return "." not in rules.__name__


def add_used(function: object, to: dict[FunctionType, None]) -> None:
    """Adds a function and the functions of its module that it calls."""
    if isinstance(function, FunctionType) and function not in to:
        to[function] = None
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if getattr(called, "__module__", None) == function.__module__:
                add_used(called, to)


@cache
def modules_digest(*modules: ModuleType) -> str:
    return digest(map(source, modules))


def source(code: Any) -> str:
    """The source of a module or a function. If there is none, a text made from its bytecode, which
    differs between versions of Python.
    """
    try:
        return dedent(inspect.getsource(code))
    except OSError:
        loader = getattr(code, "__loader__", None)
        loaded = code.__code__ if loader is None else loader.get_code(code.__name__)
        return f"bytecode = {marshal.dumps(loaded)!r}"


def digest(sources: Iterable[str]) -> str:
    """A digest of pieces of source code, as 16 hex digits.

    >>> digest(["x = 1  # one"]) == digest(["x  =  1"]) != digest(["x = 2"])
    True
    """
    total = hashlib.sha256()
    for text in sources:
        parts: list[str] = []
        add_parts(ast.parse(text), parts)
        total.update("\0".join(parts).encode())
    return total.hexdigest()[:16]


def add_parts(node: object, parts: list[str]) -> None:
    """Adds the content of a syntax tree, without docstrings and without empty fields, which some
    versions of Python do not have.
    """
    if isinstance(node, ast.AST):
        if isinstance(node, ast.Expr) and is_text(node.value):
            return
        parts.append(type(node).__name__)
        for name in node._fields:
            value = getattr(node, name, None)
            if value is not None and value != []:
                parts.append(name)
                add_parts(value, parts)
        parts.append(")")
    elif isinstance(node, list):
        for item in node:
            add_parts(item, parts)
        parts.append("]")
    else:
        parts.append(repr(node))


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
