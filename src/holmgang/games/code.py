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
    is_one_file = "." not in game.rules.__name__  # also has its story and its picture
    texts = [source(each) for each in (*modules, *others)]
    return digest([deciding_part(texts[0]), *texts[1:]] if is_one_file else texts)


def deciding_part(text: str) -> str:
    """The source of a game in one file, without definitions that no deciding code uses."""
    body = ast.parse(text).body
    needed, kept, count = set(DECIDING), set[int](), -1
    while len(kept) > count:
        count = len(kept)
        for place, statement in enumerate(body):
            defined = names_defined(statement)
            if place not in kept and (defined is None or needed & defined):
                kept.add(place)
                needed.update(names_used(statement))
    if needed & LOOKUPS or not kept:
        return text
    return ast.unparse(ast.Module([body[place] for place in sorted(kept)], []))


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
    """The module of the rules, and the modules that it imports from the same folder or gets from
    `holmgang.game`, with everything that these import from there.
    """
    folder = rules.__name__.rpartition(".")[0]
    found = {rules.__name__: rules}
    waiting = [rules]
    while waiting:
        for value in vars(waiting.pop()).values():
            name = value.__name__ if isinstance(value, ModuleType) else module_of(value)
            is_own = name == "holmgang.game" or (folder and name.startswith(f"{folder}."))
            if is_own and name not in found and name in sys.modules:
                found[name] = sys.modules[name]
                waiting.append(found[name])
    return tuple(found.values())


def module_of(value: object) -> str:
    name = getattr(value, "__module__", None) if isinstance(value, FunctionType | type) else None
    return name if isinstance(name, str) else ""


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
