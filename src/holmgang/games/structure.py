"""Checks what a file with rules contains, as soon as it is loaded and before anything is played.

Each mistake is reported with its line in the author's file.
"""

import ast
import dis
import inspect
from collections.abc import Iterator
from enum import IntEnum
from types import FunctionType, ModuleType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from holmgang.games.code import add_used
from holmgang.games.defaults.words import MOST_CHOICES
from holmgang.games.fields import leaves_of

CLASSES = ("Rules", "State", "Reason")
FUNCTIONS = {
    "initial": ("rules",),
    "choices": ("rules", "state", "seat"),
    "resolve": ("rules", "state", "red", "blue", "face"),
    "outcome": ("rules", "state"),
}
OPTIONAL = {
    "chance": ("rules", "state", "red", "blue"),
    "mirror": ("rules", "state"),
    "is_symmetric": ("rules",),
    "endless": ("rules",),
    "estimate": ("rules", "state"),
    "tell": ("rules", "before", "red", "blue", "face", "after"),
    "preview": ("rules", "state", "seat", "choice"),
    "ending": ("rules", "state", "outcome"),
    "draw_board": ("rules", "state", "width"),
    "draw_picture": ("rules", "state", "scene"),
    "harmless": ("rules", "state", "seat"),
    "is_timid": ("rules", "state", "seat", "choice"),
    "impossible": ("rules",),
    "lesson": ("rules",),
    "summary": ("rules",),
}
IMPURE = ("print", "input", "open")
NOT_PLAIN = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Mistake(NamedTuple):
    line: int
    """The line in the file of the rules; 0 for the file as a whole."""
    what: str


def mistakes(module: ModuleType, source: str) -> Iterator[Mistake]:
    """Everything that is missing or has a wrong type in a module of rules."""
    lines = Lines(source)
    scope = vars(module)
    missing = [name for name in (*CLASSES, *FUNCTIONS) if name not in scope]
    if missing:
        yield Mistake(0, f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
        return
    for name, parameters in FUNCTIONS.items():
        yield from function_mistakes(scope[name], name, parameters, lines)
        yield from impure_mistakes(scope[name], lines)
    for name, parameters in OPTIONAL.items():
        if name in scope:
            yield from function_mistakes(scope[name], name, parameters, lines)
    yield from rules_mistakes(scope["Rules"], lines)
    yield from state_mistakes(scope["State"], lines)
    yield from enum_mistakes(scope["Reason"], "Reason", lines)
    if "Choice" in scope:
        yield from enum_mistakes(scope["Choice"], "Choice", lines)
        if "KEYS" in scope and len(scope["KEYS"]) != len(scope["Choice"]):
            count = len(scope["Choice"])
            yield Mistake(lines("KEYS"), f"KEYS must have {count} keys, one for each Choice")


class Lines:
    """The lines of a file on which its names are defined."""

    def __init__(self, source: str) -> None:
        self.of: dict[str, int] = {}
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                self.of[node.name] = node.lineno
            else:
                self._add_member("", node)
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    self._add_member(node.name, inner)

    def _add_member(self, owner: str, node: ast.stmt) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name):
                self.of[f"{owner}.{target.id}".removeprefix(".")] = node.lineno

    def __call__(self, *names: str) -> int:
        """The line of the first of these names that is defined."""
        return next((self.of[name] for name in names if name in self.of), 0)


def function_mistakes(
    function: Any, name: str, parameters: tuple[str, ...], lines: Lines
) -> Iterator[Mistake]:
    code = getattr(function, "__code__", None)
    if code is None:
        yield Mistake(lines(name), f"{name} must be a function")
        return
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    is_swapped = given != parameters and sorted(given) == sorted(parameters)
    if code.co_argcount != len(parameters) or code.co_kwonlyargcount or is_swapped:
        shape = f"{name}({', '.join(parameters)})"
        yield Mistake(lines(name), f"{name} must be {shape}; not {name}({', '.join(given)})")
    elif code.co_flags & NOT_PLAIN:
        yield Mistake(lines(name), f"{name} must be a plain function, without async or yield")


def impure_mistakes(function: Any, lines: Lines) -> Iterator[Mistake]:
    """What rules must not do, because they are compiled and run many times unattended."""
    used: dict[FunctionType, None] = {}
    add_used(function, used)
    for each in used:
        for name in IMPURE:
            if name in each.__code__.co_names and name not in each.__globals__:
                yield Mistake(lines(each.__name__), f"{each.__name__} must not call {name}")
        for step in dis.get_instructions(each):
            if step.opname == "STORE_GLOBAL":
                what = f"{each.__name__} must not change the global variable {step.argval}"
                yield Mistake(lines(each.__name__), what)


def rules_mistakes(rules: Any, lines: Lines) -> Iterator[Mistake]:
    if not hasattr(rules, "_fields"):
        yield Mistake(lines("Rules"), "Rules must be a NamedTuple")
        return
    hints = get_type_hints(rules, include_extras=True)
    for name in rules._fields:
        line = lines(f"Rules.{name}", "Rules")
        notes = get_args(hints[name])[1:] if get_origin(hints[name]) is Annotated else ()
        if not notes or not isinstance(notes[0], range) or not notes[0]:
            example = f"{name}: Annotated[int, range(1, 10)] = 3"
            yield Mistake(line, f"the rule {name} needs a range, as in {example}")
        elif name not in rules._field_defaults:
            yield Mistake(line, f"the rule {name} needs a default")
        elif type(rules._field_defaults[name]) is not int:
            yield Mistake(line, f"the default of {name} must be a whole number")
        elif rules._field_defaults[name] not in notes[0]:
            default = rules._field_defaults[name]
            yield Mistake(line, f"the default of {name}, {default}, is not in {notes[0]}")


def state_mistakes(state: Any, lines: Lines) -> Iterator[Mistake]:
    if not hasattr(state, "_fields"):
        yield Mistake(lines("State"), "State must be a NamedTuple")
        return
    try:
        if not list(leaves_of(state)):
            yield Mistake(lines("State"), "State has no fields")
    except (TypeError, NameError) as error:
        yield Mistake(lines(f"State.{culprit(state)}", "State"), str(error))


def culprit(state: Any) -> str:
    """The field of a state whose type is not allowed."""
    for name, kind in getattr(state, "__annotations__", {}).items():
        try:
            list(leaves_of(kind))
        except (TypeError, NameError):
            return str(name)
    return ""


def enum_mistakes(enum: Any, name: str, lines: Lines) -> Iterator[Mistake]:
    if not isinstance(enum, type) or not issubclass(enum, IntEnum):
        yield Mistake(lines(name), f"{name} must be an IntEnum")
        return
    if name == "Reason" and 0 not in {int(member) for member in enum}:
        yield Mistake(lines(name), "Reason needs a member with the value 0: the duel goes on")
    for alias, member in enum.__members__.items():
        if alias != member.name:
            line = lines(f"{name}.{alias}", name)
            yield Mistake(line, f"{name}.{alias} has the same value as {name}.{member.name}")
    for member in enum:
        if not 0 <= int(member) < MOST_CHOICES:
            line = lines(f"{name}.{member.name}", name)
            yield Mistake(line, f"{name}.{member.name} must be from 0 to {MOST_CHOICES - 1}")
